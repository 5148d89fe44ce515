// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/text/table_file.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace isthmus {

namespace {

[[noreturn]] void fail_for(const std::string& path, int code) {
  fail(
      "cannot write \"{}\": {}; look at the free space, and at the rights of this user in the "
      "folder",
      path, std::strerror(code));
}

/// Whether the file has at least `size` bytes; then it is cut there.
bool cut(const std::string& path, std::uint64_t size) {
  std::error_code code;
  const std::uint64_t found = std::filesystem::file_size(path, code);
  if (code || found < size) {
    return false;
  }
  std::filesystem::resize_file(path, size, code);
  return !code;
}

} // namespace

TableFile::TableFile(std::string path, std::optional<std::uint64_t> keep)
    : path_(std::move(path)),
      is_continued_(keep && cut(path_, *keep)),
      size_(is_continued_ ? *keep : 0) {
  file_.reset(std::fopen(path_.c_str(), is_continued_ ? "a" : "w"));
  if (file_ == nullptr) {
    fail_for(path_, errno);
  }
}

void TableFile::put(std::string_view lines) {
  append(lines);
  flush();
}

void TableFile::put_soon(std::string_view lines) {
  constexpr double haste = 0.01; // seconds
  append(lines);
  if (const double time = now(); time - written_ > haste) {
    flush();
    written_ = time;
  }
}

void TableFile::flush() {
  if (file_ != nullptr && std::fflush(file_.get()) != 0) {
    fail_to_write();
  }
}

void TableFile::append(std::string_view lines) {
  if (file_ == nullptr) {
    return;
  }
  if (std::fwrite(lines.data(), 1, lines.size(), file_.get()) != lines.size()) {
    fail_to_write();
  }
  size_ += lines.size();
}

void TableFile::fail_to_write() {
  const int code = errno;
  file_.reset();
  fail_for(path_, code);
}

} // namespace isthmus
