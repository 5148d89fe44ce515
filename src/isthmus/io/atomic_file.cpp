// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/atomic_file.hpp"

#include "isthmus/base/error.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

namespace isthmus::io {

namespace {

std::string_view advice(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free space there, raise the limit or choose another folder";
    case EACCES:
    case EPERM:
    case EROFS:
      return "choose a folder in which you may write";
    case ENOENT:
      return "the file or its folder is missing; check the path, or whether somebody removed it";
    case ENOTDIR:
    case EEXIST:
      return "a file stands where a folder is needed; remove it or choose another name";
    default:
      return "check the path and the file system";
  }
}

/// A renamed file is safe once its folder is on the disk, too.
void sync_folder(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    fsync(descriptor); // some file systems cannot; the rename itself succeeded
    close(descriptor);
  }
}

} // namespace

void fail_on_file(std::string_view verb, const std::filesystem::path& path, int code) {
  fail("cannot {} \"{}\": {}; {}", verb, path.string(), std::system_category().message(code),
       advice(code));
}

std::filesystem::path part_of(const std::filesystem::path& path) {
  return path.string() + ".part";
}

void publish(const std::filesystem::path& path, Durability durability) {
  if (std::rename(part_of(path).c_str(), path.c_str()) != 0) {
    fail_on_file("rename to", path, errno);
  }
  if (durability == Durability::power) {
    sync_folder(path);
  }
}

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)), part_(part_of(path_)) {
  descriptor_ = open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    fail_on_file("write", path_, errno);
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) {
    close(descriptor_);
    unlink(part_.c_str());
  }
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      fail_on_file("write", path_, errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit(Durability durability) {
  if (durability == Durability::power && fsync(descriptor_) != 0) {
    fail_on_file("write", path_, errno);
  }
  const int closed = close(std::exchange(descriptor_, -1));
  if (closed != 0) {
    const int code = errno;
    unlink(part_.c_str());
    fail_on_file("write", path_, code);
  }
  publish(path_, durability);
}

void write_file(const std::filesystem::path& path, std::string_view text, Durability durability) {
  AtomicFile file(path);
  file.write(text);
  file.commit(durability);
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code code;
  if (!folder.empty()) {
    std::filesystem::create_directories(folder, code);
  }
  if (code) {
    fail_on_file("make the folder", folder, code.value());
  }
}

} // namespace isthmus::io
