// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/io/vtkhdf/handle.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace isthmus::flow {

/// A node of a CGNS file: a group of HDF5 with the attribute "label", its data in " data".
class CgnsNode {
 public:
  /// The root of a file.
  [[nodiscard]] static CgnsNode open(const std::filesystem::path& path);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// "file.cgns: /Base/Zone", for errors.
  [[nodiscard]] const std::string& place() const { return place_; }
  /// Those with a label, in the order of their creation, by name if the file does not know it.
  [[nodiscard]] std::vector<CgnsNode> children(const std::string& label) const;
  /// The first one with a label and a name. Throws Error if there is none.
  [[nodiscard]] CgnsNode child(const std::string& label, const std::string& name) const;
  [[nodiscard]] bool has(const std::string& name) const;

  /// Its data as numbers. Throws Error if there are none.
  [[nodiscard]] std::vector<std::int64_t> integers() const;
  [[nodiscard]] std::vector<double> reals() const;
  /// Its data as a text, without spaces at the end.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::string label() const;
  template <typename T>
  [[nodiscard]] std::vector<T> data(hid_t type) const;

  io::hdf::Handle group_;
  std::string name_;
  std::string place_;
};

} // namespace isthmus::flow
