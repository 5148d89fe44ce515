// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/sequence.hpp"

#include <doctest/doctest.h>

#include <vector>

TEST_CASE("released vectors hold no memory") {
  std::vector<double> values(1000, 1.0);
  std::vector<int> ids(1000, 1);
  isthmus::release(values, ids);
  CHECK(values.empty());
  CHECK(values.capacity() == 0);
  CHECK(ids.empty());
  CHECK(ids.capacity() == 0);
}
