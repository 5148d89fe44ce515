// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/iteration/iteration_log.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using isthmus::acceleration::Counters;
using isthmus::iteration::IterationLog;

namespace {

/// The words of each line.
std::vector<std::vector<std::string>> table(const std::string& name) {
  std::vector<std::vector<std::string>> lines;
  std::ifstream file("precice-B-" + name + ".log");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    lines.emplace_back();
    for (std::string word; words >> word;) {
      lines.back().push_back(word);
    }
  }
  return lines;
}

using Table = std::vector<std::vector<std::string>>;

} // namespace

TEST_CASE("the logs have a line for each iteration and each window") {
  const WorkingFolder folder;
  IterationLog log("B", std::vector<std::string>{"ResRel(Mesh:x)"}, true, {});
  log.iteration(1, 1, std::vector{0.5});
  log.iteration(1, 2, std::vector{0.25});
  log.window(1, 2, 2, true, Counters{3, 4, 5});
  CHECK(table("convergence") == Table{{"TimeWindow", "Iteration", "ResRel(Mesh:x)"},
                                      {"1", "1", "5.00000000e-01"},
                                      {"1", "2", "2.50000000e-01"}});
  CHECK(table("iterations") == Table{{"TimeWindow", "TotalIterations", "Iterations", "Convergence",
                                      "QNColumns", "DeletedQNColumns", "DroppedQNColumns"},
                                     {"1", "2", "2", "1", "3", "4", "5"}});
}

TEST_CASE("who decides without measures has the iterations in the convergence log all the same") {
  const WorkingFolder folder;
  IterationLog log("B", std::vector<std::string>{}, false, {});
  log.iteration(1, 1, {});
  log.iteration(1, 2, {});
  log.window(1, 2, 2, false, {});
  CHECK(table("convergence") == Table{{"TimeWindow", "Iteration"}, {"1", "1"}, {"1", "2"}});
}

TEST_CASE("who does not decide writes no convergence log, and without columns none are named") {
  const WorkingFolder folder;
  IterationLog log("B", {}, false, {});
  log.window(1, 7, 7, false, {});
  CHECK(table("convergence").empty());
  CHECK(!std::filesystem::exists("precice-B-convergence.log"));
  CHECK(table("iterations") == Table{{"TimeWindow", "TotalIterations", "Iterations", "Convergence"},
                                     {"1", "7", "7", "0"}});
}

TEST_CASE("a later run goes on behind the lines that stay") {
  const WorkingFolder folder;
  IterationLog::Sizes sizes;
  {
    IterationLog log("B", {}, false, {});
    log.window(1, 1, 1, true, {});
    sizes = log.sizes();
    log.window(2, 2, 1, true, {}); // of a window that is computed again
  }
  IterationLog log("B", {}, false, sizes);
  log.window(2, 5, 4, true, {});
  CHECK(table("iterations") == Table{{"TimeWindow", "TotalIterations", "Iterations", "Convergence"},
                                     {"1", "1", "1", "1"},
                                     {"2", "5", "4", "1"}});
}
