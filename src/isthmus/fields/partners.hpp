// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/fields/plans.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/protocol/mesh_relation.hpp"
#include "isthmus/transfer/changes.hpp"
#include "isthmus/transfer/mesh_bits.hpp"

#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace isthmus::fields {

using transfer::Renewal;

/// Whether a mesh of a participant is among those that it has reset.
[[nodiscard]] bool has_reset(const config::Participant& participant, transfer::MeshBits reset,
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

/// The partners of one participant: connections to them, and what is planned with them.
class Partners {
 public:
  /// The context and what the configuration says must outlive the object. `m2ns`: of the run.
  Partners(partner::Context& context, const config::Participant& self,
           std::span<const config::M2N> m2ns, Relations relations)
      : context_(context), self_(self), m2ns_(m2ns), relations_(std::move(relations)) {}
  Partners(const Partners&) = delete; // plans point to relations
  Partners& operator=(const Partners&) = delete;

  /// Collective over all participants. Meets those with whom this one shares a mesh, and `others`.
  void connect(const std::set<std::string>& others);
  /// Collective over all participants. Makes the plans.
  void plan(const planning::Inputs& inputs);
  /// Collective over both participants. Makes those anew that depend on what was reset.
  void renew(const Renewal& renewal);

  [[nodiscard]] partner::Connection& at(const std::string& partner) {
    return connections_.at(partner);
  }
  [[nodiscard]] std::map<std::string, partner::Connection>& connections() { return connections_; }
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] const Relations& relations() const { return relations_; }
  [[nodiscard]] Plans& plans() { return plans_; }
  [[nodiscard]] const Plans& plans() const { return plans_; }

 private:
  void complete();

  partner::Context& context_;
  const config::Participant& self_;
  std::span<const config::M2N> m2ns_;
  std::map<std::string, partner::Connection> connections_; // by name
  Relations relations_;
  std::deque<config::Mapping> chosen_; // for automatic ones
  Plans plans_;
};

} // namespace isthmus::fields
