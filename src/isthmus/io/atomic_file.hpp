// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace isthmus::io {

/// Whether commit() waits until the bytes are on the disk: survives the end of the process, or also
/// a power failure.
enum class Durability { process, power };

/// A file that is complete or absent: what is written goes to a neighbour with ".part" behind its
/// name, which commit() renames. Without commit() an earlier file stays as it was. All errors name
/// the file, the reason and what to do.
class AtomicFile {
 public:
  /// Throws Error if the folder is missing or nothing can be written there.
  explicit AtomicFile(std::filesystem::path path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  /// Removes what was not committed.
  ~AtomicFile();

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  void commit(Durability durability = Durability::process);

 private:
  std::filesystem::path path_;
  std::filesystem::path part_;
  int descriptor_ = -1; // -1: committed
};

/// The whole file at once.
void write_file(const std::filesystem::path& path, std::string_view text,
                Durability durability = Durability::process);

/// The name under which a file is written before it is complete.
[[nodiscard]] std::filesystem::path part_of(const std::filesystem::path& path);

/// Renames what part_of(path) names to `path`. Throws Error.
void publish(const std::filesystem::path& path, Durability durability);

/// Makes the folder and those above it unless they are there; "": nothing to do. Throws Error.
void make_folder(const std::filesystem::path& folder);

/// Throws Error: "cannot `verb` `path`: reason; what to do", for an errno.
[[noreturn]] void fail_on_file(std::string_view verb, const std::filesystem::path& path, int code);

} // namespace isthmus::io
