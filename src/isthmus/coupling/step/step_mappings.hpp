// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/coupling/schemes/scheme.hpp"
#include "isthmus/coupling/step/hooks.hpp"
#include "isthmus/coupling/step/resets.hpp"
#include "isthmus/fields/message_set.hpp"
#include "isthmus/fields/planned_fields.hpp"
#include "isthmus/partner/connection.hpp"

#include <list>
#include <span>
#include <vector>

namespace isthmus::coupling {

/// The mappings of a step: what is written before it travels, what has come before it is read.
class StepMappings {
 public:
  StepMappings(partner::Context& context, const config::Participant& self,
               fields::PlannedFields& planned, const Resets& resets, Hooks& hooks)
      : context_(context), self_(self), planned_(planned), resets_(resets), hooks_(hooks) {}

  /// Maps and notifies what goes out with these schemes, except for partners with whom plans must
  /// be made again first.
  void map_written(std::span<Scheme* const> due);
  /// The same for those partners alone.
  void map_written_for(std::span<const fields::Renewal> renewals, std::span<Scheme* const> due);
  /// Maps and notifies the initial data; what was not written is zero.
  void map_initial(std::list<Scheme>& schemes);
  /// Maps the samples that are new: all behind the one that opens the window, or the only one.
  void map_received(const fields::MessageSet& messages);
  /// What belongs together is mapped. On a received mesh the solver sees what actions make of it.
  void notify_received();

 private:
  /// False if nothing of it is sent now.
  bool map_written(fields::FieldMapping& mapping, std::span<Scheme* const> due);
  void apply(fields::FieldMapping& mapping, std::size_t sample);
  void notify_written();

  partner::Context& context_;
  const config::Participant& self_;
  fields::PlannedFields& planned_;
  const Resets& resets_;
  Hooks& hooks_;
  std::vector<double> plain_; // values without the gradients that came with them
};

} // namespace isthmus::coupling
