// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mapping/radial_basis.hpp"
#include "isthmus/mapping/radial_interpolant.hpp"
#include "isthmus/mesh/mesh.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::mapping {

namespace {

class GlobalRadialBasis final : public Mapping {
 public:
  GlobalRadialBasis(const mesh::Mesh& mesh, RadialBasisSettings settings)
      : mesh_(mesh), settings_(std::move(settings)) {
    settings_.dead[2] = settings_.dead[2] || mesh.dimensions() == 2;
  }

  Interpolation interpolate(std::span<const double> coordinates) const override {
    const Cloud cloud = cloud_of(mesh_, settings_.dead, settings_.place);
    const std::vector<geometry::Point> points =
        points_of(mesh_.dimensions(), coordinates, settings_.dead);
    const std::size_t size = cloud.points.size();
    Interpolation result;
    result.counts.assign(points.size(), static_cast<LocalIndex>(size));
    result.distances2.assign(points.size(), size > 0 ? 0.0 : geometry::Box::infinity);
    if (size == 0 || points.empty()) {
      return result;
    }
    const RadialInterpolant interpolant(settings_, cloud.points);
    result.columns.reserve(points.size() * size);
    result.weights.reserve(points.size() * size);
    constexpr std::size_t block = 256; // bounds the memory of the solution
    for (std::size_t first = 0; first < points.size(); first += block) {
      const auto part = std::span(points).subspan(first, std::min(block, points.size() - first));
      const std::vector<double> weights = interpolant.weights(part);
      result.weights.insert(result.weights.end(), weights.begin(), weights.end());
      for (std::size_t i = 0; i < part.size(); ++i) {
        result.columns.insert(result.columns.end(), cloud.vertices.begin(), cloud.vertices.end());
      }
    }
    return result;
  }

 private:
  const mesh::Mesh& mesh_;
  RadialBasisSettings settings_;
};

} // namespace

std::unique_ptr<Mapping> make_global_radial_basis(const mesh::Mesh& mesh,
                                                  RadialBasisSettings settings) {
  return std::make_unique<GlobalRadialBasis>(mesh, std::move(settings));
}

} // namespace isthmus::mapping
