// SPDX-License-Identifier: BSD-3-Clause
#include "convection/mesh/others.hpp"

#include "convection/mesh/mesh.hpp"
#include "isthmus/base/hash.hpp"
#include "isthmus/base/sequence.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/lists.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace isthmus::convection {

namespace {

using Corners3 = std::array<GlobalIndex, 3>; // positions of nodes, ascending

/// Where all tetrahedra and faces meet that have these corners.
void send_home(const comm::Comm& comm, Corners3 corners, comm::Lists<Corners3>& to) {
  std::sort(corners.begin(), corners.end());
  to[dealt_rank(std::span<const GlobalIndex>(corners), comm.size())].push_back(corners);
}

/// Collective. What came here, ascending.
std::vector<Corners3> gathered(const comm::Comm& comm, const comm::Lists<Corners3>& outgoing) {
  std::vector<Corners3> result;
  comm::append(comm::swap_lists(comm, outgoing), result);
  std::sort(result.begin(), result.end());
  return result;
}

/// Collective. The number of the group of this name, or one that is not taken.
int number_of_others(const comm::Comm& comm, const MeshShare& share) {
  int most = 0;
  for (const auto& [number, name] : share.names) {
    if (name == others_name) {
      return number; // the same on all ranks
    }
    most = std::max(most, number);
  }
  for (const MeshShare::Face& face : share.faces) {
    most = std::max(most, face.group);
  }
  return comm::allreduce(comm, most, comm::Op::max) + 1;
}

} // namespace

void add_others(const comm::Comm& comm, MeshShare& share) {
  comm::Lists<Corners3> of_tets, of_faces;
  for (const MeshShare::Tet& tet : share.tets) {
    for (std::size_t left_out = 0; left_out < 4; ++left_out) {
      send_home(comm,
                {tet.nodes[(left_out + 1) % 4], tet.nodes[(left_out + 2) % 4],
                 tet.nodes[(left_out + 3) % 4]},
                of_tets);
    }
  }
  for (const MeshShare::Face& face : share.faces) {
    send_home(comm, face.nodes, of_faces);
  }
  const std::vector<Corners3> sides = gathered(comm, of_tets);
  const std::vector<Corners3> named = gathered(comm, of_faces);
  const int group = number_of_others(comm, share);
  for (std::size_t first = 0, end = 0; first < sides.size(); first = end) {
    while (end < sides.size() && sides[end] == sides[first]) {
      ++end;
    }
    const bool is_outer = end - first == 1;
    if (is_outer && !std::binary_search(named.begin(), named.end(), sides[first])) {
      share.faces.push_back({sides[first], 0, group});
    }
  }
  share.names.emplace(group, others_name);
}

} // namespace isthmus::convection
