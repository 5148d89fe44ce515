// SPDX-License-Identifier: BSD-3-Clause
#include "flow/multiblock/plot3d.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/io/shared_file.hpp"

#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace isthmus::flow {

namespace {

constexpr int most_blocks = 1 << 20;

template <typename T>
std::vector<T> read_values(const std::filesystem::path& path, std::uint64_t offset,
                           std::size_t count) {
  const std::vector<std::byte> bytes = io::read_bytes(path, offset, count * sizeof(T));
  check(bytes.size() == count * sizeof(T),
        "\"{}\" ends too early: it is no PLOT3D grid of 64-bit numbers without records of Fortran",
        path.string());
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// Of one block: both planes of a flat one are the same but for z.
Nodes make_nodes(const Index3& cells, bool is_flat, std::span<const double> xyz) {
  Nodes nodes{cells, {}};
  const std::size_t count = xyz.size() / 3;
  nodes.points.reserve(is_flat ? 2 * count : count);
  for (int plane = 0; plane < (is_flat ? 2 : 1); ++plane) {
    for (std::size_t n = 0; n < count; ++n) {
      nodes.points.push_back({xyz[n], xyz[count + n], is_flat ? plane : xyz[2 * count + n]});
    }
  }
  return nodes;
}

std::size_t nodes_in_file(const Index3& cells, bool is_flat) {
  return static_cast<std::size_t>(cells[0] + 1) * static_cast<std::size_t>(cells[1] + 1) *
         (is_flat ? 1 : static_cast<std::size_t>(cells[2] + 1));
}

/// As files have them: all x, then y, then z.
std::vector<double> coordinates(const Nodes& nodes, bool is_flat) {
  const std::size_t count = nodes_in_file(nodes.cells, is_flat);
  std::vector<double> xyz(3 * count);
  for (std::size_t n = 0; n < count; ++n) {
    for (std::size_t c = 0; c < 3; ++c) {
      xyz[c * count + n] = nodes.points[n][c];
    }
  }
  return xyz;
}

} // namespace

GridSource open_plot3d(const std::filesystem::path& path) {
  const int blocks = read_values<std::int32_t>(path, 0, 1)[0];
  check(blocks > 0 && blocks <= most_blocks,
        "\"{}\" would have {} blocks: it is no PLOT3D grid without records of Fortran, or was "
        "written on a machine of another byte order",
        path.string(), blocks);
  const auto sizes = read_values<std::int32_t>(path, 4, 3 * static_cast<std::size_t>(blocks));
  GridSource grid{path.string(), sizes[2] == 1, {}, {}};
  std::vector<std::uint64_t> offsets{4 + 12 * static_cast<std::uint64_t>(blocks)};
  for (std::size_t b = 0; b < static_cast<std::size_t>(blocks); ++b) {
    const Index3 nodes{sizes[3 * b], sizes[3 * b + 1], sizes[3 * b + 2]};
    check(nodes[0] > 1 && nodes[1] > 1 && nodes[2] > 0,
          "block {} of \"{}\" has {} x {} x {} nodes; each axis needs 2, k of flat ones 1", b + 1,
          path.string(), nodes[0], nodes[1], nodes[2]);
    check((nodes[2] == 1) == grid.is_flat,
          "block {} of \"{}\" has {} nodes along k and block 1 has {}: all are flat, or none is",
          b + 1, path.string(), nodes[2], sizes[2]);
    grid.cells.push_back({nodes[0] - 1, nodes[1] - 1, grid.is_flat ? 1 : nodes[2] - 1});
    offsets.push_back(offsets.back() + 24 * nodes_in_file(grid.cells.back(), grid.is_flat));
  }
  const std::uint64_t size = std::filesystem::file_size(path);
  check(size == offsets.back(),
        "\"{}\" has {} bytes, its blocks need {}: write it with 64-bit numbers, without iblank",
        path.string(), size, offsets.back());
  grid.load = [path, offsets = std::move(offsets), cells = grid.cells,
               is_flat = grid.is_flat](int block) {
    const auto b = static_cast<std::size_t>(block);
    const auto count = static_cast<std::size_t>((offsets[b + 1] - offsets[b]) / sizeof(double));
    return make_nodes(cells[b], is_flat, read_values<double>(path, offsets[b], count));
  };
  return grid;
}

void write_plot3d(const comm::Comm& comm, const std::filesystem::path& path,
                  const GridSource& grid) {
  std::vector<std::int32_t> head{static_cast<std::int32_t>(grid.cells.size())};
  std::vector<std::uint64_t> offsets{4 + 12 * static_cast<std::uint64_t>(grid.cells.size())};
  for (const Index3& cells : grid.cells) {
    head.insert(head.end(), {cells[0] + 1, cells[1] + 1, grid.is_flat ? 1 : cells[2] + 1});
    offsets.push_back(offsets.back() + 24 * nodes_in_file(cells, grid.is_flat));
  }
  std::vector<std::vector<double>> blocks;
  std::vector<io::FilePart> parts;
  if (comm.is_root()) {
    parts.push_back({0, std::as_bytes(std::span(head))});
  }
  comm::agree(comm, [&] {
    for (int b = comm.rank(); b < static_cast<int>(grid.cells.size()); b += comm.size()) {
      blocks.push_back(coordinates(grid.load(b), grid.is_flat));
      parts.push_back(
          {offsets[static_cast<std::size_t>(b)], std::as_bytes(std::span(blocks.back()))});
    }
  });
  io::write_shared(comm, path, offsets.back(), parts, io::Durability::process);
}

} // namespace isthmus::flow
