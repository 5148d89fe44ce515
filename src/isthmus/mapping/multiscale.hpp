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
  /// Which vertices belong together: the nearest (the end of a network, or the edge of a 2D domain,
  /// on the cross section of a larger one), or those at the same place along the axis (a line and
  /// the wall around it).
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

/// Spread: every point takes the value of the vertex that it belongs to, times that of a profile at
/// its place across the axis, all as in preCICE 3.4. On an axial_line, at y and z in radii from the
/// vertex: 3/2 (1 - y^2) in a slit, 2 (1 - y^2 - z^2) in a circle, 2.096 ((1 - y^2) (1 -
/// z^2))^0.879 in a square. On an axial_plane: in a circle 4/3 (1 - (d/D)^2) at the distance d from
/// the vertex, D that of the farthest point that belongs to it; in a square 2.096/1.5 (1 -
/// s^2)^-0.121 (1 - d^2)^0.879, s the distance of the vertex from the axis through the origin, both
/// in radii, and 0 where a vertex or a point lies at the wall or beyond. Collect: every point takes
/// the mean over the vertices that belong to it. Where there are none, it takes 0 on an
/// axial_plane, else the value of the nearest one. Collecting, and a circle on an axial_plane, need
/// all points of a mesh in one call. Rows are meant for the component along the axis; the others
/// are zero. interpolate() throws if what is spread along an axial_line has a point farther
/// than 1.05 radii from the vertex it belongs to. The radius of a radial join means nothing.
[[nodiscard]] std::unique_ptr<Mapping> make_geometric_multiscale(const mesh::Mesh& mesh,
                                                                 MultiscaleSettings settings);

} // namespace isthmus::mapping
