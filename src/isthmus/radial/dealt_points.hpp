// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/exchange/halo.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/la/global_ids.hpp"

#include <span>
#include <vector>

namespace isthmus::comm {
class Comm;
}

namespace isthmus::radial {

/// Points of all ranks dealt anew, by bisection: each rank has as many and all of one place. What
/// comes out does not depend on who gave which point, unless two coincide.
class DealtPoints {
 public:
  /// Collective. Each point is given by one rank. The communicator must outlive the object.
  DealtPoints(const comm::Comm& comm, std::span<const geometry::Point> given);

  /// Those of this rank, ordered by place.
  [[nodiscard]] const std::vector<geometry::Point>& points() const { return points_; }
  /// Their numbers among those of all ranks.
  [[nodiscard]] const la::Range& range() const { return range_; }

  /// Collective. What the givers have for their points (`components` interleaved values each), for
  /// the points of this rank.
  [[nodiscard]] std::vector<double> collect(int components, std::span<const double> given);
  /// Collective. The way back.
  void give_back(int components, std::span<const double> values, std::span<double> given);

 private:
  const comm::Comm* comm_;
  exchange::Halo halo_;             // from givers to ghosts as they arrive; not used on one rank
  std::vector<LocalIndex> arrival_; // of each point
  std::vector<geometry::Point> points_;
  la::Range range_;
};

} // namespace isthmus::radial
