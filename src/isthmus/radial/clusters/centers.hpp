// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/geometry/box.hpp"
#include "isthmus/geometry/search/point_index.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace isthmus::radial {

/// By how many spacings, at least, centers are apart: about as many points as `count` below are
/// nearest to each then.
constexpr double centers_apart = 1.35;

/// Points near which all others are.
struct Centers {
  std::vector<LocalIndex> chosen; // ascending
  std::vector<double> farthest;   // of each: the farthest point to which no other one is nearer
  std::vector<geometry::Point> middles; // of each: of the points to which no other one is nearer
  std::vector<double>
      spacing; // by point: its distance from the count-th nearest one, itself counted
  // By point, where some may be missing: whether it is a center is certain if none is missing up to
  // this distance from those who ask.
  std::vector<double> needed;
};

/// No two centers are nearer to each other than centers_apart spacings, of both, and every point is
/// as near to one. Points are taken in an order of chance that their places decide, so that what is
/// chosen around a place depends on the points around it only. `away`: how far each point is from
/// those who ask, where points may be missing that are farther away; empty: none is missing.
/// `index`: of `points`.
[[nodiscard]] Centers choose_centers(std::span<const geometry::Point> points,
                                     const geometry::PointIndex& index, std::size_t count,
                                     std::span<const double> away);

} // namespace isthmus::radial
