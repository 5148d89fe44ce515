// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients whose reductions nothing hides.
#include "isthmus/la/krylov/iteration.hpp"

namespace isthmus::la {

void run_cg(Iteration& it, bool norm_apart) {
  const auto r = it.vector(), z = it.vector(), p = it.vector(), s = it.vector();
  it.subtract_product(r);
  double old = 0;
  const auto residual = [&it, r, z, norm_apart](double& product) {
    double norm = 0;
    if (norm_apart) {
      norm = it.norm_of(it.sums({it.norm_part(r)}).front());
      it.touched(1);
      it.precondition(r, z);
      product = it.sums({local_dot(r, z)}).front();
    } else {
      it.precondition(r, z);
      const auto sums = it.sums({local_dot(r, z), it.norm_part(r)});
      product = sums[0];
      norm = it.norm_of(sums[1]);
    }
    it.touched(2);
    return norm;
  };
  double product = 0;
  bool ends = it.stopping.starts_at(residual(product));
  while (!ends) {
    if (it.stopping.is_not_positive(product)) {
      return;
    }
    const double beta = old == 0 ? 0 : product / old;
    old = product;
    for (std::size_t i = 0; i < it.size(); ++i) {
      p[i] = z[i] + beta * p[i];
    }
    it.touched(3);
    it.multiply(p, s);
    const double curvature = it.sums({local_dot(p, s)}).front();
    it.touched(2);
    if (it.stopping.is_not_positive(curvature)) {
      return;
    }
    const double alpha = product / curvature;
    for (std::size_t i = 0; i < it.size(); ++i) {
      it.x[i] += alpha * p[i];
      r[i] -= alpha * s[i];
    }
    it.touched(6);
    ends = it.stopping.ends_at(residual(product));
  }
}

void run_merged_cg(Iteration& it) {
  const auto r = it.vector(), u = it.vector(), w = it.vector(), p = it.vector(), s = it.vector();
  it.subtract_product(r);
  double old = 0;
  double alpha = 0;
  for (bool first = true;; first = false) {
    it.precondition(r, u);
    it.multiply(u, w);
    const auto sums = it.sums({local_dot(r, u), local_dot(w, u), it.norm_part(r)});
    it.touched(3);
    const double product = sums[0];
    const double other = sums[1];
    const double norm = it.norm_of(sums[2]);
    if (first ? it.stopping.starts_at(norm) : it.stopping.ends_at(norm)) {
      return;
    }
    const double beta = first ? 0 : product / old;
    const double divisor = first ? other : other - beta * product / alpha;
    if (it.stopping.is_not_positive(product) || it.stopping.is_not_positive(divisor)) {
      return;
    }
    alpha = product / divisor;
    old = product;
    for (std::size_t i = 0; i < it.size(); ++i) {
      p[i] = u[i] + beta * p[i];
      s[i] = w[i] + beta * s[i];
      it.x[i] += alpha * p[i];
      r[i] -= alpha * s[i];
    }
    it.touched(10);
  }
}

} // namespace isthmus::la
