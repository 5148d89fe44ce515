// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/coupling/snapshot.hpp"
#include "isthmus/coupling/step/iterations.hpp"
#include "isthmus/coupling/step/step_parts.hpp"
#include "isthmus/partner/connection.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace isthmus::coupling {

/// Collective over all participants, of which there are so many. The latest point that all of them
/// can go on from; none if all start anew. Error if there is no such point, or if only some start
/// anew.
[[nodiscard]] std::optional<RestartPoint> agree_on_start(
    std::map<std::string, partner::Connection>& connections, const std::string& self,
    std::size_t num_participants, const std::optional<std::vector<RestartPoint>>& own);

/// All fields of a participant without their values, between two windows.
[[nodiscard]] Snapshot list_fields(const StepParts& step);
/// Collective. What restore() needs in a later run to go on from here.
[[nodiscard]] Snapshot save(const StepParts& step, const Iterations& iterations);
/// After the iterations have started: goes on from there. Error if values are missing.
void restore(const Snapshot& snapshot, StepParts& step, Iterations& iterations);

} // namespace isthmus::coupling
