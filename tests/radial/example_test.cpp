// SPDX-License-Identifier: BSD-3-Clause
// The example of docs/mappings.md, which is compiled beside this.
#include "isthmus/mesh/mesh.hpp"

#include <doctest/doctest.h>

#include <span>
#include <vector>

using namespace isthmus;

std::vector<double> map(const mesh::Mesh& mesh, std::span<const double> values,
                        std::span<const double> points);

TEST_CASE("the example of the documentation maps a linear function exactly") {
  mesh::Mesh mesh("M", 2);
  mesh.add_vertices(std::vector{0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0});
  const auto mapped = map(mesh, std::vector{0.0, 1.0, 2.0, 3.0}, std::vector{0.25, 0.5});
  CHECK(mapped[0] == doctest::Approx(1.25));
}
