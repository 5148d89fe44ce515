// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/krylov/iteration.hpp"

#include <cmath>
#include <limits>

namespace isthmus::la {

Iteration::Iteration(Operator& matrix, Preconditioner& preconditioner, std::span<const double> rhs,
                     std::span<double> solution, const Settings& the_settings, std::size_t num_sums)
    : settings(the_settings),
      b(rhs),
      x(solution),
      stopping(the_settings),
      matrix_(matrix),
      preconditioner_(preconditioner),
      reduction_(matrix.comm(), num_sums) {
  stopping.set_reference(find_reference());
}

double Iteration::find_reference() {
  if (settings.norm == Norm::two) {
    const double part = norm_part(b);
    return norm_of(reduction_.sum(std::span(&part, 1)).front());
  }
  const auto means = sums({local_sum(x), static_cast<double>(size())});
  std::span<double> a = vector();
  std::span<double> ax = vector();
  matrix_.apply_to_constant(means[1] > 0 ? means[0] / means[1] : 0, a);
  ++products_.applications;
  multiply(x, ax);
  first_product_ = ax;
  double part = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    part += std::abs(ax[i] - a[i]) + std::abs(b[i] - a[i]);
  }
  return sums({part}).front();
}

std::span<double> Iteration::vector() {
  return vectors_.emplace_back(x.size());
}

void Iteration::multiply(std::span<const double> from, std::span<double> to) {
  matrix_.apply(from, to);
  ++products_.applications;
}

void Iteration::precondition(std::span<const double> from, std::span<double> to) {
  preconditioner_.apply(from, to);
  ++products_.preconditionings;
}

void Iteration::multiply_beside(std::span<const double> from, std::span<double> to) {
  matrix_.apply(from, to, beside(0.75));
  ++products_.applications;
}

void Iteration::precondition_beside(std::span<const double> from, std::span<double> to) {
  preconditioner_.apply(from, to, beside(0.25));
  ++products_.preconditionings;
}

void Iteration::subtract_product(std::span<double> r) {
  if (first_product_) { // x is still the guess
    std::copy(first_product_->begin(), first_product_->end(), r.begin());
    first_product_.reset();
  } else {
    multiply(x, r);
  }
  for (std::size_t i = 0; i < size(); ++i) {
    r[i] = b[i] - r[i];
  }
  touched(3);
}

void Iteration::scale(std::span<double> v, double factor) {
  for (double& value : v) {
    value *= factor;
  }
  touched(2);
}

void Iteration::correct(std::span<const double> factors, const Basis& vectors,
                        std::span<double> preconditioned, std::span<double> sum) {
  std::fill(sum.begin(), sum.end(), 0);
  vectors.in_blocks([&vectors, factors, sum](std::size_t first, std::size_t last) {
    vectors.add_to(sum, factors, first, last);
  });
  precondition(sum, preconditioned);
  for (std::size_t i = 0; i < size(); ++i) {
    x[i] += preconditioned[i];
  }
  touched(static_cast<double>(factors.size()) + 4);
}

void Iteration::begin_sums(std::initializer_list<double> parts) {
  reduction_.begin({parts.begin(), parts.size()});
}

std::span<const double> Iteration::sums(std::initializer_list<double> parts) {
  return reduction_.sum({parts.begin(), parts.size()});
}

double Iteration::norm_part(std::span<const double> r, std::size_t first, std::size_t last) const {
  return settings.norm == Norm::two ? local_dot(r, r, first, last) : local_sum_abs(r, first, last);
}

double Iteration::norm_of(double sum) const {
  return settings.norm == Norm::two ? std::sqrt(sum) : sum;
}

void Iteration::touched(double vectors) {
  vectors_touched_ += vectors;
  if (settings.monitor.on_vectors) {
    settings.monitor.on_vectors(vectors);
  }
}

Report Iteration::finish() {
  if (reduction_.under_way()) {
    reduction_.finish();
  }
  const comm::Reduction::Counts counts = reduction_.counts();
  Report report;
  stopping.report_to(report);
  report.reductions = counts.reductions;
  report.messages = counts.messages;
  report.polls = counts.polls;
  report.products = products_;
  report.vectors = vectors_touched_;
  if (!settings.monitor.verified) {
    report.true_residual = std::numeric_limits<double>::quiet_NaN();
    return report;
  }
  std::span<double> r = vector(); // from here on the counts are those of the report itself
  subtract_product(r);
  report.true_residual = norm_of(sums({norm_part(r)}).front()) / stopping.reference();
  return report;
}

} // namespace isthmus::la
