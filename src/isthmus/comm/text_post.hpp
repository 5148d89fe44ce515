// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/comm.hpp"

#include <functional>
#include <list>
#include <memory>
#include <string>

namespace isthmus::comm {

/// Texts on their way from the ranks of a participant to the first one, which takes them when it
/// has time. Nobody waits before finish().
class TextPost {
 public:
  using Take = std::function<void(const std::string&)>;

  /// `comm` must outlive the object, and has one at most: ranks leave finish() one by one.
  explicit TextPost(const Comm& comm) : comm_(comm), pending_(std::make_unique<PendingTexts>()) {}
  TextPost(const TextPost&) = delete;
  TextPost& operator=(const TextPost&) = delete;
  ~TextPost(); ///< Leaves to MPI what is still on its way.

  /// On other ranks than the first. `text` must not be empty.
  void send(std::string text);
  /// Gives `take` what has arrived, in the order in which a rank sent it; nothing on other ranks
  /// than the first.
  void receive(const Take& take);
  /// Collective. Until all that was sent has been taken.
  void finish(const Take& take);

 private:
  struct Pending {
    std::string text;
    MPI_Request request;
  };
  using PendingTexts = std::list<Pending>;

  void post(std::string text);

  const Comm& comm_;
  std::unique_ptr<PendingTexts> pending_; // that are on their way, in order
  int ended_ = 0;                         // ranks that send nothing any more
};

} // namespace isthmus::comm
