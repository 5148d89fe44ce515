// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/io/vtkhdf/handle.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace isthmus::io::hdf {

/// Consecutive rows of an array.
struct Slice {
  hsize_t first;
  hsize_t rows;
  std::size_t columns;
};

/// The slice in the file, and as it lies in memory.
[[nodiscard]] std::pair<Handle, Handle> select(hid_t set, const Slice& slice);

/// Collective. The checksum of the bytes of all ranks, one after the other.
[[nodiscard]] std::uint32_t joint_crc(const comm::Comm& comm, std::span<const std::byte> bytes);

/// Of the attribute that holds the checksum of an array.
[[nodiscard]] std::string checksum_name(const std::string& array);

} // namespace isthmus::io::hdf
