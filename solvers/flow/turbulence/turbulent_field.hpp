// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/turbulence/piece_flow.hpp"
#include "flow/turbulence/sst.hpp"

#include <span>
#include <vector>

namespace isthmus::flow {

/// k, omega.
constexpr std::size_t num_turbulent = 2;

/// k and omega of the free stream.
struct TurbulentStream {
  double k = 0;
  double omega = 1;
};

/// k and omega in the own pieces and all snapshots, with ghosts; and F1 of the model.
class TurbulentField {
 public:
  /// Collective. `comm` and `grid` must outlive it. Throws Error on all ranks if the grid has no
  /// wall.
  TurbulentField(const comm::Comm& comm, const Grid& grid, const TurbulentStream& stream,
                 int snapshots);

  /// Local. The free stream everywhere.
  void set_undisturbed();

  /// Collective. Fills ghosts from other pieces and behind boundaries, and F1 everywhere: at
  /// no-slip walls k is 0 and omega that of sst::wall_omega, what comes in at far fields and
  /// outflows is the free stream. The flow must be complete, and of as many snapshots. One message
  /// per partner for k and omega of all of them, one for F1.
  void complete(const Solution& solution);

  /// Local. k and omega linearly between those of the next coarser grid (make_grids), which are
  /// complete.
  void interpolate(const TurbulentField& coarse);
  /// Local. Roots of k and omega become those which harmonics of fewer snapshots have, on the
  /// same grid.
  void add_harmonics(const TurbulentField& few);

  /// Local. What the model sees in a cell without ghosts.
  [[nodiscard]] sst::Point point(const PieceFlow& flow, std::size_t own, std::size_t cell) const;

  [[nodiscard]] int num_snapshots() const { return snapshots_; }
  /// Of an own piece in a snapshot: k, omega, F1, stored() values each.
  [[nodiscard]] std::span<double> values(std::size_t own, int snapshot);
  [[nodiscard]] std::span<const double> values(std::size_t own, int snapshot) const;
  /// Of all own pieces, one behind the other, each with one snapshot after the other.
  [[nodiscard]] std::vector<double>& all() { return values_; }
  [[nodiscard]] const std::vector<double>& all() const { return values_; }
  /// Where the values of an own piece in a snapshot begin among all.
  [[nodiscard]] std::size_t begin_of(std::size_t own, int snapshot) const {
    return begins_[own] + static_cast<std::size_t>(snapshot) * size_of(own);
  }

 private:
  /// Values of an own piece in a snapshot.
  [[nodiscard]] std::size_t size_of(std::size_t own) const;
  void fill_boundary(const PieceFlow& flow, const BoundarySide& side);

  const Grid& grid_;
  TurbulentStream stream_;
  int snapshots_;
  std::vector<std::vector<double>> distances_; // from walls, per own piece, with ghosts
  std::vector<std::size_t> begins_;
  std::vector<double> values_;
  GhostExchange exchange_; // of k and omega
  GhostExchange blends_;   // of F1
};

} // namespace isthmus::flow
