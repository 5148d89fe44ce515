// SPDX-License-Identifier: BSD-3-Clause
// isthmus-particles CASE [--restart FILE]: solves a case on the ranks it was started with.
#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/program.hpp"
#include "particles/program/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace isthmus;

/// Collective. What finding receivers and sending particles took: median over steps of the slowest
/// rank.
void print_costs(const comm::Comm& comm, const mps::RunResult& result) {
  std::vector<double> slowest = result.migrations;
  comm::allreduce(comm, std::span<double>(slowest), comm::Op::max);
  std::array<std::int64_t, 2> sums{result.traffic.messages, result.traffic.bytes};
  comm::allreduce(comm, std::span<std::int64_t>(sums), comm::Op::sum);
  if (!comm.is_root() || slowest.empty()) {
    return;
  }
  const std::size_t steps = slowest.size();
  std::nth_element(slowest.begin(), slowest.begin() + static_cast<std::ptrdiff_t>(steps / 2),
                   slowest.end());
  fmt::print("{:.4g} s per step; migrations {:.4g} s, {:.1f} messages, {:.0f} bytes each\n",
             result.seconds / static_cast<double>(steps), slowest[steps / 2],
             static_cast<double>(sums[0]) / static_cast<double>(steps),
             static_cast<double>(sums[1]) / static_cast<double>(steps));
}

void execute(const comm::Comm& comm, const std::vector<std::string>& words) {
  check(words.size() == 1 || (words.size() == 3 && words[1] == "--restart"),
        "usage: isthmus-particles CASE [--restart FILE]");
  std::optional<mps::Case> from;
  comm::agree(comm, [&] { from = mps::read_case(words[0]); });
  const mps::RunResult result =
      mps::run(comm, *from, stdout, words.size() == 3 ? words[2] : std::string());
  print_costs(comm, result);
  const std::int64_t poured = comm::allreduce(comm, result.num_poured, comm::Op::sum);
  if (comm.is_root() && !from->tank.inflows.empty()) {
    fmt::print("{} particles came in\n", poured);
  }
  if (comm.is_root()) {
    fmt::print("ended after {} steps with {} particles of fluid; {} left the tank\n", result.steps,
               result.num_fluid, result.num_lost);
  }
}

} // namespace

int main(int argc, char** argv) {
  return isthmus::comm::run_program(argc, argv, execute);
}
