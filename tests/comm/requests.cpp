// SPDX-License-Identifier: BSD-3-Clause
#include "comm/requests.hpp"

#include <mpi.h>

namespace {
int open = 0;
}

int open_requests() {
  return open;
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
}
