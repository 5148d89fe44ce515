// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/rendezvous/meetings.hpp"

#include <doctest/doctest.h>

#include <random>
#include <vector>

using namespace isthmus;
using namespace isthmus::rendezvous;
using geometry::Box;

namespace {

Box random_box(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  Box box;
  const double edge = std::pow(10.0, 2 * unit(random));
  for (std::size_t k = 0; k < 3; ++k) {
    box.lo[k] = 10 * unit(random);
    box.hi[k] = box.lo[k] + edge * std::abs(unit(random));
  }
  return box;
}

} // namespace

TEST_CASE("a box touches at most two cells of its level in each direction") {
  std::mt19937 random(5);
  for (int i = 0; i < 1000; ++i) {
    const Box box = random_box(random);
    const CellRange range = cells_of(box, level_of(box));
    CHECK(range.size() <= 8);
    std::int64_t visited = 0;
    range.for_each([&visited](const Cell&) { ++visited; });
    CHECK(visited == range.size());
    CHECK(cells_of(box, level_of(box) - 2).size() > range.size()); // a finer level has more
  }
}

TEST_CASE("a set of levels finds the next one") {
  Levels levels;
  CHECK(levels.empty());
  levels.insert(-60);
  levels.insert(3);
  levels.insert(40);
  CHECK(levels.lowest() == -60);
  CHECK(levels.contains(3));
  CHECK_FALSE(levels.contains(4));
  CHECK(levels.at_least(-3) == 3);
  CHECK(levels.at_least(4) == 40);
  CHECK(levels.at_least(41) == 40); // else the highest
}

TEST_CASE("boxes of two sides that meet are entered in one cell at least") {
  std::mt19937 random(7);
  std::vector<Box> provided(30);
  std::vector<Box> received(30);
  Grid grid;
  for (Box& box : provided) {
    box = random_box(random);
    grid.insert(Side::provider, box);
  }
  for (Box& box : received) {
    box = random_box(random);
    grid.insert(Side::receiver, box);
  }
  int meetings = 0;
  for (const Box& a : provided) {
    std::vector<Cell> cells;
    grid.for_each_cell(Side::provider, a, [&cells](const Cell& cell) { cells.push_back(cell); });
    for (const Box& b : received) {
      bool found = false;
      grid.for_each_cell(Side::receiver, b, [&](const Cell& cell) {
        found = found || std::find(cells.begin(), cells.end(), cell) != cells.end();
      });
      CHECK((found || !a.intersects(b)));
      meetings += a.intersects(b) ? 1 : 0;
    }
  }
  CHECK(meetings > 0);
}

TEST_CASE("cells are dealt to all ranks") {
  std::vector<int> owned(7, 0);
  for (int i = 0; i < 1000; ++i) {
    ++owned.at(static_cast<std::size_t>(owner({0, {i, 2 * i, -i}}, 7)));
  }
  CHECK(*std::min_element(owned.begin(), owned.end()) > 90);
  CHECK(other(Side::provider) == Side::receiver);
}
