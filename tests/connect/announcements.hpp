// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/connect/announce.hpp"

#include <filesystem>
#include <string>

namespace isthmus::connect::testing {

/// A directory of its own, removed in the end.
struct Directory {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("isthmus-test-" + to_hex(make_token()));
  Directory() { std::filesystem::create_directories(path); }
  ~Directory() { std::filesystem::remove_all(path); }
};

inline Announcement announcement(const std::string& participant) {
  Announcement result;
  result.participant = participant;
  result.address = own_address();
  result.address.ip = "127.0.0.1";
  result.address.port = 1234;
  result.token = make_token();
  result.awaits = {participant == "Solid" ? "Fluid" : "Solid"};
  return result;
}

} // namespace isthmus::connect::testing
