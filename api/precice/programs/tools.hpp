// SPDX-License-Identifier: BSD-3-Clause
// What the command line programs do, so that precice-tools can do the same under other names.
#pragma once

#include <precice/Exceptions.hpp>
#include <precice/Tooling.hpp>
#include <precice/precice.hpp>

#include <charconv>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace tools {

using Arguments = std::vector<std::string>;

[[nodiscard]] inline int refuse(std::string_view usage) {
  std::cerr << "usage: " << usage << '\n';
  return EXIT_FAILURE;
}

[[nodiscard]] inline int print_version() {
  std::cout << precice::getVersionInformation() << '\n';
  return EXIT_SUCCESS;
}

/// Prints the reference of the configuration language; false if there is no such form of it.
[[nodiscard]] inline bool print_reference(const std::string& form) {
  using precice::tooling::ConfigReferenceType;
  if (form != "xml" && form != "dtd" && form != "md") {
    return false;
  }
  precice::tooling::printConfigReference(std::cout, form == "xml"   ? ConfigReferenceType::XML
                                                    : form == "dtd" ? ConfigReferenceType::DTD
                                                                    : ConfigReferenceType::MD);
  return true;
}

/// The number of ranks, 0 if the text is none: all of it must be a whole number of at least 1.
[[nodiscard]] inline int size_from(std::string_view text) {
  int size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  return error == std::errc() && end == text.data() + text.size() && size > 0 ? size : 0;
}

/// Checks FILE [PARTICIPANT [SIZE]].
[[nodiscard]] inline int validate(const Arguments& arguments, std::string_view usage) {
  if (arguments.empty() || arguments.size() > 3) {
    return refuse(usage);
  }
  const int size = arguments.size() == 3 ? size_from(arguments[2]) : 1;
  if (size == 0) {
    std::cerr << "the size \"" << arguments[2] << "\" of participant \"" << arguments[1]
              << "\" must be a whole number of at least 1: its number of ranks\n";
    return EXIT_FAILURE;
  }
  try {
    precice::tooling::checkConfiguration(arguments[0], arguments.size() > 1 ? arguments[1] : "",
                                         size);
  } catch (const precice::Error& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

} // namespace tools
