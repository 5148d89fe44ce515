// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

/// The numbers of a log, line by line, without its head.
inline std::vector<std::vector<double>> log_rows(const std::string& file) {
  std::ifstream log(file);
  REQUIRE(log.is_open());
  std::vector<std::vector<double>> result;
  std::string line;
  for (std::getline(log, line); std::getline(log, line);) {
    std::istringstream words(line);
    std::vector<double>& row = result.emplace_back();
    for (double number = 0; words >> number;) {
      row.push_back(number);
    }
  }
  return result;
}
