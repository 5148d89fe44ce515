// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"

#include <cstdint>
#include <list>
#include <memory>
#include <set>

namespace isthmus::comm {

/// Notices where a call that all ranks must make in the same step is made by some only, which
/// otherwise nobody would: those that go on meet those that wait in no message. Every rank that
/// makes the call tells the next one, which compares when it has time; nobody waits.
class RollCall {
 public:
  /// `comm` must outlive the object.
  explicit RollCall(const Comm& comm) : comm_(comm) {}
  RollCall(const RollCall&) = delete;
  RollCall& operator=(const RollCall&) = delete;
  ~RollCall(); ///< Leaves to MPI what is still on its way.

  /// This rank makes the call in a step; steps ascend.
  void answer(std::int64_t step);
  /// False if the rank before has made the call in one of the first `num_steps`, in which this rank
  /// cannot make it any more, and has not.
  [[nodiscard]] bool is_complete(std::int64_t num_steps);

 private:
  struct Note {
    std::int64_t step;
    MPI_Request request;
  };

  const Comm& comm_;
  std::unique_ptr<std::list<Note>> sent_ = std::make_unique<std::list<Note>>();
  std::set<std::int64_t> own_;   // that the rank before has not told of
  std::set<std::int64_t> heard_; // that this rank has not made
};

} // namespace isthmus::comm
