// SPDX-License-Identifier: BSD-3-Clause
#include "cases.hpp"
#include "flow/numerics/between_grids.hpp"
#include "flow/numerics/time_terms.hpp"
#include "flows.hpp"
#include "message_of.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <utility>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

const std::string section = section_of("[32, 16, 1]", "[2, 1, 1]", R"("*:j-max")");
const std::string turbulence = R"([turbulence]
model = "sst"
intensity = 0.05
viscosity-ratio = 1
)";

/// Density and velocity that grow along both axes.
Primitive linear(const Vector& x) {
  return {1 + 0.1 * x[0] + 0.2 * x[1], 0.5, -0.5, 0, 1};
}

} // namespace

TEST_CASE("between the cells of a coarser grid values lie linearly") {
  const comm::Comm comm(MPI_COMM_WORLD);
  Shape shape;
  shape.cells = {32, 16, 1};
  shape.blocks = {2, 1, 1};
  GridSettings settings;
  settings.boundaries = {
      boundary("far", BoundaryKind::far_field, {"1:i-min", "2:i-max", "*:j-min", "*:j-max"})};
  const auto grids = make_grids(comm, make_shape(shape), settings, 2);
  Solution coarse(comm, grids[1], {}, 0.3, 1);
  Solution fine(comm, grids[0], {}, 0.3, 1);
  coarse.set_attitudes({{}});
  fine.set_attitudes({{}});
  fine.set_undisturbed();
  coarse.set(linear);
  interpolate(comm, coarse, fine);
  for (std::size_t own = 0; own < grids[0].own.size(); ++own) {
    const Block& block = grids[0].own[own];
    Extent::for_each_in({0, 0, 0}, block.extent.counts(), [&](const Index3& c) {
      const Vector x = block.center(c[0], c[1], c[2]);
      const bool is_inside = x[0] > 0.06 && x[0] < 0.94 && x[1] > 0.06 && x[1] < 0.94;
      const double found = fine.conserved()[fine.begin_of(own, 0) + block.extent.at(c)];
      const double wanted = linear(x)[0];
      // next to a boundary values are those before it: half a coarse cell aside at most
      CHECK(std::abs(found - wanted) < (is_inside ? 1e-14 : 0.02));
    });
  }
}

TEST_CASE("a run that warms up on coarser grids has the same bits on any ranks and cuts") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder own;
  const std::string folder = folder_of_root(comm);
  const std::string periodic = section + pitching + "[time]\nkind = \"harmonic\"\nharmonics = ";
  const std::string grids = "warm-up = [4, 3]\n";
  struct Warm {
    std::string flow;
    std::string words;
  };
  for (const Warm& way :
       {Warm{plate, grids}, Warm{periodic + "1\n", grids}, Warm{section + turbulence, grids},
        Warm{periodic + "3\n", grids + "fewer-harmonics = [5, 2]\n"},
        Warm{turbulence + periodic + "2\n", grids + "fewer-harmonics = [5]\n"}}) {
    const std::string run_words =
        "[run]\nresidual = 1e-300\nsmallest = 4\ncut = true\niterations = 2\n";
    const Case cold = read(way.flow + run_words, folder + "/cold");
    const Case warm = read(way.flow + run_words + way.words, folder + "/warm");
    Case alone = warm;
    alone.run.output = folder + "/alone";
    const comm::Comm first = comm.split(comm.rank() == 0 ? 0 : 1);
    RunResult expected;
    if (comm.rank() == 0) {
      expected = run(first, alone, "", nullptr);
    }
    comm::barrier(comm);
    const RunResult found = run(comm, warm, "", nullptr);
    CHECK(found.iterations == 2);
    CHECK(content(folder + "/warm/flow.blocks") == content(folder + "/alone/flow.blocks"));
    const RunResult without = run(comm, cold, "", nullptr);
    CHECK(found.residual < without.residual);
    comm::barrier(comm);
  }
}

TEST_CASE("more snapshots take what harmonics of fewer have there, exactly") {
  for (const auto& [few, many] : {std::pair{3, 9}, {5, 7}, {1, 5}, {7, 17}}) {
    const std::vector<double> matrix = spectral_values(few, many);
    for (int k = 0; 2 * k < few; ++k) {
      const auto wave = [k](int n, int of) {
        return std::cos(2 * std::numbers::pi * k * n / of + 0.3) + 0.1 * k;
      };
      for (int row = 0; row < many; ++row) {
        double sum = 0;
        for (int n = 0; n < few; ++n) {
          sum += matrix[static_cast<std::size_t>(row * few + n)] * wave(n, few);
        }
        CHECK(sum == doctest::Approx(wave(row, many)).epsilon(1e-12));
      }
    }
  }
  const comm::Comm comm; // alone
  const Grid grid = cylinder(comm, {16, 8, 1}, {2, 1, 1}, 4);
  Solution few(comm, grid, {}, 0.3, 3);
  Solution many(comm, grid, {}, 0.3, 9);
  few.set_undisturbed();
  few.conserved()[few.begin_of(0, 2) + grid.own[0].extent.at(1, 1, 0)] = 2; // the third one alone
  add_harmonics(few, many);
  const std::vector<double> matrix = spectral_values(3, 9);
  for (int s = 0; s < 9; ++s) {
    const std::size_t begin = many.begin_of(0, s);
    CHECK(many.conserved()[begin + grid.own[0].extent.at(0, 0, 0)] == doctest::Approx(1));
    CHECK(many.conserved()[begin + grid.own[0].extent.at(1, 1, 0)] ==
          doctest::Approx(1 + matrix[static_cast<std::size_t>(3 * s + 2)]));
  }
}

TEST_CASE("more harmonics before than there are in the end are refused") {
  const WorkingFolder own;
  const std::string text = section + pitching +
                           "[time]\nkind = \"harmonic\"\nharmonics = 2\n[run]\nfewer-harmonics "
                           "= [4, 3]\n";
  CHECK(message_of([&] { static_cast<void>(read(text, "out")); })
            .find("iterations with 1, 2, … harmonics, up to 2, and this case has 2; make the list "
                  "shorter") != std::string::npos);
}

TEST_CASE("a run in time is refused to warm up") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder own;
  const std::string said = message_of([&] {
    static_cast<void>(read(
        plate + "[time]\nkind = \"dual\"\nstep = 0.1\nsteps = 2\n[run]\nwarm-up = [4]\n", "out"));
  });
  CHECK(said.find("flows in time begin on their own grid") != std::string::npos);
  CHECK(said.find("case.toml:") != std::string::npos);
}
