// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/export/export_xml.hpp"

#include "isthmus/io/atomic_file.hpp"
#include "isthmus/io/export/base64.hpp"

#include <fmt/core.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace isthmus::io {

namespace {

enum class Layout { grid, polygons };

std::string_view type_name(Layout layout) {
  return layout == Layout::grid ? "UnstructuredGrid" : "PolyData";
}

template <typename T>
constexpr std::string_view value_type = "Float64";
template <>
constexpr std::string_view value_type<std::int32_t> = "Int32";
template <>
constexpr std::string_view value_type<std::uint32_t> = "UInt32";
template <>
constexpr std::string_view value_type<std::uint8_t> = "UInt8";

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    switch (letter) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += letter;
    }
  }
  return result + '"';
}

/// The first line and the root element.
std::string head(std::string_view parallel, Layout layout) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"{0}{1}\" version=\"1.0\" byte_order=\"{2}\" header_type=\"UInt64\">\n"
      "<{0}{1}{3}>\n",
      parallel, type_name(layout),
      std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian",
      parallel.empty() ? "" : " GhostLevel=\"0\"");
}

std::string foot(std::string_view parallel, Layout layout) {
  return fmt::format("</{}{}>\n</VTKFile>\n", parallel, type_name(layout));
}

template <typename T>
std::string array(std::string_view name, int components, std::span<const T> values) {
  const auto body = std::as_bytes(values);
  const std::uint64_t size = body.size();
  std::vector<std::byte> bytes(sizeof size + body.size());
  std::memcpy(bytes.data(), &size, sizeof size);
  if (!body.empty()) {
    std::memcpy(bytes.data() + sizeof size, body.data(), body.size());
  }
  return fmt::format(
      "<DataArray type=\"{}\" Name={} NumberOfComponents=\"{}\" format=\"binary\">{}</DataArray>\n",
      value_type<T>, in_quotes(name), components, base64(bytes));
}

template <typename T>
std::string array(std::string_view name, int components, const std::vector<T>& values) {
  return array(name, components, std::span<const T>(values));
}

/// Vectors have three components there.
std::string vectors(std::string_view name, int components, std::span<const double> values) {
  if (components == 3) {
    return array(name, 3, values);
  }
  std::vector<double> padded(values.size() / 2 * 3);
  for (std::size_t i = 0; 2 * i < values.size(); ++i) {
    padded[3 * i] = values[2 * i];
    padded[3 * i + 1] = values[2 * i + 1];
  }
  return array(name, 3, padded);
}

std::string connectivity(std::span<const PieceCells> all) {
  std::vector<std::int32_t> vertices;
  std::vector<std::int32_t> offsets;
  for (const PieceCells& cells : all) {
    for (std::size_t i = 0; i < cells.count(); ++i) {
      const auto cell = cells.cell(i);
      vertices.insert(vertices.end(), cell.begin(), cell.end());
      offsets.push_back(static_cast<std::int32_t>(vertices.size()));
    }
  }
  return array("connectivity", 1, vertices) + array("offsets", 1, offsets);
}

std::string grid_cells(const MeshPiece& piece) {
  const auto all = cells_of(piece);
  std::vector<std::uint8_t> kinds;
  for (const PieceCells& cells : all) {
    kinds.insert(kinds.end(), cells.count(), static_cast<std::uint8_t>(cells.kind));
  }
  return "<Cells>\n" + connectivity(all) + array("types", 1, kinds) + "</Cells>\n";
}

std::string polygon_cells(const MeshPiece& piece) {
  const auto all = cells_of(piece);
  return "<Lines>\n" + connectivity(std::span(&all[2], 1)) + "</Lines>\n<Polys>\n" +
         connectivity(std::span(&all[1], 1)) + "</Polys>\n";
}

std::string piece_counts(const MeshPiece& piece, Layout layout) {
  const auto [tetrahedra, triangles, edges] = cells_of(piece);
  if (layout == Layout::grid) {
    return fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", piece.num_vertices(),
                       tetrahedra.count() + triangles.count() + edges.count());
  }
  return fmt::format(
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{}\" "
      "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
      piece.num_vertices(), edges.count(), triangles.count());
}

void write_piece(const std::filesystem::path& path, const MeshPiece& piece, Layout layout) {
  check_piece(piece);
  AtomicFile file(path);
  file.write(head("", layout) + piece_counts(piece, layout));
  file.write("<Points>\n" + vectors("Position", piece.dimensions, piece.coordinates) +
             "</Points>\n");
  file.write(layout == Layout::grid ? grid_cells(piece) : polygon_cells(piece));
  const std::vector<std::uint32_t> rank(piece.num_vertices(),
                                        static_cast<std::uint32_t>(piece.rank));
  file.write("<PointData>\n" + array("Rank", 1, rank));
  for (const PieceField& field : piece.fields) {
    file.write(field.components == 1 ? array(field.name, 1, field.values)
                                     : vectors(field.name, field.components, field.values));
  }
  file.write("</PointData>\n</Piece>\n" + foot("", layout));
  file.commit();
}

std::string declared(std::string_view type, std::string_view name, int components) {
  return fmt::format("<PDataArray type=\"{}\" Name={} NumberOfComponents=\"{}\"/>\n", type,
                     in_quotes(name), components);
}

void write_joint(const std::filesystem::path& path, const MeshPiece& like,
                 std::span<const std::string> pieces, Layout layout) {
  std::string text = head("P", layout) + "<PPoints>\n" + declared("Float64", "Position", 3) +
                     "</PPoints>\n<PPointData>\n" + declared("UInt32", "Rank", 1);
  for (const PieceField& field : like.fields) {
    text += declared("Float64", field.name, field.components == 1 ? 1 : 3);
  }
  text += "</PPointData>\n";
  for (const std::string& piece : pieces) {
    text += fmt::format("<Piece Source={}/>\n", in_quotes(piece));
  }
  write_file(path, text + foot("P", layout));
}

} // namespace

void write_vtu(const std::filesystem::path& path, const MeshPiece& piece) {
  write_piece(path, piece, Layout::grid);
}

void write_vtp(const std::filesystem::path& path, const MeshPiece& piece) {
  write_piece(path, piece, Layout::polygons);
}

void write_pvtu(const std::filesystem::path& path, const MeshPiece& like,
                std::span<const std::string> pieces) {
  write_joint(path, like, pieces, Layout::grid);
}

void write_pvtp(const std::filesystem::path& path, const MeshPiece& like,
                std::span<const std::string> pieces) {
  write_joint(path, like, pieces, Layout::polygons);
}

} // namespace isthmus::io
