// SPDX-License-Identifier: BSD-3-Clause
#include "convection/program/history.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/exchange/owned_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace isthmus::convection {

History::History(const comm::Comm& comm, const Case& from, Equations& equations, std::FILE* lines)
    : comm_(comm),
      from_(from),
      equations_(equations),
      lines_(comm.is_root() ? lines : nullptr),
      num_nodes_(static_cast<double>(
          comm::allreduce(comm, GlobalIndex{equations.mesh().plan.num_owned()}, comm::Op::sum))) {
  if (lines_ != nullptr) {
    print_head();
  }
}

void History::print_head() const {
  fmt::print(
      lines_,
      "step,time,residual,newton,flow_gmres,heat_gmres,flow_change,heat_change,speed,seconds");
  for (const Condition& condition : from_.conditions) {
    fmt::print(lines_, ",heat_{}", condition.group);
  }
  fmt::print(lines_, "\n");
  if (!equations_.has_level()) {
    fmt::print(lines_, "the flow is enclosed: the mean pressure is made zero\n");
  }
}

double History::size(int width, std::span<const double> values,
                     std::span<const double> last) const {
  std::vector<double> sized(values.begin(), values.end());
  for (std::size_t n = 0; n < values.size(); ++n) {
    sized[n] = width == 4 && n % 4 == 3 ? 0 : values[n] - (last.empty() ? 0 : last[n]);
  }
  return std::sqrt(exchange::owned_dot(comm_, equations_.mesh().plan, width, sized, sized));
}

Change History::change_of(const State& state) const {
  const Steps& steps = equations_.steps();
  const double speed = size(4, state.values);
  const double warmth = size(1, state.temperature);
  Change change;
  change.flow = speed > 0 ? size(4, state.values, steps.of_flow().last()) / speed : 0;
  change.heat = warmth > 0 ? size(1, state.temperature, steps.of_heat().last()) / warmth : 0;
  change.speed = speed / std::sqrt(num_nodes_);
  change.from_rest = change.flow == 1 && size(4, steps.of_flow().last()) == 0; // the same on all
  return change;
}

void History::add(const State& state, const StepReport& report, const Change& change,
                  std::span<const double> heat, double seconds) const {
  if (lines_ == nullptr) {
    return;
  }
  fmt::print(lines_, "{},{:.9g},{:.3e},{},{},{},{:.3e},{:.3e},{:.9e},{:.4e}", state.steps,
             state.time, report.flow.first, report.flow.iterations, report.flow.linear_iterations,
             report.heat.iterations, change.flow, change.heat, change.speed, seconds);
  for (const double entering : heat) {
    fmt::print(lines_, ",{:.9g}", entering);
  }
  fmt::print(lines_, "\n");
  std::fflush(lines_);
}

} // namespace isthmus::convection
