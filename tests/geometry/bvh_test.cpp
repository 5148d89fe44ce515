// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/bvh.hpp"

#include "geometry/clouds.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace isthmus::geometry;

namespace {

/// Boxes of all sizes in [0, scale]³, and their tree. They are not packed: that makes a search
/// slower, not wrong.
struct Forest {
  Forest(std::size_t items, unsigned seed, double scale = 1.0) {
    const auto centers = clouds::uniform(3, items, seed, scale);
    const auto sizes = clouds::uniform(3, items, seed + 1, 0.1 * scale);
    Box extent;
    for (std::size_t i = 0; i < items; ++i) {
      Box box;
      box.expand(point_at(3, centers, i));
      box.expand(i % 7 == 0 ? 0.0 : sizes[3 * i]);
      boxes.push_back(box);
      extent.expand(box);
    }
    tree = Bvh(extent, items);
    for (std::size_t i = 0; i < items; ++i) {
      tree.set_box(i, boxes[i]);
    }
    tree.close();
  }

  /// How often each item is visited within a reach.
  std::vector<int> visits(Bvh::Cursor& cursor, const Point& point, double distance2) const {
    std::vector<int> seen(boxes.size());
    const Bvh::Query query = tree.query(point);
    const float reach = tree.reach(query, distance2);
    tree.search(cursor, query, reach, [&](std::size_t item) {
      ++seen[item];
      return reach;
    });
    return seen;
  }

  std::vector<Box> boxes;
  Bvh tree;
};

constexpr std::size_t counts[] = {0, 1, 7, 8, 9, 64, 65, 513, 5000};

} // namespace

TEST_CASE("a search visits each item within reach once, and hardly any other") {
  for (const std::size_t items : counts) {
    for (const double scale : {1e-100, 1.0, 1e100}) {
      const Forest forest(items, 5, scale);
      Bvh::Cursor cursor; // one for all queries: they jump about
      const auto queries = clouds::uniform(3, 60, 7, 1.2 * scale);
      for (std::size_t q = 0; q < 60; ++q) {
        const Point point = point_at(3, queries, q);
        const double radius = (q % 6 == 0 ? 0.0 : q % 6 == 5 ? 2.0 : 0.02 * double(q)) * scale;
        const std::vector<int> seen = forest.visits(cursor, point, radius * radius);
        int missed = 0;
        int needless = 0;
        for (std::size_t i = 0; i < items; ++i) {
          const double distance = std::sqrt(forest.boxes[i].distance2(point));
          missed += distance <= radius && seen[i] != 1 ? 1 : 0;
          needless += items > 1 && distance > radius + 1e-5 * scale && seen[i] != 0 ? 1 : 0;
        }
        CHECK(missed == 0);
        CHECK(needless == 0); // a single place has no extent to compare with
        CHECK(std::count_if(seen.begin(), seen.end(), [](int n) { return n > 1; }) == 0);
      }
    }
  }
}

TEST_CASE("near items come first, so that a visitor who lowers the reach sees few") {
  const Forest forest(5000, 9);
  const auto queries = clouds::uniform(3, 200, 10, 1.1);
  Bvh::Cursor cursor;
  std::size_t num_visits = 0;
  for (std::size_t q = 0; q < 200; ++q) {
    const Point point = point_at(3, queries, q);
    double expected = Box::infinity;
    for (const Box& box : forest.boxes) {
      expected = std::min(expected, box.distance2(point));
    }
    double nearest = Box::infinity;
    const Bvh::Query query = forest.tree.query(point);
    forest.tree.search(cursor, query, forest.tree.reach(query, Box::infinity),
                       [&](std::size_t item) {
                         ++num_visits;
                         nearest = std::min(nearest, forest.boxes[item].distance2(point));
                         return forest.tree.reach(query, nearest);
                       });
    CHECK(nearest == expected);
  }
  CHECK(num_visits < 200 * 40); // of 5000: those whose boxes the point lies in are most
}

TEST_CASE("for queries that are very far away everything is within reach") {
  const Forest forest(100, 11);
  for (const Point& point : {Point{1e9, 0, 0}, Point{0, -1e300, 0}, Point{0, 0, Box::infinity}}) {
    Bvh::Cursor cursor;
    CHECK(forest.visits(cursor, point, 0.0) == std::vector<int>(100, 1));
  }
}

TEST_CASE("a reach in the coordinates of the boxes is never too small") {
  const Forest forest(100, 12, 1000.0);
  const Bvh::Query query = forest.tree.query({500, 500, 500});
  CHECK(query.slack > 0);
  const float one = forest.tree.reach(query, 1.0);
  const float two = forest.tree.reach(query, 4.0);
  CHECK(one > 0);
  CHECK(two >= one);
  CHECK(two <= 2 * one);
  CHECK(std::isfinite(forest.tree.reach(query, Box::infinity)));
}

TEST_CASE("the memory of a tree grows with its nodes of eight") {
  for (const auto& [items, nodes] :
       {std::pair<std::size_t, std::size_t>{0, 0}, {1, 1}, {8, 1}, {9, 3}, {64, 9}, {65, 12}}) {
    CHECK(Forest(items, 13).tree.bytes() == nodes * sizeof(EightBoxes));
  }
  CHECK(Bvh().bytes() == 0);
  CHECK(Forest(1000, 14).tree.near() > 0);
  CHECK(Forest(1000, 14).tree.near() < 1);
}

TEST_CASE("more items than a tree has names for are refused before memory is asked for") {
  const std::size_t most = std::size_t{1} << 30;
  CHECK(isthmus::message_of([most] { static_cast<void>(Bvh(Box{}, most + 1)); }) ==
        "a spatial index takes at most 1073741824 items, not 1073741825");
}
