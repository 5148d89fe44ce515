// SPDX-License-Identifier: BSD-3-Clause
#include "convection/program/case.hpp"

#include "case_file/toml.hpp"
#include "case_file/words.hpp"
#include "isthmus/base/error.hpp"

#include <algorithm>

namespace isthmus::convection {

using solvers::Words;

namespace {

void read_mesh(const Words& words, const std::filesystem::path& folder, MeshCase& to) {
  check(words.has("file") != words.has("cells"),
        "{}: [mesh] needs either \"file\", a mesh of Gmsh, or \"cells\" of a box", words.place());
  if (words.has("file")) {
    to.file = folder / words.text("file", "");
  }
  to.box.lengths = words.numbers("box", to.box.lengths);
  if (words.has("cells")) {
    const std::vector<int> cells = words.counts("cells");
    check(cells.size() == 3, "{}: \"cells\" of [mesh] must be three", words.place("cells"));
    std::copy(cells.begin(), cells.end(), to.box.cells.begin());
  }
  to.narrowing = words.numbers("narrowing", to.narrowing);
  to.box.tets_per_cell = words.count("tetrahedra-per-cell", to.box.tets_per_cell, 5);
  const std::vector<exchange::SumStrategy> ways{
      exchange::SumStrategy::automatic,     exchange::SumStrategy::allreduce,
      exchange::SumStrategy::allgather,     exchange::SumStrategy::two_stage,
      exchange::SumStrategy::shared_memory, exchange::SumStrategy::one_round};
  to.sums = ways[words.choice(
      "sums", "automatic",
      {"automatic", "allreduce", "allgather", "two-stage", "shared-memory", "one-round"})];
  const std::vector<NodeOrder> orders{NodeOrder::given, NodeOrder::reverse_cuthill_mckee,
                                      NodeOrder::hilbert, NodeOrder::levels_along_hilbert};
  to.order = orders[words.choice(
      "order", "given", {"given", "reverse-cuthill-mckee", "hilbert", "levels-along-hilbert"})];
}

void read_fluid(const Words& words, FluidCase& to) {
  check(words.has("rayleigh") == words.has("prandtl"),
        "{}: \"rayleigh\" and \"prandtl\" of [fluid] come together", words.place());
  if (words.has("rayleigh")) { // in units of the height, its diffusion, and the difference
    to.viscosity = words.number("prandtl", 1, 0, true);
    to.buoyancy = {0, 0, words.number("rayleigh", 0, 0, false) * to.viscosity};
  }
  to.viscosity = words.number("viscosity", to.viscosity, 0, true);
  to.diffusivity = words.number("diffusivity", to.diffusivity, 0, true);
  to.buoyancy = words.numbers("buoyancy", to.buoyancy);
}

void read_solid(const Words& words, Case& to) {
  if (!words.is_there()) {
    return;
  }
  check(words.has("below"), "{}: [solid] needs \"below\", the height of its upper side along z",
        words.place());
  SolidCase& solid = to.solid.emplace();
  solid.below = words.number("below", 0);
  solid.solid.conductivity = words.number("conductivity", to.fluid.diffusivity, 0, true);
  solid.solid.capacity = words.number("capacity", 1, 0, true);
}

Condition read_condition(const Words& words) {
  Condition result;
  result.place = words.place();
  result.group = words.text("group", "");
  check(!result.group.empty(), "{}: [[boundary]] needs \"group\"", result.place);
  const std::size_t kind =
      words.choice("kind", "wall", {"wall", "velocity", "slip-x", "slip-y", "slip-z", "open"});
  constexpr std::size_t first_slip = 2;
  constexpr std::size_t open = 5;
  result.is_open = kind == open;
  for (std::size_t c = 0; c < 3; ++c) {
    result.holds[c] = kind < first_slip || kind == first_slip + c;
  }
  if (kind == 1) {
    check(words.has("velocity"), "{}: a boundary of kind \"velocity\" needs \"velocity\"",
          result.place);
    result.velocity = words.numbers("velocity", result.velocity);
  }
  if (words.has("temperature")) {
    result.temperature = words.number("temperature", 0);
  }
  return result;
}

void read_time(const Words& words, TimeCase& to) {
  to.step = words.number("step", to.step, 0, true);
  to.steps = words.count("steps", to.steps, 1);
  to.steady = words.number("steady", to.steady, 0, false);
  to.order = words.count("order", to.order, 1);
  check(to.order <= 2, "{}: \"order\" of [time] must be 1 or 2", words.place("order"));
  to.corrections = words.count("corrections", to.corrections, 1);
  constexpr double range = 1000; // of the lengths of adaptive steps
  to.adaptive.change = words.number("adaptive", 0, 0, false);
  to.adaptive.shortest = words.number("shortest", to.step / range, 0, true);
  to.adaptive.longest = words.number("longest", to.step * range, 0, true);
  check(
      to.adaptive.shortest <= to.step && to.step <= to.adaptive.longest,
      "{}: \"step\" of [time], {:g}, is the first of adaptive steps and lies between \"shortest\", "
      "{:g}, and \"longest\", {:g}",
      words.place("step"), to.step, to.adaptive.shortest, to.adaptive.longest);
}

void read_solver(const Words& words, SolverCase& to) {
  const std::vector<Preparation> all{Preparation::blocks, Preparation::schwarz,
                                     Preparation::multigrid};
  to.preparation =
      all[words.choice("preconditioner", "multigrid", {"blocks", "schwarz", "multigrid"})];
  to.newton.relative = words.number("residual", to.newton.relative, 0, true);
  to.newton.max_iterations = words.count("iterations", to.newton.max_iterations, 1);
  to.captures = words.flag("discontinuity-capturing", false);
  to.heat_tolerance = words.number("heat-residual", to.heat_tolerance, 0, true);
  const std::vector<ProductOverlap> ways{ProductOverlap::always, ProductOverlap::never,
                                         ProductOverlap::alternating};
  to.overlap = ways[words.choice("overlap", "always", {"always", "never", "alternating"})];
}

void read_start(const Words& words, Start& to) {
  to.temperature = words.number("temperature", 0);
  to.gradient = words.numbers("gradient", to.gradient);
  to.noise = words.number("noise", 0, 0, false);
  to.seed = words.count("seed", 0, 0);
  to.swell = words.number("swell", 0, 0, false);
  to.wave = words.numbers("wave", to.wave);
}

void read_coupling(const Words& words, const std::filesystem::path& folder, Case& to) {
  if (!words.is_there()) {
    return;
  }
  for (const char* word : {"configuration", "group"}) {
    check(words.has(word), "{}: [coupling] needs \"{}\"", words.place(), word);
  }
  check(to.time.adaptive.change == 0,
        "{}: steps of a coupled run are its windows: leave \"adaptive\" of [time] out",
        words.place());
  CouplingSettings& coupling = to.coupling;
  coupling.configuration = folder / words.text("configuration", "");
  coupling.participant = words.text("participant", coupling.participant);
  coupling.mesh = words.text("mesh", coupling.mesh);
  coupling.is_of_motion = words.choice("exchanges", "heat", {"heat", "motion"}) == 1;
  coupling.written =
      coupling.is_of_motion ? words.text("force", "Force") : words.text("heat", "Heat");
  coupling.read = coupling.is_of_motion ? words.text("displacement", "Displacement")
                                        : words.text("temperature", "Temperature");
  coupling.group = words.text("group", "");
  const auto fits = [&coupling](const Condition& of) {
    const bool is_wall = of.holds[0] && of.holds[1] && of.holds[2];
    return of.group == coupling.group &&
           (coupling.is_of_motion ? is_wall : of.temperature.has_value());
  };
  check(
      std::any_of(to.conditions.begin(), to.conditions.end(), fits),
      "{}: the group \"{}\" of [coupling] needs a [[boundary]] {}", words.place("group"),
      coupling.group,
      coupling.is_of_motion ? "of the kind \"wall\"" : "with the temperature that it begins with");
}

} // namespace

Case read_case(const std::filesystem::path& path) {
  const std::string file = path.string();
  const toml::table root = solvers::parse(path);
  solvers::check_tables(
      file, root,
      {"mesh", "fluid", "solid", "boundary", "start", "time", "solver", "output", "coupling"});
  Case result;
  read_mesh({file,
             "mesh",
             root["mesh"].as_table(),
             {"file", "box", "cells", "narrowing", "tetrahedra-per-cell", "sums", "order"}},
            path.parent_path(), result.mesh);
  read_fluid({file,
              "fluid",
              root["fluid"].as_table(),
              {"rayleigh", "prandtl", "viscosity", "diffusivity", "buoyancy"}},
             result.fluid);
  read_solid({file, "solid", root["solid"].as_table(), {"below", "conductivity", "capacity"}},
             result);
  const toml::array* const all = root["boundary"].as_array();
  for (std::size_t n = 0; all != nullptr && n < all->size(); ++n) {
    result.conditions.push_back(read_condition(
        {file, "boundary", all->get(n)->as_table(), {"group", "kind", "velocity", "temperature"}}));
  }
  read_time(
      {file,
       "time",
       root["time"].as_table(),
       {"step", "steps", "order", "steady", "corrections", "adaptive", "shortest", "longest"}},
      result.time);
  read_solver({file,
               "solver",
               root["solver"].as_table(),
               {"preconditioner", "residual", "iterations", "heat-residual",
                "discontinuity-capturing", "overlap"}},
              result.solver);
  read_start({file,
              "start",
              root["start"].as_table(),
              {"temperature", "gradient", "noise", "seed", "swell", "wave"}},
             result.start);
  const Words output(file, "output", root["output"].as_table(), {"folder", "every"});
  if (output.has("folder")) {
    result.output.folder = path.parent_path() / output.text("folder", "");
  }
  result.output.every = output.number("every", 0, 0, false);
  read_coupling({file,
                 "coupling",
                 root["coupling"].as_table(),
                 {"configuration", "group", "participant", "mesh", "exchanges", "heat",
                  "temperature", "force", "displacement"}},
                path.parent_path(), result);
  return result;
}

} // namespace isthmus::convection
