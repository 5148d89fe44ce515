// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/handles.hpp"

#include <mpi.h>

#include <cstdlib>
#include <new>

namespace {
Handles open;
long allocations = 0;
} // namespace

Handles open_handles() {
  return open;
}

long num_allocations() {
  return allocations;
}

#ifndef ISTHMUS_SIMULATED // there, operator new is the simulator's, too
void* operator new(std::size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(size)) {
    return memory;
  }
  throw std::bad_alloc();
}

void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  ++allocations;
  return std::malloc(size);
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
#endif

// The calls with which the library starts and completes messages.
extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++open.requests;
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++open.requests;
  return PMPI_Irecv(data, count, type, from, tag, comm, request);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  open.requests -= *request != MPI_REQUEST_NULL ? 1 : 0;
  return PMPI_Wait(request, status);
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  for (int i = 0; i < count; ++i) {
    open.requests -= requests[i] != MPI_REQUEST_NULL ? 1 : 0;
  }
  return PMPI_Waitall(count, requests, statuses);
}

int MPI_Testall(int count, MPI_Request* requests, int* done, MPI_Status* statuses) {
  int active = 0;
  for (int i = 0; i < count; ++i) {
    active += requests[i] != MPI_REQUEST_NULL ? 1 : 0;
  }
  const int code = PMPI_Testall(count, requests, done, statuses);
  open.requests -= *done != 0 ? active : 0;
  return code;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  ++open.communicators;
  return PMPI_Comm_dup(comm, copy);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* part) {
  ++open.communicators;
  return PMPI_Comm_split(comm, color, key, part);
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  ++open.communicators;
  return PMPI_Comm_split_type(comm, type, key, info, part);
}

int MPI_Comm_free(MPI_Comm* comm) {
  --open.communicators;
  return PMPI_Comm_free(comm);
}

int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                            MPI_Win* window) {
  ++open.windows;
  return PMPI_Win_allocate_shared(size, unit, info, comm, base, window);
}

int MPI_Win_free(MPI_Win* window) {
  --open.windows;
  return PMPI_Win_free(window);
}
}
