// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/names.hpp"
#include "isthmus/config/validate/validate.hpp"
#include "isthmus/config/validate/validate_parts.hpp"
#include "isthmus/grammar/suggest.hpp"

#include <algorithm>

namespace isthmus::config {

namespace {

/// Whether preCICE lets participants with several ranks use this mapping.
bool is_for_several_ranks(const Mapping& mapping) {
  if (mapping.kind == MappingKind::automatic || mapping.kind == MappingKind::intersection) {
    return true; // ours
  }
  const bool reads = mapping.direction == Direction::read;
  return !mapping.is_multiscale() &&
         mapping.constraint == (reads ? Constraint::consistent : Constraint::conservative);
}

void check_mapping(const Configuration& configuration, const Mapping& mapping,
                   const std::string& participant, int size) {
  grammar::check_at(
      mapping.parallel || is_for_several_ranks(mapping), {configuration.file, mapping.line},
      "<mapping:{} direction=\"{}\" constraint=\"{}\" from=\"{}\" to=\"{}\"> participant \"{}\" "
      "runs on {} ranks; as in preCICE, {}; add parallel=\"true\" to lift this rule",
      name(mapping.kind), name(mapping.direction), name(mapping.constraint), mapping.from,
      mapping.to, participant, size,
      mapping.is_multiscale()
          ? "meshes of different dimension are joined on one rank only"
          : "several ranks need constraint=\"consistent\" with direction=\"read\" and "
            "constraint=\"conservative\" with direction=\"write\"");
}

void check_parallel(const Configuration& configuration, const Participant& participant, int size) {
  for (const Export& output : participant.exports) {
    grammar::check_at(
        output.kind != ExportKind::vtk, {configuration.file, output.line},
        "<export:vtk> works only if participant \"{}\" runs on one rank; use <export:vtu>",
        participant.name);
  }
  for (const Mapping& mapping : participant.mappings) {
    check_mapping(configuration, mapping, participant.name, size);
  }
}

} // namespace

void validate_for(const Configuration& configuration, const std::string& participant, int size) {
  const Participant* found = configuration.find_participant(participant);
  if (found == nullptr) { // only then what was meant is sought
    fail("{}: participant \"{}\" is not defined by any <participant>{}", configuration.file,
         participant, grammar::suggestion(participant, names_of(configuration.participants)));
  }
  check(size >= 1, "the size of participant \"{}\" is {}; it must be at least 1", participant,
        size);
  const bool coupled =
      std::any_of(configuration.schemes.begin(), configuration.schemes.end(),
                  [&](const CouplingScheme& scheme) { return scheme.involves(participant); });
  grammar::check_at(coupled, {configuration.file, found->line},
                    "<participant name=\"{}\"> takes part in no coupling scheme; add one",
                    participant);
  if (size > 1) {
    check_parallel(configuration, *found, size);
  }
}

} // namespace isthmus::config
