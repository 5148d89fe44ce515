// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/rendezvous/meetings.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

using namespace isthmus;
using namespace isthmus::rendezvous;
using geometry::Box;

namespace {

RankBoxes random_boxes(Side side, int rank, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  RankBoxes of{side, rank, {static_cast<std::byte>(rank)}, std::vector<Box>(1 + random() % 4)};
  for (Box& box : of.boxes) {
    const double edge = std::pow(10.0, -1.5 * unit(random));
    for (std::size_t k = 0; k < 3; ++k) {
      box.lo[k] = k < 2 ? 2.0 * unit(random) - 1.0 : 0.0;
      box.hi[k] = box.lo[k] + edge * unit(random);
    }
  }
  return of;
}

using Pairs = std::multiset<std::pair<int, int>>; // rank of the provider, of the receiver

/// How many pairs of boxes of each two ranks meet.
Pairs pairs_that_meet(const std::vector<RankBoxes>& all) {
  Pairs pairs;
  for (const RankBoxes& a : all) {
    for (const RankBoxes& b : all) {
      for (const Box& box : a.boxes) {
        for (const Box& other : b.boxes) {
          if (a.side == Side::provider && b.side == Side::receiver && box.intersects(other)) {
            pairs.emplace(a.rank, b.rank);
          }
        }
      }
    }
  }
  return pairs;
}

} // namespace

TEST_CASE("every pair of boxes that meet does so at exactly one owner, who reports to both") {
  std::mt19937 random(1);
  std::vector<RankBoxes> all;
  Grid grid;
  for (int rank = 0; rank < 80; ++rank) {
    all.push_back(random_boxes(rank % 3 == 0 ? Side::provider : Side::receiver, rank, random));
    for (const Box& box : all.back().boxes) {
      grid.insert(all.back().side, box);
    }
  }
  const Pairs expected = pairs_that_meet(all);
  REQUIRE(expected.size() > 100);
  constexpr int ranks = 7;
  std::set<std::pair<int, int>> known_to_provider;
  std::set<std::pair<int, int>> known_to_receiver;
  for (int rank = 0; rank < ranks; ++rank) {
    for (const Meeting& meeting : meetings_in(grid, rank, ranks, all)) {
      CHECK(meeting.address == std::vector{static_cast<std::byte>(meeting.partner)});
      if (meeting.side == Side::provider) {
        known_to_provider.emplace(meeting.rank, meeting.partner);
      } else {
        known_to_receiver.emplace(meeting.partner, meeting.rank);
      }
    }
  }
  CHECK(known_to_provider == std::set(expected.begin(), expected.end()));
  CHECK(known_to_receiver == known_to_provider);

  // Of one box each, no two owners find the same pair.
  std::vector<RankBoxes> single = all;
  for (RankBoxes& of : single) {
    of.boxes.resize(1);
  }
  Pairs found;
  for (int rank = 0; rank < ranks; ++rank) {
    for (const Meeting& meeting : meetings_in(grid, rank, ranks, single)) {
      if (meeting.side == Side::provider) {
        found.emplace(meeting.rank, meeting.partner);
      }
    }
  }
  CHECK(found == pairs_that_meet(single));
}

TEST_CASE("boxes and meetings are read as they were written") {
  std::mt19937 random(3);
  const RankBoxes of = random_boxes(Side::receiver, 5, random);
  Writer writer;
  write(writer, of);
  write(writer, Meeting{Side::provider, 1, 2, {std::byte{7}}});
  const auto bytes = writer.take();
  Reader reader(bytes);
  const RankBoxes again = read_boxes(reader);
  CHECK(std::tuple(again.side, again.rank, again.address) ==
        std::tuple(of.side, of.rank, of.address));
  CHECK(again.boxes == of.boxes);
  const Meeting meeting = read_meeting(reader);
  CHECK(std::tuple(meeting.side, meeting.rank, meeting.partner, meeting.address) ==
        std::tuple(Side::provider, 1, 2, std::vector{std::byte{7}}));
  CHECK(reader.left() == 0);
}

TEST_CASE("a box touches few cells of its level, and they cover it") {
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) {
    for (const Box& box : random_boxes(Side::provider, 0, random).boxes) {
      const CellRange range = cells_of(box, level_of(box));
      CHECK(range.size() <= 8);
      CHECK(cell_at(level_of(box), box.center()).at >= range.lo.at);
      CHECK(cell_at(level_of(box), box.center()).at <= range.hi.at);
    }
  }
  const double inf = Box::infinity;
  CHECK(level_of({{-inf, 0, 0}, {inf, 0, 0}}) == Cell::top);
  CHECK(cells_of({{-inf, 0, 0}, {inf, 0, 0}}, Cell::top).size() == 1);
  CHECK(level_of({{0, 0, 0}, {1, 1, 0}}) == 0);
  CHECK(level_of({{0, 0, 0}, {1.01, 1, 0}}) == 1);
  CHECK(level_of({{0, 0, 0}, {0, 0, 0}}) == Cell::bottom);
}

TEST_CASE("levels") {
  Levels levels;
  CHECK(levels.empty());
  levels.insert(-3);
  levels.insert(Cell::top);
  CHECK(levels.contains(-3));
  CHECK_FALSE(levels.contains(-4));
  CHECK(levels.lowest() == -3);
  CHECK(levels.at_least(-10) == -3);
  CHECK(levels.at_least(-3) == -3);
  CHECK(levels.at_least(-2) == Cell::top);
  Levels one;
  one.insert(2);
  CHECK(one.at_least(5) == 2);
}
