// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/agree.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/await.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/mpi_operation.hpp"
#include "isthmus/comm/progress_timeout.hpp"

#include <array>
#include <memory>
#include <new>

namespace isthmus::comm {

void agree_on(const Comm& comm, const std::optional<std::string>& failure) {
  const int failing = allreduce(comm, failure ? comm.rank() : comm.size(), Op::min);
  if (failing == comm.size()) {
    return;
  }
  std::string text = failure.value_or("");
  bcast(comm, text, failing);
  throw Agreed(failing == 0 ? text : fmt::format("rank {}: {}", failing, text));
}

namespace {

/// Of the environment; what is wrong with that is the failure of this rank.
double progress_timeout(std::optional<std::string>& failure) {
  try {
    return progress_timeout_or(default_progress_timeout_s);
  } catch (const Error& error) {
    failure = error.what();
    return default_progress_timeout_s;
  }
}

/// Why the lowest rank that fails does so, and what MPI needs to find it.
struct Vote {
  struct Failure {
    int rank;
    std::array<char, 2000> text;
  };
  Failure failure{};
  MpiOperation operation{sizeof(Failure), MPI_BYTE, &lowest};

  static void lowest(void* in, void* inout, int* count, MPI_Datatype*) {
    const auto* const others = static_cast<const Failure*>(in);
    auto* const found = static_cast<Failure*>(inout);
    for (int i = 0; i < *count; ++i) {
      if (others[i].rank < found[i].rank) {
        found[i] = others[i];
      }
    }
  }
  [[nodiscard]] std::string text() const {
    return failure.rank == 0 ? failure.text.data()
                             : fmt::format("rank {}: {}", failure.rank, failure.text.data());
  }
};

} // namespace

void agree_on(MPI_Comm parent, const std::optional<std::string>& found) {
  constexpr double moment_s = 2; // others may never come: then who fails says so alone
  std::optional<std::string> failure = found;
  Comm alone; // there is nothing to look at during a wait
  alone.set_watch({}, failure ? moment_s : progress_timeout(failure));
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(parent, &rank);
  MPI_Comm_size(parent, &size);
  std::unique_ptr<Vote> vote(new (std::nothrow) Vote); // who fails here is missed by all others
  vote = vote ? std::move(vote) : std::make_unique<Vote>();
  vote->failure.rank = failure ? rank : size;
  std::string own;
  if (failure) {
    failure->copy(vote->failure.text.data(), vote->failure.text.size() - 1);
    own = vote->text();
  }
#ifdef ISTHMUS_SIMULATED // whose non-blocking one sends from everybody to everybody
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &vote->failure, 1, vote->operation.type(),
                          vote->operation.op(), parent),
            "MPI_Allreduce");
#else
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, &vote->failure, 1, vote->operation.type(),
                           vote->operation.op(), parent, &request),
            "MPI_Iallreduce");
  try {
    await_collective(alone, request, vote);
  } catch (const Error&) {
    if (failure) {
      throw Error(own);
    }
    throw;
  }
#endif
  if (vote->failure.rank < size) {
    throw Agreed(vote->text());
  }
}

} // namespace isthmus::comm
