// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace isthmus {

/// A text file that grows by lines and is readable at any time, also after a crash, but for lines
/// that are put soon.
class TableFile {
 public:
  TableFile() = default; ///< writes nothing
  /// Error if it cannot be opened. `keep`: if the file has so many bytes they stay, what is behind
  /// them goes, and the file is continued; otherwise it starts anew.
  explicit TableFile(std::string path, std::optional<std::uint64_t> keep = {});

  /// Whether what is put is written.
  [[nodiscard]] bool is_open() const { return file_ != nullptr; }
  /// Whether lines of an earlier run stayed.
  [[nodiscard]] bool is_continued() const { return is_continued_; }
  /// Bytes so far; 0 if it writes nothing.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Error if the disk is full; what else comes is dropped.
  void put(std::string_view lines);
  /// The same for lines that come in haste: those within 10 ms of the last that was written wait
  /// for the next one, or for flush(), as each writing takes microseconds.
  void put_soon(std::string_view lines);
  /// Writes what waits.
  void flush();

 private:
  void append(std::string_view lines);
  [[noreturn]] void fail_to_write();

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  bool is_continued_ = false;
  std::uint64_t size_ = 0;
  double written_ = 0; // when, by now()
};

} // namespace isthmus
