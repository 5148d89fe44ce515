// SPDX-License-Identifier: BSD-3-Clause
#include "convection/numerics/step_control.hpp"
#include "cases.hpp"
#include "convection/program/run.hpp"
#include "message_of.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::convection;

namespace {

/// A line of a run.
struct Line {
  double time = 0, change = 0;
};

/// Collective. What rank 0 was told of the steps; the result.
RunResult lines_of(const comm::Comm& comm, const Case& from, std::vector<Line>& lines) {
  std::FILE* const file = std::tmpfile();
  RunResult result = run(comm, from, "", file);
  std::rewind(file);
  std::string text(1 << 20, ' ');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) {
    double step = 0, residual = 0, of_flow = 0, of_heat = 0;
    int newton = 0, linear = 0, of_temperature = 0;
    Line found;
    if (std::sscanf(line.c_str(), "%lf,%lf,%lf,%d,%d,%d,%lf,%lf", &step, &found.time, &residual,
                    &newton, &linear, &of_temperature, &of_flow, &of_heat) == 8) {
      found.change = of_flow == 1 ? of_heat : std::max(of_flow, of_heat); // 1: from rest
      lines.push_back(found);
    }
  }
  return result;
}

} // namespace

TEST_CASE("steps grow while little changes and shrink while much does" * on_ranks(1, 1)) {
  StepControl control({0.1, 0.01, 5}, 1);
  CHECK(control.is_on());
  CHECK(control.next() == 1);
  CHECK(!control.shorter(0.2, 1));
  CHECK(control.shorter(0.4, 1) == 0.25); // as much as changes in proportion
  CHECK(control.shorter(100, 1) == 0.1);  // a tenth at most at once
  CHECK(control.shorter(100, 0.05) == 0.01);
  CHECK(!control.shorter(100, 0.01)); // shorter ones are not allowed
  control.add(0.1, 1);
  CHECK(control.next() == 1);
  control.add(0.05, 1);
  CHECK(control.next() > 1);
  control.add(0, 1);
  CHECK(control.next() == 2); // at most twice as long
  control.add(0, 4);
  CHECK(control.next() == 5);
  control.add(0.19, 1);
  CHECK(control.next() < 1);
  StepControl other({0.1, 0.01, 5}, 1);
  other.resume(control.next(), control.last_change());
  control.add(0.07, control.next());
  other.add(0.07, other.next());
  CHECK(other.next() == control.next());
  const StepControl equal({}, 0.3);
  CHECK(!equal.is_on());
  CHECK(!equal.shorter(10, 0.3));
}

TEST_CASE("adaptive steps lead to the steady flow of equal ones, in few steps") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Case from = case_of(with(cavity, "[10, 1, 10]", "[6, 1, 6]"));
  from.time.steps = 400;
  from.time.step = 0.01;
  from.time.steady = 1e-6;
  from.solver.newton.relative = 1e-6;
  from.solver.heat_tolerance = 1e-8;
  std::vector<Line> equal_lines, lines;
  const RunResult equal = lines_of(comm, from, equal_lines);
  from.time.adaptive = {0.05, 1e-5, 10};
  const RunResult adaptive = lines_of(comm, from, lines);
  CHECK(equal.is_steady);
  CHECK(adaptive.is_steady);
  CHECK(adaptive.heat[0] == doctest::Approx(equal.heat[0]).epsilon(1e-3));
  CHECK(lines.size() == static_cast<std::size_t>(comm.is_root() ? adaptive.steps : 0));
  double before = 0;
  double shortest = 10;
  double longest = 0;
  for (const Line& line : lines) {
    CHECK(line.change <= 2.001 * 0.05);
    shortest = std::min(shortest, line.time - before);
    longest = std::max(longest, line.time - before);
    before = line.time;
  }
  if (comm.is_root()) {
    CHECK(longest > 10 * shortest);
    CHECK(adaptive.steps <
          0.1 * equal.time / shortest); // as many as equal ones of that length need
  }
}

TEST_CASE("bounds of adaptive steps that no step fits are refused" * on_ranks(1, 1)) {
  const auto refusal = [](const std::string& words, const std::string& tables = "") {
    const std::string text = with(cavity, "step = 0.1", "step = 0.1\nadaptive = 0.05" + words);
    return message_of([&] { static_cast<void>(case_of(text + tables)); });
  };
  CHECK(refusal("") == "no error");
  CHECK(refusal("\nshortest = 0.2").find("case.toml:8: \"step\" of [time], 0.1, is the first") !=
        std::string::npos);
  CHECK(refusal("\nlongest = 0.05").find("\"longest\", 0.05") != std::string::npos);
  const std::string found =
      refusal("", "[coupling]\nconfiguration = \"config.xml\"\ngroup = \"x-min\"\n");
  CHECK(found.find("leave \"adaptive\" of [time] out") != std::string::npos);
}
