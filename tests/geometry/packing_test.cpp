// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/geometry/search/packing.hpp"

#include "isthmus/geometry/search/query_order.hpp"

#include "geometry/clouds.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace isthmus;
using namespace isthmus::geometry;
using clouds::Coords;

namespace {

std::vector<Packed> pack_all(int dim, const Coords& coords) {
  return packed(bounding_box(dim, coords), point_count(dim, coords),
                [&](LocalIndex i) { return point_at(dim, coords, std::size_t(i)); });
}

bool counts_each_once(const std::vector<Packed>& items) {
  std::vector<int> seen(items.size());
  for (const Packed& item : items) {
    ++seen[std::size_t(item.id)];
  }
  return std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; });
}

// Sum of the areas of the boxes of `group` points in a row.
double area(const Coords& coords, const std::vector<Packed>& items, std::size_t group) {
  double sum = 0.0;
  for (std::size_t first = 0; first < items.size(); first += group) {
    Box box;
    for (std::size_t i = first; i < std::min(first + group, items.size()); ++i) {
      box.expand(point_at(2, coords, std::size_t(items[i].id)));
    }
    sum += (box.hi[0] - box.lo[0]) * (box.hi[1] - box.lo[1]);
  }
  return sum;
}

} // namespace

TEST_CASE("packing keeps every item") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::size_t n : {0, 1, 8, 9, 63, 64, 65, 513, 5000}) {
    CHECK(counts_each_once(pack_all(3, clouds::uniform(3, n, 80))));
    CHECK(counts_each_once(pack_all(3, Coords(3 * n, 0.25))));
    CHECK(counts_each_once(pack_all(3, Coords(3 * n, nan))));
  }
  CHECK(counts_each_once(pack_all(2, clouds::grid(2, 40))));
}

TEST_CASE("groups of 8, 64 and 512 do not overlap") {
  const Coords coords = clouds::grid(2, 64); // the boxes of 8 in a row of a perfect order: 1 by 3
  const auto items = pack_all(2, coords);
  CHECK(area(coords, items, 8) <= 512 * 3.0);
  CHECK(area(coords, items, 64) <= 64 * 49.0);
  CHECK(area(coords, items, 512) <= 8 * 15.0 * 31.0);
}

TEST_CASE("queries are sorted only when they jump about") {
  const Coords rows = clouds::grid(2, 30);
  const QueryOrder kept(2, rows, 2.0);
  for (std::size_t i = 0; i < 900; ++i) {
    REQUIRE(kept[i] == i);
  }
  const Coords mixed = clouds::permuted(rows, 2, clouds::shuffled(900, 81));
  const QueryOrder sorted(2, mixed, 2.0);
  std::vector<int> seen(900);
  double way = 0.0;
  for (std::size_t i = 0; i < 900; ++i) {
    ++seen[sorted[i]];
    if (i > 0) {
      Box step;
      step.expand(point_at(2, mixed, sorted[i - 1]));
      step.expand(point_at(2, mixed, sorted[i]));
      way += step.diagonal();
    }
  }
  CHECK(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
  CHECK(way < 900 * 2.5);
}
