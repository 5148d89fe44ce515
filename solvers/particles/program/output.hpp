// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/io/export/exporter.hpp"
#include "particles/program/case.hpp"
#include "particles/program/restart.hpp"

#include <optional>

namespace isthmus::mps {

/// The files of a run: a series for ParaView, and one from which another run goes on. Nothing where
/// the case names no folder.
class Output {
 public:
  /// Collective. `comm` and `from` must outlive it.
  Output(const comm::Comm& comm, const Case& from);

  /// The run goes on from here: the series of the folder, as far as its files are there, is
  /// continued.
  void resume(const Moment& moment);
  /// Collective. Writes what is due at this moment, of which steps, time and losses count.
  void write(State& state, const Moment& moment);
  /// Collective. Writes the end, unless it was written, and the file for the next run.
  void finish(State& state, const Moment& moment);

 private:
  void write_picture(State& state, const Moment& moment);
  void write_for_restart(State& state, Moment moment);

  const comm::Comm& comm_;
  const Case& from_;
  std::optional<io::Exporter> exporter_;
  double next_picture_ = 0, next_restart_ = 0; // times
  std::int64_t num_files_ = 0;
  std::int64_t last_ = -1; // the step of the last picture
};

} // namespace isthmus::mps
