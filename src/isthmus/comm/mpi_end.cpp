// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/mpi_end.hpp"

#include <utility>

namespace isthmus::comm {

#ifdef ISTHMUS_SIMULATED // nobody errs there
MpiEnd::MpiEnd(std::function<void()> work) : work_(std::move(work)) {}
MpiEnd::~MpiEnd() = default;
#else

MpiEnd::MpiEnd(std::function<void()> work) : work_(std::move(work)) {
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  if (initialized == 0 || finalized != 0) {
    return;
  }
  int threads = MPI_THREAD_SINGLE;
  int is_main = 0;
  MPI_Query_thread(&threads);
  MPI_Is_thread_main(&is_main);
  if (threads == MPI_THREAD_MULTIPLE || is_main != 0) {
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &MpiEnd::notify, &key_, nullptr);
    MPI_Comm_set_attr(MPI_COMM_SELF, key_, this);
  }
}

MpiEnd::~MpiEnd() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0 && key_ != MPI_KEYVAL_INVALID) {
    work_ = nullptr;
    MPI_Comm_delete_attr(MPI_COMM_SELF, key_);
    MPI_Comm_free_keyval(&key_);
  }
}
#endif

int MpiEnd::notify(MPI_Comm /*self*/, int /*key*/, void* object, void* /*nothing*/) {
  if (const auto work = std::exchange(static_cast<MpiEnd*>(object)->work_, nullptr)) {
    work();
  }
  return MPI_SUCCESS;
}

} // namespace isthmus::comm
