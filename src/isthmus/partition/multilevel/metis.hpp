// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/partition/multilevel/divide.hpp"

namespace isthmus::partition {

/// METIS on a whole graph that was checked; 1 <= parts <= vertices.
[[nodiscard]] Parts divide_by_metis(const Graph& graph, int parts, const Settings& settings);

} // namespace isthmus::partition
