// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/transfer/changes.hpp"

#include <map>
#include <span>
#include <vector>

namespace isthmus::transfer {

// A rank looks for answers within a margin. Vertices that move by some length make no answer
// farther by more than that, so that as long as they stay within what the margin has left nobody
// needs to measure again, and no rank needs to know of changes that it does not see.

/// The same on all ranks of both participants of a relation.
struct Displacement {
  double allowed = 0;  // what the margin has left; infinite where a rank gets everything
  double provider = 0; // how far vertices have moved since that was measured, on either side
  double receiver = 0;

  /// With what is told now.
  void add(const Changes& provided, const Changes& received);
  [[nodiscard]] bool is_allowed() const { return provider + receiver <= allowed; }
};

/// Where vertices that have moved were when distances were measured.
using Origins = std::map<LocalIndex, geometry::Point>;

/// What is to be told of these vertices of a mesh, which have moved. `boxes`: in which they must
/// stay. `reach`: of elements that are at stake beside them.
[[nodiscard]] Changes note_moves(const mesh::Mesh& before, const mesh::Mesh& now,
                                 std::span<const LocalIndex> moved,
                                 std::span<const geometry::Box> boxes, double reach,
                                 Origins& origins);

} // namespace isthmus::transfer
