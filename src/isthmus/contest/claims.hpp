// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/geometry/project.hpp"
#include "isthmus/transfer/mesh_relation.hpp"
#include "isthmus/transport/frame.hpp"

#include <cstddef>
#include <vector>

namespace isthmus::contest {

// Where vertices of the provided mesh look for their place on the receiver's meshes, several ranks
// of the receiver may find one. Each claims the vertex with what it found; the provider awards it.

/// How well one rank of the receiver can place one vertex of the provider.
struct Claim {
  double distance2;       // to what was found; infinite if nothing was
  geometry::Point corner; // first vertex of what was found, decides between equal distances

  [[nodiscard]] bool better_than(const Claim& other) const {
    return distance2 != other.distance2 ? distance2 < other.distance2 : corner < other.corner;
  }
};

/// Elements of one rank of the receiver, of which the provider chooses candidates.
struct CandidateElements {
  std::vector<LocalIndex> vertices;  // their numbers on that rank
  std::vector<double> coordinates;   // of these
  std::vector<LocalIndex> edges;     // pairs of positions in `vertices`
  std::vector<LocalIndex> triangles; // triples
};

/// What a rank says about vertices of message 2, by use that speaks_for_others(); nothing for the
/// other uses. Where there are candidates, it does not claim contested vertices outside of cells.
struct Claims {
  static constexpr transport::Kind kind = transport::Kind::claims;
  std::vector<std::vector<Claim>> lists; // by use and vertex
  std::vector<CandidateElements> candidates;

  void write(Writer& writer, const transfer::MeshRelation& relation) const;
  /// Error where there are other than `count` claims, or elements with vertices that are not there.
  static Claims read(Reader& reader, const transfer::MeshRelation& relation, LocalIndex count);
};

/// What becomes of a vertex.
enum class Award : char { no, as_claimed, as_chosen };

/// The answer, by use that speaks_for_others().
struct Awards {
  static constexpr transport::Kind kind = transport::Kind::awards;
  std::vector<std::vector<Award>> lists;                  // by use and vertex
  std::vector<std::vector<geometry::Projection>> choices; // of vertices as_chosen, in their order

  void write(Writer& writer, const transfer::MeshRelation& relation) const;
  /// Error where there are other than `count` awards, or choices are missing.
  static Awards read(Reader& reader, const transfer::MeshRelation& relation, LocalIndex count);
};

/// Vertices of the provider may be found on several ranks of the receiver.
[[nodiscard]] bool claims_compete(const transfer::MeshRelation& relation, int receiver_ranks);
/// Claims for a use count for all uses that find the same: it is the first of them.
[[nodiscard]] bool speaks_for_others(const transfer::MeshRelation& relation, std::size_t use);
/// Vertices go to the candidates of all ranks of the receiver together, for a use that
/// speaks_for_others().
[[nodiscard]] bool candidates_are_joined(const transfer::MeshRelation& relation, std::size_t use);
/// Where claims compete, the receiver has to know which vertices several of its ranks get: with the
/// one-level initialization all ranks get all.
[[nodiscard]] bool contested_are_sent(const transfer::MeshRelation& relation);

} // namespace isthmus::contest
