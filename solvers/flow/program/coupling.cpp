// SPDX-License-Identifier: BSD-3-Clause
#include "flow/program/coupling.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <cmath>

namespace isthmus::flow {

namespace {

Vector face_center(const Block& block, const Side& side, const Index3& cell) {
  const auto axis = static_cast<std::size_t>(side.axis);
  Vector sum{};
  for (int n = 0; n < 4; ++n) { // the corners: along the two other axes
    Index3 node = cell;
    node[axis] = side.end == 0 ? 0 : block.extent.count(side.axis);
    node[(axis + 1) % 3] += n % 2;
    node[(axis + 2) % 3] += n / 2;
    const Vector& at = block.node(node[0], node[1], node[2]);
    for (std::size_t c = 0; c < 3; ++c) {
      sum[c] += 0.25 * at[c];
    }
  }
  return sum;
}

} // namespace

Coupling::Coupling(const comm::Comm& comm, const CouplingSettings& settings, const Grid& grid,
                   double mach)
    : comm_(comm),
      settings_(settings),
      grid_(grid),
      mach_(mach),
      ranks_(comm.raw()),
      participant_(settings.participant, settings.configuration.string(),
                   {comm.rank(), comm.size(), comm.size() > 1 ? &ranks_ : nullptr}),
      dimensions_(static_cast<std::size_t>(participant_.mesh_dimensions(settings.mesh))) {
  add_points();
  set_vertices();
  static_cast<void>(participant_.requires_initial_data()); // forces are 0 at the beginning
  participant_.initialize();
  static_cast<void>(participant_.requires_writing_checkpoint()); // see advance()
  step_ = participant_.max_time_step_size() / time_unit();
  read_place(0);
}

void Coupling::add_points() {
  for (const BoundarySide& side : grid_.sides) {
    if (side.boundary != settings_.boundary) {
      continue;
    }
    const Block& block = grid_.own[side.own];
    side.for_each_face(block.extent, [&](const Index3& cell) {
      points_.push_back(face_center(block, side.side, cell));
    });
  }
  const auto count =
      comm::allreduce(comm_, static_cast<GlobalIndex>(points_.size()), comm::Op::sum);
  check(count > 0, "boundary \"{}\" has no faces that [coupling] could exchange forces on",
        grid_.boundaries[settings_.boundary].name);
}

void Coupling::set_vertices() {
  std::vector<double> positions;
  for (const Vector& point : points_) {
    for (std::size_t c = 0; c < dimensions_; ++c) {
      positions.push_back(settings_.length * point[c]);
    }
  }
  ids_.resize(points_.size());
  comm::agree(comm_, [&] { participant_.set_mesh_vertices(settings_.mesh, positions, ids_); });
}

void Coupling::begin_window() {
  const double step = participant_.max_time_step_size() / time_unit();
  check(std::abs(step - step_) <= 1e-9 * step_,
        "a window of the coupled run has the size {}, the first one had {}: make its max-time a "
        "multiple of its time-window-size",
        step * time_unit(), step_ * time_unit());
  track_.begin_step();
}

const Track& Coupling::read() {
  read_place(participant_.max_time_step_size());
  return track_;
}

void Coupling::read_place(double relative_time) {
  if (settings_.displacement.empty()) {
    return;
  }
  std::vector<double> values(dimensions_ * ids_.size());
  std::vector<Vector> moved(ids_.size());
  comm::agree(comm_, [&] {
    participant_.read_data(settings_.mesh, settings_.displacement, ids_, relative_time, values);
  });
  for (std::size_t n = 0; n < moved.size(); ++n) {
    for (std::size_t c = 0; c < dimensions_; ++c) {
      moved[n][c] = values[dimensions_ * n + c] / settings_.length;
    }
  }
  track_.set(fit_place(comm_, points_, grid_.pivot, moved));
}

bool Coupling::advance(const Solution& solution) {
  const double speed = settings_.speed / mach_; // of sound
  const double unit = settings_.density * speed * speed * settings_.length * settings_.length;
  const double c = std::cos(track_.place().angle);
  const double s = std::sin(track_.place().angle);
  std::vector<double> forces;
  for (const BoundarySide& side : grid_.sides) {
    if (side.boundary != settings_.boundary) {
      continue;
    }
    for (const Load& load : face_loads(grid_.own[side.own], side, solution.physics(),
                                       solution.turning(0), solution.primitive(side.own, 0))) {
      const Vector force{c * load.values[0] - s * load.values[1],
                         s * load.values[0] + c * load.values[1], load.values[2]};
      for (std::size_t d = 0; d < dimensions_; ++d) {
        forces.push_back(unit * force[d]);
      }
    }
  }
  if (!settings_.force.empty()) {
    comm::agree(comm_,
                [&] { participant_.write_data(settings_.mesh, settings_.force, ids_, forces); });
  }
  participant_.advance(participant_.max_time_step_size());
  // A window is repeated from where it ended before: the values before it, on which its derivative
  // in time rests, have stayed.
  const bool is_repeated = participant_.requires_reading_checkpoint();
  static_cast<void>(participant_.requires_writing_checkpoint());
  return is_repeated;
}

} // namespace isthmus::flow
