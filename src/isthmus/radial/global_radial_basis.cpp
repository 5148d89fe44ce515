// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/parallel_for.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/radial/distributed_radial_basis.hpp"
#include "isthmus/radial/radial_basis.hpp"
#include "isthmus/radial/radial_interpolant.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::radial {

namespace {

class GlobalRadialBasis final : public mapping::Mapping {
 public:
  GlobalRadialBasis(const mesh::Mesh& mesh, RadialBasisSettings settings)
      : mesh_(mesh), settings_(std::move(settings)) {
    settings_.dead[2] = settings_.dead[2] || mesh.dimensions() == 2;
  }

  mapping::Interpolation interpolate(std::span<const double> coordinates) const override {
    const mapping::Cloud cloud = mapping::cloud_of(mesh_, settings_.dead, settings_.place);
    const std::vector<geometry::Point> points =
        mapping::points_of(mesh_.dimensions(), coordinates, settings_.dead);
    const std::size_t size = cloud.points.size();
    mapping::Interpolation result;
    result.counts.assign(points.size(), static_cast<LocalIndex>(size));
    result.distances2.assign(points.size(), size > 0 ? 0.0 : geometry::Box::infinity);
    if (size == 0 || points.empty()) {
      return result;
    }
    const RadialInterpolant interpolant(settings_, cloud.points);
    result.columns.resize(points.size() * size);
    result.weights.resize(points.size() * size);
    constexpr std::size_t block = 256; // bounds the memory of the solution
    const std::size_t blocks = (points.size() + block - 1) / block;
    parallel_for(settings_.threads, blocks, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t first = begin * block; first < std::min(end * block, points.size());
           first += block) {
        const auto part = std::span(points).subspan(first, std::min(block, points.size() - first));
        const std::vector<double> weights = interpolant.weights(part);
        const auto at = static_cast<std::ptrdiff_t>(first * size);
        std::copy(weights.begin(), weights.end(), result.weights.begin() + at);
        for (std::size_t i = 0; i < part.size(); ++i) {
          std::copy(cloud.vertices.begin(), cloud.vertices.end(),
                    result.columns.begin() + at + static_cast<std::ptrdiff_t>(i * size));
        }
      }
    });
    return result;
  }

  std::unique_ptr<mapping::DistributedMapping> distribute(
      const comm::Comm& comm, std::span<const double> coordinates) const override {
    return make_distributed_radial_basis(
        comm, settings_,
        mapping::points_of(mesh_.dimensions(), mesh_.coordinates(), settings_.dead),
        mapping::points_of(mesh_.dimensions(), coordinates, settings_.dead));
  }

 private:
  const mesh::Mesh& mesh_;
  RadialBasisSettings settings_;
};

} // namespace

std::unique_ptr<mapping::Mapping> make_global_radial_basis(const mesh::Mesh& mesh,
                                                           RadialBasisSettings settings) {
  return std::make_unique<GlobalRadialBasis>(mesh, std::move(settings));
}

} // namespace isthmus::radial
