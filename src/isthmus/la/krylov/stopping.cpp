// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/krylov/stopping.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::la {

namespace {
constexpr double rounding = std::numeric_limits<double>::epsilon() / 16;
} // namespace

bool Stopping::starts_at(double norm) {
  first_ = norm;
  if (reference_ == 0) {
    reference_ = norm == 0 ? 1 : norm;
  }
  limit_ = std::max(
      {settings_.relative * reference_, settings_.absolute, settings_.limits.of_first * norm});
  if (settings_.max_iterations <= 0 && norm > limit_) {
    end(Reason::max_iterations);
  }
  return judge(norm);
}

bool Stopping::ends_at(double norm) {
  ++iterations_;
  return judge(norm);
}

bool Stopping::judge(double norm) {
  residual_ = norm / reference_;
  if (settings_.monitor.keep_residuals) {
    residuals_.push_back(residual_);
  }
  if (norm < best_) {
    best_ = norm;
    best_at_ = iterations_;
  }
  if (!std::isfinite(norm)) {
    end(Reason::not_finite);
  } else if (norm <= limit_ && iterations_ >= settings_.limits.min_iterations) {
    end(Reason::converged);
  } else if (norm <= rounding * reference_) {
    end(Reason::attained);
  } else if (norm > settings_.limits.divergence * std::max(first_, reference_)) {
    end(Reason::diverged);
  } else if (iterations_ >= settings_.max_iterations) {
    end(Reason::max_iterations);
  } else if (settings_.limits.stagnation > 0 &&
             iterations_ - best_at_ >= settings_.limits.stagnation) {
    end(Reason::stagnated);
  } else if (settings_.monitor.progress && !settings_.monitor.progress(iterations_, residual_)) {
    end(Reason::stopped);
  }
  return ended();
}

bool Stopping::is_not_positive(double product) {
  if (settings_.known.either_sign) {
    if (sign_ == 0) {
      sign_ = std::copysign(1, product);
    }
    product *= sign_;
  }
  if (product > 0 && std::isfinite(product)) {
    return false;
  }
  end(product < 0 ? Reason::indefinite : product == 0 ? Reason::broke_down : Reason::not_finite);
  return true;
}

bool Stopping::vanishes(double divisor) {
  if (divisor != 0 && std::isfinite(divisor)) {
    return false;
  }
  end(divisor == 0 ? Reason::broke_down : Reason::not_finite);
  return true;
}

void Stopping::report_to(Report& report) {
  report.reason = reason_.value_or(Reason::max_iterations);
  report.iterations = iterations_;
  report.residual = residual_;
  report.residuals = std::move(residuals_);
}

} // namespace isthmus::la
