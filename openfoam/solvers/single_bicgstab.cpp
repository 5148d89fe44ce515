// SPDX-License-Identifier: GPL-3.0-or-later
// Stabilized bi-conjugate gradients (van der Vorst, doi 10.1137/0913035) with one reduction in an
// iteration, as that of Yang and Brent, doi 10.1109/ICAPP.2002.1173595, but without products with
// the transpose: both products are known before the reduction, since that with r - alpha v follows
// from those with r and with v, and all that is asked of r - alpha v and of what comes out follows
// from products of r, v and their images. The norm of the new residual comes with the sums of the
// next iteration, or, where the Euclidean one that follows says that this may be the end, by
// itself.
#include "iterations.hpp"

#include <cmath>

namespace isthmus::openfoam {

namespace {

class SingleBiCgStab {
 public:
  explicit SingleBiCgStab(la::Iteration& iteration) : it_(iteration) {}

  void run() {
    it_.subtract_product(r_);
    std::copy(r_.begin(), r_.end(), shadow_.begin());
    const auto first = it_.sums({la::local_dot(r_, r_), it_.norm_part(r_)});
    euclidean_ = std::sqrt(first[0]);
    norm_ = it_.norm_of(first[1]);
    if (it_.stopping.starts_at(norm_)) {
      return;
    }
    image_of_residual();
    std::copy(u_.begin(), u_.end(), v_.begin());
    std::copy(mr_.begin(), mr_.end(), mp_.begin());
    for (bool is_known = true; step(is_known);) {
    }
  }

 private:
  enum Sum { sv, sq, su, sr, ur, uv, qr, qv, uu, uq, qq, rr, rv, vv, norm, num_sums };

  void image_of_residual() {
    it_.precondition(r_, mr_);
    it_.multiply(mr_, u_);
  }

  /// One iteration; whether to go on. `is_known`: the norm of the residual has been judged; set to
  /// whether that of the next one has been.
  bool step(bool& is_known) {
    it_.precondition(v_, mv_);
    it_.multiply(mv_, q_);
    const auto s = it_.sums({la::local_dot(shadow_, v_), la::local_dot(shadow_, q_),
                             la::local_dot(shadow_, u_), la::local_dot(shadow_, r_),
                             la::local_dot(u_, r_), la::local_dot(u_, v_), la::local_dot(q_, r_),
                             la::local_dot(q_, v_), la::local_dot(u_, u_), la::local_dot(u_, q_),
                             la::local_dot(q_, q_), la::local_dot(r_, r_), la::local_dot(r_, v_),
                             la::local_dot(v_, v_), it_.norm_part(r_)});
    it_.touched(30);
    if (!is_known) {
      norm_ = it_.norm_of(s[norm]);
      euclidean_ = std::sqrt(s[rr]);
      if (it_.stopping.ends_at(norm_)) {
        return false;
      }
    }
    if (it_.stopping.vanishes(s[sv]) || it_.stopping.vanishes(s[sr])) {
      return false;
    }
    const double alpha = s[sr] / s[sv];
    const double ts = s[ur] - alpha * (s[uv] + s[qr]) + alpha * alpha * s[qv];
    const double tt = s[uu] - 2 * alpha * s[uq] + alpha * alpha * s[qq];
    const double ss = s[rr] - 2 * alpha * s[rv] + alpha * alpha * s[vv];
    const double omega = tt > 0 ? ts / tt : 0;
    const double rho = s[sr] - alpha * s[sv] - omega * (s[su] - alpha * s[sq]);
    const double old_rho = s[sr];
    update(alpha, omega);
    is_known = may_end(std::sqrt(std::max(0.0, ss - omega * (2 * ts - omega * tt))));
    if (is_known) {
      const auto sums = it_.sums({la::local_dot(r_, r_), it_.norm_part(r_)});
      euclidean_ = std::sqrt(sums[0]);
      norm_ = it_.norm_of(sums[1]);
      if (it_.stopping.ends_at(norm_)) {
        return false;
      }
    }
    if (it_.stopping.vanishes(omega)) {
      return false;
    }
    turn(rho / old_rho * (alpha / omega), omega);
    return true;
  }

  void update(double alpha, double omega) {
    for (std::size_t i = 0; i < it_.size(); ++i) {
      it_.x[i] += alpha * mp_[i] + omega * (mr_[i] - alpha * mv_[i]);
      r_[i] -= alpha * v_[i] + omega * (u_[i] - alpha * q_[i]);
    }
    it_.touched(9);
  }

  /// Whether the norm that ends the iteration can be below its limit, where the Euclidean norm is
  /// this: their ratio changes slowly.
  [[nodiscard]] bool may_end(double euclidean) const {
    constexpr double margin = 3;
    return !(euclidean * norm_ > margin * it_.stopping.limit() * euclidean_) ||
           it_.stopping.iterations() + 1 >= it_.settings.max_iterations;
  }

  void turn(double beta, double omega) {
    image_of_residual();
    for (std::size_t i = 0; i < it_.size(); ++i) {
      mp_[i] = mr_[i] + beta * (mp_[i] - omega * mv_[i]);
      v_[i] = u_[i] + beta * (v_[i] - omega * q_[i]);
    }
    it_.touched(8);
  }

  la::Iteration& it_;
  double norm_ = 0, euclidean_ = 0; // of the latest residual for which they were summed
  std::span<double> r_ = it_.vector(), shadow_ = it_.vector(), v_ = it_.vector(), u_ = it_.vector(),
                    q_ = it_.vector(), mr_ = it_.vector(), mv_ = it_.vector(), mp_ = it_.vector();
};

} // namespace

void run_single_bicgstab(la::Iteration& it) {
  SingleBiCgStab(it).run();
}

} // namespace isthmus::openfoam
