// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/coupling.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "particles/fluid/operators.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace isthmus::mps {

namespace {

/// Away from the wall that a particle is of.
Vector outward(std::span<const Neighbour> neighbours, std::span<const Kind> kinds) {
  Vector sum{};
  for (const Neighbour& other : neighbours) {
    for (std::size_t d = 0; d < 3 && kinds[other.row] != Kind::fluid; ++d) {
      sum[d] -= other.weight * other.way[d] / other.distance;
    }
  }
  const double size = std::sqrt(dot(sum, sum));
  for (double& component : sum) {
    component /= std::max(size, 1e-300);
  }
  return sum;
}

} // namespace

Coupling::Coupling(const comm::Comm& comm, const Case& from, State& state,
                   const Neighbours& neighbours)
    : comm_(comm),
      from_(from),
      lattice_(from),
      ranks_(comm.raw()),
      participant_(from.coupling.participant, from.coupling.configuration.string(),
                   {comm.rank(), comm.size(), comm.size() > 1 ? &ranks_ : nullptr}),
      dimensions_(static_cast<std::size_t>(participant_.mesh_dimensions(from.coupling.walls))) {
  const GlobalIndex count = lattice_.count(0) * lattice_.count(1) * lattice_.count(2);
  for (GlobalIndex id = 0; id < count; ++id) {
    const auto place = lattice_.place(id);
    if (is_coupled(id) && lattice_.content(place)) {
      ids_.push_back(id);
    }
  }
  check(!ids_.empty(), "no [[obstacle]] is coupled, and [coupling] needs one");
  displacement_.resize(dimensions_ * ids_.size());
  if (comm.is_root()) {
    vertices_.resize(ids_.size());
  }
  comm::agree(comm, [&] {
    participant_.set_mesh_vertices(from.coupling.walls,
                                   comm.is_root() ? coordinates_of(ids_) : std::vector<double>{},
                                   vertices_);
  });
  set_wet_vertices(state, neighbours);
  static_cast<void>(participant_.requires_initial_data()); // forces are 0 at the beginning
  participant_.initialize();
  static_cast<void>(participant_.requires_writing_checkpoint()); // see advance()
}

bool Coupling::is_coupled(GlobalIndex id) const {
  const Obstacle* const obstacle = lattice_.obstacle(lattice_.place(id));
  return obstacle != nullptr && obstacle->is_coupled;
}

std::vector<double> Coupling::coordinates_of(std::span<const GlobalIndex> ids) const {
  std::vector<double> result;
  for (const GlobalIndex id : ids) {
    const exchange::Position home = lattice_.at(lattice_.place(id));
    result.insert(result.end(), home.begin(),
                  home.begin() + static_cast<std::ptrdiff_t>(dimensions_));
  }
  return result;
}

void Coupling::set_wet_vertices(State& state, const Neighbours& neighbours) {
  wet_.clear();
  std::vector<GlobalIndex> ids;
  for (std::size_t row = 0; row < state.num_owned(); ++row) {
    const GlobalIndex id = state.particles().ids()[row];
    if (state.kinds()[row] == Kind::wall && !neighbours.of(row).empty() && is_coupled(id)) {
      wet_.push_back(row);
      ids.push_back(id);
    }
  }
  wet_vertices_.resize(wet_.size());
  comm::agree(comm_, [&] {
    participant_.set_mesh_vertices(from_.coupling.wet, coordinates_of(ids), wet_vertices_);
  });
}

double Coupling::begin_window(State& state, const Neighbours& neighbours) {
  if (!std::exchange(is_first_, false)) {
    participant_.reset_mesh(from_.coupling.wet);
    set_wet_vertices(state, neighbours);
  }
  return participant_.max_time_step_size();
}

void Coupling::read() {
  comm::agree(comm_, [&] {
    if (comm_.is_root()) {
      participant_.read_data(from_.coupling.walls, from_.coupling.displacement, vertices_,
                             participant_.max_time_step_size(), displacement_);
    }
  });
  comm::bcast(comm_, displacement_);
}

Vector Coupling::displacement(GlobalIndex id) const {
  const auto at =
      static_cast<std::size_t>(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
  Vector result{};
  std::copy_n(displacement_.begin() + static_cast<std::ptrdiff_t>(dimensions_ * at), dimensions_,
              result.begin());
  return result;
}

bool Coupling::advance(State& state, const Neighbours& neighbours) {
  const double area = std::pow(from_.spacing, from_.dimensions - 1) *
                      (from_.dimensions == 2 ? from_.coupling.depth : 1);
  std::vector<double> forces;
  for (const std::size_t row : wet_) {
    const Vector normal = outward(neighbours.of(row), state.kinds());
    for (std::size_t d = 0; d < dimensions_; ++d) {
      forces.push_back(-area * state.pressures()[row] * normal[d]);
    }
  }
  comm::agree(comm_, [&] {
    participant_.write_data(from_.coupling.wet, from_.coupling.force, wet_vertices_, forces);
  });
  participant_.advance(participant_.max_time_step_size());
  const bool is_repeated = participant_.requires_reading_checkpoint();
  static_cast<void>(participant_.requires_writing_checkpoint());
  return is_repeated;
}

} // namespace isthmus::mps
