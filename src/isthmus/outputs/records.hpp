// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace isthmus::outputs {

/// Collective. Every record has `width` numbers, the first `dimensions` of which are its place;
/// each rank brings any share of them. Returns those at `coordinates`, one after the other, without
/// their coordinates. Where several are at one place, the first that asks gets the first, and so
/// on, in the order of ranks. Error on all ranks, naming `what`, if there is none at some place;
/// zeros where `what` is empty.
[[nodiscard]] std::vector<double> records_at(const comm::Comm& comm, const std::string& what,
                                             int dimensions, std::size_t width,
                                             std::span<const double> share,
                                             std::span<const double> coordinates);

} // namespace isthmus::outputs
