// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/output.hpp"

#include "isthmus/comm/collective.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace isthmus::mps {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// The next multiple of `every`; never without it.
double next(double time, double every, double slack) {
  return every > 0 ? (std::floor((time + slack) / every) + 1) * every : never;
}

} // namespace

Output::Output(const comm::Comm& comm, const Case& from)
    : comm_(comm), from_(from), next_restart_(next(0, from.output.restart_every, 0)) {
  if (!from.output.folder.empty()) {
    exporter_.emplace(
        comm, io::Exporter::Settings{io::ExportFormat::vtp, from.output.folder, "particles", true});
  }
}

void Output::resume(const Moment& moment) {
  if (!exporter_) {
    return;
  }
  std::vector<io::Exporter::Entry> there;
  for (const io::Exporter::Entry& entry : moment.files) {
    if (std::filesystem::exists(from_.output.folder / entry.file)) {
      there.push_back(entry);
    }
  }
  const double slack = 1e-12 * from_.time.end;
  next_picture_ = next(moment.time, from_.output.every, slack);
  next_restart_ = next(moment.time, from_.output.restart_every, slack);
  num_files_ = moment.num_files;
  last_ = there.empty() || there.back().time < moment.time ? -1 : moment.steps;
  last_ = comm::bcast(comm_, last_); // only rank 0 knows the files
  exporter_->resume(std::move(there));
}

void Output::write(State& state, const Moment& moment) {
  if (!exporter_) {
    return;
  }
  const double slack = 1e-12 * from_.time.end;
  if (moment.time >= next_picture_ - slack) {
    write_picture(state, moment);
    next_picture_ = next(moment.time, from_.output.every, slack);
  }
  if (moment.time >= next_restart_ - slack) {
    write_for_restart(state, moment);
    next_restart_ = next(moment.time, from_.output.restart_every, slack);
  }
}

void Output::finish(State& state, const Moment& moment) {
  if (!exporter_) {
    return;
  }
  if (last_ != moment.steps) {
    write_picture(state, moment);
  }
  exporter_->finish();
  write_for_restart(state, moment);
}

void Output::write_picture(State& state, const Moment& moment) {
  const std::size_t own = state.num_owned();
  std::vector<double> places, kinds;
  for (std::size_t row = 0; row < own; ++row) {
    places.insert(places.end(), state.positions()[row].begin(), state.positions()[row].end());
    kinds.push_back(static_cast<double>(state.kinds()[row]));
  }
  const std::vector<io::PieceField> fields{{"velocity", 3, state.velocities().first(3 * own)},
                                           {"pressure", 1, state.pressures().first(own)},
                                           {"kind", 1, kinds}};
  io::MeshPiece piece;
  piece.coordinates = places;
  piece.fields = fields;
  exporter_->write(fmt::format("{}", num_files_++), moment.time, piece);
  last_ = moment.steps;
}

void Output::write_for_restart(State& state, Moment moment) {
  moment.num_files = num_files_;
  moment.files = exporter_->series();
  write_restart(comm_, from_.output.folder / "particles.restart", from_, state, moment);
}

} // namespace isthmus::mps
