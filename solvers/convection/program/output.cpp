// SPDX-License-Identifier: BSD-3-Clause
#include "convection/program/output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace isthmus::convection {

namespace {

constexpr const char* restart_name = "convection.restart";

} // namespace

Output::Output(const comm::Comm& comm, const Mesh& mesh, const OutputCase& from)
    : comm_(comm), mesh_(mesh), from_(from), restart_(comm, mesh) {
  if (!from.folder.empty()) {
    exporter_.emplace(
        comm, io::Exporter::Settings{io::ExportFormat::vtu, from.folder, "convection", true});
  }
}

State Output::resume(const std::filesystem::path& path) {
  State state = restart_.read(path);
  next_ = next_after(state.time);
  written_ = state.steps;
  if (exporter_ && path.parent_path().lexically_normal() == from_.folder.lexically_normal()) {
    exporter_->resume(state.series);
  } else {
    written_ = -1;
  }
  return state;
}

double Output::next_after(double time) const {
  constexpr double never = std::numeric_limits<double>::infinity();
  const double every = from_.every;
  return every > 0 ? every * (std::floor(time / every + 1e-6) + 1) : never;
}

void Output::write(const State& state) {
  if (state.time >= next_ - 0.5 * state.step) {
    write_now(state);
    next_ = next_after(state.time + 0.5 * state.step);
  }
}

void Output::finish(const State& state) {
  if (written_ != state.steps) {
    write_now(state);
  }
  if (exporter_) {
    exporter_->finish();
  }
}

void Output::write_now(const State& state) {
  if (!exporter_) {
    return;
  }
  write_fields(state);
  State kept = state;
  kept.series = exporter_->series();
  restart_.write(from_.folder / restart_name, kept);
  written_ = state.steps;
}

void Output::write_fields(const State& state) {
  std::vector<double> velocity, pressure;
  for (std::size_t n = 0; n < mesh_.tets.num_nodes(); ++n) {
    const double* const values = &state.values[4 * n];
    velocity.insert(velocity.end(), values, values + 3);
    pressure.push_back(values[3]);
  }
  const std::vector<io::PieceField> fields{
      {"velocity", 3, velocity}, {"pressure", 1, pressure}, {"temperature", 1, state.temperature}};
  io::MeshPiece piece;
  piece.coordinates = mesh_.tets.coords;
  std::vector<LocalIndex> corners;
  for (const auto& tet : mesh_.tets.tets) {
    corners.insert(corners.end(), tet.begin(), tet.end());
  }
  piece.tetrahedra = corners;
  piece.fields = fields;
  exporter_->write(fmt::format("{}", state.steps), state.time, piece);
}

} // namespace isthmus::convection
