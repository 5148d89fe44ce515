// SPDX-License-Identifier: BSD-3-Clause
#include "convection/numerics/flow.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/exchange/owned_nodes.hpp"
#include "isthmus/geometry/vector3.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::convection {

using geometry::dot;

namespace {

using Vector = std::array<double, 3>;

/// Fields of one element.
struct State {
  std::array<Vector, 4> rate; // du/dt - force, of the corners
  std::array<Vector, 4> u;
  Vector mean_rate{}, mean{}, pressure_gradient{};
  std::array<Vector, 3> gradient{}; // of each component of the velocity
  double mean_pressure = 0;
  double divergence = 0;
  Vector strong{}; // mean residual of the momentum
  double tau = 0;  // time of SUPG and PSPG
  double lsic = 0; // viscosity of LSIC
};

State flow_state_of(const Element& e, const FlowTerms& terms, const TimeDerivative& time,
                    std::span<const double> values) {
  State s;
  for (std::size_t a = 0; a < 4; ++a) {
    const std::size_t n = e.nodes[a];
    for (std::size_t i = 0; i < 3; ++i) {
      s.u[a][i] = values[4 * n + i];
      s.rate[a][i] = time.now * s.u[a][i] + (time.before.empty() ? 0 : time.before[4 * n + i]) -
                     (terms.force.empty() ? 0 : terms.force[3 * n + i]);
      s.mean[i] += s.u[a][i] / 4;
      s.mean_rate[i] += s.rate[a][i] / 4;
      s.pressure_gradient[i] += values[4 * n + 3] * e.gradients[a][i];
      for (std::size_t j = 0; j < 3; ++j) {
        s.gradient[i][j] += s.u[a][i] * e.gradients[a][j];
      }
    }
    s.mean_pressure += values[4 * n + 3] / 4;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    s.divergence += s.gradient[i][i];
    s.strong[i] = s.mean_rate[i] + dot(s.mean, s.gradient[i]) + s.pressure_gradient[i];
  }
  const double speed = std::sqrt(dot(s.mean, s.mean));
  s.tau = stabilization_time(speed, terms.viscosity, e.length);
  const double reynolds = speed * e.length / (2 * terms.viscosity);
  s.lsic = speed * e.length / 2 * std::min(1.0, reynolds / 3);
  return s;
}

/// The velocity under the function of a corner, over the volume.
Vector under(const State& s, std::size_t a) {
  Vector at{};
  for (std::size_t i = 0; i < 3; ++i) {
    at[i] = (4 * s.mean[i] + s.u[a][i]) / 20;
  }
  return at;
}

void subtract_residual(const Element& e, const State& s, double viscosity,
                       std::span<double> residual) {
  for (std::size_t a = 0; a < 4; ++a) {
    const Vector& g = e.gradients[a];
    const Vector at = under(s, a);
    const double along = s.tau * dot(s.mean, g);
    double* const row = &residual[4 * e.nodes[a]];
    for (std::size_t i = 0; i < 3; ++i) {
      row[i] -= e.volume * ((4 * s.mean_rate[i] + s.rate[a][i]) / 20 + dot(at, s.gradient[i]) +
                            viscosity * dot(s.gradient[i], g) - s.mean_pressure * g[i] +
                            along * s.strong[i] + s.lsic * s.divergence * g[i]);
    }
    row[3] -= e.volume * (s.divergence / 4 + s.tau * dot(g, s.strong));
  }
}

/// The derivative, with the times and viscosities of the stabilization held.
ElementMatrix<4> derivative(const Element& e, const State& s, double viscosity, double now) {
  ElementMatrix<4> matrix{};
  for (std::size_t a = 0; a < 4; ++a) {
    const Vector& g = e.gradients[a];
    const Vector at = under(s, a);
    const double along = s.tau * dot(s.mean, g);
    for (std::size_t b = 0; b < 4; ++b) {
      const Vector& h = e.gradients[b];
      auto& m = matrix[a][b];
      const double mass = (a == b ? 2.0 : 1.0) / 20;
      const double moved = now / 4 + dot(s.mean, h); // of the mean residual
      const double same = now * mass + dot(at, h) + viscosity * dot(g, h) + along * moved;
      double of_pressure = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        m[5 * i] += same;
        for (std::size_t j = 0; j < 3; ++j) {
          m[4 * i + j] += (mass + along / 4) * s.gradient[i][j] + s.tau / 4 * g[j] * s.strong[i] +
                          s.lsic * g[i] * h[j];
        }
        m[4 * i + 3] = along * h[i] - g[i] / 4;
        double column = g[i] * moved;
        for (std::size_t k = 0; k < 3; ++k) {
          column += g[k] * s.gradient[k][i] / 4;
        }
        m[12 + i] = h[i] / 4 + s.tau * column;
        of_pressure += g[i] * h[i];
      }
      m[15] = s.tau * of_pressure;
      for (double& value : m) {
        value *= e.volume;
      }
    }
  }
  return matrix;
}

} // namespace

Flow::Flow(const comm::Comm& comm, const Mesh& mesh, const Edges& edges, const SumWay& way,
           Preparation preparation)
    : mesh_(mesh),
      edges_(edges),
      matrix_(comm, mesh, edges, way),
      is_fixed_(width * mesh.tets.num_nodes(), 0),
      residual_(width * mesh.tets.num_nodes()),
      change_(width * mesh.tets.num_nodes()) {
  if (preparation != Preparation::blocks) {
    BlockMultigrid::Settings settings;
    settings.most_levels = preparation == Preparation::schwarz ? 1 : settings.most_levels;
    multigrid_.emplace(comm, mesh, edges, way, settings);
  }
}

void Flow::set_fixed(std::vector<char> is_fixed, bool has_level) {
  is_fixed_ = is_fixed;
  has_level_ = has_level;
  matrix_.set_fixed(std::move(is_fixed));
}

void Flow::assemble(const FlowTerms& terms, const TimeDerivative& time,
                    std::span<const double> values, bool is_matrix) {
  std::fill(residual_.begin(), residual_.end(), 0);
  for (const Element& e : edges_.elements) {
    if (e.is_solid) {
      continue;
    }
    const State s = flow_state_of(e, terms, time, values);
    subtract_residual(e, s, terms.viscosity, residual_);
    if (is_matrix) {
      matrix_.add(e, derivative(e, s, terms.viscosity, time.now));
    }
  }
}

void Flow::force(const FlowTerms& terms, const TimeDerivative& time, std::span<const double> values,
                 std::span<double> force) {
  assemble(terms, time, values, false);
  matrix_.sum(residual_);
  for (std::size_t n = 0; n < force.size(); ++n) {
    const std::size_t unknown = width * (n / 3) + n % 3;
    force[n] = is_fixed_[unknown] != 0 ? residual_[unknown] : 0;
  }
}

double Flow::finish_residual() {
  matrix_.sum(residual_);
  for (std::size_t n = 0; n < residual_.size(); ++n) {
    residual_[n] = is_fixed_[n] != 0 ? 0 : residual_[n];
  }
  matrix_.scale(residual_);
  return matrix_.norm(residual_);
}

void Flow::remove_level(std::span<double> values) {
  const std::size_t nodes = values.size() / width;
  std::vector<double> pressure(nodes);
  const std::vector<double> ones(nodes, 1);
  for (std::size_t n = 0; n < nodes; ++n) {
    pressure[n] = values[width * n + 3];
  }
  const auto sum = [&](std::span<const double> of) {
    return exchange::owned_dot(matrix_.comm(), mesh_.plan, 1, of, ones);
  };
  const double mean = sum(pressure) / sum(ones);
  for (std::size_t n = 0; n < nodes; ++n) {
    values[width * n + 3] -= mean;
  }
}

int Flow::find_change(double tolerance) {
  std::fill(change_.begin(), change_.end(), 0);
  std::optional<NodalBlocks<width>> blocks;
  if (multigrid_) {
    multigrid_->set(matrix_);
  } else {
    const std::vector<double> diagonal = matrix_.diagonal();
    comm::agree(matrix_.comm(), [&] { blocks.emplace(diagonal); });
  }
  la::Preconditioner* preconditioner = multigrid_ ? &*multigrid_ : nullptr;
  const int iterations =
      solve_linear(matrix_, preconditioner != nullptr ? *preconditioner : *blocks, residual_,
                   change_, tolerance, "flow");
  matrix_.unscale(change_);
  return iterations;
}

std::string Flow::diagnosis(const FlowTerms& terms, std::span<const double> values) const {
  struct Worst {
    double residual = -1;
    std::size_t component = 0;
    std::array<double, 3> place{};
    double peclet = 0; // largest of an element
  };
  Worst own;
  std::vector<double> residual = residual_;
  matrix_.unscale(residual);
  for (std::size_t n = 0; n < residual.size(); ++n) {
    if (std::abs(residual[n]) > own.residual) {
      own = {std::abs(residual[n]), n % width, {}, 0};
      std::copy_n(&mesh_.tets.coords[3 * (n / width)], 3, own.place.begin());
    }
  }
  for (const Element& e : edges_.elements) {
    for (const std::size_t node : e.nodes) {
      const double* const u = &values[width * node];
      const double speed = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
      own.peclet = std::max(own.peclet, speed * e.length / (2 * terms.viscosity));
    }
  }
  Worst worst;
  for (const Worst& of : comm::allgather(matrix_.comm(), own)) {
    const double peclet = std::max(worst.peclet, of.peclet);
    worst = of.residual > worst.residual ? of : worst;
    worst.peclet = peclet;
  }
  constexpr std::array<const char*, width> equations = {"momentum along x", "momentum along y",
                                                        "momentum along z", "incompressibility"};
  return fmt::format(
      "it is largest in the {} at ({:.4g}, {:.4g}, {:.4g}), the largest Reynolds number of an "
      "element is {:.3g}",
      equations[worst.component], worst.place[0], worst.place[1], worst.place[2], worst.peclet);
}

void Flow::fail_to_converge(const FlowTerms& terms, const NewtonReport& report, double before,
                            std::span<const double> values) const {
  const double factor = report.last / before;
  const char* how = "stalls";
  const char* remedy = "take a smaller step, or smaller elements there";
  if (report.last > report.first) {
    how = "diverges";
  } else if (factor < 0.5) {
    how = "has not ended yet";
    remedy = "allow more \"iterations\" of [solver], or take a smaller step";
  }
  fail(
      "flow: Newton's method {}: residual {:.2e} of {:.2e} after {} iterations, {:.2g} times that "
      "of the one before; {}; {}",
      how, report.last, report.first, report.iterations, factor, diagnosis(terms, values), remedy);
}

NewtonReport Flow::solve(const FlowTerms& terms, const TimeDerivative& time,
                         const NewtonSettings& settings, std::span<double> values) {
  NewtonReport report;
  double before = 0;
  double forcing = settings.most_forcing;
  for (;; ++report.iterations) {
    matrix_.clear();
    assemble(terms, time, values, true);
    report.last = finish_residual();
    check(std::isfinite(report.last),
          "flow: values are no numbers after {} Newton iterations; "
          "take a smaller step",
          report.iterations);
    if (report.iterations == 0) {
      report.first = report.last;
    } else { // choice 2 of Eisenstat and Walker, with its safeguard
      const double ratio = report.last / before;
      const double safe = 0.9 * forcing * forcing;
      forcing =
          std::min(settings.most_forcing, std::max(0.9 * ratio * ratio, safe > 0.1 ? safe : 0.0));
      forcing = std::max(forcing, 1e-4);
    }
    if (report.last <= std::max(settings.absolute, settings.relative * report.first)) {
      break;
    }
    if (report.iterations >= settings.max_iterations) {
      fail_to_converge(terms, report, before, values);
    }
    before = report.last;
    report.linear_iterations += find_change(forcing);
    for (std::size_t n = 0; n < values.size(); ++n) {
      values[n] += change_[n];
    }
    if (!has_level_) {
      remove_level(values);
    }
  }
  return report;
}

} // namespace isthmus::convection
