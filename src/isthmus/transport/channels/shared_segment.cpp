// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/transport/channels/shared_segment.hpp"

#include "isthmus/transport/host.hpp"
#include "isthmus/transport/socket.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <new>
#include <utility>

namespace isthmus::transport {

namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t largest_spill = std::size_t{1} << 41; // of both directions

#ifdef MADV_POPULATE_WRITE // of Linux 5.14; no error of it ends the process, as a first touch may
constexpr int reserving = MADV_POPULATE_WRITE;
#else
constexpr int reserving = 23;
#endif

} // namespace

SharedSegment SharedSegment::create(std::size_t ring_capacity, std::size_t spill_capacity) {
  SharedSegment segment;
  segment.ring_capacity_ = ring_capacity;
  segment.spill_capacity_ = spill_capacity;
  segment.name_ = "/isthmus-" + to_hex(make_token());
  const Socket file(shm_open(segment.name_.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600));
  if (file.descriptor() < 0) {
    return {};
  }
  segment.owner_ = true;
  // Reserves the pages: a full /dev/shm shows here, not as a SIGBUS later.
  const std::size_t needed = control_bytes + 2 * ring_capacity;
  if (ftruncate(file.descriptor(), static_cast<off_t>(segment.bytes())) != 0 ||
      posix_fallocate(file.descriptor(), 0, static_cast<off_t>(needed)) != 0 ||
      !segment.map(file.descriptor())) {
    return {};
  }
  new (segment.memory_) Control;
  return segment;
}

SharedSegment SharedSegment::open(const std::string& name, std::size_t ring_capacity) {
  SharedSegment segment;
  segment.ring_capacity_ = ring_capacity;
  const Socket file(shm_open(name.c_str(), O_RDWR, 0));
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
  shm_unlink(name.c_str()); // nobody else needs the name, and who made it may be killed
  return segment;
}

SharedSegment::~SharedSegment() {
  unlink();
  if (memory_ != nullptr) {
    munmap(memory_, bytes());
  }
}

void SharedSegment::unlink() {
  if (owner_) {
    shm_unlink(name_.c_str());
    owner_ = false;
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

void SharedSegment::release_spill(int side) const {
  madvise(spill(side), spill_capacity_, MADV_REMOVE); // may fail: then it stays
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
  std::swap(owner_, other.owner_);
}

} // namespace isthmus::transport
