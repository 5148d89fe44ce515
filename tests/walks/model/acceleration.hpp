// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/columns.hpp"
#include "model/residual_weights.hpp"
#include "model/vectors.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace walks {

/// Data of a fixed point, or their gradients, which have no equations but move with them.
struct Iterated {
  Values given;
  Values answered;
  bool is_primary = true;
};

/// What one iteration gives.
struct Observed {
  Values residual; // of primary data
  Values answer;   // of all
};

/// Accelerations as their papers have them, dense, with one sample a window: Aitken's relaxation
/// (Küttler and Wall 2008), quasi-Newton by least squares (Degroote et al. 2009), and with the
/// Jacobian of the windows before (Bogaers et al. 2014). Weights are sums of residuals.
class Acceleration {
 public:
  // of every configuration
  static constexpr double relaxation = 0.5;
  static constexpr std::size_t max_columns = 5;
  static constexpr int reused_windows = 2; // of IQN-ILS

  explicit Acceleration(std::string kind) : kind_(std::move(kind)) {}

  /// After each iteration: what is given becomes what is given next. `repeats`: else it was the
  /// last one of the window, and what was answered stays.
  void iterate(std::vector<Iterated>& data, bool repeats);
  /// A residual, or a change of it, was nothing but rounding: what follows is anybody's.
  [[nodiscard]] bool is_noisy() const { return is_noisy_; }

 private:
  void observe(const std::vector<Iterated>& data);
  void look_for_noise(const Values& norms);
  void add_column(const Values& norms);
  void relax(std::vector<Iterated>& data) const;
  void update_factor();
  [[nodiscard]] Values correction();
  void learn();
  void end_window();

  std::string kind_;
  ResidualWeights weights_;
  Observed now_;
  Observed before_;
  Columns columns_;
  std::vector<Values> jacobian_; // of the windows before, column by column; empty: zero
  double factor_ = relaxation;
  int iteration_ = 0;
  Values largest_; // norms of primary data so far
  bool is_noisy_ = false;
  bool starts_ = true; // no window has had a second iteration
};

} // namespace walks
