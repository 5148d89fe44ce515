// SPDX-License-Identifier: GPL-3.0-or-later
// OpenFOAM's reductions of scalars: sums in a fixed order, so that all ranks get the same bits in
// every run.
#include "pstream.hpp"

#include "Pstream.H"
#include "PstreamReduceOps.H"
#include "scalar.H"
#include "vector2D.H"

#include <algorithm>
#include <array>
#include <cstdint>

using isthmus::openfoam::pstream;
using isthmus::openfoam::Waiting;

/// Of libmpi_calls.so and libmpi_record.so, where one of them has been loaded before the program.
extern "C" __attribute__((weak)) void isthmus_gather_begins(std::int64_t bytes);
extern "C" __attribute__((weak)) void isthmus_gather_ends();

namespace {

/// A gathering in memory that ranks share, from its begin to its end: libraries that watch the
/// calls of MPI are notified of it, as they see no call.
class SharedGather {
 public:
  explicit SharedGather(std::size_t bytes) {
    if (isthmus_gather_begins != nullptr) {
      isthmus_gather_begins(static_cast<std::int64_t>(bytes));
    }
  }
  SharedGather(const SharedGather&) = delete;
  SharedGather& operator=(const SharedGather&) = delete;
  ~SharedGather() {
    if (isthmus_gather_ends != nullptr) {
      isthmus_gather_ends();
    }
  }
};

constexpr const char* what = "a reduction";

/// Collective. Adds up `values` of all ranks on every rank.
void sum_over_ranks(std::span<double> values, Foam::label comm) {
  const Waiting waiting(what, comm);
  auto& state = pstream();
  std::vector<double>& rows = state.rows;
  rows.resize(values.size() * state.communicators.ranks(comm).size());
  if (comm == Foam::UPstream::worldComm && state.host_rows != nullptr) {
    const SharedGather gather(values.size_bytes());
    state.host_rows->exchange(values, rows);
  } else {
    const auto count = static_cast<int>(values.size());
    MPI_Allgather(values.data(), count, MPI_DOUBLE, rows.data(), count, MPI_DOUBLE,
                  state.communicators.at(comm));
  }
  isthmus::openfoam::add_rows(rows, values.size());
  std::copy_n(rows.begin(), values.size(), values.begin());
}

} // namespace

namespace Foam {

void reduce(scalar& value, const sumOp<scalar>&, const int, const label comm) {
  if (UPstream::parRun()) {
    sum_over_ranks({&value, 1}, comm);
  }
}

void reduce(scalar& value, const minOp<scalar>&, const int, const label comm) {
  if (UPstream::parRun()) {
    const Waiting waiting(what, comm);
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MIN, pstream().communicators.at(comm));
  }
}

void reduce(vector2D& value, const sumOp<vector2D>&, const int, const label comm) {
  if (UPstream::parRun()) {
    std::array<double, 2> sums{value.x(), value.y()};
    sum_over_ranks(sums, comm);
    value = vector2D(sums[0], sums[1]);
  }
}

void sumReduce(scalar& value, label& count, const int, const label comm) {
  if (UPstream::parRun()) {
    std::array<double, 2> sums{value, static_cast<double>(count)}; // exact up to 2^53
    sum_over_ranks(sums, comm);
    value = sums[0];
    count = static_cast<label>(sums[1]);
  }
}

void reduce(scalar& value, const sumOp<scalar>&, const int, const label comm, label& request) {
  request = -1;
  if (UPstream::parRun()) {
    request = pstream().requests.count();
    MPI_Iallreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, pstream().communicators.at(comm),
                   pstream().requests.add(-1));
  }
}

} // namespace Foam
