// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/settings.hpp"

#include "equations.hpp"
#include "iterate.hpp"

#include <Eigen/Dense>

#include <deque>
#include <optional>

namespace isthmus::acceleration {

/// Quasi-Newton methods written down with dense matrices, serially and without thought of cost, to
/// compare with. J is a full matrix.
class Reference {
 public:
  Reference(const std::vector<GlobalField>& fields, const QuasiNewtonSettings& settings,
            std::optional<JacobianRestart> restart);

  /// x_{k+1} from x_k and H(x_k).
  State step(const State& x, const State& output);
  /// After the last iteration of a window.
  void complete_window(const State& x, const State& output);

 private:
  using Matrix = Eigen::MatrixXd;
  using Values = Eigen::VectorXd;
  struct Pair {
    Values v;
    Values w;
    int age = 0;
    Values rest; // w - J v when it was added
  };

  /// What one iteration gives.
  struct Observed {
    Values residual;
    Values output;  // all values of H(x)
    Values answers; // those in the equations
  };

  void add(const State& x, const State& output);
  void forget_old_pairs();
  void filter(std::deque<Pair>& pairs) const;
  [[nodiscard]] Matrix pseudo_inverse(const std::deque<Pair>& pairs) const;
  [[nodiscard]] Matrix update() const; // (W - J V) V⁺
  void restart();
  void truncate_jacobian();

  Equations equations_;
  QuasiNewtonSettings settings_;
  std::optional<JacobianRestart> restart_;
  std::deque<Pair> pairs_; // newest first, W unchanged
  Matrix jacobian_;
  Matrix built_;                // of the last step of the window, where it is always built
  std::vector<Matrix> updates_; // per window since the restart
  std::deque<Pair> past_;       // newest first
  Observed now_;
  Observed last_;
  bool starts_ = true; // no window has had a second iteration
  int iteration_ = 0;
};

} // namespace isthmus::acceleration
