// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/residual.hpp"

#include "isthmus/acceleration/iterated_field.hpp"
#include "isthmus/acceleration/relaxation.hpp"
#include "isthmus/acceleration/state_array.hpp"
#include "isthmus/acceleration/unknowns.hpp"
#include "isthmus/acceleration/weights.hpp"
#include "isthmus/base/exception.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace isthmus;
using namespace isthmus::acceleration;

namespace {

using Vector = std::vector<double>;

/// "u" with two samples of three values, of which the second follows; "v" that follows as a whole.
std::vector<IteratedField> fields() {
  return {{.name = "u", .size = 3, .samples = 2, .follows = {0, 1, 0}},
          {.name = "v", .size = 2, .primary = false}};
}

} // namespace

TEST_CASE("unknowns are the values that do not follow, sample after sample") {
  const Unknowns unknowns(fields()[0]);
  CHECK(unknowns.size() == 2);
  Vector some(4);
  unknowns.gather(Vector{1, 2, 3, 4, 5, 6}, some);
  CHECK(some == Vector{1, 3, 4, 6});
  Vector all{9, 9, 9, 9, 9, 9};
  unknowns.scatter(some, all);
  CHECK(all == Vector{1, 9, 3, 4, 9, 6});
  CHECK(Unknowns(fields()[1]).size() == 2);
}

TEST_CASE("the residual is what an iteration changes, in samples that have equations") {
  for (const bool reduced : {true, false}) {
    Residual residual(reduced);
    residual.initialize(fields());
    Vector x{1, 2, 3, 4, 5, 6}, h{2, 9, 5, 7, 9, 10}, follows_x{1, 1}, follows_h{4, 5};
    std::vector<Iterate> iterates{{x, h}, {follows_x, follows_h}};
    std::vector<Twofold> sums;
    residual.measure(iterates, sums);
    residual.absorb(sums); // of one rank
    CHECK(residual.iteration() == 1);
    const Vector current(residual.current().begin(), residual.current().end());
    CHECK(current == (reduced ? Vector{3, 4} : Vector{1, 2, 3, 4}));
    CHECK(residual.norms()[0].residual == doctest::Approx(5)); // at the end of the window
    CHECK(residual.norms()[0].value == doctest::Approx(std::sqrt(149.0)));
    CHECK(residual.norms()[1].residual == doctest::Approx(5)); // 3 and 4
    CHECK(residual.blocks().size() == 1);
    CHECK(residual.samples() == std::vector<std::size_t>{2, 1});
    sums.clear();
    h[3] = 4;
    residual.measure(iterates, sums);
    residual.absorb(sums);
    CHECK(residual.iteration() == 2);
    const Vector previous(residual.previous().begin(), residual.previous().end());
    CHECK(previous == current);
    sums.clear();
    h[3] = std::nan("");
    residual.measure(iterates, sums);
    CHECK(message_of([&] { residual.absorb(sums); }).find("\"u\"") != std::string::npos);
  }
  Residual none(true);
  CHECK(message_of([&] { none.initialize({fields()[1]}); }).find("no data to accelerate") !=
        std::string::npos);
}

TEST_CASE("relaxation goes a part of the way, for all samples of all fields") {
  const Vector x{1, 2, 3}, y{10};
  Vector h{3, 2, -1}, g{20};
  relax(std::vector<Iterate>{{x, h}, {y, g}}, 0.25);
  CHECK(h == Vector{1.5, 2, 2});
  CHECK(g == Vector{12.5});
}

TEST_CASE("saved arrays are found by name and refused if they have another length") {
  const std::vector<StateArray> arrays{{"weights", {1, 2}}, {"factor", {3}}};
  CHECK(find_state_array(arrays, "weights").size() == 2);
  CHECK(find_state_array(arrays, "factor", 1)[0] == 3);
  CHECK(message_of([&] { (void)find_state_array(arrays, "weights", 3); }) != "no error");
  CHECK(message_of([&] { (void)find_state_array(arrays, "columns"); }).find("columns") !=
        std::string::npos);
}

TEST_CASE("weights divide each field by what the preconditioner says") {
  const std::vector<EquationRange> blocks{{0, 0, 0, 0, 2}, {2, 1, 1, 2, 5}};
  const std::vector<Norms> norms{{.residual = 3, .value = 10}, {.residual = 4, .value = 100}};
  const auto weights_of = [&](PreconditionerSettings settings) {
    Weights weights(settings);
    weights.initialize({7, 8}, blocks);
    weights.update(norms);
    return weights;
  };
  const auto values = [](const Weights& weights) {
    return Vector(weights.values().begin(), weights.values().end());
  };
  CHECK(values(weights_of({.kind = PreconditionerType::constant})) == Vector{7, 8});
  CHECK(values(weights_of({.kind = PreconditionerType::value})) == Vector{1.0 / 10, 1.0 / 100});
  CHECK(values(weights_of({.kind = PreconditionerType::residual})) == Vector{1.0 / 3, 1.0 / 4});
  const auto sums = values(weights_of({.kind = PreconditionerType::residual_sum}));
  CHECK(sums[0] == doctest::Approx(5.0 / 3));
  CHECK(sums[1] == doctest::Approx(5.0 / 4));
  Weights frozen = weights_of({.kind = PreconditionerType::residual, .freeze_after = 1});
  frozen.complete_window(norms);
  frozen.update(std::vector<Norms>{{1, 1}, {1, 1}});
  CHECK(values(frozen) == Vector{1.0 / 3, 1.0 / 4});
  Weights restored({.kind = PreconditionerType::residual});
  restored.initialize({7, 8}, blocks);
  restored.restore(frozen.save());
  CHECK(values(restored) == values(frozen));
  const std::size_t ends[] = {2, 5};
  CHECK(std::equal(restored.ends().begin(), restored.ends().end(), ends, ends + 2));
}
