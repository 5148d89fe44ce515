// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/diagnosis.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace isthmus::acceleration {

namespace {

constexpr std::size_t observed = 5; // steps from one iteration to the next
constexpr double slow = 0.9;        // above that half of the digits take a dozen iterations
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

ResidualHistory::ResidualHistory(std::span<const Field> fields) {
  for (const Field& field : fields) {
    names_.push_back(field.name);
  }
}

void ResidualHistory::add(std::span<const Norms> norms) {
  for (const Norms& norm : norms) {
    residuals_.push_back(norm.residual);
  }
}

Diagnosis ResidualHistory::diagnose() const {
  Diagnosis worst{Trend::converging, "", 0, ""};
  const std::size_t n = names_.size();
  if (residuals_.size() < (observed + 1) * n) {
    return worst;
  }
  const double* const last = &residuals_[residuals_.size() - n];
  const double* const first = last - observed * n;
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
