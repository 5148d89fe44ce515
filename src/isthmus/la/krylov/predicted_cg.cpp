// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients that predict (r, u) of the next iteration from the sums of this one (Chen,
// Carson, doi 10.1137/19M1276856), so that the only reduction runs beside the products z = A q and
// v = M z. They recompute w = A u not in every iteration but where its error, followed by
// recurrences for the deviations w - A u, s - A p and b - A x - r in the manner of Cools et al.
// (doi 10.1137/17M1117872) and calibrated by each recomputation, would be seen in the solution; and
// where the residual fell far enough, they replace it by b - A x.
#include "isthmus/la/krylov/iteration.hpp"

#include <cmath>

namespace isthmus::la {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Estimates how far the recurrences are from what they stand for, and says what to repeat. Norms
/// are Euclidean.
class Deviations {
 public:
  Deviations(double norm, double allowed, double budget)
      : allowed_(allowed), budget_(budget), level_(norm) {}

  /// One more iteration, which began with this norm of the residual.
  void grow(double norm, double alpha, double beta) {
    credit_ += budget_;
    squares_ += norm * norm;
    of_s_ = beta * of_s_ + factor_ * epsilon * std::sqrt(squares_);
    since_ += std::abs(alpha) * of_s_;
    of_r_ += std::abs(alpha) * of_s_;
  }

  /// Whether to compute w once more; then it is charged.
  [[nodiscard]] bool takes_product() {
    if (credit_ < 1 || since_ <= allowed_) {
      return false;
    }
    credit_ -= 1;
    squares_then_ = squares_;
    squares_ = 0;
    since_ = 0;
    return true;
  }
  /// That changed w by a vector of this norm.
  void learn(double change) {
    factor_ = std::max(least_factor, change / (epsilon * std::sqrt(squares_then_)));
  }

  /// Whether to compute the residual, now of this norm, once more; then it is charged.
  [[nodiscard]] bool takes_residual(double norm) {
    if (credit_ < products_of_residual || norm >= drop * level_ || of_r_ <= allowed_) {
      return false;
    }
    credit_ -= products_of_residual;
    level_ = norm;
    squares_ = since_ = of_s_ = of_r_ = 0;
    return true;
  }

  static constexpr int products_of_residual = 3;

 private:
  static constexpr double least_factor = 0.5;
  static constexpr double drop = 1e-2; // of the residual between replacements

  double allowed_;
  double budget_; // products that one iteration may repeat
  double level_;  // of the residual at the last replacement
  double credit_ = 0;
  double factor_ = 4;       // of rounding errors in w
  double squares_ = 0;      // of residuals since w was computed
  double squares_then_ = 0; // the same until w was computed
  double of_s_ = 0;         // |A p - s|
  double of_r_ = 0;         // |b - A x - r|
  double since_ = 0;        // growth of it since w was computed
};

class Predicted {
 public:
  explicit Predicted(Iteration& iteration) : it_(iteration) {}

  void run() {
    it_.subtract_product(residual_.r);
    renew(residual_.u, residual_.w, residual_.m);
    set_directions();
    for (bool first = true;; first = false) {
      reduce();
      const double norm = it_.norm_of(sums_[norm_sum]);
      if (first ? it_.stopping.starts_at(norm) : it_.stopping.ends_at(norm)) {
        return;
      }
      if (first) {
        const double scale = std::sqrt(sums_[rr]) / norm;
        const double seen =
            std::max(0.1 * it_.stopping.limit(), epsilon * it_.stopping.reference());
        deviations_ =
            Deviations(std::sqrt(sums_[rr]), 0.05 * scale * seen, it_.settings.recomputed);
      }
      if (!take_change()) {
        return;
      }
      if (it_.stopping.is_not_positive(sums_[ru]) || it_.stopping.is_not_positive(sums_[ps])) {
        return;
      }
      step();
    }
  }

 private:
  /// r = b - A x and its images u = M r, w = A u, m = M w.
  struct Residual {
    std::span<double> r, u, w, m;
  };

  /// p and its images s = A p, q = M s, z = A q, v = M z.
  struct Direction {
    std::span<double> p, s, q, z, v;
  };

  struct Step {
    std::span<double> along;
    double length = 0;
  };

  enum Sum { ru, ps, rq, sq, rr, norm_sum, change, num_sums };
  enum class Repeated { nothing, product, residual };
  struct Repetition {
    Repeated what = Repeated::nothing;
    double change = 0; // square of the norm, this rank's part
  };

  /// u = M r, w = A u, m = M w.
  void renew(std::span<double> u, std::span<double> w, std::span<double> m) {
    it_.precondition(residual_.r, u);
    it_.multiply(u, w);
    it_.precondition(w, m);
  }

  /// Those of steepest descent.
  void set_directions() {
    std::copy(residual_.u.begin(), residual_.u.end(), direction_.p.begin());
    std::copy(residual_.w.begin(), residual_.w.end(), direction_.s.begin());
    std::copy(residual_.m.begin(), residual_.m.end(), direction_.q.begin());
    sum_parts();
  }

  void sum_parts() {
    parts_.fill(0);
    in_blocks(it_.size(), [this](std::size_t first, std::size_t last) { add_parts(first, last); });
    it_.touched(5);
  }

  void add_parts(std::size_t first, std::size_t last) {
    parts_[ru] += local_dot(residual_.r, residual_.u, first, last);
    parts_[ps] += local_dot(direction_.p, direction_.s, first, last);
    parts_[rq] += local_dot(residual_.r, direction_.q, first, last);
    parts_[sq] += local_dot(direction_.s, direction_.q, first, last);
    parts_[rr] += local_dot(residual_.r, residual_.r, first, last);
    parts_[norm_sum] += it_.norm_part(residual_.r, first, last);
  }

  /// The sums, and beside them z = A q, v = M z and, if that was asked for, w = A u, m = M w.
  void reduce() {
    it_.begin_sums(parts_);
    advance_solution(it_.beside(0.1));
    it_.multiply_beside(direction_.q, direction_.z);
    it_.precondition_beside(direction_.z, direction_.v);
    next_ = {};
    if (repeats_product_) {
      it_.multiply_beside(residual_.u, fresh_);
      next_.change = take_fresh(residual_.w);
      it_.precondition_beside(residual_.w, residual_.m);
      it_.count_extra(1);
      next_.what = Repeated::product;
      repeats_product_ = false;
    }
    const auto sums = it_.finish_sums();
    std::copy(sums.begin(), sums.end(), sums_.begin());
  }

  /// Copies fresh_. Returns this rank's part of the square of the change.
  double take_fresh(std::span<double> old) {
    const double part = impl::sum_of(0, old.size(), [this, old](std::size_t i) {
      return (fresh_[i] - old[i]) * (fresh_[i] - old[i]);
    });
    std::copy(fresh_.begin(), fresh_.end(), old.begin());
    it_.touched(4);
    return part;
  }

  /// What a repetition changed, known with the sums. Returns whether to go on.
  bool take_change() {
    if (repeated_ == Repeated::product) {
      deviations_.learn(std::sqrt(sums_[change]));
    }
    if (repeated_ != Repeated::residual || sums_[change] < 0.01 * sums_[rr]) {
      return true;
    }
    // The recurrence had lost the residual: its end, unless x has become better since the last
    // time.
    if (sums_[rr] > 0.25 * least_lost_) {
      it_.stopping.end(Reason::attained);
      return false;
    }
    least_lost_ = sums_[rr];
    set_directions();
    repeated_ = Repeated::nothing;
    it_.count_extra(1);
    reduce();
    return true;
  }

  void step() {
    const double nu = sums_[ru];
    const double alpha = nu / sums_[ps];
    const double predicted = nu + alpha * (alpha * sums_[sq] - 2 * sums_[rq]);
    const double beta = std::max(0.0, predicted / nu);
    const double norm = std::sqrt(sums_[rr]);
    deviations_.grow(norm, alpha, beta);
    repeats_product_ = deviations_.takes_product();
    update(alpha, beta);
    parts_[change] = next_.change;
    repeated_ = next_.what;
    if (deviations_.takes_residual(norm)) {
      replace_residual();
    }
  }

  void update(double alpha, double beta) {
    parts_.fill(0);
    std::swap(direction_.p, step_.along);
    in_blocks(it_.size(), [this, alpha, beta](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        residual_.r[i] -= alpha * direction_.s[i];
        residual_.u[i] -= alpha * direction_.q[i];
        direction_.p[i] = residual_.u[i] + beta * step_.along[i];
      }
      for (std::size_t i = first; i < last; ++i) {
        residual_.w[i] -= alpha * direction_.z[i];
        residual_.m[i] -= alpha * direction_.v[i];
        direction_.s[i] = residual_.w[i] + beta * direction_.s[i];
        direction_.q[i] = residual_.m[i] + beta * direction_.q[i];
      }
      add_parts(first, last);
    });
    it_.touched(16);
    step_.length = alpha;
  }

  /// The step along the direction before this one, which no sum needs.
  void advance_solution(Overlap overlap = {}) {
    if (step_.length == 0) {
      return;
    }
    in_pieces(it_.size(), overlap, [this](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        it_.x[i] += step_.length * step_.along[i];
      }
      it_.touched(3 * static_cast<double>(last - first) / static_cast<double>(it_.size()));
    });
    step_.length = 0;
  }

  /// r = b - A x and all that follows from it and from p.
  void replace_residual() {
    advance_solution();
    it_.subtract_product(fresh_);
    const double part = take_fresh(residual_.r);
    renew(residual_.u, residual_.w, residual_.m);
    it_.multiply(direction_.p, direction_.s);
    it_.precondition(direction_.s, direction_.q);
    it_.count_extra(Deviations::products_of_residual);
    repeats_product_ = false;
    sum_parts();
    parts_[change] = part;
    repeated_ = Repeated::residual;
  }

  Iteration& it_;
  Residual residual_{it_.vector(), it_.vector(), it_.vector(), it_.vector()};
  Direction direction_{it_.vector(), it_.vector(), it_.vector(), it_.vector(), it_.vector()};
  Step step_{it_.vector()};                // that x still has to go
  std::span<double> fresh_ = it_.vector(); // a product that was repeated
  Deviations deviations_{0, 0, 0};
  std::array<double, num_sums> parts_{}; // of this rank, for the next reduction
  std::array<double, num_sums> sums_{};
  bool repeats_product_ = false;                                // beside the next reduction
  Repeated repeated_ = Repeated::nothing;                       // what sums_[change] measures
  Repetition next_;                                             // goes into the next reduction
  double least_lost_ = std::numeric_limits<double>::infinity(); // square of a residual
};

} // namespace

void run_predicted_cg(Iteration& it) {
  Predicted(it).run();
}

} // namespace isthmus::la
