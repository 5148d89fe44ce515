// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/discrete/tetrahedra.hpp"
#include "isthmus/exchange/interface_plan.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus::convection {

/// A named part of the boundary.
struct Group {
  std::string name;
  std::vector<LocalIndex> nodes; // ascending; those that this rank touches, by whichever tetrahedra
};

/// The tetrahedra of one rank, which ranks share its nodes, and the groups of the boundary.
struct Mesh {
  discrete::TetMesh tets;
  exchange::InterfacePlan plan;
  std::vector<Group> groups; // the same names on all ranks

  /// Throws Error naming the groups that there are.
  [[nodiscard]] const Group& group(std::string_view name) const;
};

/// Collective. A box of cells that are divided into five or six tetrahedra, a block for each rank;
/// its groups are x-min, x-max, y-min, y-max, z-min and z-max. Along axes whose `narrowing` b is
/// above 0, cells are narrower at both ends, by a hyperbolic tangent: a node at the part t of the
/// length goes to (1 + tanh(b (2t - 1)) / tanh b) / 2.
[[nodiscard]] Mesh make_box(const comm::Comm& comm, const discrete::TetBox& box,
                            const std::array<double, 3>& narrowing = {});

/// The group of the outer faces of a file that no physical surface has.
inline constexpr const char* others_name = "others";

/// Collective. The tetrahedra of a Gmsh file, ASCII, 2.2 or 4.1, dealt so that few nodes are
/// shared; groups are its named physical surfaces, and `others_name` where outer faces are in none
/// of them. Each rank reads its part of the file. Throws
/// Error on all ranks what read_gmsh() and deal() find.
[[nodiscard]] Mesh open_gmsh(const comm::Comm& comm, const std::filesystem::path& file);

/// How the nodes of a rank are numbered: neighbours that lie together in memory are met together.
/// `levels_along_hilbert`: the levels of reverse Cuthill-McKee, each along the Hilbert curve.
enum class NodeOrder { given, reverse_cuthill_mckee, hilbert, levels_along_hilbert };

/// Local. Numbers the nodes of this rank anew; tetrahedra follow their lowest nodes, ids stay.
/// After finish().
void renumber(Mesh& mesh, NodeOrder order);

/// Collective. Which ranks share the nodes. Throws Error on all ranks if one has no tetrahedra: it
/// would have no say in what follows.
void finish(const comm::Comm& comm, Mesh& mesh);

} // namespace isthmus::convection
