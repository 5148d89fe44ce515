// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/fields/data_message.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/fields/plans.hpp"

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace isthmus::fields {

/// What the exchanges of the configuration are for one participant: its fields, and their routes by
/// its plans.
class Items {
 public:
  /// The arguments must outlive the object. `participants`: all of the run.
  Items(Plans& plans, std::span<const config::Participant> participants,
        const config::Participant& self, FieldSet& fields)
      : plans_(plans), participants_(participants), self_(self), fields_(fields) {}

  /// Of an exchange in which this participant takes part; sizes its field on a received mesh.
  /// Several items where an action makes the data of what several mappings bring.
  [[nodiscard]] std::vector<Item> of(const config::Exchange& exchange);
  /// All have been asked for since plans were made: their fields have the sizes of these plans.
  void finish();

 private:
  [[nodiscard]] std::vector<Item> made(const config::Exchange& exchange);
  [[nodiscard]] Item provided(const config::Exchange& exchange) const;
  [[nodiscard]] Item received(const config::Exchange& exchange); // sizes the field

  Plans& plans_;
  std::span<const config::Participant> participants_;
  const config::Participant& self_;
  FieldSet& fields_;
  /// Of fields made by actions, by use of the mesh.
  std::map<std::pair<const Field*, std::size_t>, std::vector<planning::Route>> made_routes_;
};

} // namespace isthmus::fields
