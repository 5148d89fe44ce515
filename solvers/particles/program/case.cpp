// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/case.hpp"

#include "case_file/toml.hpp"
#include "case_file/words.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/grammar/suggest.hpp"

#include <algorithm>

namespace isthmus::mps {

using solvers::Words;

namespace {

void check_box(const Box& box, int dimensions) {
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
    check(box.lower[d] < box.upper[d], "{}: \"upper\" {} is not above \"lower\" {}", box.place,
          box.upper[d], box.lower[d]);
  }
}

Box read_box(const Words& words, int dimensions) {
  Box box;
  box.place = words.place();
  box.lower = words.numbers("lower", box.lower);
  box.upper = words.numbers("upper", box.upper);
  check_box(box, dimensions);
  return box;
}

Tank read_tank(const Words& words, int dimensions) {
  Tank tank{read_box(words, dimensions)};
  const std::vector<std::string> none, sides{"left", "right", "bottom", "top", "front", "back"};
  for (const std::string& side : words.has("open") ? words.texts("open") : none) {
    const auto at = std::find(sides.begin(), sides.end(), side);
    check(at != sides.end(), "{}: the tank has no side \"{}\"{}", words.place("open"), side,
          grammar::suggestion(side, sides));
    const auto n = static_cast<std::size_t>(at - sides.begin());
    tank.is_open[n / 2][n % 2] = true;
  }
  tank.deletes_outside = words.choice("outside", "error", {"error", "delete"}) == 1;
  tank.has_planes = words.choice("sides", "planes", {"planes", "particles"}) == 0;
  return tank;
}

/// Calls f for each table of that name.
template <typename F>
void for_each(const std::string& file, const toml::table& root, std::string_view name,
              std::initializer_list<std::string_view> known, F&& f) {
  const toml::array* const all = root[name].as_array();
  for (std::size_t n = 0; all != nullptr && n < all->size(); ++n) {
    f(Words(file, std::string(name), all->get(n)->as_table(), known));
  }
}

Water read_water(const Words& words, int dimensions) {
  Water water{read_box(words, dimensions)};
  water.velocity = words.numbers("velocity", water.velocity);
  water.vortex = words.number("vortex", 0);
  water.disturbance = words.number("disturbance", 0, 0, false);
  water.is_round = words.flag("round", false);
  check(water.disturbance < 0.5, "{}: particles that are {} spacings off the lattice may meet",
        words.place("disturbance"), water.disturbance);
  return water;
}

Obstacle read_obstacle(const Words& words, const Case& to) {
  Obstacle obstacle{read_box(words, to.dimensions)};
  for (std::size_t d = 0; d < static_cast<std::size_t>(to.dimensions); ++d) {
    const double thick = (obstacle.upper[d] - obstacle.lower[d]) / to.spacing;
    check(thick > 2.9,
          "{}: the obstacle is {:.3g} spacings thick in direction {}; it needs 3, or one side "
          "feels the "
          "other",
          obstacle.place, thick, d + 1);
  }
  obstacle.velocity = words.numbers("velocity", obstacle.velocity);
  obstacle.amplitude = words.numbers("amplitude", obstacle.amplitude);
  obstacle.frequency = words.number("frequency", 0, 0, false);
  check(obstacle.amplitude == Vector{} || obstacle.frequency > 0,
        "{}: an obstacle that swings by an \"amplitude\" needs a \"frequency\"",
        words.place("amplitude"));
  obstacle.is_coupled = words.flag("coupled", false);
  return obstacle;
}

Inflow read_inflow(const Words& words, const Case& to) {
  Inflow inflow;
  inflow.place = words.place();
  inflow.lower = words.numbers("lower", inflow.lower);
  inflow.upper = words.numbers("upper", inflow.upper);
  bool is_on_a_side = false;
  for (std::size_t d = 0; d < static_cast<std::size_t>(to.dimensions); ++d) {
    const double at = inflow.lower[d];
    if (at == inflow.upper[d] && (at == to.tank.lower[d] || at == to.tank.upper[d])) {
      is_on_a_side = true;
      inflow.direction = d;
      inflow.sign = at == to.tank.lower[d] ? 1 : -1;
      check(!to.tank.is_open[d][at == to.tank.lower[d] ? 0 : 1],
            "{}: fluid comes in through a wall, and that side of the tank is open", inflow.place);
    }
  }
  check(is_on_a_side,
        "{}: an [[inflow]] is a part of a side of the tank: in one direction \"lower\" and "
        "\"upper\" are both where that side is",
        inflow.place);
  inflow.speed = words.number("speed", 0, 0, true);
  return inflow;
}

void read_coupling(const Words& words, const std::filesystem::path& folder, Case& to) {
  if (!words.is_there()) {
    return;
  }
  CouplingSettings& coupling = to.coupling;
  check(words.has("configuration"), "{}: [coupling] needs \"configuration\"", words.place());
  coupling.configuration = folder / words.text("configuration", "");
  coupling.participant = words.text("participant", coupling.participant);
  coupling.walls = words.text("walls-mesh", coupling.walls);
  coupling.wet = words.text("wet-mesh", coupling.wet);
  coupling.force = words.text("force", coupling.force);
  coupling.displacement = words.text("displacement", coupling.displacement);
  coupling.depth = words.number("depth", coupling.depth, 0, true);
}

/// What fills the tank, and what is measured in it.
void read_content(const std::string& file, const toml::table& root, Case& to) {
  for_each(file, root, "water", {"lower", "upper", "velocity", "vortex", "disturbance", "round"},
           [&to](const Words& words) { to.waters.push_back(read_water(words, to.dimensions)); });
  for_each(file, root, "inflow", {"lower", "upper", "speed"},
           [&to](const Words& words) { to.tank.inflows.push_back(read_inflow(words, to)); });
  check(!to.waters.empty() || !to.tank.inflows.empty(),
        "{}: there is no [[water]] and no [[inflow]]", file);
  const auto is_closed = [](const std::array<bool, 2>& sides) { return !sides[0] && !sides[1]; };
  check(to.tank.inflows.empty() ||
            !std::all_of(to.tank.is_open.begin(), to.tank.is_open.end(), is_closed),
        "{}: what comes in through an [[inflow]] fills a tank without an open side", file);
  for_each(file, root, "obstacle",
           {"lower", "upper", "velocity", "amplitude", "frequency", "coupled"},
           [&to](const Words& words) { to.tank.obstacles.push_back(read_obstacle(words, to)); });
  for_each(file, root, "gauge", {"lower", "upper"}, [&to](const Words& words) {
    Box gauge;
    gauge.place = words.place();
    gauge.lower = words.numbers("lower", gauge.lower);
    gauge.upper = words.numbers("upper", gauge.upper);
    to.tank.gauges.push_back(gauge);
  });
}

void read_scheme(const Words& words, SchemeCase& to) {
  to.is_explicit = words.choice("method", "semi-implicit", {"semi-implicit", "explicit"}) == 1;
  to.speed_of_sound = words.number("speed-of-sound", 0, 0, false);
  Projection::Settings& projection = to.projection;
  projection.density_part = words.number("density-part", projection.density_part, 0, false);
  projection.shift = words.number("shift", projection.shift, 0, false);
  projection.damping = words.number("damping", projection.damping, 0, false);
  check(projection.damping <= 1, "{}: \"damping\" is at most 1", words.place("damping"));
  projection.relative = words.number("tolerance", projection.relative, 0, true);
}

void read_time(const Words& words, TimeCase& to) {
  to.end = words.number("end", to.end, 0, true);
  to.most_steps = words.count("steps", to.most_steps, 1);
  to.largest_step = words.number("step", to.largest_step, 0, true);
  to.courant = words.number("courant", to.courant, 0, true);
  check(to.courant <= 1,
        "{}: particles that go {} spacings in a step pass their neighbours; \"courant\" is at most "
        "1",
        words.place("courant"), to.courant);
}

void read_domains(const Words& words, DomainsCase& to) {
  using comm::Discovery;
  constexpr Discovery ways[] = {Discovery::remembered,  Discovery::all_to_all, Discovery::put_fence,
                                Discovery::put_passive, Discovery::consensus,  Discovery::routed};
  to.discovery = ways[words.choice(
      "discovery", "payload",
      {"payload", "all-to-all", "put-fence", "put-passive", "consensus", "routed"})];
  to.measures = words.choice("balance", "measured", {"measured", "counted"}) == 0;
  to.every = words.count("balance-every", to.every, 1);
}

OutputCase read_output(const Words& words, const std::filesystem::path& folder) {
  OutputCase result;
  if (words.has("folder")) {
    result.folder = folder / words.text("folder", "");
  }
  if (words.has("trace")) {
    result.trace = folder / words.text("trace", "");
  }
  result.every = words.number("every", 0, 0, false);
  result.restart_every = words.number("restart-every", 0, 0, false);
  return result;
}

} // namespace

std::vector<Plane> Tank::planes(int dimensions) const {
  std::vector<Plane> result;
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions) && has_planes; ++d) {
    for (const double inward : {1.0, -1.0}) {
      const bool has_inflow = std::any_of(
          inflows.begin(), inflows.end(),
          [&](const Inflow& inflow) { return inflow.direction == d && inflow.sign == inward; });
      if (!is_open[d][inward > 0 ? 0 : 1] && !has_inflow) {
        result.push_back({d, inward > 0 ? lower[d] : upper[d], inward});
      }
    }
  }
  return result;
}

Case read_case(const std::filesystem::path& path) {
  const std::string file = path.string();
  const toml::table root = solvers::parse(path);
  solvers::check_tables(file, root,
                        {"particles", "liquid", "tank", "water", "obstacle", "inflow", "coupling",
                         "gauge", "time", "output"});
  Case result;
  const Words particles(file, "particles", root["particles"].as_table(),
                        {"dimensions", "spacing", "radius"});
  result.dimensions = particles.choice("dimensions", "2d", {"2d", "3d"}) == 0 ? 2 : 3;
  result.spacing = particles.number("spacing", result.spacing, 0, true);
  result.radius = particles.number("radius", result.dimensions == 2 ? 3.1 : 2.1, 1, true);
  const Words liquid(file, "liquid", root["liquid"].as_table(),
                     {"density", "viscosity", "tension", "gravity", "walls"});
  result.liquid.density = liquid.number("density", result.liquid.density, 0, true);
  result.liquid.viscosity = liquid.number("viscosity", result.liquid.viscosity, 0, false);
  result.liquid.tension = liquid.number("tension", result.liquid.tension, 0, false);
  result.liquid.gravity = liquid.numbers("gravity", result.liquid.gravity);
  result.liquid.slips = liquid.choice("walls", "slip", {"slip", "stick"}) == 0;
  result.tank = read_tank(
      {file, "tank", root["tank"].as_table(), {"lower", "upper", "open", "outside", "sides"}},
      result.dimensions);
  read_content(file, root, result);
  const Words time(file, "time", root["time"].as_table(),
                   {"method", "speed-of-sound", "density-part", "shift", "damping", "tolerance",
                    "end", "steps", "step", "courant", "balance", "balance-every", "discovery"});
  read_scheme(time, result.scheme);
  check(!result.scheme.is_explicit || result.liquid.tension == 0,
        "{}: the explicit form has no surface tension; take method = \"semi-implicit\" in [time]",
        liquid.place("tension"));
  read_time(time, result.time);
  read_domains(time, result.domains);
  read_coupling({file,
                 "coupling",
                 root["coupling"].as_table(),
                 {"configuration", "participant", "walls-mesh", "wet-mesh", "force", "displacement",
                  "depth"}},
                path.parent_path(), result);
  result.output = read_output(
      {file, "output", root["output"].as_table(), {"folder", "every", "restart-every", "trace"}},
      path.parent_path());
  return result;
}

} // namespace isthmus::mps
