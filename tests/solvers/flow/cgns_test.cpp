// SPDX-License-Identifier: BSD-3-Clause
#ifdef ISTHMUS_WITH_VTKHDF
#include "flow/cgns/cgns.hpp"
#include "flows.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/io/vtkhdf/handle.hpp"
#include "message_of.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

using io::hdf::Handle;

/// A node of a CGNS file that is written as the file mapping to HDF5 says.
class Node {
 public:
  explicit Node(const std::string& path)
      : id_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose) {}
  Node(const Node& parent, const std::string& name, const std::string& label)
      : id_(H5Gcreate2(parent.id_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
            H5Gclose) {
    constexpr std::size_t size = 33;
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), size);
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle attribute(
        H5Acreate2(id_.get(), "label", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    std::string padded = label;
    padded.resize(size, '\0');
    H5Awrite(attribute.get(), type.get(), padded.data());
  }
  template <typename T>
  const Node& put(hid_t type, const std::vector<T>& values) const {
    const hsize_t count = values.size();
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const Handle set(
        H5Dcreate2(id_.get(), " data", type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose);
    H5Dwrite(set.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    return *this;
  }
  const Node& put(const std::vector<std::int32_t>& values) const {
    return put(H5T_NATIVE_INT32, values);
  }
  const Node& put_text(const std::string& text) const {
    return put(H5T_NATIVE_CHAR, std::vector<char>(text.begin(), text.end()));
  }

 private:
  Handle id_;
};

/// Zones of a box of 12 x 8 x 4 cells: one on the left, which meets two on the right, with the
/// boundaries that a mesh generator would write.
class Sample {
 public:
  Sample(const std::string& path, bool is_wrong) {
    const Node file(path);
    Node(file, "CGNSLibraryVersion", "CGNSLibraryVersion_t")
        .put(H5T_NATIVE_FLOAT, std::vector<float>{3.4F});
    const Node base(file, "Base", "CGNSBase_t");
    base.put({3, 3});
    const Node left(base, "left", "Zone_t");
    put_zone(left, source().load(0));
    const Node right(base, "right", "Zone_t");
    put_zone(right, source().load(1));
    const Node upper(base, "upper", "Zone_t");
    put_zone(upper, source().load(2));
    const Node joins(left, "ZoneGridConnectivity", "ZoneGridConnectivity_t");
    put_join(joins, "low", is_wrong ? "rihgt" : "right", {7, 1, 1, 7, 5, 5}, {1, 1, 1, 1, 5, 5});
    put_join(joins, "high", "upper", {7, 5, 1, 7, 9, 5}, {1, 1, 1, 1, 5, 5});
    const Node of_right(right, "ZoneGridConnectivity", "ZoneGridConnectivity_t");
    put_join(of_right, "back", "left", {1, 1, 1, 1, 5, 5}, {7, 1, 1, 7, 5, 5});
    const Node of_upper(upper, "ZoneGridConnectivity", "ZoneGridConnectivity_t");
    put_join(of_upper, "back", "left", {1, 1, 1, 1, 5, 5}, {7, 5, 1, 7, 9, 5});
    put_boundaries(left, {7, 9, 5}, {"IMin", "JMin", "JMax", "KMin", "KMax"});
    put_boundaries(right, {7, 5, 5}, {"IMax", "JMin", "KMin", "KMax"});
    put_boundaries(upper, {7, 5, 5}, {"IMax", "JMax", "KMin", "KMax"});
  }

  /// The same without a file.
  static GridSource source() {
    Shape shape;
    shape.cells = {12, 8, 4};
    shape.wave = 0.03;
    shape.blocks = {2, 1, 1};
    const GridSource two = make_shape(shape);
    shape.blocks = {2, 2, 1};
    const GridSource four = make_shape(shape);
    GridSource grid{"box", false, {two.cells[0], four.cells[1], four.cells[3]}, {}};
    grid.load = [two, four](int block) {
      return block == 0 ? two.load(0) : four.load(2 * block - 1);
    };
    return grid;
  }

 private:
  static void put_zone(const Node& zone, const Nodes& nodes) {
    const auto& n = nodes.cells;
    zone.put({n[0] + 1, n[1] + 1, n[2] + 1, n[0], n[1], n[2], 0, 0, 0});
    Node(zone, "ZoneType", "ZoneType_t").put_text("Structured");
    const Node grid(zone, "GridCoordinates", "GridCoordinates_t");
    for (std::size_t c = 0; c < 3; ++c) {
      std::vector<double> values;
      for (const Vector& point : nodes.points) {
        values.push_back(point[c]);
      }
      Node(grid, std::string("Coordinate") + "XYZ"[c], "DataArray_t")
          .put(H5T_NATIVE_DOUBLE, values);
    }
  }
  static void put_join(const Node& joins, const std::string& name, const std::string& donor,
                       const std::vector<std::int32_t>& range,
                       const std::vector<std::int32_t>& there) {
    const Node join(joins, name, "GridConnectivity1to1_t");
    join.put_text(donor);
    Node(join, "Transform", "\"int[IndexDimension]\"").put({1, 2, 3});
    Node(join, "PointRange", "IndexRange_t").put(range);
    Node(join, "PointRangeDonor", "IndexRange_t").put(there);
  }
  /// Walls at i and j, of the family "walls", and mirrors at k.
  static void put_boundaries(const Node& zone, const Index3& nodes,
                             const std::vector<std::string>& names) {
    const Node all(zone, "ZoneBC", "ZoneBC_t");
    for (const std::string& name : names) {
      const Node one(all, name, "BC_t");
      one.put_text("FamilySpecified");
      std::vector<std::int32_t> range{1, 1, 1, nodes[0], nodes[1], nodes[2]};
      const std::size_t axis = static_cast<std::size_t>(name[0] - 'I');
      range[axis] = range[axis + 3] = name.ends_with("Min") ? 1 : nodes[axis];
      Node(one, "PointRange", "IndexRange_t").put(range);
      Node(one, "FamilyName", "FamilyName_t").put_text(axis == 2 ? "mirrors" : "walls");
    }
  }
};

GridSettings named(std::vector<std::string> walls, std::vector<std::string> mirrors) {
  return {{boundary("walls", BoundaryKind::no_slip, std::move(walls)),
           boundary("mirrors", BoundaryKind::slip, std::move(mirrors))},
          {},
          1e-6};
}

Norms flow_in(const comm::Comm& comm, const Grid& grid) {
  Physics physics;
  physics.gas.viscosity = 0.01;
  Solution solution(comm, grid, physics, 0.3, 1);
  solution.set(waves);
  const TimeTerms time(grid, {});
  Scheme scheme(comm, {0.8, 0.6}, solution, time);
  scheme.iterate();
  return scheme.measure();
}

} // namespace

TEST_CASE("a grid of CGNS is that of its zones, connections in part and families") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder folder;
  const std::string place = folder_of_root(comm);
  if (comm.is_root()) {
    const Sample good(place + "/good.cgns", false);
    const Sample wrong(place + "/wrong.cgns", true);
    std::ofstream(place + "/none.cgns") << "no CGNS";
  }
  comm::barrier(comm);
  const GridSource source = open_cgns(place + "/good.cgns");
  CHECK(source.cells == Sample::source().cells);
  CHECK(source.connected.size() == 4);
  const Grid grid = make_grid(comm, source, named({"walls"}, {"mirrors"}));
  CHECK(grid.blocks.topology.behind({0, 0, 1}).size() == 2);

  GridSettings settings =
      named({"*:i-min", "*:i-max", "*:j-min", "*:j-max"}, {"*:k-min", "*:k-max"});
  settings.is_partial = true;
  const Norms expected = flow_in(comm, make_grid(comm, Sample::source(), settings));
  const Norms found = flow_in(comm, grid);
  for (std::size_t v = 0; v < num_conserved; ++v) {
    CHECK(found.values[v] == expected.values[v]);
    CHECK(expected.values[v] > 0);
  }

  CHECK(message_of([&] {
          static_cast<void>(make_grid(comm, source, named({"wals"}, {"mirrors"})));
        }).find("calls nothing \"wals\"; did you mean \"walls\"?") != std::string::npos);
  CHECK(message_of([&] { static_cast<void>(open_cgns(place + "/wrong.cgns")); })
            .find("/Base/left/ZoneGridConnectivity/low leads to a zone \"rihgt\", which there is "
                  "not") != std::string::npos);
  CHECK(message_of([&] {
          static_cast<void>(open_cgns(place + "/none.cgns"));
        }).find("cannot be opened as a CGNS file of HDF5") != std::string::npos);
  comm::barrier(comm);
}

TEST_CASE("a grid of CGNS is read while somebody else holds a lock on its file") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder folder;
  const std::string path = folder_of_root(comm) + "/held.cgns";
  int held = -1;
  if (comm.is_root()) {
    const Sample written(path, false);
    held = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(::flock(held, LOCK_EX | LOCK_NB) == 0);
  }
  comm::barrier(comm);
  const Grid grid = make_grid(comm, open_cgns(path), named({"walls"}, {"mirrors"}));
  CHECK(grid.num_cells == 12 * 8 * 4);
  comm::barrier(comm);
  if (held >= 0) {
    ::close(held);
  }
}
#endif
