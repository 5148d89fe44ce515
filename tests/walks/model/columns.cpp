// SPDX-License-Identifier: BSD-3-Clause
#include "model/columns.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace walks {

void Columns::keep(std::size_t most) {
  all_.resize(std::min(all_.size(), most));
}

void Columns::filter(const ResidualWeights& weights) {
  basis_.clear();
  triangle_.clear();
  std::erase_if(all_, [this, &weights](const Column& column) {
    Values rest = weights.weighted(column.residual);
    const double size = norm(rest);
    Values parts(basis_.size(), 0);
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t i = 0; i < basis_.size(); ++i) {
        const double part = dot(basis_[i], rest);
        parts[i] += part;
        walks::add(rest, -part, basis_[i]);
      }
    }
    parts.push_back(norm(rest));
    if (parts.back() <= 1e-15 * size || parts.back() < limit * size) {
      return true;
    }
    for (double& value : rest) {
      value /= parts.back();
    }
    basis_.push_back(std::move(rest));
    triangle_.push_back(std::move(parts));
    return false;
  });
}

/// The factors of the columns.
Values Columns::least_squares(const Values& weighted) const {
  Values factors(basis_.size(), 0);
  for (std::size_t i = basis_.size(); i-- > 0;) {
    factors[i] = dot(basis_[i], weighted);
    for (std::size_t j = i + 1; j < basis_.size(); ++j) {
      factors[i] -= triangle_[j][i] * factors[j];
    }
    factors[i] /= triangle_[i][i];
  }
  return factors;
}

void Columns::add_closest(const Values& weighted, Values& to) const {
  const Values factors = least_squares(weighted);
  for (std::size_t j = 0; j < factors.size(); ++j) {
    walks::add(to, factors[j], all_[j].rest);
  }
}

bool Columns::has_new() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](const Column& column) { return column.age == 0; });
}

void Columns::end_window(int reused) {
  if (has_new()) {
    for (Column& column : all_) {
      ++column.age;
    }
  }
  std::set<int> ages;
  for (const Column& column : all_) {
    ages.insert(column.age);
  }
  if (reused > 0 && static_cast<int>(ages.size()) > reused) {
    const int oldest = *std::next(ages.begin(), reused - 1);
    std::erase_if(all_, [oldest](const Column& column) { return column.age > oldest; });
  }
}

} // namespace walks
