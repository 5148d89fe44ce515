// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/blob.hpp"

#include "isthmus/base/error.hpp"

namespace isthmus::acceleration {

std::span<const double> find_blob(std::span<const Blob> blobs, std::string_view name,
                                  std::ptrdiff_t count) {
  for (const Blob& blob : blobs) {
    if (blob.name == name) {
      check(count < 0 || static_cast<std::ptrdiff_t>(blob.values.size()) == count,
            "the saved acceleration has {} values of \"{}\", {} are needed; restart with the same "
            "configuration, meshes and ranks",
            blob.values.size(), name, count);
      return blob.values;
    }
  }
  fail("the saved acceleration lacks \"{}\"; restart with the same acceleration", name);
}

} // namespace isthmus::acceleration
