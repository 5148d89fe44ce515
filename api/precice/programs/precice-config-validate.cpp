// SPDX-License-Identifier: BSD-3-Clause
// Checks a configuration file, alone or as one participant would see it.
#include "tools.hpp"

int main(int argc, char** argv) {
  return tools::validate({argv + 1, argv + argc},
                         "precice-config-validate FILE [PARTICIPANT [SIZE]]");
}
