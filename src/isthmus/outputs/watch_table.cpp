// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/watch_table.hpp"

#include <fmt/format.h>

namespace isthmus::outputs {

WatchTable::WatchTable(const std::string& path, std::span<const std::string> columns,
                       std::optional<std::uint64_t> keep)
    : file_(path, keep) {
  if (!file_.is_continued()) {
    file_.put(fmt::format("  {}\n", fmt::join(columns, "  ")));
  }
}

void WatchTable::row(std::span<const double> values) {
  file_.put(fmt::format("{:15.8e}\n", fmt::join(values, "  ")));
}

void add_columns(std::vector<std::string>& names, const std::string& name, int components) {
  for (int c = 0; c < components; ++c) {
    names.push_back(components == 1 ? name : fmt::format("{}{}", name, c));
  }
}

} // namespace isthmus::outputs
