// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/domains.hpp"
#include "isthmus/comm/collective.hpp"
#include "message_of.hpp"
#include "waters.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <set>
#include <string>

using namespace isthmus;
using namespace isthmus::mps;
using waters::case_of;
using waters::with;

namespace {

/// Of a file: ranks, step, new, from, to, particles, beyond.
std::vector<std::array<int, 7>> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  CHECK(line == "ranks,step,new,from,to,particles,beyond");
  std::vector<std::array<int, 7>> result;
  while (std::getline(file, line)) {
    auto& row = result.emplace_back();
    CHECK(std::sscanf(line.c_str(), "%d,%d,%d,%d,%d,%d,%d", row.data(), &row[1], &row[2], &row[3],
                      &row[4], &row[5], &row[6]) == 7);
  }
  return result;
}

} // namespace

TEST_CASE("a trace tells the particles of each message, and leaves the run as it is") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder folder;
  Case from = case_of(
      with(waters::column, "end = 0.2", "end = 0.1\nbalance = \"counted\"\nbalance-every = 5"));
  const std::int64_t steps = run(comm, from, nullptr).steps;
  from.output.trace = "trace.csv";
  const RunResult result = run(comm, from, nullptr);
  CHECK(result.steps == steps);
  if (!comm.is_root()) {
    return;
  }
  const auto rows = lines_of("trace.csv");
  std::set<std::array<int, 2>> pairs; // that a step has
  int last = -1;
  for (const auto& row : rows) {
    CHECK(row[0] == comm.size());
    CHECK(row[1] >= last);
    if (row[1] > last) {
      pairs.clear();
      last = row[1];
    }
    CHECK(row[3] != row[4]);
    CHECK(pairs.insert({row[3], row[4]}).second);
    CHECK((row[6] == 0 || row[5] > 0)); // beyond the neighbours only what gets something
    // the first two and those after a cut
    CHECK(row[2] == (row[1] < 2 || (row[1] > 2 && (row[1] - 2) % 5 == 0) ? 1 : 0));
  }
  CHECK((comm.size() == 1 ? rows.empty() : last == steps + 1));
  CHECK((comm.size() == 1 || !pairs.empty()));
}

TEST_CASE("a trace that cannot be written is refused on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Case from = case_of(waters::column);
  from.output.trace = "there/is/no/folder.csv";
  CHECK(message_of([&] {
          run(comm, from, nullptr);
        }).find("cannot write who sends particles to whom to \"there/is/no/folder.csv\"") !=
        std::string::npos);
}
