// SPDX-License-Identifier: BSD-3-Clause
#include "convection/program/run.hpp"

#include "convection/numerics/steps.hpp"
#include "convection/program/output.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/base/reason.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/exchange/owned_nodes.hpp"

#include <fmt/format.h>

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
    check(is_named, "group \"{}\" of the mesh has no condition; add [[boundary]] with it",
          group.name);
  }
}

/// In [-1, 1), the same for an id wherever it is asked.
double noise_of(GlobalIndex id) {
  const auto number = static_cast<std::uint64_t>(id) + 1;
  std::uint64_t bits = number * 0x9E3779B97F4A7C15U;
  bits = (bits ^ (bits >> 30U)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27U)) * 0x94D049BB133111EBU;
  return static_cast<double>((bits ^ (bits >> 31U)) >> 11U) * 0x1p-52 - 1;
}

/// Collective.
Mesh make_mesh(const comm::Comm& comm, const Case& from) {
  Mesh mesh = from.mesh_file.empty() ? make_box(comm, from.box, from.narrowing)
                                     : open_gmsh(comm, from.mesh_file);
  renumber(mesh, from.nodes);
  return mesh;
}

class Run {
 public:
  Run(const comm::Comm& comm, const Case& from, std::FILE* lines)
      : comm_(comm),
        from_(from),
        lines_(comm.is_root() ? lines : nullptr),
        mesh_(make_mesh(comm, from)),
        edges_(make_edges(mesh_)),
        flow_(comm, mesh_, edges_, {from.sums, &exchange_}, from.preparation),
        heat_(comm, mesh_, edges_, {from.sums, &exchange_}),
        steps_(flow_, heat_, from.order, from.step),
        output_(comm, mesh_, from),
        num_nodes_(static_cast<double>(
            comm::allreduce(comm, GlobalIndex{mesh_.plan.num_owned()}, comm::Op::sum))) {
    comm::agree(comm, [this] { check_groups(mesh_, from_.conditions); });
    start();
    set_conditions();
    print_head();
  }

  void resume(const std::filesystem::path& path) {
    state_ = output_.resume(path);
    if (state_.step == from_.step && !state_.values_before.empty()) {
      steps_.of_flow().resume(std::move(state_.values_before), {});
      steps_.of_heat().resume(std::move(state_.heat_before), {});
    }
    set_conditions();
  }

  RunResult operator()() {
    output_.write(state_);
    const std::int64_t last = state_.steps + from_.steps;
    exchange_ = {};
    while (state_.steps < last && !result_.is_steady) {
      const double start = now();
      steps_.begin(state_.values, state_.temperature);
      const StepReport report = solve();
      end_step(report);
      result_.seconds += now() - start;
      output_.write(state_);
    }
    return finish();
  }

  /// The whole run as a participant.
  RunResult coupled() {
    Coupling coupling(comm_, from_.coupling, mesh_, from_.step);
    try {
      output_.write(state_);
      exchange_ = {};
      while (coupling.is_ongoing()) {
        const double start = now();
        steps_.begin(state_.values, state_.temperature);
        StepReport report;
        do {
          coupling.read(state_.temperature);
          report = solve();
        } while (coupling.advance(flux_));
        end_step(report);
        result_.seconds += now() - start;
        output_.write(state_);
      }
    } catch (...) {
      coupling.give_up(current_reason());
      throw;
    }
    return finish();
  }

 private:
  RunResult finish() {
    result_.exchange = exchange_;
    output_.finish(state_);
    result_.steps = static_cast<int>(state_.steps);
    result_.time = state_.time;
    result_.values = std::move(state_.values);
    result_.temperature = std::move(state_.temperature);
    return std::move(result_);
  }

  void start() {
    const std::size_t nodes = mesh_.tets.num_nodes();
    state_.values.assign(4 * nodes, 0);
    for (std::size_t n = 0; n < nodes; ++n) {
      double temperature =
          from_.start.temperature + from_.start.noise * noise_of(mesh_.tets.node_ids[n]);
      for (std::size_t c = 0; c < 3; ++c) {
        temperature += from_.start.gradient[c] * mesh_.tets.coords[3 * n + c];
      }
      state_.temperature.push_back(temperature);
    }
  }

  void set_conditions() {
    std::vector<char> held(state_.values.size(), 0);
    std::vector<char> hot(state_.temperature.size(), 0);
    result_.has_level = false;
    for (const Condition& condition : from_.conditions) {
      result_.has_level = result_.has_level || condition.is_open;
      for (const LocalIndex node : mesh_.group(condition.group).nodes) {
        const auto n = static_cast<std::size_t>(node);
        for (std::size_t c = 0; c < 3; ++c) {
          if (condition.holds[c]) {
            held[4 * n + c] = 1;
            state_.values[4 * n + c] = condition.velocity[c];
          }
        }
        if (condition.temperature) {
          hot[n] = 1;
          state_.temperature[n] = *condition.temperature;
        }
      }
    }
    flow_.set_fixed(std::move(held), result_.has_level);
    heat_.set_fixed(std::move(hot));
  }

  void print_head() {
    if (lines_ == nullptr) {
      return;
    }
    fmt::print(lines_,
               "step,time,residual,newton,flow_gmres,heat_gmres,flow_change,heat_change,speed");
    for (const Condition& condition : from_.conditions) {
      fmt::print(lines_, ",heat_{}", condition.group);
    }
    fmt::print(lines_, "\n");
    if (!result_.has_level) {
      fmt::print(lines_, "the flow is enclosed: the mean pressure is made zero\n");
    }
  }

  /// Collective. The root of the sum of the squares over all nodes, without those of pressures.
  [[nodiscard]] double size(int width, std::span<const double> values,
                            std::span<const double> last = {}) const {
    std::vector<double> sized(values.begin(), values.end());
    for (std::size_t n = 0; n < values.size(); ++n) {
      sized[n] = width == 4 && n % 4 == 3 ? 0 : values[n] - (last.empty() ? 0 : last[n]);
    }
    return std::sqrt(exchange::owned_dot(comm_, mesh_.plan, width, sized, sized));
  }

  /// Collective. Flow and heat at the end of the step, and what enters through the boundary.
  StepReport solve() {
    StepTerms terms{from_.viscosity, from_.diffusivity, from_.buoyancy};
    terms.corrections = from_.corrections;
    terms.heat_tolerance = from_.heat_tolerance;
    terms.captures = from_.captures;
    const StepReport report = steps_.solve(terms, from_.newton, state_.values, state_.temperature);
    flux_.resize(state_.temperature.size());
    heat_.flux({from_.diffusivity, steps_.velocity(), {}}, steps_.of_heat().derivative(),
               state_.temperature, flux_);
    return report;
  }

  void end_step(const StepReport& report) {
    ++state_.steps;
    state_.time += from_.step;
    state_.step = from_.step;
    keep_last();
    find_heat();
    print(report);
  }

  /// What steps of second order go on from.
  void keep_last() {
    if (from_.order == 2) {
      state_.values_before.assign(steps_.of_flow().last().begin(), steps_.of_flow().last().end());
      state_.heat_before.assign(steps_.of_heat().last().begin(), steps_.of_heat().last().end());
    }
  }

  /// Collective. Whether that was the last step, and its line.
  void print(const StepReport& report) {
    const double speed = size(4, state_.values);
    const double heat = size(1, state_.temperature);
    const double of_flow = speed > 0 ? size(4, state_.values, steps_.of_flow().last()) / speed : 0;
    const double of_heat =
        heat > 0 ? size(1, state_.temperature, steps_.of_heat().last()) / heat : 0;
    result_.is_steady = std::max(of_flow, of_heat) < from_.steady;
    if (lines_ == nullptr) {
      return;
    }
    fmt::print(lines_, "{},{:.9g},{:.3e},{},{},{},{:.3e},{:.3e},{:.9e}", state_.steps, state_.time,
               report.flow.first, report.flow.iterations, report.flow.linear_iterations,
               report.heat.iterations, of_flow, of_heat, speed / std::sqrt(num_nodes_));
    for (const double entering : result_.heat) {
      fmt::print(lines_, ",{:.9g}", entering);
    }
    fmt::print(lines_, "\n");
    std::fflush(lines_);
  }

  void find_heat() {
    result_.heat.clear();
    for (const Condition& condition : from_.conditions) {
      std::vector<double> inside(flux_.size(), 0);
      if (condition.temperature) {
        for (const LocalIndex node : mesh_.group(condition.group).nodes) {
          inside[static_cast<std::size_t>(node)] = 1;
        }
      }
      result_.heat.push_back(exchange::owned_dot(comm_, mesh_.plan, 1, flux_, inside));
    }
  }

  const comm::Comm& comm_;
  const Case& from_;
  std::FILE* lines_; // on rank 0
  Mesh mesh_;
  Edges edges_;
  SumTime exchange_;
  Flow flow_;
  Heat heat_;
  Steps steps_;
  Output output_;
  double num_nodes_; // of all ranks
  State state_;
  std::vector<double> flux_; // heat that enters through each held node
  RunResult result_;
};

} // namespace

RunResult run(const comm::Comm& comm, const Case& from, const std::filesystem::path& restart,
              std::FILE* lines) {
  Run work(comm, from, lines);
  if (!restart.empty()) {
    work.resume(restart);
  }
  return from.coupling.is_on() ? work.coupled() : work();
}

} // namespace isthmus::convection
