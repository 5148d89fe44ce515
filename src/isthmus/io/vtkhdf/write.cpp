// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/io/shared_file.hpp"
#include "isthmus/io/vtkhdf/handle.hpp"
#include "isthmus/io/vtkhdf/slices.hpp"
#include "isthmus/io/vtkhdf/vtkhdf.hpp"

#include <algorithm>
#include <string_view>

namespace isthmus::io {

namespace {

using hdf::Handle;

void check_fields(std::span<const HdfField> fields, std::size_t count, std::string_view where) {
  for (const HdfField& field : fields) {
    check(
        field.components > 0 && field.name.find('/') == std::string::npos && !field.name.empty() &&
            field.values.size() == count * static_cast<std::size_t>(field.components),
        "field \"{}\" has {} values of {} components for {} {}; its name must not contain a slash",
        field.name, field.values.size(), field.components, count, where);
  }
}

void check_part(const HdfMesh& part) {
  check(part.coordinates.size() % 3 == 0, "{} coordinates do not make vertices of 3 each",
        part.coordinates.size());
  check(part.cell_ends.size() == part.cell_types.size(), "{} cells have ends, {} have types",
        part.cell_ends.size(), part.cell_types.size());
  check(std::is_sorted(part.cell_ends.begin(), part.cell_ends.end()) &&
            (part.cell_ends.empty()
                 ? part.connectivity.empty()
                 : part.cell_ends.back() == static_cast<GlobalIndex>(part.connectivity.size())),
        "the ends of the cells do not fit the {} entries of the connectivity",
        part.connectivity.size());
  check_fields(part.point_fields, part.num_vertices(), "vertices");
  check_fields(part.cell_fields, part.num_cells(), "cells");
}

/// Bytes of the file of all ranks, at most.
std::int64_t file_size(const comm::Comm& comm, const HdfMesh& part) {
  constexpr std::size_t per_array = 4096; // what HDF5 needs to describe it
  constexpr std::size_t arrays = 16;
  std::size_t values = part.coordinates.size() + part.connectivity.size() + part.cell_ends.size() +
                       part.cell_types.size();
  std::size_t fields = 0;
  for (const auto* all : {&part.point_fields, &part.cell_fields}) {
    fields += all->size();
    for (const HdfField& field : *all) {
      values += field.values.size();
    }
  }
  const std::size_t described = comm.is_root() ? (arrays + fields) * per_array : 0;
  const auto own = static_cast<std::int64_t>(values * sizeof(double) + described);
  return comm::allreduce(comm, own, comm::Op::sum);
}

/// A file that is being written; every function is collective and fails on all ranks together.
class Output {
 public:
  Output(const comm::Comm& comm, const std::filesystem::path& path)
      : comm_(comm), path_(path), transfer_(hdf::transfer_of(comm)) {
    file_ = Handle(
        H5Fcreate(part_of(path).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, hdf::access_of(comm).get()),
        H5Fclose);
    expect(file_.valid(), "create the file");
    for (const char* group : {"VTKHDF", "VTKHDF/PointData", "VTKHDF/CellData", "isthmus"}) {
      const Handle made(H5Gcreate2(file_.get(), group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                        H5Gclose);
      expect(made.valid(), group);
    }
  }

  template <typename T>
  void attribute(const char* group, const char* name, std::span<const T> values) {
    const hsize_t extent = values.size();
    attribute(group, name, hdf::type_of<T>(),
              Handle(H5Screate_simple(1, &extent, nullptr), H5Sclose), values.data());
  }
  void attribute(const char* group, const char* name, std::string_view text) {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), text.size());
    H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
    attribute(group, name, type.get(), Handle(H5Screate(H5S_SCALAR), H5Sclose), text.data());
  }

  /// The rows of all ranks, one after the other, and their checksum.
  template <typename T>
  void array(const std::string& name, std::size_t columns, std::span<const T> values) {
    const auto own = static_cast<std::int64_t>(values.size() / columns);
    const auto rows = static_cast<hsize_t>(comm::allreduce(comm_, own, comm::Op::sum));
    const hdf::Slice slice{static_cast<hsize_t>(comm::exscan(comm_, own)),
                           static_cast<hsize_t>(own), columns};
    const std::array<hsize_t, 2> extents{rows, columns};
    const Handle space(H5Screate_simple(columns == 1 ? 1 : 2, extents.data(), nullptr), H5Sclose);
    const Handle set(H5Dcreate2(file_.get(), name.c_str(), hdf::type_of<T>(), space.get(),
                                H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                     H5Dclose);
    expect(set.valid(), name);
    const auto [in_file, in_memory] = hdf::select(set.get(), slice);
    expect(H5Dwrite(set.get(), hdf::type_of<T>(), in_memory.get(), in_file.get(), transfer_.get(),
                    values.data()) >= 0,
           name);
    const std::uint32_t crc = hdf::joint_crc(comm_, std::as_bytes(values));
    attribute("isthmus", hdf::checksum_name(name).c_str(), std::span(&crc, 1));
  }

  void finish(Durability durability) {
    expect(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL) >= 0, "flush");
    expect(file_.close(), "close");
    comm::agree(comm_, [&] {
      if (comm_.is_root()) {
        write_into_part(path_, {}, durability);
        publish(path_, durability);
      }
    });
  }

 private:
  void attribute(const char* group, const char* name, hid_t type, const Handle& space,
                 const void* value) {
    const Handle made(H5Acreate_by_name(file_.get(), group, name, type, space.get(), H5P_DEFAULT,
                                        H5P_DEFAULT, H5P_DEFAULT),
                      H5Aclose);
    expect(made.valid() && H5Awrite(made.get(), type, value) >= 0, name);
  }

  void expect(bool done, std::string_view what) const {
    comm::agree(comm_, [&] {
      check(done, "\"{}\": HDF5 cannot write ({}); check the space, the limits and the permissions",
            path_.string(), what);
    });
  }

  const comm::Comm& comm_;
  std::filesystem::path path_;
  Handle transfer_;
  Handle file_;
};

void write_mesh(Output& output, const comm::Comm& comm, const HdfMesh& part) {
  const auto ids = static_cast<GlobalIndex>(part.connectivity.size());
  const GlobalIndex ids_before = comm::exscan(comm, ids);
  const auto total = [&](std::size_t own) {
    return comm::allreduce(comm, static_cast<GlobalIndex>(own), comm::Op::sum);
  };
  const auto count = [&](const char* name, GlobalIndex value) { // of the one piece
    output.array<GlobalIndex>(name, 1, std::span(&value, comm.is_root() ? 1 : 0));
  };
  count("VTKHDF/NumberOfPoints", total(part.num_vertices()));
  count("VTKHDF/NumberOfCells", total(part.num_cells()));
  count("VTKHDF/NumberOfConnectivityIds", total(part.connectivity.size()));
  std::vector<GlobalIndex> offsets(comm.is_root() ? 1 : 0, 0); // begins, then the last end
  for (const GlobalIndex end : part.cell_ends) {
    offsets.push_back(ids_before + end);
  }
  output.array<double>("VTKHDF/Points", 3, part.coordinates);
  output.array<GlobalIndex>("VTKHDF/Connectivity", 1, part.connectivity);
  output.array<GlobalIndex>("VTKHDF/Offsets", 1, offsets);
  output.array<std::uint8_t>("VTKHDF/Types", 1, part.cell_types);
  for (const HdfField& field : part.point_fields) {
    output.array<double>("VTKHDF/PointData/" + field.name,
                         static_cast<std::size_t>(field.components), field.values);
  }
  for (const HdfField& field : part.cell_fields) {
    output.array<double>("VTKHDF/CellData/" + field.name,
                         static_cast<std::size_t>(field.components), field.values);
  }
}

} // namespace

void write_vtkhdf(const comm::Comm& comm, const std::filesystem::path& path, const HdfMesh& part,
                  Durability durability) {
  const hdf::Quiet quiet;
  comm::agree(comm, [&] { check_part(part); });
  const auto size = static_cast<std::uint64_t>(file_size(comm, part));
  comm::agree(comm, [&] {
    if (comm.is_root()) {
      create_part(path, size); // HDF5 neither survives a full disk nor says what is wrong
    }
  });
  try {
    Output output(comm, path);
    constexpr std::array<std::int64_t, 2> version{2, 0};
    output.attribute<std::int64_t>("VTKHDF", "Version", version);
    output.attribute("VTKHDF", "Type", "UnstructuredGrid");
    const double time = comm::bcast(comm, part.time);
    const std::int64_t step = comm::bcast(comm, part.step);
    output.attribute("isthmus", "time", std::span(&time, 1));
    output.attribute("isthmus", "step", std::span(&step, 1));
    write_mesh(output, comm, part);
    output.finish(durability);
  } catch (const Error&) { // on all ranks
    if (comm.is_root()) {
      remove_part(path);
    }
    throw;
  }
}

} // namespace isthmus::io
