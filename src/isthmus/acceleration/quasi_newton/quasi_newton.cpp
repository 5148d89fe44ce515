// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/make.hpp"
#include "isthmus/acceleration/quasi_newton/bounds.hpp"
#include "isthmus/acceleration/quasi_newton/multi_vector.hpp"
#include "isthmus/acceleration/quasi_newton/secants.hpp"
#include "isthmus/acceleration/quasi_newton/update.hpp"
#include "isthmus/acceleration/relaxation.hpp"
#include "isthmus/acceleration/residual.hpp"
#include "isthmus/acceleration/state_array.hpp"
#include "isthmus/acceleration/weights.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

namespace isthmus::acceleration {

namespace {

/// Of the rows that count, which begin at `begin` for this field.
void push_scales(const IteratedField& field, std::size_t begin, double weight,
                 std::vector<Scale>& scales) {
  const std::size_t end = begin + field.rows();
  if (field.follows.empty()) {
    scales.push_back({begin, end, weight});
    return;
  }
  for (std::size_t row = begin; row < end; ++row) {
    const bool counts = field.follows[(row - begin) % field.size] == 0;
    const bool goes_on = row > begin && !scales.empty() && scales.back().end == row;
    if (counts && goes_on) {
      ++scales.back().end;
    } else if (counts) {
      scales.push_back({row, row + 1, weight});
    }
  }
}

/// H(x) of the latest two iterations, all fields one after the other.
class Outputs {
 public:
  void initialize(std::size_t rows) {
    latest_.assign(rows, 0);
    before_.assign(rows, 0);
  }
  void take(std::span<const Iterate> fields) {
    std::swap(latest_, before_);
    auto next = latest_.begin();
    for (const Iterate& field : fields) {
      next = std::copy(field.output.begin(), field.output.end(), next);
    }
  }
  [[nodiscard]] std::span<const double> latest() const { return latest_; }
  /// What the latest iteration has changed.
  void write_difference(std::span<double> difference) const {
    std::transform(latest_.begin(), latest_.end(), before_.begin(), difference.begin(),
                   std::minus<>{});
  }

 private:
  std::vector<double> latest_;
  std::vector<double> before_;
};

/// x_{k+1} = H(x_k) - J r + (W - J V) c with c = argmin |V c + r|, r = H(x_k) - x_k, and J the
/// inverse Jacobian of the windows before, which is zero for IQN-ILS. Relaxation takes its place
/// until a window has had a second iteration, and where it is enforced; it changes no weights.
class QuasiNewton final : public Accelerator {
 public:
  QuasiNewton(const QuasiNewtonSettings& settings, const comm::Comm& comm,
              std::optional<MultiVector> past)
      : settings_(settings),
        comm_(&comm),
        residual_(settings.reduced_time_grid),
        weights_(settings.preconditioner),
        past_(std::move(past)) {}

  void initialize(std::vector<IteratedField> fields) override;
  void renew(std::vector<IteratedField> fields) override;
  void measure(std::span<const Iterate> fields, std::vector<Twofold>& sums) override;
  void absorb(std::span<const Twofold> sums) override;
  [[nodiscard]] std::span<const Norms> norms() const override { return residual_.norms(); }
  void improve(std::span<const Iterate> fields) override;
  void complete_window() override;
  [[nodiscard]] std::optional<Counters> counters() const override { return completed_; }
  [[nodiscard]] std::vector<StateArray> save() const override;
  void restore(std::span<const StateArray> arrays) override;

 private:
  [[nodiscard]] bool relaxes() const {
    return residual_.iteration() == 1 && (starts_ || settings_.enforce_initial_relaxation);
  }
  [[nodiscard]] bool starts_anew() const { return settings_.time_windows_reused == 0; }
  void begin();
  void push_secant();
  [[nodiscard]] std::span<const double> newest_v() const;
  [[nodiscard]] bool newest_is_rounding() const;
  [[nodiscard]] std::vector<Scale> equation_scales() const;
  [[nodiscard]] std::vector<Scale> output_scales() const;

  QuasiNewtonSettings settings_;
  const comm::Comm* comm_;
  Residual residual_;
  Weights weights_;
  Secants secants_; // W holds W - J V
  std::optional<MultiVector> past_;
  Outputs outputs_;
  Update step_;
  bool starts_ = true;       // no window has had a second iteration yet
  std::size_t rows_sum_ = 0; // where the sum of the rows of all ranks is
  Counters counters_;
  Counters completed_;
};

void QuasiNewton::initialize(std::vector<IteratedField> fields) {
  residual_.initialize(std::move(fields));
  std::vector<double> scalings;
  for (const EquationRange& block : residual_.blocks()) {
    scalings.push_back(residual_.fields()[block.field].scaling);
  }
  weights_.initialize(std::move(scalings), residual_.blocks());
  begin();
}

void QuasiNewton::renew(std::vector<IteratedField> fields) {
  residual_.initialize(std::move(fields), weights_.ends());
  weights_.fit(residual_.blocks());
  begin();
}

/// Without columns.
void QuasiNewton::begin() {
  const auto described = residual_.fields();
  const std::size_t rows =
      std::transform_reduce(described.begin(), described.end(), std::size_t{0}, std::plus<>{},
                            [](const IteratedField& field) { return field.rows(); });
  outputs_.initialize(rows);
  const auto blocks = residual_.blocks();
  secants_.initialize({blocks.begin(), blocks.end()}, residual_.rows(), rows);
  if (past_) {
    past_->initialize(residual_.rows(), rows);
  }
  starts_ = true;
  counters_ = completed_ = {};
}

void QuasiNewton::push_secant() {
  const auto [v, w] = secants_.push();
  std::transform(residual_.current().begin(), residual_.current().end(),
                 residual_.previous().begin(), v.begin(), std::minus<>{});
  outputs_.write_difference(w);
}

void QuasiNewton::measure(std::span<const Iterate> fields, std::vector<Twofold>& sums) {
  residual_.measure(fields, sums);
  outputs_.take(fields);
  if (residual_.iteration() > 1) {
    push_secant();
  }
  rows_sum_ = sums.size();
  sums.push_back({static_cast<double>(residual_.rows() + residual_.zero_rows()), 0});
  secants_.measure(residual_.current(), sums);
  if (past_) {
    past_->measure(residual_.current(), newest_v(), sums);
  }
}

void QuasiNewton::absorb(std::span<const Twofold> sums) {
  residual_.absorb(sums);
  secants_.absorb(sums);
  if (past_) {
    past_->absorb(sums, secants_, residual_.iteration() > 1);
  }
  if (residual_.iteration() > 1 && newest_is_rounding()) {
    secants_.drop_newest();
    ++counters_.deleted;
  }
  const auto rows = static_cast<std::size_t>(sums[rows_sum_].value);
  const auto most = static_cast<std::size_t>(settings_.max_used_iterations);
  counters_.dropped += secants_.truncate(std::min(most, rows));
}

bool QuasiNewton::newest_is_rounding() const {
  for (std::size_t b = 0; b < residual_.blocks().size(); ++b) {
    if (!residual_.is_rounding(b, secants_.newest_square(b))) {
      return false;
    }
  }
  return true;
}

void QuasiNewton::improve(std::span<const Iterate> fields) {
  if (relaxes()) {
    relax(fields, settings_.initial_relaxation);
    return;
  }
  weights_.update(residual_.primary_norms());
  counters_.deleted += step_.solve(secants_, weights_.values(), settings_);
  if (past_) {
    step_.add(past_->columns(), past_->factors());
  }
  step_.write(outputs_.latest(), fields);
  if (past_) {
    past_->build(secants_, equation_scales(), settings_);
  }
  keep_bounds(residual_.fields(), fields, outputs_.latest(), settings_.on_bound_violation, *comm_);
  if (residual_.iteration() == 1 && starts_anew()) {
    secants_.truncate(0); // of the last window, which were better than relaxation
  }
}

/// Of this iteration; empty in the first of a window.
std::span<const double> QuasiNewton::newest_v() const {
  return residual_.iteration() > 1 ? std::span(secants_.v().front(), residual_.rows())
                                   : std::span<const double>{};
}

std::vector<Scale> QuasiNewton::equation_scales() const {
  std::vector<Scale> scales;
  for (const EquationRange& block : residual_.blocks()) {
    scales.push_back({block.begin, block.end, weights_.values()[scales.size()]});
  }
  return scales;
}

/// Primary data count as in the equations, others relative to their size.
std::vector<Scale> QuasiNewton::output_scales() const {
  std::vector<double> weights;
  for (const Norms& norms : residual_.norms()) {
    weights.push_back(norms.value > 0 ? 1 / norms.value : 1);
  }
  for (std::size_t b = 0; b < residual_.blocks().size(); ++b) {
    weights[residual_.blocks()[b].field] = weights_.values()[b];
  }
  std::vector<Scale> scales;
  std::size_t begin = 0;
  for (std::size_t f = 0; f < residual_.fields().size(); ++f) {
    const IteratedField& field = residual_.fields()[f];
    push_scales(field, begin, weights[f], scales);
    begin += field.rows();
  }
  return scales;
}

void QuasiNewton::complete_window() {
  if (past_) {
    counters_.deleted +=
        past_->complete_window(secants_, equation_scales(), output_scales(), settings_);
  }
  if (starts_anew() && settings_.enforce_initial_relaxation) {
    secants_.truncate(0);
  } else if (starts_anew()) {
    secants_.complete_window(1); // for the first step of the next window
  } else {
    counters_.dropped += secants_.complete_window(settings_.time_windows_reused);
  }
  counters_.columns = static_cast<int>(secants_.size());
  if (past_) {
    past_->renew(secants_, settings_);
  }
  completed_ = std::exchange(counters_, {});
  starts_ = starts_ && residual_.iteration() == 1;
  residual_.complete_window();
  weights_.complete_window(residual_.primary_norms());
}

std::vector<StateArray> QuasiNewton::save() const {
  const std::vector<std::size_t> equations = residual_.samples_in_equations();
  const std::vector<std::size_t> outputs = residual_.samples();
  Secants::Saved saved = secants_.save();
  std::vector<StateArray> arrays{
      {"weights", weights_.save()},
      {"quasi-newton", {starts_ ? 1.0 : 0.0}},
      {"secants", std::move(saved.shared)},
      {"secants v", std::move(saved.v), secants_.size(), equations, true},
      {"secants w", std::move(saved.w), secants_.size(), outputs},
      {"secants first w", std::move(saved.first_w), secants_.num_remembered(), outputs}};
  if (past_) {
    const std::vector<StateArray> past = past_->save(equations, outputs);
    arrays.insert(arrays.end(), past.begin(), past.end());
  }
  return arrays;
}

void QuasiNewton::restore(std::span<const StateArray> arrays) {
  weights_.restore(find_state_array(arrays, "weights", std::ssize(weights_.save())));
  starts_ = find_state_array(arrays, "quasi-newton", 1)[0] != 0;
  secants_.restore(find_state_array(arrays, "secants"), find_state_array(arrays, "secants v"),
                   find_state_array(arrays, "secants w"),
                   find_state_array(arrays, "secants first w"));
  if (past_) {
    past_->restore(arrays);
  }
}

} // namespace

std::unique_ptr<Accelerator> make_iqn_ils(const QuasiNewtonSettings& settings,
                                          const comm::Comm& comm) {
  return std::make_unique<QuasiNewton>(settings, comm, std::nullopt);
}

std::unique_ptr<Accelerator> make_iqn_imvj(const QuasiNewtonSettings& settings,
                                           const JacobianRestart& restart, const comm::Comm& comm) {
  return std::make_unique<QuasiNewton>(settings, comm, MultiVector(restart, comm));
}

} // namespace isthmus::acceleration
