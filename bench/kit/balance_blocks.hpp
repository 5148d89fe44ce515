// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

/// 256 blocks of very different size on these numbers of ranks, distributed in several ways: one
/// line of comma separated values for each.
void measure_blocks(std::span<const int> ranks);
