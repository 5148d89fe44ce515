// SPDX-License-Identifier: BSD-3-Clause
// Restarted GMRES with the preconditioner on the right, so that the residual is that of the system.
// One reduction gives all products of a step and the norm; where subtracting cancels digits, a
// second one orthogonalizes again (Giraud, Langou, Rozloznik, doi 10.1016/j.camwa.2005.08.009).
#include "isthmus/la/hessenberg.hpp"
#include "isthmus/la/iteration.hpp"

#include <cmath>

namespace isthmus::la {

namespace {

class Gmres {
 public:
  explicit Gmres(Iteration& iteration)
      : it_(iteration), restart_(static_cast<std::size_t>(std::max(1, it_.settings.restart))) {
    for (std::size_t i = 0; i <= restart_; ++i) {
      basis_.push_back(it_.vector());
    }
    parts_.resize(restart_ + 2);
  }

  void run() {
    bool first = true;
    while (!it_.ended()) {
      it_.subtract_product(basis_[0]);
      const double norm = std::sqrt(it_.sums({local_dot(basis_[0], basis_[0])}).front());
      if (first ? it_.starts_at(norm) : norm == 0) {
        return;
      }
      first = false;
      it_.scale(basis_[0], 1 / norm);
      matrix_.start(norm);
      while (matrix_.num_columns() < restart_ && !it_.ended()) {
        extend(matrix_.num_columns());
      }
      it_.correct(matrix_.solve(), basis_, preconditioned_, sum_);
    }
  }

 private:
  /// Step k of the Arnoldi process: one more column.
  void extend(std::size_t k) {
    it_.precondition(basis_[k], preconditioned_);
    const auto w = basis_[k + 1];
    it_.multiply(preconditioned_, w);
    const std::span<double> column = matrix_.column();
    std::fill(column.begin(), column.end(), 0);
    double before = 0;
    double after = orthogonalize(k, before);
    constexpr double lost = 0.5; // of the square: twice is enough
    if (std::isfinite(before) && after < lost * before) {
      after = orthogonalize(k, before);
    }
    const double norm = std::sqrt(std::max(0.0, after));
    constexpr double nothing = 1e-14;
    const bool closed = !(norm > nothing * std::sqrt(before)); // the basis holds the solution
    column[k + 1] = closed ? 0 : norm;
    if (!closed) {
      it_.scale(w, 1 / norm);
    }
    const double residual = matrix_.take_column();
    if (matrix_.is_singular()) {
      it_.end(Reason::broke_down);
    } else if (!it_.ends_at(std::isfinite(before) ? residual : before) && closed) {
      it_.end(Reason::attained);
    }
  }

  /// Subtracts the basis from its newest vector, adds the coefficients to the column. Returns the
  /// square of the norm that is left.
  double orthogonalize(std::size_t k, double& before) {
    const auto w = basis_[k + 1];
    for (std::size_t j = 0; j <= k + 1; ++j) {
      parts_[j] = local_dot(basis_[j], w);
    }
    it_.touched(static_cast<double>(k) + 3);
    const auto sums = it_.sums(std::span(parts_).first(k + 2));
    before = sums[k + 1];
    double after = before;
    for (std::size_t j = 0; j <= k; ++j) {
      const double product = sums[j];
      matrix_.column()[j] += product;
      after -= product * product;
      for (std::size_t i = 0; i < w.size(); ++i) {
        w[i] -= product * basis_[j][i];
      }
    }
    it_.touched(static_cast<double>(k) + 3);
    return after;
  }

  Iteration& it_;
  std::size_t restart_;
  std::vector<std::span<double>> basis_;
  std::span<double> preconditioned_ = it_.vector(), sum_ = it_.vector();
  Hessenberg matrix_{restart_};
  std::vector<double> parts_;
};

} // namespace

void run_gmres(Iteration& it) {
  Gmres(it).run();
}

} // namespace isthmus::la
