// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/latest_values.hpp"

#include <doctest/doctest.h>

#include <span>
#include <vector>

using namespace isthmus;
using fields::Field;
using outputs::LatestValues;

namespace {

using Values = std::vector<double>;

Values copy(std::span<const double> values) {
  return {values.begin(), values.end()};
}

Field make(int derivatives = 0) {
  Field field("Mesh", "Heat", 1, 1, derivatives);
  field.resize(2);
  return field;
}

/// What the solver writes in a step, up to where it is sent and leaves the field.
void send(LatestValues& latest, Field& field, double time, const Values& values) {
  field.write(std::vector<LocalIndex>{0, 1}, values);
  field.store_written(time);
  latest.take_written();
  field.wave().clear();
}

} // namespace

TEST_CASE("what was written is the latest from the end of the window on") {
  Field field = make();
  LatestValues latest;
  latest.observe(field, true);
  CHECK(field.observed() == Field::Observed::window_ends);
  CHECK(latest.of(field).empty()); // there were none
  send(latest, field, 1, {3, 4});
  CHECK(latest.of(field).empty());
  latest.keep();
  CHECK(copy(latest.of(field)) == Values{3, 4});
  send(latest, field, 1.5, {5, 6});
  send(latest, field, 2, {7, 8});
  CHECK(copy(latest.of(field)) == Values{3, 4});
  latest.keep();
  CHECK(copy(latest.of(field)) == Values{7, 8});
  latest.keep(); // nothing was written since
  CHECK(copy(latest.of(field)) == Values{7, 8});
}

TEST_CASE("a window that is repeated leaves the latest as it was at its start") {
  Field field = make();
  LatestValues latest;
  latest.observe(field, true);
  send(latest, field, 1, {1, 2});
  latest.keep();
  for (const double iteration : {10, 20}) {
    send(latest, field, 2, {iteration, iteration});
    latest.discard();
    CHECK(copy(latest.of(field)) == Values{1, 2});
  }
  latest.keep();
  CHECK(copy(latest.of(field)) == Values{1, 2}); // what was discarded does not come back
  send(latest, field, 2, {30, 40});
  latest.keep();
  CHECK(copy(latest.of(field)) == Values{30, 40});
}

TEST_CASE("of what arrives the last sample is the latest, or what is read at a time") {
  Field field = make();
  LatestValues latest;
  latest.observe(field, false);
  CHECK(latest.of(field).empty());
  CHECK(latest.at(field, 1).empty());
  CHECK(latest.kept(field) == nullptr);
  field.wave().append(1, {2, 4});
  CHECK(copy(latest.at(field, 0)) == Values{2, 4});
  field.wave().append(2, {4, 8}); // of a window that lies ahead
  CHECK(copy(latest.of(field)) == Values{4, 8});
  CHECK(copy(latest.at(field, 1)) == Values{2, 4});
  CHECK(copy(latest.at(field, 1.5)) == Values{3, 6});
  latest.take_written();
  latest.keep();
  CHECK(copy(latest.of(field)) == Values{4, 8});
}

TEST_CASE("at any time, what was written is the latest") {
  Field field = make();
  LatestValues latest;
  latest.observe(field, true);
  send(latest, field, 1, {1, 2});
  latest.keep();
  field.wave().append(1, {5, 5});
  field.wave().append(2, {6, 6});
  CHECK(copy(latest.at(field, 1.5)) == Values{1, 2});
}

TEST_CASE("gradients are left out") {
  Field read = make(2);
  Field written = make(2);
  LatestValues latest;
  latest.observe(read, false);
  latest.observe(written, true);
  read.wave().append(1, {1, 70, 71, 2, 72, 73});
  CHECK(copy(latest.of(read)) == Values{1, 2});
  read.wave().append(2, {3, 70, 71, 6, 72, 73});
  CHECK(copy(latest.at(read, 1.5)) == Values{2, 4});
  written.wave().append(1, {8, 70, 71, 9, 72, 73});
  latest.take_written();
  latest.keep();
  CHECK(copy(latest.of(written)) == Values{8, 9});
}

TEST_CASE("values of a mesh that has changed are forgotten until the end of the window") {
  Field field = make();
  Field other("Other", "Heat", 1, 1);
  other.resize(2);
  LatestValues latest;
  latest.observe(field, true);
  latest.observe(other, true);
  for (Field* one : {&field, &other}) {
    send(latest, *one, 1, {1, 2});
  }
  latest.keep();
  latest.forget(field);
  CHECK(latest.of(field).empty());
  CHECK(copy(latest.of(other)) == Values{1, 2});
  send(latest, field, 2, {3, 4});
  latest.keep();
  CHECK(copy(latest.of(field)) == Values{3, 4});
  Field unknown = make();
  latest.forget(unknown); // nobody looks at it
}

TEST_CASE("a run that continues another goes on with its latest values") {
  Field field = make();
  LatestValues first;
  first.observe(field, true);
  REQUIRE(first.kept(field) != nullptr);
  CHECK(first.kept(field)->empty());
  send(first, field, 1, {1, 2});
  first.keep();
  send(first, field, 2, {9, 9}); // of the window that did not end
  LatestValues second;
  second.observe(field, true);
  second.keep(field, *first.kept(field));
  CHECK(copy(second.of(field)) == Values{1, 2});
  second.discard();
  CHECK(copy(second.of(field)) == Values{1, 2});
}
