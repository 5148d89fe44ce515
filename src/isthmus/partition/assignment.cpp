// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/assignment.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace isthmus::partition {

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

// Rows are assigned one after the other along shortest paths of reduced costs; row 0 and column 0
// stand for "not assigned".
class Assignment {
 public:
  explicit Assignment(std::vector<GlobalIndex> costs, std::size_t n)
      : n_(n),
        costs_(std::move(costs)),
        of_row_(n + 1, 0),
        of_column_(n + 1, 0),
        row_of_(n + 1, 0),
        before_(n + 1, 0) {
    for (std::size_t row = 1; row <= n; ++row) {
      augment(row);
    }
  }

  [[nodiscard]] std::vector<int> columns() const {
    std::vector<int> result(n_);
    for (std::size_t column = 1; column <= n_; ++column) {
      result[row_of_[column] - 1] = static_cast<int>(column - 1);
    }
    return result;
  }

 private:
  void augment(std::size_t row) {
    std::vector<GlobalIndex> distance(n_ + 1, std::numeric_limits<GlobalIndex>::max());
    std::vector<char> done(n_ + 1, 0);
    row_of_[0] = row;
    std::size_t column = 0;
    while (row_of_[column] != 0) {
      done[column] = 1;
      column = advance(column, distance, done);
    }
    for (; column != 0; column = before_[column]) {
      row_of_[column] = row_of_[before_[column]];
    }
  }

  // Looks from `column` on; returns the nearest column that is not done.
  std::size_t advance(std::size_t column, std::vector<GlobalIndex>& distance,
                      const std::vector<char>& done) {
    const std::size_t row = row_of_[column];
    std::size_t nearest = none;
    for (std::size_t c = 1; c <= n_; ++c) {
      if (done[c] != 0) {
        continue;
      }
      const GlobalIndex cost = costs_[(row - 1) * n_ + c - 1] - of_row_[row] - of_column_[c];
      if (cost < distance[c]) {
        distance[c] = cost;
        before_[c] = column;
      }
      if (nearest == none || distance[c] < distance[nearest]) {
        nearest = c;
      }
    }
    const GlobalIndex delta = distance[nearest];
    for (std::size_t c = 0; c <= n_; ++c) {
      if (done[c] != 0) {
        of_row_[row_of_[c]] += delta;
        of_column_[c] -= delta;
      } else if (c > 0) {
        distance[c] -= delta;
      }
    }
    return nearest;
  }

  std::size_t n_;
  std::vector<GlobalIndex> costs_;
  std::vector<GlobalIndex> of_row_;    // potentials
  std::vector<GlobalIndex> of_column_; // potentials
  std::vector<std::size_t> row_of_;    // of a column
  std::vector<std::size_t> before_;    // column on the path
};

} // namespace

std::vector<int> best_assignment(std::span<const Stay> stays, int parts) {
  const auto n = static_cast<std::size_t>(parts);
  std::vector<GlobalIndex> costs(n * n, 0);
  for (const Stay& stay : stays) {
    costs[static_cast<std::size_t>(stay.now) * n + static_cast<std::size_t>(stay.number)] -=
        stay.weight;
  }
  return Assignment(std::move(costs), n).columns();
}

std::vector<int> greedy_assignment(std::span<const Stay> stays, int parts) {
  std::map<std::pair<int, int>, GlobalIndex> sums;
  for (const Stay& stay : stays) {
    sums[{stay.now, stay.number}] += stay.weight;
  }
  std::vector<Stay> order;
  for (const auto& [pair, weight] : sums) {
    order.push_back({pair.first, pair.second, weight});
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const Stay& a, const Stay& b) { return a.weight > b.weight; });
  std::vector<int> number(static_cast<std::size_t>(parts), -1);
  std::vector<char> used(number.size(), 0);
  for (const Stay& stay : order) {
    const auto now = static_cast<std::size_t>(stay.now);
    const auto wanted = static_cast<std::size_t>(stay.number);
    if (number[now] < 0 && used[wanted] == 0) {
      number[now] = stay.number;
      used[wanted] = 1;
    }
  }
  std::size_t free = 0;
  for (int& chosen : number) {
    if (chosen < 0) {
      free = static_cast<std::size_t>(
          std::find(used.begin() + static_cast<std::ptrdiff_t>(free), used.end(), 0) -
          used.begin());
      chosen = static_cast<int>(free);
      used[free] = 1;
    }
  }
  return number;
}

} // namespace isthmus::partition
