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
    it_.subtract_product(r_);
    it_.precondition(r_, u_);
    it_.multiply(u_, w_);
    it_.begin_sums({local_dot(w_, u_), local_dot(r_, u_), it_.norm_part(r_)});
    it_.touched(3);
    for (bool first = true;; first = false) {
      it_.precondition_beside(w_, m_);
      it_.multiply_beside(m_, n_);
      const auto sums = it_.finish_sums();
      const double norm = it_.norm_of(sums[2]);
      if (first ? it_.starts_at(norm) : it_.ends_at(norm)) {
        return;
      }
      const double delta = sums[0];
      const double gamma = sums[1];
      const double beta = first ? 0 : gamma / gamma_;
      const double divisor = first ? delta : delta - beta * gamma / alpha_;
      if (it_.is_not_positive(gamma) || it_.is_not_positive(divisor)) {
        return;
      }
      alpha_ = gamma / divisor;
      gamma_ = gamma;
      update(beta);
    }
  }

 private:
  /// One loop over the vectors, then the next reduction; rearranged: x and p beside it.
  void update(double beta) {
    std::array<double, 3> parts{};
    in_blocks(it_.size(), [this, beta, &parts](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        z_[i] = n_[i] + beta * z_[i];
        q_[i] = m_[i] + beta * q_[i];
        s_[i] = w_[i] + beta * s_[i];
      }
      if (rearranged_) {
        std::copy_n(u_.begin() + static_cast<std::ptrdiff_t>(first), last - first,
                    kept_.begin() + static_cast<std::ptrdiff_t>(first));
      } else {
        advance(u_, beta, first, last);
      }
      for (std::size_t i = first; i < last; ++i) {
        r_[i] -= alpha_ * s_[i];
        u_[i] -= alpha_ * q_[i];
        w_[i] -= alpha_ * z_[i];
      }
      parts[0] += local_dot(w_, u_, first, last);
      parts[1] += local_dot(r_, u_, first, last);
      parts[2] += it_.norm_part(r_, first, last);
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
      p_[i] = direction[i] + beta * p_[i];
      it_.x[i] += alpha_ * p_[i];
    }
  }

  Iteration& it_;
  bool rearranged_;
  std::span<double> r_ = it_.vector(), u_ = it_.vector(), w_ = it_.vector(), m_ = it_.vector(),
                    n_ = it_.vector(), z_ = it_.vector(), q_ = it_.vector(), s_ = it_.vector(),
                    p_ = it_.vector();
  std::span<double> kept_ = it_.vector(); // u before its update
  double alpha_ = 0;
  double gamma_ = 0;
};

} // namespace

void run_pipelined_cg(Iteration& it, bool rearranged) {
  Pipelined(it, rearranged).run();
}

} // namespace isthmus::la
