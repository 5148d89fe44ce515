// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/step/history.hpp"

#include "isthmus/acceleration/make.hpp"
#include "iteration/one_mesh.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <vector>

namespace isthmus::coupling {

namespace {

using Values = std::vector<double>;

} // namespace

TEST_CASE("new vertices get the values of the nearest old ones") {
  const Values before{0, 0, 1, 0, 2, 0};
  const Carrier carrier(2, before, Values{1.9, 0.1, -5, 0});
  CHECK(carrier.carry(Values{1, 2, 3, 4, 5, 6}, 2) == Values{5, 6, 1, 2});
  CHECK(carrier.carry({}, 1) == Values{0, 0});
  CHECK(Carrier(2, {}, before).carry({}, 1) == Values{0, 0, 0});
}

TEST_CASE("sums stay where old vertices give their values to the nearest new ones") {
  const Values before{0, 0, 1, 0, 2, 0};
  const Carrier fewer(2, before, Values{1.9, 0.1, -5, 0}, Quantity::extensive);
  CHECK(fewer.carry(Values{1, 2, 3, 4, 5, 6}, 2) == Values{9, 12, 0, 0});
  const Carrier more(2, Values{1.9, 0.1, -5, 0}, before, Quantity::extensive);
  CHECK(more.carry(Values{7, 8}, 1) == Values{8, 0, 7});
  CHECK(Carrier(2, before, {}, Quantity::extensive).carry(Values{1, 2, 3}, 1).empty());
}

TEST_CASE("a field has its samples back on the vertices that replace the old ones") {
  iteration::OneMesh one(2);
  one.append("x", 0, {1, 2});
  one.append("x", 1, {3, 4});
  History history;
  history.keep(one.field("x"), 2, {0, 0, 1, 0});
  one.field("x").resize(3);
  history.keep(one.field("x"), 2, {7, 7, 8, 8}); // it is kept already
  REQUIRE(history.waiting() == std::vector{&one.field("x")});
  history.give_back(one.field("x"), Values{1, 0, 0, 0, 0.9, 0});
  CHECK(history.waiting().empty());
  const time::Waveform& wave = one.field("x").wave();
  REQUIRE(wave.num_samples() == 2);
  CHECK(wave.time(0) == 0);
  CHECK(Values(wave.values(0).begin(), wave.values(0).end()) == Values{2, 1, 2});
  CHECK(one.last("x") == Values{4, 3, 4});
}

TEST_CASE("an iteration goes on with what it knew of the nearest old vertices") {
  const comm::Comm comm(MPI_COMM_WORLD);
  iteration::OneMesh one(2);
  one.scheme().acceleration.emplace();
  one.scheme().max_iterations = 2;
  iteration::FixedPoint point(one.scheme(), one.configuration.data, "B", one.fields,
                              acceleration::make_constant(0.5), comm);
  Trace trace(Detail::nothing);
  point.start();
  for (int iteration = 1; iteration <= 2; ++iteration) {
    for (const char* const data : {"x", "y"}) {
      one.field(data).wave().clear();
      one.append(data, 1, {4, 6});
    }
    CHECK(point.iterate(0, iteration, trace) == (iteration == 1
                                                     ? iteration::FixedPoint::Verdict::repeat
                                                     : iteration::FixedPoint::Verdict::exhausted));
  }
  History history;
  for (const char* const data : {"x", "y"}) {
    history.keep(one.field(data), 2, {0, 0, 1, 0});
    one.field(data).resize(1);
    history.give_back(one.field(data), Values{1, 0});
    CHECK(one.last(data) == Values{6});
  }
  history.carry(point, 1);
  one.append("x", 2, {10});
  one.append("y", 2, {8});
  CHECK(point.iterate(1, 1, trace) == iteration::FixedPoint::Verdict::repeat);
  CHECK(one.last("x") == Values{8}); // half way from 6
  CHECK(one.last("y") == Values{7});
}

} // namespace isthmus::coupling
