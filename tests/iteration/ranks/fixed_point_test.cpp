// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/iteration/fixed_point.hpp"

#include "isthmus/acceleration/make.hpp"
#include "iteration/one_mesh.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <memory>
#include <utility>
#include <vector>

namespace isthmus::iteration {

namespace {

using Verdict = FixedPoint::Verdict;
using Values = std::vector<double>;

/// What is measured of a window that ends at time 1: "x", relative to its own size.
void measure_x(OneMesh& one, double limit) {
  config::ConvergenceMeasure measure;
  measure.kind = config::MeasureKind::relative;
  measure.data = "x";
  measure.mesh = "B-Mesh";
  measure.limit = limit;
  one.scheme().measures = {measure};
}

void accelerate(OneMesh& one) {
  one.scheme().acceleration.emplace();
}

FixedPoint make(OneMesh& one, const comm::Comm& comm,
                std::unique_ptr<acceleration::Accelerator> accelerator) {
  return {one.configuration.schemes.front(),
          one.configuration.data,
          "B",
          one.fields,
          std::move(accelerator),
          comm};
}

/// Both participants answer, one after the other: "x" = y + (1, 2) at the vertices, "y" = x / 2.
void answer(OneMesh& one, double end) {
  const Values y = one.last("y");
  const Values x{y[0] + 1, y[1] + 2};
  for (const char* const data : {"x", "y"}) {
    one.field(data).wave().drop_after(end - 1);
  }
  one.append("x", end, x);
  one.append("y", end, {x[0] / 2, x[1] / 2});
}

/// Iterates one window; the number of iterations.
int run_window(OneMesh& one, FixedPoint& point, double start) {
  Trace trace(Detail::nothing);
  for (int iteration = 1;; ++iteration) {
    answer(one, start + 1);
    if (point.iterate(start, iteration, trace) != Verdict::repeat) {
      return iteration;
    }
    REQUIRE(iteration < 200);
  }
}

} // namespace

TEST_CASE("a relaxed iteration replaces the answers by means of them and what was given") {
  const comm::Comm comm(MPI_COMM_WORLD);
  OneMesh one(2);
  measure_x(one, 1e-9);
  accelerate(one);
  FixedPoint point = make(one, comm, acceleration::make_constant(0.25));
  Trace trace(Detail::nothing);
  one.append("x", 0, {0, 0});
  one.append("y", 0, {8, 4}); // what "B" sends: x_0 of it, that of "x" is zero
  point.start();
  one.append("x", 1, {4, 8});
  one.append("y", 1, {0, 8});
  CHECK(point.iterate(0, 1, trace) == Verdict::repeat);
  CHECK(one.last("x") == Values{1, 2});
  CHECK(one.last("y") == Values{6, 5});
  CHECK(point.convergence().values()[0] == 1);
  one.field("x").wave().drop_after(0);
  one.field("y").wave().drop_after(0);
  one.append("x", 1, {5, 2}); // given were (1, 2)
  one.append("y", 1, {6, 9}); // and (6, 5)
  CHECK(point.iterate(0, 2, trace) == Verdict::repeat);
  CHECK(one.last("x") == Values{2, 2});
  CHECK(one.last("y") == Values{6, 6});
}

TEST_CASE(
    "where a window ends earlier when it is repeated, what was given is taken at its new end") {
  const comm::Comm comm(MPI_COMM_WORLD);
  for (const bool remembers : {false, true}) { // by a constant, or by what Aitken makes of it
    CAPTURE(remembers);
    OneMesh one(2);
    one.scheme().min_iterations = 3;
    accelerate(one);
    FixedPoint point =
        make(one, comm,
             remembers ? acceleration::make_aitken({0.5, {}}) : acceleration::make_constant(0.5));
    Trace trace(Detail::nothing);
    one.append("x", 0, {0, 0});
    one.append("y", 0, {8, 4});
    point.start();
    one.append("x", 2, {0, 0});
    one.append("y", 2, {0, 8});
    CHECK(point.iterate(0, 1, trace) == Verdict::repeat);
    CHECK(one.last("y") == Values{4, 6}); // so (6, 5) in the middle
    one.field("x").wave().drop_after(0);
    one.field("y").wave().drop_after(0);
    one.append("x", 1, {0, 0});
    one.append("y", 1, {5, 0.5});
    CHECK(point.iterate(0, 2, trace) == Verdict::repeat);
    const double factor = remembers ? 0.5 * 90 / 121.25 : 0.5; // residuals (-8, 4), (-1, -4.5)
    CHECK(one.last("y")[0] == doctest::Approx(6 - factor));
    CHECK(one.last("y")[1] == doctest::Approx(5 - 4.5 * factor));
  }
}

TEST_CASE("windows are iterated until they have converged to the solution") {
  const comm::Comm comm(MPI_COMM_WORLD);
  OneMesh one(2);
  measure_x(one, 1e-12);
  accelerate(one);
  FixedPoint point = make(one, comm, acceleration::make_aitken({0.5, {}}));
  one.append("x", 0, {0, 0});
  one.append("y", 0, {0, 0});
  point.start();
  CHECK(run_window(one, point, 0) > 2);
  CHECK(one.last("x")[0] == doctest::Approx(2)); // x = x / 2 + 1
  CHECK(one.last("x")[1] == doctest::Approx(4));
  CHECK(run_window(one, point, 1) <= 2); // which begins with the solution
}

TEST_CASE("without an acceleration the answers are used as they are, up to the last iteration") {
  const comm::Comm comm(MPI_COMM_WORLD);
  OneMesh one(2);
  measure_x(one, 1e-12);
  one.scheme().max_iterations = 3;
  FixedPoint point = make(one, comm, nullptr);
  CHECK(!point.counters());
  Trace trace(Detail::nothing);
  one.append("x", 0, {0, 0});
  one.append("y", 0, {0, 0});
  point.start();
  for (int iteration = 1; iteration <= 3; ++iteration) {
    answer(one, 1);
    const Values before = one.last("x");
    CHECK(point.iterate(0, iteration, trace) ==
          (iteration < 3 ? Verdict::repeat : Verdict::exhausted));
    CHECK(one.last("x") == before);
  }
}

TEST_CASE("who goes on from what was kept iterates as if nothing had happened") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const auto make_accelerator = [&comm] {
    return acceleration::make_iqn_ils(acceleration::QuasiNewtonSettings{}, comm);
  };
  OneMesh one(2);
  measure_x(one, 1e-10);
  accelerate(one);
  FixedPoint point = make(one, comm, make_accelerator());
  one.append("x", 0, {0, 0});
  one.append("y", 0, {0, 0});
  point.start();
  run_window(one, point, 0);

  Writer shared;
  SampleQueue kept;
  point.save(shared, kept);
  OneMesh other(2);
  measure_x(other, 1e-10);
  accelerate(other);
  other.append("x", 1, one.last("x"));
  other.append("y", 1, one.last("y"));
  FixedPoint resumed = make(other, comm, make_accelerator());
  resumed.start();
  SampleQueue found; // as at its own vertices
  for (const char* const data : {"x", "y"}) {
    for (const Values& values : kept.all()[&one.field(data)]) {
      found.keep(other.field(data), values);
    }
  }
  const std::vector<std::byte> bytes = shared.take();
  Reader reader(bytes);
  resumed.restore(reader, 1, found);
  reader.finish();

  one.append("y", 1.5, {9, 9}); // both solvers are disturbed in the same way
  other.append("y", 1.5, {9, 9});
  CHECK(run_window(one, point, 1) == run_window(other, resumed, 1));
  CHECK(one.last("x") == other.last("x"));
  CHECK(one.last("y") == other.last("y"));
}

TEST_CASE("on other vertices the iteration begins with zeros") {
  const comm::Comm comm(MPI_COMM_WORLD);
  OneMesh one(2);
  measure_x(one, 1e-9);
  accelerate(one);
  FixedPoint point = make(one, comm, acceleration::make_constant(0.5));
  one.append("x", 0, {0, 0});
  one.append("y", 0, {0, 0});
  point.start();
  run_window(one, point, 0);
  for (const char* const data : {"x", "y"}) {
    one.field(data).resize(1);
    one.append(data, 1, {7});
  }
  point.renew(1);
  one.append("x", 2, {4});
  one.append("y", 2, {8});
  Trace trace(Detail::nothing);
  CHECK(point.iterate(1, 1, trace) == Verdict::repeat);
  CHECK(one.last("x") == Values{2});
  CHECK(one.last("y") == Values{4});
}

} // namespace isthmus::iteration
