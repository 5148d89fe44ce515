// SPDX-License-Identifier: BSD-3-Clause
// Every method, filter and preconditioner against dense matrices.
#include "isthmus/acceleration/make.hpp"

#include "iterate.hpp"
#include "problems.hpp"
#include "reference.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace isthmus;
using namespace isthmus::acceleration;

namespace {

double norm(const Vector& v) {
  double square = 0;
  for (const double value : v) {
    square += value * value;
  }
  return std::sqrt(square);
}

double distance(const Vector& a, const Vector& b) {
  Vector difference = a;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference[i] -= b[i];
  }
  return norm(difference);
}

struct Deviation {
  double largest = 0; // relative to the value
  int iterations = 0;
  int reductions = 0;
};

/// Feeds the reference the iterates of the accelerator and compares what each makes of them.
Deviation deviation(Accelerator& accelerator, Reference& reference) {
  const comm::Comm comm(MPI_COMM_WORLD);
  Iteration iteration(fluid_and_solid_fields, accelerator, comm);
  State x = fluid_and_solid_start();
  Deviation result;
  for (int window = 1; window <= 5; ++window) {
    const std::size_t first = iteration.iterates.size();
    const WindowResult end = iteration.run(x, fluid_and_solid, window, 1e-6, 60);
    for (std::size_t k = first; k + 1 < iteration.iterates.size(); ++k) {
      const State expected =
          reference.step(iteration.iterates[k], fluid_and_solid(iteration.iterates[k], window));
      for (std::size_t f = 0; f < fluid_and_solid_fields.size(); ++f) {
        result.largest =
            std::max(result.largest,
                     distance(iteration.iterates[k + 1][f], expected[f]) / norm(expected[f]));
      }
    }
    reference.complete_window(iteration.iterates.back(), end.state);
    CHECK(end.iterations < 60);
    result.iterations += end.iterations;
    x = end.state;
  }
  return result;
}

} // namespace

TEST_CASE("IQN-ILS steps as dense least squares do") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const FilterType filter :
       {FilterType::qr1, FilterType::qr1_absolute, FilterType::qr2, FilterType::qr3}) {
    for (const PreconditionerType kind :
         {PreconditionerType::constant, PreconditionerType::value, PreconditionerType::residual,
          PreconditionerType::residual_sum}) {
      for (const bool reduced : {true, false}) {
        CAPTURE(static_cast<int>(filter));
        CAPTURE(static_cast<int>(kind));
        CAPTURE(reduced);
        QuasiNewtonSettings settings{
            .initial_relaxation = 0.3,
            .max_used_iterations = 12,
            .time_windows_reused = 2,
            .filter = filter,
            .filter_limit = filter == FilterType::qr1_absolute ? 1e-5 : 1e-3,
            .preconditioner = {kind, !reduced, -1},
            .reduced_time_grid = reduced};
        Reference reference(fluid_and_solid_fields, settings, {});
        const Deviation result = deviation(*make_iqn_ils(settings, comm), reference);
        CHECK(result.largest < 1e-12);
      }
    }
  }
}

TEST_CASE("IQN-IMVJ steps as a dense Jacobian does") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const RestartMode mode : {RestartMode::none, RestartMode::zero, RestartMode::least_squares,
                                 RestartMode::svd, RestartMode::slide}) {
    for (const int reused : {0, 1}) {
      for (const PreconditionerType kind :
           {PreconditionerType::value, PreconditionerType::residual_sum}) {
        CAPTURE(static_cast<int>(mode));
        CAPTURE(reused);
        CAPTURE(static_cast<int>(kind));
        const QuasiNewtonSettings settings{.initial_relaxation = 0.3,
                                           .max_used_iterations = 20,
                                           .time_windows_reused = reused,
                                           .preconditioner = {kind, true, -1}};
        const bool always_build = mode == RestartMode::none && kind == PreconditionerType::value;
        const JacobianRestart restart{
            .mode = mode, .chunk_size = 2, .reused_windows = 2, .always_build = always_build};
        Reference reference(fluid_and_solid_fields, settings, restart);
        const Deviation result = deviation(*make_iqn_imvj(settings, restart, comm), reference);
        CHECK(result.largest < 1e-8);
      }
    }
  }
}
