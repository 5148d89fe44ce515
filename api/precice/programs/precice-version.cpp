// SPDX-License-Identifier: BSD-3-Clause
// Prints version, revision and features of the library.
#include "tools.hpp"

int main(int argc, char**) {
  return argc == 1 ? tools::print_version() : tools::refuse("precice-version");
}
