// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace couple {

/// A mesh of lines (2D) or triangles (3D) as nobody holds it: the whole of it.
struct Surface {
  int dimensions = 3;
  std::vector<double> coordinates;
  std::vector<int> corners;   // `dimensions` vertices per element
  std::vector<int> island_of; // by element

  [[nodiscard]] int num_vertices() const {
    return static_cast<int>(coordinates.size()) / dimensions;
  }
  [[nodiscard]] int num_elements() const { return static_cast<int>(island_of.size()); }
};

/// A wavy curve or sheet over the unit interval or square, in pieces with gaps between them:
/// `islands` per direction with `points` per direction each, vertices moved a little at random.
[[nodiscard]] Surface islands(int dimensions, int islands, int points, unsigned seed,
                              double height = 0.2);
/// The same in one piece.
[[nodiscard]] Surface sheet(int dimensions, int points, unsigned seed, double height = 0.2);
/// Vertices without elements.
[[nodiscard]] Surface cloud(int dimensions, std::vector<double> coordinates);

/// How a surface is dealt to ranks.
struct Split {
  enum Order { block, strips, random, first_empty, all_on_last } order = block;
  /// Whole islands, so that no vertex belongs to two ranks, or single elements.
  bool cuts_islands = false;
};

/// Orders for two participants. Nothing can be dealt differently if both are serial.
using Orders = std::pair<Split::Order, Split::Order>;
[[nodiscard]] std::vector<Orders> all_orders(bool parallel);

/// What one rank holds: vertices, in random order, and elements made of them.
struct Part {
  std::vector<int> vertices; // of the surface
  std::vector<int> corners;  // positions in `vertices`
  std::vector<double> coordinates;
};

[[nodiscard]] Part part_of(const Surface& surface, Split split, int rank, int size);

} // namespace couple
