// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/collective.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/await.hpp"
#include "isthmus/comm/mpi_operation.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <string_view>

namespace isthmus::comm {

namespace {

MPI_Op native(Op op) {
  switch (op) {
    case Op::sum:
      return MPI_SUM;
    case Op::min:
      return MPI_MIN;
    case Op::max:
      return MPI_MAX;
    case Op::bit_or:
      return MPI_BOR;
  }
  return MPI_OP_NULL;
}

int int_count(std::size_t count, const char* call) {
  check(count <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
        "{} of {} bytes at once is more than MPI can count; use fewer data per rank", call, count);
  return static_cast<int>(count);
}

/// Runs a collective operation on the buffers in `lent`; ends when the others give up.
template <auto blocking, auto starting, typename Lent, typename... Args>
void run(const Comm& comm, std::unique_ptr<Lent>& lent, const char* name, Args... args) {
#ifdef ISTHMUS_SIMULATED // nobody fails there, and the simulator starts collectives naively
  (void)comm;
  (void)lent;
  check_mpi(blocking(args...), name);
#else
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(starting(args..., &request), name);
  await_collective(comm, request, lent);
#endif
}

std::unique_ptr<std::vector<std::byte>> lend(const std::byte* begin, std::size_t size) {
  return std::make_unique<std::vector<std::byte>>(begin, begin + size);
}

/// What a gather reads and writes.
struct Gathering {
  std::vector<std::byte> part;
  int size = 0;
  std::vector<std::byte> all;
  std::vector<int> sizes;
  std::vector<int> begins;

  /// Makes room for all parts and returns where they begin and end; nothing where none arrive.
  std::vector<std::size_t> place() {
    std::vector<std::size_t> offsets(sizes.empty() ? 0 : sizes.size() + 1);
    if (!sizes.empty()) {
      std::inclusive_scan(sizes.begin(), sizes.end(), offsets.begin() + 1, std::plus<>{},
                          std::size_t{0});
      int_count(offsets.back(), "MPI_Gatherv");
      begins.assign(offsets.begin(), offsets.end() - 1);
      all.resize(offsets.back());
    }
    return offsets;
  }
};

void combine(Twofold& sum, const Twofold& term) {
  sum += term;
}

void combine(LargestAndSum& all, const LargestAndSum& one) {
  all.largest = std::max(all.largest, one.largest);
  all.sum += one.sum;
}

/// What a reduction of pairs of doubles lends to MPI.
template <typename Pair>
struct Combination {
  static_assert(sizeof(Pair) == 2 * sizeof(double));
  std::vector<Pair> values;
  MpiOperation operation{2, MPI_DOUBLE, &combine_all};

  explicit Combination(std::span<const Pair> own) : values(own.begin(), own.end()) {}

  static void combine_all(void* in, void* inout, int* count, MPI_Datatype*) {
    const auto* const ones = static_cast<const Pair*>(in);
    auto* const all = static_cast<Pair*>(inout);
    for (int i = 0; i < *count; ++i) {
      combine(all[i], ones[i]);
    }
  }
};

/// `reduce(lent, count)` reduces what was lent, by the function of MPI of that name, where there is
/// something to do.
template <typename Pair, typename Reduce>
void combine_pairs(const Comm& comm, std::span<Pair> values, const char* call,
                   const Reduce& reduce) {
  if (comm.size() == 1 || values.empty()) {
    return;
  }
  auto lent = std::make_unique<Combination<Pair>>(values);
  reduce(lent, int_count(values.size(), call));
  std::copy(lent->values.begin(), lent->values.end(), values.begin());
}

template <typename Pair>
void allreduce_pairs(const Comm& comm, std::span<Pair> values) {
  static constexpr const char* call = "MPI_Allreduce";
  combine_pairs(comm, values, call, [&comm](auto& lent, int count) {
    run<MPI_Allreduce, MPI_Iallreduce>(comm, lent, call, MPI_IN_PLACE, lent->values.data(), count,
                                       lent->operation.type(), lent->operation.op(), comm.raw());
  });
}

} // namespace

void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) {
    return;
  }
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  fail("{} failed: {}", call, std::string_view(text.data(), static_cast<std::size_t>(length)));
}

namespace impl {

void allreduce(const Comm& comm, void* values, std::size_t count, MPI_Datatype type, Op op) {
  if (comm.size() == 1 || count == 0) {
    return;
  }
  const int entries = int_count(count, "MPI_Allreduce");
  int width = 0;
  MPI_Type_size(type, &width);
  auto lent = lend(static_cast<const std::byte*>(values), count * static_cast<std::size_t>(width));
  run<MPI_Allreduce, MPI_Iallreduce>(comm, lent, "MPI_Allreduce", MPI_IN_PLACE, lent->data(),
                                     entries, type, native(op), comm.raw());
  std::memcpy(values, lent->data(), lent->size());
}

void bcast(const Comm& comm, void* bytes, std::size_t size, int root) {
  if (comm.size() == 1) {
    return;
  }
  auto* const out = static_cast<std::byte*>(bytes);
  for (std::size_t begin = 0; begin < size; begin += most_bytes) {
    auto lent = lend(out + begin, std::min(most_bytes, size - begin));
    run<MPI_Bcast, MPI_Ibcast>(comm, lent, "MPI_Bcast", lent->data(),
                               static_cast<int>(lent->size()), MPI_BYTE, root, comm.raw());
    std::memcpy(out + begin, lent->data(), lent->size());
  }
}

std::vector<std::size_t> gather(const Comm& comm, std::span<const std::byte> part,
                                std::vector<std::byte>& all, int root) {
  if (comm.size() == 1) {
    all.assign(part.begin(), part.end());
    return {0, part.size()};
  }
  const bool everywhere = root < 0;
  const bool receives = everywhere || comm.rank() == root;
  auto lent = std::make_unique<Gathering>();
  Gathering& g = *lent;
  g.part.assign(part.begin(), part.end());
  g.size = int_count(part.size(), "MPI_Gatherv");
  g.sizes.resize(receives ? static_cast<std::size_t>(comm.size()) : 0);
  if (everywhere) {
    run<MPI_Allgather, MPI_Iallgather>(comm, lent, "MPI_Allgather", &g.size, 1, MPI_INT,
                                       g.sizes.data(), 1, MPI_INT, comm.raw());
  } else {
    run<MPI_Gather, MPI_Igather>(comm, lent, "MPI_Gather", &g.size, 1, MPI_INT, g.sizes.data(), 1,
                                 MPI_INT, root, comm.raw());
  }
  std::vector<std::size_t> offsets = g.place();
  if (everywhere) {
    run<MPI_Allgatherv, MPI_Iallgatherv>(comm, lent, "MPI_Allgatherv", g.part.data(), g.size,
                                         MPI_BYTE, g.all.data(), g.sizes.data(), g.begins.data(),
                                         MPI_BYTE, comm.raw());
  } else {
    run<MPI_Gatherv, MPI_Igatherv>(comm, lent, "MPI_Gatherv", g.part.data(), g.size, MPI_BYTE,
                                   g.all.data(), g.sizes.data(), g.begins.data(), MPI_BYTE, root,
                                   comm.raw());
  }
  all = std::move(g.all);
  return offsets;
}

} // namespace impl

void allreduce_sum(const Comm& comm, std::span<Twofold> values) {
  allreduce_pairs(comm, values);
}

void allreduce(const Comm& comm, std::span<LargestAndSum> values) {
  allreduce_pairs(comm, values);
}

void allreduce_bounds(const Comm& comm, std::span<double> least, std::span<double> greatest) {
  std::vector<double> ends(least.begin(), least.end());
  std::transform(greatest.begin(), greatest.end(), std::back_inserter(ends), std::negate<>());
  allreduce(comm, std::span(ends), Op::min);
  const auto middle = ends.begin() + static_cast<std::ptrdiff_t>(least.size());
  std::copy(ends.begin(), middle, least.begin());
  std::transform(middle, ends.end(), greatest.begin(), std::negate<>());
}

void reduce_to_root(const Comm& comm, std::span<LargestAndSum> values) {
  static constexpr const char* call = "MPI_Reduce";
  combine_pairs(comm, values, call, [&comm](auto& lent, int count) {
    const void* const own = comm.is_root() ? MPI_IN_PLACE : lent->values.data();
    void* const all = comm.is_root() ? lent->values.data() : nullptr;
    run<MPI_Reduce, MPI_Ireduce>(comm, lent, call, own, all, count, lent->operation.type(),
                                 lent->operation.op(), 0, comm.raw());
  });
}

void bcast(const Comm& comm, std::string& text, int root) {
  std::vector<char> characters(text.begin(), text.end());
  bcast(comm, characters, root);
  text.assign(characters.begin(), characters.end());
}

std::vector<std::int64_t> alltoall(const Comm& comm, std::span<const std::int64_t> values) {
  if (comm.size() == 1) {
    return {values.begin(), values.end()};
  }
  struct Values {
    std::vector<std::int64_t> sent, received;
  };
  auto lent = std::make_unique<Values>();
  lent->sent.assign(values.begin(), values.end());
  lent->received.resize(values.size());
  run<MPI_Alltoall, MPI_Ialltoall>(comm, lent, "MPI_Alltoall", lent->sent.data(), 1, MPI_INT64_T,
                                   lent->received.data(), 1, MPI_INT64_T, comm.raw());
  return std::move(lent->received);
}

std::int64_t exscan(const Comm& comm, std::int64_t value) {
  using Values = std::array<std::int64_t, 2>;
  auto lent = std::make_unique<Values>(Values{value, 0});
  if (comm.size() > 1) {
    run<MPI_Exscan, MPI_Iexscan>(comm, lent, "MPI_Exscan", lent->data(), lent->data() + 1, 1,
                                 MPI_INT64_T, MPI_SUM, comm.raw());
  }
  return comm.rank() == 0 ? 0 : (*lent)[1];
}

void barrier(const Comm& comm) {
  if (comm.size() > 1) {
    auto nothing = std::make_unique<int>(0);
    run<MPI_Barrier, MPI_Ibarrier>(comm, nothing, "MPI_Barrier", comm.raw());
  }
}

} // namespace isthmus::comm
