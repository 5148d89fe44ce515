// SPDX-License-Identifier: BSD-3-Clause
// Elements of provided meshes: which are kept, refused, dropped or count once.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

using namespace couple;

namespace {

using isthmus::Participant;

/// A writes T on its mesh and watches it; B reads it through a mapping of this kind.
std::string xml(int dimensions, const std::string& kind, const std::string& watched = "0; 0") {
  Scenario scenario{{{.first = "A", .second = "B", .max_windows = 1}},
                    {{.from = "A",
                      .to = "B",
                      .data = "T",
                      .mapping = {.kind = kind},
                      .meshes = {.dimensions = dimensions}}}};
  scenario.inside["A"] =
      fmt::format(R"(<watch-point name="P" mesh="A-Mesh" coordinate="{}"/>)"
                  R"(<watch-integral name="S" mesh="A-Mesh" scale-with-connectivity="true"/>)",
                  watched);
  return scenario.xml();
}

/// What a rank of A defines; it writes T = value(x) there.
struct Definition {
  std::function<std::vector<double>(Participant&, int rank, int size)>
      define; // returns x by vertex
  std::function<double(double x)> value;
};

/// B has one vertex, on its last rank, and tells what it reads there.
Table run_elements(const std::string& text, const Definition& a, const std::vector<double>& b,
                   const Deal& deal) {
  const auto provider = [&a](const Seat& seat) {
    Participant participant = seat.make();
    const std::vector<double> x = a.define(participant, seat.launch.rank, seat.launch.size);
    std::vector<int> ids;
    std::vector<double> values;
    for (const double at : x) {
      ids.push_back(static_cast<int>(ids.size()));
      values.push_back(a.value(at));
    }
    participant.initialize();
    participant.write_data("A-Mesh", "T", ids, values);
    participant.advance(1);
    participant.finalize();
  };
  const auto reader = [&b](const Seat& seat) {
    Participant participant = seat.make();
    std::vector<int> ids;
    if (seat.launch.rank == seat.launch.size - 1) {
      ids.resize(1);
      participant.set_mesh_vertices("B-Mesh", b, ids);
    }
    participant.initialize();
    participant.advance(1);
    std::vector<double> values(ids.size());
    participant.read_data("B-Mesh", "T", ids, 0, values);
    for (const double value : values) {
      seat.put("B", 0, {value});
    }
    participant.finalize();
  };
  return run(text, {{"A", provider}, {"B", reader}}, deal);
}

std::string header_of(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// The numbers of the last line.
std::vector<double> last_row_of(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::string last;
  while (std::getline(stream, line)) {
    last = line.empty() ? last : line;
  }
  std::istringstream numbers(last);
  return {std::istream_iterator<double>(numbers), std::istream_iterator<double>()};
}

const std::string integral = "precice-A-watchintegral-S.log";
const std::string point = "precice-A-watchpoint-P.log";

void check_row(const std::vector<double>& row, const std::vector<double>& expected) {
  REQUIRE(row.size() == expected.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    CHECK(row[i] == doctest::Approx(expected[i]).epsilon(1e-7));
  }
}

} // namespace

TEST_CASE("edges given twice, and between calls for vertices, count once") {
  constexpr int num_cells = 4; // of the line from 0 to 1
  const Definition line{
      [](Participant& a, int rank, int size) {
        std::vector<double> x;
        for (int cell = rank; cell < num_cells; cell += size) {
          const double from = cell / double{num_cells};
          const int first = a.set_mesh_vertex("A-Mesh", std::vector<double>{from, 0});
          const int second = a.set_mesh_vertex("A-Mesh", std::vector<double>{from + 0.25, 0});
          a.set_mesh_edges("A-Mesh", std::vector<int>{first, second, second, first});
          a.set_mesh_edges("A-Mesh", std::vector<int>{first, second});
          x.insert(x.end(), {from, from + 0.25});
        }
        return x;
      },
      [](double x) { return 3 * x; }};
  for (const Deal& deal : deals(2)) {
    const WorkingDirectory here;
    const Table table =
        run_elements(xml(2, "nearest-projection", "0.4; 0.2"), line, {0.55, 0.3}, deal);
    CHECK(table.at("B").find(0)->second[0] == doctest::Approx(1.65));
    if (here.is_root()) {
      CHECK(header_of(integral) == "  Time  T  SurfaceArea");
      check_row(last_row_of(integral), {1, 1.5, 1});
      check_row(last_row_of(point), {1, 0.4, 0, 1.2});
    }
  }
}

TEST_CASE("a quad and the triangles that it is split into are one area") {
  constexpr int num_quads = 4; // parallelograms beside each other, from x = 0 to 4; as high as 1
  const Definition strip{
      [](Participant& a, int rank, int size) {
        std::vector<double> x;
        for (int quad = rank; quad < num_quads; quad += size) {
          const double at = quad;
          std::vector<int> ids(4);
          a.set_mesh_vertices(
              "A-Mesh", std::vector<double>{at, 0, 0, at + 1, 0, 0, at + 1.3, 1, 0, at + 0.3, 1, 0},
              ids);
          a.set_mesh_quads("A-Mesh", std::vector<int>{ids[0], ids[1], ids[2], ids[3]});
          // its shorter diagonal goes from the second corner to the last one
          a.set_mesh_triangles("A-Mesh",
                               std::vector<int>{ids[3], ids[1], ids[0], ids[2], ids[3], ids[1]});
          x.insert(x.end(), {at, at + 1, at + 1.3, at + 0.3});
        }
        return x;
      },
      [](double x) { return x; }};
  for (const Deal& deal : deals(2)) {
    const WorkingDirectory here;
    const Table table =
        run_elements(xml(3, "nearest-projection", "1.5; 0.5; 0"), strip, {1.25, 0.5, 0.2}, deal);
    CHECK(table.at("B").find(0)->second[0] == doctest::Approx(1.25));
    if (here.is_root()) {
      check_row(last_row_of(integral), {1, 4 * 2.15, 4}); // the centre is at x = 2.15
      check_row(last_row_of(point), {1, 1.5, 0.5, 0, 1.5});
    }
  }
}

TEST_CASE("elements that no mapping needs are dropped: nearest vertices, plain sums, no area") {
  // numbers recorded from preCICE 3.4.1: five vertices, T = x² + 1
  const Definition line{
      [](Participant& a, int rank, int size) {
        CHECK(!a.requires_mesh_connectivity_for("A-Mesh"));
        std::vector<double> x;
        for (int v = rank; v < 5; v += size) {
          static_cast<void>(a.set_mesh_vertex("A-Mesh", std::vector<double>{0.3 * v, 0}));
          x.push_back(0.3 * v);
        }
        a.set_mesh_edges("A-Mesh", std::vector<int>{0, 1, 0, 99, -1, 0, 0, 0, 7}); // nobody looks
        a.set_mesh_triangles("A-Mesh", std::vector<int>{0, 0, 99});
        a.set_mesh_quads("A-Mesh", std::vector<int>{0, 1, -2, 3});
        return x;
      },
      [](double x) { return x * x + 1; }};
  for (const Deal& deal : deals(2)) {
    for (const auto& [watched, row] :
         {std::pair("0.4; 0.2", std::vector<double>{1, 0.3, 0, 1.09}),
          std::pair("1.7; 0.0", std::vector<double>{1, 1.2, 0, 2.44})}) {
      const WorkingDirectory here;
      static_cast<void>(run_elements(xml(2, "nearest-neighbor", watched), line, {0.4, 0}, deal));
      if (here.is_root()) {
        CHECK(header_of(integral) == "  Time  T");
        check_row(last_row_of(integral), {1, 7.7});
        check_row(last_row_of(point), row);
      }
    }
  }
}

TEST_CASE("so are tetrahedra, triangles and quads in three dimensions") {
  const Definition solid{
      [](Participant& a, int rank, int size) {
        std::vector<double> x;
        for (int cell = rank; cell < 4; cell += size) {
          const double at = cell;
          std::vector<int> ids(4);
          a.set_mesh_vertices(
              "A-Mesh", std::vector<double>{at, 0, 0, at + 0.9, 0, 0, at, 0.9, 0, at, 0, 0.9}, ids);
          a.set_mesh_tetrahedra("A-Mesh", ids);
          a.set_mesh_tetrahedra("A-Mesh", std::vector<int>{0, 0, -1, 99});
          a.set_mesh_triangles("A-Mesh", std::vector<int>{ids[0], ids[1], ids[2]});
          x.insert(x.end(), {at, at + 0.9, at, at});
        }
        return x;
      },
      [](double x) { return x; }};
  for (const Deal& deal : deals(2)) {
    const WorkingDirectory here;
    static_cast<void>(
        run_elements(xml(3, "nearest-neighbor", "1.3; 0.1; 0.1"), solid, {0, 0, 0}, deal));
    if (here.is_root()) {
      CHECK(header_of(integral) == "  Time  T");
      check_row(last_row_of(integral), {1, 4 * 6 + 4 * 0.9});
      check_row(last_row_of(point), {1, 1, 0, 0, 1});
    }
  }
}

TEST_CASE("an integral goes over edges in 2D and triangles in 3D, also inside of larger elements") {
  const auto square = [](Participant& a, int rank, int) {
    std::vector<int> ids(rank == 0 ? 4 : 0);
    const std::vector<double> places{0, 0, 1, 0, 1, 1, 0, 1};
    a.set_mesh_vertices("A-Mesh", rank == 0 ? places : std::vector<double>{}, ids);
    if (rank == 0) {
      a.set_mesh_triangles("A-Mesh", std::vector<int>{0, 1, 2, 0, 2, 3});
    }
    return rank == 0 ? std::vector<double>{0, 1, 1, 0} : std::vector<double>{};
  };
  const auto solid = [](Participant& a, int rank, int) {
    std::vector<int> ids(rank == 0 ? 5 : 0);
    const std::vector<double> places{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1};
    a.set_mesh_vertices("A-Mesh", rank == 0 ? places : std::vector<double>{}, ids);
    if (rank == 0) {
      a.set_mesh_tetrahedra("A-Mesh", std::vector<int>{0, 1, 2, 3, 0, 1, 2, 4});
    }
    return rank == 0 ? std::vector<double>{0, 1, 0, 0, 0} : std::vector<double>{};
  };
  const auto same = [](double x) { return x; };
  const std::string cells = "linear-cell-interpolation";
  const double diagonal = std::sqrt(2.0);
  const double slope = std::sqrt(3.0) / 2; // area of the face that faces away from the origin
  for (const Deal& deal : deals(2)) {
    const WorkingDirectory here;
    static_cast<void>(run_elements(xml(2, cells), {square, same}, {0.4, 0.3}, deal));
    if (here.is_root()) { // four sides and the diagonal; x is 1/2 on average on three of them
      check_row(last_row_of(integral), {1, 2 + diagonal / 2, 4 + diagonal});
    }
    static_cast<void>(run_elements(xml(3, cells, "0; 0; 0"), {solid, same}, {0.1, 0.2, 0.2}, deal));
    if (here.is_root()) { // five triangles of area 1/2, of which two lie at x = 0, and two slopes
      check_row(last_row_of(integral), {1, (3 * 0.5 + 2 * slope) / 3, 5 * 0.5 + 2 * slope});
    }
  }
}

TEST_CASE("one element on one of more ranks than there are vertices is found") {
  const Definition alone{
      [](Participant& a, int rank, int size) {
        std::vector<int> ids(rank == size / 2 ? 2 : 0);
        a.set_mesh_vertices(
            "A-Mesh", ids.empty() ? std::vector<double>{} : std::vector<double>{0, 0, 1, 0}, ids);
        a.set_mesh_edges("A-Mesh", ids);
        return ids.empty() ? std::vector<double>{} : std::vector<double>{0, 1};
      },
      [](double x) { return 10 + x; }};
  for (const Deal& deal : deals(2)) {
    const WorkingDirectory here;
    const Table table =
        run_elements(xml(2, "nearest-projection", "0.7; 1"), alone, {0.25, 9}, deal);
    CHECK(table.at("B").find(0)->second[0] == doctest::Approx(10.25));
    if (here.is_root()) {
      check_row(last_row_of(integral), {1, 10.5, 1});
      check_row(last_row_of(point), {1, 0.7, 0, 10.7});
    }
  }
}

namespace {

struct WrongElements {
  std::string words;
  std::function<void(Participant&)> call;
};

std::vector<WrongElements> wrong_elements() {
  return {
      {"vertex id 99",
       [](auto& a) {
         a.set_mesh_edges("A-Mesh", std::vector<int>{0, 99});
       }},
      {"vertex id -1",
       [](auto& a) {
         a.set_mesh_edges("A-Mesh", std::vector<int>{-1, 0});
       }},
      {"vertex id 4",
       [](auto& a) {
         a.set_mesh_triangles("A-Mesh", std::vector<int>{0, 1, 4});
       }},
      {"names vertex id 1 twice",
       [](auto& a) {
         a.set_mesh_edges("A-Mesh", std::vector<int>{1, 1});
       }},
      {"names vertex id 2 twice",
       [](auto& a) {
         a.set_mesh_triangles("A-Mesh", std::vector<int>{2, 1, 2});
       }},
      {"names vertex id 3 twice",
       [](auto& a) {
         a.set_mesh_tetrahedra("A-Mesh", std::vector<int>{0, 3, 3, 1});
       }},
      {"names vertex id 0 twice",
       [](auto& a) {
         a.set_mesh_quads("A-Mesh", std::vector<int>{0, 1, 2, 0});
       }},
      {"3 vertex ids do not make whole edges",
       [](auto& a) {
         a.set_mesh_edges("A-Mesh", std::vector<int>{0, 1, 2});
       }},
      {"not convex",
       [](auto& a) {
         a.set_mesh_quads("A-Mesh", std::vector<int>{0, 1, 3, 2});
       }},
      {"is nan",
       [](auto& a) {
         static_cast<void>(a.set_mesh_vertex("A-Mesh", {{0, 0, std::nan("")}}));
       }},
  };
}

} // namespace

TEST_CASE("wrong vertices of elements are refused where elements are needed" * on_ranks(1, 1)) {
  for (const WrongElements& call : wrong_elements()) {
    CAPTURE(call.words);
    std::string said;
    const Definition corner{
        [&](Participant& a, int, int) {
          std::vector<int> ids(4);
          a.set_mesh_vertices("A-Mesh", std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, 0},
                              ids);
          try {
            call.call(a);
          } catch (const std::exception& error) {
            said = error.what();
          }
          a.set_mesh_triangles("A-Mesh", std::vector<int>{0, 1, 2}); // nothing is left of the other
          return std::vector<double>{0, 1, 0, 0.2};
        },
        [](double x) { return x; }};
    const WorkingDirectory here;
    const Table table =
        run_elements(xml(3, "nearest-projection", "0; 0; 0"), corner, {0.4, 0.4, 1}, in_threads);
    CAPTURE(said);
    CHECK(table.at("B").find(0)->second[0] == doctest::Approx(0.4));
    if (here.is_root()) { // who ran both participants
      CHECK(said.find(call.words) != std::string::npos);
      CHECK(last_row_of(integral).back() == doctest::Approx(0.5));
    }
  }
}
