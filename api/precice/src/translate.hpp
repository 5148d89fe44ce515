// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/reason.hpp"

#include <precice/Exceptions.hpp>
#include <precice/Types.hpp>

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

/// Types and errors on the border between the two interfaces.
namespace precice {

/// The name up to its end or its first NUL: a string literal arrives with its NUL.
[[nodiscard]] inline std::string_view name(string_view text) {
  if (text.empty()) {
    return {};
  }
  if (text.data() == nullptr) {
    throw Error("a name is a null pointer; hand over its characters");
  }
  const void* nul = std::memchr(text.data(), '\0', text.size());
  return {text.data(), nul != nullptr ? static_cast<const char*>(nul) - text.data() : text.size()};
}

template <typename T>
[[nodiscard]] std::span<T> native(span<T> values) {
  if (values.data() == nullptr && !values.empty()) {
    throw Error("an array of " + std::to_string(values.size()) +
                " entries is a null pointer; hand over its entries");
  }
  return {values.data(), values.size()};
}

/// The result of `call`, its errors as errors of this interface.
template <typename Call>
decltype(auto) forward(Call&& call) {
  try {
    return std::forward<Call>(call)();
  } catch (const Error&) {
    throw;
  } catch (...) {
    throw Error(isthmus::current_reason());
  }
}

} // namespace precice
