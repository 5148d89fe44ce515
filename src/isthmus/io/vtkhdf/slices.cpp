// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/vtkhdf/slices.hpp"

#include "isthmus/base/checksum/crc32c.hpp"
#include "isthmus/comm/collective.hpp"

namespace isthmus::io::hdf {

std::pair<Handle, Handle> select(hid_t set, const Slice& slice) {
  Handle in_file(H5Dget_space(set), H5Sclose);
  const std::array<hsize_t, 2> first{slice.first, 0};
  const std::array<hsize_t, 2> count{slice.rows, slice.columns};
  Handle in_memory(H5Screate_simple(slice.columns == 1 ? 1 : 2, count.data(), nullptr), H5Sclose);
  if (slice.rows > 0) {
    H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, first.data(), nullptr, count.data(),
                        nullptr);
  } else {
    H5Sselect_none(in_file.get());
    H5Sselect_none(in_memory.get());
  }
  return {std::move(in_file), std::move(in_memory)};
}

std::uint32_t joint_crc(const comm::Comm& comm, std::span<const std::byte> bytes) {
  struct Sum {
    std::uint64_t count;
    std::uint32_t crc;
  };
  std::uint32_t crc = 0;
  for (const Sum& sum : comm::gather(comm, Sum{bytes.size(), crc32c(bytes)})) {
    crc = joined_crc32c(crc, sum.crc, sum.count);
  }
  return comm::bcast(comm, crc);
}

std::string checksum_name(const std::string& array) {
  return "crc32c of " + array;
}

} // namespace isthmus::io::hdf
