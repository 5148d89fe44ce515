// SPDX-License-Identifier: BSD-3-Clause
#include "boxes.hpp"
#include "convection/numerics/blocks.hpp"
#include "convection/numerics/flow.hpp"
#include "message_of.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace isthmus;
using namespace isthmus::convection;
using exchange::SumStrategy;

namespace {

/// A cube whose lid moves, steady: the flow and the linear iterations of each Newton iteration.
double solve_lid(const comm::Comm& comm, int cells, Preparation preparation, SumStrategy sums,
                 std::vector<double>& values) {
  const Mesh mesh = cube(comm, cells);
  const Edges edges = make_edges(mesh);
  Flow flow(comm, mesh, edges, sums, preparation);
  flow.set_fixed(at_boundary(mesh, 4, 1), false);
  values.assign(4 * mesh.tets.num_nodes(), 0);
  for (const LocalIndex node : mesh.group("z-max").nodes) {
    values[4 * static_cast<std::size_t>(node)] = 1;
  }
  NewtonSettings settings;
  settings.relative = 1e-7;
  const NewtonReport report = flow.solve({0.02, {}}, {}, settings, values);
  return static_cast<double>(report.linear_iterations) / report.iterations;
}

} // namespace

TEST_CASE("factors without fill are exact where there is no fill" * on_ranks(1, 1)) {
  constexpr std::size_t rows = 5;
  std::vector<EdgeEnds> chain;
  for (LocalIndex i = 0; i + 1 < static_cast<LocalIndex>(rows); ++i) {
    chain.push_back({i, i + 1});
  }
  const BlockPattern pattern = make_pattern(rows, chain);
  CHECK(pattern.columns.size() == 3 * rows - 2);
  CHECK(pattern.place_of(2, 3) == 7);
  std::vector<float> values;
  std::vector<double> exact, product(4 * rows, 0), found(4 * rows);
  for (std::size_t k = 0; k < 16 * pattern.columns.size(); ++k) {
    values.push_back(static_cast<float>(std::sin(1.7 * static_cast<double>(k))));
  }
  for (const std::size_t place : pattern.places) {
    for (std::size_t c = 0; c < 4; ++c) {
      values[16 * place + 5 * c] += 6;
    }
  }
  for (std::size_t n = 0; n < 4 * rows; ++n) {
    exact.push_back(std::cos(static_cast<double>(n)));
  }
  blocks4::multiply(pattern, values, exact, product);
  double by_hand = 0; // row 1 of node 2, from its columns
  for (std::size_t c = 0; c < 12; ++c) {
    by_hand += static_cast<double>(values[16 * (pattern.offsets[2] + c / 4) + 4 * (c % 4) + 1]) *
               exact[4 + c];
  }
  CHECK(product[9] == doctest::Approx(by_hand));
  BlockIlu factors;
  factors.factor(pattern, values);
  factors.solve(product, found);
  for (std::size_t n = 0; n < exact.size(); ++n) {
    CHECK(found[n] == doctest::Approx(exact[n]).epsilon(1e-5));
  }
  std::fill_n(&values[0], 16, 1.0F);
  CHECK(message_of([&] { factors.factor(pattern, values); }).find("cannot be inverted") !=
        std::string::npos);
}

TEST_CASE("the flow does not depend on what prepares its systems, nor on the way of summing") {
  const comm::Comm comm(MPI_COMM_WORLD);
  std::vector<double> values, others;
  solve_lid(comm, 5, Preparation::blocks, SumStrategy::one_round, values);
  const auto same = [&] {
    for (std::size_t n = 0; n < values.size(); ++n) {
      CHECK(std::abs(others[n] - values[n]) < 1e-5);
    }
  };
  solve_lid(comm, 5, Preparation::schwarz, SumStrategy::two_stage, others);
  same();
  for (const SumStrategy sums : {SumStrategy::allreduce, SumStrategy::allgather,
                                 SumStrategy::two_stage, SumStrategy::shared_memory}) {
    solve_lid(comm, 5, Preparation::multigrid, sums, others);
    same();
  }
}

TEST_CASE("iterations with multigrid grow little with the mesh, those with blocks as its width") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const auto growth = [&comm](Preparation preparation) {
    std::vector<double> values;
    const double coarse = solve_lid(comm, 6, preparation, SumStrategy::one_round, values);
    const double fine = solve_lid(comm, 12, preparation, SumStrategy::one_round, values);
    INFO("iterations per system ", coarse, " and ", fine);
    CHECK(fine < (preparation == Preparation::multigrid ? 14 : 1000));
    return fine / coarse;
  };
  CHECK(growth(Preparation::multigrid) < 1.7);
  CHECK(growth(Preparation::blocks) > 1.7);
}
