// SPDX-License-Identifier: BSD-3-Clause
#include "flow/cgns/tree.hpp"

#include "isthmus/base/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace isthmus::flow {

namespace {

using io::hdf::Handle;

herr_t take_name(hid_t /*group*/, const char* name, const H5L_info_t* /*info*/, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

std::vector<std::string> names_in(hid_t group) {
  std::vector<std::string> names;
  if (H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, take_name, &names) < 0) {
    names.clear();
    H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, take_name, &names);
  }
  return names;
}

} // namespace

CgnsNode CgnsNode::open(const std::filesystem::path& path) {
  const io::hdf::Quiet quiet;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access.get(), false, true); // nobody writes it
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  check(file.valid(), "\"{}\" cannot be opened as a CGNS file of HDF5", path.string());
  CgnsNode root;
  root.group_ = Handle(H5Gopen2(file.get(), "/", H5P_DEFAULT), H5Gclose); // keeps the file open
  root.place_ = fmt::format("\"{}\": ", path.string());
  check(root.group_.valid() && root.has("CGNSLibraryVersion"), "\"{}\" is no CGNS file",
        path.string());
  return root;
}

std::string CgnsNode::label() const {
  const Handle attribute(H5Aopen(group_.get(), "label", H5P_DEFAULT), H5Aclose);
  if (!attribute.valid()) {
    return {};
  }
  const Handle type(H5Aget_type(attribute.get()), H5Tclose);
  std::string label(H5Tget_size(type.get()) + 1, '\0');
  H5Aread(attribute.get(), type.get(), label.data());
  return label.c_str();
}

std::vector<CgnsNode> CgnsNode::children(const std::string& label) const {
  const io::hdf::Quiet quiet;
  std::vector<CgnsNode> found;
  for (const std::string& name : names_in(group_.get())) {
    CgnsNode node;
    node.group_ = Handle(H5Gopen2(group_.get(), name.c_str(), H5P_DEFAULT), H5Gclose);
    node.name_ = name;
    node.place_ = fmt::format("{}/{}", place_, name);
    if (node.group_.valid() && node.label() == label) {
      found.push_back(std::move(node));
    }
  }
  return found;
}

CgnsNode CgnsNode::child(const std::string& label, const std::string& name) const {
  for (CgnsNode& node : children(label)) {
    if (node.name() == name) {
      return std::move(node);
    }
  }
  fail("{} has no node \"{}\" of kind {}", place_, name, label);
}

bool CgnsNode::has(const std::string& name) const {
  return H5Lexists(group_.get(), name.c_str(), H5P_DEFAULT) > 0;
}

template <typename T>
std::vector<T> CgnsNode::data(hid_t type) const {
  const io::hdf::Quiet quiet;
  const Handle set(H5Dopen2(group_.get(), " data", H5P_DEFAULT), H5Dclose);
  check(set.valid(), "{} has no data", place_);
  const Handle space(H5Dget_space(set.get()), H5Sclose);
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  std::vector<T> values(count > 0 ? static_cast<std::size_t>(count) : 0);
  check(H5Dread(set.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0,
        "{} has data of another kind, or they cannot be read", place_);
  return values;
}

std::vector<std::int64_t> CgnsNode::integers() const {
  return data<std::int64_t>(H5T_NATIVE_INT64);
}

std::vector<double> CgnsNode::reals() const {
  return data<double>(H5T_NATIVE_DOUBLE);
}

std::string CgnsNode::text() const {
  const std::vector<char> values = data<char>(H5T_NATIVE_CHAR);
  std::string text(values.begin(), values.end());
  text.erase(text.find_last_not_of(std::string(" \0", 2)) + 1);
  return text;
}

} // namespace isthmus::flow
