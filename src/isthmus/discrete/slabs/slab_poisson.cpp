// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/slabs/slab_poisson.hpp"

#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace isthmus::discrete {

namespace {

std::vector<double> cosine_basis(std::size_t n) {
  std::vector<double> basis(n * n);
  for (std::size_t m = 0; m < n; ++m) {
    const double scale = std::sqrt((m == 0 ? 1.0 : 2.0) / static_cast<double>(n));
    for (std::size_t j = 0; j < n; ++j) {
      basis[m * n + j] = scale * std::cos(std::numbers::pi * static_cast<double>(m) *
                                          (static_cast<double>(j) + 0.5) / static_cast<double>(n));
    }
  }
  return basis;
}

} // namespace

SlabPoisson::SlabPoisson(const comm::Comm& comm, int cells_x, int n, double h)
    : comm_(comm),
      cells_(static_cast<std::size_t>(cells_x)),
      n_(static_cast<std::size_t>(n)),
      modes_(n_ * n_),
      cosines_(cosine_basis(n_)),
      scratch_(modes_),
      lower_(cells_ * modes_),
      pivots_(cells_ * modes_),
      from_left_(cells_ * modes_),
      from_right_(cells_ * modes_),
      coupling_(1 / (h * h)) {
  const bool first = comm.rank() == 0;
  const bool last = comm.rank() + 1 == comm.size();
  for (std::size_t m = 0; m < modes_; ++m) {
    const auto eigenvalue = [this](std::size_t k) {
      return 2 * coupling_ *
             (std::cos(std::numbers::pi * static_cast<double>(k) / static_cast<double>(n_)) - 1);
    };
    const double across = eigenvalue(m / n_) + eigenvalue(m % n_);
    double pivot = 0;
    for (std::size_t i = 0; i < cells_; ++i) {
      const bool at_wall = (first && i == 0) || (last && i + 1 == cells_);
      double diagonal = across - (at_wall ? 1 : 2) * coupling_;
      diagonal -= first && i == 0 && m == 0 ? coupling_ : 0; // fixes the constant
      lower_[i * modes_ + m] = i == 0 ? 0 : coupling_ / pivot;
      pivot = diagonal - lower_[i * modes_ + m] * coupling_;
      pivots_[i * modes_ + m] = 1 / pivot;
    }
  }
  std::fill_n(from_left_.begin(), first ? 0 : modes_, -coupling_);
  solve_lines(from_left_);
  std::fill_n(from_right_.end() - static_cast<std::ptrdiff_t>(modes_), last ? 0 : modes_,
              -coupling_);
  solve_lines(from_right_);
  std::vector<double> own;
  for (const std::vector<double>* answer : {&from_left_, &from_right_}) {
    own.insert(own.end(), answer->begin(), answer->begin() + static_cast<std::ptrdiff_t>(modes_));
    own.insert(own.end(), answer->end() - static_cast<std::ptrdiff_t>(modes_), answer->end());
  }
  ends_ = comm::allgather(comm, std::span<const double>(own)).values;
}

void SlabPoisson::solve(std::span<double> values) {
  transform(values, false);
  solve_lines(values);
  join(values);
  transform(values, true);
}

/// Layer by layer: values = C values C^T, or back with the transpose of C.
void SlabPoisson::transform(std::span<double> values, bool back) {
  const auto basis = [this, back](std::size_t m, std::size_t j) {
    return back ? cosines_[j * n_ + m] : cosines_[m * n_ + j];
  };
  for (std::size_t i = 0; i < cells_; ++i) {
    const std::span<double> layer = values.subspan(i * modes_, modes_);
    std::fill(scratch_.begin(), scratch_.end(), 0.0);
    for (std::size_t m = 0; m < n_; ++m) { // along y
      for (std::size_t j = 0; j < n_; ++j) {
        const double weight = basis(m, j);
        for (std::size_t k = 0; k < n_; ++k) {
          scratch_[m * n_ + k] += weight * layer[j * n_ + k];
        }
      }
    }
    for (std::size_t j = 0; j < n_; ++j) { // along z
      for (std::size_t m = 0; m < n_; ++m) {
        double sum = 0;
        for (std::size_t k = 0; k < n_; ++k) {
          sum += basis(m, k) * scratch_[j * n_ + k];
        }
        layer[j * n_ + m] = sum;
      }
    }
  }
}

/// As if the layers before and after this slab were zero.
void SlabPoisson::solve_lines(std::span<double> values) const {
  for (std::size_t at = modes_; at < values.size(); ++at) {
    values[at] -= lower_[at] * values[at - modes_];
  }
  for (std::size_t at = values.size(); at-- > 0;) {
    const double after = at + modes_ < values.size() ? coupling_ * values[at + modes_] : 0;
    values[at] = (values[at] - after) * pivots_[at];
  }
}

/// Adds what the layers before and after this slab cause. For each slab the last layer is
/// `constant + slope * (first layer of the next)`, from the left to the right.
void SlabPoisson::join(std::span<double> values) {
  if (comm_.size() == 1) {
    return;
  }
  std::vector<double> own(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(modes_));
  own.insert(own.end(), values.end() - static_cast<std::ptrdiff_t>(modes_), values.end());
  const auto all = comm::allgather(comm_, std::span<const double>(own)).values;
  const auto ranks = static_cast<std::size_t>(comm_.size());
  std::vector<double> constant(ranks + 1);
  std::vector<double> slope(ranks + 1);
  std::vector<double> first(ranks + 1);
  const auto rank = static_cast<std::size_t>(comm_.rank());
  for (std::size_t m = 0; m < modes_; ++m) {
    const auto end = [&](std::size_t r, std::size_t which) {
      return ends_[(4 * r + which) * modes_ + m];
    };
    for (std::size_t r = 0; r < ranks; ++r) {
      const double scale = 1 / (1 - end(r, 0) * slope[r]);
      const double free_first = (all[2 * r * modes_ + m] + end(r, 0) * constant[r]) * scale;
      constant[r + 1] =
          all[(2 * r + 1) * modes_ + m] + end(r, 1) * (constant[r] + slope[r] * free_first);
      slope[r + 1] = end(r, 3) + end(r, 1) * slope[r] * end(r, 2) * scale;
      first[r] = free_first;
    }
    for (std::size_t r = ranks; r-- > 0;) { // first[ranks] is 0
      first[r] += end(r, 2) * first[r + 1] / (1 - end(r, 0) * slope[r]);
    }
    const double left = constant[rank] + slope[rank] * first[rank];
    for (std::size_t i = 0; i < cells_; ++i) {
      values[i * modes_ + m] +=
          from_left_[i * modes_ + m] * left + from_right_[i * modes_ + m] * first[rank + 1];
    }
  }
}

} // namespace isthmus::discrete
