// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/names.hpp"
#include "isthmus/config/validate/validate.hpp"
#include "isthmus/config/validate/validate_parts.hpp"
#include "isthmus/grammar/suggest.hpp"

#include <algorithm>

namespace isthmus::config {

namespace {

void check_parallel(const Configuration& configuration, const Participant& participant) {
  for (const Export& output : participant.exports) {
    grammar::check_at(
        output.kind != ExportKind::vtk, {configuration.file, output.line},
        "<export:vtk> works only if participant \"{}\" runs on one rank; use <export:vtu>",
        participant.name);
  }
}

} // namespace

void validate_for(const Configuration& configuration, const std::string& participant, int size) {
  const Participant* found = configuration.find_participant(participant);
  check(found != nullptr, "{}: participant \"{}\" is not defined by any <participant>{}",
        configuration.file, participant,
        grammar::suggestion(participant, names_of(configuration.participants)));
  check(size >= 1, "the size of participant \"{}\" is {}; it must be at least 1", participant,
        size);
  const bool coupled =
      std::any_of(configuration.schemes.begin(), configuration.schemes.end(),
                  [&](const CouplingScheme& scheme) { return scheme.involves(participant); });
  grammar::check_at(coupled, {configuration.file, found->line},
                    "<participant name=\"{}\"> takes part in no coupling scheme; add one",
                    participant);
  if (size > 1) {
    check_parallel(configuration, *found);
  }
}

} // namespace isthmus::config
