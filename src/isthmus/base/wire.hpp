// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// Values into bytes and back, in the byte order of the machine (frames refuse another one).
namespace isthmus {

template <typename T>
concept Plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

class Writer {
 public:
  template <Plain T>
  Writer& put(const T& value) {
    append(std::as_bytes(std::span(&value, 1)));
    return *this;
  }
  template <Plain T>
  Writer& put_array(std::span<const T> values) {
    put(static_cast<std::uint64_t>(values.size()));
    append(std::as_bytes(values));
    return *this;
  }
  template <Plain T>
  Writer& put_array(const std::vector<T>& values) {
    return put_array(std::span<const T>(values));
  }
  Writer& put_text(std::string_view text) { return put_array(std::span<const char>(text)); }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void append(std::span<const std::byte> bytes) {
    const std::size_t before = bytes_.size();
    bytes_.resize(before + bytes.size());
    if (!bytes.empty()) {
      std::memcpy(bytes_.data() + before, bytes.data(), bytes.size());
    }
  }

  std::vector<std::byte> bytes_;
};

/// Reads what Writer wrote, in the same order. Throws Error where the bytes end too early.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <Plain T>
  [[nodiscard]] T get() {
    T value;
    std::memcpy(&value, next(sizeof(T)).data(), sizeof(T));
    return value;
  }
  template <Plain T>
  [[nodiscard]] std::vector<T> get_array() {
    const auto count = get<std::uint64_t>();
    check(count <= bytes_.size() / sizeof(T),
          "a message is too short: {} values of {} bytes announced, {} bytes left", count,
          sizeof(T), bytes_.size());
    std::vector<T> values(count);
    if (count > 0) {
      std::memcpy(values.data(), next(count * sizeof(T)).data(), count * sizeof(T));
    }
    return values;
  }
  [[nodiscard]] std::string get_text() {
    const auto chars = get_array<char>();
    return {chars.begin(), chars.end()};
  }
  [[nodiscard]] std::size_t left() const { return bytes_.size(); }
  /// Throws unless everything was read.
  void finish() const { check(bytes_.empty(), "a message is too long by {} bytes", left()); }

 private:
  std::span<const std::byte> next(std::size_t n) {
    check(n <= bytes_.size(), "a message is too short: {} bytes expected, {} left", n,
          bytes_.size());
    const auto part = bytes_.first(n);
    bytes_ = bytes_.subspan(n);
    return part;
  }

  std::span<const std::byte> bytes_; // not read yet
};

} // namespace isthmus
