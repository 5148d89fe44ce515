// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/kinds.hpp"

#include <array>
#include <limits>
#include <optional>
#include <string>

/// What the configuration language says of mappings.
namespace isthmus::config {

enum class Direction { write, read };
enum class Constraint {
  conservative,
  consistent,
  scaled_consistent_surface,
  scaled_consistent_volume
};
enum class MappingKind {
  nearest_neighbor,
  nearest_projection,
  nearest_neighbor_gradient,
  linear_cell_interpolation,
  rbf_global_direct,
  rbf_global_iterative,
  rbf_pum_direct,
  rbf,
  coarse_graining,
  axial_geometric_multiscale,
  radial_geometric_multiscale,
  intersection, // not of preCICE, nor the next one
  automatic     // becomes another one when meshes are known
};

using isthmus::BasisKind;
using isthmus::Polynomial;

struct BasisFunction {
  BasisKind kind = BasisKind::compact_polynomial_c6;
  double support_radius = std::numeric_limits<double>::quiet_NaN();
  double shape_parameter = std::numeric_limits<double>::quiet_NaN();
  int line = 0;
};

enum class ExecutorKind { cpu, cuda, hip, sycl, openmp };

struct Executor {
  ExecutorKind kind = ExecutorKind::cpu;
  int threads = 0;
  int line = 0;

  [[nodiscard]] bool is_host() const {
    return kind == ExecutorKind::cpu || kind == ExecutorKind::openmp;
  }
};

/// Of a partition of unity.
struct Clusters {
  int vertices_per_cluster = 50;
  double relative_overlap = 0.15;
  bool project_to_input = true;
};

struct RadialBasis {
  Polynomial polynomial = Polynomial::separate;
  std::array<bool, 3> dead{false, false, false};
  double solver_rtol = 1e-9;
  Clusters clusters;
  std::optional<BasisFunction> function;
  Executor executor;
};

enum class MultiscaleDimension { d1_d3, d1_d2, d2_d3 };
enum class MultiscaleType { spread, collect };
enum class Axis { x, y, z };
enum class CrossSectionProfile { uniform, parabolic };
enum class CrossSection { circle, square };

struct Multiscale {
  MultiscaleDimension dimension = MultiscaleDimension::d1_d3;
  MultiscaleType type = MultiscaleType::collect;
  Axis axis = Axis::x;
  double radius = 0;
  CrossSectionProfile profile = CrossSectionProfile::uniform;
  CrossSection cross_section = CrossSection::circle;
};

struct Mapping {
  MappingKind kind = MappingKind::nearest_neighbor;
  Direction direction = Direction::read;
  Constraint constraint = Constraint::consistent;
  std::string from; // empty: just-in-time
  std::string to;
  RadialBasis radial_basis; // of the kinds that is_radial_basis() names
  Multiscale multiscale;    // of those that is_multiscale() names
  bool closest = false;     // what is projected goes to the closest place, not to a candidate
  bool gradients = false;   // of the data are written; of the automatic kind
  double radius = 0;        // of coarse graining
  bool parallel = false;    // several ranks may use it although preCICE does not let them
  int line = 0;

  [[nodiscard]] bool just_in_time() const { return from.empty() || to.empty(); }
  [[nodiscard]] bool is_radial_basis() const;
  [[nodiscard]] bool is_multiscale() const;
};

} // namespace isthmus::config
