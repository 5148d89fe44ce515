// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/export/exporter.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/io/atomic_file.hpp"
#include "isthmus/io/export/export_text.hpp"
#include "isthmus/io/export/export_xml.hpp"

#include <fmt/core.h>

#include <string_view>
#include <utility>

namespace isthmus::io {

namespace {

std::string_view extension(ExportFormat format) {
  switch (format) {
    case ExportFormat::vtk:
      return "vtk";
    case ExportFormat::vtu:
      return "vtu";
    case ExportFormat::vtp:
      return "vtp";
    case ExportFormat::csv:
      return "csv";
  }
  return "";
}

} // namespace

Exporter::Exporter(const comm::Comm& comm, Settings settings)
    : comm_(comm), settings_(std::move(settings)) {
  check(settings_.format != ExportFormat::vtk || comm.size() == 1,
        "\"{}\" is spread over {} ranks, a legacy VTK file is for one; use <export:vtu>",
        settings_.name, comm.size());
  check(settings_.name.find('/') == std::string::npos,
        "\"{}\" cannot be the name of a file; remove the slash", settings_.name);
  comm::agree(comm, [this] { make_folder(settings_.folder); });
}

std::string Exporter::piece_file(const std::string& index, int rank) const {
  const std::string_view end = extension(settings_.format);
  if (comm_.size() == 1) {
    return fmt::format("{}.{}.{}", settings_.name, index, end);
  }
  if (settings_.format == ExportFormat::csv) {
    return fmt::format("{}.{}_{}.{}", settings_.name, rank, index, end);
  }
  return fmt::format("{}.{}_{}.{}", settings_.name, index, rank, end);
}

std::string Exporter::joint_file(const std::string& index) const {
  return fmt::format("{}.{}.{}{}", settings_.name, index, comm_.size() == 1 ? "" : "p",
                     extension(settings_.format));
}

void Exporter::write_piece(const std::string& index, MeshPiece piece) const {
  piece.rank = comm_.rank();
  const std::filesystem::path path = settings_.folder / piece_file(index, comm_.rank());
  switch (settings_.format) {
    case ExportFormat::vtk:
      return write_vtk(path, piece);
    case ExportFormat::vtu:
      return write_vtu(path, piece);
    case ExportFormat::vtp:
      return write_vtp(path, piece);
    case ExportFormat::csv:
      return write_csv(path, piece);
  }
}

void Exporter::write_joint(const std::string& index, const MeshPiece& piece,
                           std::span<const int> ranks) const {
  std::vector<std::string> pieces;
  for (const int rank : ranks) {
    pieces.push_back(piece_file(index, rank));
  }
  const std::filesystem::path path = settings_.folder / joint_file(index);
  if (settings_.format == ExportFormat::vtu) {
    write_pvtu(path, piece, pieces);
  } else if (settings_.format == ExportFormat::vtp) {
    write_pvtp(path, piece, pieces);
  }
}

void Exporter::write(const std::string& index, double time, const MeshPiece& piece) {
  const bool has_piece = piece.num_vertices() > 0;
  comm::agree(comm_, [&] {
    if (has_piece) {
      write_piece(index, piece);
    }
  });
  const int rank = comm_.rank();
  const auto ranks =
      comm::gather(comm_, std::span(&rank, has_piece ? 1 : 0)).values; // with a piece
  comm::agree(comm_, [&] {
    if (ranks.empty()) {
      return;
    }
    if (comm_.size() > 1) {
      write_joint(index, piece, ranks);
    }
    const std::string file = joint_file(index);
    if (series_.empty() || series_.back().file != file) {
      series_.push_back({file, time});
    }
    series_.back().time = time;
    series_is_old_ = true;
    if (settings_.updates_series) {
      write_series();
    }
  });
}

void Exporter::finish() {
  comm::agree(comm_, [this] {
    if (series_is_old_) {
      write_series();
    }
  });
}

std::filesystem::path Exporter::series_file() const {
  return settings_.folder / fmt::format("{}.{}{}.series", settings_.name,
                                        comm_.size() == 1 ? "" : "p", extension(settings_.format));
}

void Exporter::write_series() {
  if (settings_.format == ExportFormat::csv) {
    return;
  }
  std::string text = "{ \"file-series-version\" : \"1.0\", \"files\" : [";
  std::string_view separator = "";
  for (const Entry& entry : series_) {
    text +=
        fmt::format("{} {{ \"name\" : \"{}\", \"time\" : {} }}", separator, entry.file, entry.time);
    separator = ",";
  }
  write_file(series_file(), text + " ] }\n");
  series_is_old_ = false;
}

} // namespace isthmus::io
