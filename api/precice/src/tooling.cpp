// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/read.hpp"
#include "isthmus/config/reference.hpp"
#include "isthmus/config/validate.hpp"
#include "translate.hpp"

#include <precice/Tooling.hpp>

#include <cstdio>
#include <string>

namespace precice::tooling {

namespace {

isthmus::config::ReferenceFormat format_of(ConfigReferenceType type) {
  switch (type) {
    case ConfigReferenceType::DTD:
      return isthmus::config::ReferenceFormat::dtd;
    case ConfigReferenceType::MD:
      return isthmus::config::ReferenceFormat::markdown;
    default:
      return isthmus::config::ReferenceFormat::xml;
  }
}

} // namespace

void printConfigReference(std::ostream& out, ConfigReferenceType reftype) {
  forward([&] { isthmus::config::print_reference(out, format_of(reftype)); });
}

void checkConfiguration(string_view configFilename, string_view participant, int size) {
  forward([&] {
    const auto configuration = isthmus::config::read(std::string(name(configFilename)));
    isthmus::config::validate(configuration);
    for (const std::string& note : configuration.notes) {
      std::fprintf(stderr, "WARNING: %s\n", note.c_str());
    }
    if (const std::string who(name(participant)); !who.empty()) {
      isthmus::config::validate_for(configuration, who, size);
    }
  });
}

} // namespace precice::tooling
