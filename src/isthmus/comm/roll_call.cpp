// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/roll_call.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/await.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/comm.hpp"

#include <array>
#include <memory>

namespace isthmus::comm {

#ifdef ISTHMUS_SIMULATED // nobody errs there, and looking takes simulated time
void RollCall::leave(std::int64_t /*num_steps*/) {}
bool RollCall::is_complete(std::int64_t /*num_steps*/) {
  return true;
}
#else
void RollCall::leave(std::int64_t num_steps) {
  struct Notes {
    std::int64_t own;
    std::int64_t other;
  };
  auto notes = std::make_unique<Notes>(Notes{num_steps, num_steps});
  // The message of a stage stands for `distance` ranks.
  for (int distance = 1; distance < comm_.size(); distance *= 2) {
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    check_mpi(
        MPI_Isend(&notes->own, sizeof notes->own, MPI_BYTE,
                  (comm_.rank() + distance) % comm_.size(), tag_roll, comm_.raw(), requests.data()),
        "MPI_Isend");
    if (distance == 1 && received_) {
      notes->other = *received_;
    } else {
      check_mpi(MPI_Irecv(&notes->other, sizeof notes->other, MPI_BYTE, before(distance), tag_roll,
                          comm_.raw(), &requests[1]),
                "MPI_Irecv");
    }
    try {
      await(comm_, requests);
    } catch (...) {
      static_cast<void>(notes.release()); // MPI may still read it
      comm_.keep();
      throw;
    }
    check(notes->other == num_steps,
          "rank {} has called finalize() after {} calls of initialize() and advance(), this one "
          "after {}; all ranks must call them equally often",
          before(distance), notes->other, num_steps);
  }
}

bool RollCall::is_complete(std::int64_t num_steps) {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (comm_.size() == 1 || finalized != 0) {
    return true;
  }
  int there = 0;
  if (!received_) {
    check_mpi(MPI_Iprobe(before(1), tag_roll, comm_.raw(), &there, MPI_STATUS_IGNORE),
              "MPI_Iprobe");
  }
  if (there != 0) {
    received_.emplace();
    check_mpi(MPI_Recv(&*received_, sizeof *received_, MPI_BYTE, before(1), tag_roll, comm_.raw(),
                       MPI_STATUS_IGNORE),
              "MPI_Recv");
  }
  return !received_ || *received_ >= num_steps;
}
#endif

} // namespace isthmus::comm
