// SPDX-License-Identifier: BSD-3-Clause
// Prints the reference of the configuration language.
#include "tools.hpp"

int main(int argc, char** argv) {
  if (argc != 2 || !tools::print_reference(argv[1])) {
    return tools::refuse("precice-config-doc xml|dtd|md");
  }
}
