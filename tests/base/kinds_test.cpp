// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/kinds.hpp"

#include "isthmus/acceleration/settings.hpp"
#include "isthmus/config/scheme.hpp"

#include <doctest/doctest.h>

#include <type_traits>
#include <vector>

using namespace isthmus;

TEST_CASE("functions are compact, or positive definite, as their papers say") {
  std::vector<BasisKind> compact;
  std::vector<BasisKind> indefinite;
  for (int i = 0; i <= static_cast<int>(BasisKind::volume_splines); ++i) {
    const auto kind = static_cast<BasisKind>(i);
    if (is_compact(kind)) {
      compact.push_back(kind);
      CHECK(is_positive_definite(kind)); // Wendland 1995; compact splines in up to three dimensions
    }
    if (!is_positive_definite(kind)) {
      indefinite.push_back(kind);
    }
  }
  CHECK(compact == std::vector{BasisKind::compact_polynomial_c0, BasisKind::compact_polynomial_c2,
                               BasisKind::compact_polynomial_c4, BasisKind::compact_polynomial_c6,
                               BasisKind::compact_polynomial_c8, BasisKind::compact_tps_c2});
  CHECK(indefinite == std::vector{BasisKind::multiquadrics, BasisKind::thin_plate_splines,
                                  BasisKind::volume_splines});
}

TEST_CASE("the configuration and the accelerations mean the same kinds") {
  CHECK(std::is_same_v<decltype(acceleration::QuasiNewtonSettings::filter),
                       decltype(config::Filter::type)>);
  CHECK(std::is_same_v<decltype(acceleration::PreconditionerSettings::kind),
                       decltype(config::Preconditioner::type)>);
  CHECK(std::is_same_v<decltype(acceleration::QuasiNewtonSettings::on_bound_violation),
                       decltype(config::QuasiNewton::on_bound_violation)>);
  CHECK(std::is_same_v<decltype(acceleration::JacobianRestart::mode),
                       decltype(config::ImvjRestart::mode)>);
}
