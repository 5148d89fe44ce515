// SPDX-License-Identifier: BSD-3-Clause
#include "flow/turbulence/sst.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::flow::sst {

namespace {

constexpr double most_production = 20; // by what is dissipated

/// The thickness of the turbulent layer over the distance, and that of the viscous one.
double turbulent_ratio(const Point& p) {
  return std::sqrt(p.k) / (beta_star * p.omega * p.distance);
}
double viscous_ratio(const Point& p) {
  return 500 * p.viscosity / (p.density * p.distance * p.distance * p.omega);
}

/// gamma of both parts.
Coefficient growth() {
  const double root = std::sqrt(beta_star);
  return {beta.inner / beta_star - sigma_omega.inner * kappa * kappa / root,
          beta.outer / beta_star - sigma_omega.outer * kappa * kappa / root};
}

} // namespace

double cross_diffusion(const Point& p) {
  return 2 * p.density * sigma_omega.outer / p.omega * p.cross;
}

double inner_blend(const Point& p) {
  const double positive = std::max(cross_diffusion(p), 1e-20);
  const double argument =
      std::min(std::max(turbulent_ratio(p), viscous_ratio(p)),
               4 * p.density * sigma_omega.outer * p.k / (positive * p.distance * p.distance));
  const double square = argument * argument;
  return std::tanh(square * square);
}

double layer_blend(const Point& p) {
  const double argument = std::max(2 * turbulent_ratio(p), viscous_ratio(p));
  return std::tanh(argument * argument);
}

double eddy_viscosity(const Point& p) {
  return p.density * a1 * p.k / std::max(a1 * p.omega, p.vorticity * layer_blend(p));
}

Sources sources(const Point& p, double blend, double eddy) {
  static const Coefficient gamma = growth();
  const double shear = p.vorticity * p.vorticity;
  const double dissipated = beta_star * p.density * p.omega; // per k
  const double produced = std::min(eddy * shear, most_production * dissipated * p.k);
  const double cross = (1 - blend) * cross_diffusion(p);
  const double decay = beta.blended(blend) * p.density * p.omega;
  return {produced - dissipated * p.k,
          gamma.blended(blend) * p.density * shear - decay * p.omega + cross, dissipated,
          2 * decay + std::max(-cross, 0.0) / p.omega};
}

double wall_omega(double density, double viscosity, double distance) {
  return 60 * viscosity / (density * beta.inner * distance * distance);
}

} // namespace isthmus::flow::sst
