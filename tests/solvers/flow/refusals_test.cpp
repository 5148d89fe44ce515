// SPDX-License-Identifier: BSD-3-Clause
#include "flow/program/case.hpp"
#include "flow/program/run.hpp"
#include "flows.hpp"
#include "isthmus/comm/collective.hpp"
#include "message_of.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <limits>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

const std::string good = R"([flow]
mach = 0.3
[grid]
shape = "box"
cells = [8, 8, 1]
blocks = [2, 1, 1]
[[boundary]]
name = "far"
kind = "far-field"
sides = ["*:i-min", "*:i-max", "*:j-min", "*:j-max"]
[run]
iterations = 2
)";

std::string with(std::string text, const std::string& old, const std::string& now) {
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), now);
}

std::string refusal(const std::string& text) {
  std::ofstream("case.toml") << text;
  return message_of([] { static_cast<void>(read_case("case.toml")); });
}

/// What a grid of one or two blocks is refused for, on all ranks.
std::string refusal(const comm::Comm& comm, const GridSource& grid,
                    const std::vector<std::string>& sides) {
  return message_of([&] {
    static_cast<void>(
        make_grid(comm, grid, {{boundary("far", BoundaryKind::far_field, sides)}, {}, 1e-6}));
  });
}

GridSource two_blocks() {
  Shape shape;
  shape.cells = {8, 4, 1};
  shape.blocks = {2, 1, 1};
  return make_shape(shape);
}

const std::vector<std::string> outer{"1:i-min", "2:i-max", "*:j-min", "*:j-max"};

} // namespace

TEST_CASE("case files are refused with their line and the word that was meant") {
  const WorkingFolder folder;
  CHECK(refusal(good) == "no error");
  CHECK(refusal(with(good, "mach", "mash")) ==
        "case.toml:2: [flow] has no word \"mash\"; did you mean \"mach\"? Known: mach, reynolds, "
        "incidence, gamma, prandtl");
  CHECK(refusal(with(good, "0.3", "-1")) == "case.toml:2: \"mach\" of [flow] must be above 0");
  CHECK(refusal(with(good, "\"far-field\"", "\"farfield\""))
            .starts_with("case.toml:9: \"kind\" of [boundary] cannot be \"farfield\"; did you mean "
                         "\"far-field\"?"));
  CHECK(refusal(with(good, "iterations = 2", "iterations = 2.5")) ==
        "case.toml:12: \"iterations\" of [run] must be a whole number from 1 on");
  CHECK(refusal(with(good, "[run]", "[time]\nkind = \"harmonic\"\nharmonics = 2\n[run]")) ==
        "case.toml:11: harmonics need a period: give [motion] its \"reduced-frequency\"");
  CHECK(refusal(with(good, "[run]",
                     "[scheme]\npreconditioning = true\n[time]\nkind = \"explicit\"\n[run]")) ==
        "case.toml:14: explicit steps are no pseudo time; leave out \"preconditioning\" of "
        "[scheme], or choose another \"kind\"");
  CHECK(refusal(with(good, "blocks = [2, 1, 1]", "lengths-i = [3, 0]")) ==
        "case.toml:6: \"lengths-i\" of [grid] must be a list of whole numbers from 1 on");
  CHECK(refusal(with(good, "iterations = 2", "balance = \"cell\""))
            .starts_with(
                "case.toml:12: \"balance\" of [run] cannot be \"cell\"; did you mean \"cells\"?"));
  CHECK(refusal(with(good, "[run]", "[run")).starts_with("case.toml:11: "));
}

TEST_CASE("grids are refused with block and side, on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  CHECK(refusal(comm, two_blocks(), outer) == "no error");
  CHECK(
      refusal(comm, two_blocks(), {"1:i-min", "*:j-min", "*:j-max"}) ==
      "block 2, i-max meets no other block and has no boundary: name it in a [[boundary]], or make "
      "its nodes those of its neighbour");
  CHECK(refusal(comm, two_blocks(), {"1:i-max"}) ==
        "case.toml:1: block 1, i-max meets block 2, i-min, it is no boundary");
  CHECK(refusal(comm, two_blocks(), {"3:i-max"}) ==
        "case.toml:1: \"3:i-max\" names no block; the grid has blocks 1 to 2, * means all");
  CHECK(refusal(comm, two_blocks(), {"1:imax"})
            .starts_with(
                "case.toml:1: \"1:imax\" names no side of a block; did you mean \"i-max\"?"));

  GridSource folded = two_blocks();
  folded.load = [load = folded.load](int block) {
    Nodes nodes = load(block);
    for (Vector& point : nodes.points) {
      point[1] = block == 1 ? -point[1] : point[1];
    }
    return nodes;
  };
  CHECK(
      refusal(comm, folded, {"*:i-min", "*:i-max", "*:j-min", "*:j-max"})
          .find(
              "cell (1, 1, 1) of block 2 has the volume -0.03125; i, j, k must be right-handed") !=
      std::string::npos);

  GridSource bent = two_blocks(); // corners and the mean of all nodes are those of the neighbour
  bent.load = [load = bent.load](int block) {
    Nodes nodes = load(block);
    for (int k = 0; block == 1 && k < 2; ++k) {
      nodes.points[nodes.at(0, 1, k)][1] += 0.01;
      nodes.points[nodes.at(0, 3, k)][1] -= 0.01;
    }
    return nodes;
  };
  CHECK(refusal(comm, bent, outer)
            .find("of block 1 is at (0.5, 0.25, 0), where block 2, which it meets "
                  "there, has (0.5, 0.26, 0)") != std::string::npos);
}

TEST_CASE("left-handed blocks, lines that cross and neighbours of other cells are refused") {
  const comm::Comm comm(MPI_COMM_WORLD);
  GridSource left_handed = two_blocks(); // counted along j and k the other way round, both blocks
  left_handed.load = [load = left_handed.load](int block) {
    Nodes nodes = load(block);
    for (Vector& point : nodes.points) {
      point[2] = -point[2];
    }
    return nodes;
  };
  CHECK(refusal(comm, left_handed, outer)
            .find("cell (1, 1, 1) of block 1 has the volume -0.03125; i, j, k must be right-handed "
                  "and lines of the grid must not cross") != std::string::npos);

  GridSource crossed = two_blocks(); // one node of block 2 lies beyond the next one
  crossed.load = [load = crossed.load](int block) {
    Nodes nodes = load(block);
    for (int k = 0; block == 1 && k < 2; ++k) {
      nodes.points[nodes.at(2, 2, k)][0] += 0.4;
    }
    return nodes;
  };
  CHECK(refusal(comm, crossed, outer).find("cell (3, 2, 1) of block 2 has the volume -") !=
        std::string::npos);

  GridSource unlike = two_blocks(); // block 2 has 4 cells along j, block 1 has 8
  unlike.cells[0][1] = 8;
  unlike.load = [load = unlike.load](int block) {
    Nodes nodes = load(block);
    if (block == 0) {
      Nodes finer{{4, 8, 1}, {}};
      Extent::for_each_in({0, 0, 0}, {5, 9, 2}, [&](const Index3& n) {
        finer.points.push_back({0.125 * n[0], 0.125 * n[1], static_cast<double>(n[2])});
      });
      return finer;
    }
    return nodes;
  };
  CHECK(refusal(comm, unlike, outer).find("block 1, i-max and block 2, i-min") !=
        std::string::npos);
}

TEST_CASE("a flow that is no number any more is refused with block and cell, on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Grid grid =
      make_grid(comm, two_blocks(), {{boundary("far", BoundaryKind::far_field, outer)}, {}, 1e-6});
  Solution solution(comm, grid, {}, 0.3, 1);
  solution.set_undisturbed();
  for (std::size_t own = 0; own < grid.own.size(); ++own) {
    if (grid.own[own].number == 1) {
      solution.conserved()[solution.begin_of(own, 0) + grid.own[own].extent.at(2, 1, 0)] =
          std::numeric_limits<double>::quiet_NaN();
    }
  }
  const TimeTerms time(grid, {});
  Scheme scheme(comm, {}, solution, time);
  const std::string found = message_of([&] { scheme.iterate(); });
  INFO(found);
  CHECK(found.find("in cell (3, 2, 1) of block 2: lower \"cfl\"") != std::string::npos);
}

TEST_CASE(
    "a restart goes on with the same bits, whoever wrote it, and that of another grid is refused") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder folder;
  std::ofstream("case.toml") << good;
  Case from = read_case("case.toml");
  const std::string output = folder_of_root(comm) + "/out";
  from.run.output = output;
  from.grid.boundaries[0].boundary.kind = BoundaryKind::no_slip;
  from.run.residual = 1e-300;
  from.run.iterations = 4;
  const RunResult whole = run(comm, from, "", nullptr);
  from.run.iterations = 2;
  static_cast<void>(run(comm, from, "", nullptr));
  const RunResult rest = run(comm, from, output + "/flow.blocks", nullptr);
  CHECK(rest.residual == whole.residual);
  CHECK(rest.residual > 0);

  from.shape.cells = {8, 4, 1};
  CHECK(message_of([&] { static_cast<void>(run(comm, from, output + "/flow.blocks", nullptr)); })
            .find("is the flow of another grid: it has 2 blocks, this one 2, or blocks differ in "
                  "cells") != std::string::npos);
  comm::barrier(comm); // before rank 0 removes the folder
}
