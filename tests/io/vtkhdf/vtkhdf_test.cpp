// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/vtkhdf/vtkhdf.hpp"

#include "io/folder.hpp"
#include "io/limits.hpp"
#include "isthmus/base/checksum/crc32c.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/io/vtkhdf/handle.hpp"
#include "isthmus/io/vtkhdf/slices.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>

using namespace isthmus;
using io::hdf::Handle;

namespace {

constexpr GlobalIndex vertices = 21;
constexpr GlobalIndex cells =
    13; // cell c has the vertices c … c + 2 (triangle) or c + 3 (tetrahedron)

struct Range {
  GlobalIndex first, last;
};

/// Unequal shares: rank r has weight r + 1, and the last of several ranks nothing.
Range share(const comm::Comm& comm, GlobalIndex count) {
  const int busy = std::max(1, comm.size() - 1);
  const auto begin = [&](int rank) {
    const int r = std::min(rank, busy);
    return count * r * (r + 1) / (busy * (busy + 1));
  };
  return {begin(comm.rank()), begin(comm.rank() + 1)};
}

int corners(GlobalIndex cell) {
  return cell % 2 == 0 ? 3 : 4;
}

/// The mesh of a range of vertices and a range of cells.
io::HdfMesh mesh(Range own_vertices, Range own_cells) {
  io::HdfMesh part;
  part.time = 1.5;
  part.step = 3;
  part.point_fields = {{"heat", 1, {}}, {"velocity", 3, {}}};
  part.cell_fields = {{"pressure", 1, {}}};
  for (GlobalIndex v = own_vertices.first; v < own_vertices.last; ++v) {
    const auto x = static_cast<double>(v);
    for (const double c : {x, x * x, 1 / (x + 1)}) {
      part.coordinates.push_back(c);
      part.point_fields[1].values.push_back(-c);
    }
    part.point_fields[0].values.push_back(x / 3);
  }
  for (GlobalIndex c = own_cells.first; c < own_cells.last; ++c) {
    for (int corner = 0; corner < corners(c); ++corner) {
      part.connectivity.push_back(c + corner);
    }
    part.cell_ends.push_back(static_cast<GlobalIndex>(part.connectivity.size()));
    part.cell_types.push_back(corners(c) == 3 ? 5 : 10);
    part.cell_fields[0].values.push_back(static_cast<double>(c));
  }
  return part;
}

io::HdfMesh unequal(const comm::Comm& comm) {
  return mesh(share(comm, vertices), share(comm, cells));
}

void check_equal(const io::HdfMesh& found, const io::HdfMesh& expected) {
  CHECK(found.coordinates == expected.coordinates);
  CHECK(found.connectivity == expected.connectivity);
  CHECK(found.cell_ends == expected.cell_ends);
  CHECK(found.cell_types == expected.cell_types);
  CHECK(found.time == expected.time);
  CHECK(found.step == expected.step);
  const auto check_fields = [](const auto& have, const auto& want) {
    REQUIRE(have.size() == want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      CHECK(have[i].name == want[i].name);
      CHECK(have[i].components == want[i].components);
      CHECK(have[i].values == want[i].values);
    }
  };
  check_fields(found.point_fields, expected.point_fields);
  check_fields(found.cell_fields, expected.cell_fields);
}

void check_file(const comm::Comm& comm, const std::filesystem::path& path) {
  const auto equal = [&](GlobalIndex count) {
    return Range{count * comm.rank() / comm.size(), count * (comm.rank() + 1) / comm.size()};
  };
  check_equal(io::read_vtkhdf(comm, path), mesh(equal(vertices), equal(cells)));
}

/// A whole array by plain HDF5.
template <typename T>
std::vector<T> plain(const std::filesystem::path& path, const char* name, int rank) {
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const Handle set(H5Dopen2(file.get(), name, H5P_DEFAULT), H5Dclose);
  const Handle space(H5Dget_space(set.get()), H5Sclose);
  CHECK(H5Sget_simple_extent_ndims(space.get()) == rank);
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
  CHECK(H5Dread(set.get(), io::hdf::type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >=
        0);
  return values;
}

} // namespace

TEST_CASE("any ranks read what any ranks wrote") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  io::write_vtkhdf(comm, folder / "f.vtkhdf", unequal(comm));
  comm::barrier(comm);
  CHECK(names_in(folder.path()) == std::set<std::string>{"f.vtkhdf"});
  check_file(comm, folder / "f.vtkhdf");
  check_file(comm::Comm(), folder / "f.vtkhdf"); // serial
  check_file(comm.split(comm.rank() % 2), folder / "f.vtkhdf");
  if (comm.is_root()) {
    io::write_vtkhdf(comm::Comm(), folder / "serial", mesh({0, vertices}, {0, cells}));
  }
  comm::barrier(comm);
  check_file(comm, folder / "serial");
}

TEST_CASE("the file is what ParaView expects") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  const auto path = folder / "f.vtkhdf";
  io::write_vtkhdf(comm, path, unequal(comm));
  comm::barrier(comm);
  const io::HdfMesh whole = mesh({0, vertices}, {0, cells});
  using Ids = std::vector<GlobalIndex>;
  CHECK(plain<GlobalIndex>(path, "VTKHDF/NumberOfPoints", 1) == Ids{vertices});
  CHECK(plain<GlobalIndex>(path, "VTKHDF/NumberOfCells", 1) == Ids{cells});
  CHECK(plain<GlobalIndex>(path, "VTKHDF/NumberOfConnectivityIds", 1) ==
        Ids{static_cast<GlobalIndex>(whole.connectivity.size())});
  CHECK(plain<double>(path, "VTKHDF/Points", 2) == whole.coordinates);
  CHECK(plain<GlobalIndex>(path, "VTKHDF/Connectivity", 1) == whole.connectivity);
  CHECK(plain<std::uint8_t>(path, "VTKHDF/Types", 1) == whole.cell_types);
  Ids offsets{0};
  offsets.insert(offsets.end(), whole.cell_ends.begin(), whole.cell_ends.end());
  CHECK(plain<GlobalIndex>(path, "VTKHDF/Offsets", 1) == offsets);
  CHECK(plain<double>(path, "VTKHDF/PointData/heat", 1) == whole.point_fields[0].values);
  CHECK(plain<double>(path, "VTKHDF/PointData/velocity", 2) == whole.point_fields[1].values);
  CHECK(plain<double>(path, "VTKHDF/CellData/pressure", 1) == whole.cell_fields[0].values);

  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const Handle type(H5Aopen_by_name(file.get(), "VTKHDF", "Type", H5P_DEFAULT, H5P_DEFAULT),
                    H5Aclose);
  const Handle text(H5Aget_type(type.get()), H5Tclose);
  CHECK(H5Tis_variable_str(text.get()) == 0);
  std::string name(H5Tget_size(text.get()), ' ');
  H5Aread(type.get(), text.get(), name.data());
  CHECK(name == "UnstructuredGrid");
}

TEST_CASE("a full disk or a missing folder is an error on all ranks, and the earlier file stays") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  io::write_vtkhdf(comm, folder / "f", unequal(comm));
  {
    const FileSizeLimit limit(5000);
    CHECK_THROWS_AS(io::write_vtkhdf(comm, folder / "f", unequal(comm)), Error);
  }
  CHECK_THROWS_WITH_AS(io::write_vtkhdf(comm, folder / "no/f", unequal(comm)),
                       doctest::Contains("No such file"), Error);
  comm::barrier(comm);
  check_file(comm, folder / "f");
  CHECK(names_in(folder.path()) == std::set<std::string>{"f"});
}

TEST_CASE("files that are foreign, cut off or damaged are refused on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  const auto path = folder / "f";
  io::write_vtkhdf(comm, path, unequal(comm));
  comm::barrier(comm);
  const std::string good = content(path);
  const auto refused = [&](const std::string& bytes) {
    comm::barrier(comm);
    if (comm.is_root()) {
      std::ofstream(path, std::ios::binary) << bytes;
    }
    comm::barrier(comm);
    CHECK_THROWS_WITH_AS(check_file(comm, path), doctest::Contains("cannot be read"), Error);
  };
  refused("");
  refused(std::string(5000, 'x'));
  refused(good.substr(0, good.size() / 2));
  for (const double value : {400.0, 7.0 / 3, 12.0}) { // of a coordinate, a point, a cell
    const auto* bytes = reinterpret_cast<const char*>(&value);
    std::string damaged = good;
    const auto at = damaged.find(std::string(bytes, sizeof value));
    REQUIRE(at != std::string::npos);
    damaged[at + 2] = static_cast<char>(damaged[at + 2] ^ 1);
    refused(damaged);
  }
  CHECK_THROWS_WITH_AS(check_file(comm, folder / "none"), doctest::Contains("No such file"), Error);
}

TEST_CASE("parts that do not fit together are refused") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  const auto refused = [&](auto&& change) {
    io::HdfMesh part = unequal(comm);
    if (comm.rank() == 0) {
      change(part);
    }
    CHECK_THROWS_AS(io::write_vtkhdf(comm, folder / "f", part), Error);
  };
  refused([](io::HdfMesh& part) { part.coordinates.push_back(1); });
  refused([](io::HdfMesh& part) { part.cell_types.push_back(5); });
  refused([](io::HdfMesh& part) { part.connectivity.push_back(0); });
  refused([](io::HdfMesh& part) { part.point_fields[0].values.push_back(0); });
  refused([](io::HdfMesh& part) { part.cell_fields[0].name = "a/b"; });
}

TEST_CASE("the checksum of all ranks is that of their bytes, one after the other") {
  const comm::Comm comm(MPI_COMM_WORLD);
  std::vector<std::byte> all;
  std::vector<std::byte> own;
  for (int rank = 0; rank < comm.size(); ++rank) {
    for (int k = 0; k < 5 * rank; ++k) { // nothing of the first one
      all.push_back(static_cast<std::byte>(31 * rank + k));
      if (rank == comm.rank()) {
        own.push_back(all.back());
      }
    }
  }
  CHECK(io::hdf::joint_crc(comm, own) == crc32c(all));
  CHECK(io::hdf::checksum_name("Points") != io::hdf::checksum_name("Types"));
}
