// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/coupling/schemes/scheme.hpp"
#include "isthmus/fields/message_set.hpp"
#include "isthmus/fields/partners.hpp"
#include "isthmus/fields/planned_fields.hpp"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace isthmus::coupling {

/// Which meshes of its own a participant has reset, and which partners do not know of it yet.
class Resets {
 public:
  /// `allowed`: the configuration lets meshes change. Where it does not nobody looks for changes.
  Resets(const config::Participant& self, const fields::Relations& relations,
         const transport::Hub& hub, bool allowed)
      : self_(self), relations_(relations), hub_(hub), allowed_(allowed) {}

  [[nodiscard]] bool are_allowed() const { return allowed_; }
  /// The provided meshes that were reset since the last complete().
  [[nodiscard]] transfer::MeshBits since_last_step() const { return reset_; }
  /// The bit of a provided mesh, one of the first max_meshes_to_reset.
  [[nodiscard]] transfer::MeshBits bit_of(const std::string& mesh) const;
  /// These were, here or on other ranks; the partners that use them are to learn it.
  void join(transfer::MeshBits all, std::span<const std::string> partners);
  [[nodiscard]] bool includes(const std::string& mesh) const {
    return fields::has_reset(self_, reset_, mesh);
  }
  /// The new meshes are there.
  void complete() { reset_ = 0; }

  /// What is to be sent to a partner.
  [[nodiscard]] transfer::MeshBits unsent(const std::string& partner) const;
  /// What is sent to it in this exchange.
  void note_sent(const std::string& partner, const transfer::Changes& changes) {
    sent_[partner] = changes;
  }
  /// Whether that is more than small changes, and no plan is made yet.
  [[nodiscard]] bool has_sent_large(const std::string& partner) const;
  /// It knows, and a new plan is made.
  void forget(const std::string& partner);
  /// Whether the rows of a mapping belong to a mesh that is gone.
  [[nodiscard]] bool are_stale(const fields::FieldMapping& mapping) const;

  /// With whom of a scheme plans must be made again; `received`: the messages of the partners are
  /// here, and count, too.
  [[nodiscard]] std::vector<fields::Renewal> renewals(const Scheme& scheme, bool received) const;
  /// The links to these partners.
  [[nodiscard]] fields::LinkChoice links_to(std::span<const fields::Renewal> renewals) const;

 private:
  const config::Participant& self_;
  const fields::Relations& relations_;
  const transport::Hub& hub_;
  bool allowed_;
  transfer::MeshBits reset_ = 0;
  std::map<std::string, transfer::MeshBits> unsent_; // by partner
  std::map<std::string, transfer::Changes> sent_;    // of those, by partner
};

} // namespace isthmus::coupling
