// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/geometry/candidates/candidates.hpp"
#include "isthmus/mapping/mapping.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <memory>
#include <span>

namespace isthmus::mapping {

/// Candidates, numbered or not, among the elements of a mesh, which must outlive them. The sides of
/// cells take part.
[[nodiscard]] std::unique_ptr<geometry::Candidates> candidates_of(const mesh::Mesh& mesh,
                                                                  Outside outside);

/// A triangle that has not come yet, but is not farther than the nearest vertex, may win over an
/// edge that is closer: sets `needed2` of what was found among candidates. Where vertices may move
/// before the next search, any answer may become one that is as far away as the nearest vertex.
void note_needed(const mesh::Mesh& mesh, std::span<const double> points, bool may_move,
                 Interpolation& result);

} // namespace isthmus::mapping
