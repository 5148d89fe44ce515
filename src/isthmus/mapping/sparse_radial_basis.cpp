// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/mapping/sparse_radial_basis.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/geometry/point_index.hpp"
#include "isthmus/la/matrix.hpp"
#include "isthmus/la/solve.hpp"
#include "isthmus/mapping/bisection.hpp"
#include "isthmus/mapping/block_cholesky.hpp"
#include "isthmus/mapping/linear_terms.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace isthmus::mapping {

namespace {

using geometry::Point;

/// The vertices of a cloud as they are dealt to ranks, numbered by rank.
struct Deal {
  std::vector<LocalIndex> vertices; // of this rank, as numbered in the cloud
  std::vector<GlobalIndex> numbers; // by vertex of the cloud
  la::Range range;                  // numbers of this rank
};

Deal deal(const comm::Comm& comm, std::span<const Point> points) {
  Deal result;
  result.numbers.resize(points.size());
  auto parts = bisect(points, static_cast<std::size_t>(comm.size()));
  GlobalIndex next = 0;
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    const GlobalIndex first = next;
    for (LocalIndex vertex : parts[rank]) {
      result.numbers[static_cast<std::size_t>(vertex)] = next++;
    }
    if (rank == static_cast<std::size_t>(comm.rank())) {
      result.range = {first, next - first, static_cast<GlobalIndex>(points.size())};
      result.vertices = std::move(parts[rank]);
    }
  }
  return result;
}

/// The values of all radial functions at some points, where they are not zero.
la::GlobalRows functions_at(std::span<const Point> points, std::span<const Point> centers,
                            std::span<const GlobalIndex> numbers, const RadialFunction& function) {
  const geometry::PointIndex index(3, flat(centers));
  la::GlobalRows rows;
  std::vector<LocalIndex> near;
  for (const Point& point : points) {
    index.within(point, function.parameter, near);
    for (LocalIndex center : near) {
      const auto c = static_cast<std::size_t>(center);
      const double value = function(distance(point, centers[c]));
      if (value != 0) {
        rows.add(numbers[c], value);
      }
    }
    rows.end_row();
  }
  return rows;
}

std::vector<Point> chosen(std::span<const Point> points, std::span<const LocalIndex> ids) {
  std::vector<Point> result;
  for (LocalIndex id : ids) {
    result.push_back(points[static_cast<std::size_t>(id)]);
  }
  return result;
}

/// Component `c` of interleaved values.
std::vector<double> component(std::span<const double> values, std::size_t components,
                              std::size_t c) {
  std::vector<double> result(values.size() / components);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = values[i * components + c];
  }
  return result;
}

// The transposed solution is a result itself; nothing smooths what the residual leaves in it.
constexpr double finer = 1e-3;

class SparseRadialBasis final : public DistributedMapping {
 public:
  SparseRadialBasis(const comm::Comm& comm, const Cloud& cloud, RadialBasisSettings settings,
                    Deal dealt, la::Matrix matrix, std::span<const Point> points)
      : comm_(comm),
        settings_(std::move(settings)),
        matrix_(std::move(matrix)),
        factors_(matrix_, settings_.place),
        evaluation_(la::make_matrix(
            comm, functions_at(points, cloud.points, dealt.numbers, settings_.function),
            dealt.range)),
        terms_(comm, settings_, chosen(cloud.points, dealt.vertices), points) {
    for (LocalIndex vertex : dealt.vertices) {
      vertices_.push_back(cloud.vertices[static_cast<std::size_t>(vertex)]);
    }
    if (settings_.rescaled && settings_.polynomial == Polynomial::separate) {
      unity_ = evaluate(std::vector<double>(vertices_.size(), 1.0));
    }
  }

  std::span<const LocalIndex> vertices() const override { return vertices_; }

  void interpolate(int components, std::span<const double> values, std::span<double> out) override {
    const auto width = static_cast<std::size_t>(components);
    const std::vector<double> fits = terms_.fit(components, values);
    for (std::size_t c = 0; c < width; ++c) {
      std::vector<double> rest = component(values, width, c);
      const std::span<const double> fit = std::span(fits).subspan(c * terms_.size(), terms_.size());
      terms_.add_at_centers(-1.0, fit, rest);
      std::vector<double> result = evaluate(rest);
      for (std::size_t i = 0; i < unity_.size(); ++i) {
        result[i] /= unity_[i] != 0 ? unity_[i] : 1.0; // 0 where no function reaches
      }
      terms_.add_at_points(fit, result);
      for (std::size_t i = 0; i < result.size(); ++i) {
        out[i * width + c] = result[i];
      }
    }
  }

  void spread(int components, std::span<const double> values, std::span<double> out) override {
    const auto width = static_cast<std::size_t>(components);
    for (std::size_t c = 0; c < width; ++c) {
      const std::vector<double> given = component(values, width, c);
      std::vector<double> sums(vertices_.size());
      evaluation_.apply_transposed(given, sums);
      std::vector<double> result = solve(sums, finer * settings_.tolerance);
      terms_.correct(given, result);
      for (std::size_t i = 0; i < result.size(); ++i) {
        out[i * width + c] = result[i];
      }
    }
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
    how.stagnation = 200;
    how.relative = tolerance;
    how.keep_residuals = false;
    const la::Report report = la::solve(matrix_, factors_, right, result, how);
    check(report.is_converged() || report.true_residual <= 1e3 * settings_.tolerance,
          "{}: the iterative solver ended ({}) after {} iterations with a residual of {:.2g}, "
          "solver-rtol is {:.2g}; choose a smaller support-radius, a function of less smoothness, "
          "or rbf-global-direct",
          settings_.place, la::name(report.reason), report.iterations, report.true_residual,
          settings_.tolerance);
    return result;
  }

  /// The radial functions that take these values at the vertices, at the points.
  std::vector<double> evaluate(std::span<const double> values) {
    const std::vector<double> coefficients = solve(values, settings_.tolerance);
    std::vector<double> result(static_cast<std::size_t>(evaluation_.num_rows()));
    evaluation_.apply(coefficients, result);
    return result;
  }

  const comm::Comm& comm_;
  RadialBasisSettings settings_;
  la::Matrix matrix_;
  BlockCholesky factors_;
  la::Matrix evaluation_; // a row for each point
  LinearTerms terms_;
  std::vector<LocalIndex> vertices_;
  std::vector<double> unity_; // what the radial functions make of 1, if rescaled
};

} // namespace

std::unique_ptr<DistributedMapping> make_sparse_radial_basis(const comm::Comm& comm,
                                                             const Cloud& cloud,
                                                             const RadialBasisSettings& settings,
                                                             const std::vector<Point>& points) {
  Deal dealt = deal(comm, cloud.points);
  const la::GlobalRows rows = functions_at(chosen(cloud.points, dealt.vertices), cloud.points,
                                           dealt.numbers, settings.function);
  if (settings.tolerance == 0 && BlockCholesky::is_dense(cloud.points.size(), rows.num_entries())) {
    return nullptr;
  }
  la::Matrix matrix = la::make_matrix(comm, rows);
  return std::make_unique<SparseRadialBasis>(comm, cloud, settings, std::move(dealt),
                                             std::move(matrix), points);
}

} // namespace isthmus::mapping
