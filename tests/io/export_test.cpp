// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/export/export_text.hpp"
#include "isthmus/io/export/export_xml.hpp"

#include "folder.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/io/export/base64.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <array>
#include <cstring>
#include <limits>
#include <vector>

using namespace isthmus;

namespace {

/// A tetrahedron with a triangle of its surface and an edge, a scalar and a vector.
struct Tetrahedron {
  std::vector<double> coordinates{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1.0 / 3};
  std::vector<LocalIndex> edges{0, 3};
  std::vector<LocalIndex> triangles{0, 1, 2};
  std::vector<LocalIndex> tetrahedra{0, 1, 2, 3};
  std::vector<double> heat{1, 2.5, -3e-300, 0.1};
  std::vector<double> force{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::array<io::PieceField, 2> fields{{{"Heat & \"light\"", 1, heat}, {"Force", 3, force}}};

  [[nodiscard]] io::MeshPiece piece() const {
    return {3, coordinates, edges, triangles, tetrahedra, fields, 7};
  }
};

/// The values of the array that stands behind `opening` in a VTK XML file.
template <typename T>
std::vector<T> values_of(const std::string& text, const std::string& opening) {
  const auto name = text.find(opening);
  REQUIRE(name != std::string::npos);
  const auto begin = text.find('>', name) + 1;
  const std::string letters = text.substr(begin, text.find('<', begin) - begin);
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int width = 0;
  for (const char letter : letters) {
    if (letter == '=') {
      break;
    }
    bits = bits << 6 | static_cast<std::uint32_t>(alphabet.find(letter));
    if ((width += 6) >= 8) {
      bytes += static_cast<char>(bits >> (width -= 8) & 255);
    }
  }
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  REQUIRE(bytes.size() == size + sizeof size);
  std::vector<T> values(size / sizeof(T));
  if (!values.empty()) {
    std::memcpy(values.data(), bytes.data() + sizeof size, size);
  }
  return values;
}

std::string lines(std::initializer_list<const char*> all) {
  std::string text;
  for (const char* line : all) {
    text += std::string(line) + "\n";
  }
  return text;
}

} // namespace

TEST_CASE("base64 follows RFC 4648") {
  const auto of = [](std::string_view text) { return io::base64(std::as_bytes(std::span(text))); };
  CHECK(of("") == "");
  CHECK(of("f") == "Zg==");
  CHECK(of("fo") == "Zm8=");
  CHECK(of("foo") == "Zm9v");
  CHECK(of("foobar") == "Zm9vYmFy");
  CHECK(of("\xff\xff\xfe") == "///+");
}

TEST_CASE("a VTU file holds every bit of a mesh") {
  const comm::Comm comm(MPI_COMM_SELF);
  const Folder folder(comm);
  const Tetrahedron mesh;
  io::write_vtu(folder / "t.vtu", mesh.piece());
  const std::string text = content(folder / "t.vtu");
  CHECK(text.find("<Piece NumberOfPoints=\"4\" NumberOfCells=\"3\">") != std::string::npos);
  CHECK(values_of<double>(text, "Name=\"Position\"") == mesh.coordinates);
  CHECK(values_of<double>(text, "Name=\"Heat &amp; &quot;light&quot;\"") == mesh.heat);
  CHECK(values_of<double>(text, "Name=\"Force\"") == mesh.force);
  CHECK(values_of<int>(text, "Name=\"connectivity\"") == std::vector{0, 1, 2, 3, 0, 1, 2, 0, 3});
  CHECK(values_of<int>(text, "Name=\"offsets\"") == std::vector{4, 7, 9});
  CHECK(values_of<std::uint8_t>(text, "Name=\"types\"") == std::vector<std::uint8_t>{10, 5, 3});
  CHECK(values_of<unsigned>(text, "Name=\"Rank\"") == std::vector<unsigned>(4, 7));
}

TEST_CASE("a VTP file holds lines and polygons") {
  const comm::Comm comm(MPI_COMM_SELF);
  const Folder folder(comm);
  io::write_vtp(folder / "t.vtp", Tetrahedron().piece());
  const std::string text = content(folder / "t.vtp");
  CHECK(text.find("NumberOfLines=\"1\"") != std::string::npos);
  CHECK(text.find("NumberOfPolys=\"1\"") != std::string::npos);
  const std::string lines_part = text.substr(text.find("<Lines>"));
  CHECK(values_of<int>(lines_part, "Name=\"connectivity\"") == std::vector{0, 3});
  const std::string polys = text.substr(text.find("<Polys>"));
  CHECK(values_of<int>(polys, "Name=\"connectivity\"") == std::vector{0, 1, 2});
  CHECK(values_of<int>(polys, "Name=\"offsets\"") == std::vector{3});
}

TEST_CASE("text files name, order and round nothing away") {
  const comm::Comm comm(MPI_COMM_SELF);
  const Folder folder(comm);
  const std::vector<double> coordinates{0, 0.5, 1, 0.1};
  const std::vector<double> heat{11.6, 1.0 / 3};
  const std::vector<double> force{1, 0.5, -2, std::numeric_limits<double>::quiet_NaN()};
  const std::vector<LocalIndex> edges{1, 0};
  const std::array<io::PieceField, 2> fields{{{"Heat", 1, heat}, {"Force", 2, force}}};
  const io::MeshPiece piece{2, coordinates, edges, {}, {}, fields, 3};

  io::write_csv(folder / "p.csv", piece);
  CHECK(content(folder / "p.csv") ==
        lines({"PosX;PosY;Rank;Heat;ForceX;ForceY", "0;0.5;3;11.6;1;0.5",
               "1;0.1;3;0.3333333333333333;-2;nan"}));

  io::write_vtk(folder / "p.vtk", piece);
  CHECK(content(folder / "p.vtk") == lines({"# vtk DataFile Version 2.0",
                                            "p",
                                            "ASCII",
                                            "DATASET UNSTRUCTURED_GRID",
                                            "POINTS 2 double",
                                            "0 0.5 0",
                                            "1 0.1 0",
                                            "CELLS 1 3",
                                            "2 1 0",
                                            "CELL_TYPES 1",
                                            "3",
                                            "POINT_DATA 2",
                                            "SCALARS Rank unsigned_int",
                                            "LOOKUP_TABLE default",
                                            "3",
                                            "3",
                                            "SCALARS Heat double",
                                            "LOOKUP_TABLE default",
                                            "11.6",
                                            "0.3333333333333333",
                                            "VECTORS Force double",
                                            "1 0.5 0",
                                            "-2 nan 0"}));
}

TEST_CASE("the vectors of a plane mesh have a third component in XML") {
  const comm::Comm comm(MPI_COMM_SELF);
  const Folder folder(comm);
  const std::vector<double> coordinates{1, 2, 3, 4};
  const std::array<io::PieceField, 1> fields{{{"Force", 2, coordinates}}};
  io::write_vtu(folder / "p.vtu", {2, coordinates, {}, {}, {}, fields, 0});
  const std::string text = content(folder / "p.vtu");
  const std::vector<double> padded{1, 2, 0, 3, 4, 0};
  CHECK(values_of<double>(text, "Name=\"Position\"") == padded);
  CHECK(values_of<double>(text, "Name=\"Force\"") == padded);
  CHECK(values_of<int>(text, "Name=\"connectivity\"").empty());
}

TEST_CASE("what does not fit together is refused") {
  Tetrahedron mesh;
  const auto refused = [&mesh] {
    CHECK_THROWS_AS(io::check_piece(mesh.piece()), Error);
    mesh = Tetrahedron();
  };
  io::check_piece(mesh.piece());
  mesh.coordinates.pop_back();
  refused();
  mesh.triangles[1] = 4;
  refused();
  mesh.edges[0] = -1;
  refused();
  mesh.tetrahedra.pop_back();
  refused();
  io::MeshPiece piece = mesh.piece();
  const io::PieceField longer{"Long", 1, mesh.force};
  piece.fields = std::span(&longer, 1);
  CHECK_THROWS_AS(io::check_piece(piece), Error);
  piece.dimensions = 4;
  CHECK_THROWS_AS(io::check_piece(piece), Error);
}
