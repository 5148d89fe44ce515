// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

/// A working directory of this process alone, until the end of the test.
class WorkingFolder {
 public:
  WorkingFolder() : before_(std::filesystem::current_path()) {
    REQUIRE(mkdtemp(path_.data()) != nullptr);
    std::filesystem::current_path(path_);
  }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;
  ~WorkingFolder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(path_);
  }

 private:
  std::filesystem::path before_;
  std::string path_ = std::filesystem::temp_directory_path() / "isthmus-test-XXXXXX";
};
