// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/checkpoint.hpp"

#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/io/checkpoint_format.hpp"
#include "isthmus/io/file_mark.hpp"
#include "isthmus/io/shared_file.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::io {

void CheckpointWriter::append(std::string name, GlobalIndex first, std::uint32_t width,
                              std::span<const std::byte> bytes) {
  for (const CheckpointSection& section : sections_) {
    check(section.name != name || (first >= 0 && section.first >= 0),
          "there is already a section \"{}\"; give each its own name", name);
  }
  sections_.push_back(
      {std::move(name), comm_.rank(), first, width, bytes.size() / width, 0, crc32c(bytes)});
  values_.insert(values_.end(), bytes.begin(), bytes.end());
}

void CheckpointWriter::write(const std::filesystem::path& path, Durability durability) const {
  using namespace impl;
  const auto ranks = static_cast<std::uint64_t>(comm_.size());
  const auto table = encode_table(sections_);
  const auto own = static_cast<std::int64_t>(table.size() + values_.size());
  const std::uint64_t begin = checkpoint_header_size + ranks * checkpoint_entry_size;
  const std::uint64_t offset = begin + static_cast<std::uint64_t>(comm::exscan(comm_, own));
  const std::uint64_t size =
      begin + static_cast<std::uint64_t>(comm::allreduce(comm_, own, comm::Op::sum));

  const auto header = encode_checkpoint_header(ranks, size);
  const Chunk chunk = make_chunk(offset, table, values_.size());
  const auto rank = static_cast<std::uint64_t>(comm_.rank());
  std::vector<FilePart> parts{
      {checkpoint_header_size + rank * checkpoint_entry_size, std::as_bytes(std::span(&chunk, 1))},
      {offset, table},
      {offset + table.size(), values_}};
  if (comm_.is_root()) {
    parts.push_back({0, header});
  }
  write_shared(comm_, path, size, parts, durability);
}

CheckpointReader::CheckpointReader(const comm::Comm& comm, std::filesystem::path path)
    : path_(std::move(path)) {
  std::vector<std::byte> contents;
  comm::agree(comm, [&] {
    if (comm.is_root()) {
      contents = impl::read_contents(path_);
    }
  });
  comm::bcast(comm, contents);
  sections_ = reading(path_, [&] { // the same everywhere
    return impl::parse_contents(contents, num_ranks_);
  });
}

bool CheckpointReader::has(std::string_view name) const {
  return std::any_of(sections_.begin(), sections_.end(),
                     [name](const CheckpointSection& section) { return section.name == name; });
}

bool CheckpointReader::has(std::string_view name, int rank) const {
  return std::any_of(sections_.begin(), sections_.end(), [=](const CheckpointSection& section) {
    return section.name == name && section.rank == rank;
  });
}

GlobalIndex CheckpointReader::length(std::string_view name) const {
  GlobalIndex length = 0;
  for (const CheckpointSection& section : sections_) {
    if (section.name == name) {
      length = std::max(length, section.first + static_cast<GlobalIndex>(section.count));
    }
  }
  return length;
}

std::vector<std::byte> CheckpointReader::read(const CheckpointSection& section,
                                              std::size_t width) const {
  check(section.width == width, "\"{}\": the values of section \"{}\" have {} bytes, not {}",
        path_.string(), section.name, section.width, width);
  auto bytes = read_bytes(path_, section.offset, section.bytes());
  check(bytes.size() == section.bytes() && crc32c(bytes) == section.crc,
        "\"{}\": section \"{}\" of rank {} is damaged; use an earlier file", path_.string(),
        section.name, section.rank);
  return bytes;
}

std::vector<std::byte> CheckpointReader::bytes_of_rank(std::string_view name, int rank,
                                                       std::size_t width) const {
  for (const CheckpointSection& section : sections_) {
    if (section.name == name && section.rank == rank &&
        section.first == CheckpointSection::of_rank) {
      return read(section, width);
    }
  }
  fail("\"{}\" has no section \"{}\" of rank {}; {} ranks wrote it", path_.string(), name, rank,
       num_ranks_);
}

std::vector<std::byte> CheckpointReader::bytes_of_slice(std::string_view name, GlobalIndex first,
                                                        GlobalIndex count,
                                                        std::size_t width) const {
  const GlobalIndex last = first + count;
  check(first >= 0 && count >= 0 && last <= length(name),
        "\"{}\": entries {} to {} of \"{}\" were asked for; there are {}", path_.string(), first,
        last, name, length(name));
  std::vector<std::byte> result(static_cast<std::size_t>(count) * width);
  GlobalIndex found = 0;
  for (const CheckpointSection& section : sections_) {
    const GlobalIndex begin = std::max(first, section.first);
    const GlobalIndex end = std::min(last, section.first + static_cast<GlobalIndex>(section.count));
    if (section.name != name || section.first < 0 || begin >= end) {
      continue;
    }
    const auto bytes = read(section, width);
    const auto at = [width](GlobalIndex entry) {
      return static_cast<std::ptrdiff_t>(width) * static_cast<std::ptrdiff_t>(entry);
    };
    std::copy(bytes.begin() + at(begin - section.first), bytes.begin() + at(end - section.first),
              result.begin() + at(begin - first));
    found += end - begin;
  }
  check(found == count, "\"{}\": the slices of \"{}\" have gaps or overlap between {} and {}",
        path_.string(), name, first, last);
  return result;
}

} // namespace isthmus::io
