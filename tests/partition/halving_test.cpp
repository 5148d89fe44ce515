// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/halving.hpp"

#include "partition/graphs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

using namespace isthmus;
using namespace isthmus::partition;

namespace {

std::array<std::uint64_t, 3> keys(double x, double y, double z) {
  return {sortable(x), sortable(y), sortable(z)};
}

/// Items of weight 1 in a box whose longest edge is different in each half of it, homes anywhere.
std::vector<KeyedPoint> random_items(int ranks, std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> place(-1, 1);
  std::uniform_int_distribution<int> rank(0, ranks - 1);
  std::vector<KeyedPoint> items;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = place(engine);
    items.push_back({keys(4 * x, (x < 0 ? 3 : 1) * place(engine), 2 * place(engine)), 1,
                     static_cast<GlobalIndex>(i), rank(engine)});
  }
  return items;
}

/// What comes back to this rank of items that are spread over all of them.
std::map<GlobalIndex, int> parts_of(const comm::Comm& comm, const std::vector<KeyedPoint>& all,
                                    int parts, HalvingAxis direction) {
  const std::vector<Placed> placed = halve(comm, graphs::piece(comm, all), parts, direction);
  std::map<GlobalIndex, int> result;
  for (const Placed& one : placed) {
    CHECK(result.emplace(one.id, one.part).second); // each once
  }
  return result;
}

/// The same by sorting all items, where all weigh the same and there are enough of them.
void sort_and_halve(std::vector<KeyedPoint> items, int first, int parts, HalvingAxis direction,
                    std::map<GlobalIndex, int>& result) {
  if (parts == 1) {
    for (const KeyedPoint& item : items) {
      result[item.id] = first;
    }
    return;
  }
  std::array<std::size_t, 3> axes{0, 1, 2};
  const auto length = [&](std::size_t axis) {
    const auto less = [axis](const KeyedPoint& a, const KeyedPoint& b) {
      return a.keys[axis] < b.keys[axis];
    };
    const auto [least, most] = std::minmax_element(items.begin(), items.end(), less);
    return unsortable(most->keys[axis]) - unsortable(least->keys[axis]);
  };
  if (direction == HalvingAxis::longest) {
    std::sort(axes.begin(), axes.end(),
              [&](std::size_t a, std::size_t b) { return length(a) > length(b); });
  }
  std::sort(items.begin(), items.end(), [&](const KeyedPoint& a, const KeyedPoint& b) {
    return std::tuple(a.keys[axes[0]], a.id) < std::tuple(b.keys[axes[0]], b.id);
  });
  const int lower = parts / 2;
  const auto middle = items.begin() + static_cast<std::ptrdiff_t>(items.size()) * lower / parts;
  sort_and_halve({items.begin(), middle}, first, lower, direction, result);
  sort_and_halve({middle, items.end()}, first + lower, parts - lower, direction, result);
}

/// Items on a line, whose homes are dealt to the ranks in turn.
std::vector<KeyedPoint> line(const comm::Comm& comm, const std::vector<GlobalIndex>& weights) {
  std::vector<KeyedPoint> items;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    items.push_back({keys(static_cast<double>(i), 0, 0), weights[i], static_cast<GlobalIndex>(i),
                     static_cast<int>(i % static_cast<std::size_t>(comm.size()))});
  }
  return items;
}

void check_line(const std::vector<GlobalIndex>& weights, int parts,
                const std::vector<int>& expected) {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const HalvingAxis direction : {HalvingAxis::longest, HalvingAxis::first}) {
    const auto found = parts_of(comm, line(comm, weights), parts, direction);
    for (const auto& [id, part] : found) {
      CHECK(part == expected[static_cast<std::size_t>(id)]);
    }
    std::size_t own = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      own += i % static_cast<std::size_t>(comm.size()) == static_cast<std::size_t>(comm.rank());
    }
    CHECK(found.size() == own);
  }
}

} // namespace

TEST_CASE("sortable numbers are ordered as the numbers are, and lead back to them") {
  using Limits = std::numeric_limits<double>;
  const std::vector<double> ascending{-Limits::infinity(),
                                      Limits::lowest(),
                                      -2.5,
                                      -1,
                                      -Limits::min(),
                                      -Limits::denorm_min(),
                                      0,
                                      Limits::denorm_min(),
                                      Limits::min(),
                                      1,
                                      1 + Limits::epsilon(),
                                      2.5,
                                      Limits::max(),
                                      Limits::infinity()};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    CHECK(unsortable(sortable(ascending[i])) == ascending[i]);
    CHECK((i == 0 || sortable(ascending[i - 1]) < sortable(ascending[i])));
  }
  CHECK(sortable(-0.0) == sortable(0.0));
}

TEST_CASE("items are halved as sorting all of them at one place halves them") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::vector<KeyedPoint> all = random_items(comm.size(), 200, 3);
  for (const HalvingAxis direction : {HalvingAxis::longest, HalvingAxis::first}) {
    for (const int parts : {1, 2, 3, 7, 32}) {
      std::map<GlobalIndex, int> expected;
      sort_and_halve(all, 0, parts, direction, expected);
      std::erase_if(expected, [&](const auto& one) {
        return all[static_cast<std::size_t>(one.first)].home != comm.rank();
      });
      CHECK(parts_of(comm, all, parts, direction) == expected);
    }
  }
}

TEST_CASE("where keys agree the number of an item decides") {
  const comm::Comm comm(MPI_COMM_WORLD);
  std::vector<KeyedPoint> all = line(comm, std::vector<GlobalIndex>(8, 1));
  for (KeyedPoint& item : all) {
    item.keys = keys(1, 2, 3);
  }
  for (const auto& [id, part] : parts_of(comm, all, 4, HalvingAxis::longest)) {
    CHECK(part == id / 2);
  }
}

TEST_CASE("each part has its share of the weight, a heavy item is where it does less harm") {
  check_line({1, 1, 1, 1, 1, 1}, 3, {0, 0, 1, 1, 2, 2});
  check_line({3, 1, 1, 1, 1, 1}, 2, {0, 0, 1, 1, 1, 1});
  check_line({1, 8, 4}, 2, {0, 0, 1}); // 9 and 4, not 1 and 12
  check_line({5, 9, 1}, 2, {0, 1, 1}); // 5 and 10, not 14 and 1
  check_line({2, 2, 2, 6}, 4, {0, 1, 2, 3});
}

TEST_CASE("no part is empty while there are enough items, however uneven their weights are") {
  check_line({100, 1, 1, 1}, 4, {0, 1, 2, 3});
  check_line({1, 1, 1, 100}, 4, {0, 1, 2, 3});
  check_line({0, 0, 5, 0}, 4, {0, 1, 2, 3});
  check_line({0, 0, 0, 0}, 2, {0, 0, 1, 1}); // without weight they are counted
}

TEST_CASE("more parts than items leave parts empty, and no items are no error") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const auto found = parts_of(comm, line(comm, {1, 1, 1}), 8, HalvingAxis::longest);
  std::set<int> used;
  for (const auto& [id, part] : found) {
    CHECK(0 <= part);
    CHECK(part < 8);
    CHECK(used.insert(part).second);
  }
  CHECK(parts_of(comm, {}, 5, HalvingAxis::first).empty());
}
