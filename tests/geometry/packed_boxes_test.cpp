// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/candidates/packed_boxes.hpp"

#include "geometry/clouds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

using namespace isthmus::geometry;

namespace {

std::vector<Box> random_boxes(std::size_t count, unsigned seed) {
  const auto centers = clouds::uniform(3, count, seed);
  const auto margins = clouds::uniform(3, count, seed + 1, 0.05);
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < count; ++i) {
    Box box;
    box.expand(point_at(3, centers, i));
    box.expand(margins[3 * i]);
    boxes.push_back(box);
  }
  return boxes;
}

std::vector<double> distances(const std::vector<Box>& boxes, const Point& point,
                              const std::vector<std::size_t>& numbers) {
  std::vector<double> all;
  for (const std::size_t number : numbers) {
    all.push_back(boxes[number].distance2(point));
  }
  std::sort(all.begin(), all.end());
  return all;
}

bool are_different(const std::vector<std::size_t>& numbers) {
  return std::set(numbers.begin(), numbers.end()).size() == numbers.size();
}

} // namespace

TEST_CASE("the nearest boxes are found among any number of them") {
  for (const std::size_t size : {0, 1, 3, 15, 16, 17, 20, 255, 256, 257, 1000, 4097}) {
    const std::vector<Box> boxes = random_boxes(size, 31);
    PackedBoxes tree(boxes);
    std::vector<std::size_t> all(size);
    for (std::size_t i = 0; i < size; ++i) {
      all[i] = i;
    }
    const auto queries = clouds::uniform(3, 20, 33, 1.3);
    for (std::size_t q = 0; q < 20; ++q) {
      const Point point = point_at(3, queries, q);
      const std::vector<double> sorted = distances(boxes, point, all);
      for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{4},
                                      std::size_t{16}, std::size_t{33}, size + 5}) {
        const std::vector<std::size_t> found = tree.nearest(point, count);
        CHECK(are_different(found));
        CHECK(distances(boxes, point, found) ==
              std::vector<double>(sorted.begin(),
                                  sorted.begin() + std::ptrdiff_t(std::min(count, size))));
      }
    }
  }
}

TEST_CASE("of equally near boxes as many as wanted are found, always the same") {
  const std::vector<Box> boxes(50, Box{{0, 0, 0}, {1, 1, 1}});
  PackedBoxes one(boxes);
  PackedBoxes other(boxes);
  for (const Point& point : {Point{0.5, 0.5, 0.5}, Point{3, 0, 0}}) {
    const std::vector<std::size_t> found = one.nearest(point, 4);
    CHECK(found.size() == 4);
    CHECK(are_different(found));
    CHECK(other.nearest(point, 4) == found);
  }
}
