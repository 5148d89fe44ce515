// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/margin.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/wire.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isthmus::coupling {

namespace {

template <comm::Plain T>
T swap_value(Connection& partner, const T& own) {
  comm::Writer writer;
  writer.put(own);
  const auto bytes = partner.swap(writer.take());
  return comm::Reader(bytes).get<T>();
}

double gap(const geometry::Box& a, const geometry::Box& b) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double d = std::max({a.lo[k] - b.hi[k], b.lo[k] - a.hi[k], 0.0});
    sum += d * d;
  }
  return std::sqrt(sum);
}

void check_extents(const MeshRelation& relation, const Extent& provided, const Extent& received) {
  check(
      provided.num_vertices > 0,
      "mesh \"{}\" of participant \"{}\" has no vertices on any rank, but participant \"{}\" maps "
      "from or to it; define vertices before initialize(), or after resetMesh()",
      relation.mesh, relation.provider, relation.receiver);
  check(
      received.num_vertices > 0,
      "participant \"{}\" has no vertices on mesh \"{}\" on any rank, but maps between it and mesh "
      "\"{}\" of participant \"{}\"; define vertices before initialize(), or after resetMesh()",
      relation.receiver, relation.uses.front().own_mesh, relation.mesh, relation.provider);
  const double apart = gap(provided.box, received.box);
  const double sizes = provided.box.diagonal() + received.box.diagonal();
  const bool is_mapped = std::any_of(relation.uses.begin(), relation.uses.end(),
                                     [](const MappingUse& use) { return !use.direct; });
  const bool both_extended = provided.box.diagonal() > 0 && received.box.diagonal() > 0;
  check(
      !is_mapped || !both_extended || apart <= sizes, // a region may lie anywhere
      "mesh \"{}\" of participant \"{}\" and mesh \"{}\" of participant \"{}\" do not overlap: "
      "they "
      "are {:.4g} apart, their diagonals are {:.4g} and {:.4g}; check the units and the origin of "
      "both geometries",
      relation.mesh, relation.provider, relation.uses.front().own_mesh, relation.receiver, apart,
      provided.box.diagonal(), received.box.diagonal());
}

} // namespace

Margin::Margin(Connection& partner, const MeshRelation& relation, const Extent& own,
               bool is_receiver, double last) {
  const Extent other = swap_value(partner, own);
  keeps_ = own.keeps && other.keeps;
  const Extent& received = is_receiver ? own : other;
  const Extent& provided = is_receiver ? other : own;
  check_extents(relation, provided, received);
  geometry::Box joint = own.box;
  joint.expand(other.box);
  unlimited_ = received.num_ranks == 1 || relation.sends_everything() || relation.sends_shares() ||
               relation.initialization == config::Initialization::one_level;
  num_provided_ = provided.num_vertices;
  // more than the diagonal: a box around one end that is moved by just as much may miss the other
  largest_ = std::max(joint.diagonal() * (1 + 1e-9), std::numeric_limits<double>::min());
  const double guess = last > 0 ? last : 1.5 * std::max(own.spacing, other.spacing);
  value_ = std::min(largest_, std::max(guess, 1e-4 * largest_));
}

bool Margin::suffices(Connection& partner, double needed) {
  if (unlimited_) {
    return true;
  }
  const comm::Comm& comm = partner.context().comm;
  const double own = comm::allreduce(comm, needed, comm::Op::max);
  const double other = swap_value(partner, own);
  most_ = std::max(own, other);
  if (most_ <= value_ || value_ >= largest_) {
    return true;
  }
  value_ = std::isfinite(most_) ? most_ * (1 + 1e-9) : std::min(largest_, 4 * value_);
  return false;
}

double Margin::left() const {
  return unlimited_ ? std::numeric_limits<double>::infinity() : std::max(value_ - most_, 0.0);
}

} // namespace isthmus::coupling
