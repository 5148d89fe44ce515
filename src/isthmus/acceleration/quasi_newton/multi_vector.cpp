// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/quasi_newton/multi_vector.hpp"

#include "isthmus/acceleration/dots.hpp"
#include "isthmus/acceleration/quasi_newton/factor.hpp"
#include "isthmus/acceleration/state_array.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace isthmus::acceleration {

namespace {

constexpr double lossless = 1e-14;      // singular values that are rounding
constexpr std::size_t few_columns = 64; // not worth a compression

/// |v_j| of the kept columns.
std::vector<double> lengths(const Factor& factor) {
  std::vector<double> result;
  for (const std::size_t column : factor.kept()) {
    double square = 0;
    for (std::size_t k = 0; k <= result.size(); ++k) {
      const double part = factor.r(k, column).value;
      square += part * part;
    }
    result.push_back(std::sqrt(square));
  }
  return result;
}

/// Σ_j factors[j] · columns[j] with twice the digits.
void combine_exactly(std::span<const double* const> columns, std::span<const Twofold> factors,
                     std::span<double> out) {
  std::vector<double> rest(out.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t k = 0; k < out.size(); ++k) {
      const Twofold product = exact_product(factors[j].value, columns[j][k]);
      const Twofold sum = exact_sum(out[k], product.value);
      out[k] = sum.value;
      rest[k] += sum.rest + (product.rest + factors[j].rest * columns[j][k]);
    }
  }
  std::transform(out.begin(), out.end(), rest.begin(), out.begin(), std::plus<>());
}

/// Appends the first `count` rows of the weighted pseudo-inverse V⁺ of the kept columns to `rows`.
void push_pseudo_inverse(std::span<const double* const> kept, const Factor& factor,
                         std::size_t count, std::span<const Scale> scales, Columns& rows) {
  constexpr double most = 1e4; // so that at least 12 digits are left in doubles
  const std::vector<double> sizes = lengths(factor);
  const std::vector<double> zero(rows.rows());
  std::vector<double> factors(kept.size());
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Twofold> y(kept.size());
    y[i] = {1, 0};
    factor.solve(y);  // G y = e_i
    double terms = 0; // of the row Σ_j y_j v_j, whose length is the root of y_i
    for (std::size_t j = 0; j < kept.size(); ++j) {
      factors[j] = y[j].value;
      terms += std::abs(factors[j]) * sizes[j];
    }
    const std::span<double> row = rows.push();
    if (terms < most * std::sqrt(factors[i])) {
      combine(kept, factors, zero.data(), 0, row);
    } else {
      combine_exactly(kept, y, row);
    }
    for (const auto& [begin, end, weight] : scales) {
      for (std::size_t k = begin; k < end; ++k) {
        row[k] *= weight * weight;
      }
    }
  }
}

std::vector<const double*> pick(std::span<const double* const> columns,
                                std::span<const std::size_t> which) {
  std::vector<const double*> picked;
  for (const std::size_t column : which) {
    picked.push_back(columns[column]);
  }
  return picked;
}

/// The norms in which rows were divided by what they are now multiplied with.
std::vector<Scale> inverse(std::span<const Scale> scales) {
  std::vector<Scale> result(scales.begin(), scales.end());
  for (Scale& scale : result) {
    scale.weight = 1 / scale.weight;
  }
  return result;
}

} // namespace

void MultiVector::initialize(std::size_t rows, std::size_t output_rows) {
  jacobian_ = {Columns(output_rows), Columns(rows)};
  recent_ = built_ = jacobian_;
  window_sizes_.clear();
  recent_sizes_.clear();
  factors_.clear();
  restarted_ = false;
  full_ = few_columns;
}

void MultiVector::measure(std::span<const double> residual, std::span<const double> v,
                          std::vector<Twofold>& sums) {
  first_sum_ = sums.size();
  sums.resize(sums.size() + 2 * jacobian_.right.size());
  add_dots(jacobian_.right.list(), 0, residual.size(), v.empty() ? residual.data() : v.data(),
           residual.data(), std::span(sums).subspan(first_sum_));
}

void MultiVector::absorb(std::span<const Twofold> sums, Secants& secants, bool fresh) {
  const std::size_t n = jacobian_.right.size();
  factors_.resize(n);
  if (fresh) {
    if (remembers()) { // else J V = W for good
      secants.remember_newest_w();
    }
    for (std::size_t j = 0; j < n; ++j) { // w - J v
      factors_[j] = -sums[first_sum_ + 2 * j].value;
    }
    combine(columns(), factors_, secants.w(0).data(), 0, secants.w(0));
  }
  for (std::size_t j = 0; j < n; ++j) {
    factors_[j] = -sums[first_sum_ + 2 * j + 1].value;
  }
}

/// (W - J V) V⁺ of the `newest` columns of those that the filter leaves, which it returns.
std::vector<std::size_t> MultiVector::add(const Secants& secants, std::span<const Scale> equations,
                                          const QuasiNewtonSettings& newton, std::size_t newest,
                                          LowRank& to) const {
  std::vector<double> weights;
  for (const Scale& scale : equations) {
    weights.push_back(scale.weight);
  }
  std::vector<Twofold> gram;
  std::vector<Twofold> rhs;
  secants.weigh(weights, secants.size(), gram, rhs);
  Factor factor;
  factor.compute(gram, secants.size(), newton.filter, newton.filter_limit);
  const auto columns = factor.kept();
  const auto kept = pick(secants.v(), columns);
  const auto count = static_cast<std::size_t>(
      std::lower_bound(columns.begin(), columns.end(), newest) - columns.begin());
  push_pseudo_inverse(kept, factor, count, equations, to.right);
  for (std::size_t i = 0; i < count; ++i) {
    to.left.push({secants.w()[columns[i]], to.left.rows()});
  }
  return {columns.begin(), columns.end()};
}

void MultiVector::build(const Secants& secants, std::span<const Scale> equations,
                        const QuasiNewtonSettings& newton) {
  if (settings_.always_build) {
    built_ = {Columns(jacobian_.left.rows()), Columns(jacobian_.right.rows())};
    static_cast<void>(add(secants, equations, newton, secants.size(), built_));
  }
}

int MultiVector::complete_window(Secants& secants, std::span<const Scale> equations,
                                 std::span<const Scale> outputs,
                                 const QuasiNewtonSettings& newton) {
  std::vector<std::size_t> kept(secants.size());
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  const std::size_t before = jacobian_.left.size();
  if (settings_.always_build) {
    for (std::size_t j = 0; j < built_.left.size(); ++j) {
      jacobian_.left.push(built_.left[j]);
      jacobian_.right.push(built_.right[j]);
    }
    built_ = {Columns(jacobian_.left.rows()), Columns(jacobian_.right.rows())};
  } else {
    // J holds the older secants already, unless it was changed after they were added
    const bool adds_old = restarted_ && newton.time_windows_reused > 0;
    kept = add(secants, equations, newton, adds_old ? secants.size() : secants.recent(), jacobian_);
  }
  window_sizes_.push_back(static_cast<int>(jacobian_.left.size() - before));
  if (settings_.mode == RestartMode::least_squares) {
    const auto recent = std::lower_bound(kept.begin(), kept.end(), secants.recent()) - kept.begin();
    for (auto i = recent; i-- > 0;) { // the oldest first
      const std::size_t column = kept[static_cast<std::size_t>(i)];
      recent_.left.push(secants.first_w(column));
      recent_.right.push({secants.v()[column], secants.rows()});
    }
    recent_sizes_.push_back(static_cast<int>(recent));
  }
  restart(equations, outputs, newton);
  return secants.keep(kept);
}

namespace {

void drop_oldest(LowRank& matrix, std::vector<int>& sizes, int windows) {
  while (std::ssize(sizes) > windows) {
    matrix.left.drop_first(static_cast<std::size_t>(sizes.front()));
    matrix.right.drop_first(static_cast<std::size_t>(sizes.front()));
    sizes.erase(sizes.begin());
  }
}

} // namespace

void MultiVector::restart(std::span<const Scale> equations, std::span<const Scale> outputs,
                          const QuasiNewtonSettings& newton) {
  const bool due = std::ssize(window_sizes_) >= settings_.chunk_size;
  const bool grown = settings_.mode == RestartMode::none && jacobian_.left.size() > full_;
  restarted_ = due && settings_.mode != RestartMode::none;
  if (grown || (due && settings_.mode == RestartMode::svd)) {
    jacobian_ = compress(jacobian_, outputs, inverse(equations),
                         grown ? lossless : settings_.truncation, *comm_);
    full_ = std::max(few_columns, 2 * jacobian_.left.size());
    window_sizes_.clear();
  } else if (due && settings_.mode == RestartMode::zero) {
    drop_oldest(jacobian_, window_sizes_, 0);
  } else if (settings_.mode == RestartMode::slide) {
    drop_oldest(jacobian_, window_sizes_, settings_.chunk_size);
  } else if (settings_.mode == RestartMode::least_squares) {
    drop_oldest(recent_, recent_sizes_, settings_.reused_windows);
    if (due) {
      restart_from_secants(equations, newton);
    }
  }
}

void MultiVector::renew(Secants& secants, const QuasiNewtonSettings& newton) const {
  if (newton.time_windows_reused == 0 && !settings_.always_build) {
    return;
  }
  const bool differs = restarted_ || settings_.always_build;
  const std::size_t n = jacobian_.right.size();
  std::vector<Twofold> sums(differs ? secants.size() * 2 * n : 0);
  for (std::size_t i = 0; i < secants.size(); ++i) {
    if (differs) {
      add_dots(jacobian_.right.list(), 0, secants.rows(), secants.v()[i], secants.v()[i],
               std::span(sums).subspan(i * 2 * n, 2 * n));
    } else { // J V = W since the end of their window
      std::fill(secants.w(i).begin(), secants.w(i).end(), 0);
    }
  }
  comm::allreduce_sum(*comm_, sums);
  std::vector<double> factors(n);
  for (std::size_t i = 0; i < secants.size() && differs; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      factors[j] = -sums[i * 2 * n + 2 * j].value;
    }
    combine(columns(), factors, secants.first_w(i).data(), 0, secants.w(i));
  }
}

/// J = W V⁺ of the latest windows.
void MultiVector::restart_from_secants(std::span<const Scale> equations,
                                       const QuasiNewtonSettings& newton) {
  const std::size_t n = recent_.right.size();
  std::vector<Twofold> oldest_first = products(recent_.right, equations);
  comm::allreduce_sum(*comm_, oldest_first);
  std::vector<Twofold> gram(n * n); // newest first, as the filter wants them
  std::vector<const double*> v(n);
  std::vector<const double*> w(n);
  for (std::size_t i = 0; i < n; ++i) {
    v[i] = recent_.right.list()[n - 1 - i];
    w[i] = recent_.left.list()[n - 1 - i];
    for (std::size_t j = 0; j <= i; ++j) {
      gram[i * n + j] = oldest_first[(n - 1 - j) * n + (n - 1 - i)];
    }
  }
  Factor factor;
  factor.compute(gram, n, newton.filter, newton.filter_limit);
  const auto kept = pick(v, factor.kept());
  LowRank fresh{Columns(jacobian_.left.rows()), Columns(jacobian_.right.rows())};
  push_pseudo_inverse(kept, factor, kept.size(), equations, fresh.right);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    fresh.left.push({w[factor.kept()[i]], fresh.left.rows()});
  }
  jacobian_ = std::move(fresh);
  window_sizes_.clear();
}

namespace {

StateArray state_array_of(std::string name, const Columns& columns,
                          const std::vector<std::size_t>& samples, bool of_unknowns) {
  StateArray array{std::move(name), {}, columns.size(), samples, of_unknowns};
  for (std::size_t j = 0; j < columns.size(); ++j) {
    array.values.insert(array.values.end(), columns[j].begin(), columns[j].end());
  }
  return array;
}

void fill(Columns& columns, std::size_t count, std::span<const double> values) {
  columns.clear();
  for (std::size_t j = 0; j < count; ++j) {
    columns.push(values.subspan(j * columns.rows(), columns.rows()));
  }
}

void append(std::span<const int> numbers, std::vector<double>& values) {
  values.push_back(static_cast<double>(numbers.size()));
  values.insert(values.end(), numbers.begin(), numbers.end());
}

const double* take(const double* values, std::vector<int>& numbers) {
  const auto count = static_cast<std::ptrdiff_t>(*values);
  numbers.assign(values + 1, values + 1 + count);
  return values + 1 + count;
}

} // namespace

std::vector<StateArray> MultiVector::save(const std::vector<std::size_t>& equations,
                                          const std::vector<std::size_t>& outputs) const {
  std::vector<double> shared{static_cast<double>(full_), restarted_ ? 1.0 : 0.0,
                             static_cast<double>(jacobian_.left.size()),
                             static_cast<double>(recent_.left.size())};
  append(window_sizes_, shared);
  append(recent_sizes_, shared);
  return {{"jacobian", std::move(shared)},
          state_array_of("jacobian left", jacobian_.left, outputs, false),
          state_array_of("jacobian right", jacobian_.right, equations, true),
          state_array_of("recent left", recent_.left, outputs, false),
          state_array_of("recent right", recent_.right, equations, true)};
}

void MultiVector::restore(std::span<const StateArray> arrays) {
  const double* next = find_state_array(arrays, "jacobian").data();
  full_ = static_cast<std::size_t>(*next++);
  restarted_ = *next++ != 0;
  const auto columns = static_cast<std::size_t>(*next++);
  const auto recent = static_cast<std::size_t>(*next++);
  next = take(next, window_sizes_);
  take(next, recent_sizes_);
  fill(jacobian_.left, columns, find_state_array(arrays, "jacobian left"));
  fill(jacobian_.right, columns, find_state_array(arrays, "jacobian right"));
  fill(recent_.left, recent, find_state_array(arrays, "recent left"));
  fill(recent_.right, recent, find_state_array(arrays, "recent right"));
}

} // namespace isthmus::acceleration
