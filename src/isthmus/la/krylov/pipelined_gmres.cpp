// SPDX-License-Identifier: BSD-3-Clause
// Restarted GMRES whose only reduction runs beside a preconditioning and a product: the p(1)-GMRES
// of Ghysels, Ashby, Meerbergen, Vanroose, doi 10.1137/12086563X, preconditioned on the right. A
// vector of the basis is divided by its norm one step late. z(j+1) is A M v(j) by recurrence, and
// one pass of Gram-Schmidt is all: the residual is trusted after a restart only.
#include "isthmus/la/krylov/hessenberg.hpp"
#include "isthmus/la/krylov/iteration.hpp"

#include <cmath>

namespace isthmus::la {

namespace {

class PipelinedGmres {
 public:
  explicit PipelinedGmres(Iteration& iteration)
      : it_(iteration),
        restart_(static_cast<std::size_t>(std::max(1, it_.settings.restart))),
        v_(restart_ + 1, it_.size()),
        z_(restart_ + 1, it_.size()),
        parts_(restart_ + 2),
        factors_(restart_ + 1) {}

  void run() {
    double norm = residual();
    if (it_.stopping.starts_at(norm)) {
      return;
    }
    while (!it_.stopping.ended()) {
      const bool foretold = cycle(norm);
      it_.correct(matrix_.solve(), v_, preconditioned_, product_);
      if (it_.stopping.ended()) {
        return;
      }
      const double before = norm;
      norm = residual();
      constexpr double no_better = 0.5;
      if (foretold && !it_.stopping.ends_at(norm) && norm > no_better * before) {
        it_.stopping.end(Reason::attained);
      }
      if (norm == 0) {
        it_.stopping.end(Reason::converged);
      }
    }
  }

 private:
  /// Into v(0). Returns its norm.
  double residual() {
    it_.subtract_product(v_[0]);
    return std::sqrt(it_.sums({local_dot(v_[0], v_[0])}).front());
  }

  /// Columns until a restart. Returns whether the last one foretells the end, which is not counted.
  bool cycle(double norm) {
    it_.scale(v_[0], 1 / norm);
    matrix_.start(norm);
    it_.precondition(v_[0], preconditioned_);
    it_.multiply(preconditioned_, z_[0]);
    parts_[0] = local_dot(z_[0], v_[0]);
    it_.begin_sums(std::span(parts_).first(1));
    for (std::size_t k = 0;; ++k) {
      const bool drains = k == restart_; // nothing follows
      if (!drains) {
        it_.precondition_beside(z_[k], preconditioned_);
        it_.multiply_beside(preconditioned_, product_);
      }
      const auto sums = it_.finish_sums();
      double length = 1; // of v(k)
      if (k > 0) {
        length = std::sqrt(sums[drains ? 0 : k + 1]);
        if (const auto foretold = take(length)) {
          return *foretold;
        }
      }
      if (drains) {
        return false;
      }
      extend(k, length, sums);
    }
  }

  /// The last column's end, known late. Returns nothing if the cycle goes on.
  std::optional<bool> take(double length) {
    matrix_.column().back() = length;
    const double estimate = matrix_.take_column();
    if (matrix_.is_singular()) {
      it_.stopping.end(Reason::broke_down);
      return false;
    }
    constexpr double nothing = 1e-14;
    if (estimate <= it_.stopping.limit() || estimate <= nothing * it_.stopping.reference()) {
      return true;
    }
    return it_.stopping.ends_at(estimate) ? std::optional(false) : std::nullopt;
  }

  /// Column k but for its end, v(k + 1) before its division, z(k + 1), and the next sums.
  void extend(std::size_t k, double length, std::span<const double> sums) {
    const auto v = v_[k + 1];
    const auto z = z_[k + 1];
    const std::span<double> column = matrix_.column();
    for (std::size_t j = 0; j <= k; ++j) {
      column[j] = sums[j] / (j == k ? length * length : length);
    }
    if (k > 0) {
      it_.scale(v_[k], 1 / length);
    }
    const auto factors = std::span(factors_).first(k + 1);
    std::transform(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(k + 1),
                   factors.begin(), [](double value) { return -value; });
    const bool drains = k + 1 == restart_;
    const auto products = std::span(parts_).first(drains ? 0 : k + 2);
    std::fill(products.begin(), products.end(), 0);
    double square = 0;
    v_.in_blocks([&, divided = z_[k]](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        divided[i] /= length;
        v[i] = divided[i];
        z[i] = product_[i] / length;
      }
      v_.add_to(v, factors, first, last);
      z_.add_to(z, factors, first, last);
      v_.add_products(z, products, first, last);
      square += local_dot(v, v, first, last);
    });
    const std::size_t count = products.size() + 1;
    parts_[count - 1] = square;
    it_.begin_sums(std::span(parts_).first(count));
    it_.touched(5 * static_cast<double>(k) + 13);
  }

  Iteration& it_;
  std::size_t restart_;
  Basis v_;
  Basis z_; // A M v of the same number: z(j + 1) of the paper
  std::span<double> preconditioned_ = it_.vector(), product_ = it_.vector();
  Hessenberg matrix_{restart_};
  std::vector<double> parts_;
  std::vector<double> factors_; // minus the column
};

} // namespace

void run_pipelined_gmres(Iteration& it) {
  PipelinedGmres(it).run();
}

} // namespace isthmus::la
