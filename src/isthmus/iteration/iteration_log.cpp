// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/iteration/iteration_log.hpp"

#include <fmt/format.h>

#include <iterator>

namespace isthmus::iteration {

IterationLog::IterationLog(const std::string& participant,
                           const std::optional<std::vector<std::string>>& measures,
                           bool counts_columns, const std::optional<Sizes>& keep)
    : iterations_(fmt::format("precice-{}-iterations.log", participant),
                  keep ? std::optional(keep->iterations) : std::nullopt) {
  if (!iterations_.is_continued()) {
    iterations_.put(
        fmt::format("  TimeWindow  TotalIterations  Iterations  Convergence{}\n",
                    counts_columns ? "  QNColumns  DeletedQNColumns  DroppedQNColumns" : ""));
  }
  if (measures) {
    convergence_ = TableFile(fmt::format("precice-{}-convergence.log", participant),
                             keep ? std::optional(keep->convergence) : std::nullopt);
    if (!convergence_.is_continued()) {
      convergence_.put(fmt::format("  TimeWindow  Iteration  {}\n", fmt::join(*measures, "  ")));
    }
  }
}

void IterationLog::iteration(int window, int iteration, std::span<const double> measures) {
  fmt::memory_buffer line; // in every iteration: on the stack
  fmt::format_to(std::back_inserter(line), "{:6}  {:6}", window, iteration);
  for (const double value : measures) {
    fmt::format_to(std::back_inserter(line), "   {:.8e}", value);
  }
  line.push_back('\n');
  convergence_.put_soon({line.data(), line.size()});
}

void IterationLog::window(int window, int total_iterations, int iterations, bool ends_early,
                          const std::optional<acceleration::Counters>& counters) {
  std::string line = fmt::format("{:6}  {:6}  {:6}  {:6}", window, total_iterations, iterations,
                                 ends_early ? 1 : 0);
  if (counters) {
    line +=
        fmt::format("  {:6}  {:6}  {:6}", counters->columns, counters->deleted, counters->dropped);
  }
  iterations_.put(line + "\n");
  convergence_.flush();
}

} // namespace isthmus::iteration
