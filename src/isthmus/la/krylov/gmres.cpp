// SPDX-License-Identifier: BSD-3-Clause
// Restarted GMRES with the preconditioner on the right, so that the residual is that of the system.
// One reduction gives what the modified Gram-Schmidt process needs (Swirydowicz and others, doi
// 10.1002/nla.2343): products with the new vector and, a step late, those of the basis with its
// latest vector. Where subtracting cancels digits, a second one orthogonalizes again (Giraud,
// Langou, Rozloznik, doi 10.1016/j.camwa.2005.08.009).
#include "isthmus/la/krylov/hessenberg.hpp"
#include "isthmus/la/krylov/iteration.hpp"

#include <cmath>

namespace isthmus::la {

namespace {

class Gmres {
 public:
  explicit Gmres(Iteration& iteration)
      : it_(iteration),
        restart_(static_cast<std::size_t>(std::max(1, it_.settings.restart))),
        basis_(restart_ + 1, it_.size()),
        products_(restart_ * restart_),
        parts_(2 * restart_ + 3) {}

  void run() {
    bool first = true;
    while (!it_.stopping.ended()) {
      it_.subtract_product(basis_[0]);
      const double norm = std::sqrt(it_.sums({local_dot(basis_[0], basis_[0])}).front());
      if (first ? it_.stopping.starts_at(norm) : norm == 0) {
        return;
      }
      first = false;
      it_.scale(basis_[0], 1 / norm);
      matrix_.start(norm);
      while (matrix_.num_columns() < restart_ && !it_.stopping.ended()) {
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
    constexpr double lost = 1e-4; // of the square: twice is enough
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
      it_.stopping.end(Reason::broke_down);
    } else if (!it_.stopping.ends_at(std::isfinite(before) ? residual : before) && closed) {
      it_.stopping.end(Reason::attained);
    }
  }

  /// Subtracts the basis, k + 1 vectors, from its newest vector one after the other; adds the
  /// factors to the column. Returns the square of the norm that is left.
  double orthogonalize(std::size_t k, double& before) {
    const auto w = basis_[k + 1];
    const auto parts = std::span(parts_).first(2 * k + 3);
    std::fill(parts.begin(), parts.end(), 0);
    basis_.in_blocks([this, w, parts, k](std::size_t first, std::size_t last) {
      basis_.add_products(w, parts.first(k + 1), basis_[k], parts.subspan(k + 1, k + 1), first,
                          last);
      parts.back() += local_dot(w, w, first, last);
    });
    it_.touched(static_cast<double>(k) + 3);
    const auto sums = it_.sums(parts);
    before = sums.back();
    double after = before;
    const std::span<double> factors = std::span(parts_).first(k + 1);
    const auto of_latest = sums.subspan(k + 1, k + 1);
    std::copy(of_latest.begin(), of_latest.end(),
              products_.begin() + static_cast<std::ptrdiff_t>(k * restart_));
    for (std::size_t j = 0; j <= k; ++j) {
      double product = sums[j];
      for (std::size_t i = 0; i < j; ++i) {
        product += products_[j * restart_ + i] * factors[i];
      }
      const double square = products_[j * restart_ + j]; // 1 but for rounding, which would grow
      const double factor = product / square;
      matrix_.column()[j] += factor;
      after -= factor * product;
      factors[j] = -factor;
    }
    basis_.in_blocks([this, w, factors](std::size_t first, std::size_t last) {
      basis_.add_to(w, factors, first, last);
    });
    it_.touched(static_cast<double>(k) + 3);
    return after;
  }

  Iteration& it_;
  std::size_t restart_;
  Basis basis_;
  std::span<double> preconditioned_ = it_.vector(), sum_ = it_.vector();
  Hessenberg matrix_{restart_};
  std::vector<double> products_; // row j: of vector j with those before it and itself
  std::vector<double> parts_;
};

} // namespace

void run_gmres(Iteration& it) {
  Gmres(it).run();
}

} // namespace isthmus::la
