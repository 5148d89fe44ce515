// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/reason.hpp"

#include "isthmus/base/error.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>

namespace isthmus {

namespace {

std::string reason() {
  try {
    throw;
  } catch (const Error& error) {
    return error.what();
  } catch (const std::bad_alloc&) {
    return "the memory of this process does not suffice (std::bad_alloc); use more ranks or less "
           "data per rank";
  } catch (const std::exception& error) {
    return fmt::format(
        "unexpected failure inside of the library: {}; please report it with the configuration",
        error.what());
  } catch (...) {
    return "unexpected failure inside of the library, without a text; please report it with the "
           "configuration";
  }
}

} // namespace

std::string current_reason() noexcept {
  try {
    return reason();
  } catch (const std::bad_alloc&) {
    return "std::bad_alloc"; // short enough to need no memory
  }
}

} // namespace isthmus
