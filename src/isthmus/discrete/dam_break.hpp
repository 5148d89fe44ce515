// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/discrete/collapse.hpp"
#include "isthmus/discrete/face_operator.hpp"
#include "isthmus/discrete/mules.hpp"
#include "isthmus/discrete/pressure_equation.hpp"
#include "isthmus/la/krylov/solve.hpp"

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace isthmus::discrete {

/// A column of water (of Collapse) that breaks down under its weight in a closed basin of air. No
/// viscosity, walls without friction. Lengths in sides of the basin, times in sqrt(side / gravity),
/// densities in that of water.
///
/// A step is that of OpenFOAM's interFoam without a momentum predictor: the fraction moves by a
/// limiter, then each corrector (Issa, doi 10.1016/0021-9991(86)90099-9) finds velocities from the
/// neighbours' and a pressure that makes the fluxes free of divergence. Velocities are in the
/// cells, upwind and implicit. What enters a cell changes its velocity by its mass, so that air
/// hardly slows down water; its density is that of the cell that it leaves, where interFoam has the
/// fluxes of the limiter. Gravity and pressure act at the faces alike, so that water rests.
class DamBreak {
 public:
  struct Settings {
    int transports = 2; ///< of the fraction in a step, each for a part of it
    int correctors = 3;
    double air = 1e-3; ///< density
    Mules::Settings limiter = {};
    la::Settings solver = {.relative = 1e-8};
    bool factor = true; ///< preconditioned by FaceFactor; else by the diagonal
    /// Sums after a step (volume, least and largest fraction, divergence) in two reductions instead
    /// of five.
    bool packed = true;
    // accounts of the work
    std::function<void(std::size_t)> on_visits = {}; ///< of faces of cells, without the limiter's
    OnCells on_product = {}, on_factor = {};
  };
  /// Of one step. Counts are of this rank.
  struct Report {
    int iterations = 0;                        ///< of the solver
    la::Method method = la::Method::automatic; ///< that ran in the last corrector
    std::int64_t reductions = 0;
    double volume = 0, least = 0, largest = 0; ///< of the water and its fraction, all ranks
    double divergence = 0;                     ///< mean of what stays in a cell, per volume
    bool converged = true;                     ///< the solver in every corrector
  };

  DamBreak(const comm::Comm& comm, int n, int layers, Settings settings);
  DamBreak(const DamBreak&) = delete;
  DamBreak& operator=(const DamBreak&) = delete;

  /// Collective.
  Report step(double dt);
  /// Collective. The step in which so much of some cell leaves it.
  [[nodiscard]] double time_step(double courant) const;
  /// Collective. Where the water on the floor ends.
  [[nodiscard]] double front() const;

  [[nodiscard]] const FaceMesh& mesh() const { return mesh_; }
  [[nodiscard]] std::span<const double> water() const { return water_; }
  [[nodiscard]] std::span<const double> fluxes() const { return flux_; }
  la::Settings& solver() { return settings_.solver; } ///< may change between steps

 private:
  static constexpr std::size_t axes = 3;
  struct Geometry {
    explicit Geometry(const FaceGrid& of);
    FaceGrid grid;
    std::array<double, axes> areas, distances; // of faces across each axis, of their cells
    std::vector<std::size_t> axis;             // of each face
  };
  struct Velocity {                // of cells
    std::vector<double> now;       // axes values each, and the fraction; with ghosts
    std::vector<double> old;       // as `now`, before the correctors, own cells
    std::vector<double> predicted; // axes values, time scale; with ghosts
  };

  [[nodiscard]] double density(double water) const;
  void predict(double dt);
  void find_fluxes();
  void solve(Report& report);
  void correct();
  void summarize(Report& report, double dt) const;
  void did(std::size_t passes) const;

  const comm::Comm& comm_;
  Settings settings_;
  Geometry geometry_;
  FaceMesh mesh_;
  CellFaces cells_;
  Mules limiter_;
  PressureEquation pressure_;
  exchange::Halo halo_;
  std::vector<double> water_; // of the own cells
  Velocity velocity_;
  std::vector<double> flux_, density_; // of faces
};

} // namespace isthmus::discrete
