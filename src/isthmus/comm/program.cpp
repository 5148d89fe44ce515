// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/program.hpp"

#include "isthmus/base/reason.hpp"
#include "isthmus/comm/progress_timeout.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>

namespace isthmus::comm {

int run_program(int argc, char** argv, void (*work)(const Comm&, const std::vector<std::string>&)) {
  MPI_Init(&argc, &argv);
  int code = 0;
  {
    Comm comm(MPI_COMM_WORLD);
    try {
      comm.set_watch({}, progress_timeout_or(default_progress_timeout_s));
      work(comm, {argv + 1, argv + argc});
    } catch (...) { // on all ranks, or it is this one's alone and the others learn it by the end
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

} // namespace isthmus::comm
