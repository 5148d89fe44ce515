// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/distributed_radial_basis.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/radial/linear_terms.hpp"
#include "isthmus/radial/radial_system.hpp"

#include <fmt/ranges.h>

#include <utility>

namespace isthmus::radial {

namespace {

using geometry::Point;

/// Interleaved values as columns of `rows` values.
std::vector<double> columns_of(std::span<const double> values, std::size_t width) {
  std::vector<double> result(values.size());
  const std::size_t rows = values.size() / width;
  for (std::size_t k = 0; k < values.size(); ++k) {
    result[k % width * rows + k / width] = values[k];
  }
  return result;
}

std::vector<double> interleaved(std::span<const double> columns, std::size_t width) {
  std::vector<double> result(columns.size());
  const std::size_t rows = columns.size() / width;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    result[k] = columns[k % width * rows + k / width];
  }
  return result;
}

std::unique_ptr<RadialSystem> make_system(const comm::Comm& comm,
                                          const RadialBasisSettings& settings,
                                          const DealtPoints& centers,
                                          std::span<const Point> points) {
  check(centers.range().total > 0, "{}: there is no vertex on any rank", settings.place);
  const bool sparse = settings.function.is_compact() && settings.polynomial != Polynomial::on &&
                      (settings.tolerance > 0 || comm.size() == 1);
  auto system = sparse ? make_sparse_system(comm, settings, centers, points) : nullptr;
  return system ? std::move(system) : make_dense_system(comm, settings, centers, points);
}

/// Collective.
std::string remark_on(const comm::Comm& comm, const RadialBasisSettings& settings,
                      const RadialSystem& system, GlobalIndex size) {
  if (!settings.function.is_compact() || size < 2) {
    return {};
  }
  const auto values =
      comm::allreduce(comm, static_cast<GlobalIndex>(system.num_values()), comm::Op::sum);
  if (values <= size) {
    return fmt::format(
        "{}: no two vertices are within the support-radius {} of each other, so {} between them; "
        "choose a larger one, of several distances between vertices",
        settings.place, settings.function.parameter,
        settings.polynomial == Polynomial::off ? "everything is 0" : "only the polynomial acts");
  }
  if (settings.tolerance > 0 && values == size * size) {
    return fmt::format(
        "{}: the support-radius {} reaches from every vertex to all others, so the matrix is not "
        "sparse; a smaller one is faster",
        settings.place, settings.function.parameter);
  }
  return {};
}

class DistributedRadialBasis final : public mapping::DistributedMapping {
 public:
  DistributedRadialBasis(const comm::Comm& comm, const RadialBasisSettings& settings,
                         std::span<const Point> centers, std::span<const Point> points)
      : centers_(comm, centers),
        points_(comm, points),
        terms_(comm, settings, centers_.points(), points_.points()),
        system_(make_system(comm, settings, centers_, points_.points())),
        remark_(remark_on(comm, settings, *system_, centers_.range().total)) {
    if (settings.rescaled && settings.polynomial == Polynomial::separate) {
      unity_ = system_->interpolate(1, std::vector<double>(centers_.points().size(), 1.0));
    }
  }

  void interpolate(int components, std::span<const double> values, std::span<double> out) override {
    const auto width = static_cast<std::size_t>(components);
    const std::vector<double> given = centers_.collect(components, values);
    const std::vector<double> fits = terms_.fit(components, given);
    std::vector<double> rest = columns_of(given, width);
    const auto column = [](std::vector<double>& all, std::size_t rows, std::size_t c) {
      return std::span(all).subspan(c * rows, rows);
    };
    const auto fit = [&](std::size_t c) {
      return std::span(fits).subspan(c * terms_.size(), terms_.size());
    };
    for (std::size_t c = 0; c < width; ++c) {
      terms_.add_at_centers(-1.0, fit(c), column(rest, centers_.points().size(), c));
    }
    std::vector<double> result = system_->interpolate(width, rest);
    for (std::size_t c = 0; c < width; ++c) {
      const auto one = column(result, points_.points().size(), c);
      for (std::size_t i = 0; i < unity_.size(); ++i) {
        one[i] /= unity_[i] != 0 ? unity_[i] : 1.0; // 0 where no function reaches
      }
      terms_.add_at_points(fit(c), one);
    }
    points_.give_back(components, interleaved(result, width), out);
  }

  void spread(int components, std::span<const double> values, std::span<double> out) override {
    const auto width = static_cast<std::size_t>(components);
    const std::vector<double> given = columns_of(points_.collect(components, values), width);
    std::vector<double> result = system_->spread(width, given);
    const std::size_t num_points = points_.points().size();
    const std::size_t num_centers = centers_.points().size();
    for (std::size_t c = 0; c < width; ++c) {
      terms_.correct(std::span(given).subspan(c * num_points, num_points),
                     std::span(result).subspan(c * num_centers, num_centers));
    }
    centers_.give_back(components, interleaved(result, width), out);
  }

  std::size_t num_entries() const override { return system_->num_entries(); }
  const std::string& remark() const override { return remark_; }

 private:
  DealtPoints centers_;
  DealtPoints points_;
  LinearTerms terms_;
  std::unique_ptr<RadialSystem> system_;
  std::string remark_;
  std::vector<double> unity_; // what the radial functions make of 1, if rescaled
};

/// Between two meshes without vertices.
class BetweenNothing final : public mapping::DistributedMapping {
 public:
  void interpolate(int, std::span<const double>, std::span<double>) override {}
  void spread(int, std::span<const double>, std::span<double>) override {}
  std::size_t num_entries() const override { return 0; }
  const std::string& remark() const override { return remark_; }

 private:
  std::string remark_;
};

} // namespace

void refuse_duplicates(const RadialBasisSettings& settings, const Point& where) {
  const auto& dead = settings.dead;
  fail(
      "{}: the mesh has two vertices at ({}){}; radial basis functions need different places. "
      "Define each "
      "vertex once, also where parts of several ranks meet",
      settings.place, fmt::join(where, ", "),
      dead[0] || dead[1] || dead[2] ? " or apart along dead axes only" : "");
}

std::unique_ptr<mapping::DistributedMapping> make_distributed_radial_basis(
    const comm::Comm& comm, const RadialBasisSettings& settings, std::span<const Point> centers,
    std::span<const Point> points) {
  const auto own = static_cast<GlobalIndex>(centers.size() + points.size());
  if (comm::allreduce(comm, own, comm::Op::sum) == 0) {
    return std::make_unique<BetweenNothing>();
  }
  return std::make_unique<DistributedRadialBasis>(comm, settings, centers, points);
}

} // namespace isthmus::radial
