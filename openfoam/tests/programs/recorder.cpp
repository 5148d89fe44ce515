// SPDX-License-Identifier: BSD-3-Clause
// Computes between calls of MPI, by a clock of its own: libmpi_record.so has to find each piece of
// work before the call that came after it, and a sum's between its begin and its end. Each call of
// MPI takes a millisecond of that clock, which is no work. recorder_test.py knows what is to be
// found.
#include "isthmus/comm/reduce.hpp"

#include <dlfcn.h>
#include <mpi.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <vector>

namespace {

long worked_us = 0; // what the clock of this thread shows

void work(long microseconds) {
  worked_us += microseconds;
}

/// MPI itself, which takes time.
template <typename Function>
Function* real(const char* name) {
  work(1000);
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" {

int clock_gettime(clockid_t which, timespec* now) noexcept {
  if (which != CLOCK_THREAD_CPUTIME_ID) {
    return static_cast<int>(syscall(SYS_clock_gettime, which, now));
  }
  now->tv_sec = worked_us / 1000000;
  now->tv_nsec = worked_us % 1000000 * 1000;
  return 0;
}

int PMPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return real<decltype(PMPI_Isend)>(__func__)(buffer, count, type, to, tag, comm, request);
}

int PMPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return real<decltype(PMPI_Irecv)>(__func__)(buffer, count, type, from, tag, comm, request);
}

int PMPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  return real<decltype(PMPI_Test)>(__func__)(request, done, status);
}

int PMPI_Testall(int count, MPI_Request* open, int* done, MPI_Status* statuses) {
  return real<decltype(PMPI_Testall)>(__func__)(count, open, done, statuses);
}

int PMPI_Waitall(int count, MPI_Request* open, MPI_Status* statuses) {
  return real<decltype(PMPI_Waitall)>(__func__)(count, open, statuses);
}

int PMPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm) {
  return real<decltype(PMPI_Allreduce)>(__func__)(in, out, count, type, op, comm);
}

} // extern "C"

namespace {

using namespace isthmus;

void await(MPI_Request& request) {
  for (int done = 0; done == 0;) { // looks in vain
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  }
}

/// Two messages one after the other, as a sum on four ranks has them, with work between.
void sum_by_hand(MPI_Comm sums, int other) {
  std::array<double, 4> room{};
  std::array<MPI_Request, 2> sends{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  work(100); // before it
  for (std::size_t i = 0; i < 2; ++i) {
    MPI_Request receive = MPI_REQUEST_NULL;
    MPI_Irecv(&room[i], 1, MPI_DOUBLE, other, 3, sums, &receive);
    work(3);
    MPI_Isend(&room[2 + i], 1, MPI_DOUBLE, other, 3, sums, &sends[i]);
    work(20);
    await(receive);
    work(30);
  }
  MPI_Waitall(2, sends.data(), MPI_STATUSES_IGNORE); // 106 since the begin
}

/// Two sums, of which the second receives first, by the request that the first one sent with: as
/// where memory is used again. Nobody sends before its receiver has looked for it in vain.
void sums_in_the_same_place(MPI_Comm sums, int rank) {
  const int other = rank ^ 1;
  double in = 0;
  const double out = 1;
  MPI_Request first = MPI_REQUEST_NULL;
  MPI_Request second = MPI_REQUEST_NULL;
  work(100);
  MPI_Irecv(&in, 1, MPI_DOUBLE, other, 3, sums, &second);
  work(3);
  MPI_Isend(&out, 1, MPI_DOUBLE, other, 3, sums, &first);
  work(103);
  await(second);
  MPI_Waitall(1, &first, MPI_STATUSES_IGNORE); // 106 since the begin
  work(100);
  if (rank % 2 == 0) {
    int done = 0;
    MPI_Irecv(&in, 1, MPI_DOUBLE, other, 3, sums, &first);
    MPI_Test(&first, &done, MPI_STATUS_IGNORE);
    PMPI_Send(nullptr, 0, MPI_BYTE, other, 4, MPI_COMM_WORLD);
    work(6);
    await(first);
    MPI_Isend(&out, 1, MPI_DOUBLE, other, 3, sums, &second);
  } else {
    PMPI_Recv(nullptr, 0, MPI_BYTE, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Isend(&out, 1, MPI_DOUBLE, other, 3, sums, &second);
    work(6);
    MPI_Irecv(&in, 1, MPI_DOUBLE, other, 3, sums, &first);
    await(first);
  }
  work(100);
  MPI_Waitall(1, &second, MPI_STATUSES_IGNORE); // 106 again
}

void sum_by_the_kit(comm::Reduction& sum) {
  work(200);
  sum.begin(std::array{1.0, 2.0});
  for (int i = 0; i < 50; ++i) {
    work(4);
    sum.progress();
  }
  work(10);
  (void)sum.finish(); // 210 since the begin
}

void message(MPI_Comm comm, int to, int from) {
  double in = 0;
  const double out = 1;
  std::array<MPI_Request, 2> open{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  work(11);
  MPI_Irecv(&in, 1, MPI_DOUBLE, from, 5, comm, &open[0]);
  work(12);
  MPI_Isend(&out, 1, MPI_DOUBLE, to, 5, comm, &open[1]);
  work(13);
  MPI_Waitall(2, open.data(), MPI_STATUSES_IGNORE);
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm sums = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &sums);
  MPI_Comm_set_name(sums, "isthmus");
  {
    const comm::Comm ranks = comm::Comm::own(sums);
    comm::Reduction sum(ranks, 2);
    message(MPI_COMM_WORLD, (rank + 1) % size, (rank + size - 1) % size);
    if (size % 2 == 0) {
      sum_by_hand(sums, rank ^ 1);
      sums_in_the_same_place(sums, rank);
    }
    message(MPI_COMM_WORLD, (rank + 1) % size, (rank + size - 1) % size);
    sum_by_the_kit(sum);
    sum_by_the_kit(sum);
    work(17);
    int one = 1;
    MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    work(19);
  }
  MPI_Finalize();
}
