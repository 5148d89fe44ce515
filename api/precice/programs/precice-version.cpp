// SPDX-License-Identifier: BSD-3-Clause
// Prints version, revision and features of the library.
#include <precice/precice.hpp>

#include <iostream>

int main() {
  std::cout << precice::getVersionInformation() << '\n';
}
