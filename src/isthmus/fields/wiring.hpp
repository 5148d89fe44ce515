// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/fields/data_message.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/planning/provide_mesh.hpp"
#include "isthmus/planning/receive_mesh.hpp"
#include "isthmus/transfer/changes.hpp"
#include "isthmus/transfer/mesh_relation.hpp"

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace isthmus::fields {

/// A mapping between two fields of this participant.
struct FieldMapping {
  planning::PlannedMapping* plan;
  Field* from;
  Field* to;
};

using transfer::Renewal;

/// Whether a mesh of a participant is among those that it has reset.
[[nodiscard]] bool has_reset(const config::Participant& participant, transfer::MeshBits reset,
                             const std::string& mesh);

/// The plans of all mesh relations of one participant, made once and kept while no mesh changes.
class Wiring {
 public:
  Wiring(const config::Configuration& configuration, const config::Participant& self,
         FieldSet& fields);

  /// Collective over all participants. `connection_to` gives the connection to a partner.
  void plan(const std::function<partner::Connection&(const std::string&)>& connection_to,
            const planning::Inputs& inputs);

  /// Whether anything is planned with a partner.
  [[nodiscard]] bool is_related(const std::string& partner) const;
  /// Whether something planned with a partner depends on these resets.
  [[nodiscard]] bool is_touched(const Renewal& renewal) const;
  /// The received meshes of which it does.
  [[nodiscard]] std::vector<std::string> touched_meshes(const Renewal& renewal) const;
  /// Collective over both participants. Plans it anew; the fields on those meshes lose their
  /// samples. All items and mappings from here are to be asked for again.
  void renew(partner::Connection& partner, const Renewal& renewal, const planning::Inputs& inputs);

  /// Collective. What the partner is told of meshes that this participant has reset.
  [[nodiscard]] transfer::Changes changes(partner::Connection& partner, transfer::MeshBits reset,
                                          const planning::Inputs& inputs);
  /// Whether only ranks that see something of the changes need to plan again; both sides find the
  /// same.
  [[nodiscard]] bool is_small(const Renewal& renewal) const;
  /// Plans again with those; other ranks know that there is nothing to do. The values that fields
  /// got for the last plan stay, except on the links returned: on those, values travel again.
  struct Changed {
    std::set<transport::LinkId> out;
    std::set<transport::LinkId> in;
  };
  [[nodiscard]] Changed patch(partner::Connection& partner, const Renewal& renewal,
                              const planning::Inputs& inputs);

  /// Once everybody has asked again.
  void settle();

  /// How an exchange of the configuration looks from here; sizes its field on received meshes.
  /// Several items where an action makes the data of what several mappings bring.
  [[nodiscard]] std::vector<Item> items(const config::Exchange& exchange);

  /// The vertices of a received mesh that the solver has access to; null without api-access.
  [[nodiscard]] const planning::Accessed* accessed(std::string_view mesh) const;
  /// The received mesh of this name, where it is held; else null.
  [[nodiscard]] const planning::HeldMesh* held(const std::string& mesh) const;
  /// The vertices of a held mesh to which the values of a field on it belong, in their order.
  [[nodiscard]] std::vector<LocalIndex> vertices_of(const Field& field) const;

  /// Coordinates of these vertices, or of those that the solver has access to.
  [[nodiscard]] std::vector<double> coordinates_of(const Field& field, bool accessed) const;

  [[nodiscard]] std::vector<FieldMapping>& write_mappings() { return write_mappings_; }
  [[nodiscard]] std::vector<FieldMapping>& read_mappings() { return read_mappings_; }

 private:
  using Provided = planning::ProvidedRelation;
  struct Received : planning::ReceivedRelation {
    bool is_renewed = false; // its fields have another size, or other vertices
  };

  [[nodiscard]] const Received* find_received(const std::string& mesh) const;
  [[nodiscard]] std::vector<Item> made_items(const config::Exchange& exchange);
  [[nodiscard]] const transfer::MeshRelation* find_relation(const config::Exchange& exchange) const;
  [[nodiscard]] const Provided* find_provided(const transfer::MeshRelation& relation) const;
  [[nodiscard]] Item provided_item(const config::Exchange& exchange);
  [[nodiscard]] Item received_item(const config::Exchange& exchange);
  [[nodiscard]] bool is_touched(const transfer::MeshRelation& relation,
                                const Renewal& renewal) const;
  [[nodiscard]] const transfer::Displacement* displacement_of(
      const transfer::MeshRelation& relation) const;
  void note_displacement(const Renewal& renewal);
  void renumber(const Received& received, const std::vector<planning::Route>& before,
                const std::set<transport::LinkId>& changed);
  void list_all_mappings();
  void size_fields(const Received& received);
  void list_mappings(Received& received);

  const config::Configuration& configuration_;
  const config::Participant& self_;
  FieldSet& fields_;
  std::vector<transfer::MeshRelation> relations_;
  std::deque<config::Mapping> chosen_; // for automatic ones
  std::deque<Provided> provided_;      // addresses of plans stay
  std::deque<Received> received_;
  std::vector<FieldMapping> write_mappings_;
  std::vector<FieldMapping> read_mappings_;
  /// Of fields made by actions, by use of the mesh.
  std::map<std::pair<const Field*, std::size_t>, std::vector<planning::Route>> made_routes_;
};

} // namespace isthmus::fields
