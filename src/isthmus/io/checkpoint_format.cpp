// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/checkpoint_format.hpp"

#include "isthmus/io/file_mark.hpp"
#include "isthmus/io/shared_file.hpp"

#include <utility>

namespace isthmus::io::impl {

namespace {

constexpr FileMark checkpoint_mark = make_mark("isthchk1");

struct CheckpointHeader {
  FileMark mark;
  std::uint64_t ranks;
  std::uint64_t size;
  std::uint32_t crc; // of all before
  std::uint32_t zero;
};
static_assert(sizeof(CheckpointHeader) == checkpoint_header_size);

CheckpointHeader checked_checkpoint_header(std::span<const std::byte> bytes,
                                           std::uint64_t file_size) {
  CheckpointHeader header{};
  check(bytes.size() == sizeof header, "it is too short for a checkpoint; it was cut off");
  std::memcpy(&header, bytes.data(), sizeof header);
  check_mark(header.mark, checkpoint_mark, "a checkpoint");
  check(header.crc == crc_of(header), "its header is damaged");
  check(header.size == file_size, "it has {} of {} bytes; it was cut off or something was appended",
        file_size, header.size);
  check(header.ranks <= (file_size - sizeof header) / checkpoint_entry_size,
        "its header announces more than it contains");
  return header;
}

/// The tables of all ranks behind what describes them.
std::vector<std::byte> checked_contents(const std::filesystem::path& path,
                                        std::uint64_t file_size) {
  const CheckpointHeader header =
      checked_checkpoint_header(read_bytes(path, 0, checkpoint_header_size), file_size);
  const auto directory =
      read_bytes(path, checkpoint_header_size, header.ranks * checkpoint_entry_size);
  Writer contents;
  contents.put(header.ranks);
  for (std::uint64_t rank = 0; rank < header.ranks; ++rank) {
    Chunk chunk{};
    std::memcpy(&chunk, directory.data() + rank * sizeof chunk, sizeof chunk);
    check(chunk.crc == crc_of(chunk), "the entry of rank {} is damaged", rank);
    check(chunk.offset <= file_size && chunk.size <= file_size - chunk.offset &&
              chunk.table <= chunk.size,
          "the entry of rank {} announces more than it contains", rank);
    const auto table = read_bytes(path, chunk.offset, chunk.table);
    check(chunk.table_crc == crc32c(table), "the table of rank {} is damaged", rank);
    contents.put(chunk).put_array(table);
  }
  return contents.take();
}

CheckpointSection parse_section(Reader& table, std::uint64_t offset, std::uint64_t left) {
  CheckpointSection section;
  section.name = table.get_text();
  section.first = table.get<GlobalIndex>();
  section.width = table.get<std::uint32_t>();
  section.count = table.get<std::uint64_t>();
  section.crc = table.get<std::uint32_t>();
  section.offset = offset;
  check(section.width > 0 && section.count <= left / section.width &&
            section.first >= CheckpointSection::of_rank,
        "section \"{}\" announces more than the file contains", section.name);
  return section;
}

} // namespace

std::vector<std::byte> encode_checkpoint_header(std::uint64_t ranks, std::uint64_t size) {
  CheckpointHeader header{checkpoint_mark, ranks, size, 0, 0};
  header.crc = crc_of(header);
  return Writer().put(header).take();
}

Chunk make_chunk(std::uint64_t offset, std::span<const std::byte> table, std::uint64_t values) {
  Chunk chunk{offset, table.size(), table.size() + values, crc32c(table), 0};
  chunk.crc = crc_of(chunk);
  return chunk;
}

std::vector<std::byte> encode_table(std::span<const CheckpointSection> sections) {
  Writer table;
  table.put(static_cast<std::uint64_t>(sections.size()));
  for (const CheckpointSection& section : sections) {
    table.put_text(section.name).put(section.first).put(section.width).put(section.count);
    table.put(section.crc);
  }
  return table.take();
}

std::vector<std::byte> read_contents(const std::filesystem::path& path) {
  std::error_code code;
  const std::uint64_t size = std::filesystem::file_size(path, code);
  if (code) {
    fail_on_file("read", path, code.value());
  }
  return reading(path, [&] { return checked_contents(path, size); });
}

std::vector<CheckpointSection> parse_contents(std::span<const std::byte> contents, int& num_ranks) {
  Reader reader(contents);
  std::vector<CheckpointSection> sections;
  num_ranks = static_cast<int>(reader.get<std::uint64_t>());
  for (int rank = 0; rank < num_ranks; ++rank) {
    const auto chunk = reader.get<Chunk>();
    const auto table_bytes = reader.get_array<std::byte>();
    Reader table(table_bytes);
    std::uint64_t begin = chunk.table;
    for (auto left = table.get<std::uint64_t>(); left > 0; --left) {
      sections.push_back(parse_section(table, chunk.offset + begin, chunk.size - begin));
      sections.back().rank = rank;
      begin += sections.back().bytes();
    }
    table.finish();
    check(begin == chunk.size, "the sections of rank {} do not fill its part of the file", rank);
  }
  reader.finish();
  return sections;
}

} // namespace isthmus::io::impl
