// SPDX-License-Identifier: BSD-3-Clause
#include "rank_counts.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

#ifdef ISTHMUS_SIMULATED
#include <simgrid/actor.h>
#endif

extern "C" std::size_t malloc_usable_size(
    void* memory); // malloc.h is one with the simulator's macros

namespace {

struct Memory {
  std::ptrdiff_t now = 0;
  std::ptrdiff_t most = 0;
};

constexpr std::size_t max_ranks = 1 << 15;

std::array<Memory, max_ranks>& memories() {
  static std::array<Memory, max_ranks> all;
  return all;
}

/// While it is above 0 allocations are not ours.
int foreign = 0;

std::size_t slot() {
#ifdef ISTHMUS_SIMULATED
  return static_cast<std::size_t>(sg_actor_self_get_pid()) % max_ranks;
#else
  return 1;
#endif
}

void count_memory(void* memory, int sign) {
  if (foreign == 0 && memory != nullptr) {
    Memory& mine = memories()[slot()];
    mine.now += sign * static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
    mine.most = std::max(mine.most, mine.now);
  }
}

std::map<int, RankCounts>& all_counts() {
  static auto* const counts = new std::map<int, RankCounts>(); // longer than the simulator lives
  return *counts;
}

struct Bookkeeping {
  Bookkeeping() { ++foreign; }
  ~Bookkeeping() { --foreign; }
};

int world_rank() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

RankCounts& mine() {
  return all_counts()[world_rank()];
}

/// The rank in MPI_COMM_WORLD.
int translated(MPI_Comm comm, int rank) {
  int found = rank;
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(group, 1, &rank, world, &found);
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return found;
}

std::uint64_t bytes_of(int count, MPI_Datatype type) {
  int width = 0;
  PMPI_Type_size(type, &width);
  return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(width);
}

struct Place {
  int rank = 0; // behind the root
  int size = 1;

  Place(MPI_Comm comm, int root) {
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    rank = (rank - root + size) % size;
  }
  [[nodiscard]] int rounds() const {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(size - 1)));
  }
  /// In a binomial tree.
  [[nodiscard]] int children() const {
    int count = 0;
    for (int bit = 1; bit < size && (rank & bit) == 0; bit <<= 1) {
      count += rank + bit < size ? 1 : 0;
    }
    return count;
  }
  /// Ranks at or below this one in it.
  [[nodiscard]] int below() const {
    int bit = 1;
    while (bit < size && (rank & bit) == 0) {
      bit <<= 1;
    }
    return std::min(rank + bit, size) - rank;
  }
};

void add(double sent, double bytes_sent, double received, double bytes_received) {
  const Bookkeeping own;
  RankCounts& counts = mine();
  counts.collectives += 1;
  counts.sent += sent;
  counts.bytes_sent += bytes_sent;
  counts.received += received;
  counts.bytes_received += bytes_received;
}

/// By recursive doubling, both ways.
void count_doubling(MPI_Comm comm, double bytes) {
  const Place place(comm, 0);
  add(place.rounds(), bytes, place.rounds(), bytes);
}

void count_send(int to, double bytes, MPI_Comm comm) {
  const Bookkeeping own;
  const int from = world_rank();
  const int other = translated(comm, to);
  RankCounts& counts = mine();
  counts.sent += 1;
  counts.bytes_sent += bytes;
  ++counts.sent_to[other];
  RankCounts& others = all_counts()[other];
  others.received += 1;
  others.bytes_received += bytes;
  ++others.received_from[from];
}

} // namespace

RankCounts take_rank_counts() {
  const Bookkeeping own;
  return std::exchange(mine(), {});
}

std::size_t take_rank_memory() {
  Memory& memory = memories()[slot()];
  const auto most = static_cast<std::size_t>(std::max<std::ptrdiff_t>(memory.most, 0));
  memory.most = memory.now;
  return most;
}

void end_rank_counts() {
  ++foreign;
}

void* operator new(std::size_t size) {
  if (void* const memory = std::malloc(size)) {
    count_memory(memory, 1);
    return memory;
  }
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
  count_memory(memory, -1);
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  count_memory(memory, -1);
  std::free(memory);
}

// What the library calls under the simulator, where collectives are blocking ones.
extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  count_send(to, static_cast<double>(bytes_of(count, type)), comm);
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  count_send(to, static_cast<double>(bytes_of(count, type)), comm);
  return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Allreduce(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  count_doubling(comm, static_cast<double>(bytes_of(count, type)) * Place(comm, 0).rounds());
  return PMPI_Allreduce(data, result, count, type, op, comm);
}

int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const Place place(comm, root);
  const auto bytes = static_cast<double>(bytes_of(count, type));
  const double up = place.rank == 0 ? 0 : 1;
  add(place.children(), place.children() * bytes, up, up * bytes);
  return PMPI_Bcast(data, count, type, root, comm);
}

int MPI_Gather(const void* data, int count, MPI_Datatype type, void* all, int counts,
               MPI_Datatype all_type, int root, MPI_Comm comm) {
  const Place place(comm, root);
  const auto bytes = static_cast<double>(bytes_of(count, type));
  const double up = place.rank == 0 ? 0 : 1;
  add(up, up * bytes * place.below(), place.children(), bytes * (place.below() - 1));
  return PMPI_Gather(data, count, type, all, counts, all_type, root, comm);
}

int MPI_Gatherv(const void* data, int count, MPI_Datatype type, void* all, const int* counts,
                const int* begins, MPI_Datatype all_type, int root, MPI_Comm comm) {
  const Place place(comm, root);
  if (place.rank != 0) {
    add(1, static_cast<double>(bytes_of(count, type)), 0, 0);
  } else {
    double bytes = 0;
    for (int r = 0; r < place.size; ++r) {
      bytes += static_cast<double>(bytes_of(counts[r], all_type));
    }
    add(0, 0, place.size - 1, bytes - static_cast<double>(bytes_of(count, type)));
  }
  return PMPI_Gatherv(data, count, type, all, counts, begins, all_type, root, comm);
}

int MPI_Allgather(const void* data, int count, MPI_Datatype type, void* all, int counts,
                  MPI_Datatype all_type, MPI_Comm comm) {
  count_doubling(comm, static_cast<double>(bytes_of(count, type)) * (Place(comm, 0).size - 1));
  return PMPI_Allgather(data, count, type, all, counts, all_type, comm);
}

int MPI_Allgatherv(const void* data, int count, MPI_Datatype type, void* all, const int* counts,
                   const int* begins, MPI_Datatype all_type, MPI_Comm comm) {
  double bytes = 0;
  for (int r = 0; r < Place(comm, 0).size; ++r) {
    bytes += static_cast<double>(bytes_of(counts[r], all_type));
  }
  count_doubling(comm, bytes - static_cast<double>(bytes_of(count, type)));
  return PMPI_Allgatherv(data, count, type, all, counts, begins, all_type, comm);
}

int MPI_Exscan(const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm) {
  count_doubling(comm, static_cast<double>(bytes_of(count, type)) * Place(comm, 0).rounds());
  return PMPI_Exscan(data, result, count, type, op, comm);
}

int MPI_Barrier(MPI_Comm comm) {
  count_doubling(comm, 0);
  return PMPI_Barrier(comm);
}
}
