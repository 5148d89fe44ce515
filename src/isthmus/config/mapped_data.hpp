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

/// Whether an exchange brings `data` on `mesh` to `participant`.
[[nodiscard]] bool arrives(const Configuration& configuration, const std::string& participant,
                           const std::string& data, const std::string& mesh);

/// Whether `participant` has to do with `data` on `mesh`: its solver, an action, an exchange or a
/// mapping of it.
[[nodiscard]] bool has_part(const Configuration& configuration, const Participant& participant,
                            const std::string& data, const std::string& mesh);

/// Whether a mapping of `participant`, or its solver directly, brings `data` to the received
/// `mesh`.
[[nodiscard]] bool is_brought(const Participant& participant, const std::string& data,
                              const std::string& mesh);

/// Whether an action of `participant` sets `data` on the received `mesh`, before anything is sent,
/// from other data there.
[[nodiscard]] bool is_made(const Participant& participant, const std::string& data,
                           const std::string& mesh);

/// The data that are brought to the received `mesh` and of which `data` comes there: itself, and
/// what the actions of `participant` make it of before anything is sent.
[[nodiscard]] std::vector<std::string> origins(const Participant& participant,
                                               const std::string& data, const std::string& mesh);

/// Names of the data that `mapping` of `participant` carries: exchanged on the received mesh and
/// set or needed on the own one.
[[nodiscard]] std::vector<std::string> mapped_data(const Configuration& configuration,
                                                   const Participant& participant,
                                                   const Mapping& mapping);

} // namespace isthmus::config
