// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/protocol/mesh_relation.hpp"
#include "isthmus/transfer/changes.hpp"
#include "isthmus/transfer/mesh_bits.hpp"

#include <span>
#include <string>
#include <vector>

namespace isthmus::transfer {

/// Whether a mesh of a participant is among those that it has reset.
[[nodiscard]] bool has_reset(const config::Participant& participant, MeshBits reset,
                             const std::string& mesh);

/// The mesh relations of one participant, and which of them depend on meshes that were reset.
class Relations {
 public:
  /// `all`: mesh_relations() of the run. The participants of the run must outlive the object.
  Relations(std::vector<protocol::MeshRelation> all,
            std::span<const config::Participant> participants, const config::Participant& self);

  /// In an order that both sides of each derive alike.
  [[nodiscard]] std::vector<protocol::MeshRelation>& all() { return all_; }
  [[nodiscard]] const std::vector<protocol::MeshRelation>& all() const { return all_; }

  /// Whether anything is planned with a partner.
  [[nodiscard]] bool is_related(const std::string& partner) const;
  /// Whether the provider of a relation with this partner has reset its mesh.
  [[nodiscard]] bool is_reset(const protocol::MeshRelation& relation, const Renewal& renewal) const;
  /// Whether the plan of a relation depends on what was reset.
  [[nodiscard]] bool is_renewed(const protocol::MeshRelation& relation,
                                const Renewal& renewal) const;
  /// Whether any does.
  [[nodiscard]] bool is_renewed(const Renewal& renewal) const;
  /// The received meshes of those that do.
  [[nodiscard]] std::vector<std::string> renewed_meshes(const Renewal& renewal) const;

 private:
  std::span<const config::Participant> participants_;
  const config::Participant& self_;
  std::vector<protocol::MeshRelation> all_;
};

} // namespace isthmus::transfer
