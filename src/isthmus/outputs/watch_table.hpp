// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/text/table_file.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace isthmus::outputs {

/// A table of numbers in the working directory, one line per moment, readable at any time.
class WatchTable {
 public:
  WatchTable() = default; ///< writes nothing
  /// Error if the file cannot be opened or, as for all lines, if the disk is full. The first line
  /// names the columns. `keep`: bytes of an earlier run that stay.
  WatchTable(const std::string& path, std::span<const std::string> columns,
             std::optional<std::uint64_t> keep);

  void row(std::span<const double> values);
  [[nodiscard]] std::uint64_t size() const { return file_.size(); }

 private:
  TableFile file_;
};

/// "Name" of a scalar, "Name0", "Name1", … of a vector.
void add_columns(std::vector<std::string>& names, const std::string& name, int components);

} // namespace isthmus::outputs
