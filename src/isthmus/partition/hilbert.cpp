// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/hilbert.hpp"

namespace isthmus::partition {

std::uint64_t hilbert_key(int dim, int bits, std::array<std::uint32_t, 3> cell) {
  const auto axes = static_cast<std::size_t>(dim);
  const std::uint32_t top = std::uint32_t{1} << (bits - 1);
  for (std::uint32_t q = top; q > 1; q >>= 1) { // undo the excess work of the transposed form
    const std::uint32_t low = q - 1;
    for (std::size_t i = 0; i < axes; ++i) {
      if ((cell[i] & q) != 0) {
        cell[0] ^= low;
      } else {
        const std::uint32_t t = (cell[0] ^ cell[i]) & low;
        cell[0] ^= t;
        cell[i] ^= t;
      }
    }
  }
  for (std::size_t i = 1; i < axes; ++i) { // Gray code
    cell[i] ^= cell[i - 1];
  }
  std::uint32_t flip = 0;
  for (std::uint32_t q = top; q > 1; q >>= 1) {
    if ((cell[axes - 1] & q) != 0) {
      flip ^= q - 1;
    }
  }
  std::uint64_t key = 0;
  for (int bit = bits - 1; bit >= 0; --bit) {
    for (std::size_t i = 0; i < axes; ++i) {
      key = key << 1 | ((cell[i] ^ flip) >> bit & 1);
    }
  }
  return key;
}

} // namespace isthmus::partition
