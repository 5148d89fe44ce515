// SPDX-License-Identifier: BSD-3-Clause
#include "flows.hpp"
#include "message_of.hpp"

#include <doctest/doctest.h>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

/// Of the box that all grids here are parts of: 16 x 8 x 2 or flat, in blocks.
GridSource box(int layers, const Index3& blocks) {
  Shape shape;
  shape.cells = {16, 8, layers};
  shape.blocks = blocks;
  shape.wave = 0.03;
  return make_shape(shape);
}

struct Part {
  Index3 blocks; // of the box
  int block;
  bool is_turned = false; // half a turn about k
};

GridSource parts_of_box(int layers, const std::vector<Part>& parts) {
  GridSource grid{"parts of a box", layers == 1, {}, {}};
  for (const Part& part : parts) {
    grid.cells.push_back(box(layers, part.blocks).cells[static_cast<std::size_t>(part.block)]);
  }
  grid.load = [layers, parts](int block) {
    const Part& part = parts[static_cast<std::size_t>(block)];
    Nodes nodes = box(layers, part.blocks).load(part.block);
    if (part.is_turned) {
      const Nodes before = nodes;
      const Index3& n = nodes.cells;
      Extent::for_each_in({0, 0, 0}, {n[0] + 1, n[1] + 1, n[2] + 1}, [&](const Index3& at) {
        nodes.points[nodes.at(at[0], at[1], at[2])] =
            before.points[before.at(n[0] - at[0], n[1] - at[1], at[2])];
      });
    }
    return nodes;
  };
  return grid;
}

GridSettings mirrors() {
  GridSettings settings{
      {boundary("mirror", BoundaryKind::slip,
                {"*:i-min", "*:i-max", "*:j-min", "*:j-max", "*:k-min", "*:k-max"})},
      {},
      1e-6};
  settings.is_partial = true;
  return settings;
}

/// The norms after some steps without smoothing, which goes along the lines of blocks.
Norms flow_in(const comm::Comm& comm, const Grid& grid, double viscosity) {
  Physics physics;
  physics.gas.viscosity = viscosity;
  Solution solution(comm, grid, physics, 0.3, 1);
  solution.set(waves);
  const TimeTerms time(grid, {});
  Scheme scheme(comm, {0.8, 0}, solution, time);
  for (int n = 0; n < 3; ++n) {
    scheme.iterate();
  }
  return scheme.measure();
}

Norms flow_in(const comm::Comm& comm, const GridSource& source, double viscosity) {
  return flow_in(comm, make_grid(comm, source, mirrors()), viscosity);
}

/// A C-grid around a thin body from (0, 0) to (1, 0): one block, of which the ends of j-min lie on
/// each other behind the body.
GridSource c_grid() {
  GridSource grid{"C-grid", true, {{32, 12, 1}}, {}};
  grid.load = [](int) {
    Nodes nodes{{32, 12, 1}, {}};
    Extent::for_each_in({0, 0, 0}, {33, 13, 2}, [&](const Index3& n) {
      const double s = (n[0] - 16) / 8.0; // parabolic coordinates
      const double t = 0.1 * n[1];
      const double thickness = n[1] == 0 && std::abs(s) < 1 ? 0.02 * (1 - s * s) : 0;
      nodes.points.push_back(
          {s * s - t * t, 2 * s * t + (s < 0 ? -thickness : thickness), static_cast<double>(n[2])});
    });
    return nodes;
  };
  return grid;
}

} // namespace

TEST_CASE(
    "a side that meets several others in part is the same flow as sides that meet as a whole") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const int layers : {1, 4}) {
    const std::vector<Part> whole{{{2, 2, 1}, 0}, {{2, 2, 1}, 1}, {{2, 2, 1}, 2}, {{2, 2, 1}, 3}};
    const Norms expected = flow_in(comm, parts_of_box(layers, whole), 0.01);
    const std::vector<Part> partial{{{2, 1, 1}, 0}, {{2, 2, 1}, 1}, {{2, 2, 1}, 3}};
    const Norms found = flow_in(comm, parts_of_box(layers, partial), 0.01);
    std::vector<Part> turned = partial;
    turned[2].is_turned = true;
    const Norms other = flow_in(comm, parts_of_box(layers, turned), 0.01);
    for (std::size_t v = 0; v < num_conserved; ++v) {
      CHECK(found.values[v] == expected.values[v]);
      CHECK(other.values[v] == doctest::Approx(expected.values[v]).epsilon(1e-11));
    }
    CHECK(expected.values[0] > 0);
  }
}

TEST_CASE("the rest of a side that meets another one in part is a boundary") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::vector<Part> whole{{{2, 2, 1}, 0}, {{2, 2, 1}, 1}, {{2, 2, 1}, 2}};
  const std::vector<Part> partial{{{2, 1, 1}, 0}, {{2, 2, 1}, 1}};
  const Norms expected = flow_in(comm, parts_of_box(1, whole), 0);
  const Norms found = flow_in(comm, parts_of_box(1, partial), 0);
  for (std::size_t v = 0; v < num_conserved; ++v) {
    CHECK(found.values[v] == expected.values[v]);
  }
  GridSettings settings = mirrors();
  settings.boundaries[0].sides = {"*:i-min", "2:i-max", "*:j-min", "*:j-max"};
  CHECK(message_of([&] {
          static_cast<void>(make_grid(comm, parts_of_box(1, partial), settings));
        }).find("block 1, i-max meets no other block everywhere and has no boundary") !=
        std::string::npos);
  settings = mirrors();
  settings.is_partial = false; // then a side meets another one as a whole, or none
  const Grid apart = make_grid(comm, parts_of_box(1, partial), settings);
  CHECK(apart.blocks.topology.behind({0, 0, 1}).empty());
}

TEST_CASE("a C-grid meets itself behind its body, and cutting it changes no bit") {
  const comm::Comm comm(MPI_COMM_WORLD);
  GridSettings settings{
      {boundary("body", BoundaryKind::far_field, {"*:j-min"}),
       boundary("far", BoundaryKind::far_field, {"*:i-min", "*:i-max", "*:j-max"})},
      {},
      1e-6};
  settings.is_partial = true;
  settings.dealing = {.cuts = true, .least = 4};
  const Grid grid = make_grid(comm, c_grid(), settings);
  const auto behind = grid.blocks.topology.behind({0, 1, 0});
  REQUIRE(behind.size() == 2); // the wake, both ways
  CHECK(behind[0].begin == Index3{0, 0, 0});
  CHECK(behind[0].end == Index3{8, 1, 1});
  CHECK(behind[0].connection.turn({3, -1, 0}) == Index3{28, 0, 0});
  CHECK(behind[1].begin == Index3{24, 0, 0});
  CHECK(static_cast<int>(grid.blocks.pieces.size()) >= comm.size());

  // the undisturbed flow stays where all boundaries let it through
  Solution solution(comm, grid, {}, 0.3, 1);
  solution.set_undisturbed();
  const TimeTerms time(grid, {});
  Scheme scheme(comm, {}, solution, time);
  for (const double value : scheme.measure().values) {
    CHECK(value < 1e-12);
  }
  settings.boundaries[0].boundary.kind = BoundaryKind::no_slip;
  const Norms found = flow_in(comm, make_grid(comm, c_grid(), settings), 0.01);
  settings.dealing = {};
  const Norms expected = flow_in(comm::Comm(), make_grid(comm::Comm(), c_grid(), settings), 0.01);
  for (std::size_t v = 0; v < num_conserved; ++v) {
    CHECK(found.values[v] == expected.values[v]);
  }
}
