// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/io/background_write.hpp"

#include "isthmus/comm/agree.hpp"
#include "isthmus/io/shared_file.hpp"

#include <exception>
#include <utility>

namespace isthmus::io {

BackgroundWrite::BackgroundWrite(const comm::Comm& comm, std::filesystem::path path,
                                 std::uint64_t size, Durability durability,
                                 std::function<void()> work)
    : comm_(comm), path_(std::move(path)), size_(size), durability_(durability) {
  comm::agree(comm, [&] {
    if (comm.is_root()) {
      create_part(path_, size_);
    }
  });
  thread_ = std::thread([this, work = std::move(work)] {
    try {
      work();
    } catch (const std::exception& error) {
      failure_ = error.what();
    }
  });
}

BackgroundWrite::~BackgroundWrite() {
  if (thread_.joinable()) {
    thread_.join();
    give_up();
  }
}

void BackgroundWrite::give_up() const {
  if (comm_.is_root()) {
    remove_part(path_);
  }
}

void BackgroundWrite::finish() {
  thread_.join();
  try {
    comm::agree_on(comm_, failure_);
  } catch (...) {
    give_up();
    throw;
  }
  comm::agree(comm_, [this] {
    if (comm_.is_root()) {
      publish_part(path_, size_, durability_);
    }
  });
}

} // namespace isthmus::io
