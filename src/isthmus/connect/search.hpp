// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/clock.hpp"
#include "isthmus/connect/announce.hpp"
#include "isthmus/connect/probe.hpp"

#include <filesystem>
#include <functional>
#include <string>

/// Looking for the announcement of another participant, and watching what becomes of it.
namespace isthmus::connect {

/// Called many times a second during a wait with what is in the way; may throw.
using OnWait = std::function<void(const std::string& obstacle)>;

/// Waits for the announcement of an instance of `participant` that runs and awaits `self` (an
/// announced participant; empty: nobody in particular). One that had ended before the process of
/// `self` began, or before an earlier instance in that ended, is left over from an earlier run, and
/// another one is waited for. A moment is left for one to come where it has ended since then, but
/// before `self` was announced, or has waited for `self` in vain. Throws PeerLost after that
/// moment, and at once where it has ended since `self` is announced; Error at the deadline.
[[nodiscard]] Announcement find(const std::filesystem::path& exchange_directory,
                                const std::string& participant, const Deadline& deadline,
                                const OnWait& on_wait = {}, const std::string& self = {});

/// Looks after a participant that has appeared, while we wait for it.
class Watch {
 public:
  Watch(const std::filesystem::path& exchange_directory, Announcement announcement);

  /// Throws PeerLost once its rank 0 has ended or left its last word in the directory.
  void look();

 private:
  std::filesystem::path path_;
  Announcement announcement_;
  Probe probe_;
};

/// For who has just lost a participant: throws PeerLost with its last word if it leaves one in the
/// directory by the deadline; a process lets go of its connections before it finds words.
void throw_last_word(const std::filesystem::path& exchange_directory,
                     const Announcement& announcement, const Deadline& deadline);

/// Waits until the announcement is gone, another stands there or it does not await `self` any more.
/// Returns false at the deadline.
[[nodiscard]] bool is_outdated(const std::filesystem::path& exchange_directory,
                               const Announcement& announcement, const std::string& self,
                               const Deadline& deadline);

} // namespace isthmus::connect
