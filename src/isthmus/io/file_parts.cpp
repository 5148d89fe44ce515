// SPDX-License-Identifier: BSD-3-Clause
// The part of shared_file.hpp that needs no MPI.
#include "isthmus/io/shared_file.hpp"

#include "isthmus/base/error.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace isthmus::io {

namespace {

/// An open file.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags, std::string_view verb)
      : value_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (value_ < 0) {
      fail_on_file(verb, path, errno);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) {
      close(value_);
    }
  }
  [[nodiscard]] int get() const { return value_; }
  /// Returns 0 or an errno.
  [[nodiscard]] int finish() { return close(std::exchange(value_, -1)) == 0 ? 0 : errno; }

 private:
  int value_;
};

/// Gives the file space, if its file system can do so beforehand. Returns 0 or an errno.
int reserve(int descriptor, std::uint64_t size) {
  if (size == 0 || fallocate(descriptor, 0, 0, static_cast<off_t>(size)) == 0) {
    return 0;
  }
  const bool has_none = errno == ENOSPC || errno == EFBIG || errno == EDQUOT || errno == EIO;
  return has_none ? errno : 0;
}

/// Returns 0 or an errno.
int write_part(int descriptor, FilePart part) {
  while (!part.bytes.empty()) {
    const ssize_t written =
        pwrite(descriptor, part.bytes.data(), part.bytes.size(), static_cast<off_t>(part.offset));
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      return errno;
    }
    part.offset += static_cast<std::uint64_t>(written);
    part.bytes = part.bytes.subspan(static_cast<std::size_t>(written));
  }
  return 0;
}

} // namespace

std::vector<FilePart> joined(std::span<const FilePart> parts) {
  std::vector<FilePart> sorted(parts.begin(), parts.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const FilePart& a, const FilePart& b) { return a.offset < b.offset; });
  std::vector<FilePart> result;
  for (const FilePart& part : sorted) {
    if (!result.empty()) {
      FilePart& last = result.back();
      if (last.offset + last.bytes.size() == part.offset &&
          last.bytes.data() + last.bytes.size() == part.bytes.data()) {
        last.bytes = {last.bytes.data(), last.bytes.size() + part.bytes.size()};
        continue;
      }
    }
    result.push_back(part);
  }
  return result;
}

void create_part(const std::filesystem::path& path, std::uint64_t size) {
  Descriptor file(part_of(path), O_WRONLY | O_CREAT | O_TRUNC, "write");
  int code = reserve(file.get(), size);
  code = std::max(code, file.finish());
  if (code != 0) {
    remove_part(path);
    fail_on_file("write", path, code);
  }
}

void publish_part(const std::filesystem::path& path, std::uint64_t size, Durability durability) {
  std::error_code code;
  const std::uint64_t found = std::filesystem::file_size(part_of(path), code);
  check(!code && found == size,
        "\"{}\" has {} of {} bytes after writing; check the space and the limits there",
        path.string(), code ? 0 : found, size);
  publish(path, durability);
}

void remove_part(const std::filesystem::path& path) {
  unlink(part_of(path).c_str());
}

void write_into_part(const std::filesystem::path& path, std::span<const FilePart> parts,
                     Durability durability) {
  Descriptor file(part_of(path), O_WRONLY, "write");
  int code = 0;
  for (const FilePart& part : joined(parts)) {
    code = code == 0 ? write_part(file.get(), part) : code;
  }
  if (code == 0 && durability == Durability::power && fsync(file.get()) != 0) {
    code = errno;
  }
  code = std::max(code, file.finish());
  if (code != 0) {
    fail_on_file("write", path, code);
  }
}

std::vector<std::byte> read_bytes(const std::filesystem::path& path, std::uint64_t offset,
                                  std::uint64_t size) {
  const Descriptor file(path, O_RDONLY, "read");
  struct stat found {};
  if (fstat(file.get(), &found) != 0) {
    fail_on_file("read", path, errno);
  }
  const auto length = static_cast<std::uint64_t>(found.st_size);
  std::vector<std::byte> bytes(std::min(size, length > offset ? length - offset : 0));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = pread(file.get(), bytes.data() + done, bytes.size() - done,
                              static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      fail_on_file("read", path, errno);
    }
    if (got == 0) {
      bytes.resize(done); // somebody cuts it off
    }
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

} // namespace isthmus::io
