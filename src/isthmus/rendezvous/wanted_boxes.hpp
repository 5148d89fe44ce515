// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/geometry/box.hpp"

#include <span>
#include <vector>

namespace isthmus::rendezvous {

/// Boxes in which another rank of the same participant wants what lies there.
struct WantedBoxes {
  int rank;
  std::vector<geometry::Box> boxes;
};

/// Collective. The ranks that want something in boxes that meet those in which this rank `has`
/// something, ascending, each with its boxes that do. Both lists are finite, and empty boxes are
/// left out. Boxes meet in cells of space that are dealt over the ranks by a hash (as in Plimpton,
/// Hendrickson, Stewart, doi 10.1016/j.jpdc.2003.12.006): no rank knows all boxes.
[[nodiscard]] std::vector<WantedBoxes> wanted_boxes(const comm::Comm& comm,
                                                    std::span<const geometry::Box> has,
                                                    std::span<const geometry::Box> wants);

} // namespace isthmus::rendezvous
