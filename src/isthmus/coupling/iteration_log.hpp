// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/accelerator.hpp"

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace isthmus::coupling {

/// The tables precice-PARTICIPANT-iterations.log and, where convergence is measured,
/// precice-PARTICIPANT-convergence.log in the working directory: one line per time window, one per
/// iteration.
class IterationLog {
 public:
  IterationLog() = default; ///< writes nothing
  /// Error if a file cannot be opened. `measures`: names of the columns; empty: no table of them.
  IterationLog(const std::string& participant, const std::vector<std::string>& measures,
               bool quasi_newton);

  void iteration(int window, int iteration, std::span<const double> measures);
  void window(int window, int total_iterations, int iterations, bool converged,
              const acceleration::Counters& counters);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, Close>;
  [[nodiscard]] static File open(const std::string& path);

  File iterations_;
  File convergence_;
  bool quasi_newton_ = false;
};

} // namespace isthmus::coupling
