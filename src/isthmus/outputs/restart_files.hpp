// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/coupling/snapshot.hpp"
#include "isthmus/io/checkpoint.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::outputs {

/// How restart files are asked for, beside the configuration.
struct RestartSettings {
  int every = 0; ///< time windows between files; 0: only where the program asks for one
  std::filesystem::path directory = "isthmus-restart";
  bool continues = false;    ///< an earlier run
  std::optional<int> window; ///< from the end of this one; else the latest that all have
};

/// From ISTHMUS_RESTART_EVERY (windows), ISTHMUS_RESTART_DIRECTORY, and ISTHMUS_RESTART ("latest"
/// or a window). Error for other values.
[[nodiscard]] RestartSettings restart_settings_from_environment();

/// The files DIRECTORY/PARTICIPANT.WINDOW.restart. Each is complete or absent, and can be read by
/// any number of ranks: values stand beside the coordinates of their vertices.
class RestartFiles {
 public:
  /// Collective. The settings of the first rank count. `case_digest` says which case a file is of.
  /// `comm` must outlive the object.
  RestartFiles(const comm::Comm& comm, std::string participant, std::string case_digest);

  [[nodiscard]] const RestartSettings& settings() const { return settings_; }
  /// Collective. The ends of windows that a run can go on from, as far as settings().window allows;
  /// none for a new run. Error on all ranks if there is none, or if a file is foreign or damaged.
  [[nodiscard]] std::optional<std::vector<coupling::RestartPoint>> points() const;
  /// Collective. Fills in snapshot.shared everywhere, and the samples of its fields; returns what
  /// was saved of the outputs. Error on all ranks where values are damaged or vertices are new.
  [[nodiscard]] std::vector<std::byte> load(coupling::Snapshot& snapshot) const;
  /// Collective. Begins to write a file, while the caller goes on; finishes the one before.
  /// `outputs` of the first rank.
  void save(const coupling::Snapshot& snapshot, std::span<const std::byte> outputs);
  /// Collective. The file that was begun is there afterwards; removes all but this and the one
  /// before it. Error on all ranks if it could not be written.
  void finish();

 private:
  [[nodiscard]] std::filesystem::path path_of(int window) const;
  [[nodiscard]] std::vector<int> windows() const;
  [[nodiscard]] std::vector<coupling::RestartPoint> read_points() const;
  [[nodiscard]] coupling::RestartPoint read_point(int window) const;
  void remove_others(int window) const;

  const comm::Comm& comm_;
  std::string participant_;
  std::string case_digest_;
  RestartSettings settings_;
  std::optional<io::CheckpointWriter> writer_; // of the file that is under way
  int written_window_ = 0;
};

} // namespace isthmus::outputs
