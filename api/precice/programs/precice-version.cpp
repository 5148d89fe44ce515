// SPDX-License-Identifier: BSD-3-Clause
// Prints version, revision and features of the library, whatever the arguments: scripts give it
// those of precice-tools.
#include "tools.hpp"

int main() {
  return tools::print_version();
}
