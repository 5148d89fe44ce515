// SPDX-License-Identifier: BSD-3-Clause
#include "particles/fluid/projection.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/la/krylov/solve.hpp"
#include "isthmus/la/multigrid.hpp"
#include "particles/fluid/spreading.hpp"
#include "particles/fluid/tension.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::mps {

namespace {

/// Collective. By conjugate gradients with one reduction and multigrid.
la::Report solve_for(la::Matrix& matrix, const std::vector<double>& right, std::vector<double>& x,
                     double relative, bool constant_null_space) {
  la::Settings settings;
  settings.method = la::Method::cg_merged;
  settings.relative = relative;
  settings.monitor.keep_residuals = false;
  settings.monitor.verified = false;
  settings.known.constant_null_space = constant_null_space;
  la::Multigrid multigrid(matrix);
  return la::solve(matrix, multigrid, right, x, settings);
}

} // namespace

Vector Projection::weight() const {
  Vector result = liquid_.gravity;
  for (double& component : result) {
    component *= liquid_.density;
  }
  return result;
}

double Projection::column(const exchange::Position& at) const {
  return dot(weight(), {at[0], at[1], at[2]});
}

void Projection::number_rows(State& state, exchange::Migration& migration,
                             const std::vector<char>& surface) {
  num_rows_ = 0;
  const auto rows = state.rows();
  const auto kinds = state.kinds();
  for (std::size_t row = 0; row < surface.size(); ++row) {
    num_rows_ += kinds[row] != Kind::dummy && surface[row] == 0 ? 1 : 0;
  }
  first_row_ = comm::exscan(comm_, num_rows_);
  std::int64_t next = first_row_;
  for (std::size_t row = 0; row < surface.size(); ++row) {
    if (kinds[row] == Kind::dummy) {
      rows[row] = without;
    } else if (surface[row] != 0) {
      rows[row] = kinds[row] == Kind::fluid ? at_surface : without; // a dry wall
    } else {
      rows[row] = static_cast<double>(next++);
    }
  }
  migration.refresh(state.particles(), state.row());
}

/// Of particles without a row, which the system of equations takes as known: that of the tension at
/// the surface, 0 elsewhere.
void Projection::set_known_pressures(State& state, const Neighbours& neighbours,
                                     exchange::Migration& migration) const {
  if (liquid_.tension == 0) {
    return; // they are 0
  }
  const auto pressures = state.pressures();
  const std::vector<double> curvature = surface_curvature(kernel_, neighbours, state);
  for (std::size_t row = 0; row < curvature.size(); ++row) {
    pressures[row] = state.rows()[row] < 0 ? curvature[row] : pressures[row];
  }
  migration.refresh(state.particles(), state.pressure());
  const std::vector<double> smooth = smooth_curvature(kernel_, neighbours, state, pressures);
  for (std::size_t row = 0; row < smooth.size(); ++row) {
    pressures[row] = state.rows()[row] < 0 ? liquid_.tension * smooth[row] : pressures[row];
  }
  migration.refresh(state.particles(), state.pressure());
}

StepReport Projection::solve(State& state, const Neighbours& neighbours,
                             const std::vector<double>& density, double step) {
  const auto rows = state.rows();
  const auto positions = state.positions();
  const auto pressures = state.pressures();
  la::GlobalRows matrix;
  la::RowSum sum;
  std::vector<double> right, x;
  int num_known = 0;
  const auto known = [&](std::size_t row) { return liquid_.tension > 0 ? pressures[row] : 0; };
  for (std::size_t row = 0; row < density.size(); ++row) {
    if (rows[row] < 0) {
      num_known += rows[row] == at_surface ? 1 : 0;
      continue;
    }
    const double lacking = std::min(0.0, 1 - density[row]);
    double b = -liquid_.density / step *
               (divergence(kernel_, neighbours.of(row), state, row) +
                settings_.density_part / step * lacking);
    double diagonal = 0;
    for (const Neighbour& other : neighbours.of(row)) {
      const double coupling = kernel_.laplacian() * other.weight;
      if (other.row == row) {
        continue; // its image has its pressure
      }
      if (rows[other.row] >= 0) {
        sum.add(static_cast<GlobalIndex>(rows[other.row]), -coupling);
        diagonal += coupling;
      } else if (rows[other.row] == at_surface) {
        b += coupling * (known(other.row) - column(positions[other.row]));
        diagonal += coupling;
      }
    }
    sum.add(static_cast<GlobalIndex>(rows[row]), diagonal > 0 ? diagonal : 1);
    sum.end_row(matrix);
    right.push_back(b);
    x.push_back(pressures[row] - column(positions[row]));
  }
  const bool has_surface = comm::allreduce(comm_, num_known, comm::Op::max) > 0;
  la::Matrix system = la::make_matrix(comm_, matrix);
  const la::Report report = solve_for(system, right, x, settings_.relative, !has_surface);
  check(
      report.is_converged() || report.reason == la::Reason::attained,
      "the pressures were not found: the solver ended ({}) after {} iterations with a residual of "
      "{}; a smaller step may help",
      la::name(report.reason), report.iterations, report.residual);
  for (std::size_t row = 0; row < density.size(); ++row) {
    const auto own = static_cast<std::size_t>(static_cast<std::int64_t>(rows[row]) - first_row_);
    const double found = rows[row] >= 0 ? x[own] + column(positions[row]) : known(row);
    const bool may_pull = !has_surface || liquid_.tension > 0;
    pressures[row] = may_pull ? found : std::max(0.0, found);
  }
  return {report.iterations, report.residual};
}

void Projection::push(State& state, const Neighbours& neighbours,
                      const std::vector<double>& density, double step) const {
  const auto velocities = state.velocities();
  const auto rows = state.rows();
  std::vector<double> beyond;
  for (std::size_t row = 0; row < state.positions().size(); ++row) {
    beyond.push_back(state.pressures()[row] - column(state.positions()[row]));
  }
  const Pressures pressures{beyond, weight()};
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    if (state.kinds()[row] != Kind::fluid) {
      continue;
    }
    const Vector slope = gradient(kernel_, neighbours.of(row), pressures, row,
                                  [rows](std::size_t other) { return rows[other] != without; });
    // elsewhere they are shifted apart, which takes no energy; tension would make it push outwards
    const bool is_near_surface = density[row] < thin && (rows[row] >= 0 || liquid_.tension == 0);
    const Vector apart =
        is_near_surface ? repulsion(state, pressures, neighbours.of(row), row) : Vector{};
    for (std::size_t d = 0; d < 3; ++d) {
      velocities[3 * row + d] +=
          step * (liquid_.gravity[d] - (slope[d] + apart[d]) / liquid_.density);
    }
  }
}

/// What keeps particles apart: a pressure acts as far as it is above the least around, and vanishes
/// from the sum where the neighbours are evenly spread. So that neither a liquid at rest nor its
/// surface is pushed, it must be above the least with and without the column.
Vector Projection::repulsion(State& state, const Pressures& pressures,
                             std::span<const Neighbour> neighbours, std::size_t row) const {
  double fall = 0, fall_beyond = 0; // to the least
  for (const Neighbour& other : neighbours) {
    if (state.rows()[other.row] != without) {
      fall = std::max(fall, -pressures.change(row, other));
      fall_beyond = std::max(fall_beyond, pressures.beyond[row] - pressures.beyond[other.row]);
    }
  }
  const double excess = std::min(fall, fall_beyond);
  Vector sum{};
  for (const Neighbour& other : neighbours) {
    for (std::size_t d = 0; d < 3; ++d) {
      sum[d] += kernel_.derivative() * excess * other.weight * other.way[d] /
                (other.distance * other.distance);
    }
  }
  return sum;
}

StepReport Projection::advance(State& state, const Neighbours& neighbours,
                               exchange::Migration& migration, double step) {
  const std::vector<double> density = relative_density(kernel_, neighbours, state.num_owned());
  const std::vector<char> surface = find_surface(kernel_, neighbours, state, density);
  number_rows(state, migration, surface);
  set_known_pressures(state, neighbours, migration);
  const double gravity = std::sqrt(dot(liquid_.gravity, liquid_.gravity));
  // of a fall through a spacing, and of waves that long
  const double speed = std::sqrt(gravity * kernel_.spacing() +
                                 liquid_.tension / (liquid_.density * kernel_.spacing()));
  const double viscosity = liquid_.viscosity + settings_.damping * kernel_.spacing() * speed;
  add_viscosity(kernel_, neighbours, step * viscosity, liquid_.slips, state);
  migration.refresh(state.particles(), state.velocity());
  const StepReport report = solve(state, neighbours, density, step);
  migration.refresh(state.particles(), state.pressure());
  push(state, neighbours, density, step);
  migration.refresh(state.particles(), state.velocity());
  collide(kernel_.spacing(), neighbours, state);
  const std::vector<Vector> shifts =
      shift(kernel_, neighbours, density, {settings_.shift, step}, state);
  const auto velocities = state.velocities();
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    for (std::size_t d = 0; d < 3 && state.kinds()[row] == Kind::fluid; ++d) {
      state.particles().positions()[row][d] += step * velocities[3 * row + d] + shifts[row][d];
    }
  }
  return report;
}

} // namespace isthmus::mps
