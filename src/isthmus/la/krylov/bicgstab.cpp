// SPDX-License-Identifier: BSD-3-Clause
// Stabilized bi-conjugate gradients (van der Vorst, doi 10.1137/0913035), preconditioned on the
// right: with three reductions, and with the last two in one.
#include "isthmus/la/krylov/iteration.hpp"

#include <cmath>

namespace isthmus::la {

namespace {

class BiCgStab {
 public:
  BiCgStab(Iteration& iteration, bool merged) : it_(iteration), merged_(merged) {}

  void run() {
    it_.subtract_product(r_);
    std::copy(r_.begin(), r_.end(), shadow_.begin());
    const auto first = it_.sums({local_dot(r_, r_), it_.norm_part(r_)});
    double rho = first[0];
    if (it_.stopping.starts_at(it_.norm_of(first[1]))) {
      return;
    }
    double alpha = 1;
    double beta = 0;
    double omega = 0;
    while (true) {
      for (std::size_t i = 0; i < it_.size(); ++i) {
        p_[i] = r_[i] + beta * (p_[i] - omega * v_[i]);
      }
      it_.precondition(p_, y_);
      it_.multiply(y_, v_);
      const double divisor = it_.sums({local_dot(shadow_, v_)}).front();
      it_.touched(6);
      if (it_.stopping.vanishes(divisor) || it_.stopping.vanishes(rho)) {
        return;
      }
      alpha = rho / divisor;
      for (std::size_t i = 0; i < it_.size(); ++i) {
        r_[i] -= alpha * v_[i]; // s
      }
      it_.precondition(r_, z_);
      it_.multiply(z_, t_);
      const Ending ending = merged_ ? end_merged(alpha) : end_apart(alpha);
      omega = ending.omega;
      if (it_.stopping.ends_at(ending.norm)) {
        return;
      }
      if (it_.stopping.vanishes(omega)) {
        return;
      }
      beta = ending.rho / rho * (alpha / omega);
      rho = ending.rho;
    }
  }

 private:
  struct Ending {
    double omega, rho, norm;
  };

  static double quotient(double a, double b) { return b == 0 ? 0 : a / b; }

  Ending end_apart(double alpha) {
    const auto products = it_.sums({local_dot(t_, r_), local_dot(t_, t_)});
    const double omega = quotient(products[0], products[1]);
    update(alpha, omega);
    const auto sums = it_.sums({local_dot(shadow_, r_), it_.norm_part(r_)});
    it_.touched(16);
    return {omega, sums[0], it_.norm_of(sums[1])};
  }

  Ending end_merged(double alpha) {
    const auto sums = it_.sums({local_dot(t_, r_), local_dot(t_, t_), local_dot(shadow_, r_),
                                local_dot(shadow_, t_), local_dot(r_, r_)});
    const double ts = sums[0];
    const double tt = sums[1];
    const double omega = quotient(ts, tt);
    const double square = sums[4] - omega * (2 * ts - omega * tt);
    const Ending ending{omega, sums[2] - omega * sums[3], std::sqrt(std::max(0.0, square))};
    update(alpha, omega);
    it_.touched(16);
    return std::isfinite(square) ? ending : Ending{omega, ending.rho, square};
  }

  void update(double alpha, double omega) {
    for (std::size_t i = 0; i < it_.size(); ++i) {
      it_.x[i] += alpha * y_[i] + omega * z_[i];
      r_[i] -= omega * t_[i];
    }
  }

  Iteration& it_;
  bool merged_;
  std::span<double> r_ = it_.vector(), shadow_ = it_.vector(), p_ = it_.vector(), v_ = it_.vector(),
                    y_ = it_.vector(), z_ = it_.vector(), t_ = it_.vector();
};

} // namespace

void run_bicgstab(Iteration& it, bool merged) {
  BiCgStab(it, merged).run();
}

} // namespace isthmus::la
