// SPDX-License-Identifier: BSD-3-Clause
#include "handles.hpp"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>
#include <vector>

namespace {

std::atomic<int> communicators = 0, windows = 0; // participants may run in threads

/// Messages that nobody has seen to be complete. Small ones may have the same handle.
class Messages {
 public:
  Messages() { open_.reserve(1 << 16); } // tests count allocations

  void start(MPI_Request request) {
    const std::scoped_lock lock(mutex_);
    if (request != MPI_REQUEST_NULL) {
      open_.push_back(request);
    }
  }
  void forget() {
    const std::scoped_lock lock(mutex_);
    open_.clear();
  }
  void note_tag(int tag) {
    const std::scoped_lock lock(mutex_);
    tags_.insert(tag);
  }
  /// Does nothing for a collective operation.
  void complete(MPI_Request request) {
    const std::scoped_lock lock(mutex_);
    if (const auto at = std::find(open_.begin(), open_.end(), request); at != open_.end()) {
      open_.erase(at);
    }
  }
  int num_open() {
    const std::scoped_lock lock(mutex_);
    return static_cast<int>(open_.size());
  }
  std::size_t num_tags() {
    const std::scoped_lock lock(mutex_);
    return tags_.size();
  }

 private:
  std::mutex mutex_;
  std::vector<MPI_Request> open_;
  std::set<int> tags_;
};

Messages messages;

} // namespace

Handles open_handles() {
  return {messages.num_open(), communicators, windows};
}

std::size_t num_tags() {
  return messages.num_tags();
}

MayLeak::~MayLeak() {
  messages.forget();
  communicators = windows = 0;
}

// The calls with which the library starts and completes messages.
extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const int code = PMPI_Isend(data, count, type, to, tag, comm, request);
  messages.start(*request);
  messages.note_tag(tag);
  return code;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const int code = PMPI_Irecv(data, count, type, from, tag, comm, request);
  messages.start(*request);
  return code;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  messages.complete(*request);
  return PMPI_Wait(request, status);
}

int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  const MPI_Request tested = *request;
  const int code = PMPI_Test(request, done, status);
  if (*done != 0) {
    messages.complete(tested);
  }
  return code;
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  std::for_each_n(requests, count, [](MPI_Request one) { messages.complete(one); });
  return PMPI_Waitall(count, requests, statuses);
}

int MPI_Testall(int count, MPI_Request* requests, int* done, MPI_Status* statuses) {
  std::for_each_n(requests, count, [](MPI_Request one) { messages.complete(one); });
  const int code = PMPI_Testall(count, requests, done, statuses);
  for (int i = 0; i < count && *done == 0; ++i) {
    messages.start(requests[i]);
  }
  return code;
}

int MPI_Waitany(int count, MPI_Request* requests, int* which, MPI_Status* status) {
  const std::vector<MPI_Request> awaited(requests, requests + count);
  const int code = PMPI_Waitany(count, requests, which, status);
  if (*which != MPI_UNDEFINED) {
    messages.complete(awaited[static_cast<std::size_t>(*which)]);
  }
  return code;
}

int MPI_Request_free(MPI_Request* request) {
  messages.complete(*request);
  return PMPI_Request_free(request);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  ++communicators;
  return PMPI_Comm_dup(comm, copy);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* part) {
  ++communicators;
  return PMPI_Comm_split(comm, color, key, part);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  ++communicators;
  return PMPI_Comm_split_type(comm, type, key, info, part);
}

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* part) {
  ++communicators;
  return PMPI_Comm_create_group(comm, group, tag, part);
}

int MPI_Comm_free(MPI_Comm* comm) {
  --communicators;
  return PMPI_Comm_free(comm);
}

int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                     MPI_Win* window) {
  ++windows;
  return PMPI_Win_allocate(size, unit, info, comm, base, window);
}

int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                            MPI_Win* window) {
  ++windows;
  return PMPI_Win_allocate_shared(size, unit, info, comm, base, window);
}

int MPI_Win_free(MPI_Win* window) {
  --windows;
  return PMPI_Win_free(window);
}

int MPI_Finalize() {
  if (const Handles left = open_handles(); left != Handles{}) {
    std::fprintf(stderr, "left to MPI: %d requests, %d communicators, %d windows\n", left.requests,
                 left.communicators, left.windows);
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
  return PMPI_Finalize();
}
}
