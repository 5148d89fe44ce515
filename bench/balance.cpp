// SPDX-License-Identifier: BSD-3-Clause
// bench_balance coupled RANKS_A RANKS_B …: what dividing two coupled meshes together is worth.
#include "balance_coupled.hpp"

#include <cstdlib>
#include <string_view>
#include <vector>

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  std::vector<int> numbers;
  for (int i = 2; i < argc; ++i) {
    numbers.push_back(std::atoi(argv[i]));
  }
  if (what == "coupled") {
    measure_coupled(numbers);
    return 0;
  }
  return 1;
}
