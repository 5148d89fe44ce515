// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/dots.hpp"
#include "isthmus/acceleration/make.hpp"
#include "isthmus/acceleration/relaxation.hpp"
#include "isthmus/acceleration/residual.hpp"
#include "isthmus/acceleration/state_array.hpp"
#include "isthmus/acceleration/weights.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace isthmus::acceleration {

namespace {

class Aitken final : public Accelerator {
 public:
  explicit Aitken(const AitkenSettings& settings)
      : initial_(settings.initial_relaxation),
        factor_(initial_),
        weights_(settings.preconditioner) {}

  void initialize(std::vector<IteratedField> fields) override {
    residual_.initialize(std::move(fields));
    std::vector<double> scalings;
    for (const EquationRange& block : residual_.blocks()) {
      scalings.push_back(residual_.fields()[block.field].scaling);
    }
    weights_.initialize(std::move(scalings), residual_.blocks());
    change_.assign(residual_.rows(), 0);
    factor_ = initial_;
  }
  void renew(std::vector<IteratedField> fields) override {
    residual_.initialize(std::move(fields), weights_.ends());
    weights_.fit(residual_.blocks());
    change_.assign(residual_.rows(), 0);
  }

  void measure(std::span<const Iterate> fields, std::vector<Twofold>& sums) override {
    residual_.measure(fields, sums);
    first_sum_ = sums.size();
    const std::span now = residual_.current();
    const std::span before = residual_.previous();
    std::transform(now.begin(), now.end(), before.begin(), change_.begin(), std::minus<>{});
    for (const EquationRange& block : residual_.blocks()) {
      const std::size_t rows = block.end - block.begin;
      const std::span change = std::span(change_).subspan(block.begin, rows);
      sums.push_back(dot(before.subspan(block.begin, rows), change));
      sums.push_back(dot(change, change));
    }
  }

  void absorb(std::span<const Twofold> sums) override {
    residual_.absorb(sums);
    products_.assign(
        sums.begin() + static_cast<std::ptrdiff_t>(first_sum_),
        sums.begin() + static_cast<std::ptrdiff_t>(first_sum_ + 2 * residual_.blocks().size()));
  }

  [[nodiscard]] std::span<const Norms> norms() const override { return residual_.norms(); }
  /// An iteration that is accepted changes neither factor nor weights.
  void improve(std::span<const Iterate> fields) override {
    weights_.update(residual_.primary_norms());
    update_factor();
    relax(fields, factor_);
  }
  void complete_window() override {
    residual_.complete_window();
    weights_.complete_window(residual_.primary_norms());
  }
  [[nodiscard]] std::vector<StateArray> save() const override {
    return {{"aitken factor", {factor_}}, {"weights", weights_.save()}};
  }
  void restore(std::span<const StateArray> arrays) override {
    factor_ = find_state_array(arrays, "aitken factor", 1)[0];
    weights_.restore(find_state_array(arrays, "weights", std::ssize(weights_.save())));
  }

 private:
  void update_factor() {
    if (residual_.iteration() == 1) {
      factor_ = std::copysign(std::min(std::abs(factor_), initial_), factor_);
      return;
    }
    // ω_k = -ω_{k-1} (r_{k-1}, r_k - r_{k-1}) / |r_k - r_{k-1}|²
    double product = 0;
    double square = 0;
    bool changed = false;
    for (std::size_t b = 0; b < residual_.blocks().size(); ++b) {
      const double weight = weights_.values()[b] * weights_.values()[b];
      product += weight * products_[2 * b].value;
      square += weight * products_[2 * b + 1].value;
      changed = changed || !residual_.is_rounding(b, products_[2 * b + 1].value);
    }
    if (product != 0 && changed) {
      factor_ *= -product / square;
    }
  }

  double initial_;
  double factor_;
  Residual residual_{true};
  Weights weights_;
  std::vector<double> change_;    // of the residual
  std::vector<Twofold> products_; // per block: of change and residual before, of change squared
  std::size_t first_sum_ = 0;
};

} // namespace

std::unique_ptr<Accelerator> make_aitken(const AitkenSettings& settings) {
  return std::make_unique<Aitken>(settings);
}

} // namespace isthmus::acceleration
