// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/geometry/search/point_index.hpp"
#include "isthmus/la/krylov/solve.hpp"
#include "isthmus/la/matrix.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/radial/block_cholesky.hpp"
#include "isthmus/radial/nearby_points.hpp"
#include "isthmus/radial/radial_system.hpp"

#include <utility>

namespace isthmus::radial {

namespace {

using geometry::Point;

/// The values of all radial functions at some points, where they are not zero.
la::GlobalRows functions_at(std::span<const Point> points, const NearbyPoints& centers,
                            const geometry::PointIndex& index, const RadialFunction& function) {
  la::GlobalRows rows;
  std::vector<LocalIndex> near;
  for (const Point& point : points) {
    index.within(point, function.parameter, near);
    for (const LocalIndex center : near) {
      const auto c = static_cast<std::size_t>(center);
      const double value = function(mapping::distance(point, centers.points[c]));
      if (value != 0) {
        rows.add(centers.numbers[c], value);
      }
    }
    rows.end_row();
  }
  return rows;
}

/// Of equal numbers of equal places only one may be in a cloud.
void check_duplicates(const RadialBasisSettings& settings, const geometry::PointIndex& index,
                      std::span<const Point> own) {
  std::vector<LocalIndex> near;
  for (const Point& center : own) {
    index.within(center, 0.0, near);
    if (near.size() > 1) {
      refuse_duplicates(settings, center);
    }
  }
}

// The transposed solution is a result itself; nothing smooths what the residual leaves in it.
constexpr double finer = 1e-3;

class SparseSystem final : public RadialSystem {
 public:
  SparseSystem(const RadialBasisSettings& settings, la::Matrix matrix, la::Matrix evaluation)
      : settings_(settings),
        matrix_(std::move(matrix)),
        factors_(matrix_, settings.place),
        evaluation_(std::move(evaluation)) {}

  std::vector<double> interpolate(std::size_t width, std::span<const double> values) override {
    const auto centers = static_cast<std::size_t>(matrix_.num_rows());
    const auto points = static_cast<std::size_t>(evaluation_.num_rows());
    std::vector<double> result(points * width);
    for (std::size_t c = 0; c < width; ++c) {
      const auto coefficients = solve(values.subspan(c * centers, centers), settings_.tolerance);
      evaluation_.apply(coefficients, std::span(result).subspan(c * points, points));
    }
    return result;
  }

  std::vector<double> spread(std::size_t width, std::span<const double> values) override {
    const auto centers = static_cast<std::size_t>(matrix_.num_rows());
    const auto points = static_cast<std::size_t>(evaluation_.num_rows());
    std::vector<double> result;
    std::vector<double> sums(centers);
    for (std::size_t c = 0; c < width; ++c) {
      evaluation_.apply_transposed(values.subspan(c * points, points), sums);
      const auto solution = solve(sums, finer * settings_.tolerance);
      result.insert(result.end(), solution.begin(), solution.end());
    }
    return result;
  }

  std::size_t num_entries() const override {
    return num_values() + evaluation_.own().num_entries() + evaluation_.border().num_entries();
  }

  std::size_t num_values() const override {
    return matrix_.own().num_entries() + matrix_.border().num_entries();
  }

 private:
  std::vector<double> solve(std::span<const double> right, double tolerance) {
    std::vector<double> result(right.size(), 0.0);
    if (tolerance == 0) {
      factors_.apply(right, result);
      return result;
    }
    la::Settings how;
    how.method = la::Method::cg; // matrices of smooth functions are too ill-conditioned for others
    how.max_iterations = 2000;
    how.limits.stagnation = 200;
    how.relative = tolerance;
    how.monitor.keep_residuals = false;
    const la::Report report = la::solve(matrix_, factors_, right, result, how);
    check(report.is_converged() || report.true_residual <= 1e3 * settings_.tolerance,
          "{}: the iterative solver ended ({}) after {} iterations with a residual of {:.2g}, "
          "solver-rtol is {:.2g}; choose a smaller support-radius, a function of less smoothness, "
          "or rbf-global-direct",
          settings_.place, la::name(report.reason), report.iterations, report.true_residual,
          settings_.tolerance);
    return result;
  }

  RadialBasisSettings settings_;
  la::Matrix matrix_;
  BlockCholesky factors_;
  la::Matrix evaluation_; // a row for each point
};

} // namespace

std::unique_ptr<RadialSystem> make_sparse_system(const comm::Comm& comm,
                                                 const RadialBasisSettings& settings,
                                                 const DealtPoints& centers,
                                                 std::span<const Point> points) {
  const NearbyPoints near = nearby_points(comm, centers, points, settings.function.parameter);
  const geometry::PointIndex index(3, mapping::flat(near.points));
  comm::agree(comm, [&] { check_duplicates(settings, index, centers.points()); });
  const la::GlobalRows rows = functions_at(centers.points(), near, index, settings.function);
  if (settings.tolerance == 0 &&
      BlockCholesky::is_dense(centers.points().size(), rows.num_entries())) {
    return nullptr;
  }
  const la::GlobalRows evaluation = functions_at(points, near, index, settings.function);
  return std::make_unique<SparseSystem>(settings, la::make_matrix(comm, rows),
                                        la::make_matrix(comm, evaluation, centers.range()));
}

} // namespace isthmus::radial
