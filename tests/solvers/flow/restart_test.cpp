// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"
#include "flows.hpp"
#include "isthmus/comm/collective.hpp"
#include "message_of.hpp"
#include "text_files.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <limits>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

const std::string section =
    section_of("[24, 8, 1]", "[3, 2, 1]", R"("4:j-max", "5:j-max", "6:j-max")");

/// A case whose second half goes on where the first one ends: both are the whole.
struct Halves {
  std::string whole;
  std::string half;
};

} // namespace

TEST_CASE(
    "what any ranks have written any others continue, with the bits of the run in one piece") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder own;
  const std::string folder = folder_of_root(comm);
  const std::string never = "residual = 1e-300\n";
  for (const Halves& kind :
       {Halves{section + "[run]\n" + never + "iterations = 4\n",
               section + "[run]\n" + never + "iterations = 2\n"},
        Halves{section + pitching + "[time]\nkind = \"dual\"\nstep = 0.5\nsteps = 4\n[run]\n" +
                   "residual = 1e-2\niterations = 20\n",
               section + pitching + "[time]\nkind = \"dual\"\nstep = 0.5\nsteps = 2\n[run]\n" +
                   "residual = 1e-2\niterations = 20\n"},
        Halves{section + pitching + "[time]\nkind = \"harmonic\"\nharmonics = 1\n[run]\n" + never +
                   "iterations = 4\n",
               section + pitching + "[time]\nkind = \"harmonic\"\nharmonics = 1\n[run]\n" + never +
                   "iterations = 2\n"}}) {
    run_on(comm, 1, read(kind.whole, folder + "/whole"), "");
    const std::string expected = content(folder + "/whole/flow.blocks");
    REQUIRE(expected.size() > 1000);
    for (int writers = 1; writers <= comm.size(); ++writers) {
      run_on(comm, writers, read(kind.half, folder + "/half"), "");
      CHECK(content(folder + "/half/flow.blocks") != expected);
      for (int readers = 1; readers <= comm.size(); ++readers) {
        INFO(writers, " ranks write, ", readers, " read");
        run_on(comm, readers, read(kind.half, folder + "/rest"), folder + "/half/flow.blocks");
        CHECK(content(folder + "/rest/flow.blocks") == expected);
        comm::barrier(comm);
      }
    }
  }
  comm::barrier(comm); // before rank 0 removes the folder
}

TEST_CASE("a restart that does not fit is refused on all ranks, and leaves the case's files") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder own;
  const std::string folder = folder_of_root(comm);
  const std::string steady = section + "[run]\niterations = 1\n";
  const Case from = read(steady, folder + "/out");
  static_cast<void>(run(comm, from, "", nullptr));
  const std::string file = folder + "/out/flow.blocks";
  const std::string kept = content(file);
  const auto refusal = [&](const Case& of, const std::string& restart) {
    return message_of([&] { static_cast<void>(run(comm, of, restart, nullptr)); });
  };

  Case harmonic =
      read(section + pitching + "[time]\nkind = \"harmonic\"\nharmonics = 2\n", folder + "/out");
  CHECK(refusal(harmonic, file)
            .find("has 1 snapshots, this case has 5; restart with the same "
                  "\"harmonics\"") != std::string::npos);
  Case finer = from;
  finer.shape.cells = {48, 8, 1};
  CHECK(refusal(finer, file).find("is the flow of another grid") != std::string::npos);
  Case fewer = from;
  fewer.shape.blocks = {3, 1, 1};
  fewer.grid.boundaries[0].sides = {"*:j-min"};
  fewer.grid.boundaries[1].sides = {"*:j-max"};
  CHECK(refusal(fewer, file).find("is the flow of another grid: it has 6 blocks, this one 3") !=
        std::string::npos);
  CHECK(refusal(from, folder + "/nothing.blocks").find("nothing.blocks") != std::string::npos);
  if (comm.is_root()) {
    std::string cut = kept;
    std::ofstream(folder + "/cut.blocks", std::ios::binary) << cut.substr(0, cut.size() - 8);
    cut[cut.size() - 5] = static_cast<char>(cut[cut.size() - 5] ^ 1);
    std::ofstream(folder + "/damaged.blocks", std::ios::binary) << cut;
  }
  comm::barrier(comm);
  CHECK(refusal(from, folder + "/cut.blocks").find("cut.blocks") != std::string::npos);
  CHECK(refusal(from, folder + "/damaged.blocks").find("is damaged; use an earlier file") !=
        std::string::npos);
  CHECK(content(file) == kept);
  comm::barrier(comm);
}

TEST_CASE(
    "a run that comes to grief names block and cell on all ranks, and the last restart stays") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder own;
  const std::string folder = folder_of_root(comm);
  Case from = read(section + "[run]\niterations = 1\n", folder + "/out");
  static_cast<void>(run(comm, from, "", nullptr));
  const std::string kept = content(folder + "/out/flow.blocks");
  from.scheme.cfl = 1e5;
  from.scheme.smoothing = 0;
  from.run.iterations = 50;
  const std::string found =
      message_of([&] { static_cast<void>(run(comm, from, folder + "/out/flow.blocks", nullptr)); });
  INFO(found);
  CHECK(found.find("the solution has become no number in cell (") != std::string::npos);
  CHECK(found.find(") of block ") != std::string::npos);
  CHECK(content(folder + "/out/flow.blocks") == kept);
  comm::barrier(comm);
}

TEST_CASE(
    "a restart file with values that are no numbers is refused with its block, on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder own;
  const std::string folder = folder_of_root(comm);
  const Case from = read(section, folder + "/out");
  const Grid grid = make_grid(comm, open_grid(from), from.grid);
  Solution solution(comm, grid, from.physics, from.mach, 1);
  TimeTerms time(grid, {});
  solution.set_undisturbed();
  for (std::size_t own_block = 0; own_block < grid.own.size(); ++own_block) {
    if (grid.own[own_block].number == 4) {
      solution
          .conserved()[solution.begin_of(own_block, 0) + grid.own[own_block].extent.at(2, 1, 0)] =
          std::numeric_limits<double>::quiet_NaN();
    }
  }
  write_restart(comm, folder + "/bad.blocks", {solution, time}, {});
  CHECK(message_of([&] {
          static_cast<void>(run(comm, from, folder + "/bad.blocks", nullptr));
        }).find("block 5 of \"") != std::string::npos);
  comm::barrier(comm);
}

TEST_CASE(
    "a run in time goes on with another step as accurately: the derivative of a parabola is "
    "exact") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder own;
  const std::string folder = folder_of_root(comm);
  const Case from = read(section, folder + "/out");
  const Grid grid = make_grid(comm, open_grid(from), from.grid);
  Solution solution(comm, grid, from.physics, from.mach, 1);
  solution.set_attitudes({{}});
  solution.set_undisturbed();
  TimeTerms long_steps(grid, {.kind = TimeKind::dual, .step = 0.2});
  long_steps.begin_step(solution);
  const BackwardWeights first = long_steps.weights(); // straight
  CHECK(first.now == doctest::Approx(5));
  CHECK(first.before == doctest::Approx(-5));
  CHECK(first.earlier == 0);
  write_restart(comm, folder + "/long.blocks", {solution, long_steps}, {});

  TimeTerms longer(grid, {.kind = TimeKind::dual, .step = 0.3});
  static_cast<void>(read_restart(comm, folder + "/long.blocks", {solution, longer}));
  CHECK(longer.last_step() == 0.2);
  longer.begin_step(solution);
  const auto derivative = [&longer](auto&& f) { // at 0.3, from 0.3, 0 and -0.2
    const BackwardWeights weights = longer.weights();
    return weights.now * f(0.3) + weights.before * f(0.0) + weights.earlier * f(-0.2);
  };
  CHECK(derivative([](double /*t*/) { return 1; }) == doctest::Approx(0));
  CHECK(derivative([](double t) { return t; }) == doctest::Approx(1));
  CHECK(derivative([](double t) { return t * t; }) == doctest::Approx(0.6));
  longer.begin_step(solution); // equal steps
  CHECK(longer.weights().now == doctest::Approx(5));
  CHECK(longer.weights().before == doctest::Approx(-2 / 0.3));
  CHECK(longer.weights().earlier == doctest::Approx(0.5 / 0.3));
  comm::barrier(comm);
}
