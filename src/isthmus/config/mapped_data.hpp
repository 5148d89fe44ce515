// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"

#include <string>
#include <vector>

namespace isthmus::config {

/// Whether the solver or an action of `participant` sets `data` on `mesh`.
[[nodiscard]] bool sets(const Participant& participant, const std::string& data,
                        const std::string& mesh);

/// Whether the solver or an action of `participant` uses `data` on `mesh`.
[[nodiscard]] bool needs(const Participant& participant, const std::string& data,
                         const std::string& mesh);

/// Whether `participant` has to do with `data` on `mesh`: its solver, an action, an exchange or a
/// mapping of it.
[[nodiscard]] bool has_part(const Configuration& configuration, const Participant& participant,
                            const std::string& data, const std::string& mesh);

/// The action of `participant` that makes `data` on the received `mesh` of other data there, which
/// are mapped to it; null if there is none, or if a mapping brings the data itself.
[[nodiscard]] const Action* made_by(const Participant& participant, const std::string& data,
                                    const std::string& mesh);

/// Names of the data that `mapping` of `participant` carries: exchanged on the received mesh and
/// set or needed on the own one.
[[nodiscard]] std::vector<std::string> mapped_data(const Configuration& configuration,
                                                   const Participant& participant,
                                                   const Mapping& mapping);

} // namespace isthmus::config
