// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/la/dense.hpp"
#include "isthmus/la/matrix.hpp"

#include <memory>

namespace isthmus::la {

/// One V-cycle over aggregates of rows, for symmetric positive (semi)definite matrices. Aggregates
/// lie within a rank; coarse matrices are Galerkin products and couple ranks. Corrections are
/// smoothed by one step of the damped diagonal (Vanek, Mandel, Brezina, doi 10.1007/BF02238511), or
/// constant on each aggregate and scaled up for that (Braess, doi 10.1007/BF02238488), which needs
/// less memory and time to set up and more iterations. Smoothed by the damped diagonal before and
/// after; the coarsest level is solved directly by every rank.
class Multigrid final : public Preconditioner {
 public:
  struct Settings {
    int most_levels = 20;
    GlobalIndex coarsest = 400;  ///< rows of all ranks that are solved directly
    double strong = 0.08;        ///< couplings of at least this part of the strongest aggregate
    bool smoothed = true;        ///< corrections
    double overcorrection = 1.5; ///< of those that are not
    int sweeps = 2;              ///< of the smoother, before and after
  };

  /// Collective. `matrix` must outlive this.
  explicit Multigrid(Matrix& matrix) : Multigrid(matrix, Settings{}) {}
  Multigrid(Matrix& matrix, Settings settings);

  void apply(std::span<const double> r, std::span<double> z, Overlap overlap = {}) override;

  [[nodiscard]] std::size_t num_levels() const { return levels_.size(); }
  /// Collective. Entries of all levels over those of the first.
  [[nodiscard]] double operator_complexity() const;

 private:
  struct Level {
    Matrix* matrix;
    std::unique_ptr<Matrix> owned;        // all but the first
    std::unique_ptr<Matrix> prolongation; // from the next level
    double radius;                        // of the matrix divided by its diagonal
    std::vector<double> inverse;          // of the diagonal, damped
    std::vector<double> r, z, product;    // work
  };

  void add_level(Matrix* matrix, std::unique_ptr<Matrix> owned);
  void factor_coarsest();
  void cycle(std::size_t level);
  void smooth(Level& level, bool from_zero) const;
  void solve_coarsest(Level& level);

  Settings settings_;
  std::vector<Level> levels_;
  SymmetricSolver solver_;
  bool direct_ = false; // the coarsest level has a solver
};

} // namespace isthmus::la
