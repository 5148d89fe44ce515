// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/radial_function.hpp"

#include "isthmus/radial/kernels/kernels.hpp"

#include <cmath>

namespace isthmus::radial {

double RadialFunction::operator()(double r) const {
  double value = r * r;
  kernels().apply(kind, parameter, &value, 1);
  return value;
}

void RadialFunction::apply_to_squares(std::span<double> distances2) const {
  kernels().apply(kind, parameter, distances2.data(), distances2.size());
}

double RadialFunction::gaussian_shape(double support_radius) {
  return std::sqrt(-std::log(1e-9)) / support_radius;
}

} // namespace isthmus::radial
