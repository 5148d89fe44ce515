// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/dam_break.hpp"

#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace isthmus::discrete {

namespace {

constexpr std::size_t up = 1;               // axis
constexpr std::size_t fraction = 3;         // behind the velocities now
constexpr std::size_t values_now = 4;       // of a cell
constexpr std::size_t time_scale = 3;       // behind the predicted velocities
constexpr std::size_t predicted_values = 4; // of a cell

/// Own values, then their ghosts.
void fill_ghosts(exchange::Halo& halo, const comm::Comm& comm, std::size_t components,
                 std::vector<double>& values) {
  const std::size_t ghosts = components * static_cast<std::size_t>(halo.num_ghosts());
  const std::span<double> all = values;
  halo.forward(comm, static_cast<int>(components), all.first(all.size() - ghosts),
               all.last(ghosts));
}

} // namespace

DamBreak::Geometry::Geometry(const FaceGrid& of) : grid(of) {
  double volume = 1;
  for (std::size_t a = 0; a < axes; ++a) {
    distances[a] = grid.lengths[a] / grid.cells[a];
    volume *= distances[a];
  }
  for (std::size_t a = 0; a < axes; ++a) {
    areas[a] = volume / distances[a];
  }
}

DamBreak::DamBreak(const comm::Comm& comm, int n, int layers, Settings settings)
    : comm_(comm),
      settings_(std::move(settings)),
      geometry_(Collapse(n, layers).grid),
      mesh_(make_face_block(geometry_.grid, comm.size(), comm.rank())),
      cells_(mesh_),
      limiter_(comm, mesh_, settings_.limiter),
      pressure_(comm, mesh_, cells_, settings_.on_product, settings_.on_factor),
      halo_(make_halo(mesh_)),
      water_(Collapse(n, layers).fractions(mesh_)),
      flux_(mesh_.faces.size()),
      density_(mesh_.faces.size()) {
  for (const GlobalIndex id : mesh_.face_ids) {
    geometry_.axis.push_back(axis_of(id));
  }
  const std::size_t all = water_.size() + mesh_.num_ghosts();
  velocity_.now.resize(values_now * all);
  velocity_.predicted.resize(predicted_values * all);
}

DamBreak::Report DamBreak::step(double dt) {
  Report report;
  for (int k = 0; k < settings_.transports; ++k) {
    limiter_.step(dt / settings_.transports, flux_, water_);
  }
  for (std::size_t c = 0; c < water_.size(); ++c) {
    velocity_.now[values_now * c + fraction] = water_[c];
  }
  velocity_.old.assign(
      velocity_.now.begin(),
      velocity_.now.begin() + static_cast<std::ptrdiff_t>(values_now * water_.size()));
  const std::vector<double> carrying = flux_; // velocities are carried by the fluxes of the step
  for (int k = 0; k < settings_.correctors; ++k) {
    flux_ = carrying;
    predict(dt);
    find_fluxes();
    solve(report);
    correct();
  }
  summarize(report, dt);
  return report;
}

/// Fractions leave 0 to 1 by what the pressure solver leaves: more than the density of air.
double DamBreak::density(double water) const {
  return settings_.air + (1 - settings_.air) * std::clamp(water, 0.0, 1.0);
}

/// Velocities without pressure and gravity: what they were, and what enters with its neighbours' by
/// its mass, that of the cell that it leaves over that of this one (the advective form).
void DamBreak::predict(double dt) {
  fill_ghosts(halo_, comm_, values_now, velocity_.now);
  for (LocalIndex cell = 0; cell < mesh_.num_cells(); ++cell) {
    const auto c = static_cast<std::size_t>(cell);
    double diagonal = 1;
    const double* const old = &velocity_.old[values_now * c];
    std::array<double, axes> sum{old[0], old[1], old[2]};
    for (const auto& at : cells_.of(cell)) {
      const double enters = at.sign * flux_[static_cast<std::size_t>(at.face)];
      if (enters > 0) {
        const double* const from = &velocity_.now[values_now * static_cast<std::size_t>(at.other)];
        const double share =
            dt / mesh_.volumes[c] * enters * density(from[fraction]) / density(water_[c]);
        diagonal += share;
        for (std::size_t a = 0; a < axes; ++a) {
          sum[a] += share * from[a];
        }
      }
    }
    double* const to = &velocity_.predicted[predicted_values * c];
    for (std::size_t a = 0; a < axes; ++a) {
      to[a] = sum[a] / diagonal;
    }
    to[time_scale] = dt / diagonal;
  }
  did(1);
  fill_ghosts(halo_, comm_, predicted_values, velocity_.predicted);
}

/// Fluxes of these velocities and of gravity, and what a difference of pressures changes.
void DamBreak::find_fluxes() {
  const std::span<double> weight = pressure_.weights();
  const auto fraction_of = [this](LocalIndex cell) {
    return velocity_.now[values_now * static_cast<std::size_t>(cell) + fraction];
  };
  for (std::size_t f = 0; f < flux_.size(); ++f) {
    const double* const owner =
        &velocity_.predicted[predicted_values * static_cast<std::size_t>(mesh_.faces[f].owner)];
    const double* const neighbour =
        &velocity_.predicted[predicted_values * static_cast<std::size_t>(mesh_.faces[f].neighbour)];
    const std::size_t a = geometry_.axis[f];
    const double tau = 0.5 * (owner[time_scale] + neighbour[time_scale]);
    density_[f] =
        density(0.5 * (fraction_of(mesh_.faces[f].owner) + fraction_of(mesh_.faces[f].neighbour)));
    flux_[f] = geometry_.areas[a] * (0.5 * (owner[a] + neighbour[a]) - (a == up ? tau : 0));
    weight[f] = geometry_.areas[a] * tau / (density_[f] * geometry_.distances[a]);
  }
  pressure_.find_sources(flux_);
  did(2);
}

void DamBreak::solve(Report& report) {
  const la::Report solved = pressure_.solve(settings_.solver, settings_.factor);
  report.method = solved.method;
  report.iterations += solved.iterations;
  report.reductions += solved.reductions;
  report.converged = report.converged && solved.is_converged();
}

/// Fluxes by the pressure, and velocities by what acts at the faces; at walls it cancels them.
void DamBreak::correct() {
  std::vector<double>& pressure = pressure_.pressure();
  fill_ghosts(halo_, comm_, 1, pressure);
  const std::span<const double> weight = pressure_.weights();
  std::vector<double>& acceleration = density_; // of which no more is needed
  for (std::size_t f = 0; f < flux_.size(); ++f) {
    const double change = pressure[static_cast<std::size_t>(mesh_.faces[f].neighbour)] -
                          pressure[static_cast<std::size_t>(mesh_.faces[f].owner)];
    flux_[f] -= weight[f] * change;
    const std::size_t a = geometry_.axis[f];
    acceleration[f] = (a == up ? -1 : 0) - change / (density_[f] * geometry_.distances[a]);
  }
  for (LocalIndex cell = 0; cell < mesh_.num_cells(); ++cell) {
    const auto c = static_cast<std::size_t>(cell);
    const double* const from = &velocity_.predicted[predicted_values * c];
    double* const to = &velocity_.now[values_now * c];
    std::fill_n(to, axes, 0.0);
    for (const auto& at : cells_.of(cell)) {
      const auto f = static_cast<std::size_t>(at.face);
      const std::size_t a = geometry_.axis[f];
      to[a] += 0.5 * (from[a] + from[time_scale] * acceleration[f]);
    }
  }
  did(2);
}

/// What OpenFOAM prints after each step.
void DamBreak::summarize(Report& report, double dt) const {
  double volume = 0;
  double stays = 0;
  double space = 0;
  std::array<double, 2> extremes{-std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity()};
  for (LocalIndex cell = 0; cell < mesh_.num_cells(); ++cell) {
    const auto c = static_cast<std::size_t>(cell);
    double sum = 0;
    for (const auto& at : cells_.of(cell)) {
      sum += at.sign * flux_[static_cast<std::size_t>(at.face)];
    }
    stays += dt * std::abs(sum);
    space += mesh_.volumes[c];
    volume += water_[c] * mesh_.volumes[c];
    extremes[0] = std::max(extremes[0], -water_[c]);
    extremes[1] = std::max(extremes[1], water_[c]);
  }
  did(1);
  std::array<double, 3> sums{volume, stays, space};
  const std::size_t together = settings_.packed ? sums.size() : 1;
  for (std::size_t k = 0; k < sums.size(); k += together) {
    comm::allreduce(comm_, std::span(sums).subspan(k, together), comm::Op::sum);
  }
  const std::size_t both = settings_.packed ? extremes.size() : 1;
  for (std::size_t k = 0; k < extremes.size(); k += both) {
    comm::allreduce(comm_, std::span(extremes).subspan(k, both), comm::Op::max);
  }
  report.volume = sums[0];
  report.divergence = sums[1] / sums[2];
  report.least = -extremes[0];
  report.largest = extremes[1];
}

double DamBreak::time_step(double courant) const {
  double rate = 0;
  for (LocalIndex cell = 0; cell < mesh_.num_cells(); ++cell) {
    double leaves = 0;
    for (const auto& at : cells_.of(cell)) {
      leaves += std::max(0.0, -at.sign * flux_[static_cast<std::size_t>(at.face)]);
    }
    rate = std::max(rate, leaves / mesh_.volumes[static_cast<std::size_t>(cell)]);
  }
  // At rest: what gravity alone does on the way through a cell.
  const double least = std::sqrt(2 * geometry_.distances[up]) / geometry_.distances[up];
  return courant / std::max(least, comm::allreduce(comm_, rate, comm::Op::max));
}

double DamBreak::front() const {
  double last = 0;
  for (std::size_t c = 0; c < water_.size(); ++c) {
    const auto place = geometry_.grid.place_of(mesh_.cell_ids[c]);
    if (place[1] == 0 && water_[c] >= 0.5) {
      last = std::max(last, (place[0] + 1) * geometry_.distances[0]);
    }
  }
  return comm::allreduce(comm_, last, comm::Op::max);
}

void DamBreak::did(std::size_t passes) const {
  if (settings_.on_visits) {
    settings_.on_visits(passes * cells_.size());
  }
}

} // namespace isthmus::discrete
