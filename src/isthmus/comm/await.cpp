// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/await.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace isthmus::comm {

namespace {

/// Until `done` returns true. Nobody looks at anything else in the first moment, which is all that
/// a wait takes where everybody is well. Looks, and the yields of MPI in them, stand before naps
/// also where ranks outnumber cores: with naps alone, initialize() on 8 and 24 ranks of two cores
/// took 10 to 30 % longer.
template <typename Done>
void wait(const Comm& comm, Done done) {
  constexpr int tests_per_clock = 16;
  constexpr double moment_s = 1e-3;
  constexpr double longest_nap_s = 1e-3;
  const auto has_come = [&done] {
    for (int i = 0; i < tests_per_clock; ++i) {
      if (done()) {
        return true;
      }
    }
    return false;
  };
  if (has_come()) {
    return;
  }
  std::optional<BusyTime> meter;
  if (comm.waited() != nullptr) {
    meter.emplace(*comm.waited());
  }
  const Deadline deadline(comm.progress_timeout());
  while (!has_come()) {
    const double elapsed = deadline.elapsed();
    if (elapsed > moment_s) {
      comm.look();
      check(
          !deadline.passed(),
          "rank {} waited {:g} s for other ranks of its participant: do all of them call the "
          "same functions, with the same communicator? ISTHMUS_PATIENCE sets the limit in seconds",
          comm.rank(), deadline.limit());
      std::this_thread::sleep_for(
          std::chrono::duration<double>(std::min(elapsed / 8, longest_nap_s)));
    }
  }
}

/// Ends what can be ended: receives. MPI keeps sends, which nobody will receive.
[[maybe_unused]] void give_up(std::span<MPI_Request> requests) {
  for (MPI_Request& request : requests) {
    if (request != MPI_REQUEST_NULL) {
      int done = 0;
      MPI_Cancel(&request);
      MPI_Testall(1, &request, &done, MPI_STATUSES_IGNORE);
      if (done == 0) {
        MPI_Request_free(&request);
      }
    }
  }
}

} // namespace

#ifdef ISTHMUS_SIMULATED // nobody fails there, and polling distorts the simulated time

bool progress(std::span<MPI_Request> /*requests*/) {
  return false;
}

void await(const Comm& /*comm*/, std::span<MPI_Request> requests, MPI_Status* statuses) {
  check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), statuses),
            "MPI_Waitall");
}

void await(const Comm& comm, std::span<MPI_Request> requests,
           const std::function<void()>& /*meanwhile*/) {
  await(comm, requests);
}

void await_collective(const Comm& /*comm*/, MPI_Request request) {
  check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
}

#else

bool progress(std::span<MPI_Request> requests) {
  int done = 0;
  check_mpi(
      MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
      "MPI_Testall");
  return done != 0;
}

void await(const Comm& comm, std::span<MPI_Request> requests, MPI_Status* statuses) {
  try {
    wait(comm, [requests, statuses] {
      int done = 0;
      check_mpi(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, statuses),
                "MPI_Testall");
      return done != 0;
    });
  } catch (...) {
    give_up(requests);
    throw;
  }
}

void await(const Comm& comm, std::span<MPI_Request> requests,
           const std::function<void()>& meanwhile) {
  try {
    wait(comm, [&] {
      if (meanwhile) {
        meanwhile();
      }
      return progress(requests);
    });
  } catch (...) {
    give_up(requests);
    throw;
  }
}

void await_collective(const Comm& comm, MPI_Request request) {
  try {
    wait(comm, [&request] {
      int done = 0;
      check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
      return done != 0;
    });
  } catch (...) {
    comm.keep();
    throw;
  }
}

#endif

bool are_idle(std::span<const MPI_Request> requests) {
  return std::all_of(requests.begin(), requests.end(),
                     [](MPI_Request request) { return request == MPI_REQUEST_NULL; });
}

} // namespace isthmus::comm
