// SPDX-License-Identifier: BSD-3-Clause
// Prints the reference of the configuration language.
#include <precice/Tooling.hpp>

#include <iostream>
#include <map>
#include <string>

int main(int argc, char** argv) {
  using precice::tooling::ConfigReferenceType;
  const std::map<std::string, ConfigReferenceType> types{{"xml", ConfigReferenceType::XML},
                                                         {"dtd", ConfigReferenceType::DTD},
                                                         {"md", ConfigReferenceType::MD}};
  const auto type = types.find(argc == 2 ? argv[1] : "");
  if (type == types.end()) {
    std::cerr << "usage: precice-config-doc xml|dtd|md\n";
    return 1;
  }
  precice::tooling::printConfigReference(std::cout, type->second);
}
