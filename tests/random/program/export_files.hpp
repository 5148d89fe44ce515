// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace random_runs {

/// What a file of an export says of the vertices, one after the other: coordinates, rank, data.
struct Table {
  std::size_t columns = 0;
  std::vector<double> values;
};

/// Of a mesh of so many dimensions, in the format that the extension says: csv, vtk, vtu or vtp.
/// Throws std::runtime_error if it is not in that form.
[[nodiscard]] Table read_export(const std::string& file, int dimensions);

struct SeriesEntry {
  std::string file;
  double time = 0;
};

[[nodiscard]] std::vector<SeriesEntry> read_series(const std::string& file);

} // namespace random_runs
