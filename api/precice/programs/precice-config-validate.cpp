// SPDX-License-Identifier: BSD-3-Clause
// Checks a configuration file, alone or as one participant would see it.
#include <precice/Exceptions.hpp>
#include <precice/Tooling.hpp>

#include <cstdlib>
#include <iostream>

int main(int argc, char** argv) {
  const int size = argc > 3 ? std::atoi(argv[3]) : 1;
  if (argc < 2 || argc > 4 || size < 1) {
    std::cerr << "usage: precice-config-validate FILE [PARTICIPANT [RANKS]]\n";
    return 1;
  }
  try {
    precice::tooling::checkConfiguration(argv[1], argc > 2 ? argv[2] : "", size);
  } catch (const precice::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
