// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/accelerator.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/iteration/iterated_data.hpp"

#include <span>
#include <vector>

/// What an acceleration keeps, as samples of the fields that it accelerates: these find their
/// vertices again on other ranks.
namespace isthmus::iteration {

/// Of each array its columns, and their samples of each field, on this rank.
[[nodiscard]] std::vector<int> counts_of(std::span<const acceleration::StateArray> arrays);

/// `counts`: the ranks have agreed on them, since ranks without vertices, or without values at
/// them, do not know how many samples a window has.
void save(std::span<const acceleration::StateArray> arrays, std::span<const int> counts,
          const IteratedData& data, Writer& shared, SampleQueue& kept);
/// The reverse.
[[nodiscard]] std::vector<acceleration::StateArray> restore(std::span<const int> counts,
                                                            const IteratedData& data,
                                                            Reader& shared, SampleQueue& kept);

} // namespace isthmus::iteration
