// SPDX-License-Identifier: BSD-3-Clause
#include "convection/program/equations.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/hash.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/exchange/owned_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace isthmus::convection {

namespace {

void check_groups(const Mesh& mesh, const std::vector<Condition>& conditions) {
  for (const Condition& condition : conditions) {
    try {
      static_cast<void>(mesh.group(condition.group));
    } catch (const Error& error) {
      fail("{}: {}", condition.place, error.what());
    }
  }
  for (const Group& group : mesh.groups) {
    const bool is_named = std::any_of(conditions.begin(), conditions.end(),
                                      [&group](const auto& c) { return c.group == group.name; });
    check(is_named, "group \"{}\" of the mesh{} has no condition; add [[boundary]] with it",
          group.name,
          group.name == others_name ? ", its outer faces that no physical surface has," : "");
  }
}

double noise_at(GlobalIndex id, int seed) {
  return noise_of(static_cast<std::uint64_t>(id) + 1 + (static_cast<std::uint64_t>(seed) << 40U));
}

/// Of the temperatures that groups hold, or that of the start where none does.
double mean_of_held(const Case& from) {
  double sum = 0;
  int count = 0;
  for (const Condition& condition : from.conditions) {
    sum += condition.temperature.value_or(0);
    count += condition.temperature ? 1 : 0;
  }
  return count > 0 ? sum / count : from.start.temperature;
}

/// Collective.
Mesh make_mesh(const comm::Comm& comm, const MeshCase& from) {
  Mesh mesh =
      from.file.empty() ? make_box(comm, from.box, from.narrowing) : open_gmsh(comm, from.file);
  renumber(mesh, from.order);
  return mesh;
}

} // namespace

Equations::Equations(const comm::Comm& comm, const Case& from)
    : comm_(comm),
      from_(from),
      mesh_(make_mesh(comm, from.mesh)),
      edges_(make_edges(mesh_)),
      flow_(comm, mesh_, edges_, {from.mesh.sums, &exchange_, from.solver.overlap},
            from.solver.preparation),
      heat_(comm, mesh_, edges_, {from.mesh.sums, &exchange_}),
      steps_(flow_, heat_, from.time.order, from.time.step) {
  comm::agree(comm, [this] {
    check_groups(mesh_, from_.conditions);
    if (from_.solid) {
      mark_solid(mesh_, from_.solid->below, edges_);
    }
  });
  find_solid();
}

void Equations::find_solid() {
  std::vector<double> solid(mesh_.tets.num_nodes(), 0);
  std::vector<double> fluid = solid;
  for (const Element& e : edges_.elements) {
    for (const std::size_t node : e.nodes) {
      (e.is_solid ? solid : fluid)[node] += 1;
    }
  }
  exchange::InterfaceSum sum(comm_, mesh_.plan, 1);
  sum(solid);
  sum(fluid);
  for (std::size_t n = 0; n < solid.size(); ++n) {
    in_solid_.push_back(fluid[n] == 0 ? 2 : solid[n] > 0 ? 1 : 0);
  }
}

State Equations::start() {
  State state;
  state.step = from_.time.step;
  const std::size_t nodes = mesh_.tets.num_nodes();
  const Start& start = from_.start;
  state.values.assign(4 * nodes, 0);
  for (std::size_t n = 0; n < nodes; ++n) {
    double temperature =
        start.temperature + start.noise * noise_at(mesh_.tets.node_ids[n], start.seed);
    double phase = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      temperature += start.gradient[c] * mesh_.tets.coords[3 * n + c];
      phase += start.wave[c] * mesh_.tets.coords[3 * n + c];
    }
    state.temperature.push_back(temperature + start.swell * std::cos(phase));
  }
  hold(state);
  return state;
}

void Equations::hold(State& state) {
  std::vector<char> held(state.values.size(), 0);
  std::vector<char> hot(state.temperature.size(), 0);
  has_level_ = false;
  for (const Condition& condition : from_.conditions) {
    has_level_ = has_level_ || condition.is_open;
    for (const LocalIndex node : mesh_.group(condition.group).nodes) {
      const auto n = static_cast<std::size_t>(node);
      for (std::size_t c = 0; c < 3; ++c) {
        if (condition.holds[c]) {
          held[4 * n + c] = 1;
          state.values[4 * n + c] = condition.velocity[c];
        }
      }
      if (condition.temperature) {
        hot[n] = 1;
        state.temperature[n] = *condition.temperature;
      }
    }
  }
  for (std::size_t n = 0; n < in_solid_.size(); ++n) {
    const std::size_t at_rest = in_solid_[n] == 0 ? 0 : in_solid_[n] == 1 ? 3 : 4; // no pressure
    std::fill_n(held.begin() + static_cast<std::ptrdiff_t>(4 * n), at_rest, 1);
    std::fill_n(state.values.begin() + static_cast<std::ptrdiff_t>(4 * n), at_rest, 0);
  }
  flow_.set_fixed(std::move(held), has_level_);
  heat_.set_fixed(std::move(hot));
}

void Equations::resume(State& state) {
  if (!state.values_before.empty()) {
    steps_.of_flow().resume(std::move(state.values_before), state.step);
    steps_.of_heat().resume(std::move(state.heat_before), state.step);
  }
  hold(state);
}

void Equations::begin(State& state, double step) {
  state.step = step;
  steps_.begin(state.values, state.temperature, step);
}

void Equations::repeat(State& state, double step) {
  state.step = step;
  steps_.repeat(step);
}

StepTerms Equations::terms() const {
  StepTerms terms{from_.fluid.viscosity, from_.fluid.diffusivity, from_.fluid.buoyancy};
  terms.corrections = from_.time.corrections;
  terms.heat_tolerance = from_.solver.heat_tolerance;
  terms.captures = from_.solver.captures;
  terms.solid = from_.solid ? from_.solid->solid : Solid{};
  terms.reference = mean_of_held(from_);
  return terms;
}

StepReport Equations::solve(State& state) {
  return steps_.solve(terms(), from_.solver.newton, state.values, state.temperature);
}

void Equations::end(State& state) const {
  ++state.steps;
  state.time += state.step;
  if (from_.time.order == 2) {
    const Steps& steps = steps_;
    state.values_before.assign(steps.of_flow().last().begin(), steps.of_flow().last().end());
    state.heat_before.assign(steps.of_heat().last().begin(), steps.of_heat().last().end());
  }
}

std::span<const double> Equations::flux(const State& state) {
  on_nodes_.resize(state.temperature.size());
  steps_.flux(terms(), state.temperature, on_nodes_);
  return on_nodes_;
}

std::span<const double> Equations::force(const State& state) {
  on_nodes_.resize(3 * state.temperature.size());
  steps_.force(terms(), state.values, on_nodes_);
  return on_nodes_;
}

std::vector<double> Equations::heat_of_conditions(const State& state) {
  const std::span<const double> entering = flux(state);
  std::vector<double> result;
  for (const Condition& condition : from_.conditions) {
    std::vector<double> inside(entering.size(), 0);
    if (condition.temperature) {
      for (const LocalIndex node : mesh_.group(condition.group).nodes) {
        inside[static_cast<std::size_t>(node)] = 1;
      }
    }
    result.push_back(exchange::owned_dot(comm_, mesh_.plan, 1, entering, inside));
  }
  return result;
}

} // namespace isthmus::convection
