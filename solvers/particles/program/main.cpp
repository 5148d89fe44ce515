// SPDX-License-Identifier: BSD-3-Clause
// isthmus-particles CASE: solves a case on the ranks it was started with.
#include "isthmus/base/error.hpp"
#include "isthmus/base/reason.hpp"
#include "isthmus/comm/agree.hpp"
#include "particles/program/run.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <optional>
#include <string>

namespace {

using namespace isthmus;

void execute(const comm::Comm& comm, int argc, char** argv) {
  check(argc == 2, "usage: isthmus-particles CASE");
  std::optional<mps::Case> from;
  comm::agree(comm, [&] { from = mps::read_case(argv[1]); });
  const mps::RunResult result = mps::run(comm, *from, stdout);
  if (comm.is_root()) {
    fmt::print("ended after {} steps with {} particles of fluid; {} left the tank\n", result.steps,
               result.num_fluid, result.num_lost);
  }
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int code = 0;
  {
    const comm::Comm comm(MPI_COMM_WORLD);
    try {
      execute(comm, argc, argv);
    } catch (...) { // on all ranks, or it is this one's alone and the others are told by the end
      code = 1;
      const std::string reason = current_reason();
      if (comm.is_root()) {
        fmt::print(stderr, "error: {}\n", reason);
      }
    }
  }
  MPI_Finalize();
  return code;
}
