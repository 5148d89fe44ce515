// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients of Ghysels and Vanroose in the form that Lin et al. gave them for OpenFOAM
// ("A layered communication optimization method based on OpenFOAM"), PiPePCG and RePiPePCG.
#include "isthmus/la/krylov/iteration.hpp"

namespace isthmus::la {

namespace {

class Pipelined {
 public:
  Pipelined(Iteration& iteration, bool rearranged) : it_(iteration), rearranged_(rearranged) {}

  void run() {
    it_.subtract_product(residual_.r);
    it_.precondition(residual_.r, residual_.u);
    it_.multiply(residual_.u, residual_.w);
    it_.begin_sums({local_dot(residual_.w, residual_.u), local_dot(residual_.r, residual_.u),
                    it_.norm_part(residual_.r)});
    it_.touched(3);
    for (bool first = true;; first = false) {
      it_.precondition_beside(residual_.w, residual_.m);
      it_.multiply_beside(residual_.m, residual_.n);
      const auto sums = it_.finish_sums();
      const double norm = it_.norm_of(sums[2]);
      if (first ? it_.stopping.starts_at(norm) : it_.stopping.ends_at(norm)) {
        return;
      }
      const double delta = sums[0];
      const double gamma = sums[1];
      const double beta = first ? 0 : gamma / gamma_;
      const double divisor = first ? delta : delta - beta * gamma / alpha_;
      if (it_.stopping.is_not_positive(gamma) || it_.stopping.is_not_positive(divisor)) {
        return;
      }
      alpha_ = gamma / divisor;
      gamma_ = gamma;
      update(beta);
    }
  }

 private:
  /// r = b - A x and its images u = M r, w = A u, m = M w, n = A m.
  struct Residual {
    std::span<double> r, u, w, m, n;
  };

  /// p and its images s = A p, q = M s, z = A q.
  struct Direction {
    std::span<double> p, s, q, z;
  };

  /// One loop over the vectors, then the next reduction; rearranged: x and p beside it.
  void update(double beta) {
    std::array<double, 3> parts{};
    in_blocks(it_.size(), [this, beta, &parts](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        direction_.z[i] = residual_.n[i] + beta * direction_.z[i];
        direction_.q[i] = residual_.m[i] + beta * direction_.q[i];
        direction_.s[i] = residual_.w[i] + beta * direction_.s[i];
      }
      if (rearranged_) {
        std::copy_n(residual_.u.begin() + static_cast<std::ptrdiff_t>(first), last - first,
                    kept_.begin() + static_cast<std::ptrdiff_t>(first));
      } else {
        advance(residual_.u, beta, first, last);
      }
      for (std::size_t i = first; i < last; ++i) {
        residual_.r[i] -= alpha_ * direction_.s[i];
        residual_.u[i] -= alpha_ * direction_.q[i];
        residual_.w[i] -= alpha_ * direction_.z[i];
      }
      parts[0] += local_dot(residual_.w, residual_.u, first, last);
      parts[1] += local_dot(residual_.r, residual_.u, first, last);
      parts[2] += it_.norm_part(residual_.r, first, last);
    });
    it_.touched(rearranged_ ? 15 : 18);
    it_.begin_sums(parts);
    if (rearranged_) {
      in_pieces(it_.size(), it_.beside(0.25), [this, beta](std::size_t first, std::size_t last) {
        advance(kept_, beta, first, last);
        it_.touched(5 * static_cast<double>(last - first) / static_cast<double>(it_.size()));
      });
    }
  }

  void advance(std::span<const double> direction, double beta, std::size_t first,
               std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      direction_.p[i] = direction[i] + beta * direction_.p[i];
      it_.x[i] += alpha_ * direction_.p[i];
    }
  }

  Iteration& it_;
  bool rearranged_;
  Residual residual_{it_.vector(), it_.vector(), it_.vector(), it_.vector(), it_.vector()};
  Direction direction_{it_.vector(), it_.vector(), it_.vector(), it_.vector()};
  std::span<double> kept_ = it_.vector(); // u before its update
  double alpha_ = 0;
  double gamma_ = 0;
};

} // namespace

void run_pipelined_cg(Iteration& it, bool rearranged) {
  Pipelined(it, rearranged).run();
}

} // namespace isthmus::la
