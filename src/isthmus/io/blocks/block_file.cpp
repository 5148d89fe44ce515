// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/blocks/block_file.hpp"

#include "isthmus/base/checksum/crc32c.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

namespace isthmus::io {

BlockWriter::BlockWriter(const comm::Comm& comm, BlockGrid grid, std::vector<std::size_t> own,
                         std::uint32_t halo)
    : comm_(comm), grid_(std::move(grid)), layout_(grid_), own_(std::move(own)), halo_(halo) {
  check(std::adjacent_find(own_.begin(), own_.end(), std::greater_equal<>()) == own_.end() &&
            (own_.empty() || own_.back() < grid_.cells.size()),
        "the numbers of a rank's blocks must ascend and be smaller than {}", grid_.cells.size());
}

BlockStorage BlockWriter::storage(std::size_t block) const {
  return storage_of(grid_, block, halo_);
}

void BlockWriter::fill(Copy& copy, const BlockMoment& moment,
                       std::span<const std::span<const double>> values) const {
  check(values.size() == own_.size(), "{} arrays were given for {} blocks", values.size(),
        own_.size());
  std::size_t size = 0;
  for (const std::size_t block : own_) {
    size += storage(block).interior();
  }
  copy.values.resize(size);
  double* packed = copy.values.data();
  for (std::size_t i = 0; i < own_.size(); ++i) {
    pack(storage(own_[i]), values[i], packed);
    packed += storage(own_[i]).interior();
  }
  if (comm_.is_root()) {
    copy.header = encode_header(grid_, layout_, moment);
  }
}

void BlockWriter::complete(Copy& copy) const {
  copy.parts.clear();
  copy.entries.resize(own_.size());
  if (comm_.is_root()) {
    copy.parts.push_back({0, copy.header});
  }
  auto left = std::as_bytes(std::span<const double>(copy.values));
  for (std::size_t i = 0; i < own_.size(); ++i) {
    const std::size_t block = own_[i];
    const auto bytes = left.first(layout_.bytes_of(block));
    left = left.subspan(bytes.size());
    copy.entries[i] = encode_entry(grid_.cells[block], layout_.offsets[block], crc32c(bytes));
    copy.parts.push_back({layout_.index + block_entry_size * block, copy.entries[i]});
    copy.parts.push_back({layout_.offsets[block], bytes});
  }
}

void BlockWriter::write(const std::filesystem::path& path, const BlockMoment& moment,
                        std::span<const std::span<const double>> values, Durability durability) {
  finish();
  Copy& copy = copies_[current_];
  comm::agree(comm_, [&] {
    fill(copy, moment, values);
    complete(copy);
  });
  write_shared(comm_, path, layout_.size(), copy.parts, durability);
}

void BlockWriter::start(const std::filesystem::path& path, Durability durability,
                        std::function<void(Copy&)> prepare) {
  finish(); // what is still under way
  Copy& copy = copies_[current_];
  pending_ = std::make_unique<BackgroundWrite>(
      comm_, path, layout_.size(), durability,
      [this, path, durability, &copy, prepare = std::move(prepare)] {
        prepare(copy);
        complete(copy);
        write_into_part(path, copy.parts, durability);
      });
  current_ = 1 - current_;
}

void BlockWriter::begin(const std::filesystem::path& path, const BlockMoment& moment,
                        std::span<const std::span<const double>> values, Durability durability) {
  comm::agree(comm_, [&] { fill(copies_[current_], moment, values); });
  start(path, durability, [](Copy&) {});
}

void BlockWriter::lend(const std::filesystem::path& path, const BlockMoment& moment,
                       std::span<const std::span<const double>> values, Durability durability) {
  start(path, durability,
        [this, moment, lent = std::vector(values.begin(), values.end())](Copy& copy) {
          fill(copy, moment, lent);
        });
}

void BlockWriter::finish() {
  if (const auto write = std::exchange(pending_, nullptr)) {
    write->finish();
  }
}

BlockReader::BlockReader(const comm::Comm& comm, std::filesystem::path path)
    : comm_(comm), path_(std::move(path)) {
  std::vector<std::byte> bytes;
  std::uint64_t size = 0;
  comm::agree(comm, [&] {
    if (comm.is_root()) {
      (void)read_index(path_); // for its reasons
      size = std::filesystem::file_size(path_);
      bytes = read_bytes(path_, 0, index_end(read_bytes(path_, 0, block_header_size), size));
    }
  });
  comm::bcast(comm, bytes);
  index_ = parse_index(bytes, comm::bcast(comm, size));
}

void BlockReader::read(std::span<const std::size_t> numbers, std::uint32_t halo,
                       std::span<const std::span<double>> values) const {
  std::vector<std::vector<double>> packed;
  std::vector<FileRoom> rooms;
  comm::agree(comm_, [&] {
    check(numbers.size() == values.size(), "{} arrays were given for {} blocks", values.size(),
          numbers.size());
    const BlockLayout layout(grid());
    for (const std::size_t block : numbers) {
      packed.emplace_back(storage_of(grid(), block, halo).interior());
      rooms.push_back({layout.offsets[block], std::as_writable_bytes(std::span(packed.back()))});
    }
  });
  read_shared(comm_, path_, rooms);
  comm::agree(comm_, [&] {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      check(crc32c(rooms[i].bytes) == index_.crcs[numbers[i]],
            "\"{}\": block {} is damaged; use an earlier file", path_.string(), numbers[i]);
      unpack(storage_of(grid(), numbers[i], halo), packed[i].data(), values[i]);
    }
  });
}

} // namespace isthmus::io
