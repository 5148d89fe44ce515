// SPDX-License-Identifier: BSD-3-Clause
// Counts what a program asks of MPI: calls, bytes and seconds by kind, one line of JSON per rank.
//
//   LD_PRELOAD=libmpi_calls.so MPI_CALLS=calls mpirun -n 4 PROGRAM      writes calls.0, calls.1, …
//
// Bytes are those that this rank hands over; the seconds of a call are what it took, most of which
// is waiting. Messages on a communicator that is called "isthmus" are those that
// libisthmusSolvers.so adds up with, beside other work; it says how many sums they were.
// "requests" are those that the program was given, and how many of them it has not brought to an
// end, when MPI_Finalize() is called. With MPI_PLACES=places each rank also writes places.0, …:
// from which functions its messages were sent. Nothing of the program is changed, and nothing is
// sent.
#include "places.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

namespace {

enum Kind {
  send,
  isend,
  receive,
  ireceive,
  probe,
  wait,
  test,
  reduce,
  ireduce,
  sizes,
  alltoall,
  allgather,
  gather,
  scatter,
  broadcast,
  barrier,
  communicator,
  sum,
  sum_message,
  sum_receive,
  num_kinds
};

constexpr std::array<const char*, num_kinds> names{
    "send",      "isend",      "receive",      "ireceive",  "probe",       "wait",       "test",
    "allreduce", "iallreduce", "alltoall",     "alltoallv", "allgather",   "gather",     "scatter",
    "bcast",     "barrier",    "communicator", "sum",       "sum message", "sum receive"};

struct Count {
  std::int64_t calls = 0;
  std::int64_t bytes = 0;
  double seconds = 0;
};

std::array<Count, num_kinds> counts;
std::map<MPI_Comm, bool> of_sums; // the communicators seen; whether they are those of sums
double began = 0;
std::int64_t requests_made = 0;
std::int64_t requests_left = 0;

std::int64_t bytes_of(std::int64_t count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return count * size;
}

/// Whether it belongs to the sums of libisthmusSolvers.so.
bool is_of_sums(MPI_Comm comm) {
  const auto [found, is_new] = of_sums.try_emplace(comm, false);
  if (is_new) {
    std::array<char, MPI_MAX_OBJECT_NAME> name{};
    int length = 0;
    PMPI_Comm_get_name(comm, name.data(), &length);
    found->second = std::string(name.data()) == "isthmus";
  }
  return found->second;
}

/// Makes a call and counts it.
template <typename Call>
int counted(Kind kind, std::int64_t bytes, const Call& call) {
  const double start = PMPI_Wtime();
  const int status = call();
  Count& count = counts[kind];
  ++count.calls;
  count.bytes += bytes;
  count.seconds += PMPI_Wtime() - start;
  return status;
}

/// Makes a call that gives the program a request, if it succeeds.
template <typename Call>
int begun(Kind kind, std::int64_t bytes, const Call& call) {
  const int status = counted(kind, bytes, call);
  if (status == MPI_SUCCESS) {
    ++requests_made;
    ++requests_left;
  }
  return status;
}

/// Makes a call that brings some of these requests to an end, and counts it.
template <typename Call>
int ended(Kind kind, int count, const MPI_Request* requests, const Call& call) {
  const auto num_open = [=] {
    return std::count_if(requests, requests + count,
                         [](MPI_Request request) { return request != MPI_REQUEST_NULL; });
  };
  const auto before = num_open();
  const int status = counted(kind, 0, call);
  requests_left -= before - num_open();
  return status;
}

/// One of the program's messages.
void count_message() {
  static const bool is_wanted = std::getenv("MPI_PLACES") != nullptr;
  if (is_wanted) {
    isthmus::count::count_place();
  }
}

void write_counts() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (const char* places = std::getenv("MPI_PLACES"); places != nullptr) {
    isthmus::count::write_places(std::string(places) + "." + std::to_string(rank));
  }
  const char* prefix = std::getenv("MPI_CALLS");
  if (prefix == nullptr) {
    return;
  }
  std::ofstream file(std::string(prefix) + "." + std::to_string(rank));
  file << "{\"rank\": " << rank << ", \"seconds\": " << PMPI_Wtime() - began;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const Count& count = counts[k];
    if (count.calls > 0) {
      file << ",\n \"" << names[k] << "\": {\"calls\": " << count.calls
           << ", \"bytes\": " << count.bytes << ", \"seconds\": " << count.seconds << "}";
    }
  }
  file << ",\n \"requests\": {\"calls\": " << requests_made << ", \"left\": " << requests_left
       << "}}\n";
}

} // namespace

extern "C" {

void isthmus_count_reductions(std::int64_t number) {
  counts[sum].calls += number;
}

/// libPstream.so gathers values of all ranks in memory that they share.
void isthmus_gather_begins(std::int64_t bytes) {
  ++counts[allgather].calls;
  counts[allgather].bytes += bytes;
  counts[allgather].seconds -= PMPI_Wtime();
}

void isthmus_gather_ends() {
  counts[allgather].seconds += PMPI_Wtime();
}

int MPI_Init(int* argc, char*** argv) {
  const int status = PMPI_Init(argc, argv);
  began = PMPI_Wtime();
  return status;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int status = PMPI_Init_thread(argc, argv, required, provided);
  began = PMPI_Wtime();
  return status;
}

int MPI_Finalize() {
  write_counts();
  return PMPI_Finalize();
}

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  count_message();
  return counted(send, bytes_of(count, type),
                 [=] { return PMPI_Send(buffer, count, type, to, tag, comm); });
}

int MPI_Bsend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  count_message();
  return counted(send, bytes_of(count, type),
                 [=] { return PMPI_Bsend(buffer, count, type, to, tag, comm); });
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const bool is_of_sum = is_of_sums(comm);
  if (!is_of_sum) {
    count_message();
  }
  return begun(is_of_sum ? sum_message : isend, bytes_of(count, type),
               [=] { return PMPI_Isend(buffer, count, type, to, tag, comm, request); });
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status* status) {
  return counted(receive, 0,
                 [=] { return PMPI_Recv(buffer, count, type, from, tag, comm, status); });
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return begun(is_of_sums(comm) ? sum_receive : ireceive, 0,
               [=] { return PMPI_Irecv(buffer, count, type, from, tag, comm, request); });
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
  return counted(probe, 0, [=] { return PMPI_Probe(from, tag, comm, status); });
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  return ended(wait, 1, request, [=] { return PMPI_Wait(request, status); });
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  return ended(wait, count, requests, [=] { return PMPI_Waitall(count, requests, statuses); });
}

int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  return ended(test, 1, request, [=] { return PMPI_Test(request, done, status); });
}

int MPI_Testall(int count, MPI_Request* requests, int* done, MPI_Status* statuses) {
  return ended(test, count, requests,
               [=] { return PMPI_Testall(count, requests, done, statuses); });
}

int MPI_Request_free(MPI_Request* request) {
  const int status = PMPI_Request_free(request);
  requests_left -= status == MPI_SUCCESS ? 1 : 0;
  return status;
}

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  return counted(reduce, bytes_of(count, type),
                 [=] { return PMPI_Allreduce(in, out, count, type, op, comm); });
}

int MPI_Iallreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  return begun(ireduce, bytes_of(count, type),
               [=] { return PMPI_Iallreduce(in, out, count, type, op, comm, request); });
}

int MPI_Alltoall(const void* in, int sent, MPI_Datatype type, void* out, int received,
                 MPI_Datatype type_out, MPI_Comm comm) {
  int ranks = 1;
  PMPI_Comm_size(comm, &ranks);
  return counted(sizes, bytes_of(sent, type) * ranks,
                 [=] { return PMPI_Alltoall(in, sent, type, out, received, type_out, comm); });
}

int MPI_Alltoallv(const void* in, const int sent[], const int offsets[], MPI_Datatype type,
                  void* out, const int received[], const int offsets_out[], MPI_Datatype type_out,
                  MPI_Comm comm) {
  int ranks = 1;
  PMPI_Comm_size(comm, &ranks);
  std::int64_t bytes = 0;
  for (int i = 0; i < ranks; ++i) {
    bytes += bytes_of(sent[i], type);
  }
  return counted(alltoall, bytes, [=] {
    return PMPI_Alltoallv(in, sent, offsets, type, out, received, offsets_out, type_out, comm);
  });
}

int MPI_Allgather(const void* in, int sent, MPI_Datatype type, void* out, int received,
                  MPI_Datatype type_out, MPI_Comm comm) {
  return counted(allgather, bytes_of(sent, type),
                 [=] { return PMPI_Allgather(in, sent, type, out, received, type_out, comm); });
}

int MPI_Gatherv(const void* in, int sent, MPI_Datatype type, void* out, const int received[],
                const int offsets[], MPI_Datatype type_out, int root, MPI_Comm comm) {
  return counted(gather, bytes_of(sent, type), [=] {
    return PMPI_Gatherv(in, sent, type, out, received, offsets, type_out, root, comm);
  });
}

int MPI_Scatterv(const void* in, const int sent[], const int offsets[], MPI_Datatype type,
                 void* out, int received, MPI_Datatype type_out, int root, MPI_Comm comm) {
  return counted(scatter, bytes_of(received, type_out), [=] {
    return PMPI_Scatterv(in, sent, offsets, type, out, received, type_out, root, comm);
  });
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return counted(broadcast, bytes_of(count, type),
                 [=] { return PMPI_Bcast(buffer, count, type, root, comm); });
}

int MPI_Barrier(MPI_Comm comm) {
  return counted(barrier, 0, [=] { return PMPI_Barrier(comm); });
}

int MPI_Comm_free(MPI_Comm* comm) {
  of_sums.erase(*comm); // the next one may have the same handle
  return PMPI_Comm_free(comm);
}

int MPI_Comm_create(MPI_Comm parent, MPI_Group group, MPI_Comm* comm) {
  return counted(communicator, 0, [=] { return PMPI_Comm_create(parent, group, comm); });
}

} // extern "C"
