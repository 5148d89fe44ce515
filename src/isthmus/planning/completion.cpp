// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/completion.hpp"

#include "isthmus/comm/agree.hpp"
#include "isthmus/planning/received_plan.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::planning {

namespace {

void make_solver(partner::Context& context, const MappingFactory& mappings,
                 PlannedMapping& mapping) {
  if (!mapping.late.system) {
    return;
  }
  mapping.solver = mapping.late.system->make(context.comm, mappings);
  mapping.late.system.reset();
  const std::string& remark = mapping.solver->remark();
  if (context.comm.is_root() && !remark.empty()) {
    context.log.warning("{}", remark);
  }
}

/// And rows of a mapping that reads.
void find_weights(PlannedMapping& mapping) {
  if (!mapping.late.rows || !mapping.late.rows->interpolation) {
    return;
  }
  LateRows& late = *mapping.late.rows;
  mapping::Interpolation found = late.interpolation->find();
  late.interpolation.reset();
  if (late.contributions) {
    mapping.use->searches_received ? late.contributions->add(found)
                                   : late.contributions->add_taken(found);
    return;
  }
  for (LocalIndex& column : found.columns) {
    column = late.ghosts[static_cast<std::size_t>(column)];
  }
  mapping.rows = mapping::Rows(found.counts, std::move(found.columns), std::move(found.weights));
  mapping.late.rows.reset();
}

} // namespace

void complete(partner::Context& context, const MappingFactory& mappings,
              std::span<PlannedMapping> planned) {
  const auto scope = context.trace.scope("search");
  for (PlannedMapping& mapping : planned) {
    make_solver(context, mappings, mapping);
  }
  if (std::none_of(planned.begin(), planned.end(),
                   [](const PlannedMapping& mapping) { return mapping.use->is_late(); })) {
    return;
  }
  comm::agree(context.comm, [planned] {
    for (PlannedMapping& mapping : planned) {
      find_weights(mapping);
    }
  });
  for (PlannedMapping& mapping : planned) {
    make_written_rows(mapping);
  }
}

} // namespace isthmus::planning
