// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/text/json_text.hpp"

#include <fmt/format.h>

namespace isthmus {

std::string json_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') {
      quoted += '\\';
      quoted += letter;
    } else if (static_cast<unsigned char>(letter) < 0x20) {
      quoted += fmt::format("\\u{:04x}", static_cast<int>(letter));
    } else {
      quoted += letter;
    }
  }
  return quoted + "\"";
}

} // namespace isthmus
