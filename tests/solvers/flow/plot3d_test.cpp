// SPDX-License-Identifier: BSD-3-Clause
#include "flow/multiblock/plot3d.hpp"
#include "flows.hpp"
#include "isthmus/comm/collective.hpp"
#include "message_of.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

using namespace isthmus;
using namespace isthmus::flow;

namespace {

/// A PLOT3D file in memory: blocks of n x m nodes beside each other along x.
class File {
 public:
  File(int blocks, int n, int m) : n_(n), m_(m) {
    put(blocks);
    for (int b = 0; b < blocks; ++b) {
      for (const int count : {n, m, 1}) {
        put(count);
      }
    }
    for (int b = 0; b < blocks; ++b) {
      for (int c = 0; c < 3; ++c) {
        for (int at = 0; at < n * m; ++at) {
          put(c == 0   ? static_cast<double>(b * (n - 1) + at % n)
              : c == 1 ? static_cast<double>(at / n)
                       : 0.0);
        }
      }
    }
    blocks_ = blocks;
  }
  [[nodiscard]] std::string& bytes() { return bytes_; }
  /// Replaces coordinate c of a node.
  void set(int block, int i, int j, int c, double value) {
    const std::size_t at = 4 + 12 * static_cast<std::size_t>(blocks_) +
                           8 * static_cast<std::size_t>((3 * block + c) * n_ * m_ + j * n_ + i);
    std::memcpy(bytes_.data() + at, &value, sizeof(value));
  }
  void set_count(std::size_t number, std::int32_t value) {
    std::memcpy(bytes_.data() + 4 * number, &value, sizeof(value));
  }

 private:
  template <typename T>
  void put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  int n_;
  int m_;
  int blocks_ = 0;
  std::string bytes_;
};

/// Collective. What a file is refused for, on all ranks.
std::string refusal(const comm::Comm& comm, File& file) {
  std::ofstream("grid.xyz", std::ios::binary) << file.bytes();
  return message_of([&] {
    static_cast<void>(make_grid(
        comm, open_plot3d("grid.xyz"),
        {{boundary("far", BoundaryKind::far_field, {"*:i-min", "*:i-max", "*:j-min", "*:j-max"})},
         {},
         1e-6}));
  });
}

} // namespace

TEST_CASE("PLOT3D files that are none are refused with what they should be") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder folder;
  File good(2, 4, 3);
  CHECK(refusal(comm, good) == "no error");
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{10}}) {
    File cut = good;
    cut.bytes().resize(size);
    CHECK(refusal(comm, cut).find("ends too early: it is no PLOT3D grid") != std::string::npos);
  }
  const std::size_t size = good.bytes().size();
  for (const std::size_t other : {size - 1, size / 2, size + 8}) { // the last: as with iblank
    File wrong = good;
    wrong.bytes().resize(other, '\0');
    CHECK(refusal(comm, wrong).find("bytes, its blocks need " + std::to_string(size)) !=
          std::string::npos);
  }
  File swapped = good;
  swapped.set_count(0, 0x02000000);
  CHECK(refusal(comm, swapped).find("of another byte order") != std::string::npos);
  for (const std::int32_t count : {0, -4, 1}) {
    File thin = good;
    thin.set_count(4, count); // along i of block 2
    CHECK(refusal(comm, thin)
              .find("block 2 of \"grid.xyz\" has " + std::to_string(count) + " x 3 x 1 nodes") !=
          std::string::npos);
  }
  File mixed = good;
  mixed.set_count(6, 2);
  CHECK(refusal(comm, mixed).find("all are flat, or none is") != std::string::npos);
  CHECK(message_of([] { static_cast<void>(open_plot3d("missing.xyz")); }).find("missing.xyz") !=
        std::string::npos);
}

TEST_CASE("PLOT3D grids with bad nodes are refused with block and cell, on all ranks") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder folder;
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    File inside(2, 4, 4);
    inside.set(1, 1, 1, 0, bad);
    const std::string found = refusal(comm, inside);
    INFO(found);
    CHECK(found.find("node (2, 2, 1) of block 2 of \"grid.xyz\"") != std::string::npos);
    File corner(2, 4, 4);
    corner.set(0, 3, 0, 1, bad);
    const std::string other = refusal(comm, corner);
    INFO(other);
    CHECK(other.find("node (4, 1, 1) of block 1 of \"grid.xyz\"") != std::string::npos);
  }
  File crossed(2, 4, 4);
  crossed.set(1, 1, 1, 0, 6.5); // beyond its neighbour at x = 5
  CHECK(refusal(comm, crossed).find("of block 2 has the volume -") != std::string::npos);
  File left(1, 4, 4);
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 4; ++i) {
      left.set(0, i, j, 0, -i);
    }
  }
  CHECK(refusal(comm, left)
            .find("cell (1, 1, 1) of block 1 has the volume -1; i, j, k must be right-handed") !=
        std::string::npos);
}

TEST_CASE("no rank reads all blocks of a grid, and all write it with the same bytes") {
  const comm::Comm comm(MPI_COMM_WORLD);
  const WorkingFolder folder;
  Shape shape;
  shape.cells = {24, 8, 1};
  shape.blocks = {12, 1, 1};
  GridSource source = make_shape(shape);
  int loads = 0;
  source.load = [load = source.load, &loads](int block) {
    ++loads;
    return load(block);
  };
  const Grid grid = make_grid(
      comm, source,
      {{boundary("far", BoundaryKind::far_field, {"*:i-min", "*:i-max", "*:j-min", "*:j-max"})},
       {},
       1e-6});
  const int share = 12 / comm.size();
  CHECK(loads == share + static_cast<int>(grid.own.size())); // for the sides, and the own ones
  loads = 0;
  const std::string place = folder_of_root(comm);
  write_plot3d(comm, place + "/together.xyz", source);
  CHECK(loads == share);
  if (comm.is_root()) {
    write_plot3d(comm::Comm(), "alone.xyz", source);
    std::ifstream together("together.xyz", std::ios::binary);
    std::ifstream alone("alone.xyz", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(alone), {}};
    CHECK(bytes == std::string{std::istreambuf_iterator<char>(together), {}});
    CHECK(bytes.size() == 4 + 12 * 12 + 12 * 24 * 3 * 9);
  }
  comm::barrier(comm);
}
