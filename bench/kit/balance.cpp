// SPDX-License-Identifier: BSD-3-Clause
// What a distribution of work is worth, counted; one line of comma separated values for each way.
//   bench_balance blocks RANKS…            blocks of very different size
//   bench_balance coupled RANKS_A RANKS_B… two codes with a common interface
#include "balance_blocks.hpp"
#include "balance_coupled.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <exception>
#include <string_view>
#include <vector>

int main(int argc, char** argv) try {
  const std::string_view what = argc > 1 ? argv[1] : "";
  std::vector<int> numbers;
  for (int i = 2; i < argc; ++i) {
    numbers.push_back(std::atoi(argv[i]));
  }
  if (what == "blocks") {
    measure_blocks(numbers);
  } else if (what == "coupled") {
    measure_coupled(numbers);
  } else {
    fmt::print(stderr, "bench_balance blocks RANKS… | coupled RANKS_A RANKS_B…\n");
    return 2;
  }
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 1;
}
