// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <functional>

namespace isthmus::comm {

/// Learns when the program calls MPI_Finalize(), which waits for other ranks: they may wait for
/// this one to say that it ends. Does nothing where MPI is not initialized, or may not be called.
class MpiEnd {
 public:
  /// `work` is called at most once, while MPI can still be used, and must not throw.
  explicit MpiEnd(std::function<void()> work);
  ~MpiEnd();
  MpiEnd(const MpiEnd&) = delete;
  MpiEnd& operator=(const MpiEnd&) = delete;

 private:
  static int notify(MPI_Comm self, int key, void* object, void* nothing);

  std::function<void()> work_;
  int key_ = MPI_KEYVAL_INVALID; // of an attribute of MPI_COMM_SELF, which MPI_Finalize() deletes
};

} // namespace isthmus::comm
