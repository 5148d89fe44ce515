// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"
#include "isthmus/base/types.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/io/atomic_file.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The state of a run in one file, from which any number of ranks can go on. It consists of named
/// sections of plain values, of two kinds:
///
///   - of a rank: each rank may add a section of that name; a reader asks for the one of rank r,
///     where r counts the ranks that wrote;
///   - a slice of a global array: the slices of all ranks, without gaps or overlaps, make up the
///     array; a reader asks for any range of it.
///
/// Every section has a checksum. The file is complete or absent. It serves the same machine type:
/// values keep their byte order, and another one is refused.
///
///     CheckpointWriter writer(comm);
///     writer.add<double>("time", std::span(&time, 1));
///     writer.add_slice<double>("temperature", first_cell, temperature);
///     writer.write("run.checkpoint");                       // collective
///
///     const CheckpointReader reader(comm, "run.checkpoint"); // collective, any ranks
///     const double time = reader.of_rank<double>("time", 0).at(0);
///     auto temperature = reader.slice<double>("temperature", my_first, my_count);
namespace isthmus::io {

class BackgroundWrite;

/// One section as the file describes it.
struct CheckpointSection {
  static constexpr GlobalIndex of_rank = -1;

  std::string name;
  int rank = 0;                // that wrote it
  GlobalIndex first = of_rank; // of the slice in the array
  std::uint32_t width = 1;     // bytes of a value
  std::uint64_t count = 0;     // values
  std::uint64_t offset = 0;    // in the file
  std::uint32_t crc = 0;       // CRC-32C of the values

  [[nodiscard]] std::uint64_t bytes() const { return width * count; }
};

class CheckpointWriter {
 public:
  /// `comm` must outlive the writer.
  explicit CheckpointWriter(const comm::Comm& comm);
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;
  ~CheckpointWriter();

  /// Local. Copies a section of this rank. A rank has one section of a name.
  template <Plain T>
  void add(std::string name, std::span<const T> values) {
    append(std::move(name), CheckpointSection::of_rank, sizeof(T), std::as_bytes(values));
  }
  /// Local. Copies entries `first`… of the global array `name`.
  template <Plain T>
  void add_slice(std::string name, GlobalIndex first, std::span<const T> values) {
    check(first >= 0, "\"{}\" cannot begin at entry {}", name, first);
    append(std::move(name), first, sizeof(T), std::as_bytes(values));
  }

  /// Collective. Writes everything that was added, with one collective call per rank. Throws Error
  /// on all ranks; an earlier file then stays.
  void write(const std::filesystem::path& path, Durability durability = Durability::power) const;
  /// Collective. The same by threads of all ranks while these do something else. The file appears
  /// with finish(); without that an earlier one stays.
  void begin(const std::filesystem::path& path, Durability durability = Durability::power);
  /// Collective. Waits for what was begun, and throws the Error of any rank on all of them.
  void finish();

 private:
  struct Layout;
  [[nodiscard]] Layout lay_out() const;
  void append(std::string name, GlobalIndex first, std::uint32_t width,
              std::span<const std::byte> bytes);

  const comm::Comm& comm_;
  std::vector<CheckpointSection> sections_;
  std::vector<std::byte> values_; // of all sections, one after the other
  std::unique_ptr<BackgroundWrite> background_;
};

class CheckpointReader {
 public:
  /// Collective. Rank 0 reads the tables of contents, everybody gets them. Throws Error on all
  /// ranks if the file is missing, foreign, cut off or damaged.
  CheckpointReader(const comm::Comm& comm, std::filesystem::path path);

  /// Ranks that wrote.
  [[nodiscard]] int num_ranks() const { return num_ranks_; }
  [[nodiscard]] const std::vector<CheckpointSection>& sections() const { return sections_; }
  [[nodiscard]] bool has(std::string_view name) const;
  /// Whether rank `rank` of those that wrote added a section of that name.
  [[nodiscard]] bool has(std::string_view name, int rank) const;
  /// Entries of a global array.
  [[nodiscard]] GlobalIndex length(std::string_view name) const;

  /// Local. The section that `rank` of those that wrote added. Throws Error if there is none, if
  /// its values have another size, or if they are damaged.
  template <Plain T>
  [[nodiscard]] std::vector<T> of_rank(std::string_view name, int rank) const {
    return values<T>(bytes_of_rank(name, rank, sizeof(T)));
  }
  /// Local. Entries first…first + count of a global array, whoever wrote them. Throws Error as
  /// of_rank does, and where entries are missing.
  template <Plain T>
  [[nodiscard]] std::vector<T> slice(std::string_view name, GlobalIndex first,
                                     GlobalIndex count) const {
    return values<T>(bytes_of_slice(name, first, count, sizeof(T)));
  }

 private:
  template <typename T>
  static std::vector<T> values(const std::vector<std::byte>& bytes) {
    std::vector<T> result(bytes.size() / sizeof(T));
    if (!result.empty()) {
      std::memcpy(result.data(), bytes.data(), bytes.size());
    }
    return result;
  }
  [[nodiscard]] std::vector<std::byte> read(const CheckpointSection& section,
                                            std::size_t width) const;
  [[nodiscard]] std::vector<std::byte> bytes_of_rank(std::string_view name, int rank,
                                                     std::size_t width) const;
  [[nodiscard]] std::vector<std::byte> bytes_of_slice(std::string_view name, GlobalIndex first,
                                                      GlobalIndex count, std::size_t width) const;

  std::filesystem::path path_;
  int num_ranks_ = 0;
  std::vector<CheckpointSection> sections_; // by rank, as they were added
};

} // namespace isthmus::io
