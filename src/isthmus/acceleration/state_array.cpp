// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/state_array.hpp"

#include "isthmus/base/error.hpp"

namespace isthmus::acceleration {

std::span<const double> find_state_array(std::span<const StateArray> arrays, std::string_view name,
                                         std::ptrdiff_t count) {
  for (const StateArray& array : arrays) {
    if (array.name == name) {
      check(count < 0 || static_cast<std::ptrdiff_t>(array.values.size()) == count,
            "the saved acceleration has {} values of \"{}\", {} are needed; restart with the same "
            "configuration, meshes and ranks",
            array.values.size(), name, count);
      return array.values;
    }
  }
  fail("the saved acceleration lacks \"{}\"; restart with the same acceleration", name);
}

} // namespace isthmus::acceleration
