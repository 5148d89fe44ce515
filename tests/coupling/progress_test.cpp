// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/progress.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

using namespace isthmus;

namespace {

/// What a new object says.
std::string said(const std::function<void(coupling::Progress&)>& report, int rank = 0) {
  std::string text;
  Log log("P", rank);
  log.add_sink([&text](const LogRecord& record) { text += std::string(record.text) + "\n"; });
  coupling::Progress progress(log);
  report(progress);
  return text;
}

std::size_t num_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

TEST_CASE("a line of the log names the window that is done, and its iterations") {
  CHECK(said([](auto& p) { p.end(3, {}, 1.5, false); }) == "time window 3 done, time 1.5\n");
  CHECK(said([](auto& p) { p.end(3, {1}, 1.5, false); }) ==
        "time window 3 done after 1 iteration, time 1.5\n");
  CHECK(said([](auto& p) { p.end(3, {7}, 1.5, false); }) ==
        "time window 3 done after 7 iterations, time 1.5\n");
  CHECK(said([](auto& p) {
          p.end(3, {7, false}, 1.5, false);
        }) == "time window 3 done after 7 iterations without convergence, time 1.5\n");
}

TEST_CASE("a time that goes back has its reason beside it") {
  CHECK(said([](auto& p) { p.repeat(3, 4, 1); }) ==
        "time window 3 is repeated from time 1 on, iteration 4\n");
  CHECK(said([](auto& p) { p.step(3, 4, 1.25); }) == "in time window 3, iteration 4, time 1.25\n");
  CHECK(said([](auto& p) { p.step(3, 0, 1.25); }) == "in time window 3, time 1.25\n");
}

TEST_CASE("what is measured stands beside its limits") {
  config::ConvergenceMeasure measure;
  measure.kind = config::MeasureKind::relative;
  measure.data = "Flux";
  measure.mesh = "Wall";
  measure.limit = 1e-2;
  iteration::Convergence convergence({measure});
  static_cast<void>(convergence.judge(std::vector<acceleration::Norms>{{3, 100}}, 1));
  CHECK(said([&](auto& p) { p.measured(3, 1, convergence); }) ==
        "time window 3, iteration 1: Flux on Wall 0.03 > 0.01 (relative)\n");
  const iteration::Convergence none({});
  CHECK(said([&](auto& p) { p.measured(3, 1, none); }).empty());
}

TEST_CASE("the first window and the last one are said, whatever was said before") {
  const std::string text = said([](auto& p) {
    p.step(1, 0, 0.5);
    p.end(1, {}, 1, false);
    p.end(2, {}, 2, true);
  });
  CHECK(text ==
        "in time window 1, time 0.5\ntime window 1 done, time 1\ntime window 2 done, time 2\n");
  CHECK(said([](auto& p) { p.end(1, {}, 1, true); }, 1).empty()); // of the first rank only
}

TEST_CASE(
    "a long and fast run leaves lines out, those of steps before those of ends, and says so") {
  constexpr int many = 100000;
  const std::string text = said([](auto& p) {
    for (int i = 1; i <= many; ++i) {
      p.step(1, 0, 0.5);
    }
    p.end(1, {}, 1, false); // there are lines left for ends
    for (int i = 2; i <= many; ++i) {
      p.end(i, {}, i, i == many);
    }
  });
  CHECK(num_lines(text) >= 8);
  CHECK(num_lines(text) < many / 10); // also where this takes minutes
  CHECK(text.find("\ntime window 1 done, time 1 (") != std::string::npos);
  CHECK(text.find(" lines before left out)\n") != std::string::npos);
  CHECK(text.find("\ntime window 100000 done, time 100000") != std::string::npos);
}

TEST_CASE("all of the first 170 lines are allowed, of those that follow quickly seven") {
  const auto allowed = [](int lines, double pause, double reserve) {
    coupling::LineAllowance allowance;
    int number = 0;
    for (int i = 0; i < lines; ++i) {
      number += allowance.take(10 + pause * i, reserve) ? 1 : 0;
    }
    return number;
  };
  CHECK(allowed(170, 2e-3, 30) == 170);
  CHECK(allowed(1000, 2e-6, 30) == 7);
  CHECK(allowed(1000, 2e-6, 0) == 8); // ends have one more
  const int later = allowed(100000, 2e-3, 30) - allowed(50000, 2e-3, 30);
  CHECK(later >= 199); // in 100 s
  CHECK(later <= 201);
}
