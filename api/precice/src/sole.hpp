// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <precice/Exceptions.hpp>
#include <precice/Participant.hpp>

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The one participant of a process, which C and Fortran programs have.
namespace precice::sole {

/// Prints the error of the function that a program called, notifies the partners, exits with 1.
[[noreturn]] void end(std::string_view function, std::string_view error);

void create(std::string_view function, std::unique_ptr<Participant> (*make)(const void* arguments),
            const void* arguments);
void finalize(std::string_view function);
/// Ends the program if there is none.
[[nodiscard]] Participant& get(std::string_view function);

/// The result of `work` with the participant; errors end the program.
template <typename Work>
decltype(auto) call(std::string_view function, Work&& work) {
  Participant& participant = get(function);
  try {
    return std::forward<Work>(work)(participant);
  } catch (const std::exception& error) {
    end(function, error.what());
  } catch (...) {
    end(function, "something was thrown that has no text");
  }
}

/// Makes the participant; `make` returns it.
template <typename Make>
void create(std::string_view function, const Make& make) {
  create(
      function, [](const void* arguments) { return (*static_cast<const Make*>(arguments))(); },
      &make);
}

/// Arrays come without their lengths: `size` times `width` entries, if size is no mistake.
template <typename T>
[[nodiscard]] span<T> array(T* entries, int size, int width) {
  if (size < 0) {
    throw Error("the size " + std::to_string(size) + " is negative");
  }
  if (entries == nullptr && size > 0) {
    throw Error("an array of size " + std::to_string(size) + " is a null pointer");
  }
  return {entries, static_cast<std::size_t>(size) * static_cast<std::size_t>(width)};
}

} // namespace precice::sole
