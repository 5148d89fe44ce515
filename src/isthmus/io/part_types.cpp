// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/part_types.hpp"

#include "isthmus/comm/collective.hpp"

#include <algorithm>

namespace isthmus::io {

namespace {

constexpr std::size_t longest = std::size_t{1} << 30; // MPI counts are ints

} // namespace

PartTypes::PartTypes(std::span<const FilePart> parts) {
  std::vector<int> lengths;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Aint> offsets;
  for (const FilePart& part : joined(parts)) { // MPI wants ascending offsets in a file
    for (std::size_t begin = 0; begin < part.bytes.size(); begin += longest) {
      lengths.push_back(static_cast<int>(std::min(longest, part.bytes.size() - begin)));
      MPI_Aint address = 0;
      MPI_Get_address(part.bytes.data() + begin, &address);
      addresses.push_back(address);
      offsets.push_back(static_cast<MPI_Aint>(part.offset + begin));
    }
    bytes_ += part.bytes.size();
    ++runs_;
  }
  const int count = static_cast<int>(lengths.size());
  comm::check_mpi(
      MPI_Type_create_hindexed(count, lengths.data(), addresses.data(), MPI_BYTE, &memory_),
      "MPI_Type_create_hindexed");
  comm::check_mpi(MPI_Type_create_hindexed(count, lengths.data(), offsets.data(), MPI_BYTE, &file_),
                  "MPI_Type_create_hindexed");
  MPI_Type_commit(&memory_);
  MPI_Type_commit(&file_);
}

PartTypes::PartTypes(std::span<const FileRoom> rooms)
    : PartTypes(std::vector<FilePart>(rooms.begin(), rooms.end())) {}

PartTypes::~PartTypes() {
  MPI_Type_free(&memory_);
  MPI_Type_free(&file_);
}

} // namespace isthmus::io
