// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/collective.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <string_view>

namespace isthmus::comm {

namespace {

constexpr std::size_t piece = std::size_t{1} << 30; // MPI counts are ints

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
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, values, int_count(count, "MPI_Allreduce"), type, native(op),
                          comm.raw()),
            "MPI_Allreduce");
}

void bcast(const Comm& comm, void* bytes, std::size_t size, int root) {
  if (comm.size() == 1) {
    return;
  }
  for (std::size_t begin = 0; begin < size; begin += piece) {
    check_mpi(
        MPI_Bcast(static_cast<std::byte*>(bytes) + begin,
                  static_cast<int>(std::min(piece, size - begin)), MPI_BYTE, root, comm.raw()),
        "MPI_Bcast");
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
  const auto ranks = static_cast<std::size_t>(comm.size());
  const int size = int_count(part.size(), "MPI_Gatherv");
  std::vector<int> sizes(receives ? ranks : 0);
  std::vector<int> begins(receives ? ranks : 0);
  check_mpi(everywhere ? MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, comm.raw())
                       : MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, root, comm.raw()),
            "MPI_Gather");
  std::vector<std::size_t> offsets(receives ? ranks + 1 : 0);
  if (receives) {
    std::inclusive_scan(sizes.begin(), sizes.end(), offsets.begin() + 1, std::plus<>{},
                        std::size_t{0});
    int_count(offsets.back(), "MPI_Gatherv");
    std::copy_n(offsets.begin(), ranks, begins.begin());
    all.resize(offsets.back());
  }
  check_mpi(everywhere ? MPI_Allgatherv(part.data(), size, MPI_BYTE, all.data(), sizes.data(),
                                        begins.data(), MPI_BYTE, comm.raw())
                       : MPI_Gatherv(part.data(), size, MPI_BYTE, all.data(), sizes.data(),
                                     begins.data(), MPI_BYTE, root, comm.raw()),
            "MPI_Gatherv");
  return offsets;
}

} // namespace impl

void bcast(const Comm& comm, std::string& text, int root) {
  std::vector<char> letters(text.begin(), text.end());
  bcast(comm, letters, root);
  text.assign(letters.begin(), letters.end());
}

std::int64_t exscan(const Comm& comm, std::int64_t value) {
  std::int64_t sum = 0;
  if (comm.size() > 1) {
    check_mpi(MPI_Exscan(&value, &sum, 1, MPI_INT64_T, MPI_SUM, comm.raw()), "MPI_Exscan");
  }
  return comm.rank() == 0 ? 0 : sum;
}

void barrier(const Comm& comm) {
  if (comm.size() > 1) {
    check_mpi(MPI_Barrier(comm.raw()), "MPI_Barrier");
  }
}

} // namespace isthmus::comm
