// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/export/export_text.hpp"

#include "isthmus/io/atomic_file.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <utility>

namespace isthmus::io {

namespace {

constexpr std::string_view axes = "XYZ";

/// A text that goes to the file whenever it has become long.
class Text {
 public:
  explicit Text(const std::filesystem::path& path) : file_(path) {}

  template <typename... Args>
  Text& add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
    if (buffer_.size() > limit) {
      flush();
    }
    return *this;
  }
  void commit() {
    flush();
    file_.commit();
  }

 private:
  static constexpr std::size_t limit = std::size_t{1} << 20;

  void flush() {
    file_.write(std::string_view(buffer_.data(), buffer_.size()));
    buffer_.clear();
  }

  AtomicFile file_;
  fmt::memory_buffer buffer_;
};

std::span<const double> at(std::span<const double> values, int components, std::size_t vertex) {
  const auto width = static_cast<std::size_t>(components);
  return values.subspan(vertex * width, width);
}

void add_csv_header(Text& text, const MeshPiece& piece) {
  for (const char axis : axes.substr(0, static_cast<std::size_t>(piece.dimensions))) {
    text.add("Pos{};", axis);
  }
  text.add("Rank");
  for (const PieceField& field : piece.fields) {
    if (field.components == 1) {
      text.add(";{}", field.name);
      continue;
    }
    for (const char axis : axes.substr(0, static_cast<std::size_t>(field.components))) {
      text.add(";{}{}", field.name, axis);
    }
  }
  text.add("\n");
}

/// Lines of three numbers.
void add_vectors(Text& text, int components, std::span<const double> values) {
  const auto width = static_cast<std::size_t>(components);
  for (std::size_t i = 0; i < values.size(); i += width) {
    text.add("{} {} {}\n", values[i], values[i + 1], width == 3 ? values[i + 2] : 0.0);
  }
}

void add_cells(Text& text, const MeshPiece& piece) {
  const auto all = cells_of(piece);
  std::size_t count = 0;
  std::size_t numbers = 0;
  for (const PieceCells& cells : all) {
    count += cells.count();
    numbers += cells.vertices.size();
  }
  text.add("CELLS {} {}\n", count, count + numbers);
  for (const PieceCells& cells : all) {
    for (std::size_t i = 0; i < cells.count(); ++i) {
      text.add("{} {}\n", cells.corners, fmt::join(cells.cell(i), " "));
    }
  }
  text.add("CELL_TYPES {}\n", count);
  for (const PieceCells& cells : all) {
    for (std::size_t i = 0; i < cells.count(); ++i) {
      text.add("{}\n", cells.kind);
    }
  }
}

} // namespace

void write_csv(const std::filesystem::path& path, const MeshPiece& piece) {
  check_piece(piece);
  Text text(path);
  add_csv_header(text, piece);
  for (std::size_t v = 0; v < piece.num_vertices(); ++v) {
    text.add("{};{}", fmt::join(at(piece.coordinates, piece.dimensions, v), ";"), piece.rank);
    for (const PieceField& field : piece.fields) {
      text.add(";{}", fmt::join(at(field.values, field.components, v), ";"));
    }
    text.add("\n");
  }
  text.commit();
}

void write_vtk(const std::filesystem::path& path, const MeshPiece& piece) {
  check_piece(piece);
  Text text(path);
  text.add("# vtk DataFile Version 2.0\n{}\nASCII\nDATASET UNSTRUCTURED_GRID\n",
           path.stem().string());
  text.add("POINTS {} double\n", piece.num_vertices());
  add_vectors(text, piece.dimensions, piece.coordinates);
  add_cells(text, piece);
  text.add("POINT_DATA {}\nSCALARS Rank unsigned_int\nLOOKUP_TABLE default\n",
           piece.num_vertices());
  for (std::size_t v = 0; v < piece.num_vertices(); ++v) {
    text.add("{}\n", piece.rank);
  }
  for (const PieceField& field : piece.fields) {
    if (field.components == 1) {
      text.add("SCALARS {} double\nLOOKUP_TABLE default\n", field.name);
      text.add("{}\n", fmt::join(field.values, "\n"));
    } else {
      text.add("VECTORS {} double\n", field.name);
      add_vectors(text, field.components, field.values);
    }
  }
  text.commit();
}

} // namespace isthmus::io
