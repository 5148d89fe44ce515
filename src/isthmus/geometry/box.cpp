// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/box.hpp"

namespace isthmus::geometry {

Box bounding_box(int dim, std::span<const double> coords) {
  Box box;
  const std::size_t n = point_count(dim, coords);
  for (std::size_t i = 0; i < n; ++i) {
    box.expand(point_at(dim, coords, i));
  }
  return box;
}

} // namespace isthmus::geometry
