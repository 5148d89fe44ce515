// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/routed_samples.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

using namespace isthmus;
using namespace isthmus::fields;
using planning::Route;

namespace {

using Values = std::vector<double>;

const std::vector<Route> routes{{0, 0, 4, {5, 0, 3, 1}}, {0, 2, 4, {}}};

/// The entry of the field that word `position` of a route is.
std::size_t entry_of(const Route& route, std::size_t components, std::size_t position) {
  const std::size_t i = position / components;
  const auto vertex = route.vertices.empty() ? static_cast<std::size_t>(route.first) + i
                                             : static_cast<std::size_t>(route.vertices[i]);
  return vertex * components + position % components;
}

Values counted(std::size_t size, double first) {
  Values values(size);
  std::iota(values.begin(), values.end(), first);
  return values;
}

} // namespace

TEST_CASE("any run of words of a route is gathered and scattered as one by one") {
  for (const Route& route : routes) {
    for (const std::size_t components : {1U, 2U, 3U, 4U, 9U}) { // the last ones with gradients
      const Values field = counted(6 * components, 100);
      const std::size_t words = 4 * components;
      std::size_t wrong = 0;
      for (std::size_t begin = 0; begin <= words; ++begin) {
        for (std::size_t end = begin; end <= words; ++end) {
          Values out(end - begin, -1);
          gather({field.data(), &route, components, words}, begin, out);
          for (const bool adds : {false, true}) {
            Values to(field.size(), 7);
            Values expected = to;
            scatter({to.data(), &route, components, words, adds}, begin, out);
            for (std::size_t i = begin; i < end; ++i) {
              const std::size_t entry = entry_of(route, components, i);
              wrong += out[i - begin] == field[entry] ? 0 : 1;
              expected[entry] = field[entry] + (adds ? 7 : 0);
            }
            wrong += to == expected ? 0 : 1;
          }
        }
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("a vertex that is listed twice gets both where values are added") {
  const Route twice{0, 0, 3, {1, 0, 1}};
  Values to(2, 0);
  scatter({to.data(), &twice, 1, 3, true}, 0, Values{1, 2, 4});
  CHECK(to == Values{2, 5});
}

TEST_CASE("blocks are moved one after the other, in pieces of any size") {
  const Values first = counted(6, 10);
  const Values second = counted(12, 20);
  const Route none{0, 0, 0, {}};
  const Values expected{15, 10, 13, 11, 24, 25, 26, 27, 28, 29, 30, 31};
  for (std::size_t piece = 1; piece <= 13; ++piece) {
    RoutedSamples<const double> blocks;
    for (int round = 0; round < 2; ++round) { // cleared and used again
      blocks.clear();
      blocks.add({first.data(), &routes[0], 1, 4});
      blocks.add({first.data(), &none, 1, 0}); // of a field that sends nothing
      blocks.add({second.data(), &routes[1], 2, 8});
      Values message(expected.size() + 3, -1);
      std::span<double> left(message);
      std::size_t behind = 0;
      while (!left.empty()) {
        const std::size_t size = std::min(piece, left.size());
        behind += blocks.move(left.first(size), gather).size();
        left = left.subspan(size);
      }
      CHECK(behind == 3); // words behind the last block are given back
      CHECK(std::equal(expected.begin(), expected.end(), message.begin()));
      CHECK(message.back() == -1);
    }
  }
}

TEST_CASE("a move learns of which block and where each piece is") {
  Values values(12, 0);
  RoutedSamples<double> blocks;
  blocks.add({values.data(), &routes[0], 1, 4});
  blocks.add({values.data(), &routes[1], 2, 8});
  std::vector<std::vector<std::size_t>> moves;
  const auto note = [&moves](const RoutedSample<double>& block, std::size_t position,
                             std::span<const double> piece) {
    moves.push_back({block.components, position, piece.size()});
  };
  const Values message(20, 1);
  CHECK(blocks.move(std::span<const double>(message).first(3), note).empty());
  CHECK(blocks.move(std::span<const double>(message).first(4), note).empty());
  CHECK(blocks.move(std::span<const double>(message).first(13), note).size() == 8);
  CHECK(moves == std::vector<std::vector<std::size_t>>{{1, 0, 3}, {1, 3, 1}, {2, 0, 3}, {2, 3, 5}});
  CHECK(blocks.move(std::span<const double>{}, note).empty());
}
