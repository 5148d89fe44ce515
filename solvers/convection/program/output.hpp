// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convection/program/case.hpp"
#include "convection/program/restart.hpp"
#include "isthmus/io/export/exporter.hpp"

#include <optional>

namespace isthmus::convection {

/// What a run leaves in its folder: a series of files for ParaView, and with each of them the state
/// from which a run goes on. Nothing where the case names no folder.
class Output {
 public:
  /// Collective. All must outlive this.
  Output(const comm::Comm& comm, const Mesh& mesh, const OutputCase& from);

  /// Collective. Reads the state from which the run goes on, and goes on with its series of files,
  /// if that is in the same folder.
  [[nodiscard]] State resume(const std::filesystem::path& path);
  /// Collective. Writes where the time has come.
  void write(const State& state);
  /// Collective. The end is always written.
  void finish(const State& state);

 private:
  void write_now(const State& state);
  void write_fields(const State& state);
  [[nodiscard]] double next_after(double time) const;

  const comm::Comm& comm_;
  const Mesh& mesh_;
  const OutputCase& from_;
  Restart restart_;
  std::optional<io::Exporter> exporter_;
  double next_ = 0;           // time
  std::int64_t written_ = -1; // the last step that was
};

} // namespace isthmus::convection
