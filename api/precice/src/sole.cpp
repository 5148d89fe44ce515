// SPDX-License-Identifier: BSD-3-Clause
#include "sole.hpp"

#include <cstdio>
#include <cstdlib>

namespace precice::sole {

namespace {

std::unique_ptr<Participant>& place() {
  static std::unique_ptr<Participant> participant;
  return participant;
}

} // namespace

void end(std::string_view function, std::string_view error) {
  std::fflush(stdout);
  std::fprintf(stderr, "ERROR in %.*s: %.*s\n", static_cast<int>(function.size()), function.data(),
               static_cast<int>(error.size()), error.data());
  place().reset(); // partners learn of it
  std::exit(EXIT_FAILURE);
}

void create(std::string_view function, std::unique_ptr<Participant> (*make)(const void* arguments),
            const void* arguments) {
  if (place()) {
    end(function,
        "this process has a participant already; C and Fortran programs have one at a time");
  }
  try {
    place() = make(arguments);
  } catch (const std::exception& error) {
    end(function, error.what());
  } catch (...) {
    end(function, "something was thrown that has no text");
  }
}

Participant& get(std::string_view function) {
  if (!place()) {
    end(function, "there is no participant: create one first, and call nothing after finalize");
  }
  return *place();
}

void finalize(std::string_view function) {
  call(function, [](Participant& participant) { participant.finalize(); });
  place().reset();
}

} // namespace precice::sole
