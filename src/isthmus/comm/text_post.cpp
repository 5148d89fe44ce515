// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/text_post.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/comm.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace isthmus::comm {

namespace {

bool is_done(MPI_Request& request) {
  int done = 0;
  check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
  return done != 0;
}

} // namespace

TextPost::~TextPost() {
  if (!pending_->empty()) {
    comm_.keep();
    static_cast<void>(pending_.release());
  }
}

void TextPost::send(std::string text) {
  check(!text.empty(), "an empty text says that a rank sends nothing any more");
  post(std::move(text));
}

void TextPost::post(std::string text) {
  while (!pending_->empty() && is_done(pending_->front().request)) {
    pending_->pop_front();
  }
  Pending& pending = pending_->emplace_back(Pending{std::move(text), MPI_REQUEST_NULL});
  check_mpi(MPI_Isend(pending.text.data(), static_cast<int>(pending.text.size()), MPI_BYTE, 0,
                      tag_text, comm_.raw(), &pending.request),
            "MPI_Isend");
}

void TextPost::receive(const Take& take) {
  if (comm_.size() == 1 || !comm_.is_root()) {
    return;
  }
  for (int found = 1; found != 0;) {
    MPI_Status status;
    check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, tag_text, comm_.raw(), &found, &status), "MPI_Iprobe");
    if (found != 0) {
      int size = 0;
      MPI_Get_count(&status, MPI_BYTE, &size);
      Pending& pending = pending_->emplace_back(
          Pending{std::string(static_cast<std::size_t>(size), ' '), MPI_REQUEST_NULL});
      check_mpi(MPI_Irecv(pending.text.data(), size, MPI_BYTE, status.MPI_SOURCE, tag_text,
                          comm_.raw(), &pending.request),
                "MPI_Irecv");
    }
  }
  while (!pending_->empty() && is_done(pending_->front().request)) {
    const std::string text = std::move(pending_->front().text);
    pending_->pop_front();
    if (text.empty()) {
      ++ended_;
    } else {
      take(text);
    }
  }
}

void TextPost::finish(const Take& take) {
  if (comm_.size() == 1) {
    return;
  }
  if (!comm_.is_root()) {
    post({});
  }
  const Deadline deadline(comm_.progress_timeout());
  const auto finished = [this, &take] {
    if (comm_.is_root()) {
      receive(take);
      return ended_ == comm_.size() - 1;
    }
    while (!pending_->empty() && is_done(pending_->front().request)) {
      pending_->pop_front();
    }
    return pending_->empty();
  };
  while (!finished()) {
    comm_.look();
    check(!deadline.passed(), "rank {} waited {:g} s for texts of the other ranks", comm_.rank(),
          deadline.limit());
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

} // namespace isthmus::comm
