// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/fields/partners.hpp"
#include "isthmus/transfer/changes.hpp"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace isthmus::fields {

/// Small changes of meshes: plans are made again where somebody sees them, and nowhere else.
class SmallChanges {
 public:
  /// The arguments must outlive the object. `schemes`: all of the run.
  SmallChanges(Partners& partners, std::span<const config::CouplingScheme> schemes,
               const config::Participant& self, FieldSet& fields)
      : partners_(partners), schemes_(schemes), self_(self), fields_(fields) {}

  /// Collective. What is sent to a partner about meshes that this participant has reset.
  [[nodiscard]] transfer::Changes note(const std::string& partner, transfer::MeshBits reset);
  /// Whether only ranks that see something of the changes need to plan again; both sides find the
  /// same.
  [[nodiscard]] bool are_all(const Renewal& renewal) const;
  /// Plans again with those; other ranks know that there is nothing to do. The values that fields
  /// got for the last plan stay, except on the links returned: on those, values travel again.
  struct Changed {
    std::set<transport::LinkId> out;
    std::set<transport::LinkId> in;
  };
  [[nodiscard]] Changed plan(const Renewal& renewal);

 private:
  /// Of the last plan of a relation; null where it is not remembered.
  [[nodiscard]] transfer::Displacement* displacement_of(
      const protocol::MeshRelation& relation) const;
  /// What becomes of it with what both sides have sent.
  [[nodiscard]] transfer::Displacement with(const Renewal& renewal,
                                            const protocol::MeshRelation& relation,
                                            transfer::Displacement displacement) const;
  void note_displacement(const Renewal& renewal);
  void renumber(const planning::ReceivedRelation& received,
                const std::vector<planning::Route>& before,
                const std::set<transport::LinkId>& changed);

  Partners& partners_;
  std::span<const config::CouplingScheme> schemes_;
  const config::Participant& self_;
  FieldSet& fields_;
};

} // namespace isthmus::fields
