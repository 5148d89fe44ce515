// SPDX-License-Identifier: BSD-3-Clause
// The example of docs/mappings.md.
#include "isthmus/mapping/rows.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/radial/clusters/partition_of_unity.hpp"
#include "isthmus/radial/radial_basis.hpp"

#include <doctest/doctest.h>

using namespace isthmus;

namespace {

std::vector<double> map(const mesh::Mesh& mesh, std::span<const double> values,
                        std::span<const double> points) {
  const radial::RadialBasisSettings settings{
      {radial::RadialFunction::Kind::compact_polynomial_c6, 0.5}};
  const auto found = radial::make_partition_of_unity(mesh, settings, {})->interpolate(points);
  std::vector<double> result(found.num_points());
  mapping::Rows(found.counts, found.columns, found.weights).apply(1, values, result);
  return result;
}

} // namespace

TEST_CASE("the example of the documentation maps a linear function exactly") {
  mesh::Mesh mesh("M", 2);
  mesh.add_vertices(std::vector{0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0});
  const auto mapped = map(mesh, std::vector{0.0, 1.0, 2.0, 3.0}, std::vector{0.25, 0.5});
  CHECK(mapped[0] == doctest::Approx(1.25));
}
