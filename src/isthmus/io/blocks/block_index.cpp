// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/blocks/block_index.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/io/file_mark.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace isthmus::io {

namespace {

constexpr FileMark mark = make_mark("isthblk1");
constexpr std::uint64_t data_alignment = 4096;

/// The fields of the header, as they stand in the file.
struct Header {
  FileMark mark;
  std::uint64_t blocks;
  std::uint64_t snapshots;
  std::uint64_t variables;
  std::uint64_t name_bytes;
  std::uint64_t data;
  std::uint64_t size;
  double time;
  std::uint64_t step;
  std::uint32_t names_crc;
  std::uint32_t crc; // of all before
};
static_assert(sizeof(Header) == block_header_size);

struct Entry {
  std::uint64_t offset;
  Cells cells;
  std::uint32_t data_crc;
  std::uint32_t zero;
  std::uint32_t crc; // of all before
};
static_assert(sizeof(Entry) == block_entry_size);

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

std::uint64_t index_begin(std::uint64_t name_bytes) {
  return round_up(block_header_size + name_bytes, block_entry_size);
}

std::string joined(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) {
    text += name + "\n";
  }
  return text;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    check(end != std::string_view::npos, "the names of its variables do not end");
    names.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return names;
}

/// Throws Error where it does not fit into 64 bits.
std::uint64_t checked_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  check(!__builtin_mul_overflow(a, b, &result), "its blocks are larger than any file");
  return result;
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  check(!__builtin_add_overflow(a, b, &result), "its blocks are larger than any file");
  return result;
}

Header checked_header(std::span<const std::byte> bytes, std::uint64_t file_size) {
  Header header{};
  check(bytes.size() >= sizeof header, "it is too short for a block file; it was cut off");
  std::memcpy(&header, bytes.data(), sizeof header);
  check_mark(header.mark, mark, "a block file");
  check(header.crc == crc_of(header), "its header is damaged");
  check(header.size == file_size, "it has {} of {} bytes; {}", file_size, header.size,
        file_size < header.size ? "it was cut off" : "something was appended");
  return header;
}

} // namespace

BlockLayout::BlockLayout(const BlockGrid& grid) : index(0) {
  std::uint64_t names = 0;
  for (const std::string& name : grid.variables) {
    check(name.find('\n') == std::string::npos, "the name of a variable must be one line: \"{}\"",
          name);
    names += name.size() + 1;
  }
  index = index_begin(names);
  const std::uint64_t per_cell =
      checked_product(checked_product(grid.snapshots, grid.variables.size()), sizeof(double));
  offsets.reserve(grid.cells.size() + 1);
  offsets.push_back(round_up(index + block_entry_size * grid.cells.size(), data_alignment));
  for (const Cells& cells : grid.cells) {
    const std::uint64_t count = checked_product(checked_product(cells[0], cells[1]), cells[2]);
    offsets.push_back(sum(offsets.back(), checked_product(count, per_cell)));
  }
}

std::vector<std::byte> encode_header(const BlockGrid& grid, const BlockLayout& layout,
                                     const BlockMoment& moment) {
  const std::string names = joined(grid.variables);
  const auto name_bytes = std::as_bytes(std::span(names));
  Header header{mark,
                grid.cells.size(),
                grid.snapshots,
                grid.variables.size(),
                names.size(),
                layout.data(),
                layout.size(),
                moment.time,
                moment.step,
                crc32c(name_bytes),
                0};
  header.crc = crc_of(header);
  std::vector<std::byte> bytes(layout.index);
  std::memcpy(bytes.data(), &header, sizeof header);
  std::copy(name_bytes.begin(), name_bytes.end(), bytes.begin() + sizeof header);
  return bytes;
}

std::array<std::byte, block_entry_size> encode_entry(const Cells& cells, std::uint64_t offset,
                                                     std::uint32_t crc) {
  Entry entry{offset, cells, crc, 0, 0};
  entry.crc = crc_of(entry);
  std::array<std::byte, block_entry_size> bytes{};
  std::memcpy(bytes.data(), &entry, sizeof entry);
  return bytes;
}

std::uint64_t index_end(std::span<const std::byte> header_bytes, std::uint64_t file_size) {
  const Header header = checked_header(header_bytes, file_size);
  check(header.name_bytes <= file_size && header.blocks <= file_size / block_entry_size,
        "its header announces more than it contains");
  const std::uint64_t end = index_begin(header.name_bytes) + header.blocks * block_entry_size;
  check(end <= header.data && header.data <= file_size,
        "its header announces more than it contains");
  return end;
}

BlockIndex parse_index(std::span<const std::byte> bytes, std::uint64_t file_size) {
  const std::uint64_t end = index_end(bytes, file_size);
  check(bytes.size() >= end, "its index is cut off");
  const Header header = checked_header(bytes, file_size);
  const auto names = bytes.subspan(block_header_size, header.name_bytes);
  check(header.names_crc == crc32c(names), "the names of its variables are damaged");

  BlockIndex result;
  result.moment = {header.time, header.step};
  result.grid.variables = split({reinterpret_cast<const char*>(names.data()), names.size()});
  result.grid.snapshots = header.snapshots;
  check(result.grid.variables.size() == header.variables, "{} variables are announced, {} named",
        header.variables, result.grid.variables.size());
  std::vector<std::uint64_t> offsets;
  for (std::uint64_t block = 0; block < header.blocks; ++block) {
    Entry entry{};
    std::memcpy(&entry, bytes.data() + end - (header.blocks - block) * sizeof entry, sizeof entry);
    check(entry.crc == crc_of(entry), "the entry of block {} is damaged", block);
    result.grid.cells.push_back(entry.cells);
    result.crcs.push_back(entry.data_crc);
    offsets.push_back(entry.offset);
  }
  offsets.push_back(file_size);
  check(BlockLayout(result.grid).offsets == offsets, "its blocks do not lie where they should");
  return result;
}

BlockIndex read_index(const std::filesystem::path& path) {
  const auto header = read_bytes(path, 0, block_header_size);
  std::error_code code;
  const std::uint64_t size = std::filesystem::file_size(path, code);
  if (code) {
    fail_on_file("read", path, code.value());
  }
  return reading(path,
                 [&] { return parse_index(read_bytes(path, 0, index_end(header, size)), size); });
}

} // namespace isthmus::io
