// SPDX-License-Identifier: BSD-3-Clause
#include "convection/mesh/mesh_share.hpp"
#include "convection/mesh/others.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/hash.hpp"
#include "isthmus/base/sequence.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/lists.hpp"
#include "isthmus/la/global_ids.hpp"
#include "isthmus/partition/multilevel/divide.hpp"

#include <algorithm>
#include <iterator>

namespace isthmus::convection {

namespace {

/// Where a value is in an ascending list; its end if it is not there.
template <typename T>
std::size_t find_in(const std::vector<T>& ascending, const T& value) {
  const auto at = std::lower_bound(ascending.begin(), ascending.end(), value);
  const bool is_there = at != ascending.end() && *at == value;
  return is_there ? static_cast<std::size_t>(at - ascending.begin()) : ascending.size();
}

using Corners = std::array<GlobalIndex, 4>; // positions of nodes

/// Collective. The positions of nodes by their names: each rank knows those whose hash is its own.
class Directory {
 public:
  Directory(const comm::Comm& comm, const MeshShare& share) : comm_(comm) {
    comm::Lists<MeshShare::Node> outgoing;
    for (const MeshShare::Node& node : share.nodes) {
      outgoing[home_of(node.name)].push_back(node);
    }
    comm::append(comm::swap_lists(comm, outgoing), known_);
    std::sort(known_.begin(), known_.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    comm::agree(comm, [&] {
      const auto twice =
          std::adjacent_find(known_.begin(), known_.end(),
                             [](const auto& a, const auto& b) { return a.name == b.name; });
      check(twice == known_.end(), "{}: node {} occurs twice", share.file,
            twice == known_.end() ? 0 : twice->name);
    });
  }

  /// Collective. Of ascending names; -1 for those that are not there.
  [[nodiscard]] std::vector<GlobalIndex> positions(const std::vector<GlobalIndex>& names) const {
    comm::Lists<GlobalIndex> questions;
    for (const GlobalIndex name : names) {
      questions[home_of(name)].push_back(name);
    }
    comm::Lists<GlobalIndex> answers;
    for (const auto& [rank, list] : comm::swap_lists(comm_, questions)) {
      for (const GlobalIndex name : list) {
        const auto at =
            std::lower_bound(known_.begin(), known_.end(), name,
                             [](const auto& node, GlobalIndex of) { return node.name < of; });
        const bool is_there = at != known_.end() && at->name == name;
        answers[rank].push_back(is_there ? at->position : -1);
      }
    }
    const comm::Lists<GlobalIndex> replies = comm::swap_lists(comm_, answers);
    std::map<int, std::size_t> next;
    std::vector<GlobalIndex> result;
    for (const GlobalIndex name : names) {
      const int home = home_of(name);
      result.push_back(replies.at(home)[next[home]++]);
    }
    return result;
  }

 private:
  [[nodiscard]] int home_of(GlobalIndex name) const {
    return dealt_rank(std::span<const GlobalIndex>(&name, 1), comm_.size());
  }

  const comm::Comm& comm_;
  std::vector<MeshShare::Node> known_;
};

/// Replaces names by positions.
template <typename Elements>
void place_nodes(const std::string& file, const std::vector<GlobalIndex>& names,
                 const std::vector<GlobalIndex>& positions, Elements& elements) {
  for (auto& element : elements) {
    for (GlobalIndex& node : element.nodes) {
      const GlobalIndex position = positions[find_in(names, node)];
      check(position >= 0, "{}:{}: there is no node {}", file, element.line, node);
      node = position;
    }
  }
}

/// Collective. The names of the nodes of tetrahedra and faces become positions.
void place_nodes(const comm::Comm& comm, MeshShare& share) {
  std::vector<GlobalIndex> names;
  for (const MeshShare::Tet& tet : share.tets) {
    names.insert(names.end(), tet.nodes.begin(), tet.nodes.end());
  }
  for (const MeshShare::Face& face : share.faces) {
    names.insert(names.end(), face.nodes.begin(), face.nodes.end());
  }
  sort_once(names);
  const std::vector<GlobalIndex> positions = Directory(comm, share).positions(names);
  comm::agree(comm, [&] {
    place_nodes(share.file, names, positions, share.tets);
    place_nodes(share.file, names, positions, share.faces);
  });
}

/// Collective. The tetrahedra that have a face in common with each own one.
partition::Graph graph_of(const comm::Comm& comm, const std::vector<MeshShare::Tet>& tets,
                          const la::Range& range) {
  struct Side {
    std::array<GlobalIndex, 3> nodes;
    GlobalIndex tet;
    int rank;
  };
  comm::Lists<Side> outgoing;
  for (std::size_t t = 0; t < tets.size(); ++t) {
    for (std::size_t left_out = 0; left_out < 4; ++left_out) {
      Side side{{}, range.first + static_cast<GlobalIndex>(t), comm.rank()};
      for (std::size_t k = 0; k < 3; ++k) {
        side.nodes[k] = tets[t].nodes[(left_out + 1 + k) % 4];
      }
      std::sort(side.nodes.begin(), side.nodes.end());
      outgoing[dealt_rank(std::span<const GlobalIndex>(side.nodes), comm.size())].push_back(side);
    }
  }
  std::vector<Side> sides;
  comm::append(comm::swap_lists(comm, outgoing), sides);
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return a.nodes != b.nodes ? a.nodes < b.nodes : a.tet < b.tet;
  });
  comm::Lists<std::array<GlobalIndex, 2>> found;
  for (std::size_t s = 1; s < sides.size(); ++s) {
    if (sides[s].nodes == sides[s - 1].nodes) {
      found[sides[s].rank].push_back({sides[s].tet, sides[s - 1].tet});
      found[sides[s - 1].rank].push_back({sides[s - 1].tet, sides[s].tet});
    }
  }
  std::vector<std::array<GlobalIndex, 2>> pairs;
  comm::append(comm::swap_lists(comm, found), pairs);
  sort_once(pairs);
  partition::Graph graph;
  graph.offsets.assign(tets.size() + 1, 0);
  for (const auto& [own, other] : pairs) {
    ++graph.offsets[static_cast<std::size_t>(own - range.first) + 1];
    graph.targets.push_back(other);
  }
  for (std::size_t t = 0; t < tets.size(); ++t) {
    graph.offsets[t + 1] += graph.offsets[t];
  }
  return graph;
}

/// A tetrahedron on its way to its rank.
struct Dealt {
  GlobalIndex id;
  Corners nodes;
  GlobalIndex line;

  bool operator<(const Dealt& other) const { return id < other.id; }
};

/// Collective. The tetrahedra of this rank's part, by their ids.
std::vector<Dealt> deal_tets(const comm::Comm& comm, const MeshShare& share) {
  const la::Range range = la::number(comm, static_cast<GlobalIndex>(share.tets.size()));
  check(range.total > 0, "{}: there are no tetrahedra; save the volume, too", share.file);
  const partition::Parts parts =
      comm.size() == 1 ? partition::Parts(share.tets.size(), 0)
                       : partition::divide(comm, graph_of(comm, share.tets, range), comm.size());
  comm::Lists<Dealt> outgoing;
  for (std::size_t t = 0; t < share.tets.size(); ++t) {
    outgoing[parts[t]].push_back(
        {range.first + static_cast<GlobalIndex>(t), share.tets[t].nodes, share.tets[t].line});
  }
  std::vector<Dealt> result;
  comm::append(comm::swap_lists(comm, outgoing), result);
  std::sort(result.begin(), result.end());
  return result;
}

/// What ranks know of the nodes whose positions are in their range, and bring to those that ask.
class NodeHomes {
 public:
  /// Collective.
  NodeHomes(const comm::Comm& comm, const MeshShare& share, const std::vector<int>& groups)
      : comm_(comm), file_(share.file), total_(share.num_nodes) {
    const Share own = share_of(comm.rank(), comm.size(), total_);
    first_ = own.first;
    places_.resize(static_cast<std::size_t>(own.count));
    comm::Lists<MeshShare::Place> places;
    for (const MeshShare::Place& place : share.places) {
      places[home_of(place.position)].push_back(place);
    }
    for (const auto& [rank, list] : comm::swap_lists(comm, places)) {
      for (const MeshShare::Place& place : list) {
        places_[static_cast<std::size_t>(place.position - first_)] = place;
      }
    }
    comm::Lists<Member> members;
    for (const MeshShare::Face& face : share.faces) {
      for (const GlobalIndex node : face.nodes) {
        members[home_of(node)].push_back(
            {node, static_cast<GlobalIndex>(find_in(groups, face.group))});
      }
    }
    comm::append(comm::swap_lists(comm, members), members_);
    sort_once(members_);
  }

  /// Collective. Places and groups of the nodes at these positions, ascending. Throws Error if no
  /// rank asks for one.
  void bring(const std::vector<GlobalIndex>& positions, Mesh& mesh) {
    comm::Lists<GlobalIndex> questions;
    for (const GlobalIndex position : positions) {
      questions[home_of(position)].push_back(position);
    }
    comm::Lists<MeshShare::Place> places;
    comm::Lists<Member> members;
    std::vector<char> is_used(places_.size(), 0);
    for (const auto& [rank, list] : comm::swap_lists(comm_, questions)) {
      for (const GlobalIndex position : list) {
        const auto n = static_cast<std::size_t>(position - first_);
        is_used[n] = 1;
        places[rank].push_back(places_[n]);
        const Member lowest{position, 0};
        for (auto at = std::lower_bound(members_.begin(), members_.end(), lowest);
             at != members_.end() && (*at)[0] == position; ++at) {
          members[rank].push_back(*at);
        }
      }
    }
    check_used(is_used);
    for (const auto& [rank, list] : comm::swap_lists(comm_, places)) { // homes ascend
      for (const MeshShare::Place& place : list) {
        mesh.tets.coords.insert(mesh.tets.coords.end(), place.at.begin(), place.at.end());
      }
    }
    for (const auto& [rank, list] : comm::swap_lists(comm_, members)) {
      for (const auto& [position, group] : list) {
        mesh.groups[static_cast<std::size_t>(group)].nodes.push_back(
            static_cast<LocalIndex>(find_in(positions, position)));
      }
    }
  }

 private:
  using Member = std::array<GlobalIndex, 2>; // a node, and the place of its group in the list

  [[nodiscard]] int home_of(GlobalIndex position) const {
    return owner_of_share(position, comm_.size(), total_);
  }

  void check_used(const std::vector<char>& is_used) const {
    comm::agree(comm_, [&] {
      const auto unused = std::find(is_used.begin(), is_used.end(), 0);
      check(unused == is_used.end(),
            "{}: no tetrahedron uses node number {} of $Nodes; leave it out", file_,
            first_ + (unused - is_used.begin()) + 1);
    });
  }

  const comm::Comm& comm_;
  const std::string& file_;
  GlobalIndex total_;
  GlobalIndex first_ = 0; // position
  std::vector<MeshShare::Place> places_;
  std::vector<Member> members_; // ascending
};

/// Collective. The numbers of all groups, ascending.
std::vector<int> groups_of(const comm::Comm& comm, const MeshShare& share) {
  std::vector<int> own;
  for (const MeshShare::Face& face : share.faces) {
    if (own.empty() || own.back() != face.group) {
      own.push_back(face.group);
    }
  }
  sort_once(own);
  std::vector<int> all = comm::allgather(comm, std::span<const int>(own)).values;
  sort_once(all);
  return all;
}

/// Six times the volume; negative if the tetrahedron is turned inside out.
double determinant(const discrete::TetMesh& mesh, const std::array<LocalIndex, 4>& tet) {
  std::array<std::array<double, 3>, 3> e{};
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t c = 0; c < 3; ++c) {
      e[k][c] = mesh.coords[3 * static_cast<std::size_t>(tet[k + 1]) + c] -
                mesh.coords[3 * static_cast<std::size_t>(tet[0]) + c];
    }
  }
  return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
         e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
         e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

} // namespace

Mesh deal(const comm::Comm& comm, MeshShare share) {
  place_nodes(comm, share);
  add_others(comm, share);
  const std::vector<Dealt> tets = deal_tets(comm, share);
  Mesh mesh;
  const std::vector<int> groups = groups_of(comm, share);
  for (const int group : groups) {
    const auto found = share.names.find(group);
    mesh.groups.push_back({found == share.names.end() ? std::to_string(group) : found->second, {}});
  }
  std::vector<GlobalIndex>& positions = mesh.tets.node_ids;
  for (const Dealt& tet : tets) {
    positions.insert(positions.end(), tet.nodes.begin(), tet.nodes.end());
  }
  sort_once(positions);
  NodeHomes(comm, share, groups).bring(positions, mesh);
  comm::agree(comm, [&] {
    for (const Dealt& tet : tets) {
      auto& corners = mesh.tets.tets.emplace_back();
      std::transform(tet.nodes.begin(), tet.nodes.end(), corners.begin(), [&](GlobalIndex node) {
        return static_cast<LocalIndex>(find_in(positions, node));
      });
      mesh.tets.tet_ids.push_back(tet.id);
      const double volume = determinant(mesh.tets, corners) / 6;
      check(volume > 0,
            "{}:{}: the tetrahedron has the volume {:.3g}: it is {}; mend the mesh, or its order "
            "of nodes",
            share.file, tet.line, volume, volume < 0 ? "turned inside out" : "flat");
    }
  });
  finish(comm, mesh);
  return mesh;
}

} // namespace isthmus::convection
