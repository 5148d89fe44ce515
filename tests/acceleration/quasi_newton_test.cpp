// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/make.hpp"

#include "isthmus/base/error.hpp"

#include "iterate.hpp"
#include "message_of.hpp"
#include "problems.hpp"
#include "reductions.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace isthmus;
using namespace isthmus::acceleration;

namespace {

using Made = std::unique_ptr<Accelerator>;

std::vector<Made> all_methods(const comm::Comm& comm) {
  const QuasiNewtonSettings ils{.initial_relaxation = 0.3, .time_windows_reused = 2};
  const QuasiNewtonSettings imvj{.initial_relaxation = 0.3, .time_windows_reused = 0};
  std::vector<Made> methods;
  methods.push_back(make_constant(0.2));
  methods.push_back(make_aitken({.initial_relaxation = 0.2}));
  methods.push_back(make_iqn_ils(ils, comm));
  for (const RestartMode mode : {RestartMode::none, RestartMode::zero, RestartMode::least_squares,
                                 RestartMode::svd, RestartMode::slide}) {
    methods.push_back(make_iqn_imvj(imvj, {.mode = mode, .chunk_size = 2}, comm));
  }
  return methods;
}

/// All iterates of some windows.
std::vector<State> iterates_of(Accelerator& accelerator, const comm::Comm& comm) {
  Iteration iteration(fluid_and_solid_fields, accelerator, comm);
  State x = fluid_and_solid_start();
  for (int window = 1; window <= 4; ++window) {
    x = iteration.run(x, fluid_and_solid, window, 1e-8, 20).state;
  }
  iteration.iterates.push_back(x);
  return iteration.iterates;
}

} // namespace

TEST_CASE("a linear problem of n values takes n + 1 iterations") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const std::size_t n : {1, 2, 5, 9}) {
    const QuasiNewtonSettings settings{.filter = FilterType::qr1, .filter_limit = 1e-14};
    for (const Made& newton : {make_iqn_ils(settings, comm), make_iqn_imvj(settings, {}, comm)}) {
      Iteration iteration({{"u", n}}, *newton, comm);
      const WindowResult result = iteration.run({Vector(n)}, linear, 1, 1e-9, 50);
      CHECK(result.iterations <= static_cast<int>(n) + 2); // the last one sees that it is there
      CHECK(result.counters.columns == std::min(result.iterations - 1, static_cast<int>(n)));
      CHECK(result.counters.columns + result.counters.dropped == result.iterations - 1);
    }
  }
}

TEST_CASE("the number of ranks does not change a bit, nor does another run") {
  const comm::Comm world(MPI_COMM_WORLD);
  const comm::Comm serial;
  const std::vector<Made> parallel_methods = all_methods(world);
  const std::vector<Made> serial_methods = all_methods(serial);
  for (std::size_t m = 0; m < serial_methods.size(); ++m) {
    CAPTURE(m);
    const auto expected = iterates_of(*serial_methods[m], serial);
    CHECK(iterates_of(*parallel_methods[m], world) == expected);
    CHECK(iterates_of(*parallel_methods[m], world) == expected);
  }
}

TEST_CASE("an iteration needs one reduction, however many columns there are") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const int per_sum = comm.size() > 1 ? 1 : 0;
  for (const Made& method : all_methods(comm)) {
    Iteration iteration({{"u", 9}}, *method, comm);
    State x{Vector(9)};
    for (int window = 1; window <= 3; ++window) {
      const int before = num_reductions();
      const WindowResult result = iteration.run(x, linear, window, 1e-10, 12);
      const int restarts = 2; // where a Jacobian is compressed or found anew, and W with it
      CHECK(num_reductions() - before >= per_sum * result.iterations);
      CHECK(num_reductions() - before <= per_sum * (result.iterations + restarts));
      x = result.state;
    }
  }
}

TEST_CASE("solvers that do not react are no reason to fail") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const Made& method : all_methods(comm)) {
    Iteration iteration({{"u", 4}, {"v", 3}}, *method, comm);
    const auto constant = [](const State&, int) { return State{Vector(4, 2.0), Vector(3)}; };
    const auto moving_away = [](const State& x, int) { // the residual never changes
      State h = x;
      for (double& value : h[0]) {
        value += 1;
      }
      return h;
    };
    const WindowResult still = iteration.run({Vector(4), Vector(3)}, constant, 1, 1e-12, 9);
    CHECK(still.state[0] == Vector(4, 2.0));
    CHECK(still.state[1] == Vector(3));
    const WindowResult away = iteration.run({Vector(4), Vector(3)}, moving_away, 2, 1e-12, 9);
    CHECK(away.iterations == 9);
    CHECK(std::isfinite(away.state[0][0]));
    const auto nothing = [](const State& x, int) { return x; };
    CHECK(iteration.run({Vector(4), Vector(3)}, nothing, 3, 1e-12, 9).iterations == 1);
  }
}

TEST_CASE("columns that repeat are deleted and counted") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Made newton = make_iqn_ils({.initial_relaxation = 0.5, .filter_limit = 1e-16}, comm);
  Iteration iteration({{"u", 5}}, *newton, comm);
  int call = 0;
  const auto alternating = [&call](const State& x, int) { // r = ±1, whatever x is
    State h = x;
    ++call;
    for (double& value : h[0]) {
      value += call % 2 == 0 ? 1 : -1;
    }
    return h;
  };
  const WindowResult result = iteration.run({Vector(5)}, alternating, 1, 1e-12, 8);
  CHECK(result.counters.deleted == 5);
  CHECK(result.counters.columns == 2);
}

TEST_CASE("old and surplus columns are dropped and counted") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Made newton = make_iqn_ils(
      {.max_used_iterations = 3, .time_windows_reused = 1, .filter_limit = 1e-14}, comm);
  Iteration iteration({{"u", 9}}, *newton, comm);
  Counters counters = iteration.run({Vector(9)}, linear, 1, 1e-12, 6).counters;
  CHECK(counters.columns == 3);
  CHECK(counters.deleted == 0);
  CHECK(counters.dropped == 2);
  counters = iteration.run({Vector(9)}, linear, 2, 1e-12, 2).counters;
  CHECK(counters.columns == 1); // after those that are too old are gone
  CHECK(counters.dropped == 3); // one surplus, two too old
  CHECK(counters.deleted == 0);
}

TEST_CASE("windows of one iteration are not counted among those that are reused") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Made newton = make_iqn_ils({.time_windows_reused = 1, .filter_limit = 1e-14}, comm);
  Iteration iteration({{"u", 9}}, *newton, comm);
  State x = iteration.run({Vector(9)}, linear, 1, 1e-12, 4).state;
  for (int window = 2; window <= 4; ++window) {
    const WindowResult result = iteration.run(x, linear, window, 1e-12, 1);
    CHECK(result.counters.columns == 3);
    CHECK(result.counters.dropped == 0);
    x = result.state;
  }
  CHECK(iteration.run(x, linear, 5, 1e-12, 2).counters.columns == 1);
}

TEST_CASE("relaxation goes on until a window has had a second iteration") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Made newton = make_iqn_ils({.initial_relaxation = 0.25}, comm);
  Iteration iteration({{"u", 3}}, *newton, comm);
  const auto problem = [](const State& x, int window) {
    return State{Vector(3, window + 0.5 * x[0][0])};
  };
  const auto first_step = [&](double x, int window) {
    const std::size_t first = iteration.iterates.size();
    iteration.run({Vector(3, x)}, problem, window, 1e-12, 2);
    return iteration.iterates[first + 1][0][0];
  };
  iteration.run({Vector(3)}, problem, 1, 1e-12, 1); // no step at all
  CHECK(first_step(0, 2) == doctest::Approx(0.25 * 2));
  CHECK(first_step(0, 3) == doctest::Approx(6)); // the solution, with the column of window 2
}

TEST_CASE("without windows to reuse, the first step of a window uses the columns of the last") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const bool enforce : {false, true}) {
    const Made newton = make_iqn_ils({.initial_relaxation = 0.25,
                                      .enforce_initial_relaxation = enforce,
                                      .time_windows_reused = 0},
                                     comm);
    Iteration iteration({{"u", 3}}, *newton, comm);
    const auto problem = [](const State& x, int window) {
      return State{Vector(3, window + 0.5 * x[0][0])};
    };
    CHECK(iteration.run({Vector(3)}, problem, 1, 1e-12, 2).counters.columns == (enforce ? 0 : 1));
    const Counters counters = iteration.run({Vector(3)}, problem, 2, 1e-12, 2).counters;
    CHECK(iteration.iterates[3][0][0] == doctest::Approx(enforce ? 0.25 * 2 : 4));
    CHECK(counters.dropped == 0);
  }
}

TEST_CASE("an iteration that is only relaxed changes no weights") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const bool enforce : {false, true}) {
    const Made newton =
        make_iqn_ils({.initial_relaxation = 0.5, .enforce_initial_relaxation = enforce}, comm);
    Iteration iteration({{"u", 3}, {"v", 3}}, *newton, comm);
    const auto problem = [](const State& x, int) {
      return State{Vector(3, 1 + 0.5 * x[1][0]), Vector(3, 100 - 8 * x[0][0])};
    };
    iteration.run({Vector(3), Vector(3)}, problem, 1, 1e-12, 3);
    const Vector weights = newton->save()[0].values;
    const State& x = iteration.iterates[1]; // of the second iteration alone
    const State h = problem(x, 1);
    const double u = h[0][0] - x[0][0];
    const double v = h[1][0] - x[1][0];
    CHECK(weights[0] == doctest::Approx(std::hypot(u, v) / std::abs(u)));
    CHECK(weights[1] == doctest::Approx(std::hypot(u, v) / std::abs(v)));
  }
}

namespace {

constexpr PreconditionerType changing[] = {PreconditionerType::residual_sum,
                                           PreconditionerType::value, PreconditionerType::residual};

/// Of two fields after each of four windows, with very different values.
std::vector<Vector> weights_of_windows(PreconditionerType kind, int freeze_after) {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Made newton = make_iqn_ils(
      {.initial_relaxation = 0.5, .preconditioner = {kind, false, freeze_after}}, comm);
  Iteration iteration({{"u", 5}, {"v", 5}}, *newton, comm);
  const auto problem = [](const State& x, int window) {
    State h = x;
    for (std::size_t i = 0; i < 5; ++i) {
      h[0][i] = window + 0.5 * std::sin(x[1][i] + static_cast<double>(i));
      h[1][i] = 100 - std::pow(10, window) * std::cos(x[0][i] * (1 + static_cast<double>(i)));
    }
    return h;
  };
  std::vector<Vector> weights;
  for (int window = 1; window <= 4; ++window) {
    iteration.run({Vector(5), Vector(5)}, problem, window, 1e-12, 4);
    const Vector all = newton->save()[0].values;
    weights.emplace_back(all.begin(), all.begin() + 2);
  }
  return weights;
}

} // namespace

TEST_CASE("weights stay after as many windows as freeze-after says") {
  for (const PreconditionerType kind : changing) {
    const std::vector<Vector> weights = weights_of_windows(kind, 2);
    CHECK(weights[1] != weights[0]);
    CHECK(weights[2] == weights[1]);
    CHECK(weights[3] == weights[1]);
  }
}

TEST_CASE("weights never stay where freeze-after is 0, nor where it is -1") {
  for (const PreconditionerType kind : changing) {
    const std::vector<Vector> weights = weights_of_windows(kind, 0);
    CHECK(weights[1] != weights[0]);
    CHECK(weights[2] != weights[1]);
    CHECK(weights[3] != weights[2]);
    CHECK(weights == weights_of_windows(kind, -1));
  }
}

TEST_CASE("all ranks name the field that is not a number") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const double value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e200}) {
    for (const Made& method : all_methods(comm)) {
      Iteration iteration({{"u", 4}, {"v", 4}}, *method, comm);
      const auto broken = [value](const State& x, int) {
        State h = x;
        h[1][0] = value; // on one rank
        return h;
      };
      const std::string text = error_of([&] {
        iteration.run({Vector(4), Vector(4)}, broken, 1, 1e-6, 3);
      });
      CHECK(text.find("data \"v\" contains NaN, infinity") == 0);
    }
  }
}

TEST_CASE("secondary data follow the primary") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const Made& method : all_methods(comm)) {
    std::vector<GlobalField> fields{{"u", 5}, {"s", 5}};
    fields[1].primary = false;
    Iteration iteration(fields, *method, comm);
    const auto problem = [](const State& x, int window) { // s = 3 u
      State h{linear({x[0]}, window)[0], {}};
      for (const double value : h[0]) {
        h[1].push_back(3 * value);
      }
      return h;
    };
    State x{Vector(5), Vector(5)};
    for (int window = 1; window <= 3; ++window) {
      x = iteration.run(x, problem, window, 1e-9, 7).state;
    }
    for (const State& iterate : iteration.iterates) {
      for (std::size_t i = 0; i < 5; ++i) {
        CHECK(iterate[1][i] == doctest::Approx(3 * iterate[0][i]).epsilon(1e-7));
      }
    }
  }
}

TEST_CASE("only the last sample enters a reduced time grid") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Made newton = make_iqn_ils({.filter_limit = 1e-14}, comm);
  const Made single = make_iqn_ils({.filter_limit = 1e-14}, comm);
  Iteration sampled({{"u", 4, 2}}, *newton, comm);
  Iteration last({{"u", 4}}, *single, comm);
  const auto problem = [](const State& x, int window) { // the first sample does as it likes
    const Vector end = linear({Vector(x[0].begin() + 4, x[0].end())}, window)[0];
    Vector all(end);
    for (double& value : all) {
      value = std::sin(7 * value);
    }
    all.insert(all.end(), end.begin(), end.end());
    return State{all};
  };
  sampled.run({Vector(8)}, problem, 1, 0, 6);
  last.run({Vector(4)}, linear, 1, 0, 6);
  for (std::size_t k = 0; k < last.iterates.size(); ++k) {
    const Vector& both = sampled.iterates[k][0];
    CHECK(Vector(both.begin() + 4, both.end()) == last.iterates[k][0]);
  }
}

TEST_CASE("a restart goes on as if nothing had happened") {
  const comm::Comm comm(MPI_COMM_WORLD);
  std::vector<Made> whole = all_methods(comm);
  std::vector<Made> first = all_methods(comm);
  std::vector<Made> second = all_methods(comm);
  const auto run = [](Iteration& iteration, State x, int begin, int end) {
    for (int window = begin; window <= end; ++window) {
      x = iteration.run(x, fluid_and_solid, window, 1e-8, 20).state;
    }
    return x;
  };
  for (std::size_t m = 0; m < whole.size(); ++m) {
    CAPTURE(m);
    Iteration uninterrupted(fluid_and_solid_fields, *whole[m], comm);
    const State expected = run(uninterrupted, fluid_and_solid_start(), 1, 6);
    Iteration before(fluid_and_solid_fields, *first[m], comm);
    const State middle = run(before, fluid_and_solid_start(), 1, 3);
    Iteration after(fluid_and_solid_fields, *second[m], comm);
    second[m]->restore(first[m]->save());
    CHECK(run(after, middle, 4, 6) == expected);
  }
  const std::string text = error_of([&] { second[2]->restore({}); });
  CHECK(text.find("restart with the same acceleration") != std::string::npos);
}

TEST_CASE("a Jacobian that is never restarted stops growing") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Made newton = make_iqn_imvj({.initial_relaxation = 0.3, .time_windows_reused = 0},
                                    {.mode = RestartMode::none}, comm);
  Iteration iteration({{"u", 9}}, *newton, comm);
  State x{Vector(9)};
  std::size_t largest = 0;
  int iterations = 0;
  for (int window = 1; window <= 40; ++window) {
    const WindowResult result = iteration.run(
        x,
        [](const State& y, int w) {
          State h = linear(y, w);
          for (std::size_t i = 0; i < 9; ++i) {
            h[0][i] = 0.3 * h[0][i] + 0.2 * std::sin(y[0][i] + w);
          }
          return h;
        },
        window, 1e-9, 40);
    CHECK(result.iterations < 40);
    iterations += result.iterations;
    x = result.state;
    std::size_t values = 0;
    for (const StateArray& array : newton->save()) {
      values += array.values.size();
    }
    largest = std::max(largest, values);
  }
  CHECK(iterations < 450);
  CHECK(largest < 2 * 9 * 100);
}
