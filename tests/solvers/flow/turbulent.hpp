// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "flow/turbulence/turbulence.hpp"
#include "flows.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

/// Turbulent flows without a case file.
namespace isthmus::flow {

/// What comes from afar.
struct Stream {
  double mach = 0.2;
  double viscosity = 0.005; // Re 40 at this Mach number
  TurbulentStream turbulent{6e-5, 6e-5 / 0.005};
  double cfl = 2;
};

/// A turbulent flow under way.
struct Turbulent {
  TimeTerms time;
  Solution solution;
  Scheme scheme;
  Turbulence turbulence;

  Turbulent(const comm::Comm& comm, const Grid& grid, const TimeSettings& settings,
            const Stream& stream = {})
      : time(grid, settings),
        solution(comm, grid, physics(stream), stream.mach, time.num_snapshots()),
        scheme(comm, {stream.cfl, 0.5}, solution, time),
        turbulence(comm, stream.turbulent, stream.cfl, begun(solution), time) {
    turbulence.refresh();
  }

  static Physics physics(const Stream& stream) {
    Physics found;
    found.gas.viscosity = stream.viscosity;
    found.gas.is_turbulent = true;
    return found;
  }

  static Solution& begun(Solution& solution) {
    solution.set_attitudes(
        std::vector<Attitude>(static_cast<std::size_t>(solution.num_snapshots())));
    solution.set_undisturbed();
    return solution;
  }

  void iterate(int count) {
    for (int n = 0; n < count; ++n) {
      scheme.iterate();
      turbulence.iterate();
    }
  }

  /// Of kind dual: `count` steps that end with 0 being the time again.
  template <typename AttitudeAt>
  void advance(int count, int iterations, AttitudeAt&& attitude) {
    for (int n = 1; n <= count; ++n) {
      solution.set_attitudes({attitude((n - count) * time.settings().step)});
      time.begin_step(solution);
      turbulence.begin_step();
      iterate(iterations);
    }
  }
  /// Of kind harmonic.
  template <typename AttitudeAt>
  void stand(AttitudeAt&& attitude) {
    const int snapshots = solution.num_snapshots();
    std::vector<Attitude> attitudes;
    for (int s = 0; s < snapshots; ++s) {
      attitudes.push_back(
          attitude(2 * std::numbers::pi * s / (time.settings().frequency * snapshots)));
    }
    solution.set_attitudes(attitudes);
  }

  /// Calls visit(k (0) or omega (1) of the first snapshot, position, own piece) for all own cells.
  template <typename Visit>
  void for_each(std::size_t v, Visit&& visit) const {
    for (std::size_t own = 0; own < solution.grid().own.size(); ++own) {
      const Extent& extent = solution.grid().own[own].extent;
      Extent::for_each_in({0, 0, 0}, extent.counts(), [&](const Index3& c) {
        const std::size_t at = v * extent.stored() + extent.at(c);
        visit(turbulence.field().values(own, 0)[at], at, own);
      });
    }
  }

  /// Of kind harmonic, collective. How far k or omega of the first snapshot is from that of the run
  /// in time, by what it differs there from the mean of snapshots: root mean squares.
  [[nodiscard]] double off(const comm::Comm& comm, const Turbulent& in_time, std::size_t v) const {
    std::array<double, 2> sums{};
    const int snapshots = solution.num_snapshots();
    for_each(v, [&](double found, std::size_t at, std::size_t own) {
      double mean = 0;
      for (int s = 0; s < snapshots; ++s) {
        mean += turbulence.field().values(own, s)[at] / snapshots;
      }
      const double wanted = in_time.turbulence.field().values(own, 0)[at];
      sums[0] += std::pow(found - wanted, 2);
      sums[1] += std::pow(wanted - mean, 2);
    });
    comm::allreduce(comm, std::span<double>(sums), comm::Op::sum);
    return std::sqrt(sums[0] / sums[1]);
  }

  /// Of kind harmonic, collective. The mean over all cells of by how much the logarithm of k or
  /// omega of the first snapshot is off the run in time.
  [[nodiscard]] double ratio_off(const comm::Comm& comm, const Turbulent& in_time,
                                 std::size_t v) const {
    std::array<double, 2> sums{};
    for_each(v, [&](double found, std::size_t at, std::size_t own) {
      sums[0] += std::abs(std::log(found / in_time.turbulence.field().values(own, 0)[at]));
      sums[1] += 1;
    });
    comm::allreduce(comm, std::span<double>(sums), comm::Op::sum);
    return sums[0] / sums[1];
  }

  /// Collective. Of k or omega of all snapshots.
  [[nodiscard]] std::pair<double, double> least_and_most(const comm::Comm& comm,
                                                         std::size_t v) const {
    std::pair<double, double> found{1e300, 0};
    for_each(v, [&](double /*first*/, std::size_t at, std::size_t own) {
      for (int s = 0; s < solution.num_snapshots(); ++s) {
        const double value = turbulence.field().values(own, s)[at];
        found = {std::min(found.first, value), std::max(found.second, value)};
      }
    });
    return {comm::allreduce(comm, found.first, comm::Op::min),
            comm::allreduce(comm, found.second, comm::Op::max)};
  }
};

/// A section in two blocks.
inline Grid section_in_two_blocks(const comm::Comm& comm) {
  Shape shape;
  shape.kind = "naca";
  shape.cells = {24, 12, 1};
  shape.blocks = {2, 1, 1};
  shape.radius = 5;
  shape.first = 1e-3;
  return make_grid(comm, make_shape(shape),
                   {{boundary("wall", BoundaryKind::no_slip, {"*:j-min"}),
                     boundary("far", BoundaryKind::far_field, {"*:j-max"})},
                    {0.25, 0, 0},
                    1e-6});
}

} // namespace isthmus::flow
