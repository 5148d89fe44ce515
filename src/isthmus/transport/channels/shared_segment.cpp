// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/channels/shared_segment.hpp"

#include "isthmus/base/host.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <chrono>
#include <ctime>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

namespace isthmus::transport {

namespace {

constexpr const char* folder = "/dev/shm"; // memory of the whole computer
constexpr const char* prefix = "isthmus-";
constexpr std::size_t page_bytes = 4096;
constexpr std::size_t largest_spill = std::size_t{1} << 41; // of both directions

#ifdef MADV_POPULATE_WRITE // of Linux 5.14; no error of it ends the process, as a first touch may
constexpr int reserving = MADV_POPULATE_WRITE;
#else
constexpr int reserving = 23;
#endif

bool is_file(const Socket& file) {
  struct stat status {};
  return fstat(file.descriptor(), &status) == 0 && S_ISREG(status.st_mode);
}

bool lock(const Socket& file) {
  return flock(file.descriptor(), LOCK_EX | LOCK_NB) == 0;
}

std::string path_of(std::string_view name) {
  return fmt::format("{}{}", folder, name);
}

/// Gives a file without a name one.
bool link(const Socket& file, const std::string& name) {
  const std::string own = fmt::format("/proc/self/fd/{}", file.descriptor());
  return linkat(AT_FDCWD, own.c_str(), AT_FDCWD, path_of(name).c_str(), AT_SYMLINK_FOLLOW) == 0;
}

/// Whether a file in a folder is there for longer than `age`, as what is in use seldom is.
bool is_older(DIR* parent, const char* name, std::chrono::seconds age) {
  struct stat status {};
  return fstatat(dirfd(parent), name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
         time(nullptr) - status.st_ctime >= age.count();
}

} // namespace

SharedSegment SharedSegment::create(std::size_t ring_capacity, std::size_t spill_capacity) {
  using namespace std::chrono_literals;
  [[maybe_unused]] static const bool has_swept = (sweep(10s), true); // once in a process
  SharedSegment segment;
  segment.ring_capacity_ = ring_capacity;
  segment.spill_capacity_ = spill_capacity;
  Socket file(::open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600));
  // Reserves the pages: a full /dev/shm shows here, not as a SIGBUS later.
  const std::size_t needed = control_bytes + 2 * ring_capacity;
  if (file.descriptor() < 0 || !lock(file) ||
      ftruncate(file.descriptor(), static_cast<off_t>(segment.bytes())) != 0 ||
      posix_fallocate(file.descriptor(), 0, static_cast<off_t>(needed)) != 0 ||
      !segment.map(file.descriptor())) {
    return {};
  }
  new (segment.memory_) Control;
  segment.name_ = fmt::format("/{}{}", prefix, to_hex(make_token()));
  if (!link(file, segment.name_)) {
    return {};
  }
  segment.named_ = std::move(file);
  return segment;
}

void SharedSegment::sweep(std::chrono::seconds age) {
  const std::unique_ptr<DIR, int (*)(DIR*)> listed(opendir(folder), &closedir);
  while (const dirent* const entry = listed ? readdir(listed.get()) : nullptr) {
    if (std::string_view(entry->d_name).starts_with(prefix) &&
        is_older(listed.get(), entry->d_name, age)) {
      const std::string path = fmt::format("{}/{}", folder, entry->d_name);
      const Socket file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
      if (file.descriptor() >= 0 && is_file(file) && lock(file)) {
        ::unlink(path.c_str());
      }
    }
  }
}

SharedSegment SharedSegment::open(const std::string& name, std::size_t ring_capacity) {
  SharedSegment segment;
  segment.ring_capacity_ = ring_capacity;
  const std::string path = path_of(name);
  const Socket file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  struct stat status {};
  if (file.descriptor() < 0 || fstat(file.descriptor(), &status) != 0) {
    return {};
  }
  const std::size_t spills = static_cast<std::size_t>(status.st_size) - segment.bytes();
  segment.spill_capacity_ = spills <= largest_spill ? spills / 2 : 0;
  if (status.st_size != static_cast<off_t>(segment.bytes()) ||
      !(segment.spill_capacity_ == 0 || std::has_single_bit(segment.spill_capacity_)) ||
      !segment.map(file.descriptor())) {
    return {};
  }
  ::unlink(path.c_str()); // nobody else needs the name, and who made it may be killed
  return segment;
}

SharedSegment::~SharedSegment() {
  unlink();
  if (memory_ != nullptr) {
    munmap(memory_, bytes());
  }
}

void SharedSegment::unlink() {
  if (named_.descriptor() >= 0) {
    ::unlink(path_of(name_).c_str());
    named_ = Socket();
  }
}

std::byte* SharedSegment::ring(int side) const {
  return static_cast<std::byte*>(memory_) + control_bytes +
         static_cast<std::size_t>(side) * ring_capacity_;
}

std::byte* SharedSegment::spill(int side) const {
  return ring(2) + static_cast<std::size_t>(side) * spill_capacity_;
}

bool SharedSegment::reserve_spill(int side, std::size_t offset, std::size_t bytes) const {
  const std::size_t first = offset / page_bytes * page_bytes;
  return madvise(spill(side) + first, offset + bytes - first, reserving) == 0;
}

void SharedSegment::release_spill(int side, std::size_t offset, std::size_t bytes) const {
  const std::size_t first = offset / spill_piece() * spill_piece();
  const std::size_t end = (offset + bytes) / spill_piece() * spill_piece();
  if (first < end) { // may fail, as where a piece is less than a page: then it stays
    madvise(spill(side) + first, end - first, MADV_REMOVE);
  }
}

bool SharedSegment::map(int descriptor) {
  void* memory = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  memory_ = memory == MAP_FAILED ? nullptr : memory;
  return memory_ != nullptr;
}

void SharedSegment::swap(SharedSegment& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(ring_capacity_, other.ring_capacity_);
  std::swap(spill_capacity_, other.spill_capacity_);
  std::swap(memory_, other.memory_);
  std::swap(named_, other.named_);
}

} // namespace isthmus::transport
