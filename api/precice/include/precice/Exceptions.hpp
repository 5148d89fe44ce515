// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <precice/export.h>

#include <stdexcept>
#include <string>

namespace precice {

/// Everything the library complains about. The text names the place, the thing and the remedy.
class PRECICE_API Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what_arg) : std::runtime_error(what_arg) {}
};

} // namespace precice
