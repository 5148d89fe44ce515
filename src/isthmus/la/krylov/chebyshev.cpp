// SPDX-License-Identifier: BSD-3-Clause
// Chebyshev iteration (Saad, Iterative methods for sparse linear systems, algorithm 12.1). Bounds
// that are not given are estimated by steps of conjugate gradients, whose coefficients are a
// Lanczos matrix; an estimate above the smallest eigenvalue makes it slower, not wrong.
#include "isthmus/la/dense.hpp"
#include "isthmus/la/krylov/iteration.hpp"

#include <cmath>

namespace isthmus::la {

namespace {

Extremes estimate(Iteration& it, std::span<const double> residual) {
  constexpr int steps = 25;
  const auto r = it.vector(), z = it.vector(), p = it.vector(), s = it.vector();
  std::copy(residual.begin(), residual.end(), r.begin());
  std::vector<double> diagonal;
  std::vector<double> beside;
  double old = 0;
  double alpha = 1;
  for (int step = 0; step < steps; ++step) {
    it.precondition(r, z);
    const double product = it.sums({local_dot(r, z)}).front();
    constexpr double tiny = 1e-28;
    if (!(product > tiny * old)) {
      break;
    }
    const double beta = step == 0 ? 0 : product / old;
    for (std::size_t i = 0; i < it.size(); ++i) {
      p[i] = z[i] + beta * p[i];
    }
    it.multiply(p, s);
    const double curvature = it.sums({local_dot(p, s)}).front();
    if (!(curvature > 0)) {
      break;
    }
    if (step > 0) {
      beside.push_back(std::sqrt(beta) / alpha);
    }
    const double before = step == 0 ? 0 : beta / alpha;
    alpha = product / curvature;
    diagonal.push_back(1 / alpha + before);
    old = product;
    for (std::size_t i = 0; i < it.size(); ++i) {
      r[i] -= alpha * s[i];
    }
  }
  return diagonal.empty() ? Extremes{1, 1} : eigenvalue_extremes(diagonal, beside);
}

} // namespace

void run_chebyshev(Iteration& it) {
  constexpr int interval = 5; // iterations between tests for the end
  constexpr double margin = 1.05;
  const auto r = it.vector(), z = it.vector(), d = it.vector(), ad = it.vector();
  it.subtract_product(r);
  if (it.stopping.starts_at(it.norm_of(it.sums({it.norm_part(r)}).front()))) {
    return;
  }
  double smallest = it.settings.eigenvalues.smallest;
  double largest = it.settings.eigenvalues.largest;
  if (smallest <= 0 || largest <= 0) {
    const Extremes found = estimate(it, r);
    smallest = smallest > 0 ? smallest : found.smallest / margin;
    largest = largest > 0 ? largest : found.largest * margin;
  }
  const double middle = (largest + smallest) / 2;
  const double radius = std::max((largest - smallest) / 2, 1e-6 * middle);
  double rho = radius / middle;
  it.precondition(r, d);
  for (double& value : d) {
    value /= middle;
  }
  while (true) {
    it.multiply(d, ad);
    for (std::size_t i = 0; i < it.size(); ++i) {
      it.x[i] += d[i];
      r[i] -= ad[i];
    }
    it.precondition(r, z);
    const double next = 1 / (2 * middle / radius - rho);
    for (std::size_t i = 0; i < it.size(); ++i) {
      d[i] = next * rho * d[i] + 2 * next / radius * z[i];
    }
    rho = next;
    it.touched(9);
    const int done = it.stopping.iterations() + 1;
    if (done % interval != 0 && done < it.settings.max_iterations) {
      it.stopping.goes_on();
    } else if (it.stopping.ends_at(it.norm_of(it.sums({it.norm_part(r)}).front()))) {
      return;
    }
  }
}

} // namespace isthmus::la
