// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/grammar/file_line.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

/// Parts of validate(), one source file each, and what they share.
namespace isthmus::config {

void validate_participant(const Configuration& configuration, const Participant& participant);
void validate_mappings(const Configuration& configuration, const Participant& participant);
void validate_schemes(const Configuration& configuration);
/// Error if participants would wait for each other.
void validate_order(const Configuration& configuration);
void validate_iterations(const Configuration& configuration, const CouplingScheme& scheme);

/// What a name refers to. `tag` is the tag that uses the name.
const Data& known_data(const Configuration& configuration, const std::string& name, int line,
                       std::string_view tag);
const Mesh& known_mesh(const Configuration& configuration, const std::string& name, int line,
                       std::string_view tag);
const Participant& known_participant(const Configuration& configuration, const std::string& name,
                                     int line, std::string_view tag);

/// Error unless an m2n joins two participants.
void check_m2n(const Configuration& configuration, const std::string& one, const std::string& other,
               int line);

template <typename T>
[[nodiscard]] std::vector<std::string> names_of(const std::vector<T>& all) {
  std::vector<std::string> names;
  for (const T& one : all) {
    names.push_back(one.name);
  }
  return names;
}

/// Error if a name is empty or stands twice. `tag` and `owner` are for the text.
template <typename T>
void check_names(const Configuration& configuration, const std::vector<T>& all,
                 std::string_view tag, std::string_view owner) {
  for (const T& one : all) {
    grammar::check_at(!one.name.empty(), {configuration.file, one.line},
                      "<{} name=\"\">: give it a name", tag);
    for (const T& other : all) {
      grammar::check_at(
          &one == &other || one.name != other.name,
          {configuration.file, std::max(one.line, other.line)},
          "<{0} name=\"{1}\"> stands twice in {2}, also in line {3}; remove or rename one", tag,
          one.name, owner, std::min(one.line, other.line));
    }
  }
}

/// The same where files are named after them: they would lie in other folders.
template <typename T>
void check_file_names(const Configuration& configuration, const std::vector<T>& all,
                      std::string_view tag, std::string_view owner) {
  check_names(configuration, all, tag, owner);
  for (const T& one : all) {
    grammar::check_at(one.name.find('/') == std::string::npos, {configuration.file, one.line},
                      "<{} name=\"{}\"> has a slash, but files are named after it; leave it out",
                      tag, one.name);
  }
}

} // namespace isthmus::config
