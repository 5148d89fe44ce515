// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/rows.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/radial/clusters/partition_of_unity.hpp"
#include "isthmus/radial/radial_basis.hpp"

#include "mapping/grid_triangles.hpp"
#include "sanitized.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

using namespace isthmus;
using namespace isthmus::mapping;
using namespace isthmus::radial;
using isthmus::LocalIndex;
using isthmus::mesh::Mesh;

namespace {

/// n x n points of a curved sheet with triangles.
Mesh curved(int n) {
  Mesh mesh("Curved", 3);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const double x = static_cast<double>(i) / n;
      const double y = static_cast<double>(j) / n;
      mesh.add_vertices(std::vector{x, y, 0.2 * std::sin(3 * x + y)});
    }
  }
  mesh.add_triangles(grid_triangles(n));
  return mesh;
}

Interpolation found_with(const char* threads, const Mapping& mapping, const Mesh& asking) {
  setenv("ISTHMUS_THREADS", threads, 1);
  Interpolation found = mapping.interpolate(asking.coordinates());
  unsetenv("ISTHMUS_THREADS");
  return found;
}

} // namespace

TEST_CASE("any number of threads finds the same bits" * doctest::skip(is_sanitized)) {
  const Mesh small = curved(16);
  const Mesh mesh = curved(40);
  const Mesh asking = curved(97); // several blocks
  const radial::RadialBasisSettings basis{
      {radial::RadialFunction::Kind::compact_polynomial_c4, 0.3}};
  const std::unique_ptr<Mapping> mappings[] = {
      make_nearest_neighbor(mesh), make_nearest_projection(mesh), make_linear_cell(mesh),
      radial::make_global_radial_basis(small, basis),
      radial::make_partition_of_unity(mesh, basis, {})};
  for (const auto& mapping : mappings) {
    const Interpolation one = found_with("1", *mapping, asking);
    std::vector<double> values(static_cast<std::size_t>(mesh.num_vertices()));
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = std::sin(0.1 * static_cast<double>(i));
    }
    const Rows rows(one.counts, one.columns, one.weights);
    std::vector<double> product(one.num_points());
    rows.apply(1, values, product);
    for (const char* threads : {"2", "3"}) {
      const Interpolation more = found_with(threads, *mapping, asking);
      CHECK(one.counts == more.counts);
      CHECK(one.columns == more.columns);
      CHECK(one.weights == more.weights);
      CHECK(one.distances2 == more.distances2);
      setenv("ISTHMUS_THREADS", threads, 1);
      std::vector<double> again(product.size());
      rows.apply(1, values, again);
      unsetenv("ISTHMUS_THREADS");
      CHECK(product == again);
    }
  }
}
