// SPDX-License-Identifier: BSD-3-Clause
#include "fluid.hpp"

#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

namespace bench {

using namespace isthmus;
using exchange::Position;

namespace {

constexpr double height = 2;
constexpr double tank = 5;
constexpr int wall_layers = 3;
constexpr std::int32_t water = 0, wall = 1;
constexpr double viscosity = 0.01; // in units of speed of sound and spacing

double weight(double r, double radius) {
  return radius / r - 1;
}

} // namespace

Fluid::Fluid(const comm::Comm& comm, int across, bool moving, comm::Opening opening)
    : comm_(comm),
      spacing_(1.0 / across),
      sound_(10 * std::sqrt(height)),
      dt_(0.2 * spacing_ / sound_),
      migration_(comm, exchange::balanced_bricks(comm, comm.size(), {}, spacing_),
                 {radius(), slack(), opening}),
      velocity_(particles_.add<double>(2)),
      pressure_(particles_.add<double>()),
      kind_(particles_.add<std::int32_t>()) {
  for (int i = -2; i <= 2; ++i) {
    for (int j = -2; j <= 2; ++j) {
      if (const double r = spacing_ * std::hypot(i, j); r > 0 && r < radius()) {
        full_.density += weight(r, radius());
        full_.lambda += weight(r, radius()) * r * r;
      }
    }
  }
  full_.lambda /= full_.density;
  if (comm.is_root()) {
    fill(across, moving);
  }
  migrate(true);
}

/// Water from (0, 0) to (1, 2), walls below, to the left and to the right.
void Fluid::fill(int across, bool moving) {
  GlobalIndex id = 0;
  const auto insert = [&](int i, int j, std::int32_t kind) {
    const Position at = {(i + 0.5) * spacing_, (j + 0.5) * spacing_, 0};
    const auto row = static_cast<std::size_t>(particles_.insert(id++, at));
    particles_.values<std::int32_t>(kind_)[row] = kind;
    if (moving && kind == water) {
      particles_.values<double>(velocity_)[2 * row] = at[0];
      particles_.values<double>(velocity_)[2 * row + 1] = -at[1];
    }
  };
  const int columns = static_cast<int>(tank) * across;
  const int rows = static_cast<int>(height) * across;
  for (int i = -wall_layers; i < columns + wall_layers; ++i) {
    for (int j = -wall_layers; j < rows; ++j) {
      const bool is_wall = i < 0 || j < 0 || i >= columns;
      if (is_wall || i < across) {
        insert(i, j, is_wall ? wall : water);
      }
    }
  }
}

void Fluid::migrate(bool balance, comm::Traffic* traffic) {
  if (balance) {
    const auto own = particles_.positions().first(particles_.num_owned());
    migration_.divide(exchange::balanced_bricks(comm_, comm_.size(), own, spacing_));
  }
  if (migration_.exchange().opening() == comm::Opening::by_caller) {
    const bool needed = migration_.prepare(particles_);
    migration_.migrate(particles_, comm::allreduce(comm_, needed ? 1 : 0, comm::Op::max) == 1,
                       traffic);
  } else {
    migration_.migrate(particles_, false, traffic);
  }
}

void Fluid::advance() {
  sort_into_cells();
  find_pressure();
  migration_.refresh(particles_, pressure_);
  move();
  ++steps_;
}

void Fluid::sort_into_cells() {
  const auto positions = std::as_const(particles_).positions();
  const auto cell = [&](std::size_t row, std::size_t d) {
    return static_cast<std::int64_t>(std::floor(positions[row][d] / radius()));
  };
  std::array<std::int64_t, 2> lo = {0, 0}, hi = {0, 0};
  for (std::size_t row = 0; row < particles_.size(); ++row) {
    for (std::size_t d = 0; d < 2; ++d) {
      lo[d] = row == 0 ? cell(row, d) : std::min(lo[d], cell(row, d));
      hi[d] = row == 0 ? cell(row, d) : std::max(hi[d], cell(row, d));
    }
  }
  cells_.lo = {lo[0] - 1, lo[1] - 1};
  cells_.count = {hi[0] - lo[0] + 3, hi[1] - lo[1] + 3};
  const auto place = [&](std::size_t row) { return cells_.at(cell(row, 0), cell(row, 1)); };
  std::vector<std::size_t> by_id(particles_.size());
  std::iota(by_id.begin(), by_id.end(), std::size_t{0});
  std::sort(by_id.begin(), by_id.end(),
            [ids = particles_.ids()](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
  cells_.begin.assign(static_cast<std::size_t>(cells_.count[0] * cells_.count[1]) + 1, 0);
  for (const std::size_t row : by_id) {
    ++cells_.begin[place(row) + 1];
  }
  std::partial_sum(cells_.begin.begin(), cells_.begin.end(), cells_.begin.begin());
  std::vector<std::size_t> next = cells_.begin;
  cells_.rows.resize(by_id.size());
  for (const std::size_t row : by_id) {
    cells_.rows[next[place(row)]++] = row;
  }
}

/// Calls f(row, dx, dy, r) in an order that does not depend on the ranks.
template <typename F>
void Fluid::for_neighbours(std::size_t i, F&& f) const {
  const auto positions = particles_.positions();
  const Position at = positions[i];
  const auto x = static_cast<std::int64_t>(std::floor(at[0] / radius()));
  const auto y = static_cast<std::int64_t>(std::floor(at[1] / radius()));
  for (std::int64_t cx = x - 1; cx <= x + 1; ++cx) {
    const auto begin = cells_.begin[cells_.at(cx, y - 1)];
    const auto end = cells_.begin[cells_.at(cx, y + 2)];
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t j = cells_.rows[k];
      const double dx = positions[j][0] - at[0], dy = positions[j][1] - at[1];
      const double r2 = dx * dx + dy * dy;
      if (j != i && r2 < radius() * radius()) {
        f(j, dx, dy, std::sqrt(r2));
      }
    }
  }
}

void Fluid::find_pressure() {
  const auto pressure = particles_.values<double>(pressure_);
  for (std::size_t i = 0; i < particles_.num_owned(); ++i) {
    double density = 0;
    for_neighbours(i,
                   [&](std::size_t, double, double, double r) { density += weight(r, radius()); });
    pressure[i] = std::max(0.0, sound_ * sound_ * (density / full_.density - 1));
  }
}

void Fluid::move() {
  const auto velocity = particles_.values<double>(velocity_);
  const auto pressure = particles_.values<double>(pressure_);
  const auto kind = particles_.values<std::int32_t>(kind_);
  const double factor = 2 / full_.density; // dimensions over density
  const double friction = 2 * factor * viscosity * sound_ * spacing_ / full_.lambda;
  std::vector<std::array<double, 2>> force(particles_.num_owned());
  for (std::size_t i = 0; i < force.size(); ++i) {
    if (kind[i] == wall) {
      continue;
    }
    force[i] = {0, -1};
    for_neighbours(i, [&](std::size_t j, double dx, double dy, double r) {
      const double w = weight(r, radius());
      const double push = factor * (pressure[i] + pressure[j]) * w / (r * r);
      force[i][0] += friction * (velocity[2 * j] - velocity[2 * i]) * w - push * dx;
      force[i][1] += friction * (velocity[2 * j + 1] - velocity[2 * i + 1]) * w - push * dy;
    });
  }
  for (std::size_t i = 0; i < force.size(); ++i) {
    for (std::size_t d = 0; d < 2 && kind[i] == water; ++d) {
      velocity[2 * i + d] += dt_ * force[i][d];
      particles_.positions()[i][d] += dt_ * velocity[2 * i + d];
    }
  }
}

double Fluid::front() {
  double reach = 0;
  const auto kind = particles_.values<std::int32_t>(kind_);
  for (std::size_t i = 0; i < particles_.num_owned(); ++i) {
    reach = std::max(reach, kind[i] == water ? particles_.positions()[i][0] : 0.0);
  }
  return comm::allreduce(comm_, reach, comm::Op::max) + spacing_ / 2;
}

std::vector<std::uint64_t> Fluid::fingerprint() {
  std::vector<std::uint64_t> sums = {particles_.num_owned(), 0};
  const auto velocity = particles_.values<double>(velocity_);
  for (std::size_t i = 0; i < particles_.num_owned(); ++i) {
    const Position& at = particles_.positions()[i];
    std::uint64_t factor = 2 * static_cast<std::uint64_t>(particles_.ids()[i]) + 1;
    for (const double value : {at[0], at[1], velocity[2 * i], velocity[2 * i + 1]}) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      sums[1] += factor * bits;
      factor *= 0x9e3779b97f4a7c15U;
    }
  }
  comm::allreduce(comm_, std::span(sums), comm::Op::sum);
  return sums;
}

} // namespace bench
