// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"
#include "isthmus/config/read/read.hpp"
#include "isthmus/grammar/xml.hpp"
#include "message_of.hpp"

#include <fmt/format.h>

#include <string>

/// The configurations beside this file, and edits of them.
namespace isthmus::config {

inline std::string path_of(const std::string& name) {
  return fmt::format("{}/{}", ISTHMUS_TEST_FILES, name);
}

inline std::string text_of(const std::string& name) {
  return grammar::read_file(path_of(name));
}

/// `text` with the first `old` replaced; fails if there is none.
inline std::string edited(std::string text, const std::string& old, const std::string& by) {
  const std::size_t place = text.find(old);
  check(place != std::string::npos, "the test wants to replace \"{}\", which is not there", old);
  return text.replace(place, old.size(), by);
}

using isthmus::message_of;

} // namespace isthmus::config
