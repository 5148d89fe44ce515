// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "iterate.hpp"

namespace isthmus::acceleration {

constexpr double pascal = 1e6; // of the pressures below
constexpr double metre = 1e-3; // of the displacements

/// Two fields of very different size that drive each other, and one that only follows.
extern const std::vector<GlobalField> fluid_and_solid_fields;
[[nodiscard]] State fluid_and_solid(const State& x, int window);
[[nodiscard]] State fluid_and_solid_start();

/// A linear map of one field on which a fixed-point iteration diverges.
[[nodiscard]] State linear(const State& x, int window);

} // namespace isthmus::acceleration
