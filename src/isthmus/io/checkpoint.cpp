// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/checkpoint.hpp"

#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#ifndef ISTHMUS_SIMULATED
#include "isthmus/io/background_write.hpp"
#endif
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

/// What this rank writes where.
struct CheckpointWriter::Layout {
  std::uint64_t size = 0; // of the file
  std::vector<std::byte> table;
  std::vector<std::byte> header;
  impl::Chunk chunk{};
  std::uint64_t chunk_place = 0;
  std::span<const std::byte> values;

  [[nodiscard]] std::vector<FilePart> parts() const {
    std::vector<FilePart> parts{{chunk_place, std::as_bytes(std::span(&chunk, 1))},
                                {chunk.offset, table},
                                {chunk.offset + table.size(), values}};
    if (!header.empty()) {
      parts.push_back({0, header});
    }
    return parts;
  }
};

/// Collective.
CheckpointWriter::Layout CheckpointWriter::lay_out() const {
  using namespace impl;
  Layout layout;
  const auto ranks = static_cast<std::uint64_t>(comm_.size());
  layout.table = encode_table(sections_);
  layout.values = values_;
  const auto own = static_cast<std::int64_t>(layout.table.size() + values_.size());
  const std::uint64_t begin = checkpoint_header_size + ranks * checkpoint_entry_size;
  const std::uint64_t offset = begin + static_cast<std::uint64_t>(comm::exscan(comm_, own));
  layout.size = begin + static_cast<std::uint64_t>(comm::allreduce(comm_, own, comm::Op::sum));
  layout.chunk = make_chunk(offset, layout.table, values_.size());
  layout.chunk_place =
      checkpoint_header_size + static_cast<std::uint64_t>(comm_.rank()) * checkpoint_entry_size;
  if (comm_.is_root()) {
    layout.header = encode_checkpoint_header(ranks, layout.size);
  }
  return layout;
}

void CheckpointWriter::write(const std::filesystem::path& path, Durability durability) const {
  const Layout layout = lay_out();
  write_shared(comm_, path, layout.size, layout.parts(), durability);
}

#ifndef ISTHMUS_SIMULATED
void CheckpointWriter::begin(const std::filesystem::path& path, Durability durability) {
  finish();
  Layout layout = lay_out();
  const std::uint64_t size = layout.size;
  background_ = std::make_unique<BackgroundWrite>(
      comm_, path, size, durability, [path, durability, layout = std::move(layout)] {
        write_into_part(path, layout.parts(), durability);
      });
}

void CheckpointWriter::finish() {
  if (const std::unique_ptr<BackgroundWrite> write = std::move(background_)) {
    write->finish();
  }
}
#else
class BackgroundWrite {}; // no threads there

void CheckpointWriter::begin(const std::filesystem::path& path, Durability durability) {
  write(path, durability);
}

void CheckpointWriter::finish() {}
#endif

CheckpointWriter::CheckpointWriter(const comm::Comm& comm) : comm_(comm) {}

CheckpointWriter::~CheckpointWriter() = default;

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
