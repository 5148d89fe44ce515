// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/iteration/convergence.hpp"

#include "isthmus/base/exception.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

using isthmus::acceleration::Norms;
using isthmus::config::ConvergenceMeasure;
using isthmus::config::MeasureKind;
using isthmus::iteration::Convergence;

namespace {

ConvergenceMeasure measure(MeasureKind kind, double limit) {
  ConvergenceMeasure one;
  one.kind = kind;
  one.data = "x";
  one.mesh = "Mesh";
  one.limit = limit;
  return one;
}

bool judge(Convergence& convergence, Norms norms, int iteration) {
  return convergence.judge(std::vector{norms}, iteration);
}

} // namespace

TEST_CASE("each kind of measure compares the residual with its own scale") {
  Convergence absolute({measure(MeasureKind::absolute, 0.5)});
  CHECK(!judge(absolute, {0.6, 100}, 1));
  CHECK(judge(absolute, {0.5, 0}, 2));
  CHECK(absolute.values()[0] == 0.5);
  Convergence relative({measure(MeasureKind::relative, 0.5)});
  CHECK(!judge(relative, {6, 10}, 1));
  CHECK(relative.values()[0] == 0.6);
  CHECK(judge(relative, {5, 10}, 2));
  CHECK(judge(relative, {0, 0}, 3));                                      // of nothing
  CHECK(relative.values()[0] == std::numeric_limits<double>::infinity()); // as preCICE logs it
  Convergence drop({measure(MeasureKind::residual_relative, 0.1)});
  CHECK(!judge(drop, {10, 1}, 1));
  CHECK(!judge(drop, {2, 1}, 2));
  CHECK(judge(drop, {1, 1}, 3));
  CHECK(!judge(drop, {1, 1}, 1)); // the first of the next window
  ConvergenceMeasure either = measure(MeasureKind::absolute_or_relative, 0.1);
  either.abs_limit = 2;
  Convergence any({either});
  CHECK(judge(any, {2, 1}, 1));
  CHECK(judge(any, {3, 30}, 2));
  CHECK(!judge(any, {3, 29}, 3));
  CHECK(any.values()[0] == 0); // as preCICE logs it
}

TEST_CASE("what was measured stands beside its limit, as people read it") {
  ConvergenceMeasure either = measure(MeasureKind::absolute_or_relative, 0.1);
  either.abs_limit = 2;
  Convergence all({measure(MeasureKind::absolute, 0.5), measure(MeasureKind::relative, 1e-5),
                   measure(MeasureKind::residual_relative, 0.1), either});
  static_cast<void>(all.judge(std::vector<Norms>{{4, 1}, {1, 1}, {8, 1}, {8, 1}}, 1));
  static_cast<void>(all.judge(std::vector<Norms>{{0.5, 1}, {2e-3, 10}, {2, 1}, {3, 40}}, 2));
  CHECK(
      all.report() ==
      "x on Mesh 0.5 <= 0.5 (absolute); x on Mesh 0.0002 > 1e-05 (relative); x on Mesh 0.25 > 0.1 "
      "(of the first residual); x on Mesh 3 > 2 (absolute) or 0.075 <= 0.1 (relative)");
  Convergence nothing({measure(MeasureKind::relative, 0.5)});
  CHECK(judge(nothing, {0, 0}, 1));
  CHECK(nothing.report() == "x on Mesh 0 <= 0.5 (relative)"); // not infinite, as in the log file
}

TEST_CASE("all measures must be met, or one that suffices, and strict ones always") {
  ConvergenceMeasure suffices = measure(MeasureKind::absolute, 1);
  suffices.suffices = true;
  ConvergenceMeasure strict = measure(MeasureKind::absolute, 1);
  strict.strict = true;
  const ConvergenceMeasure plain = measure(MeasureKind::absolute, 1);
  const std::vector<Norms> first_only{{0, 1}, {2, 1}};
  CHECK(!Convergence({plain, plain}).judge(first_only, 1));
  CHECK(Convergence({suffices, plain}).judge(first_only, 1));
  Convergence refused({suffices, strict});
  CHECK(!refused.judge(first_only, 1));
  CHECK_THROWS_AS(refused.check_strict(7), isthmus::Error);
  CHECK(refused.judge(std::vector<Norms>{{0, 1}, {1, 1}}, 2));
  CHECK_NOTHROW(refused.check_strict(7));
  CHECK(!Convergence({}).judge({}, 1)); // nothing is measured: only the number of iterations ends
}

TEST_CASE("the error of a strict measure tells what was compared with its limits") {
  ConvergenceMeasure either = measure(MeasureKind::absolute_or_relative, 0.1);
  either.abs_limit = 2;
  either.strict = true;
  Convergence refused({either});
  CHECK(!judge(refused, {3, 20}, 1));
  try {
    refused.check_strict(7);
    FAIL("no error");
  } catch (const isthmus::Error& error) {
    const std::string text = error.what();
    CAPTURE(text);
    CHECK(text.find("not met after 7 iterations (max-iterations): 3 > 2 (absolute) or 0.15 > 0.1 "
                    "(relative). Allow more iterations") != std::string::npos);
  }
}

TEST_CASE("a norm that is not finite ends the run and names the data") {
  Convergence convergence({measure(MeasureKind::relative, 0.5)});
  CHECK(convergence.names() == std::vector<std::string>{"ResRel(Mesh:x)"});
  CHECK_THROWS_WITH_AS(
      judge(convergence, {std::numeric_limits<double>::quiet_NaN(), 1}, 3),
      doctest::Contains("data \"x\" on mesh \"Mesh\" is no longer finite in iteration 3"),
      isthmus::Error);
}
