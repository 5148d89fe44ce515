// SPDX-License-Identifier: BSD-3-Clause
// The old name of the other programs, which scripts still call.
#include "tools.hpp"

int main(int argc, char** argv) {
  const tools::Arguments arguments(argv + 1, argv + argc);
  const std::string command = arguments.empty() ? "" : arguments.front();
  if (command == "check") {
    return tools::validate({arguments.begin() + 1, arguments.end()},
                           "precice-tools check FILE [PARTICIPANT [SIZE]]");
  }
  if (arguments.size() == 1) {
    if (command == "version" || command == "--version") {
      return tools::print_version();
    }
    if (tools::print_reference(command)) {
      return 0;
    }
  }
  return tools::refuse(
      "precice-tools xml|dtd|md|version\n"
      "       precice-tools check FILE [PARTICIPANT [SIZE]]\n"
      "It is replaced by precice-config-doc, precice-version and precice-config-validate.");
}
