// SPDX-License-Identifier: BSD-3-Clause
#include "convection/numerics/heat.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/geometry/vector3.hpp"
#include "isthmus/la/krylov/solve.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace isthmus::convection {

using geometry::dot;

double stabilization_time(double speed, double diffusivity, double length) {
  const double advective = 2 * speed / length;
  const double diffusive = 4 * diffusivity / (length * length);
  return 1 / std::sqrt(advective * advective + 9 * diffusive * diffusive);
}

int solve_linear(la::Operator& matrix, la::Preconditioner& preconditioner,
                 std::span<const double> b, std::span<double> x, double tolerance,
                 const char* what) {
  la::Settings settings;
  settings.method = la::Method::gmres;
  settings.restart = 25;
  settings.relative = tolerance;
  settings.max_iterations = 5000;
  settings.monitor.keep_residuals = false;
  settings.monitor.verified = false;
  const la::Report report = la::solve(matrix, preconditioner, b, x, settings);
  check(report.is_converged() || report.reason == la::Reason::attained,
        "{}: GMRES ended after {} iterations at {:.2e} of the residual ({}); take a smaller step",
        what, report.iterations, report.residual, la::name(report.reason));
  return report.iterations;
}

Heat::Heat(const comm::Comm& comm, const Mesh& mesh, const Edges& edges, const SumWay& way)
    : edges_(edges),
      matrix_(comm, mesh, edges, way),
      is_fixed_(mesh.tets.num_nodes(), 0),
      residual_(mesh.tets.num_nodes()),
      change_(mesh.tets.num_nodes()),
      captured_(edges.elements.size(), 0) {}

void Heat::set_fixed(std::vector<char> is_fixed) {
  is_fixed_ = is_fixed;
  matrix_.set_fixed(std::move(is_fixed));
}

namespace {

/// Fields of one element.
struct HeatState {
  std::array<std::array<double, 3>, 4> u{};
  std::array<double, 3> mean{};     // velocity
  std::array<double, 3> gradient{}; // of the temperature
  std::array<double, 4> rate{};     // dT/dt - source, of the corners
  std::array<double, 4> excess{};   // over the reference
  double mean_rate = 0;
  double mean_excess = 0;
  double divergence = 0; // of the velocity
  double strong = 0;     // mean residual, without conduction
};

HeatState heat_state_of(const Element& e, const HeatTerms& terms, const TimeDerivative& time,
                        std::span<const double> values) {
  HeatState s;
  const double capacity = e.is_solid ? terms.solid.capacity : 1;
  for (std::size_t a = 0; a < 4; ++a) {
    const std::size_t n = e.nodes[a];
    s.rate[a] = capacity * (time.now * values[n] + (time.before.empty() ? 0 : time.before[n])) -
                (terms.source.empty() ? 0 : terms.source[n]);
    s.mean_rate += s.rate[a] / 4;
    s.excess[a] = values[n] - terms.reference;
    s.mean_excess += s.excess[a] / 4;
    for (std::size_t c = 0; c < 3; ++c) {
      s.u[a][c] = terms.velocity[3 * n + c];
      s.mean[c] += s.u[a][c] / 4;
      s.gradient[c] += values[n] * e.gradients[a][c];
    }
    s.divergence += dot(s.u[a], e.gradients[a]);
  }
  s.strong = s.mean_rate + dot(s.mean, s.gradient);
  return s;
}

} // namespace

void Heat::find_captures(const HeatTerms& terms, const TimeDerivative& time,
                         std::span<const double> values) {
  captured_.clear();
  for (const Element& e : edges_.elements) {
    double& captured = captured_.emplace_back(0);
    if (terms.captures) {
      const HeatState s = heat_state_of(e, terms, time, values);
      const double slope = std::sqrt(dot(s.gradient, s.gradient));
      const double speed = std::sqrt(dot(s.mean, s.mean));
      const double peclet = speed * e.length / (2 * terms.diffusivity);
      const double least = slope > 0 ? std::min(speed, std::abs(s.strong) / slope) : 0;
      captured = e.length / 2 * std::min(1.0, peclet / 3) * least;
    }
  }
}

void Heat::assemble(const HeatTerms& terms, const TimeDerivative& time,
                    std::span<const double> values, std::span<double> residual, bool is_matrix) {
  for (std::size_t number = 0; number < edges_.elements.size(); ++number) {
    const Element& e = edges_.elements[number];
    const HeatState s = heat_state_of(e, terms, time, values);
    const double speed = std::sqrt(dot(s.mean, s.mean));
    const double tau = stabilization_time(speed, terms.diffusivity, e.length);
    const double diffusivity =
        e.is_solid ? terms.solid.conductivity : terms.diffusivity + captured_[number];
    const double now = time.now * (e.is_solid ? terms.solid.capacity : 1);
    ElementMatrix<1> matrix{};
    for (std::size_t a = 0; a < 4; ++a) {
      std::array<double, 3> at{}; // velocity under the function of the corner
      for (std::size_t c = 0; c < 3; ++c) {
        at[c] = (4 * s.mean[c] + s.u[a][c]) / 20;
      }
      const double along = tau * dot(s.mean, e.gradients[a]);
      residual[e.nodes[a]] -=
          e.volume * ((4 * s.mean_rate + s.rate[a]) / 20 + dot(at, s.gradient) +
                      s.divergence * (4 * s.mean_excess + s.excess[a]) / 20 +
                      diffusivity * dot(s.gradient, e.gradients[a]) + along * s.strong);
      for (std::size_t b = 0; b < 4 && is_matrix; ++b) {
        matrix[a][b][0] =
            e.volume * ((now + s.divergence) * (a == b ? 2 : 1) / 20 + dot(at, e.gradients[b]) +
                        diffusivity * dot(e.gradients[a], e.gradients[b]) +
                        along * (now / 4 + dot(s.mean, e.gradients[b])));
      }
    }
    if (is_matrix) {
      matrix_.add(e, matrix);
    }
  }
}

SolveReport Heat::solve(const HeatTerms& terms, const TimeDerivative& time, double tolerance,
                        std::span<double> values) {
  std::fill(residual_.begin(), residual_.end(), 0);
  std::fill(change_.begin(), change_.end(), 0);
  matrix_.clear();
  find_captures(terms, time, values);
  assemble(terms, time, values, residual_, true);
  matrix_.sum(residual_);
  for (std::size_t n = 0; n < residual_.size(); ++n) {
    residual_[n] = is_fixed_[n] != 0 ? 0 : residual_[n];
  }
  matrix_.scale(residual_);
  SolveReport report{0, matrix_.norm(residual_)};
  if (report.residual > 0) {
    std::optional<NodalBlocks<1>> diagonal;
    const std::vector<double> entries = matrix_.diagonal();
    comm::agree(matrix_.comm(), [&] { diagonal.emplace(entries); });
    report.iterations =
        solve_linear(matrix_, *diagonal, residual_, change_, tolerance, "temperature");
  }
  matrix_.unscale(change_);
  for (std::size_t n = 0; n < change_.size(); ++n) {
    values[n] += change_[n];
  }
  return report;
}

void Heat::flux(const HeatTerms& terms, const TimeDerivative& time, std::span<const double> values,
                std::span<double> flux) {
  std::fill(flux.begin(), flux.end(), 0);
  assemble(terms, time, values, flux, false);
  matrix_.sum(flux);
  for (std::size_t n = 0; n < flux.size(); ++n) {
    flux[n] = is_fixed_[n] != 0 ? -flux[n] : 0;
  }
}

} // namespace isthmus::convection
