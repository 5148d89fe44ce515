// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/transfer/changes.hpp"

#include <map>
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

  /// With what is sent now.
  void add(const Changes& provided, const Changes& received);
  [[nodiscard]] bool is_allowed() const { return provider + receiver <= allowed; }
};

/// Where vertices that have moved were when distances were measured.
using Origins = std::map<LocalIndex, geometry::Point>;

/// A mesh as it was in the last plan, and what has moved of it since.
struct RememberedMesh {
  mesh::Mesh mesh;
  std::vector<LocalIndex> moved; // noted, not planned yet
  Origins origins;
};

/// Notes what has moved, and adds what is to be sent of it to `changes`, which are not small where
/// vertices or elements are others. `boxes`: in which vertices must stay; null: anywhere. `reach`:
/// of elements that are at stake beside them.
void note_moves(RememberedMesh& last, const mesh::Mesh& now,
                const std::vector<geometry::Box>* boxes, double reach, Changes& changes);

} // namespace isthmus::transfer
