// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

/// Two box grids that share a face without matching, divided in several ways: one line of comma
/// separated values for each. `ranks` are pairs of ranks of A and B.
void measure_coupled(std::span<const int> ranks);
