// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The k-omega SST model at a point. Menter (1994), doi:10.2514/3.12149, with the vorticity in the
/// production (Menter (1992), NASA TM 103975): what NASA's Turbulence Modeling Resource calls
/// SST-Vm, https://turbmodels.larc.nasa.gov/sst.html.
namespace isthmus::flow::sst {

constexpr double a1 = 0.31;
constexpr double beta_star = 0.09;
constexpr double kappa = 0.41;

/// A coefficient near walls, and away from them.
struct Coefficient {
  double inner;
  double outer;

  [[nodiscard]] constexpr double blended(double blend) const {
    return blend * inner + (1 - blend) * outer;
  }
};

constexpr Coefficient sigma_k{0.85, 1.0};
constexpr Coefficient sigma_omega{0.5, 0.856};
constexpr Coefficient beta{0.075, 0.0828};

/// What the model sees.
struct Point {
  double density = 1;
  double viscosity = 0; // of the gas, dynamic
  double k = 0;
  double omega = 1;
  double vorticity = 0; // its size
  double distance = 1;  // from the nearest wall
  double cross = 0;     // gradient of k times that of omega
};

/// F1: 1 in the inner part of boundary layers, 0 away from them.
[[nodiscard]] double inner_blend(const Point& point);
/// F2: 1 in boundary layers.
[[nodiscard]] double layer_blend(const Point& point);
/// Dynamic; shear in boundary layers is at most a1 k.
[[nodiscard]] double eddy_viscosity(const Point& point);
/// 2 rho sigma / omega times `cross`, of omega per volume, before it is blended.
[[nodiscard]] double cross_diffusion(const Point& point);

/// What arises per volume and time, and by how much less does so for each more of k, and of omega.
struct Sources {
  double k = 0;
  double omega = 0;
  double k_slope = 0; // not negative, as the other
  double omega_slope = 0;
};

/// `blend` is F1, `eddy` the dynamic eddy viscosity. The production of k is at most 20 times what
/// is dissipated.
[[nodiscard]] Sources sources(const Point& point, double blend, double eddy);

/// Omega at a wall whose nearest cell is centred at this distance: ten times what is exact there.
[[nodiscard]] double wall_omega(double density, double viscosity, double distance);

} // namespace isthmus::flow::sst
