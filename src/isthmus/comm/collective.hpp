// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/twofold.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/comm.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace isthmus::comm {

enum class Op { sum, min, max, bit_or };

template <typename T>
concept Reducible = std::same_as<T, double> || std::same_as<T, int> ||
    std::same_as<T, std::int64_t> || std::same_as<T, std::uint64_t>;

/// The pieces of all ranks, one after the other: rank r's are values[offsets[r]…offsets[r+1]).
template <typename T>
struct Pieces {
  std::vector<T> values;
  std::vector<std::size_t> offsets; // ranks + 1

  [[nodiscard]] std::span<const T> of(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return std::span(values).subspan(offsets[r], offsets[r + 1] - offsets[r]);
  }
};

namespace impl {
void allreduce(const Comm& comm, void* values, std::size_t count, MPI_Datatype type, Op op);
void bcast(const Comm& comm, void* bytes, std::size_t size, int root);
/// `all` is resized on the root only, or on every rank when root < 0; returns byte offsets.
std::vector<std::size_t> gather(const Comm& comm, std::span<const std::byte> part,
                                std::vector<std::byte>& all, int root);

template <Reducible T>
MPI_Datatype datatype() {
  if constexpr (std::same_as<T, double>) {
    return MPI_DOUBLE;
  } else if constexpr (std::same_as<T, int>) {
    return MPI_INT;
  } else if constexpr (std::same_as<T, std::int64_t>) {
    return MPI_INT64_T;
  } else {
    return MPI_UINT64_T;
  }
}

template <Plain T>
Pieces<T> gather_pieces(const Comm& comm, std::span<const T> part, int root) {
  std::vector<std::byte> bytes;
  Pieces<T> all{{}, gather(comm, std::as_bytes(part), bytes, root)};
  for (std::size_t& offset : all.offsets) {
    offset /= sizeof(T);
  }
  all.values.resize(bytes.size() / sizeof(T));
  std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(all.values)).begin());
  return all;
}
} // namespace impl

/// Throws an Error naming `call` unless `code` is MPI_SUCCESS.
void check_mpi(int code, const char* call);

/// Collective. Reduces entry by entry, in place. bit_or needs integers.
template <Reducible T>
void allreduce(const Comm& comm, std::span<T> values, Op op) {
  impl::allreduce(comm, values.data(), values.size(), impl::datatype<T>(), op);
}

/// Collective.
template <Reducible T>
[[nodiscard]] T allreduce(const Comm& comm, T value, Op op) {
  allreduce(comm, std::span(&value, 1), op);
  return value;
}

/// Collective. Reduces entry by entry, in place: the smallest of `least`, the largest of
/// `greatest`, in one reduction. Both have the same length on all ranks.
void allreduce_bounds(const Comm& comm, std::span<double> least, std::span<double> greatest);

/// Collective. Adds entry by entry with twice the digits of a double, in place. All ranks get the
/// same bits.
void allreduce_sum(const Comm& comm, std::span<Twofold> values);

/// Two values of a rank, of which one reduction finds the largest and the sum over all ranks.
struct LargestAndSum {
  double largest = -std::numeric_limits<double>::infinity();
  double sum = 0;
};

/// Collective. Reduces entry by entry, in place: two reductions for the latency of one.
void allreduce(const Comm& comm, std::span<LargestAndSum> values);

/// Collective. The same on rank 0 alone; the others go on when theirs are on their way.
void reduce_to_root(const Comm& comm, std::span<LargestAndSum> values);

/// Collective. Everybody gets the root's vector, whatever its own was.
template <Plain T>
void bcast(const Comm& comm, std::vector<T>& values, int root = 0) {
  std::uint64_t size = values.size();
  impl::bcast(comm, &size, sizeof size, root);
  values.resize(size);
  impl::bcast(comm, values.data(), size * sizeof(T), root);
}

/// Collective.
void bcast(const Comm& comm, std::string& text, int root = 0);

/// Collective. Returns the root's value.
template <Plain T>
[[nodiscard]] T bcast(const Comm& comm, T value, int root = 0) {
  impl::bcast(comm, &value, sizeof value, root);
  return value;
}

/// Collective. The pieces of all ranks on the root; nothing elsewhere.
template <Plain T>
[[nodiscard]] Pieces<T> gather(const Comm& comm, std::span<const T> part, int root = 0) {
  return impl::gather_pieces(comm, part, root);
}

/// Collective. One value of each rank, on the root; nothing elsewhere.
template <Plain T>
[[nodiscard]] std::vector<T> gather(const Comm& comm, const T& value, int root = 0) {
  return gather(comm, std::span(&value, 1), root).values;
}

/// Collective. The pieces of all ranks, everywhere. Memory grows with the ranks: for reports and
/// comparisons, not for algorithms.
template <Plain T>
[[nodiscard]] Pieces<T> allgather(const Comm& comm, std::span<const T> part) {
  return impl::gather_pieces(comm, part, -1);
}

/// Collective. One value of each rank, everywhere.
template <Plain T>
[[nodiscard]] std::vector<T> allgather(const Comm& comm, const T& value) {
  return allgather(comm, std::span(&value, 1)).values;
}

/// Collective. Rank r gets values[r] of all ranks, in their order. Memory and, on most networks,
/// time grow with the ranks: for comparisons and small jobs.
[[nodiscard]] std::vector<std::int64_t> alltoall(const Comm& comm,
                                                 std::span<const std::int64_t> values);

/// Collective. Sum over the lower ranks; 0 on rank 0.
[[nodiscard]] std::int64_t exscan(const Comm& comm, std::int64_t value);

/// Collective.
void barrier(const Comm& comm);

} // namespace isthmus::comm
