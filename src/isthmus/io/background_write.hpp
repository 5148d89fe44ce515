// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"
#include "isthmus/io/atomic_file.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace isthmus::io {

/// A file that threads of all ranks write with system calls, without MPI, while the ranks do
/// something else.
class BackgroundWrite {
 public:
  /// Collective. Makes an empty file of `size` bytes under another name, and starts `work` in a
  /// thread of each rank; it writes into part_of(path) and may throw. What it uses must live until
  /// finish(). Throws Error on all ranks if the file cannot be made.
  BackgroundWrite(const comm::Comm& comm, std::filesystem::path path, std::uint64_t size,
                  Durability durability, std::function<void()> work);
  BackgroundWrite(const BackgroundWrite&) = delete;
  BackgroundWrite& operator=(const BackgroundWrite&) = delete;
  /// Waits for the own thread, and gives the file up unless it was finished.
  ~BackgroundWrite();

  /// Collective. Waits for all threads and renames the file. Throws Error on all ranks if one of
  /// them failed; an earlier file then stays.
  void finish();

 private:
  void give_up() const;

  const comm::Comm& comm_;
  std::filesystem::path path_;
  std::uint64_t size_;
  Durability durability_;
  std::optional<std::string> failure_; // the thread's, until it is joined
  std::thread thread_;
};

} // namespace isthmus::io
