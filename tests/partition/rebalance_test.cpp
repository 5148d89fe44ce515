// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/rebalance.hpp"
#include "isthmus/partition/keep_numbers.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/partition/assignment.hpp"
#include "isthmus/partition/multilevel/divide.hpp"
#include "isthmus/partition/quality.hpp"
#include "partition/graphs.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

using namespace isthmus;
using namespace isthmus::partition;

namespace {

GlobalIndex staying(const std::vector<Stay>& stays, const std::vector<int>& number) {
  GlobalIndex sum = 0;
  for (const Stay& stay : stays) {
    sum += number[static_cast<std::size_t>(stay.now)] == stay.number ? stay.weight : 0;
  }
  return sum;
}

} // namespace

TEST_CASE("the best numbers are those that all permutations have to offer" * on_ranks(1, 1)) {
  std::mt19937_64 engine(3);
  for (int parts = 1; parts <= 7; ++parts) {
    std::uniform_int_distribution<int> part(0, parts - 1);
    std::vector<Stay> stays;
    for (int i = 0; i < 3 * parts; ++i) {
      stays.push_back({part(engine), part(engine), part(engine) + 1});
    }
    std::vector<int> number(static_cast<std::size_t>(parts));
    std::iota(number.begin(), number.end(), 0);
    GlobalIndex best = 0;
    do {
      best = std::max(best, staying(stays, number));
    } while (std::next_permutation(number.begin(), number.end()));
    for (const bool exact : {true, false}) {
      std::vector<int> found =
          exact ? best_assignment(stays, parts) : greedy_assignment(stays, parts);
      CHECK((exact ? staying(stays, found) == best : 2 * staying(stays, found) >= best));
      std::sort(found.begin(), found.end());
      std::iota(number.begin(), number.end(), 0);
      CHECK(found == number);
    }
  }
}

TEST_CASE("a partition with other numbers gets the old ones back") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const int parts : {1, 5, 40, 600}) {
    std::vector<int> before(1200);
    for (std::size_t v = 0; v < before.size(); ++v) {
      before[v] = static_cast<int>(v) % parts;
    }
    std::vector<int> after = before;
    for (int& part : after) {
      part = (part + 2) % parts;
    }
    after[7] = (after[7] + 1) % parts;
    const std::vector<int> own_before = graphs::piece(comm, before);
    const std::vector<int> own_after = graphs::piece(comm, after);
    const Parts kept = keep_numbers(comm, own_before, own_after, {}, parts);
    CHECK(moved(comm, own_before, kept, {}) == (parts > 1 ? 1 : 0));
  }
}

TEST_CASE("loads that have become uneven flow to lighter parts with little migration" *
          on_ranks(1, 1)) {
  Graph graph = graphs::grid(24, 24, 3);
  const Parts before = divide(graph, 9);
  graph.weights.assign(graph.num_vertices(), 10);
  for (std::size_t v = 0; v < graph.num_vertices(); ++v) {
    graph.weights[v] += v % 24 < 8 ? 4 : 0; // a third has become slower
  }
  const comm::Comm alone;
  const Quality uneven = assess(alone, graph, before, 9);
  REQUIRE(uneven.imbalance[0] > 1.1);
  const Parts after = rebalance(graph, before, 9, 1.03);
  const Quality even = assess(alone, graph, after, 9);
  CHECK(even.imbalance[0] <= 1.03);
  CHECK(even.empty == 0);
  CHECK(even.cut < 1.3 * static_cast<double>(uneven.cut));
  // at least half of the surplus must move; from scratch, even renumbered, it is much more
  const GlobalIndex migrated = moved(alone, before, after, graph.weights);
  const Parts scratch = keep_numbers(alone, before, divide(graph, 9), graph.weights, 9);
  CHECK(migrated < 0.2 * 576 * 3 * 11);
  CHECK(migrated < moved(alone, before, scratch, graph.weights));
}

TEST_CASE("what is even stays as it is" * on_ranks(1, 1)) {
  const Graph graph = graphs::grid(8, 8, 1);
  const Parts before = divide(graph, 4);
  CHECK(rebalance(graph, before, 4, 1.1) == before);
}
