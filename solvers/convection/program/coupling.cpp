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
      sum_(comm, mesh.plan, 1),
      ranks_(comm.raw()),
      participant_(settings.participant, settings.configuration.string(),
                   {comm.rank(), comm.size(), comm.size() > 1 ? &ranks_ : nullptr}),
      dimensions_(static_cast<std::size_t>(participant_.mesh_dimensions(settings.mesh))) {
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
      positions.insert(positions.end(), at, at + static_cast<std::ptrdiff_t>(dimensions_));
    }
  }
  ids_.resize(owned_.size());
  comm::agree(comm, [&] { participant_.set_mesh_vertices(settings_.mesh, positions, ids_); });
  static_cast<void>(participant_.requires_initial_data()); // no heat enters at the beginning
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

void Coupling::read(std::span<double> temperature) {
  check_step();
  std::vector<double> values(ids_.size());
  comm::agree(comm_, [&] {
    participant_.read_data(settings_.mesh, settings_.temperature, ids_, step_, values);
  });
  std::vector<double> all(temperature.size(), 0);
  for (std::size_t n = 0; n < owned_.size(); ++n) {
    all[static_cast<std::size_t>(owned_[n])] = values[n];
  }
  sum_(all);
  for (const LocalIndex node : nodes_) {
    temperature[static_cast<std::size_t>(node)] = all[static_cast<std::size_t>(node)];
  }
}

bool Coupling::advance(std::span<const double> heat) {
  std::vector<double> values;
  for (const LocalIndex node : owned_) {
    values.push_back(heat[static_cast<std::size_t>(node)]);
  }
  comm::agree(comm_,
              [&] { participant_.write_data(settings_.mesh, settings_.heat, ids_, values); });
  participant_.advance(participant_.max_time_step_size());
  // A window is repeated from what earlier steps have left, which stays until the next one begins.
  const bool is_repeated = participant_.requires_reading_checkpoint();
  static_cast<void>(participant_.requires_writing_checkpoint());
  return is_repeated;
}

} // namespace isthmus::convection
