// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/discrete/convection.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/discrete/slabs/slab_poisson.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace isthmus;
using discrete::Convection;

namespace {

/// Collective. Mean temperature of a box of `n` cells along the height.
double mean_temperature(const comm::Comm& comm, const Convection& box, int n) {
  double sum = 0; // on rank 0
  for (int j = 1; j <= n; ++j) {
    for (const double value : box.plane(Convection::t, j)) {
      sum += value;
    }
  }
  return comm::allreduce(comm, sum, comm::Op::sum) / (4.0 * n * n * n);
}

/// Value number i of a sequence without a pattern.
double noise(std::size_t i) {
  return std::sin(12.9898 * static_cast<double>(i) + 1);
}

} // namespace

TEST_CASE("slabs solve the Poisson equation of the whole box") {
  const comm::Comm comm(MPI_COMM_WORLD);
  constexpr std::size_t n = 5;
  constexpr double h = 0.25;
  const int layers = 3 + comm.rank() % 2; // of this rank
  const auto first = static_cast<std::size_t>(comm::exscan(comm, layers));
  const auto all = static_cast<std::size_t>(comm::allreduce(comm, layers, comm::Op::sum));
  const auto own = static_cast<std::size_t>(layers);
  std::vector<double> whole(all * n * n);
  double sum = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    whole[i] = noise(i);
    sum += whole[i];
  }
  for (double& value : whole) {
    value -= sum / static_cast<double>(whole.size());
  }
  discrete::SlabPoisson poisson(comm, layers, static_cast<int>(n), h);
  const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(first * n * n);
  std::vector<double> values(begin, begin + static_cast<std::ptrdiff_t>(own * n * n));
  poisson.solve(values);
  const auto solution = comm::allgather(comm, std::span<const double>(values)).values;
  REQUIRE(solution.size() == whole.size());
  double worst = 0;
  double floor = 0; // average of the first layer
  for (std::size_t i = 0; i < all; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) {
        const auto at = [&](std::size_t a, std::size_t b, std::size_t c) {
          return solution[(a * n + b) * n + c];
        };
        const double here = at(i, j, k);
        double laplacian = 0;
        laplacian += i > 0 ? at(i - 1, j, k) - here : 0;
        laplacian += i + 1 < all ? at(i + 1, j, k) - here : 0;
        laplacian += j > 0 ? at(i, j - 1, k) - here : 0;
        laplacian += j + 1 < n ? at(i, j + 1, k) - here : 0;
        laplacian += k > 0 ? at(i, j, k - 1) - here : 0;
        laplacian += k + 1 < n ? at(i, j, k + 1) - here : 0;
        worst = std::max(worst, std::abs(laplacian / (h * h) - whole[(i * n + j) * n + k]));
        floor += i == 0 ? here : 0;
      }
    }
  }
  CHECK(worst < 1e-9);
  CHECK(std::abs(floor) < 1e-9);
}

TEST_CASE("convection keeps mass and heat, whatever the number of ranks" *
          on_ranks(1, 16)) { // two layers for each rank
  const comm::Comm comm(MPI_COMM_WORLD);
  Convection box(comm, {.n = 8});
  const comm::Comm single = comm.split(comm.rank());
  Convection alone(single, {.n = 8});
  for (int step = 0; step < 60; ++step) {
    box.step();
    alone.step();
  }
  CHECK(box.divergence() < 1e-10);
  const double before = mean_temperature(comm, box, 8);
  CHECK(before == doctest::Approx(mean_temperature(single, alone, 8)).epsilon(1e-12));
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(box.nusselt()[k] == doctest::Approx(alone.nusselt()[k]).epsilon(1e-10));
    CHECK(box.largest()[k] == doctest::Approx(alone.largest()[k]).epsilon(1e-10));
  }
  const auto first = box.nusselt();
  box.step();
  const auto second = box.nusselt();
  // heat in minus heat out, between the rates of this step and the one before
  const double gain = (mean_temperature(comm, box, 8) - before) / box.dt();
  const double now = first[0] - first[1];
  const double next = second[0] - second[1];
  CHECK(std::abs(gain - now) <= std::abs(next - now) + 1e-9);
}

TEST_CASE("the rolls carry the heat that finer grids foretell" * on_ranks(1, 2)) { // long
  const comm::Comm comm(MPI_COMM_WORLD);
  // another program of the same scheme: 3.28367 at n = 12, 3.20113 at n = 16; second order
  const double limit = (16 * 16 * 3.20113 - 12 * 12 * 3.28367) / (16 * 16 - 12 * 12);
  const double foretold = limit + (3.28367 - limit) * (12 * 12) / (8 * 8);
  Convection box(comm, {.n = 8});
  for (int step = 0; step < 2200; ++step) {
    box.step();
  }
  const auto heat = box.nusselt();
  CHECK(heat[0] == doctest::Approx(foretold).epsilon(0.01));
  CHECK(std::abs(heat[0] / heat[1] - 1) < 1e-6);
}

TEST_CASE("more ranks than pairs of layers are refused" * on_ranks(5)) {
  const comm::Comm comm(MPI_COMM_WORLD);
  CHECK_THROWS_AS(Convection(comm, {.n = 2}), Error);
}
