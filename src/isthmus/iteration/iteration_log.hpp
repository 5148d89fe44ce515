// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/accelerator.hpp"
#include "isthmus/base/text/table_file.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::iteration {

/// The tables precice-PARTICIPANT-iterations.log and, of who decides whether a window has
/// converged, precice-PARTICIPANT-convergence.log in the working directory: one line per time
/// window, one per iteration, which is in the file at the end of the window or before.
class IterationLog {
 public:
  /// Bytes of both tables.
  struct Sizes {
    std::uint64_t iterations = 0;
    std::uint64_t convergence = 0;
  };

  IterationLog() = default; ///< writes nothing
  /// Error if a file cannot be opened. `measures`: names of the columns, of who decides; none: no
  /// table of them.
  /// `counts_columns`: whether the counters of windows are given. `keep`: what an earlier run wrote
  /// and stays.
  IterationLog(const std::string& participant,
               const std::optional<std::vector<std::string>>& measures, bool counts_columns,
               const std::optional<Sizes>& keep);

  /// What is in the files between windows.
  [[nodiscard]] Sizes sizes() const { return {iterations_.size(), convergence_.size()}; }

  void iteration(int window, int iteration, std::span<const double> measures);
  /// `ends_early`: with fewer iterations than are allowed, whatever the measures say.
  void window(int window, int total_iterations, int iterations, bool ends_early,
              const std::optional<acceleration::Counters>& counters);

 private:
  TableFile iterations_;
  TableFile convergence_;
};

} // namespace isthmus::iteration
