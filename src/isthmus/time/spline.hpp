// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

namespace isthmus::time {

/// Weights w of samples at the ascending `times` such that sum w_i y_i is the value at `time` of
/// the interpolating B-spline of 1 <= `degree` < times.size(), with averaged knots. Source: Piegl
/// and Tiller, The NURBS Book, section 9.2.1 (equations 9.1 and 9.8).
[[nodiscard]] std::vector<double> spline_weights(std::span<const double> times, double time,
                                                 int degree);

} // namespace isthmus::time
