// SPDX-License-Identifier: GPL-3.0-or-later
// Deflated conjugate gradients (Nicolaides, doi 10.1137/0724027; Saad and others, doi
// 10.1137/S1064829598339761) in the form of Chronopoulos and Gear: what the preconditioned residual
// has in the span of the vectors is taken out by sums that travel with those of the iteration.
#include "iterations.hpp"

#include "rank_functions.hpp"

namespace isthmus::openfoam {

namespace {

class DeflatedCg {
 public:
  DeflatedCg(la::Iteration& iteration, const RankFunctions& space)
      : it_(iteration), space_(space), parts_(space.size() + 3) {}

  void run() {
    it_.subtract_product(r_);
    if (it_.stopping.starts_at(it_.norm_of(sums_of(r_, 0, 0)[space_.size() + 2]))) {
      return;
    }
    take_out();
    for (std::size_t i = 0; i < it_.size(); ++i) {
      it_.x[i] += combination_[i];
      r_[i] -= multiplied_[i];
    }
    it_.touched(6);
    iterate();
  }

 private:
  void iterate() {
    double old = 0;
    double alpha = 0;
    for (bool first = true;; first = false) {
      it_.precondition(r_, u_);
      it_.multiply(u_, w_);
      const auto sums = sums_of(w_, la::local_dot(r_, u_), la::local_dot(w_, u_));
      const double product = sums[space_.size()];
      const double norm = it_.norm_of(sums[space_.size() + 2]);
      const bool may_end = !first || norm <= it_.stopping.limit(); // by the vectors alone
      if (may_end && it_.stopping.ends_at(norm)) {
        return;
      }
      const double other = sums[space_.size() + 1] - take_out();
      const double beta = first ? 0 : product / old;
      const double divisor = first ? other : other - beta * product / alpha;
      if (it_.stopping.is_not_positive(product) || it_.stopping.is_not_positive(divisor)) {
        return;
      }
      alpha = product / divisor;
      old = product;
      for (std::size_t i = 0; i < it_.size(); ++i) {
        p_[i] = u_[i] - combination_[i] + beta * p_[i];
        s_[i] = w_[i] - multiplied_[i] + beta * s_[i];
        it_.x[i] += alpha * p_[i];
        r_[i] -= alpha * s_[i];
      }
      it_.touched(14);
    }
  }

  /// Of v with the vectors, of both products, and of the norm of the residual.
  std::span<const double> sums_of(std::span<const double> v, double product, double other) {
    std::fill(parts_.begin(), parts_.end(), 0);
    space_.project(v, std::span(parts_).first(space_.size()));
    parts_[space_.size()] = product;
    parts_[space_.size() + 1] = other;
    parts_[space_.size() + 2] = it_.norm_part(r_);
    sums_ = it_.sums(std::span<const double>(parts_));
    it_.touched(4);
    return sums_;
  }

  double take_out() {
    return space_.combine(sums_.first(space_.size()), combination_, multiplied_);
  }

  la::Iteration& it_;
  const RankFunctions& space_;
  std::vector<double> parts_;
  std::span<const double> sums_;
  std::span<double> r_ = it_.vector(), u_ = it_.vector(), w_ = it_.vector(), p_ = it_.vector(),
                    s_ = it_.vector(), combination_ = it_.vector(), multiplied_ = it_.vector();
};

} // namespace

void run_deflated_cg(la::Iteration& it, const RankFunctions& space) {
  DeflatedCg(it, space).run();
}

} // namespace isthmus::openfoam
