// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/iteration_log.hpp"

#include "isthmus/base/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace isthmus::coupling {

namespace {

void put(std::FILE* file, const std::string& line) {
  std::fwrite(line.data(), 1, line.size(), file);
  std::fflush(file); // readable while the program runs, and after it crashed
}

} // namespace

IterationLog::File IterationLog::open(const std::string& path) {
  File file(std::fopen(path.c_str(), "w"));
  check(file != nullptr, "cannot write {}: {}; may this user write to the working directory?", path,
        std::strerror(errno));
  return file;
}

IterationLog::IterationLog(const std::string& participant, const std::vector<std::string>& measures,
                           bool quasi_newton)
    : iterations_(open(fmt::format("precice-{}-iterations.log", participant))),
      quasi_newton_(quasi_newton) {
  put(iterations_.get(),
      fmt::format("  TimeWindow  TotalIterations  Iterations  Convergence{}\n",
                  quasi_newton ? "  QNColumns  DeletedQNColumns  DroppedQNColumns" : ""));
  if (!measures.empty()) {
    convergence_ = open(fmt::format("precice-{}-convergence.log", participant));
    put(convergence_.get(),
        fmt::format("  TimeWindow  Iteration  {}\n", fmt::join(measures, "  ")));
  }
}

void IterationLog::iteration(int window, int iteration, std::span<const double> measures) {
  if (convergence_) {
    std::string line = fmt::format("{:6}  {:6}", window, iteration);
    for (const double value : measures) {
      line += fmt::format("  {:.8e}", value);
    }
    put(convergence_.get(), line + "\n");
  }
}

void IterationLog::window(int window, int total_iterations, int iterations, bool converged,
                          const acceleration::Counters& counters) {
  if (iterations_) {
    std::string line = fmt::format("{:6}  {:6}  {:6}  {:6}", window, total_iterations, iterations,
                                   converged ? 1 : 0);
    if (quasi_newton_) {
      line +=
          fmt::format("  {:6}  {:6}  {:6}", counters.columns, counters.deleted, counters.dropped);
    }
    put(iterations_.get(), line + "\n");
  }
}

} // namespace isthmus::coupling
