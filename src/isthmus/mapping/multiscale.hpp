// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/mapping/mapping.hpp"

#include <memory>
#include <string>

namespace isthmus::mesh {
class Mesh;
}

namespace isthmus::mapping {

/// How a domain of less dimensions joins one of more, for example a pipe network and a flow field.
struct MultiscaleSettings {
  /// Which vertices belong together: the nearest (the end of a network on the cross section of a 3D
  /// or 2D domain); by their place across the axis in the plane of a 2D domain that meets a 3D one;
  /// by their place along the axis (a line and the wall around it).
  enum class Join { axial_line, axial_plane, radial };
  enum class Type { spread, collect }; // from less to more dimensions; back
  enum class Profile { uniform, parabolic };
  enum class Section { circle, square };

  Join join = Join::axial_line;
  Type type = Type::spread;
  int axis = 0;
  double radius = 1;
  Profile profile = Profile::uniform; // of what is spread
  Section section = Section::circle;
  bool slit = false;   // axial_line: the larger domain has two dimensions
  std::string place{}; // of the mapping in the configuration, for messages
};

/// Spread: every point takes the value of the vertex that it belongs to, times that of the profile
/// of fully developed laminar flow at its place: 3/2 (1 - r^2) in a slit, 2 (1 - r^2) in a circle
/// with radius 1, (3.2/2.2)^2 (1 - |y|^2.2) (1 - |z|^2.2) in a square (W. Purday, after R. K. Shah,
/// A. L. London, Laminar Flow Forced Convection in Ducts, 1978, eq. 340,
/// doi 10.1016/C2013-0-06152-X), 3/2 (1 - z^2) across the plane of a 2D domain. All have the
/// mean 1. Collect: every point takes the mean over the vertices that belong to it, or, where there
/// are none, the value of the nearest one. It needs all points of a mesh in one call. Rows are
/// meant for the component along the axis; the others are zero. interpolate() throws if an axial
/// mapping has vertices farther from the axis than the radius.
[[nodiscard]] std::unique_ptr<Mapping> make_geometric_multiscale(const mesh::Mesh& mesh,
                                                                 MultiscaleSettings settings);

} // namespace isthmus::mapping
