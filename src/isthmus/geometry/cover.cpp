// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/cover.hpp"

#include "isthmus/geometry/morton.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace isthmus::geometry {
namespace {

// Boxes thinner than this part of the whole are counted as if they were this thick.
constexpr double thickness = 1.0 / 128.0;

// A cell of a level, and a tight box around the points in it.
struct Cell {
  std::uint64_t key; // its first
  Box box;
};

// Makes one cell of neighbours with the same key.
void unite_equal(std::vector<Cell>& cells) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (count > 0 && cells[count - 1].key == cells[i].key) {
      cells[count - 1].box.expand(cells[i].box);
    } else {
      cells[count++] = cells[i];
    }
  }
  cells.resize(count);
}

void sort_and_unite(std::vector<Cell>& cells) {
  std::sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) { return a.key < b.key; });
  unite_equal(cells);
}

// The cells of a level that hold points, in curve order.
std::vector<Cell> cells_of_points(int dim, std::span<const double> coords, const MortonGrid& grid,
                                  int level) {
  std::vector<Cell> cells;
  std::size_t most = 1024; // with equal ones among them
  const std::size_t n = point_count(dim, coords);
  for (std::size_t i = 0; i < n; ++i) {
    const Point p = point_at(dim, coords, i);
    const std::uint64_t key = grid.first_key(grid.key(p), level);
    if (cells.empty() || cells.back().key != key) {
      if (cells.size() == most) {
        sort_and_unite(cells);
        most = std::max(most, 2 * cells.size());
      }
      cells.push_back({key, {}});
    }
    cells.back().box.expand(p);
  }
  sort_and_unite(cells);
  return cells;
}

// The boxes of the deepest level that has at most `limit` of them.
std::vector<Box> few_cells(const MortonGrid& grid, std::vector<Cell> cells, int level,
                           std::size_t limit) {
  while (cells.size() > limit) {
    --level;
    for (Cell& cell : cells) {
      cell.key = grid.first_key(cell.key, level);
    }
    unite_equal(cells);
  }
  std::vector<Box> boxes;
  for (const Cell& cell : cells) {
    boxes.push_back(cell.box);
  }
  return boxes;
}

// Boxes that unite, two at a time, where that adds the least volume.
class Merger {
 public:
  // Volumes are relative to a cube of the given edge.
  Merger(int dim, double edge, std::vector<Box> boxes)
      : dim_(dim), edge_(edge), boxes_(std::move(boxes)), partner_(boxes_.size()) {
    for (const Box& box : boxes_) {
      volumes_.push_back(volume(box));
    }
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
    volumes_[into] = volume(boxes_[into]);
    boxes_.erase(boxes_.begin() + static_cast<std::ptrdiff_t>(gone));
    volumes_.erase(volumes_.begin() + static_cast<std::ptrdiff_t>(gone));
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
    const double added = volume(both) - volumes_[i] - volumes_[j];
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
  std::vector<double> volumes_;
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
