// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "first_and_second.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

/// A coupled run of "First" and "Second": the vector X forth, the scalar Y back. For programs that
/// are built with preCICE alone, too.
struct Case {
  std::string scheme = "parallel-implicit"; // with IQN-ILS at "Second"
  int windows = 1;
  int iterations = 1;      // of each window
  int steps = 1;           // of each window
  int reused = 0;          // windows
  std::string filter = {}; // of IQN-ILS; empty: the default
};

constexpr double window_size = 0.1;

inline std::string configuration(const Case& what, const std::string& folder) {
  FirstAndSecond run{.directory = folder,
                     .scheme = what.scheme,
                     .windows = "<max-time value=\"" + std::to_string(what.windows * window_size) +
                                "\" /><time-window-size value=\"" + std::to_string(window_size) +
                                "\" />",
                     .dimensions = 3,
                     .is_vector = true,
                     .substeps = what.steps > 1};
  if (what.scheme == "parallel-implicit") {
    const std::string iterations = std::to_string(what.iterations);
    run.control = R"(
    <min-iterations value=")" +
                  iterations + R"(" /><max-iterations value=")" + iterations + R"(" />
    <relative-convergence-measure data="X" mesh="First-Mesh" limit="1e-12" />
    <relative-convergence-measure data="Y" mesh="First-Mesh" limit="1e-12" />
    <acceleration:IQN-ILS><data name="X" mesh="First-Mesh" /><data name="Y" mesh="First-Mesh" />
      <initial-relaxation value="0.1" /><max-used-iterations value="100" />
      <time-windows-reused value=")" +
                  std::to_string(what.reused) + "\" />" + what.filter + "</acceleration:IQN-ILS>";
  }
  return run.xml();
}

/// Coordinates of a rank's vertices, in three dimensions.
inline std::vector<double> places(std::size_t count, int rank) {
  std::vector<double> coordinates(3 * count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    coordinates[3 * i] = rank + static_cast<double>(i) / static_cast<double>(count);
  }
  return coordinates;
}

/// Every vertex answers with a slope of its own, so that the residual stays rich.
inline void answer(bool first, int iteration, const std::vector<double>& read,
                   std::vector<double>& written) {
  const std::size_t width = first ? 3 : 1; // of what is written
  for (std::size_t i = 0; i < written.size(); ++i) {
    const double slope = 0.9 * std::sin(0.37 * static_cast<double>(i + 1));
    const double other = read[first ? i / width : 3 * i];
    written[i] = 1 + 0.01 * std::cos(static_cast<double>(iteration % 7 + 1)) +
                 slope * other / (1 + other * other);
  }
}
