// SPDX-License-Identifier: BSD-3-Clause
// Watch points, watch integrals and their tables, on any number of ranks.
#include "isthmus/outputs/watch_integral.hpp"
#include "isthmus/outputs/watch_point.hpp"
#include "isthmus/outputs/watch_table.hpp"
#include "message_of.hpp"
#include "participant/setup/working_directory.hpp"
#include "ranks.hpp"

#include "isthmus/comm/collective.hpp"
#include "text_files.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace isthmus;
using namespace isthmus::outputs;
using couple::WorkingDirectory;

namespace {

using Lines = std::vector<std::string>;
using Values = std::vector<double>;

Values numbers_of(const std::string& line) {
  std::istringstream numbers(line);
  return {std::istream_iterator<double>(numbers), std::istream_iterator<double>()};
}

void check_row(const std::string& line, const Values& expected) {
  const Values row = numbers_of(line);
  REQUIRE(row.size() == expected.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    CHECK(row[i] == doctest::Approx(expected[i]).epsilon(1e-8));
  }
}

/// Each rank has an edge of the x axis, from its number on, half as long as those are apart.
struct Edges {
  comm::Comm comm{MPI_COMM_WORLD};
  double begin = comm.rank();
  mesh::Mesh mesh{"Line", 2};
  fields::Field heat{"Line", "Heat", 1, 1};
  fields::Field flux{"Line", "Flux", 2, 1};
  LatestValues latest;

  explicit Edges(bool has_elements = true) {
    mesh.add_vertices(Values{begin, 0, begin + 0.5, 0});
    if (has_elements) {
      mesh.add_edges(std::vector<LocalIndex>{0, 1});
    }
    for (fields::Field* field : {&heat, &flux}) {
      field->resize(2);
      latest.observe(*field, false);
    }
  }
  /// Linear in space and in time.
  void sample(double time) {
    heat.wave().append(time, {10 * begin + time, 10 * (begin + 0.5) + time});
    flux.wave().append(time, {begin, time, begin + 0.5, time});
  }
  [[nodiscard]] std::vector<const fields::Field*> fields() const { return {&heat, &flux}; }
};

config::WatchPoint point_at(double x, double y) {
  config::WatchPoint settings;
  settings.name = "P";
  settings.coordinate = {x, y};
  return settings;
}

config::WatchIntegral integral(bool scales) {
  config::WatchIntegral settings;
  settings.name = "I";
  settings.scale_with_connectivity = scales;
  return settings;
}

const std::string point_file = "precice-A-watchpoint-P.log";
const std::string integral_file = "precice-A-watchintegral-I.log";

} // namespace

TEST_CASE("a table has a line of names and one per moment, whose bytes are counted" *
          on_ranks(1, 1)) {
  const WorkingDirectory here;
  Lines names{"Time"};
  add_columns(names, "Heat", 1);
  add_columns(names, "Flux", 3);
  CHECK(names == Lines{"Time", "Heat", "Flux0", "Flux1", "Flux2"});
  WatchTable table("a.log", Lines{"Time", "Heat"}, {});
  table.row(Values{0.5, -1e-300});
  CHECK(lines_of("a.log") == // readable while the table is open
        Lines{"  Time  Heat", " 5.00000000e-01  -1.00000000e-300"});
  CHECK(table.size() == std::filesystem::file_size("a.log"));
  const std::uint64_t kept = table.size();
  table.row(Values{1, 2});
  WatchTable later("a.log", Lines{"Time", "Heat"}, kept); // drops what came behind
  later.row(Values{3, 4});
  CHECK(lines_of("a.log") == Lines{"  Time  Heat", " 5.00000000e-01  -1.00000000e-300",
                                   " 3.00000000e+00   4.00000000e+00"});
  WatchTable anew("a.log", Lines{"Time"}, {});
  CHECK(lines_of("a.log") == Lines{"  Time"});
  WatchTable none;
  none.row(Values{1});
  CHECK(none.size() == 0);
  CHECK(message_of([] { WatchTable("none/a.log", Lines{"Time"}, {}); }).find("none/a.log") !=
        std::string::npos);
}

TEST_CASE("a watch point shows the closest place of the mesh, on the rank that holds it") {
  const WorkingDirectory here;
  Edges edges;
  const int last = edges.comm.size() - 1;
  WatchPoint point(edges.comm, point_at(last + 0.2, 3), "A", edges.mesh, edges.fields(), {});
  edges.sample(1);
  point.show(1, edges.latest);
  edges.sample(2);
  point.show(1.5, edges.latest); // what is read there
  CHECK((point.table_size() > 0) == (edges.comm.rank() == last));
  comm::barrier(edges.comm);
  const Lines lines = lines_of(point_file);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "  Time  Coordinate0  Coordinate1  Heat  Flux0  Flux1");
  const double x = last + 0.2;
  check_row(lines[1], {1, x, 0, 10 * x + 1, x, 1});
  check_row(lines[2], {1.5, x, 0, 10 * x + 1.5, x, 1.5});
}

TEST_CASE("of several ranks that hold the closest place the lowest shows it, zeros at first") {
  const WorkingDirectory here;
  Edges edges;
  mesh::Mesh same("Line", 2);
  same.add_vertices(Values{7, 0, 8, 0});
  const mesh::Mesh empty("Line", 2);
  const bool is_empty = edges.comm.is_root() && edges.comm.size() > 1;
  WatchPoint point(edges.comm, point_at(0, 0), "A", is_empty ? empty : same, {&edges.heat}, {});
  point.show(0, edges.latest);
  const int expected = edges.comm.size() > 1 ? 1 : 0;
  CHECK((point.table_size() > 0) == (edges.comm.rank() == expected));
  comm::barrier(edges.comm);
  const Lines lines = lines_of(point_file);
  REQUIRE(lines.size() == 2);
  check_row(lines[1], {0, 7, 0, 0});
}

TEST_CASE("a watch point without vertices, or without a file, is refused on all ranks") {
  const WorkingDirectory here;
  Edges edges;
  const mesh::Mesh empty("Bare", 2);
  CHECK(message_of([&] { WatchPoint(edges.comm, point_at(0, 0), "A", empty, {}, {}); }) ==
        "mesh \"Bare\" has no vertices, so no point of it can be watched");
  if (here.is_root()) {
    std::filesystem::create_directory(point_file);
    std::filesystem::create_directory(integral_file);
  }
  comm::barrier(edges.comm);
  const std::string text = message_of(
      [&] { WatchPoint(edges.comm, point_at(99, 0), "A", edges.mesh, edges.fields(), {}); });
  CHECK_MESSAGE(text.find(point_file) != std::string::npos, text);
  const std::string other = message_of(
      [&] { WatchIntegral(edges.comm, integral(true), "A", edges.mesh, edges.fields(), {}); });
  CHECK_MESSAGE(other.find(integral_file) != std::string::npos, other);
}

TEST_CASE("an integral adds up over the elements of all ranks, a sum over their vertices") {
  for (const bool scales : {true, false}) {
    const WorkingDirectory here;
    Edges edges;
    WatchIntegral watch(edges.comm, integral(scales), "A", edges.mesh, edges.fields(), {});
    edges.sample(1);
    edges.sample(3);
    watch.add_up(2, edges.latest); // what is read there
    watch.show(2);
    CHECK((watch.table_size() > 0) == edges.comm.is_root());
    comm::barrier(edges.comm);
    const Lines lines = lines_of(integral_file);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0] == "  Time  Heat  Flux0  Flux1  SurfaceArea");
    const double size = edges.comm.size();
    const double middles = size * (size - 1) / 2 + 0.25 * size; // sum of those of the edges
    const double weight = scales ? 0.5 : 2; // length of an edge, number of its vertices
    check_row(lines[1], {2, weight * (10 * middles + 2 * size), weight * middles, weight * 2 * size,
                         0.5 * size});
  }
}

TEST_CASE("an integral without elements is a sum and has no column of the area") {
  const WorkingDirectory here;
  Edges edges(false);
  WatchIntegral watch(edges.comm, integral(true), "A", edges.mesh, {&edges.heat}, {});
  CHECK(watch.measure(edges.mesh) == 0);
  edges.sample(0);
  watch.add_up(0, edges.latest);
  watch.show(0);
  comm::barrier(edges.comm);
  const Lines lines = lines_of(integral_file);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == "  Time  Heat");
  const double size = edges.comm.size();
  check_row(lines[1], {0, 20 * (size * (size - 1) / 2 + 0.25 * size)});
}

TEST_CASE("an integral follows a mesh that becomes another one") {
  const WorkingDirectory here;
  Edges edges;
  WatchIntegral watch(edges.comm, integral(true), "A", edges.mesh, {&edges.heat}, {});
  mesh::Mesh longer("Line", 2);
  longer.add_vertices(Values{0, edges.begin, 3, edges.begin});
  longer.add_edges(std::vector<LocalIndex>{0, 1});
  CHECK(watch.measure(longer) == 1);
  edges.heat.wave().append(1, {2, 4});
  watch.add_up(1, edges.latest);
  watch.show(1);
  comm::barrier(edges.comm);
  const Lines lines = lines_of(integral_file);
  REQUIRE(lines.size() == 2);
  check_row(lines[1], {1, 9.0 * edges.comm.size(), 3.0 * edges.comm.size()});
}
