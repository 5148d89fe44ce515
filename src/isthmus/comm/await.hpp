// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

/// Waits for MPI that end when the others give up. A wait that lasts longer than a moment sleeps
/// between looks, and calls Comm::look().
namespace isthmus::comm {

/// Bytes of one call of MPI at most: its counts are ints.
constexpr std::size_t most_bytes = std::size_t{1} << 30;

/// Until these messages are there or gone. Throws Error for an error of MPI, what look() throws,
/// and Error when Comm::progress_timeout() is over; then the requests are given up.
void await(const Comm& comm, std::span<MPI_Request> requests,
           MPI_Status* statuses = MPI_STATUSES_IGNORE);

/// The same; between its looks it calls `meanwhile`, unless ranks are simulated.
void await(const Comm& comm, std::span<MPI_Request> requests,
           const std::function<void()>& meanwhile);

/// Local. Lets MPI work on these messages; whether all of them are there or gone. Simulated ranks
/// do not look, and say no: polling distorts their time.
[[nodiscard]] bool progress(std::span<MPI_Request> requests);

/// Local. None of these messages is under way; MPI is not asked.
[[nodiscard]] bool are_idle(std::span<const MPI_Request> requests);

/// await() for a collective operation.
void await_collective(const Comm& comm, MPI_Request request);

/// The same. MPI may use the buffers of an operation that was given up: `lent` is not freed then.
template <typename Buffers>
void await_collective(const Comm& comm, MPI_Request request, std::unique_ptr<Buffers>& lent) {
  try {
    await_collective(comm, request);
  } catch (...) {
    (void)lent.release();
    throw;
  }
}

} // namespace isthmus::comm
