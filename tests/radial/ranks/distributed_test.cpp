// SPDX-License-Identifier: BSD-3-Clause
// Radial basis functions of all vertices as systems on all ranks, against dense rows on one.
#include "isthmus/comm/collective.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/radial/dealt_points.hpp"
#include "isthmus/radial/nearby_points.hpp"
#include "isthmus/radial/radial_basis.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

using namespace isthmus;
using namespace isthmus::mapping;
using isthmus::comm::Comm;
using isthmus::mesh::Mesh;
using Kind = radial::RadialFunction::Kind;

namespace {

std::vector<double> draw(std::size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> values(count);
  for (double& value : values) {
    value = uniform(engine);
  }
  return values;
}

/// Places of a wavy sheet, jittered; points of a flat one have z = 0.
std::vector<double> wavy(int n, bool flat) {
  std::vector<double> places;
  const std::vector<double> shift = draw(static_cast<std::size_t>(2 * n * n), 4);
  for (int i = 0; i < n * n; ++i) {
    const auto k = static_cast<std::size_t>(2 * i);
    const double x = (i % n + 0.3 * shift[k]) / n;
    const double y = (i / n + 0.3 * shift[k + 1]) / n;
    places.insert(places.end(), {x, y, flat ? 0.0 : 0.2 * std::sin(4 * x + y)});
  }
  return places;
}

Mesh mesh_of(std::vector<double> places) {
  return {"Sheet", 3, std::move(places), {}, {}};
}

/// How things are spread over ranks.
enum class Spread { blocks, in_turn, last_has_all };

/// Numbers of this rank, of `count`.
std::vector<std::size_t> numbers(const Comm& comm, std::size_t count, Spread spread) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t rank = spread == Spread::blocks    ? i * ranks / count
                             : spread == Spread::in_turn ? i % ranks
                                                         : ranks - 1;
    if (rank == static_cast<std::size_t>(comm.rank())) {
      result.push_back(i);
    }
  }
  return result;
}

/// `width` values of each.
std::vector<double> chosen(const std::vector<double>& all, std::size_t width,
                           const std::vector<std::size_t>& ids) {
  std::vector<double> result;
  for (const std::size_t id : ids) {
    for (std::size_t c = 0; c < width; ++c) {
      result.push_back(all[id * width + c]);
    }
  }
  return result;
}

/// The largest difference between what this rank has and what all should have.
double difference(const std::vector<double>& own, const std::vector<double>& all, std::size_t width,
                  const std::vector<std::size_t>& ids) {
  const std::vector<double> expected = chosen(all, width, ids);
  double largest = 0;
  for (std::size_t k = 0; k < own.size(); ++k) {
    largest = std::max(largest, std::abs(own[k] - expected[k]));
  }
  return own.size() == expected.size() ? largest : INFINITY;
}

constexpr std::size_t width = 3;

/// All of a mapping, by dense rows.
struct Oracle {
  std::vector<double> places;
  std::vector<double> points = draw(std::size_t{3} * 40, 9);
  std::vector<double> values;
  std::vector<double> given;
  std::vector<double> interpolated;
  std::vector<double> spread;

  Oracle(std::vector<double> of, const radial::RadialBasisSettings& settings)
      : places(std::move(of)),
        values(draw(places.size(), 5)),
        given(draw(points.size(), 6)),
        interpolated(points.size(), 0.0),
        spread(places.size(), 0.0) {
    const Mesh mesh = mesh_of(places);
    const Interpolation dense =
        radial::make_global_radial_basis(mesh, settings)->interpolate(points);
    const std::size_t n = places.size() / 3;
    for (std::size_t i = 0; i < points.size() / 3; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        const auto column = static_cast<std::size_t>(dense.columns[i * n + k]);
        for (std::size_t c = 0; c < width; ++c) {
          interpolated[i * width + c] += dense.weights[i * n + k] * values[column * width + c];
          spread[column * width + c] += dense.weights[i * n + k] * given[i * width + c];
        }
      }
    }
  }

  /// The largest of what differs on this rank.
  [[nodiscard]] double difference_from(const Comm& comm,
                                       const radial::RadialBasisSettings& settings, Spread centers,
                                       Spread targets) const {
    const auto own = numbers(comm, places.size() / 3, centers);
    const auto to = numbers(comm, points.size() / 3, targets);
    const Mesh mesh = mesh_of(chosen(places, 3, own));
    const auto mapping =
        radial::make_global_radial_basis(mesh, settings)->distribute(comm, chosen(points, 3, to));
    std::vector<double> at_points(to.size() * width);
    std::vector<double> at_centers(own.size() * width);
    mapping->interpolate(width, chosen(values, width, own), at_points);
    mapping->spread(width, chosen(given, width, to), at_centers);
    const double of_spread = settings.rescaled ? 0 : difference(at_centers, spread, width, own);
    return std::max(difference(at_points, interpolated, width, to), of_spread);
  }
};

} // namespace

TEST_CASE("systems on any ranks give what dense rows give") {
  const Comm comm(MPI_COMM_WORLD);
  int turn = 0;
  const auto compare = [&](bool flat, radial::RadialBasisSettings settings, double limit) {
    const Oracle oracle(wavy(settings.tolerance > 0 ? 9 : 12, flat), settings);
    const auto centers = static_cast<Spread>(turn % 3);
    const auto targets = static_cast<Spread>(turn / 3 % 3);
    ++turn;
    CAPTURE(static_cast<int>(settings.function.kind));
    CAPTURE(static_cast<int>(settings.polynomial));
    CAPTURE(settings.tolerance);
    CHECK(oracle.difference_from(comm, settings, centers, targets) < limit);
  };
  for (const bool flat : {false, true}) {
    for (const radial::Polynomial polynomial :
         {radial::Polynomial::off, radial::Polynomial::separate}) {
      for (const double tolerance : {0.0, 1e-13}) {
        for (const bool rescaled : {false, tolerance > 0}) {
          for (const Kind kind : {Kind::compact_polynomial_c0, Kind::compact_polynomial_c6}) {
            compare(flat, {{kind, 0.2}, polynomial, {}, "here", rescaled, tolerance}, 1e-10);
          }
        }
      }
      compare(flat, {{Kind::gaussian, 12.0}, polynomial, {}, "here"}, 1e-10);
      compare(flat, {{Kind::inverse_multiquadrics, 0.05}, polynomial, {}, "here"}, 1e-10);
      compare(flat, {{Kind::thin_plate_splines, 1}, polynomial, {}, "here"}, 1e-10);
      compare(flat, {{Kind::compact_polynomial_c2, 1.0}, polynomial, {}, "here"}, 1e-10);
    }
    const std::array<bool, 3> dead{false, false, flat};
    compare(flat, {{Kind::thin_plate_splines, 1}, radial::Polynomial::on, dead, "here"}, 1e-10);
    compare(flat, {{Kind::volume_splines, 1}, radial::Polynomial::on, dead, "here"}, 1e-10);
    compare(flat, {{Kind::multiquadrics, 0.1}, radial::Polynomial::on, dead, "here"}, 1e-10);
  }
}

TEST_CASE("no rank holds more of a system than its share") {
  const Comm comm(MPI_COMM_WORLD);
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::vector<double> places = wavy(24, true);
  const std::size_t n = places.size() / 3;
  for (const Spread spread : {Spread::in_turn, Spread::last_has_all}) {
    const Mesh mesh = mesh_of(chosen(places, 3, numbers(comm, n, spread)));
    const auto entries = [&](radial::RadialBasisSettings settings) {
      return radial::make_global_radial_basis(mesh, std::move(settings))
          ->distribute(comm, mesh.coordinates())
          ->num_entries();
    };
    const std::size_t share = n / ranks + 2;
    CHECK(entries({{Kind::gaussian, 30.0}}) <= 2 * n * share); // matrix and evaluation
    radial::RadialBasisSettings sparse{{Kind::compact_polynomial_c2, 0.12}};
    sparse.tolerance = 1e-9;
    const std::size_t most = 36; // within a circle of three grid distances
    CHECK(entries(sparse) <= 2 * most * share);
  }
}

TEST_CASE("a rank gets the vertices around its own, and no others") {
  const Comm comm(MPI_COMM_WORLD);
  const std::vector<double> places = wavy(40, true);
  const auto own = chosen(places, 3, numbers(comm, 1600, Spread::in_turn));
  std::vector<isthmus::geometry::Point> given;
  for (std::size_t i = 0; i < own.size(); i += 3) {
    given.push_back({own[i], own[i + 1], own[i + 2]});
  }
  const radial::DealtPoints centers(comm, given);
  constexpr double radius = 0.05;
  const radial::NearbyPoints near = radial::nearby_points(comm, centers, centers.points(), radius);
  REQUIRE(std::is_sorted(near.numbers.begin(), near.numbers.end()));
  std::size_t within = 0; // of all places
  isthmus::geometry::Box box;
  for (const auto& x : centers.points()) {
    box.expand(x);
  }
  box.expand(radius);
  std::size_t in_box = 0;
  for (std::size_t i = 0; i < places.size(); i += 3) {
    const isthmus::geometry::Point x{places[i], places[i + 1], places[i + 2]};
    const auto is_close = [&x](const isthmus::geometry::Point& y) {
      return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]) <= radius;
    };
    const bool close = std::any_of(centers.points().begin(), centers.points().end(), is_close);
    within += close ? 1 : 0;
    in_box += box.contains(x) ? 1 : 0;
    if (close) {
      CHECK(std::find(near.points.begin(), near.points.end(), x) != near.points.end());
    }
  }
  CHECK(near.points.size() >= within);
  CHECK(near.points.size() <= in_box);
}

TEST_CASE("a support-radius that is of no use is remarked upon, on all ranks alike") {
  const Comm comm(MPI_COMM_WORLD);
  const Mesh mesh = mesh_of(chosen(wavy(9, true), 3, numbers(comm, 81, Spread::in_turn)));
  const auto remark = [&](Kind kind, double radius, radial::Polynomial polynomial,
                          double tolerance) {
    return radial::make_global_radial_basis(
               mesh, {{kind, radius}, polynomial, {}, "here", false, tolerance})
        ->distribute(comm, mesh.coordinates())
        ->remark();
  };
  const Kind c2 = Kind::compact_polynomial_c2;
  for (const double tolerance : {0.0, 1e-9}) {
    CHECK(remark(c2, 0.3, radial::Polynomial::separate, tolerance) == "");
    CHECK(remark(c2, 1e-6, radial::Polynomial::separate, tolerance)
              .starts_with("here: no two vertices are within the support-radius 1e-06 of each "
                           "other, so only the polynomial acts"));
    CHECK(remark(c2, 1e-6, radial::Polynomial::off, tolerance).find("everything is 0") !=
          std::string::npos);
  }
  CHECK(remark(c2, 4.0, radial::Polynomial::separate, 1e-9).find("not sparse") !=
        std::string::npos);
  CHECK(remark(Kind::gaussian, 20, radial::Polynomial::separate, 0) == "");
}

TEST_CASE("meshes that no system can be made for are refused on all ranks") {
  const Comm comm(MPI_COMM_WORLD);
  const std::vector<double> places = wavy(14, false);
  const auto outcome = [&](std::vector<double> all, radial::RadialBasisSettings settings) {
    const Mesh mesh = mesh_of(chosen(all, 3, numbers(comm, all.size() / 3, Spread::blocks)));
    try {
      const auto mapping = radial::make_global_radial_basis(mesh, std::move(settings))
                               ->distribute(comm, std::vector<double>{0.1, 0.2, 0.3});
      std::vector<double> values(1);
      mapping->interpolate(1, std::vector<double>(mesh.coordinates().size() / 3, 1.0), values);
      return std::string(std::abs(values[0] - 1) < 1e-6 ? "one" : "not one");
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
  };
  std::vector<double> duplicates = places;
  std::copy(places.begin(), places.begin() + 3, duplicates.end() - 3);
  std::vector<double> line;
  for (int i = 0; i < 50; ++i) {
    line.insert(line.end(), {0.02 * i, 0.0, 0.0});
  }
  for (const double tolerance : {0.0, 1e-9}) {
    const auto settings = [&](Kind kind, double parameter) {
      return radial::RadialBasisSettings{
          {kind, parameter}, radial::Polynomial::separate, {}, "here", false, tolerance};
    };
    const auto compact = settings(Kind::compact_polynomial_c6, 0.2);
    CHECK(outcome(duplicates, compact).find("here: the mesh has two vertices at (") !=
          std::string::npos);
    CHECK(outcome(duplicates, settings(Kind::thin_plate_splines, 1)).find("two vertices at (") !=
          std::string::npos);
    CHECK(outcome({}, compact).find("here: there is no vertex on any rank") != std::string::npos);
    CHECK(outcome({0.2, 0.3, 0.4}, compact) == "one");
    CHECK(outcome(line, compact) == "one");
    CHECK(outcome(line, settings(Kind::gaussian, 40)) == "one");
    CHECK(outcome(places, settings(Kind::compact_polynomial_c6, 1e-9)) == "one");
    CHECK(outcome(places, settings(Kind::compact_polynomial_c8, 1e9)).find("not positive") !=
          std::string::npos);
  }
  const radial::RadialBasisSettings on{
      {Kind::thin_plate_splines, 1}, radial::Polynomial::on, {}, "here"};
  CHECK(outcome(line, on).find("do not determine a linear polynomial") != std::string::npos);
}
