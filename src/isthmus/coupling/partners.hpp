// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/coupling/schedule.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/fields/wiring.hpp"
#include "isthmus/partner/connection.hpp"

#include <map>
#include <string>
#include <vector>

namespace isthmus::coupling {

/// The partners of one participant: connections to them, and what is planned with them.
class Partners {
 public:
  Partners(partner::Context& context, const config::Configuration& configuration,
           const config::Participant& self, fields::FieldSet& fields);

  /// Collective over all participants: meets those with whom a scheme or a mesh is shared.
  void connect(Schedule& schedule);
  /// Collective over all participants. Fields get their sizes.
  void plan(const planning::Inputs& inputs);
  /// Collective over both participants: fields::Wiring::renew().
  void renew(const fields::Renewal& renewal);
  /// fields::Wiring::patch(), by the ranks that see something of the changes.
  [[nodiscard]] fields::Wiring::Changed patch(const fields::Renewal& renewal);
  /// Collective. What a partner is told of meshes that this participant has reset.
  [[nodiscard]] transfer::Changes changes(const std::string& partner, transfer::MeshBits reset);

  [[nodiscard]] partner::Connection& at(const std::string& partner) {
    return connections_.at(partner);
  }
  [[nodiscard]] std::map<std::string, partner::Connection>& connections() { return connections_; }
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] fields::Wiring& wiring() { return wiring_; }
  [[nodiscard]] const fields::Wiring& wiring() const { return wiring_; }
  [[nodiscard]] const mesh::Mesh& own_mesh(const std::string& mesh) const {
    return inputs_.meshes.at(mesh);
  }
  [[nodiscard]] int dimensions_of(const fields::Field& field) const {
    return configuration_.find_mesh(field.mesh())->dimensions;
  }
  /// Of the vertices of a field, in the order of its values.
  [[nodiscard]] std::vector<double> coordinates_of(const fields::Field& field) const;

 private:
  partner::Context& context_;
  const config::Configuration& configuration_;
  const config::Participant& self_;
  fields::FieldSet& fields_;
  std::map<std::string, partner::Connection> connections_; // by name
  fields::Wiring wiring_;
  planning::Inputs inputs_; // of plans
};

} // namespace isthmus::coupling
