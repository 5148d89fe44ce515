// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"
#include "isthmus/comm/comm.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

namespace isthmus::convection {

/// The numbers of one line of a text file, one after the other. Throws Error naming file and line.
class LineNumbers {
 public:
  /// `text` ends with 0; it and `file` must outlive this.
  LineNumbers(const char* text, const std::string& file, std::int64_t line)
      : text_(text), at_(text), file_(file), line_(line) {}

  template <typename Number>
  Number next() {
    char* end = nullptr;
    Number value{};
    if constexpr (std::is_same_v<Number, double>) {
      value = std::strtod(at_, &end);
    } else {
      value = static_cast<Number>(std::strtoll(at_, &end, 10));
    }
    check(end != at_, "{}: a number is missing in \"{}\"", place(), text_);
    at_ = end;
    return value;
  }
  /// A count of what comes.
  std::int64_t count() {
    const auto value = next<std::int64_t>();
    check(value >= 0, "{}: {} entries cannot be", place(), value);
    return value;
  }
  [[nodiscard]] std::string place() const { return fmt::format("{}:{}", file_, line_); }

 private:
  const char* text_;
  const char* at_;
  const std::string& file_;
  std::int64_t line_;
};

/// Lines of a text file, of which each rank has about as many bytes: those that begin in its part.
class TextShare {
 public:
  /// Collective. From the byte `begin` on, which line number `before` + 1 begins with; both count
  /// on rank 0 alone. Throws Error on all ranks if the file cannot be read.
  TextShare(const comm::Comm& comm, const std::filesystem::path& file, std::int64_t begin,
            std::int64_t before);

  [[nodiscard]] std::size_t num_lines() const { return starts_.size(); }
  /// Without its end, and ended with 0.
  [[nodiscard]] const char* line(std::size_t n) const { return text_.c_str() + starts_[n]; }
  [[nodiscard]] LineNumbers numbers(std::size_t n) const { return {line(n), file_, number_of(n)}; }
  /// In the file, from 1 on.
  [[nodiscard]] std::int64_t number_of(std::size_t n) const {
    return first_ + static_cast<std::int64_t>(n);
  }
  /// Of the last line of the file, on all ranks.
  [[nodiscard]] std::int64_t last() const { return last_; }

 private:
  void read(const std::filesystem::path& file, std::int64_t begin, std::int64_t end, bool is_first);

  std::string file_;
  std::string text_;
  std::vector<std::size_t> starts_;
  std::int64_t first_ = 0; // number of the first line of this rank
  std::int64_t last_ = 0;
};

} // namespace isthmus::convection
