// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/krylov/iteration.hpp"

#include <cmath>

namespace isthmus::la {

namespace {
constexpr double rounding = std::numeric_limits<double>::epsilon() / 16;
} // namespace

Iteration::Iteration(Operator& matrix, Preconditioner& preconditioner, std::span<const double> rhs,
                     std::span<double> solution, const Settings& the_settings, std::size_t num_sums)
    : settings(the_settings),
      b(rhs),
      x(solution),
      matrix_(matrix),
      preconditioner_(preconditioner),
      reduction_(matrix.comm(), num_sums) {
  find_reference();
}

void Iteration::find_reference() {
  if (settings.norm == Norm::two) {
    const double part = norm_part(b);
    reference_ = norm_of(reduction_.sum(std::span(&part, 1)).front());
    return;
  }
  const auto means = sums({local_sum(x), static_cast<double>(size())});
  std::span<double> a = vector();
  std::span<double> ax = vector();
  std::span<double> constant = vector();
  std::fill(constant.begin(), constant.end(), means[1] > 0 ? means[0] / means[1] : 0);
  multiply(constant, a);
  multiply(x, ax);
  double part = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    part += std::abs(ax[i] - a[i]) + std::abs(b[i] - a[i]);
  }
  reference_ = sums({part}).front();
}

std::span<double> Iteration::vector() {
  return vectors_.emplace_back(x.size());
}

void Iteration::multiply(std::span<const double> from, std::span<double> to) {
  matrix_.apply(from, to);
  ++report_.applications;
}

void Iteration::precondition(std::span<const double> from, std::span<double> to) {
  preconditioner_.apply(from, to);
  ++report_.preconditionings;
}

void Iteration::multiply_beside(std::span<const double> from, std::span<double> to) {
  matrix_.apply(from, to, beside(0.75));
  ++report_.applications;
}

void Iteration::precondition_beside(std::span<const double> from, std::span<double> to) {
  preconditioner_.apply(from, to, beside(0.25));
  ++report_.preconditionings;
}

void Iteration::subtract_product(std::span<double> r) {
  multiply(x, r);
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

bool Iteration::starts_at(double norm) {
  first_ = norm;
  if (reference_ == 0) {
    reference_ = norm == 0 ? 1 : norm;
  }
  limit_ = std::max(settings.relative * reference_, settings.absolute);
  if (settings.max_iterations <= 0 && norm > limit_) {
    end(Reason::max_iterations);
  }
  return judge(norm);
}

bool Iteration::ends_at(double norm) {
  ++report_.iterations;
  return judge(norm);
}

bool Iteration::judge(double norm) {
  report_.residual = norm / reference_;
  if (settings.keep_residuals) {
    report_.residuals.push_back(report_.residual);
  }
  if (norm < best_) {
    best_ = norm;
    best_at_ = report_.iterations;
  }
  if (!std::isfinite(norm)) {
    end(Reason::not_finite);
  } else if (norm <= limit_) {
    end(Reason::converged);
  } else if (norm <= rounding * reference_) {
    end(Reason::attained);
  } else if (norm > settings.divergence * std::max(first_, reference_)) {
    end(Reason::diverged);
  } else if (report_.iterations >= settings.max_iterations) {
    end(Reason::max_iterations);
  } else if (settings.stagnation > 0 && report_.iterations - best_at_ >= settings.stagnation) {
    end(Reason::stagnated);
  } else if (settings.progress && !settings.progress(report_.iterations, report_.residual)) {
    end(Reason::stopped);
  }
  return ended();
}

bool Iteration::is_not_positive(double product) {
  if (product > 0 && std::isfinite(product)) {
    return false;
  }
  end(product < 0 ? Reason::indefinite : product == 0 ? Reason::broke_down : Reason::not_finite);
  return true;
}

bool Iteration::vanishes(double divisor) {
  if (divisor != 0 && std::isfinite(divisor)) {
    return false;
  }
  end(divisor == 0 ? Reason::broke_down : Reason::not_finite);
  return true;
}

void Iteration::touched(double vectors) {
  report_.vectors += vectors;
  if (settings.on_vectors) {
    settings.on_vectors(vectors);
  }
}

Report Iteration::finish() {
  if (reduction_.under_way()) {
    reduction_.wait();
  }
  const comm::Reduction::Counts counts = reduction_.counts();
  report_.reductions = counts.reductions;
  report_.messages = counts.messages;
  report_.polls = counts.polls;
  report_.reason = reason_.value_or(Reason::max_iterations);
  const Report counted = report_;
  std::span<double> r = vector();
  subtract_product(r);
  report_ = counted; // without what the report itself takes
  report_.true_residual = norm_of(sums({norm_part(r)}).front()) / reference_;
  return std::move(report_);
}

} // namespace isthmus::la
