// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/quasi_newton/gram.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::acceleration {

void Gram::reserve(std::size_t slots) {
  if (slots <= capacity_) {
    return;
  }
  const std::size_t next = std::max({std::size_t{8}, 2 * capacity_, slots});
  const std::size_t before = std::exchange(capacity_, next);
  const std::vector<Twofold> old = std::exchange(products_, {});
  products_.resize(blocks_ * capacity_ * capacity_);
  for (std::size_t line = 0; line < blocks_ * before; ++line) {
    std::copy_n(&old[line * before], before, &between(line / before, line % before, 0));
  }
  with_residual_.resize(blocks_ * capacity_);
}

} // namespace isthmus::acceleration
