// SPDX-License-Identifier: GPL-3.0-or-later
// OpenFOAM's reductions of scalars: sums in a fixed order, so that all ranks get the same bits in
// every run.
#include "pstream.hpp"

#include "Pstream.H"
#include "PstreamReduceOps.H"
#include "scalar.H"
#include "vector2D.H"

#include <array>

using isthmus::openfoam::pstream;
using isthmus::openfoam::sum_over_ranks;
using isthmus::openfoam::Waiting;

namespace {

constexpr const char* what = "a reduction";

} // namespace

namespace Foam {

void reduce(scalar& value, const sumOp<scalar>&, const int, const label comm) {
  if (UPstream::parRun()) {
    const Waiting waiting(what, comm);
    sum_over_ranks({&value, 1}, pstream().communicators.at(comm));
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
    const Waiting waiting(what, comm);
    std::array<double, 2> sums{value.x(), value.y()};
    sum_over_ranks(sums, pstream().communicators.at(comm));
    value = vector2D(sums[0], sums[1]);
  }
}

void sumReduce(scalar& value, label& count, const int, const label comm) {
  if (UPstream::parRun()) {
    const Waiting waiting(what, comm);
    std::array<double, 2> sums{value, static_cast<double>(count)}; // exact up to 2^53
    sum_over_ranks(sums, pstream().communicators.at(comm));
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
