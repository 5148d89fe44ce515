// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus::participant {

/// A table of numbers in the working directory, one line per moment, readable at any time.
class WatchTable {
 public:
  WatchTable() = default; ///< writes nothing
  /// Error if the file cannot be opened.
  explicit WatchTable(std::string path);

  /// The first line. Error, as for all lines, if the disk is full.
  void columns(std::span<const std::string> names);
  void row(std::span<const double> values);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void put(std::string_view line);

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

/// "Name" of a scalar, "Name0", "Name1", … of a vector.
void add_columns(std::vector<std::string>& names, const std::string& name, int components);

} // namespace isthmus::participant
