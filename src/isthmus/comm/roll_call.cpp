// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/roll_call.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/tags.hpp"

namespace isthmus::comm {

RollCall::~RollCall() {
  if (!sent_->empty()) {
    comm_.keep();
    static_cast<void>(sent_.release());
  }
}

#ifdef ISTHMUS_SIMULATED // nobody errs there, and looking takes simulated time
void RollCall::answer(std::int64_t /*step*/) {}
bool RollCall::is_complete(std::int64_t /*num_steps*/) {
  return true;
}
#else
void RollCall::answer(std::int64_t step) {
  if (comm_.size() == 1) {
    return;
  }
  if (heard_.erase(step) == 0) {
    own_.insert(step);
  }
  Note& note = sent_->emplace_back(Note{step, MPI_REQUEST_NULL});
  check_mpi(MPI_Isend(&note.step, sizeof note.step, MPI_BYTE, (comm_.rank() + 1) % comm_.size(),
                      tag_roll, comm_.raw(), &note.request),
            "MPI_Isend");
}

bool RollCall::is_complete(std::int64_t num_steps) {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (comm_.size() == 1 || finalized != 0) {
    return true;
  }
  for (int done = 1; !sent_->empty() && done != 0;) {
    check_mpi(MPI_Test(&sent_->front().request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done != 0) {
      sent_->pop_front();
    }
  }
  const int before = (comm_.rank() + comm_.size() - 1) % comm_.size();
  for (int there = 1; there != 0;) {
    check_mpi(MPI_Iprobe(before, tag_roll, comm_.raw(), &there, MPI_STATUS_IGNORE), "MPI_Iprobe");
    if (there != 0) {
      std::int64_t step = 0;
      check_mpi(
          MPI_Recv(&step, sizeof step, MPI_BYTE, before, tag_roll, comm_.raw(), MPI_STATUS_IGNORE),
          "MPI_Recv");
      if (own_.erase(step) == 0) {
        heard_.insert(step);
      }
    }
  }
  return heard_.empty() || *heard_.begin() >= num_steps;
}
#endif

} // namespace isthmus::comm
