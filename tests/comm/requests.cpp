// SPDX-License-Identifier: BSD-3-Clause
#include "comm/requests.hpp"

#include <mpi.h>

namespace {
int open = 0;
int handles = 0;
} // namespace

int open_requests() {
  return open;
}

int open_handles() {
  return handles;
}

// The calls with which the library starts and completes requests.
extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++open;
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++open;
  return PMPI_Irecv(data, count, type, from, tag, comm, request);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  open -= *request != MPI_REQUEST_NULL ? 1 : 0;
  return PMPI_Wait(request, status);
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  for (int i = 0; i < count; ++i) {
    open -= requests[i] != MPI_REQUEST_NULL ? 1 : 0;
  }
  return PMPI_Waitall(count, requests, statuses);
}

int MPI_Testall(int count, MPI_Request* requests, int* done, MPI_Status* statuses) {
  int active = 0;
  for (int i = 0; i < count; ++i) {
    active += requests[i] != MPI_REQUEST_NULL ? 1 : 0;
  }
  const int code = PMPI_Testall(count, requests, done, statuses);
  open -= *done != 0 ? active : 0;
  return code;
}

int MPI_Request_free(MPI_Request* request) {
  --open;
  return PMPI_Request_free(request);
}

int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                     MPI_Win* window) {
  ++handles;
  return PMPI_Win_allocate(size, unit, info, comm, base, window);
}

int MPI_Win_free(MPI_Win* window) {
  --handles;
  return PMPI_Win_free(window);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  ++handles;
  return PMPI_Comm_dup(comm, copy);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* part) {
  ++handles;
  return PMPI_Comm_split(comm, color, key, part);
}

int MPI_Comm_free(MPI_Comm* comm) {
  --handles;
  return PMPI_Comm_free(comm);
}
}
