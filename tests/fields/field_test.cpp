// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/fields/field.hpp"
#include "isthmus/base/exception.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

using isthmus::LocalIndex;
using isthmus::fields::Field;

namespace {

using Ids = std::vector<LocalIndex>;
using Values = std::vector<double>;

Values stored(Field& field, double time) {
  field.store_written(time);
  const auto values = field.wave().values(field.wave().num_samples() - 1);
  CHECK(field.wave().time(field.wave().num_samples() - 1) == time);
  return {values.begin(), values.end()};
}

Field make(int components, LocalIndex vertices) {
  Field field("Mesh", "Data", components, 1);
  field.resize(vertices);
  return field;
}

} // namespace

TEST_CASE("what is written becomes a sample, the rest of it is zero") {
  Field field = make(2, 3);
  CHECK(!field.ever_written());
  field.write(Ids{2, 0}, Values{1, 2, 3, 4});
  CHECK(field.ever_written());
  CHECK(stored(field, 1) == Values{3, 4, 0, 0, 1, 2});
  CHECK(stored(field, 2) == Values(6, 0.0)); // nothing was written since
  field.write(Ids{1}, Values{5, 6});
  CHECK(stored(field, 3) == Values{0, 0, 5, 6, 0, 0});
}

TEST_CASE("writing twice overwrites, writing in parts adds up") {
  Field field = make(1, 4);
  field.write(Ids{0, 1, 2, 3}, Values{1, 2, 3, 4});
  field.write(Ids{1, 3}, Values{7, 8});
  CHECK(stored(field, 1) == Values{1, 7, 3, 8});
  field.write(Ids{0}, Values{1});
  field.write(Ids{2, 2}, Values{5, 6});
  CHECK(stored(field, 2) == Values{1, 0, 6, 0});
  field.write(Ids{3}, Values{9});
  field.discard_written();
  CHECK(stored(field, 3) == Values(4, 0.0));
  field.write(Ids{3}, Values{9});
  field.discard_written();
  field.write(Ids{0}, Values{1});
  CHECK(stored(field, 4) == Values{1, 0, 0, 0}); // nothing of what was discarded
}

TEST_CASE("storage that is used again carries no old values") {
  Field field = make(1, 3);
  for (int round = 0; round < 3; ++round) {
    field.write(Ids{0, 1, 2}, Values{7, 8, 9});
    CHECK(stored(field, round) == Values{7, 8, 9});
    field.wave().clear();
    field.write(Ids{1}, Values{1});
    CHECK(stored(field, round) == Values{0, 1, 0});
    field.wave().clear();
  }
}

TEST_CASE("what was written before a mesh grew stays") {
  Field field = make(1, 2);
  field.write(Ids{0, 1}, Values{1, 2});
  field.resize(4);
  field.write(Ids{3}, Values{4});
  CHECK(stored(field, 0) == Values{1, 2, 0, 4});
}

TEST_CASE("a field without vertices") {
  Field field = make(3, 0);
  field.write(Ids{}, Values{});
  CHECK(stored(field, 1).empty());
}

TEST_CASE("values that are not finite are refused with their vertex") {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    for (const bool whole : {true, false}) {
      Field field = make(2, 3);
      const Ids ids = whole ? Ids{0, 1, 2} : Ids{2, 1};
      Values values(ids.size() * 2, 1.0);
      values[3] = bad;
      std::string error;
      try {
        field.write(ids, values);
      } catch (const isthmus::Error& e) {
        error = e.what();
      }
      CAPTURE(error);
      for (const std::string word : {"\"Data\"", "\"Mesh\"", "vertex id 1", "finite"}) {
        CHECK(error.find(word) != std::string::npos);
      }
    }
  }
  Field field = make(1, 1);
  field.write(Ids{0}, Values{std::numeric_limits<double>::max()});
  CHECK(stored(field, 1)[0] == std::numeric_limits<double>::max());
}

TEST_CASE("a value that is refused leaves nothing behind") {
  Field field = make(1, 2);
  const double bad = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(field.write(Ids{0, 1}, Values{1, bad}), isthmus::Error);
  CHECK(!field.ever_written());
  CHECK(stored(field, 1) == Values{0, 0});
  field.write(Ids{0, 1}, Values{3, 4});
  CHECK_THROWS_AS(field.write(Ids{0, 1}, Values{5, bad}), isthmus::Error);
  CHECK_THROWS_AS(field.write(Ids{1, 0}, Values{6, -bad}), isthmus::Error);
  CHECK(stored(field, 2) == Values{3, 4});
}
