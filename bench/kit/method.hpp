// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/la/krylov/solve.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

/// Ends the program where there is no such method.
inline isthmus::la::Method method_named(std::string_view wanted) {
  using isthmus::la::Method;
  for (int i = 0; i <= static_cast<int>(Method::chebyshev); ++i) {
    if (name(static_cast<Method>(i)) == wanted) {
      return static_cast<Method>(i);
    }
  }
  std::fprintf(stderr, "there is no method %s\n", std::string(wanted).c_str());
  std::exit(2);
}
