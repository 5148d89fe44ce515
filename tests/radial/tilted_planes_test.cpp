// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/rows.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/radial/radial_basis.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace isthmus;
using Kind = radial::RadialFunction::Kind;

namespace {

/// A linear field at interleaved points.
std::vector<double> field(const std::vector<double>& points) {
  std::vector<double> values;
  for (std::size_t i = 0; i < points.size(); i += 3) {
    values.push_back(3 + 2 * points[i] - points[i + 1]);
  }
  return values;
}

/// The foot of each point in the plane x + y + z = 1.
std::vector<double> feet(std::vector<double> points) {
  for (std::size_t i = 0; i < points.size(); i += 3) {
    const double away = (points[i] + points[i + 1] + points[i + 2] - 1) / 3;
    for (std::size_t k = 0; k < 3; ++k) {
      points[i + k] -= away;
    }
  }
  return points;
}

} // namespace

TEST_CASE("a separate polynomial has no slope across a tilted plane") {
  // far from the center of their box, which lies beside the plane; three alone are a plane, too
  const std::vector<double> all{0,   0,   1,    1,    0.1, -0.1, 0.2, 0.1,
                                0.7, 0.3, 0.25, 0.45, 0.1, 0.8,  0.1};
  const std::vector<double> points{0.9, 0.8, 0.7, -0.5, 0.2, 0.1};
  const std::vector<double> expected = field(feet(points));
  const radial::RadialBasisSettings settings{
      {Kind::compact_polynomial_c4, 0.5}, radial::Polynomial::separate, {}, "here"};
  for (const std::size_t count : {all.size(), std::size_t{9}}) {
    const std::vector<double> places(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
    const mesh::Mesh tilted("Tilted", 3, places, {}, {});
    const auto found = radial::make_global_radial_basis(tilted, settings)->interpolate(points);
    std::vector<double> values(found.num_points());
    mapping::Rows(found.counts, found.columns, found.weights).apply(1, field(places), values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      CHECK(values[i] == doctest::Approx(expected[i]).epsilon(1e-10));
    }
  }
}
