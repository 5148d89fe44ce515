// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/error.hpp"
#include "isthmus/base/parallel_for.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/radial/dense_factors.hpp"
#include "isthmus/radial/linear_terms.hpp"
#include "isthmus/radial/radial_system.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <optional>
#include <utility>

namespace isthmus::radial {

namespace {

using geometry::Point;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Fills rows of the system, for centers or points of this rank: the values of the functions and
/// linear terms (those are equations of the first rank) of all equations.
class Assembly {
 public:
  Assembly(const comm::Comm& comm, const RadialBasisSettings& settings, const DealtPoints& centers)
      : comm_(comm),
        settings_(settings),
        centers_(centers),
        frame_(joint_frame(comm, centers.points())),
        num_terms_(settings.polynomial == Polynomial::on ? num_linear_terms(settings.dead) : 0),
        order_(comm, centers.points().size() + (comm.is_root() ? num_terms_ : 0)) {}

  [[nodiscard]] const BlockOrder& order() const { return order_; }

  /// Collective. Of the equations of this rank, one after the other.
  [[nodiscard]] std::vector<double> matrix() const {
    const std::size_t own = order_.num_columns(comm_.rank());
    std::vector<double> values(own * order_.size());
    Eigen::Map<Rows> rows(values.data(), index(own), index(order_.size()));
    std::optional<Point> duplicate;
    for_each_rank([&](int rank, std::span<const Point> centers,
                      std::span<const std::size_t> equations) {
      fill(centers_.points(), centers, equations, rows);
      duplicate = duplicate ? duplicate : find_duplicate(rank, centers);
      if (comm_.is_root() && num_terms_ > 0) {
        const std::vector<double> terms = linear_terms(centers, frame_, settings_.dead);
        for (std::size_t k = 0; k < terms.size(); ++k) {
          rows(index(centers_.points().size() + k % num_terms_), index(equations[k / num_terms_])) =
              terms[k];
        }
      }
    });
    comm::agree(comm_, [&] {
      if (duplicate) {
        refuse_duplicates(settings_, *duplicate);
      }
    });
    return values;
  }

  /// Collective.
  [[nodiscard]] Rows evaluation(std::span<const Point> points) const {
    Rows rows(index(points.size()), index(order_.size()));
    for_each_rank([&](int, std::span<const Point> centers, std::span<const std::size_t> equations) {
      fill(points, centers, equations, rows);
    });
    return rows;
  }

 private:
  /// Centers travel, those of one rank at a time.
  template <typename Work>
  void for_each_rank(Work&& work) const {
    for (int rank = 0; rank < comm_.size(); ++rank) {
      std::vector<Point> centers = centers_.points();
      comm::bcast(comm_, centers, rank);
      work(rank, centers, order_.equations(rank));
    }
  }

  void fill(std::span<const Point> points, std::span<const Point> centers,
            std::span<const std::size_t> equations, Eigen::Ref<Rows> rows) const {
    parallel_for(settings_.threads, points.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        for (std::size_t j = 0; j < centers.size(); ++j) {
          rows(index(i), index(equations[j])) =
              settings_.function(mapping::distance(points[i], centers[j]));
        }
      }
    });
    if (equations.size() > centers.size()) { // of the first rank
      const std::vector<double> terms = linear_terms(points, frame_, settings_.dead);
      for (std::size_t k = 0; k < terms.size(); ++k) {
        rows(index(k / num_terms_), index(equations[centers.size() + k % num_terms_])) = terms[k];
      }
    }
  }

  /// An own center that is one of those of a rank, too.
  [[nodiscard]] std::optional<Point> find_duplicate(int rank,
                                                    std::span<const Point> centers) const {
    const std::vector<Point>& own = centers_.points();
    auto duplicate = rank == comm_.rank() ? std::adjacent_find(own.begin(), own.end()) : own.end();
    for (auto at = own.begin(); rank != comm_.rank() && at != own.end(); ++at) {
      if (std::binary_search(centers.begin(), centers.end(), *at)) {
        duplicate = at;
      }
    }
    return duplicate == own.end() ? std::nullopt : std::optional(*duplicate);
  }

  const comm::Comm& comm_;
  const RadialBasisSettings& settings_;
  const DealtPoints& centers_;
  LinearFrame frame_;
  std::size_t num_terms_;
  BlockOrder order_;
};

class DenseSystem final : public RadialSystem {
 public:
  DenseSystem(const comm::Comm& comm, const Assembly& assembly, DenseFactors factors,
              std::size_t num_centers, std::size_t num_values, std::span<const Point> points)
      : comm_(comm),
        own_(assembly.order().equations(comm.rank())),
        size_(assembly.order().size()),
        num_values_(num_values),
        factors_(std::move(factors)),
        evaluation_(assembly.evaluation(points)) {
    own_.resize(num_centers); // no terms
  }

  std::vector<double> interpolate(std::size_t width, std::span<const double> values) override {
    std::vector<double> all(size_ * width, 0.0);
    for (std::size_t k = 0; k < values.size(); ++k) {
      all[k / own_.size() * size_ + own_[k % own_.size()]] = values[k];
    }
    comm::allreduce(comm_, std::span(all), comm::Op::sum);
    factors_.solve(width, all);
    std::vector<double> result(static_cast<std::size_t>(evaluation_.rows()) * width);
    View(result.data(), evaluation_.rows(), index(width)).noalias() =
        evaluation_ * View(all.data(), index(size_), index(width));
    return result;
  }

  std::vector<double> spread(std::size_t width, std::span<const double> values) override {
    std::vector<double> all(size_ * width);
    View(all.data(), index(size_), index(width)).noalias() =
        evaluation_.transpose() * ConstView(values.data(), evaluation_.rows(), index(width));
    comm::allreduce(comm_, std::span(all), comm::Op::sum);
    factors_.solve(width, all);
    std::vector<double> result(own_.size() * width);
    for (std::size_t k = 0; k < result.size(); ++k) {
      result[k] = all[k / own_.size() * size_ + own_[k % own_.size()]];
    }
    return result;
  }

  std::size_t num_entries() const override {
    return size_ * own_.size() + static_cast<std::size_t>(evaluation_.size());
  }

  std::size_t num_values() const override { return num_values_; }

 private:
  using View = Eigen::Map<Eigen::MatrixXd>;
  using ConstView = Eigen::Map<const Eigen::MatrixXd>;

  const comm::Comm& comm_;
  std::vector<std::size_t> own_; // equations of the own centers
  std::size_t size_;             // of the system
  std::size_t num_values_;       // of its matrix
  DenseFactors factors_;
  Rows evaluation_; // a row for each point
};

} // namespace

std::unique_ptr<RadialSystem> make_dense_system(const comm::Comm& comm,
                                                const RadialBasisSettings& settings,
                                                const DealtPoints& centers,
                                                std::span<const Point> points) {
  const bool on = settings.polynomial == Polynomial::on;
  if (on) {
    RadialBasisSettings apart = settings;
    apart.polynomial = Polynomial::separate;
    const LinearTerms terms(comm, apart, centers.points(), {});
    check(terms.rank() == terms.size(),
          "{}: the {} vertices do not determine a linear polynomial, because they are too few or "
          "lie in a plane or on a line; set x-dead, y-dead or z-dead=\"true\" for the axis along "
          "which they do not differ, or use polynomial=\"separate\"",
          settings.place, centers.range().total);
  }
  const Assembly assembly(comm, settings, centers);
  const bool definite = settings.function.positive_definite() && !on;
  std::vector<double> matrix = assembly.matrix();
  const auto num_values = static_cast<std::size_t>(
      std::count_if(matrix.begin(), matrix.end(), [](double value) { return value != 0; }));
  DenseFactors factors(comm, assembly.order(), definite, std::move(matrix));
  check(factors.is_regular() || !definite,
        "{}: the matrix of {} vertices is not positive definite to working accuracy; choose a "
        "smaller support-radius (or a larger shape-parameter), a function of less smoothness, or "
        "remove vertices that almost coincide",
        settings.place, centers.range().total);
  check(factors.is_regular(),
        "{}: the matrix of {} vertices is singular; remove vertices that almost coincide, or use a "
        "compact-polynomial basis function",
        settings.place, centers.range().total);
  return std::make_unique<DenseSystem>(comm, assembly, std::move(factors), centers.points().size(),
                                       num_values, points);
}

} // namespace isthmus::radial
