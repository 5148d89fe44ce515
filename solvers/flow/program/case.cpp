// SPDX-License-Identifier: BSD-3-Clause
#include "flow/program/case.hpp"

#include "case_file/toml.hpp"
#include "case_file/words.hpp"

#ifdef ISTHMUS_WITH_VTKHDF
#include "flow/cgns/cgns.hpp"
#endif
#include "flow/multiblock/plot3d.hpp"
#include "isthmus/base/error.hpp"

#include <cmath>
#include <numbers>

namespace isthmus::flow {

using solvers::Words;

namespace {

constexpr double degree = std::numbers::pi / 180;

/// The tables of a case file.
class Tables {
 public:
  Tables(std::string file, toml::table root) : file_(std::move(file)), root_(std::move(root)) {
    solvers::check_tables(
        file_, root_,
        {"flow", "grid", "boundary", "scheme", "motion", "time", "run", "coupling", "turbulence"});
    for (const auto& [key, value] : root_) {
      const std::string word(key.str());
      const bool is_list = word == "boundary";
      check(is_list ? value.is_array_of_tables() : value.is_table(), "{}:{}: write {}", file_,
            value.source().begin.line, is_list ? "[[boundary]]" : "[" + word + "]");
    }
  }
  [[nodiscard]] Words operator()(std::string_view name,
                                 std::initializer_list<std::string_view> known) const {
    return {file_, std::string(name), root_[name].as_table(), known};
  }
  [[nodiscard]] const toml::array* boundaries() const { return root_["boundary"].as_array(); }
  [[nodiscard]] const std::string& file() const { return file_; }

 private:
  std::string file_;
  toml::table root_;
};

void read_flow(const Tables& tables, Case& to) {
  const Words flow = tables("flow", {"mach", "reynolds", "incidence", "gamma", "prandtl"});
  check(flow.has("mach"), "{}: [flow] needs \"mach\", the Mach number of the free stream",
        flow.place());
  to.mach = flow.number("mach", 0, 0, true);
  Gas& gas = to.physics.gas;
  gas.gamma = flow.number("gamma", gas.gamma, 1, true);
  gas.prandtl = flow.number("prandtl", gas.prandtl, 0, true);
  if (flow.has("reynolds")) {
    gas.viscosity = to.mach / flow.number("reynolds", 1, 0, true);
  }
  to.motion.mean = degree * flow.number("incidence", 0);
}

void read_grid(const Tables& tables, const std::filesystem::path& folder, Case& to) {
  const Words grid = tables(
      "grid", {"file", "shape", "cells", "blocks", "lengths-i", "lengths-j", "lengths-k", "size",
               "wave", "section", "radius", "first", "ahead", "edge", "tolerance", "partial"});
  check(grid.has("file") != grid.has("shape"),
        "{}: [grid] needs either \"file\", a PLOT3D grid, or \"shape\"", grid.place());
  to.grid.tolerance = grid.number("tolerance", to.grid.tolerance, 0, true);
  to.grid.is_partial = grid.flag("partial", to.grid.is_partial);
  if (grid.has("file")) {
    to.grid_file = folder / grid.text("file", "");
    return;
  }
  const std::vector<std::string> shapes{"box", "plate", "cylinder", "naca"};
  Shape& shape = to.shape;
  shape.kind = shapes[grid.choice("shape", "box", shapes)];
  shape.cells = grid.numbers("cells", shape.cells);
  shape.blocks = grid.numbers("blocks", shape.blocks);
  shape.lengths = {grid.counts("lengths-i"), grid.counts("lengths-j"), grid.counts("lengths-k")};
  shape.size = grid.numbers("size", shape.size);
  shape.wave = grid.number("wave", shape.wave);
  shape.section = grid.text("section", shape.section);
  shape.radius = grid.number("radius", shape.radius, 0.5, true);
  shape.first = grid.number("first", shape.first, 0, true);
  shape.ahead = grid.number("ahead", shape.ahead, 0, true);
  shape.edge = grid.number("edge", shape.edge, 0, true);
}

void read_boundaries(const Tables& tables, Case& to) {
  const toml::array* const all = tables.boundaries();
  const std::vector<std::string> kinds{"far-field", "outflow",  "no-slip",
                                       "slip",      "symmetry", "periodic"};
  constexpr std::array values{BoundaryKind::far_field, BoundaryKind::outflow, BoundaryKind::no_slip,
                              BoundaryKind::slip,      BoundaryKind::slip,    BoundaryKind::slip};
  for (std::size_t n = 0; all != nullptr && n < all->size(); ++n) {
    const Words words(tables.file(), "boundary", all->get(n)->as_table(),
                      {"name", "kind", "sides", "shift"});
    for (const std::string_view word : {"name", "kind", "sides"}) {
      check(words.has(word), "{}: [[boundary]] needs \"{}\"", words.place(), word);
    }
    const std::size_t kind = words.choice("kind", "", kinds);
    BoundaryNames names{{words.text("name", ""), values[kind]},
                        kinds[kind] == "periodic",
                        words.texts("sides"),
                        words.numbers("shift", Vector{}),
                        words.place("sides")};
    check(names.is_periodic == words.has("shift"),
          "{}: \"shift\" belongs to periodic boundaries, and they need it", words.place());
    to.grid.boundaries.push_back(std::move(names));
  }
}

void read_scheme(const Tables& tables, Case& to) {
  const Words scheme = tables(
      "scheme", {"cfl", "smoothing", "limiter", "low-speed", "levels", "cycle", "preconditioning"});
  to.scheme.cfl = scheme.number("cfl", to.scheme.cfl, 0, true);
  to.scheme.smoothing = scheme.number("smoothing", to.scheme.smoothing, 0, false);
  FluxSettings& flux = to.physics.flux;
  flux.limiter = scheme.choice("limiter", "van-albada", {"none", "van-albada"}) == 0
                     ? Limiter::none
                     : Limiter::van_albada;
  to.scheme.levels = scheme.count("levels", to.scheme.levels, 1);
  to.scheme.cycle = 1 + static_cast<int>(scheme.choice("cycle", "v", {"v", "w"}));
  flux.is_low_speed = scheme.flag("low-speed", flux.is_low_speed);
  to.is_preconditioned = scheme.flag("preconditioning", to.is_preconditioned);
}

void read_time(const Tables& tables, Case& to) {
  const Words motion =
      tables("motion", {"amplitude", "reduced-frequency", "pivot", "plunge", "phase"});
  to.motion.amplitude = degree * motion.number("amplitude", 0);
  to.motion.plunge = motion.number("plunge", 0);
  to.motion.phase = degree * motion.number("phase", 90);
  to.motion.frequency = 2 * to.mach * motion.number("reduced-frequency", 0, 0, false);
  to.grid.pivot = motion.numbers("pivot", to.grid.pivot);
  const Words time = tables("time", {"kind", "step", "steps-per-period", "steps", "harmonics"});
  to.time.kind = static_cast<TimeKind>(
      time.choice("kind", "steady", {"steady", "explicit", "dual", "harmonic"}));
  check(
      !to.is_preconditioned || to.time.kind != TimeKind::global,
      "{}: explicit steps are no pseudo time; leave out \"preconditioning\" of [scheme], or choose "
      "another \"kind\"",
      time.place("kind"));
  const bool marches = !to.coupling.is_on() && // else windows are steps
                       (to.time.kind == TimeKind::global || to.time.kind == TimeKind::dual);
  const double period = to.motion.frequency > 0 ? 2 * std::numbers::pi / to.motion.frequency : 0;
  if (marches) {
    check(time.has("step") != time.has("steps-per-period"),
          "{}: [time] needs either \"step\" or \"steps-per-period\"", time.place());
    check(time.has("step") || period > 0,
          "{}: \"steps-per-period\" needs a period: give [motion] its \"reduced-frequency\"",
          time.place("steps-per-period"));
    to.time.step = time.has("step") ? time.number("step", 0, 0, true)
                                    : period / time.count("steps-per-period", 1, 1);
    to.run.steps = time.count("steps", 0, 1);
    check(to.run.steps > 0, "{}: [time] needs \"steps\", their number", time.place());
  }
  check(to.time.kind != TimeKind::global || to.scheme.levels == 1,
        "{}: explicit steps have no \"levels\" of multigrid; choose another \"kind\", or take "
        "\"levels\" out of [scheme]",
        time.place("kind"));
  if (to.time.kind == TimeKind::harmonic) {
    to.time.harmonics = time.count("harmonics", 0, 1);
    to.time.frequency = to.motion.frequency;
    check(to.time.harmonics >= 1 && to.time.harmonics <= 8,
          "{}: [time] needs \"harmonics\", from 1 to 8", time.place("harmonics"));
    check(period > 0, "{}: harmonics need a period: give [motion] its \"reduced-frequency\"",
          time.place());
  }
  check(to.motion.is_at_rest() || to.time.kind != TimeKind::steady,
        "{}: a grid that moves has no steady flow; choose another \"kind\" in [time]",
        motion.place(to.motion.amplitude != 0 ? "amplitude" : "plunge"));
}

/// After the boundaries, before the time.
void read_coupling(const Tables& tables, const std::filesystem::path& folder, Case& to) {
  const Words words = tables("coupling", {"configuration", "participant", "boundary", "mesh",
                                          "force", "displacement", "density", "speed", "length"});
  if (!words.is_there()) {
    return;
  }
  for (const std::string_view word : {"configuration", "boundary"}) {
    check(words.has(word), "{}: [coupling] needs \"{}\"", words.place(), word);
  }
  CouplingSettings& coupling = to.coupling;
  coupling.configuration = folder / words.text("configuration", "");
  coupling.participant = words.text("participant", coupling.participant);
  coupling.mesh = words.text("mesh", coupling.mesh);
  coupling.force = words.text("force", coupling.force);
  coupling.displacement = words.text("displacement", coupling.displacement);
  coupling.density = words.number("density", coupling.density, 0, true);
  coupling.speed = words.number("speed", to.mach, 0, true);
  coupling.length = words.number("length", coupling.length, 0, true);
  std::vector<std::string> walls;
  std::vector<std::size_t> numbers;
  for (std::size_t n = 0; n < to.grid.boundaries.size(); ++n) {
    const BoundaryNames& names = to.grid.boundaries[n];
    if (!names.is_periodic && is_wall(names.boundary.kind)) {
      walls.push_back(names.boundary.name);
      numbers.push_back(n);
    }
  }
  coupling.boundary = numbers[words.choice("boundary", "", walls)];
}

/// After the time. The free stream of TMR's codes, https://turbmodels.larc.nasa.gov/sst.html, is
/// what is not given.
void read_turbulence(const Tables& tables, Case& to) {
  const Words words = tables("turbulence", {"model", "intensity", "viscosity-ratio", "prandtl"});
  if (!words.is_there()) {
    return;
  }
  check(words.has("model"), "{}: [turbulence] needs its \"model\": \"sst\"", words.place());
  static_cast<void>(words.choice("model", "", {"sst"}));
  Gas& gas = to.physics.gas;
  check(gas.viscosity > 0, "{}: turbulence needs viscosity; give [flow] its \"reynolds\"",
        words.place());
  check(to.time.kind != TimeKind::global,
        "{}: turbulence is computed with the kinds of time \"steady\", \"dual\" and \"harmonic\"; "
        "choose one of them in [time], or take [turbulence] out",
        words.place());
  gas.is_turbulent = true;
  gas.turbulent_prandtl = words.number("prandtl", gas.turbulent_prandtl, 0, true);
  const double speed = to.mach * words.number("intensity", 1, 0, true);
  to.turbulence.k = words.has("intensity") ? 1.5 * speed * speed : 9e-9;
  const double ratio = words.number("viscosity-ratio", 0.009, 0, true);
  to.turbulence.omega = to.turbulence.k / (ratio * gas.viscosity);
}

/// What a coupled run cannot have besides.
void check_coupled(const Tables& tables, const Case& from) {
  const Words time = tables("time", {"kind", "step", "steps-per-period", "steps", "harmonics"});
  check(from.time.kind == TimeKind::dual,
        "{}: a coupled flow is one in time: write kind = \"dual\"", time.place("kind"));
  for (const std::string_view word : {"step", "steps-per-period", "steps"}) {
    check(!time.has(word),
          "{}: \"{}\" of a coupled flow is what the configuration of the coupling says: each time "
          "window is a step",
          time.place(word), word);
  }
  check(from.motion.is_at_rest(), "{}: the partner moves the grid, [motion] cannot, too",
        tables("motion", {"amplitude", "reduced-frequency", "pivot", "plunge", "phase"})
            .place(from.motion.amplitude != 0 ? "amplitude" : "plunge"));
}

void read_run(const Tables& tables, Case& to) {
  const Words run =
      tables("run", {"iterations", "residual", "report", "output", "balance", "cut", "smallest",
                     "plot-every", "plot-by", "warm-up", "fewer-harmonics"});
  to.run.iterations = run.count("iterations", to.run.iterations, 1);
  to.run.warm_up = run.counts("warm-up");
  check(to.run.warm_up.empty() || to.time.kind == TimeKind::steady ||
            to.time.kind == TimeKind::harmonic,
        "{}: flows in time begin on their own grid; take \"warm-up\" out, or choose another "
        "\"kind\" in [time]",
        run.place("warm-up"));
  to.run.fewer_harmonics = run.counts("fewer-harmonics");
  const auto fewer = static_cast<int>(to.run.fewer_harmonics.size());
  check(
      fewer == 0 || fewer < to.time.harmonics,
      "{}: \"fewer-harmonics\" has iterations with 1, 2, … harmonics, up to {}, and this case has "
      "{}; make the list shorter",
      run.place("fewer-harmonics"), fewer, to.time.harmonics);
  to.run.residual = run.number("residual", to.run.residual, 0, true);
  to.run.report = run.count("report", to.run.report, 1);
  to.run.output = run.text("output", to.run.output.string());
  to.run.plots.every = run.count("plot-every", 0, 1);
  to.run.plots.way = static_cast<PlotWay>(
      run.choice("plot-by", "background",
                 {"background", "collective", "gathered", "rows", "blocks", "restructured"}));
  const std::vector<std::string> balances{"count",          "metis", "metis-halves",
                                          "metis-measured", "cells", "measured"};
  struct Balance {
    Dealing way;
    bool measures = false;
  };
  constexpr std::array meant{Balance{Dealing::count},        Balance{Dealing::metis},
                             Balance{Dealing::metis_halves}, Balance{Dealing::metis, true},
                             Balance{Dealing::even},         Balance{Dealing::even, true}};
  const Balance balance = meant[run.choice("balance", "cells", balances)];
  DealSettings& dealing = to.grid.dealing;
  dealing.way = balance.way;
  to.run.measures = balance.measures;
  dealing.cuts = run.flag("cut", dealing.cuts);
  dealing.least = run.count("smallest", dealing.least, dealing.unit);
}

} // namespace

Attitude Motion::at(double time) const {
  const double incidence = mean + amplitude * std::sin(frequency * time);
  const double speed = plunge * frequency * std::cos(frequency * time + phase);
  return {incidence,
          -amplitude * frequency * std::cos(frequency * time),
          {-speed * std::sin(incidence), speed * std::cos(incidence), 0}};
}

Case read_case(const std::filesystem::path& path) {
  const Tables tables(path.string(), solvers::parse(path));
  Case result;
  read_flow(tables, result);
  read_grid(tables, path.parent_path(), result);
  read_boundaries(tables, result);
  read_scheme(tables, result);
  read_coupling(tables, path.parent_path(), result);
  read_time(tables, result);
  read_turbulence(tables, result);
  if (result.coupling.is_on()) {
    check_coupled(tables, result);
  }
  read_run(tables, result);
  return result;
}

GridSource open_grid(const Case& from) {
  if (from.grid_file.extension() != ".cgns") {
    return from.grid_file.empty() ? make_shape(from.shape) : open_plot3d(from.grid_file);
  }
#ifdef ISTHMUS_WITH_VTKHDF
  return open_cgns(from.grid_file);
#else
  fail(
      "\"{}\" needs HDF5, which this program was built without: install libhdf5-openmpi-dev and "
      "build it again, or write the grid as PLOT3D",
      from.grid_file.string());
#endif
}

} // namespace isthmus::flow
