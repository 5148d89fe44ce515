// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/transfer/mesh_bits.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace isthmus::transfer {

/// What all ranks of a participant together send a partner about the meshes that they have reset.
/// Where the changes are small, ranks that see none of them go on as if there were none.
struct Changes {
  static constexpr std::size_t max_boxes = 8;

  MeshBits reset = 0;
  std::uint32_t is_small = 1;  // vertices have moved a little, and that is all
  std::uint32_t num_boxes = 0; // around the old and new coordinates of all vertices that moved
  double moved_by = 0;         // at most, since the distances of answers were measured
  std::array<geometry::Box, max_boxes> boxes{};

  [[nodiscard]] std::span<const geometry::Box> moved_boxes() const {
    return std::span(boxes).first(num_boxes);
  }
  /// One more box; where there are too many, two become one.
  void enclose(const geometry::Box& box);
  void merge(const Changes& other);
  /// Whether anything has moved there; no boxes at all mean everywhere.
  [[nodiscard]] bool reach(std::span<const geometry::Box> region) const;
};

/// Collective. Those of all ranks: two messages per rank.
[[nodiscard]] Changes merged_over_ranks(const comm::Comm& comm, Changes own);

/// What two participants have reset since they planned together.
struct Renewal {
  std::string partner;
  Changes own;
  Changes theirs;

  /// Whether anything has moved there, on either side.
  [[nodiscard]] bool reaches(std::span<const geometry::Box> region) const {
    return own.reach(region) || theirs.reach(region);
  }
};

} // namespace isthmus::transfer
