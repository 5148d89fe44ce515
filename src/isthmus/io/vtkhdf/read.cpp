// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/sequence.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/io/atomic_file.hpp"
#include "isthmus/io/vtkhdf/handle.hpp"
#include "isthmus/io/vtkhdf/slices.hpp"
#include "isthmus/io/vtkhdf/vtkhdf.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace isthmus::io {

namespace {

using hdf::Handle;

/// A file that is read; every function is collective and fails on all ranks together.
class Input {
 public:
  Input(const comm::Comm& comm, const std::filesystem::path& path)
      : comm_(comm), path_(path), transfer_(hdf::transfer_of(comm)) {
    file_ = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, hdf::access_of(comm).get()), H5Fclose);
    expect(file_.valid(), "it is not an HDF5 file, or it was cut off");
    expect(H5Lexists(file_.get(), "VTKHDF", H5P_DEFAULT) > 0 &&
               H5Lexists(file_.get(), "isthmus", H5P_DEFAULT) > 0,
           "Isthmus did not write it");
  }

  template <typename T>
  [[nodiscard]] T attribute(const std::string& name) const {
    T value{};
    const Handle found(
        H5Aopen_by_name(file_.get(), "isthmus", name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    expect(
        found.valid() && holds_one(found) && H5Aread(found.get(), hdf::type_of<T>(), &value) >= 0,
        "\"" + name + "\" is missing");
    return value;
  }

  /// Rows first…last of an array, whatever the other ranks read of it.
  template <typename T>
  [[nodiscard]] std::vector<T> rows(const std::string& name, hsize_t first, hsize_t last,
                                    std::size_t columns) const {
    const Handle set = open(name, columns);
    std::vector<T> values;
    comm::agree(comm_, [&] { values.resize(static_cast<std::size_t>(last - first) * columns); });
    const auto [in_file, in_memory] = hdf::select(set.get(), {first, last - first, columns});
    expect(H5Dread(set.get(), hdf::type_of<T>(), in_memory.get(), in_file.get(), transfer_.get(),
                   values.data()) >= 0,
           "array " + name + " is damaged");
    return values;
  }

  /// This rank's share of an array, whose checksum is compared. `extra` rows at the end go to the
  /// last rank.
  template <typename T>
  [[nodiscard]] std::vector<T> share(const std::string& name, hsize_t count, std::size_t columns,
                                     hsize_t extra = 0) const {
    const auto [first, size] =
        share_of(comm_.rank(), comm_.size(), static_cast<GlobalIndex>(count));
    const hsize_t last =
        static_cast<hsize_t>(first + size) + (comm_.rank() == comm_.size() - 1 ? extra : 0);
    expect(num_rows(name, columns) == count + extra, "array " + name + " has another length");
    auto values = rows<T>(name, static_cast<hsize_t>(first), last, columns);
    compare(name, std::as_bytes(std::span<const T>(values)));
    return values;
  }

  /// Collective. Throws Error unless the bytes of all ranks have the checksum of the array.
  void compare(const std::string& name, std::span<const std::byte> bytes) const {
    const auto crc = attribute<std::uint32_t>(hdf::checksum_name(name));
    expect(hdf::joint_crc(comm_, bytes) == crc, "array " + name + " is damaged");
  }

  [[nodiscard]] std::vector<HdfField> fields(const std::string& group, hsize_t count) const {
    std::vector<HdfField> result;
    for (const std::string& name : names(group)) {
      const std::string path = group + "/" + name;
      const std::size_t columns = num_columns(path);
      result.push_back({name, static_cast<int>(columns), share<double>(path, count, columns)});
    }
    return result;
  }

  void expect(bool done, const std::string& reason) const {
    comm::agree(comm_, [&] {
      check(done, "\"{}\" cannot be read: {}; use an earlier file", path_.string(), reason);
    });
  }

 private:
  static bool holds_one(const Handle& attribute) {
    const Handle space(H5Aget_space(attribute.get()), H5Sclose);
    return H5Sget_simple_extent_npoints(space.get()) == 1;
  }

  [[nodiscard]] static std::vector<hsize_t> extents(const Handle& set) {
    const Handle space(set.valid() ? H5Dget_space(set.get()) : H5I_INVALID_HID, H5Sclose);
    const int rank = space.valid() ? H5Sget_simple_extent_ndims(space.get()) : 0;
    std::vector<hsize_t> result(static_cast<std::size_t>(std::max(rank, 0)));
    if (!result.empty()) {
      H5Sget_simple_extent_dims(space.get(), result.data(), nullptr);
    }
    return result;
  }

  [[nodiscard]] Handle open(const std::string& name, std::size_t columns) const {
    Handle set(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    const auto shape = extents(set);
    expect(shape.size() == (columns == 1 ? 1 : 2) && (columns == 1 || shape[1] == columns),
           "array " + name + " is missing or has another shape");
    return set;
  }
  [[nodiscard]] hsize_t num_rows(const std::string& name, std::size_t columns) const {
    return extents(open(name, columns))[0];
  }
  [[nodiscard]] std::size_t num_columns(const std::string& name) const {
    const Handle set(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    const auto shape = extents(set);
    expect(shape.size() == 1 || (shape.size() == 2 && shape[1] > 0),
           "array " + name + " has another shape");
    return shape.size() == 1 ? 1 : static_cast<std::size_t>(shape[1]);
  }

  [[nodiscard]] std::vector<std::string> names(const std::string& group) const {
    std::vector<std::string> result;
    const auto add = [](hid_t, const char* name, const H5L_info_t*, void* all) -> herr_t {
      static_cast<std::vector<std::string>*>(all)->emplace_back(name);
      return 0;
    };
    expect(H5Literate_by_name(file_.get(), group.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add,
                              &result, H5P_DEFAULT) >= 0,
           "group " + group + " is missing");
    return result;
  }

  const comm::Comm& comm_;
  std::filesystem::path path_;
  Handle transfer_;
  Handle file_;
};

/// The number that describes the one piece.
hsize_t count(const Input& input, const comm::Comm& comm, const std::string& name) {
  const auto values = input.rows<GlobalIndex>(name, 0, 1, 1);
  const auto counted =
      comm.is_root() ? std::as_bytes(std::span(values)) : std::span<const std::byte>();
  input.compare(name, counted);
  input.expect(values[0] >= 0, name + " is negative");
  return static_cast<hsize_t>(values[0]);
}

/// The connectivity of this rank's cells, which is not an equal share of all.
void read_cells(const Input& input, const comm::Comm& comm, HdfMesh& mesh) {
  const hsize_t cells = count(input, comm, "VTKHDF/NumberOfCells");
  const hsize_t ids = count(input, comm, "VTKHDF/NumberOfConnectivityIds");
  mesh.cell_types = input.share<std::uint8_t>("VTKHDF/Types", cells, 1);
  (void)input.share<GlobalIndex>("VTKHDF/Offsets", cells, 1, 1); // for its checksum
  const Share own = share_of(comm.rank(), comm.size(), static_cast<GlobalIndex>(cells));
  auto offsets = input.rows<GlobalIndex>("VTKHDF/Offsets", static_cast<hsize_t>(own.first),
                                         static_cast<hsize_t>(own.first + own.count) + 1, 1);
  const auto begin = static_cast<hsize_t>(offsets.front());
  const auto end = static_cast<hsize_t>(offsets.back());
  input.expect(std::is_sorted(offsets.begin(), offsets.end()) && offsets.front() >= 0 && end <= ids,
               "the offsets of the cells are wrong");
  mesh.connectivity = input.rows<GlobalIndex>("VTKHDF/Connectivity", begin, end, 1);
  input.compare("VTKHDF/Connectivity", std::as_bytes(std::span(mesh.connectivity)));
  for (std::size_t cell = 1; cell < offsets.size(); ++cell) {
    mesh.cell_ends.push_back(offsets[cell] - offsets.front());
  }
  mesh.cell_fields = input.fields("VTKHDF/CellData", cells);
}

} // namespace

HdfMesh read_vtkhdf(const comm::Comm& comm, const std::filesystem::path& path) {
  const hdf::Quiet quiet;
  comm::agree(comm, [&] {
    if (comm.is_root() && access(path.c_str(), R_OK) != 0) {
      fail_on_file("read", path, errno);
    }
  });
  const Input input(comm, path);
  HdfMesh mesh;
  mesh.time = input.attribute<double>("time");
  mesh.step = input.attribute<std::int64_t>("step");
  const hsize_t vertices = count(input, comm, "VTKHDF/NumberOfPoints");
  mesh.coordinates = input.share<double>("VTKHDF/Points", vertices, 3);
  mesh.point_fields = input.fields("VTKHDF/PointData", vertices);
  read_cells(input, comm, mesh);
  return mesh;
}

} // namespace isthmus::io
