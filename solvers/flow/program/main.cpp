// SPDX-License-Identifier: BSD-3-Clause
// isthmus-flow CASE [--restart FILE]: solves a case on the ranks it was started with.
// isthmus-flow CASE --grid FILE: writes the grid of a case as PLOT3D.
#include "flow/multiblock/plot3d.hpp"
#include "flow/program/run.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace isthmus;

void execute(const comm::Comm& comm, const std::vector<std::string>& words) {
  check(
      words.size() == 1 || (words.size() == 3 && (words[1] == "--restart" || words[1] == "--grid")),
      "usage: isthmus-flow CASE [--restart FILE | --grid FILE]");
  std::optional<flow::Case> from;
  comm::agree(comm, [&] { from = flow::read_case(words[0]); });
  if (words.size() == 3 && words[1] == "--grid") {
    std::optional<flow::GridSource> grid;
    comm::agree(comm, [&] { grid = flow::open_grid(*from); });
    flow::write_plot3d(comm, words[2], *grid);
    return;
  }
  const flow::RunResult result = flow::run(comm, *from, words.size() == 3 ? words[2] : "", stdout);
  if (comm.is_root()) {
    fmt::print("busiest rank over the mean of all: {:.3f}; {:.4f} s per iteration\n",
               result.imbalance(), result.seconds / std::max(result.iterations, 1));
    fmt::print("{} after {} iterations, output in {}\n",
               result.is_converged ? "converged" : "ended", result.iterations,
               from->run.output.string()); // read by `isthmus solve`
  }
}

} // namespace

int main(int argc, char** argv) {
  return isthmus::comm::run_program(argc, argv, execute);
}
