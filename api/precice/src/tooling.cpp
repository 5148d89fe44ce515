// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/read.hpp"
#include "isthmus/config/reference.hpp"
#include "isthmus/config/validate.hpp"
#include "translate.hpp"

#include <precice/Tooling.hpp>

#include <string>

namespace precice::tooling {

void printConfigReference(std::ostream& out, ConfigReferenceType reftype) {
  switch (reftype) {
    case ConfigReferenceType::XML:
      return isthmus::config::print_xml_reference(out);
    case ConfigReferenceType::DTD:
      return isthmus::config::print_dtd_reference(out);
    case ConfigReferenceType::MD:
      return isthmus::config::print_markdown_reference(out);
  }
}

void checkConfiguration(string_view configFilename, string_view participant, int size) {
  forward([&] {
    const auto configuration = isthmus::config::read(std::string(name(configFilename)));
    isthmus::config::validate(configuration);
    if (!name(participant).empty()) {
      isthmus::config::validate_for(configuration, std::string(name(participant)), size);
    }
  });
}

} // namespace precice::tooling
