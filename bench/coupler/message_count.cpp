// SPDX-License-Identifier: BSD-3-Clause
#include "message_count.hpp"

#include <mpi.h>

#include <cmath>

namespace {

double sent = 0;

void count_tree(MPI_Comm comm, int root) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  sent += rank == root ? 0 : 1;
}

void count_doubling(MPI_Comm comm) {
  int size = 1;
  PMPI_Comm_size(comm, &size);
  sent += std::ceil(std::log2(size));
}

} // namespace

double messages_through_mpi() {
  return sent;
}

// What the library calls; the simulator runs the blocking ones.
extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++sent;
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Allreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  count_doubling(comm);
  return PMPI_Allreduce(data, result, count, type, op, comm);
}

int MPI_Iallreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  count_doubling(comm);
  return PMPI_Iallreduce(data, result, count, type, op, comm, request);
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  count_tree(comm, root);
  return PMPI_Bcast(data, count, type, root, comm);
}

int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request* request) {
  count_tree(comm, root);
  return PMPI_Ibcast(data, count, type, root, comm, request);
}

int MPI_Gather(const void* data, int count, MPI_Datatype type, void* all, int counts,
               MPI_Datatype all_type, int root, MPI_Comm comm) {
  count_tree(comm, root);
  return PMPI_Gather(data, count, type, all, counts, all_type, root, comm);
}

int MPI_Igather(const void* data, int count, MPI_Datatype type, void* all, int counts,
                MPI_Datatype all_type, int root, MPI_Comm comm, MPI_Request* request) {
  count_tree(comm, root);
  return PMPI_Igather(data, count, type, all, counts, all_type, root, comm, request);
}

int MPI_Allgather(const void* data, int count, MPI_Datatype type, void* all, int counts,
                  MPI_Datatype all_type, MPI_Comm comm) {
  count_doubling(comm);
  return PMPI_Allgather(data, count, type, all, counts, all_type, comm);
}

int MPI_Iallgather(const void* data, int count, MPI_Datatype type, void* all, int counts,
                   MPI_Datatype all_type, MPI_Comm comm, MPI_Request* request) {
  count_doubling(comm);
  return PMPI_Iallgather(data, count, type, all, counts, all_type, comm, request);
}

int MPI_Exscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm) {
  count_doubling(comm);
  return PMPI_Exscan(data, result, count, type, op, comm);
}

int MPI_Barrier(MPI_Comm comm) {
  count_doubling(comm);
  return PMPI_Barrier(comm);
}
}
