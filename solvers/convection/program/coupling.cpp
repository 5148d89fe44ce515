// SPDX-License-Identifier: BSD-3-Clause
#include "convection/program/coupling.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::convection {

Coupling::Coupling(const comm::Comm& comm, const CouplingSettings& settings, const Mesh& mesh,
                   double step)
    : comm_(comm),
      settings_(settings),
      step_(step),
      nodes_(mesh.group(settings.group).nodes),
      sum_(comm, mesh.plan, static_cast<int>(width())),
      ranks_(comm.raw()),
      participant_(settings.participant, settings.configuration.string(),
                   {comm.rank(), comm.size(), comm.size() > 1 ? &ranks_ : nullptr}),
      earlier_(width() * mesh.tets.num_nodes(), 0) {
  const auto dimensions = static_cast<std::size_t>(participant_.mesh_dimensions(settings.mesh));
  check(!settings_.is_of_motion || dimensions == 3,
        "mesh \"{}\" has {} dimensions: displacements and forces of this solver have 3",
        settings_.mesh, dimensions);
  std::vector<char> is_foreign(mesh.tets.num_nodes(), 0);
  for (const LocalIndex node : mesh.plan.foreign) {
    is_foreign[static_cast<std::size_t>(node)] = 1;
  }
  std::vector<double> positions;
  for (const LocalIndex node : nodes_) {
    const auto n = static_cast<std::size_t>(node);
    if (is_foreign[n] == 0) {
      owned_.push_back(node);
      const auto at = mesh.tets.coords.begin() + static_cast<std::ptrdiff_t>(3 * n);
      positions.insert(positions.end(), at, at + static_cast<std::ptrdiff_t>(dimensions));
    }
  }
  ids_.resize(owned_.size());
  comm::agree(comm, [&] { participant_.set_mesh_vertices(settings_.mesh, positions, ids_); });
  static_cast<void>(participant_.requires_initial_data()); // nothing at the beginning
  participant_.initialize();
  static_cast<void>(participant_.requires_writing_checkpoint()); // see advance()
  check_step();
}

void Coupling::check_step() const {
  const double window = participant_.max_time_step_size();
  check(
      std::abs(window - step_) <= 1e-9 * step_,
      "a window of the coupled run has the size {}, \"step\" of [time] is {}: make them the same, "
      "and max-time a multiple of them",
      window, step_);
}

void Coupling::read(State& state) {
  check_step();
  const std::size_t width = this->width();
  std::vector<double> values(width * ids_.size());
  comm::agree(comm_,
              [&] { participant_.read_data(settings_.mesh, settings_.read, ids_, step_, values); });
  read_.assign(earlier_.size(), 0);
  for (std::size_t n = 0; n < values.size(); ++n) {
    read_[width * static_cast<std::size_t>(owned_[n / width]) + n % width] = values[n];
  }
  sum_(read_);
  for (const LocalIndex node : nodes_) {
    const auto n = static_cast<std::size_t>(node);
    if (!settings_.is_of_motion) {
      state.temperature[n] = read_[n];
      continue;
    }
    for (std::size_t c = 0; c < 3; ++c) {
      state.values[4 * n + c] = (read_[3 * n + c] - earlier_[3 * n + c]) / step_;
    }
  }
}

bool Coupling::advance(std::span<const double> of_nodes) {
  const std::size_t width = this->width();
  std::vector<double> values;
  for (const LocalIndex node : owned_) {
    const auto from =
        of_nodes.begin() + static_cast<std::ptrdiff_t>(width * static_cast<std::size_t>(node));
    values.insert(values.end(), from, from + static_cast<std::ptrdiff_t>(width));
  }
  comm::agree(comm_,
              [&] { participant_.write_data(settings_.mesh, settings_.written, ids_, values); });
  participant_.advance(participant_.max_time_step_size());
  // A window is repeated from what earlier steps have left, which stays until the next one begins.
  const bool is_repeated = participant_.requires_reading_checkpoint();
  static_cast<void>(participant_.requires_writing_checkpoint());
  if (!is_repeated) {
    earlier_ = read_;
  }
  return is_repeated;
}

} // namespace isthmus::convection
