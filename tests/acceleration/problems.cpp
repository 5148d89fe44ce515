// SPDX-License-Identifier: BSD-3-Clause
#include "problems.hpp"

#include <cmath>

namespace isthmus::acceleration {

const std::vector<GlobalField> fluid_and_solid_fields{{"Pressure", 6, 1, true, 1 / pascal},
                                                      {"Displacement", 8, 2, true, 1 / metre},
                                                      {"Power", 6, 1, false}};

State fluid_and_solid(const State& x, int window) {
  const auto value = [](double i, double j) { return std::cos(1.7 * i + 0.9 * j * j + 0.3); };
  State h = x;
  for (std::size_t i = 0; i < x[0].size(); ++i) {
    double sum = 2 * std::sin(static_cast<double>(i) + window) + 0.3 * std::tanh(x[0][i] / pascal);
    for (std::size_t j = 0; j < x[1].size(); ++j) {
      sum += 0.6 * value(static_cast<double>(i), static_cast<double>(j)) * x[1][j] / metre;
    }
    h[0][i] = pascal * sum;
  }
  for (std::size_t i = 0; i < x[1].size(); ++i) {
    double sum = std::cos(static_cast<double>(i) + 0.1 * window) + 0.2 * std::sin(x[1][i] / metre);
    for (std::size_t j = 0; j < x[0].size(); ++j) {
      sum -= 0.5 * value(static_cast<double>(j) + 2, static_cast<double>(i)) * x[0][j] / pascal;
    }
    h[1][i] = metre * sum;
  }
  for (std::size_t i = 0; i < x[2].size(); ++i) {
    h[2][i] = 3 * h[0][i] / pascal - h[1][i % x[1].size()] / metre;
  }
  return h;
}

State fluid_and_solid_start() {
  return {Vector(6), Vector(16), Vector(6)};
}

State linear(const State& x, int window) {
  const std::size_t n = x[0].size();
  Vector result(n);
  for (std::size_t i = 0; i < n; ++i) {
    result[i] = std::sin(static_cast<double>(i + 1)) + window;
    for (std::size_t j = 0; j < n; ++j) {
      result[i] += std::cos(static_cast<double>(1 + 3 * i + 5 * j + i * j)) * x[0][j];
    }
  }
  return {result};
}

} // namespace isthmus::acceleration
