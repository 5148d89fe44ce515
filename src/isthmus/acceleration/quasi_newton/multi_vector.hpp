// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/accelerator.hpp"
#include "isthmus/acceleration/quasi_newton/low_rank.hpp"
#include "isthmus/acceleration/quasi_newton/secants.hpp"
#include "isthmus/acceleration/settings.hpp"
#include "isthmus/base/twofold.hpp"
#include "isthmus/comm/comm.hpp"

#include <span>
#include <vector>

namespace isthmus::acceleration {

/// The inverse Jacobian J that a multi-vector method has learnt in the windows before:
/// J ← J + (W - J V) V⁺ at the end of each. Never stored as a matrix of the interface's size but as
/// L Zᵀ with a column per secant, so a product costs one pass over Z and one over L. Bogaers et al.
/// (2014), doi:10.1016/j.cma.2014.06.033; restarts: Scheufele and Mehl (2017),
/// doi:10.1137/16M1082020.
class MultiVector {
 public:
  MultiVector(const JacobianRestart& settings, const comm::Comm& comm)
      : settings_(settings), comm_(&comm) {}

  void initialize(std::size_t rows, std::size_t output_rows);

  /// Appends Zᵀ r, and Zᵀ v of a new secant (empty if there is none).
  void measure(std::span<const double> residual, std::span<const double> v,
               std::vector<Twofold>& sums);
  /// Turns the newest w into w - J v if it is new.
  void absorb(std::span<const Twofold> sums, Secants& secants, bool fresh);

  /// -J r is the sum of the columns with these factors.
  [[nodiscard]] std::span<const double* const> columns() const { return jacobian_.left.list(); }
  [[nodiscard]] std::span<const double> factors() const { return factors_; }

  /// After a step. Where the Jacobian is always built: keeps what it is with these secants.
  void build(const Secants& secants, std::span<const Scale> equations,
             const QuasiNewtonSettings& newton);
  /// Collective. Filters the secants of the window that ends, adds what is left, and restarts if it
  /// is time; returns how many were deleted. The scales are the weights of the equations and of the
  /// outputs. A Jacobian that is always built is that of the last step.
  int complete_window(Secants& secants, std::span<const Scale> equations,
                      std::span<const Scale> outputs, const QuasiNewtonSettings& newton);
  /// Collective, one reduction if there are secants and was a restart. Then makes the w of the
  /// older secants that remain w - J v with the J of now. But without windows to reuse, where they
  /// are for one step, they stay as they are: that step goes twice as far, which is preCICE's.
  void renew(Secants& secants, const QuasiNewtonSettings& newton) const;

  /// Of the rows of the equations and of the outputs as StateArray::samples describes them.
  [[nodiscard]] std::vector<StateArray> save(const std::vector<std::size_t>& equations,
                                             const std::vector<std::size_t>& outputs) const;
  void restore(std::span<const StateArray> arrays);

 private:
  [[nodiscard]] std::vector<std::size_t> add(const Secants& secants,
                                             std::span<const Scale> equations,
                                             const QuasiNewtonSettings& newton, std::size_t newest,
                                             LowRank& to) const;
  void restart(std::span<const Scale> equations, std::span<const Scale> outputs,
               const QuasiNewtonSettings& newton);
  void restart_from_secants(std::span<const Scale> equations, const QuasiNewtonSettings& newton);

  [[nodiscard]] bool remembers() const {
    return settings_.mode != RestartMode::none || settings_.always_build;
  }

  JacobianRestart settings_;
  const comm::Comm* comm_;
  LowRank jacobian_;
  LowRank built_;                 // what the last step has added to it
  bool restarted_ = false;        // at the end of the latest window
  std::vector<int> window_sizes_; // columns of jacobian_, of the windows since the restart
  LowRank recent_;                // w and v of the latest windows, for RestartMode::least_squares
  std::vector<int> recent_sizes_; // per window
  std::vector<double> factors_;
  std::size_t first_sum_ = 0;
  std::size_t full_ = 0; // columns at which RestartMode::none compresses
};

} // namespace isthmus::acceleration
