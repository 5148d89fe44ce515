// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace isthmus::protocol {

/// Which vertices around the region of direct access just-in-time mappings need.
struct Surroundings {
  bool nearest = false;   // the nearest one to any place in the region
  double radius = 0;      // those up to this distance from it
  bool radial = false;    // radial basis functions: on one rank all, else none, as in preCICE
  double enlargement = 0; // of the region, in its longest edges: with no vertex in that it has none

  [[nodiscard]] bool reach_out() const { return nearest || radius > 0; }
};

/// Who weights: mappings that keep an integral over the surface, or the volume, and actions.
enum class Weighing : std::size_t { surface, volume, action };

/// How one mapping of the receiver uses the received mesh.
struct MappingUse {
  const config::Mapping* mapping = nullptr;
  std::string own_mesh;
  bool writes = false; // data goes to the received mesh
  bool searches_received =
      true; // own vertices look for their place on the received mesh, or reverse
  bool needs_connectivity = false; // of the mesh that is searched
  bool is_joined = false;          // writes what an action joins with what another mapping writes
  bool direct = false; // no mapping: the solver has access to the received vertices of a region
  Surroundings around; // of that region
  bool needs_whole_mesh = false; // searches all of it, not a neighbourhood

  /// Takes vertices of several ranks of the own mesh, those around each vertex of the provider.
  [[nodiscard]] bool searches_nearby() const;
  /// What is found depends on the whole own mesh.
  [[nodiscard]] bool gathers() const;
  /// What is found depends on all vertices that ask, too.
  [[nodiscard]] bool asks_together() const;
  /// Vertices of the provider may be found on several ranks, which must compete.
  [[nodiscard]] bool claims() const { return !searches_received && !gathers() && !solves(); }
  /// Solves a system for each field instead, between vertices that are each with one rank.
  [[nodiscard]] bool solves() const;
  /// Takes each received vertex on one rank, whatever its place: for a system, or for an integral
  /// over all of them.
  [[nodiscard]] bool takes_share() const;
  /// Its weights take long, but what it reads or writes is known before: the provider does not wait
  /// for them.
  [[nodiscard]] bool is_late() const;
  /// Needs a part of the mesh that it searches, and to know something of the whole.
  [[nodiscard]] bool is_surveyed() const;
  /// Its kind is chosen when the meshes are known.
  [[nodiscard]] bool is_automatic() const;
  [[nodiscard]] bool finds_the_same(const MappingUse& other) const;
  /// Looks for the place of vertices among a few elements, which need not hold the closest place.
  [[nodiscard]] bool has_candidates() const;
  /// Each vertex goes to one place of the other mesh, which may lie at a distance.
  [[nodiscard]] bool has_places() const;
  /// The integral over the mesh is kept, so the elements of both meshes matter.
  [[nodiscard]] bool scaled() const;
  /// Who weights, where it is scaled().
  [[nodiscard]] Weighing weighing() const;
  /// The only component of vectors that is mapped, or -1 if all are.
  [[nodiscard]] int axis() const;
  /// The values of a vertex are followed by their gradients.
  [[nodiscard]] bool takes_gradients() const;
};

/// How a mapping uses a received mesh.
[[nodiscard]] MappingUse use_of(const config::Mapping& mapping, const std::string& received);

/// One mesh that one participant receives from another, as the configuration of both of them says.
struct MeshRelation {
  std::string mesh;
  int dimensions = 0;
  std::string provider;
  std::string receiver;
  config::Initialization initialization = config::Initialization::rendezvous;
  std::vector<MappingUse> uses;
  bool is_held = false;              // the receiver looks at the mesh itself
  bool is_measured = false;          // the receiver adds up over its vertices, each once
  bool is_scripted = false;          // a script of the receiver sees its vertices
  bool reads_what_it_writes = false; // an action may join what has come with what is written
  bool is_weighed = false; // an action of the receiver weights its vertices by the elements around
  bool may_change = false; // meshes of this run may be reset

  [[nodiscard]] bool is_provided_by(const std::string& participant) const {
    return participant == provider;
  }
  /// The other participant of one of the two.
  [[nodiscard]] const std::string& partner_of(const std::string& participant) const {
    return is_provided_by(participant) ? receiver : provider;
  }
  /// Meshes of the receiver between which and this one it maps, each once, in the order of the
  /// uses.
  [[nodiscard]] std::vector<std::string> mapped_meshes() const;
  /// Somebody at the receiver sees its vertices, beside the mappings: exports, scripts, the
  /// measures and the acceleration of an implicit scheme.
  [[nodiscard]] bool is_looked_at() const { return is_held || is_scripted || is_measured; }
  /// Elements of the provided mesh must travel. What they measure travels without them.
  [[nodiscard]] bool sends_connectivity() const;
  /// Every rank of the receiver gets the whole mesh.
  [[nodiscard]] bool sends_everything() const;
  /// Each rank of the receiver gets an equal share of the vertices, whatever their place: some use
  /// takes it.
  [[nodiscard]] bool sends_shares() const;
  /// It gets those of its region: some use looks around, or nobody takes a share.
  [[nodiscard]] bool sends_regions() const;
  /// The first use that finds the same as this one.
  [[nodiscard]] std::size_t first_alike(std::size_t use) const;
  /// Vertices of the provided mesh look for their place on meshes of the receiver.
  [[nodiscard]] bool has_claims() const;
};

/// All relations of a run in one order that every participant derives alike. `may_change`: its
/// meshes may be reset.
[[nodiscard]] std::vector<MeshRelation> mesh_relations(
    std::span<const config::Participant> participants, std::span<const config::Mesh> meshes,
    std::span<const config::M2N> m2ns, std::span<const config::CouplingScheme> schemes,
    bool may_change);

/// Whether any mapping of any participant searches elements of this provided mesh, or an action of
/// its provider weights its vertices.
[[nodiscard]] bool connectivity_required(std::span<const config::Participant> participants,
                                         const std::string& mesh);

} // namespace isthmus::protocol
