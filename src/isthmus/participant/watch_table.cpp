// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/watch_table.hpp"

#include "isthmus/io/atomic_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

namespace isthmus::participant {

WatchTable::WatchTable(std::string path)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), "w")) {
  if (file_ == nullptr) {
    io::fail_on_file("write", path_, errno);
  }
}

void WatchTable::columns(std::span<const std::string> names) {
  put(fmt::format("  {}\n", fmt::join(names, "  ")));
}

void WatchTable::row(std::span<const double> values) {
  put(fmt::format("{:15.8e}\n", fmt::join(values, "  ")));
}

void WatchTable::put(std::string_view line) {
  if (file_ == nullptr) {
    return;
  }
  if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size() ||
      std::fflush(file_.get()) != 0) {
    io::fail_on_file("write", path_, errno);
  }
}

void add_columns(std::vector<std::string>& names, const std::string& name, int components) {
  for (int c = 0; c < components; ++c) {
    names.push_back(components == 1 ? name : fmt::format("{}{}", name, c));
  }
}

} // namespace isthmus::participant
