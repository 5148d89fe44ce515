// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/numerics/blocks.hpp"
#include "convection/numerics/edge_matrix.hpp"
#include "convection/numerics/pivoted_factors.hpp"

#include <memory>
#include <span>
#include <vector>

namespace isthmus::convection {

/// Additive Schwarz with incomplete factors of each rank's own elements, alone or as the smoother
/// of a V-cycle over aggregates of nodes, velocities and pressure together (Lin, Sala, Shadid,
/// Tuminaro 2006, doi 10.1002/nme.1604): corrections are constant on each aggregate, coarse
/// matrices are sums over the ranks as the finest is, and the coarsest is solved directly by every
/// rank. Aggregates lie within a rank, and incomplete factors end at its border: so iterations
/// depend on the number of ranks.
class BlockMultigrid final : public la::Preconditioner {
 public:
  struct Settings {
    int most_levels = 20;        ///< 1: Schwarz alone
    GlobalIndex coarsest = 80;   ///< nodes of all ranks that are solved directly
    double strong = 0.25;        ///< couplings of at least this part of the strongest aggregate
    bool smoothed_before = true; ///< as well as after the correction
    double overcorrection = 1;   ///< corrections are multiplied by it
  };

  /// Collective. Aggregates by the lengths of edges alone, once for all matrices. All must outlive
  /// this.
  BlockMultigrid(const comm::Comm& comm, const Mesh& mesh, const Edges& edges, const SumWay& way,
                 const Settings& settings);
  ~BlockMultigrid() override;

  /// Collective. Takes the values of a matrix. Throws Error on all ranks if one has no factors.
  void set(EdgeMatrix<4>& matrix);
  /// Collective. Of scaled vectors.
  void apply(std::span<const double> r, std::span<double> z, la::Overlap overlap = {}) override;

 private:
  struct Level;

  void add_levels(const Mesh& mesh, const Edges& edges, const SumWay& way);
  void factor(Level& level);
  void factor_coarsest();
  void cycle(std::size_t index);
  void smooth(Level& level, bool from_zero);
  void solve_coarsest(Level& level);

  const comm::Comm& comm_;
  Settings settings_;
  std::vector<std::unique_ptr<Level>> levels_;
  GlobalIndex num_coarsest_ = 0; // nodes of all ranks on the last level; 0: none is solved
  PivotedFactors coarsest_;
};

} // namespace isthmus::convection
