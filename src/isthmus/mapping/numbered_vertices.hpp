// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/candidates/packed_boxes.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>

namespace isthmus::mapping {

/// The vertices of a mesh in the order of their numbers, with the tree that preCICE makes of them:
/// says which of equally near ones it takes. Made when the first query needs it: mostly none does.
class NumberedVertices {
 public:
  /// Interleaved coordinates, which must outlive this or be unchanged until the last call.
  NumberedVertices(int dimensions, std::span<const double> coordinates)
      : dimensions_(dimensions), coordinates_(coordinates) {}

  /// Replaces the ids of some queries (positions in both, interleaved coordinates). There must be
  /// vertices. Several threads may ask.
  void find(std::span<const double> queries, std::span<const std::size_t> tied,
            std::span<LocalIndex> ids);

 private:
  int dimensions_;
  std::span<const double> coordinates_;
  std::mutex one_at_a_time_;
  std::unique_ptr<geometry::PackedBoxes> boxes_; // null: not made yet
};

} // namespace isthmus::mapping
