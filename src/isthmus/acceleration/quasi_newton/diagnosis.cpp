// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/quasi_newton/diagnosis.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace isthmus::acceleration {

namespace {

/// Steps from one iteration to the next. An even number: without acceleration data of a parallel
/// scheme change in every other iteration only.
constexpr std::size_t observed = 6;
constexpr double slow = 0.9; // above that half of the digits take a dozen iterations
constexpr double growing = 1.05;

Trend trend_of(double factor) {
  return factor > growing ? Trend::diverging
         : factor > slow  ? Trend::stagnating
                          : Trend::converging;
}

std::string describe(const Diagnosis& diagnosis, double first, double last) {
  if (diagnosis.trend == Trend::converging) {
    return {};
  }
  const bool diverging = diagnosis.trend == Trend::diverging;
  return fmt::format(
      "data \"{}\" {}: its residual went from {:.2e} to {:.2e} in {} iterations, a factor of "
      "{:.2f} "
      "each; {}",
      diagnosis.field, diverging ? "diverges" : "stagnates", first, last, observed,
      diagnosis.factor,
      diverging ? "try a smaller relaxation, quasi-Newton instead of relaxation, or a smaller time "
                  "window, and look at the solver that writes it"
                : "try quasi-Newton with more reused columns, a smaller filter limit, or tighter "
                  "tolerances inside the solvers: they bound what coupling can reach");
}

} // namespace

void ResidualHistory::add(std::span<const Norms> norms) {
  if (residuals_.size() == (observed + 1) * names_.size()) {
    residuals_.erase(residuals_.begin(), residuals_.begin() + std::ssize(names_));
  }
  for (const Norms& norm : norms) {
    residuals_.push_back(norm.residual);
  }
}

Diagnosis ResidualHistory::diagnose() const {
  Diagnosis worst{Trend::converging, "", 0, ""};
  const std::size_t n = names_.size();
  if (n == 0 || residuals_.size() < (observed + 1) * n) {
    return worst;
  }
  const double* const first = residuals_.data();
  const double* const last = first + observed * n;
  for (std::size_t f = 0; f < n; ++f) {
    const double factor = std::pow(last[f] / first[f], 1.0 / observed);
    if (first[f] > 0 && factor > worst.factor) {
      worst = {trend_of(factor), names_[f], factor, ""};
      worst.text = describe(worst, first[f], last[f]);
    }
  }
  return worst;
}

} // namespace isthmus::acceleration
