// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>

namespace isthmus::partition {

/// Position on the Hilbert curve of a cell of a grid with 2^bits cells per axis in `dim` (2 or 3)
/// dimensions; dim * bits <= 64. Skilling, AIP Conf. Proc. 707, 2004, doi 10.1063/1.1751381.
[[nodiscard]] std::uint64_t hilbert_key(int dim, int bits, std::array<std::uint32_t, 3> cell);

} // namespace isthmus::partition
