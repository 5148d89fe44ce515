// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/grid/grid.hpp"
#include "flow/numerics/residual.hpp"
#include "flow/numerics/shared_work.hpp"

#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace isthmus::flow {

/// How the grid stands in the free stream at one moment.
struct Attitude {
  double incidence = 0;     // rad, of the free stream to the x axis of the grid
  double turning_speed = 0; // of the grid about the z axis; nose up is negative
  Vector velocity{};        // of the pivot, along the axes of the grid
};

/// The values of the own pieces in one or several snapshots of a period. A piece has, for one
/// snapshot after the other, num_conserved arrays, and num_primitive ones; with ghosts.
class Solution {
 public:
  /// Collective. `grid` and `comm` must outlive it. `mach` is that of the free stream.
  Solution(const comm::Comm& comm, const Grid& grid, const Physics& physics, double mach,
           int snapshots);

  /// Local. Sets all cells from values at their centres.
  void set(const std::function<Primitive(const Vector& point)>& values);
  /// Local. The free stream of each snapshot.
  void set_undisturbed();

  /// Local. How the snapshots stand from now on; as many as there are.
  void set_attitudes(std::vector<Attitude> attitudes) { attitudes_ = std::move(attitudes); }
  [[nodiscard]] const std::vector<Attitude>& attitudes() const { return attitudes_; }
  [[nodiscard]] Turning turning(int snapshot) const;
  [[nodiscard]] Primitive undisturbed(int snapshot) const;

  /// Collective. Makes primitive values of conserved ones, with ghosts of other blocks and of
  /// boundaries, in all snapshots with one message per partner.
  void complete();

  [[nodiscard]] const Grid& grid() const { return grid_; }
  [[nodiscard]] const Physics& physics() const { return physics_; }
  [[nodiscard]] double mach() const { return mach_; }
  [[nodiscard]] int num_snapshots() const { return snapshots_; }
  /// Of all own blocks: block after block, snapshots, variables.
  [[nodiscard]] std::vector<double>& conserved() { return conserved_; }
  [[nodiscard]] const std::vector<double>& conserved() const { return conserved_; }
  /// Where the conserved values (or residuals) of a block and snapshot begin among those of all.
  [[nodiscard]] std::size_t begin_of(std::size_t own, int snapshot) const {
    return begins_[own] +
           static_cast<std::size_t>(snapshot) * num_conserved * grid_.own[own].extent.stored();
  }
  /// Processor time that each own piece has taken so far, without what its ranks send each other;
  /// all that works on pieces adds to it.
  [[nodiscard]] std::vector<double>& busy() { return busy_; }
  [[nodiscard]] const std::vector<double>& busy() const { return busy_; }
  /// Calls work(own, snapshot) for all own pieces and snapshots, none of which depends on another
  /// one, on the threads that the process may use; adds to busy().
  template <typename Work>
  void for_each_part(Work&& work) {
    const auto snapshots = static_cast<std::size_t>(snapshots_);
    share(
        grid_.own.size() * snapshots, conserved_.size() / num_conserved,
        [this, snapshots](std::size_t n) -> double& { return busy_[n / snapshots]; },
        [&work, snapshots](std::size_t n) {
          work(n / snapshots, static_cast<int>(n % snapshots));
        });
  }
  [[nodiscard]] std::span<double> primitive(std::size_t own, int snapshot);
  [[nodiscard]] std::span<const double> primitive(std::size_t own, int snapshot) const;

 private:
  const Grid& grid_;
  Physics physics_;
  double mach_;
  int snapshots_;
  std::vector<Attitude> attitudes_;
  std::vector<std::size_t> begins_; // of conserved values, per own block
  std::vector<std::size_t> primitive_begins_;
  std::vector<double> conserved_;
  std::vector<double> primitive_;
  GhostExchange exchange_;
  std::vector<double> busy_; // s, per own piece
};

} // namespace isthmus::flow
