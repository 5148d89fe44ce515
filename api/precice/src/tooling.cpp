// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/read/read.hpp"
#include "isthmus/config/validate/validate.hpp"
#include "isthmus/grammar/reference.hpp"
#include "translate.hpp"

#include <precice/Tooling.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace precice::tooling {

namespace {

isthmus::grammar::ReferenceFormat format_of(ConfigReferenceType type) {
  switch (type) {
    case ConfigReferenceType::DTD:
      return isthmus::grammar::ReferenceFormat::dtd;
    case ConfigReferenceType::MD:
      return isthmus::grammar::ReferenceFormat::markdown;
    default:
      return isthmus::grammar::ReferenceFormat::xml;
  }
}

} // namespace

void printConfigReference(std::ostream& out, ConfigReferenceType reftype) {
  forward([&] { isthmus::grammar::print_reference(out, format_of(reftype)); });
}

void checkConfiguration(string_view configFilename, string_view participant, int size) {
  forward([&] {
    const std::string file(name(configFilename));
    fmt::print("Checking {} for syntax and basic setup issues...\n", file);
    const auto configuration = isthmus::config::read(file);
    isthmus::config::validate(configuration);
    for (const std::string& note : configuration.notes) {
      std::fprintf(stderr, "WARNING: %s\n", note.c_str());
    }
    if (const std::string who(name(participant)); !who.empty()) {
      isthmus::config::validate_for(configuration, who, size);
    }
    fmt::print("No major issues detected\n"); // scripts look for it
  });
}

} // namespace precice::tooling
