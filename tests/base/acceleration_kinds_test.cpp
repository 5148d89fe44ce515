// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/acceleration_kinds.hpp"

#include "isthmus/acceleration/settings.hpp"
#include "isthmus/config/scheme.hpp"

#include <doctest/doctest.h>

#include <type_traits>

using namespace isthmus;

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
