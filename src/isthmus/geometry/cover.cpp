// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/cover.hpp"

#include "isthmus/geometry/morton.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace isthmus::geometry {
namespace {

// Boxes thinner than this part of the whole are counted as if they were this thick.
constexpr double thickness = 1.0 / 128.0;

// Tight boxes around the points of each cell of a level, by key.
std::map<std::uint64_t, Box> cells_of_points(int dim, std::span<const double> coords,
                                             const MortonGrid& grid, int level) {
  std::map<std::uint64_t, Box> cells;
  auto last = cells.end();
  const std::size_t n = point_count(dim, coords);
  for (std::size_t i = 0; i < n; ++i) {
    const Point p = point_at(dim, coords, i);
    const std::uint64_t cell = grid.first_key(grid.key(p), level);
    if (last == cells.end() || last->first != cell) {
      last = cells.try_emplace(cell).first;
    }
    last->second.expand(p);
  }
  return cells;
}

// The boxes of the deepest level that has at most `limit` of them.
std::vector<Box> few_cells(const MortonGrid& grid, std::map<std::uint64_t, Box> cells, int level,
                           std::size_t limit) {
  while (cells.size() > limit) {
    std::map<std::uint64_t, Box> parents;
    --level;
    for (const auto& [key, box] : cells) {
      parents[grid.first_key(key, level)].expand(box);
    }
    cells.swap(parents);
  }
  std::vector<Box> boxes;
  for (const auto& [key, box] : cells) {
    boxes.push_back(box);
  }
  return boxes;
}

// Boxes that unite, two at a time, where that adds the least volume.
class Merger {
 public:
  // Volumes are relative to a cube of the given edge.
  Merger(int dim, double edge, std::vector<Box> boxes)
      : dim_(dim), edge_(edge), boxes_(std::move(boxes)), partner_(boxes_.size()) {
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      choose_partner(i);
    }
  }

  // At least two boxes.
  void merge_closest() {
    const auto closest =
        std::min_element(partner_.begin(), partner_.end() - 1,
                         [](const Partner& a, const Partner& b) { return a.added < b.added; });
    const auto into = static_cast<std::size_t>(closest - partner_.begin());
    const std::size_t gone = closest->box;
    boxes_[into].expand(boxes_[gone]);
    boxes_.erase(boxes_.begin() + static_cast<std::ptrdiff_t>(gone));
    partner_.erase(partner_.begin() + static_cast<std::ptrdiff_t>(gone));
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      if (i == into || partner_[i].box == into || partner_[i].box == gone) {
        choose_partner(i);
        continue;
      }
      if (partner_[i].box > gone) {
        --partner_[i].box;
      }
      if (i < into) {
        consider(i, into);
      }
    }
  }

  [[nodiscard]] const std::vector<Box>& boxes() const { return boxes_; }

 private:
  // The box after box i that it had best unite with.
  struct Partner {
    std::size_t box;
    double added;
  };

  void choose_partner(std::size_t i) {
    partner_[i] = {i + 1, Box::infinity};
    for (std::size_t j = i + 1; j < boxes_.size(); ++j) {
      consider(i, j);
    }
  }

  void consider(std::size_t i, std::size_t j) {
    Box both = boxes_[i];
    both.expand(boxes_[j]);
    const double added = volume(both) - volume(boxes_[i]) - volume(boxes_[j]);
    if (added < partner_[i].added) {
      partner_[i] = {j, added};
    }
  }

  [[nodiscard]] double volume(const Box& box) const {
    double product = 1.0;
    for (int k = 0; k < dim_; ++k) {
      product *= (box.hi[k] - box.lo[k]) / edge_ + thickness;
    }
    return product;
  }

  int dim_;
  double edge_;
  std::vector<Box> boxes_; // in curve order of their first cells
  std::vector<Partner> partner_;
};

} // namespace

std::vector<Box> cover(int dim, std::span<const double> coords, int max_boxes) {
  constexpr int deepest = 6;
  const Box whole = bounding_box(dim, coords);
  const auto limit = static_cast<std::size_t>(std::max(max_boxes, 1));
  const MortonGrid grid(dim, whole);
  Merger merger(
      dim, whole.longest_edge(),
      few_cells(grid, cells_of_points(dim, coords, grid, deepest), deepest, 8 * limit + 56));
  while (merger.boxes().size() > limit) {
    merger.merge_closest();
  }
  return merger.boxes();
}

} // namespace isthmus::geometry
