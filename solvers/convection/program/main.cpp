// SPDX-License-Identifier: BSD-3-Clause
// isthmus-convection CASE [--restart FILE]: solves a case on the ranks it was started with.
#include "convection/program/run.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace isthmus;

/// Zero of none.
double middle_of(std::vector<double> times) {
  if (times.empty()) {
    return 0;
  }
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

/// Collective. What edges inside hide of the sums of products, where they alternate.
void print_hidden(const comm::Comm& comm, const convection::SumTime& exchange) {
  if (exchange.alone.empty()) {
    return;
  }
  const double beside = comm::allreduce(comm, middle_of(exchange.beside), comm::Op::sum);
  const double alone = comm::allreduce(comm, middle_of(exchange.alone), comm::Op::sum);
  const double local = comm::allreduce(comm, middle_of(exchange.local), comm::Op::sum);
  if (comm.is_root()) { // read by `isthmus solve`
    fmt::print(
        "{:.4e} s in the sum of a product beside work, {:.4e} s without, {:.4e} s of both to "
        "pack and add: medians of {}\n",
        beside / comm.size(), alone / comm.size(), local / comm.size(), exchange.alone.size());
  }
}

/// Collective. Where the time went, and how much the busiest rank sent.
void print_times(const comm::Comm& comm, const convection::RunResult& result) {
  print_hidden(comm, result.exchange);
  const double share = result.seconds > 0 ? result.exchange.seconds / result.seconds : 0;
  const double most = comm::allreduce(comm, share, comm::Op::max);
  const double least = comm::allreduce(comm, share, comm::Op::min);
  const auto messages = comm::allreduce(comm, result.exchange.messages, comm::Op::max);
  const auto bytes = comm::allreduce(comm, result.exchange.bytes, comm::Op::max);
  if (comm.is_root()) { // read by `isthmus solve`
    fmt::print(
        "{:.4f} s in steps, {} sums over interfaces: {:.4f} to {:.4f} of the time of a "
        "rank, {} messages and {} bytes of the busiest\n",
        result.seconds, result.exchange.sums, least, most, messages, bytes);
    fmt::print("{} after {} steps\n", result.is_steady ? "steady" : "ended", result.steps);
  }
}

void execute(const comm::Comm& comm, const std::vector<std::string>& words) {
  check(words.size() == 1 || (words.size() == 3 && words[1] == "--restart"),
        "usage: isthmus-convection CASE [--restart FILE]");
  std::optional<convection::Case> from;
  comm::agree(comm, [&] { from = convection::read_case(words[0]); });
  const convection::RunResult result =
      convection::run(comm, *from, words.size() == 3 ? words[2] : "", stdout);
  print_times(comm, result);
}

} // namespace

int main(int argc, char** argv) {
  return isthmus::comm::run_program(argc, argv, execute);
}
