// SPDX-License-Identifier: BSD-3-Clause
#include "particles/fluid/kernel.hpp"

#include "isthmus/base/error.hpp"

#include <cmath>

namespace isthmus::mps {

Kernel::Kernel(int dimensions, double spacing, double radius)
    : dimensions_(dimensions), spacing_(spacing), radius_(radius * spacing) {
  check(dimensions == 2 || dimensions == 3, "particles move in 2 or 3 dimensions, not in {}",
        dimensions);
  check(spacing > 0 && radius > 1, "particles {} apart do not reach each other within {} spacings",
        spacing, radius);
  const int reach = static_cast<int>(std::ceil(radius));
  const int depth = dimensions == 3 ? reach : 0;
  double squares = 0;
  for (int i = -reach; i <= reach; ++i) {
    for (int j = -reach; j <= reach; ++j) {
      for (int k = -depth; k <= depth; ++k) {
        const double r = spacing * std::sqrt(i * i + j * j + k * k);
        if (r > 0 && r < radius_) {
          density_ += weight(r);
          squares += weight(r) * r * r;
        }
      }
    }
  }
  lambda_ = squares / density_;
}

} // namespace isthmus::mps
