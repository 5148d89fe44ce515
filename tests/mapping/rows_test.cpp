// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/rows.hpp"

#include "allocations.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

using isthmus::LocalIndex;
using isthmus::mapping::Entry;
using isthmus::mapping::Rows;

namespace {

using Matrix = std::vector<std::vector<double>>; // by row

std::vector<Entry> random_entries(LocalIndex rows, LocalIndex columns, int count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> weight(-1, 1);
  std::vector<Entry> entries;
  for (int k = 0; k < count; ++k) {
    entries.push_back({static_cast<LocalIndex>(engine() % static_cast<unsigned>(rows)),
                       static_cast<LocalIndex>(engine() % static_cast<unsigned>(columns)),
                       weight(engine)});
  }
  return entries;
}

Matrix dense(LocalIndex rows, LocalIndex columns, const std::vector<Entry>& entries) {
  Matrix matrix(static_cast<std::size_t>(rows),
                std::vector<double>(static_cast<std::size_t>(columns)));
  for (const Entry& e : entries) {
    matrix[static_cast<std::size_t>(e.row)][static_cast<std::size_t>(e.column)] += e.weight;
  }
  return matrix;
}

/// Compares rows * x with a dense product for one to three components.
void check_product(const Rows& rows, const Matrix& matrix, LocalIndex columns) {
  REQUIRE(rows.num_rows() == static_cast<LocalIndex>(matrix.size()));
  for (std::size_t width = 1; width <= 3; ++width) {
    std::vector<double> in(static_cast<std::size_t>(columns) * width);
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i] = 1 + static_cast<double>(i * i % 17);
    }
    std::vector<double> out(matrix.size() * width, -77);
    rows.apply(static_cast<int>(width), in, out);
    for (std::size_t r = 0; r < matrix.size(); ++r) {
      for (std::size_t c = 0; c < width; ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < matrix[r].size(); ++k) {
          sum += matrix[r][k] * in[k * width + c];
        }
        CHECK(out[r * width + c] == doctest::Approx(sum).epsilon(1e-13));
      }
    }
  }
}

} // namespace

TEST_CASE("rows multiply like a dense matrix") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const LocalIndex rows = 1 + static_cast<LocalIndex>(seed % 7);
    const LocalIndex columns = 1 + static_cast<LocalIndex>(seed % 5);
    const auto entries = random_entries(rows, columns, static_cast<int>(seed), seed);
    check_product(Rows::from_entries(rows, entries), dense(rows, columns, entries), columns);
  }
}

TEST_CASE("rows of one entry of weight one keep a column and a begin each, and no weights") {
  const LocalIndex count = 100'000;
  const std::vector<LocalIndex> ones(static_cast<std::size_t>(count), 1);
  const auto bytes_of = [&](double weight) {
    const long before = bytes_allocated();
    const Rows rows(ones, ones, std::vector<double>(static_cast<std::size_t>(count), weight));
    CHECK(rows.weights().empty() == (weight == 1));
    return bytes_allocated() - before;
  };
  CHECK(bytes_of(0.5) >= 16L * count);
  CHECK(bytes_of(1) < 9L * count);
}

TEST_CASE("rows without entries are zero") {
  check_product(Rows::from_entries(4, {}), Matrix(4, std::vector<double>(3, 0.0)), 3);
  Rows().apply(1, {}, {});
  CHECK(Rows().num_rows() == 0);
  CHECK(Rows({}, {}, {}).num_rows() == 0);
}

TEST_CASE("one entry of weight one per row is a copy, whatever else looks like it is not") {
  const std::vector<Entry> permutation{{0, 2, 1}, {1, 0, 1}, {2, 1, 1}};
  check_product(Rows::from_entries(3, permutation), dense(3, 3, permutation), 3);
  CHECK(Rows::from_entries(3, permutation).weights().empty()); // recognised
  for (const std::vector<Entry>& other : {std::vector<Entry>{{0, 2, 1}, {1, 0, 2}, {2, 1, 1}},
                                          {{0, 2, 1}, {0, 0, 1}, {2, 1, 1}},
                                          {{0, 2, 1}, {2, 1, 1}},
                                          {{0, 2, 1}, {1, 1, 1}, {1, 2, 1}, {2, 1, 1}}}) {
    check_product(Rows::from_entries(3, other), dense(3, 3, other), 3);
    CHECK(!Rows::from_entries(3, other).weights().empty());
  }
}

TEST_CASE("from_entries keeps the order within each row") {
  const std::vector<Entry> entries{{1, 4, 0.1}, {0, 3, 0.2}, {1, 2, 0.3}, {0, 9, 0.4}, {1, 7, 0.5}};
  const Rows rows = Rows::from_entries(2, entries);
  const auto columns = std::as_const(rows).columns();
  CHECK(std::vector(columns.begin(), columns.end()) == std::vector<LocalIndex>{3, 9, 4, 2, 7});
  CHECK(std::vector(rows.begins().begin(), rows.begins().end()) ==
        std::vector<LocalIndex>{0, 2, 5});
}

TEST_CASE("sorted by place, the bits of a product do not depend on the numbering") {
  constexpr LocalIndex columns = 40;
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> draw(-1, 1);
  for (int dimensions = 2; dimensions <= 3; ++dimensions) {
    std::vector<double> places(static_cast<std::size_t>(columns * dimensions));
    std::generate(places.begin(), places.end(), [&] { return draw(engine); });
    std::vector<double> values(columns);
    std::generate(values.begin(), values.end(), [&] { return draw(engine); });
    std::vector<Entry> entries;
    for (LocalIndex c = 0; c < columns; ++c) {
      entries.push_back({c % 3, c, draw(engine)});
    }
    std::vector<std::vector<double>> results;
    for (int trial = 0; trial < 5; ++trial) {
      std::vector<LocalIndex> number(columns);
      for (LocalIndex c = 0; c < columns; ++c) {
        number[static_cast<std::size_t>(c)] = c;
      }
      std::shuffle(number.begin(), number.end(), engine);
      std::shuffle(entries.begin(), entries.end(), engine);
      std::vector<Entry> renumbered = entries;
      std::vector<double> moved_places(places.size());
      std::vector<double> moved_values(values.size());
      const auto dim = static_cast<std::size_t>(dimensions);
      for (std::size_t c = 0; c < values.size(); ++c) {
        const auto to = static_cast<std::size_t>(number[c]);
        moved_values[to] = values[c];
        std::copy_n(places.begin() + static_cast<std::ptrdiff_t>(c * dim), dim,
                    moved_places.begin() + static_cast<std::ptrdiff_t>(to * dim));
      }
      for (Entry& e : renumbered) {
        e.column = number[static_cast<std::size_t>(e.column)];
      }
      Rows rows = Rows::from_entries(3, renumbered);
      rows.sort_by_place(dimensions, moved_places);
      results.emplace_back(3);
      rows.apply(1, moved_values, results.back());
    }
    for (const std::vector<double>& result : results) {
      CHECK(result == results.front());
    }
  }
}
