// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/await.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/pause.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace isthmus::comm {

namespace {

/// What this thread has learnt of its core.
[[maybe_unused]] thread_local Crowding crowding;

/// Until `done` returns true. Nobody looks at anything else in the first moment, which is all that
/// a wait takes where everybody is well.
template <typename Done>
void wait(const Comm& comm, Done done) {
  constexpr double longest_nap_s = 1e-3;
  const auto has_come = [&done] {
    constexpr int looks_per_clock = 16;
    const int num_looks = crowding.is_crowded() ? 1 : looks_per_clock;
    for (int i = 0; i < num_looks; ++i) {
      if (done()) {
        return true;
      }
    }
    return false;
  };
  if (done()) {
    return;
  }
  std::optional<BusyTime> meter;
  if (comm.waited() != nullptr) {
    meter.emplace(*comm.waited());
  }
  const Deadline deadline(comm.progress_timeout());
  double awake_since = 0;
  double work_before = thread_time(); // MPI may copy for long in a look
  while (!has_come()) {
    const double elapsed = deadline.elapsed();
    const double awake = elapsed - awake_since;
    if (awake > Crowding::moment_s) {
      crowding.note(awake - (thread_time() - work_before));
    }
    double nap_s = crowding.is_crowded() ? Crowding::nap_s : 0;
    if (elapsed > Crowding::moment_s) {
      comm.look();
      check(
          !deadline.passed(),
          "rank {} waited {:g} s for other ranks of its participant: do all of them call the "
          "same functions, with the same communicator? ISTHMUS_PATIENCE sets the limit in seconds",
          comm.rank(), deadline.limit());
      nap_s = std::min(elapsed / 8, longest_nap_s);
    }
    if (nap_s > 0) {
      std::this_thread::sleep_for(std::chrono::duration<double>(nap_s));
      awake_since = deadline.elapsed();
      work_before = thread_time();
    } else {
      std::this_thread::yield();
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
