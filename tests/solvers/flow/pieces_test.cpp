// SPDX-License-Identifier: BSD-3-Clause
#include "flow/grid/pieces/dealing.hpp"
#include "flow/grid/pieces/whole_blocks.hpp"
#include "flow/program/case.hpp"
#include "flow/program/plots.hpp"
#include "flow/program/run.hpp"
#include "flows.hpp"
#include "isthmus/comm/collective.hpp"
#include "text_files.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

/// A row of blocks of so many cells along i, each with 16 along j.
Topology row_of(const std::vector<int>& lengths) {
  std::vector<Index3> cells;
  std::vector<std::array<SideShape, 6>> shapes;
  double first = 0;
  for (const int n : lengths) {
    Nodes nodes{{n, 16, 1}, {}};
    Extent::for_each_in({0, 0, 0}, {n + 1, 17, 2}, [&](const Index3& node) {
      nodes.points.push_back(
          {first + node[0], static_cast<double>(node[1]), static_cast<double>(node[2])});
    });
    first += n;
    cells.push_back(nodes.cells);
    shapes.push_back(side_shapes(nodes));
  }
  return {cells, shapes, {}, 1e-6};
}

std::vector<double> cells_of(const Topology& topology) {
  std::vector<double> weights;
  for (int b = 0; b < topology.num_blocks(); ++b) {
    weights.push_back(static_cast<double>(topology.num_cells(b)));
  }
  return weights;
}

/// Largest load of the best of all ways to deal whole blocks to two ranks.
double best_of_two(const std::vector<double>& weights) {
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  double best = all;
  for (unsigned mask = 0; mask < 1U << weights.size(); ++mask) {
    double sum = 0;
    for (std::size_t b = 0; b < weights.size(); ++b) {
      sum += (mask >> b & 1U) != 0 ? weights[b] : 0;
    }
    best = std::min(best, std::max(sum, all - sum));
  }
  return best;
}

/// All bytes of a file that must be there.
std::string bytes_of(const std::string& path) {
  REQUIRE(std::filesystem::exists(path));
  return content(path);
}

/// Each cell is in one piece, and cuts are where coarser grids have them.
void check_cuts(const Topology& topology, const std::vector<Piece>& pieces) {
  const PieceFinder finder(pieces, topology.num_blocks());
  std::vector<GlobalIndex> found(pieces.size());
  for (int b = 0; b < topology.num_blocks(); ++b) {
    Extent::for_each_in({0, 0, 0}, topology.cells(b),
                        [&](const Index3& cell) { ++found.at(finder.find(b, cell)); });
  }
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    CHECK(found[p] == pieces[p].cells());
    for (std::size_t a = 0; a < 2; ++a) {
      CHECK(pieces[p].begin[a] % 4 == 0);
      CHECK(pieces[p].length(static_cast<int>(a)) >= 8);
    }
  }
}

} // namespace

TEST_CASE("whole blocks are dealt within 2 % of the best way") {
  const Topology topology = row_of({70, 50, 40, 30, 30, 20, 20, 10, 10, 10, 8, 6});
  const std::vector<double> weights = cells_of(topology);
  const std::vector<Piece> pieces = deal(topology, weights, 2, {});
  CHECK(pieces.size() == weights.size());
  const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / 2;
  CHECK(imbalance(topology, weights, pieces, 2) <= 1.02 * best_of_two(weights) / mean);

  const std::vector<Piece> counted = deal(topology, weights, 5, {.way = Dealing::count});
  std::array<int, 5> counts{};
  for (const Piece& piece : counted) {
    ++counts[static_cast<std::size_t>(piece.part)];
  }
  CHECK(counts == std::array<int, 5>{3, 3, 2, 2, 2});
  CHECK(imbalance(topology, weights, counted, 5) > 2);
}

TEST_CASE(
    "blocks are cut until loads are even, at places that coarser grids have, and not below the "
    "smallest size") {
  const Topology topology = row_of({160, 16, 24, 8});
  std::vector<double> weights = cells_of(topology);
  weights[1] *= 3; // a block may have more work than its cells say
  for (const int ranks : {2, 3, 5, 8}) {
    const std::vector<Piece> whole = deal(topology, weights, ranks, {});
    const std::vector<Piece> pieces = deal(topology, weights, ranks, {.cuts = true});
    CHECK(imbalance(topology, weights, whole, ranks) > 1.1);
    CHECK(imbalance(topology, weights, pieces, ranks) <=
          (ranks < 8 ? 1.05 : 1.1)); // 30 columns each
    check_cuts(topology, pieces);
  }
}

TEST_CASE("METIS deals blocks that are halved, neighbours together") {
  const Topology topology = row_of({160, 16, 24, 8});
  const std::vector<double> weights = cells_of(topology);
  for (const int ranks : {2, 3, 5}) {
    const auto dealt = [&](Dealing way) { return deal(topology, weights, ranks, {.way = way}); };
    const std::vector<Piece> whole = dealt(Dealing::metis);
    const std::vector<Piece> pieces = dealt(Dealing::metis_halves);
    CHECK(imbalance(topology, weights, whole, ranks) > 1.3);
    CHECK(imbalance(topology, weights, pieces, ranks) <= 1.25); // a piece more or less
    check_cuts(topology, pieces);
    int borders = 0; // between ranks, along the row
    for (std::size_t p = 1; p < pieces.size(); ++p) {
      borders += pieces[p].part != pieces[p - 1].part ? 1 : 0;
    }
    CHECK(borders == ranks - 1);
  }
}

namespace {

const std::string aerofoil = R"([flow]
mach = 0.3
reynolds = 100
[grid]
shape = "naca"
section = "2412"
cells = [64, 24, 1]
blocks = [2, 1, 1]
radius = 8
)" + wall_and_far("wall", R"("*:j-max")") +
                             R"([motion]
amplitude = 2
reduced-frequency = 0.3
[run]
iterations = 6
residual = 1e-30
report = 2
)";

} // namespace

TEST_CASE("a run with blocks cut writes the same bits as one with whole blocks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder folder;
  const std::string place = folder_of_root(comm);
  for (const std::string time :
       {"kind = \"harmonic\"\nharmonics = 1", "kind = \"dual\"\nstep = 0.2\nsteps = 2",
        "kind = \"harmonic\"\nharmonics = 1\n[scheme]\nlevels = 2",
        "kind = \"dual\"\nstep = 0.2\nsteps = 2\n[scheme]\nlevels = 3\ncycle = \"w\"",
        "kind = \"explicit\"\nstep = 0.0001\nsteps = 3"}) {
    if (comm.is_root()) {
      std::ofstream("case.toml") << aerofoil << "[time]\n" << time << "\n";
    }
    comm::barrier(comm);
    Case from = read_case(place + "/case.toml");
    from.run.output = place + "/whole";
    if (comm.is_root()) {
      static_cast<void>(run(comm::Comm(), from, "", nullptr));
    }
    from.grid.dealing = {.cuts = true, .least = 4};
    from.grid.weights = {3, 1};
    from.run.output = place + "/cut";
    const RunResult cut = run(comm, from, "", nullptr);
    int pieces = 0;
    for (const RankWork& work : cut.work) {
      pieces += work.pieces;
    }
    CHECK(pieces > (comm.size() == 1 ? 1 : 2));
    if (comm.is_root()) {
      for (const char* file : {"/flow.blocks", "/history.csv", "/loads.csv"}) {
        CHECK(bytes_of(place + "/cut" + file) == bytes_of(place + "/whole" + file));
      }
    }
    // goes on from there, with whole blocks and other pieces
    from.run.output = place + "/on-whole";
    comm::barrier(comm);
    if (comm.is_root()) {
      Case whole = from;
      whole.grid.dealing = {};
      static_cast<void>(run(comm::Comm(), whole, place + "/whole/flow.blocks", nullptr));
    }
    from.grid.weights = {1, 2};
    from.run.output = place + "/on-cut";
    static_cast<void>(run(comm, from, place + "/cut/flow.blocks", nullptr));
    if (comm.is_root()) {
      CHECK(bytes_of(place + "/on-cut/flow.blocks") == bytes_of(place + "/on-whole/flow.blocks"));
    }
    comm::barrier(comm);
  }
}

TEST_CASE("the flow in pieces of blocks in space is that in whole ones, bit by bit") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Shape shape;
  shape.cells = {16, 12, 24};
  shape.blocks = {2, 1, 1};
  shape.wave = 0.03;
  const auto flow_in = [&shape](const comm::Comm& ranks, const DealSettings& dealing,
                                std::size_t& pieces) {
    GridSettings settings{
        {boundary("wall", BoundaryKind::no_slip, {"*:i-min", "*:i-max", "*:j-min"}),
         boundary("far", BoundaryKind::far_field, {"*:j-max", "*:k-min", "*:k-max"})},
        {},
        1e-6};
    settings.dealing = dealing;
    settings.weights = {5, 1};
    const Grid grid = make_grid(ranks, make_shape(shape), settings);
    pieces = grid.blocks.pieces.size();
    Physics physics;
    physics.gas.viscosity = 0.01;
    Solution solution(ranks, grid, physics, 0.3, 1);
    solution.set(waves);
    const TimeTerms time(grid, {});
    Scheme scheme(ranks, {2, 0.6}, solution, time);
    for (int n = 0; n < 3; ++n) {
      scheme.iterate();
    }
    return scheme.measure();
  };
  std::size_t whole = 0;
  std::size_t cut = 0;
  const Norms expected = flow_in(comm::Comm(), {}, whole);
  const Norms found = flow_in(comm, {.cuts = true, .least = 4}, cut);
  CHECK(whole == 2);
  CHECK(cut > (comm.size() == 1 ? 1 : 2));
  for (std::size_t v = 0; v < num_conserved; ++v) {
    CHECK(found.values[v] == expected.values[v]);
    CHECK(expected.values[v] > 0);
  }
}

TEST_CASE("blocks dealt by measured work, or by METIS, change no result") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder folder;
  const std::string place = folder_of_root(comm);
  if (comm.is_root()) {
    const std::string text = R"([flow]
mach = 0.3
[grid]
shape = "box"
cells = [48, 16, 1]
blocks = [6, 1, 1]
wave = 0.02
[[boundary]]
name = "wall"
kind = "slip"
sides = ["*:i-min", "*:i-max", "*:j-min", "*:j-max"]
[scheme]
cfl = 1
[run]
iterations = 4
balance = )";
    std::ofstream("case.toml") << text << "\"measured\"";
    std::ofstream("halves.toml") << text << "\"metis-halves\"";
    std::ofstream("metis.toml") << text << "\"metis-measured\"";
  }
  comm::barrier(comm);
  Case from = read_case(place + "/case.toml");
  CHECK(from.run.measures);
  from.run.output = place + "/measured";
  const RunResult measured = run(comm, from, "", nullptr);
  from.run.measures = false;
  from.run.output = place + "/given";
  const RunResult given = run(comm, from, "", nullptr);
  for (const std::string name : {"halves", "metis"}) {
    Case other = read_case(place + "/" + name + ".toml");
    CHECK(other.grid.dealing.way == (name == "metis" ? Dealing::metis : Dealing::metis_halves));
    CHECK(other.run.measures == (name == "metis"));
    other.run.output = place + "/" + name;
    CHECK(run(comm, other, "", nullptr).residual == given.residual);
  }
  GlobalIndex cells = 0;
  for (const RankWork& work : measured.work) {
    CHECK(work.busy > 0);
    cells += work.cells;
  }
  CHECK(cells == 48 * 16);
  CHECK(measured.imbalance() >= 1);
  CHECK(measured.residual == given.residual);
  if (comm.is_root()) {
    CHECK(bytes_of(place + "/measured/flow.blocks") == bytes_of(place + "/given/flow.blocks"));
    for (const std::string name : {"halves", "metis"}) {
      CHECK(bytes_of(place + "/" + name + "/flow.blocks") ==
            bytes_of(place + "/given/flow.blocks"));
    }
    CHECK(bytes_of(place + "/measured/balance.csv").starts_with("rank,pieces,cells,busy\n0,"));
  }
  comm::barrier(comm);
}

namespace {

const std::string wavy_box = R"([flow]
mach = 0.3
reynolds = 100
[grid]
shape = "box"
cells = [32, 16, 1]
blocks = [2, 1, 1]
wave = 0.02
)" + wall_and_far("wall", R"("*:i-min", "*:i-max", "*:j-max")") +
                             R"([run]
iterations = 6
residual = 1e-30
plot-every = 2
)";

} // namespace

TEST_CASE(
    "files of the flow on its way are the same in the background and at once, and hold what the "
    "restart does") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder folder;
  const std::string place = folder_of_root(comm);
  if (comm.is_root()) {
    std::ofstream("case.toml") << wavy_box;
  }
  comm::barrier(comm);
  Case from = read_case(place + "/case.toml");
  CHECK(from.run.plots.every == 2);
  from.grid.dealing = {.cuts = true, .least = 4};
  from.grid.weights = {3, 1};
  for (const char* way : {"background", "collective", "restructured"}) {
    from.run.output = place + "/" + way;
    from.run.plots.way = way[0] == 'b'   ? PlotWay::background
                         : way[0] == 'c' ? PlotWay::collective
                                         : PlotWay::restructured;
    static_cast<void>(run(comm, from, "", nullptr));
  }
  if (comm.is_root()) {
    for (const std::string number : {"2", "4", "6"}) {
      const std::string file = "/plot-00000" + number + ".blocks";
      CHECK(bytes_of(place + "/background" + file) == bytes_of(place + "/collective" + file));
      // counts of cells, then the values without halos
      CHECK(bytes_of(place + "/restructured" + file).size() == 2 * 12 + 5 * 8 * 32 * 16);
    }
    CHECK(bytes_of(place + "/background/files.csv").starts_with("number,seconds\n2,0."));
    const comm::Comm alone;
    const io::BlockReader plots(alone, place + "/background/plot-000006.blocks");
    const io::BlockReader restart(alone, place + "/background/flow.blocks");
    std::vector<double> w(5 * 16 * 16);
    std::vector<double> u(5 * 16 * 16);
    const std::vector<std::size_t> second{1};
    plots.read(second, 0, std::vector<std::span<double>>{w});
    restart.read(second, 0, std::vector<std::span<double>>{u});
    constexpr std::size_t cells = 256;
    for (std::size_t at = 0; at < cells; ++at) {
      CHECK(w[at] == u[at]);
      CHECK(w[cells + at] == doctest::Approx(u[cells + at] / u[at]).epsilon(1e-14));
      const double kinetic =
          0.5 * (u[cells + at] * u[cells + at] + u[2 * cells + at] * u[2 * cells + at]) / u[at];
      CHECK(w[4 * cells + at] == doctest::Approx(0.4 * (u[4 * cells + at] - kinetic)));
    }
  }
  comm::barrier(comm);
}
