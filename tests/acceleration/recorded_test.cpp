// SPDX-License-Identifier: BSD-3-Clause
// Iterates recorded from preCICE 3.4.1: two solvers with three vertices each.
#include "isthmus/acceleration/make.hpp"

#include "iterate.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace isthmus;
using namespace isthmus::acceleration;

namespace {

const Vector positions{0, 0.5, 1};

Vector temperature(const Vector& flux, int window) {
  Vector result(3);
  for (std::size_t i = 0; i < 3; ++i) {
    result[i] = std::sin(3 * positions[i]) + window + 0.5 * flux[i];
  }
  return result;
}

Vector flux(const Vector& temperature) {
  Vector result(3);
  for (std::size_t i = 0; i < 3; ++i) {
    result[i] = std::cos(2 * positions[i]) - 0.4 * temperature[i] + 0.1 * std::sin(temperature[i]);
  }
  return result;
}

void check_near(const Vector& is, const Vector& expected) {
  REQUIRE(is.size() == expected.size());
  for (std::size_t i = 0; i < is.size(); ++i) {
    CHECK(is[i] == doctest::Approx(expected[i]).epsilon(1e-9));
  }
}

} // namespace

TEST_CASE("Aitken takes the recorded steps") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const auto aitken = make_aitken({.initial_relaxation = 0.4});
  Iteration iteration({{"Flux", 3}, {"Temp", 3}}, *aitken, comm);
  const auto solvers = [](const State& x, int window) {
    return State{flux(x[1]), temperature(x[0], window)};
  };
  const WindowResult first = iteration.run({Vector(3), Vector(3)}, solvers, 1, 1e-4, 7);
  const WindowResult second = iteration.run(first.state, solvers, 2, 1e-4, 7);
  check_near(iteration.iterates[6][1],
             {1.2876546725890403, 1.9154999672460793, 0.80159093680258864});
  check_near(iteration.iterates[6][0],
             {0.57244006846831474, -0.1452758893770405, -0.66731672224086269});
  check_near(iteration.iterates[7][1],
             {1.2862200342341574, 1.9248570419155344, 0.80746164693943578});
  check_near(iteration.iterates[13][1],
             {0.86441839412349897, 1.4988000830418415, 0.39028695410939201});
}

TEST_CASE("IQN-ILS clamps as recorded") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const auto newton = make_iqn_ils(
      {.initial_relaxation = 0.9, .on_bound_violation = OnBoundViolation::clamp}, comm);
  Iteration iteration({{"Flux", 3, 1, true, 1, {0}, {0.615}}}, *newton, comm);
  const auto solvers = [](const State& x, int) {
    Vector result(3);
    for (std::size_t i = 0; i < 3; ++i) {
      result[i] = std::exp(-x[0][i]) * (1 + 0.1 * positions[i]);
    }
    return State{result};
  };
  iteration.run({Vector(3)}, solvers, 1, 1e-9, 4);
  check_near(iteration.iterates[1][0], {0.9, 0.945, 0.99});
  check_near(iteration.iterates[2][0], {0.60759776439394841, 0.615, 0.615});
  check_near(iteration.iterates[3][0], {0.59189078450376853, 0.61197285088851971, 0.615});
}

namespace {

/// Four windows of a quasi-Newton method: the last values of each, as many iterations as recorded,
/// and the first value of the iterate that the first step of the second window makes.
void check_windows(Accelerator& newton, const std::vector<GlobalField>& fields,
                   const FixedPoint& solvers, const std::vector<int>& recorded, double step) {
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::vector<Vector> converged{{0.58007040154, -0.13752787635, -0.66694030353},
                                      {0.23779299985, -0.51628950990, -0.97743967866},
                                      {-0.14880663624, -0.91459097333, -1.34198456897},
                                      {-0.54604340477, -1.29352244496, -1.73800843703}};
  Iteration iteration(fields, newton, comm);
  State x(fields.size(), Vector(3));
  for (std::size_t window = 0; window < recorded.size(); ++window) {
    const std::size_t first = iteration.iterates.size();
    const WindowResult result = iteration.run(x, solvers, static_cast<int>(window) + 1, 1e-9, 40);
    CHECK(result.iterations == recorded[window]);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(result.state[0][i] == doctest::Approx(converged[window][i]).epsilon(1e-8));
    }
    if (window == 1) {
      CHECK(iteration.iterates[first + 1][0][0] == doctest::Approx(step).epsilon(1e-5));
    }
    x = result.state;
  }
}

State one_after_the_other(const State& x, int window) {
  return {flux(temperature(x[0], window))};
}

State both_at_once(const State& x, int window) {
  return {flux(x[1]), temperature(x[0], window)};
}

} // namespace

TEST_CASE("quasi-Newton methods take the recorded steps") {
  const comm::Comm comm(MPI_COMM_WORLD);
  QuasiNewtonSettings ils{.initial_relaxation = 0.2,
                          .enforce_initial_relaxation = true,
                          .max_used_iterations = 3,
                          .time_windows_reused = 4};
  ils.preconditioner.update_on_threshold = false;
  check_windows(*make_iqn_ils(ils, comm), {{"Flux", 3}}, one_after_the_other, {7, 7, 6, 6},
                0.49589965289321836);

  QuasiNewtonSettings imvj{
      .initial_relaxation = 0.3, .max_used_iterations = 20, .time_windows_reused = 0};
  check_windows(*make_iqn_imvj(imvj, {.mode = RestartMode::none, .always_build = true}, comm),
                {{"Flux", 3}}, one_after_the_other, {7, 6, 5, 6}, 0.22526222174545962);
  check_windows(*make_iqn_imvj(imvj, {.mode = RestartMode::svd, .chunk_size = 2}, comm),
                {{"Flux", 3}, {"Temp", 3}}, both_at_once, {11, 6, 6, 6}, -0.04833671465708478);
}
