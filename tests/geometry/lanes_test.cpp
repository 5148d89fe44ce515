// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/lanes.hpp"
#include "isthmus/geometry/search/eight_boxes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

using namespace isthmus::geometry;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

std::array<float, 4> values(Lanes x) {
  alignas(16) std::array<float, 4> all{};
  store(all.data(), x);
  return all;
}

/// Eight random boxes; some are places, some are flat.
EightBoxes random_boxes(std::mt19937& engine) {
  std::uniform_real_distribution<float> draw(-1.0F, 1.0F);
  EightBoxes boxes;
  for (std::size_t k = 0; k < EightBoxes::width; ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      const float a = draw(engine);
      const float b = draw(engine) < -0.5F ? a : draw(engine);
      boxes.lo[axis][k] = std::min(a, b);
      boxes.hi[axis][k] = std::max(a, b);
    }
  }
  return boxes;
}

float distance2(const EightBoxes& boxes, std::size_t k, const std::array<float, 3>& x) {
  float sum = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const float off = std::max({boxes.lo[axis][k] - x[axis], x[axis] - boxes.hi[axis][k], 0.0F});
    sum += off * off;
  }
  return sum;
}

} // namespace

TEST_CASE("four numbers are kept, loaded from any address and compared one by one") {
  using Four = std::array<float, 4>;
  CHECK(values(lanes(2.5F)) == Four{2.5F, 2.5F, 2.5F, 2.5F});
  alignas(16) const float numbers[] = {1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(values(load(numbers + 4)) == Four{5, 6, 7, 8});
  CHECK(values(load_any(numbers + 3)) == Four{4, 5, 6, 7});
  const Lanes a{1, -2, infinity, 0};
  const Lanes b{3, -4, 5, -0.5F};
  CHECK(values(min(a, b)) == Four{1, -4, 5, -0.5F});
  CHECK(values(max(a, b)) == Four{3, -2, infinity, 0});
  CHECK(less_equal(a, b) == 0b0001U);
  CHECK(less_equal(b, a) == 0b1110U);
  CHECK(less_equal(a, a) == 0b1111U);
}

TEST_CASE("what is not a number gives way to the other one and is within nothing") {
  const Lanes none = lanes(no_number);
  const Lanes some{1, -infinity, infinity, 0};
  CHECK(values(min(none, some)) == values(some));
  CHECK(values(max(none, some)) == values(some));
  CHECK(less_equal(none, some) == 0);
  CHECK(less_equal(some, none) == 0);
}

TEST_CASE("the distances of eight boxes are those of each") {
  std::mt19937 engine(3);
  std::uniform_real_distribution<float> draw(-1.5F, 1.5F);
  for (int trial = 0; trial < 200; ++trial) {
    const EightBoxes boxes = random_boxes(engine);
    const std::array<float, 3> x{draw(engine), draw(engine), draw(engine)};
    alignas(16) float found[EightBoxes::width];
    const float bound = distance2(boxes, static_cast<std::size_t>(trial % 8), x); // just within
    const unsigned mask = boxes.distances2(LanesPoint(x), bound, found);
    for (std::size_t k = 0; k < EightBoxes::width; ++k) {
      CHECK(found[k] == doctest::Approx(distance2(boxes, k, x)).epsilon(1e-6));
      CHECK((mask >> k & 1U) == (found[k] <= bound ? 1U : 0U));
    }
  }
}

TEST_CASE("the boxes that meet a cube are those that meet it along each axis") {
  std::mt19937 engine(4);
  std::uniform_real_distribution<float> draw(-1.5F, 1.5F);
  int met = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const EightBoxes boxes = random_boxes(engine);
    const std::array<float, 3> center{draw(engine), draw(engine), draw(engine)};
    const float reach = std::abs(draw(engine));
    const unsigned mask = boxes.meet(center, reach);
    for (std::size_t k = 0; k < EightBoxes::width; ++k) {
      bool meets = true;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        meets = meets && boxes.lo[axis][k] <= center[axis] + reach &&
                boxes.hi[axis][k] >= center[axis] - reach;
      }
      CHECK((mask >> k & 1U) == (meets ? 1U : 0U));
      met += meets ? 1 : 0;
    }
  }
  CHECK(met > 100);
  CHECK(met < 1500);
}

TEST_CASE("cleared boxes are near nothing, and boxes are copied and enclosed") {
  std::mt19937 engine(5);
  const EightBoxes boxes = random_boxes(engine);
  EightBoxes around;
  around.clear();
  alignas(16) float found[EightBoxes::width];
  CHECK(around.distances2(LanesPoint({0, 0, 0}), 1e30F, found) == 0);
  CHECK(around.meet({0, 0, 0}, std::numeric_limits<float>::max()) == 0);
  around.enclose(3, boxes);
  around.copy(6, boxes, 1);
  for (int axis = 0; axis < 3; ++axis) {
    CHECK(around.lo[axis][3] == *std::min_element(boxes.lo[axis], boxes.lo[axis] + 8));
    CHECK(around.hi[axis][3] == *std::max_element(boxes.hi[axis], boxes.hi[axis] + 8));
    CHECK(around.lo[axis][6] == boxes.lo[axis][1]);
    CHECK(around.hi[axis][6] == boxes.hi[axis][1]);
  }
  CHECK(around.meet({0, 0, 0}, 10.0F) == (1U << 3 | 1U << 6));
  float longest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    longest = std::max(longest, boxes.hi[axis][1] - boxes.lo[axis][1]);
  }
  CHECK(around.longest_edge(6) == longest);
  CHECK(around.longest_edge(0) == -infinity); // nothing in it
}
