// SPDX-License-Identifier: BSD-3-Clause
#include "flow/numerics/solution.hpp"
#include "isthmus/base/clock.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace isthmus::flow {

namespace {

/// All primitive fields of all snapshots but the temperatures, and viscosities that nobody sets.
std::vector<std::size_t> exchanged(int snapshots, bool is_turbulent) {
  std::vector<std::size_t> fields;
  for (std::size_t s = 0; s < static_cast<std::size_t>(snapshots); ++s) {
    for (std::size_t v = 0; v < std::tuple_size_v<Primitive>; ++v) {
      fields.push_back(s * num_primitive + v);
    }
    if (is_turbulent) {
      fields.push_back(s * num_primitive + eddy_field);
    }
  }
  return fields;
}

std::size_t fields(std::size_t variables, int snapshots) {
  return variables * static_cast<std::size_t>(snapshots);
}

} // namespace

Solution::Solution(const comm::Comm& comm, const Grid& grid, const Physics& physics, double mach,
                   int snapshots)
    : grid_(grid),
      physics_(physics),
      mach_(mach),
      snapshots_(snapshots),
      attitudes_(static_cast<std::size_t>(snapshots)),
      begins_(grid.blocks.offsets(fields(num_conserved, snapshots))),
      primitive_begins_(grid.blocks.offsets(fields(num_primitive, snapshots))),
      conserved_(begins_.back(), 1.0),
      primitive_(primitive_begins_.back(), 1.0), // corners that nobody fills must divide, too
      exchange_(comm, grid.blocks, grid.ghosts, fields(num_primitive, snapshots),
                exchanged(snapshots, physics.gas.is_turbulent)),
      busy_(grid.own.size()) {}

void Solution::set(const std::function<Primitive(const Vector& point)>& values) {
  for (std::size_t own = 0; own < grid_.own.size(); ++own) {
    const Block& block = grid_.own[own];
    const std::size_t stored = block.extent.stored();
    block.extent.for_each_row([&](std::size_t first, int j, int k) {
      for (int i = 0; i < block.extent.count(0); ++i) {
        const auto u = flow::conserved(physics_.gas, values(block.center(i, j, k)));
        for (int s = 0; s < snapshots_; ++s) {
          for (std::size_t v = 0; v < u.size(); ++v) {
            conserved_[begin_of(own, s) + v * stored + first + static_cast<std::size_t>(i)] = u[v];
          }
        }
      }
    });
  }
}

void Solution::set_undisturbed() {
  for (int s = 0; s < snapshots_; ++s) {
    const auto u = flow::conserved(physics_.gas, undisturbed(s));
    for (std::size_t own = 0; own < grid_.own.size(); ++own) {
      const std::size_t stored = grid_.own[own].extent.stored();
      for (std::size_t v = 0; v < u.size(); ++v) {
        std::fill_n(conserved_.begin() + static_cast<std::ptrdiff_t>(begin_of(own, s) + v * stored),
                    stored, u[v]);
      }
    }
  }
}

Turning Solution::turning(int snapshot) const {
  const Attitude& attitude = attitudes_[static_cast<std::size_t>(snapshot)];
  return {attitude.turning_speed, grid_.pivot, attitude.velocity};
}

Primitive Solution::undisturbed(int snapshot) const {
  const double angle = attitudes_[static_cast<std::size_t>(snapshot)].incidence;
  return free_stream(physics_.gas, {mach_ * std::cos(angle), mach_ * std::sin(angle), 0});
}

void Solution::complete() {
  for_each_part([this](std::size_t own, int s) {
    const Extent& extent = grid_.own[own].extent;
    set_primitives(extent, physics_.gas,
                   std::span(conserved_).subspan(begin_of(own, s), num_conserved * extent.stored()),
                   primitive(own, s));
  });
  exchange_.fill(primitive_);
  for (const BoundarySide& side : grid_.sides) {
    const BusyTime busy(busy_[side.own]);
    for (int s = 0; s < snapshots_; ++s) {
      fill_boundary(grid_.own[side.own], side, physics_.gas, undisturbed(s), turning(s),
                    primitive(side.own, s));
    }
  }
  for_each_part([this](std::size_t own, int s) {
    set_temperatures(grid_.own[own].extent, physics_.gas, primitive(own, s));
  });
}

std::span<double> Solution::primitive(std::size_t own, int snapshot) {
  const std::size_t size = num_primitive * grid_.own[own].extent.stored();
  return std::span(primitive_)
      .subspan(primitive_begins_[own] + static_cast<std::size_t>(snapshot) * size, size);
}

std::span<const double> Solution::primitive(std::size_t own, int snapshot) const {
  const std::size_t size = num_primitive * grid_.own[own].extent.stored();
  return std::span(primitive_)
      .subspan(primitive_begins_[own] + static_cast<std::size_t>(snapshot) * size, size);
}

} // namespace isthmus::flow
