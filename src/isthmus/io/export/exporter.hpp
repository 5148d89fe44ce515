// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/io/export/mesh_piece.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace isthmus::io {

enum class ExportFormat { vtk, vtu, vtp, csv };

/// Writes one mesh again and again, under the names that preCICE gives its exports: NAME.INDEX.vtu
/// of a serial participant; NAME.INDEX_RANK.vtu and NAME.INDEX.pvtu, or NAME.RANK_INDEX.csv, of a
/// parallel one. Ranks without vertices write nothing.
class Exporter {
 public:
  struct Settings {
    ExportFormat format = ExportFormat::vtu;
    std::filesystem::path folder = "."; // made if missing
    std::string name;                   // "<mesh>-<participant>"
    bool updates_series = false;        // after each file, not only in finish()
  };

  /// Collective. `comm` must outlive the exporter. Throws Error on all ranks if one of them cannot
  /// make the folder, and for legacy VTK of several ranks.
  Exporter(const comm::Comm& comm, Settings settings);

  /// Collective. `index` is "init", "dt5", "it7", …; `time` goes to the series file. The same
  /// index again replaces what was written last. Throws Error
  /// on all ranks if one of them cannot write; the files that exist are complete. piece.rank does
  /// not matter.
  void write(const std::string& index, double time, const MeshPiece& piece);

  /// A file and its time.
  struct Entry {
    std::string file;
    double time;
  };
  /// The file that lists them.
  [[nodiscard]] std::filesystem::path series_file() const;
  /// The files written so far, on rank 0.
  [[nodiscard]] const std::vector<Entry>& series() const { return series_; }
  /// Those of an earlier run that is continued, on rank 0; before the first write().
  void resume(std::vector<Entry> series) { series_ = std::move(series); }

  /// Collective. Writes NAME.EXTENSION.series, which names all files with their times, except for
  /// CSV. Nothing if nothing was written since.
  void finish();

 private:
  [[nodiscard]] std::string piece_file(const std::string& index, int rank) const;
  [[nodiscard]] std::string joint_file(const std::string& index) const;
  void write_piece(const std::string& index, MeshPiece piece) const;
  /// On rank 0 of several, for the ranks that wrote a piece.
  void write_joint(const std::string& index, const MeshPiece& piece,
                   std::span<const int> ranks) const;
  void write_series();

  const comm::Comm& comm_;
  Settings settings_;
  std::vector<Entry> series_; // rank 0
  bool series_is_old_ = false;
};

} // namespace isthmus::io
