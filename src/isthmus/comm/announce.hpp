// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/clock.hpp"
#include "isthmus/comm/address.hpp"
#include "isthmus/comm/host.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace isthmus::comm {

/// What a participant tells those that look for it: where its rank 0 is reached, and the word that
/// opens the door.
struct Announcement {
  std::string participant;
  Address address; // of rank 0
  Token token{};
  std::string last_word{}; // why it ended before it connected; empty while it runs
};

/// Text of an announcement, one "key value" per line; parse() throws Error for anything else.
[[nodiscard]] std::string to_text(const Announcement& announcement);
[[nodiscard]] Announcement parse_announcement(std::string_view text);

/// Owner of an announcement's file, which it removes in the end.
class AnnouncementFile {
 public:
  AnnouncementFile(std::filesystem::path path, Announcement announcement)
      : path_(std::move(path)), announcement_(std::move(announcement)) {}
  AnnouncementFile(AnnouncementFile&& other) noexcept { *this = std::move(other); }
  AnnouncementFile& operator=(AnnouncementFile&& other) noexcept {
    path_.swap(other.path_);
    std::swap(announcement_, other.announcement_);
    return *this;
  }
  ~AnnouncementFile();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Leaves the file behind with the reason why its participant ends, for those that wait for it.
  void leave(std::string_view reason) noexcept;

 private:
  std::filesystem::path path_; // empty: nothing to remove
  Announcement announcement_;
};

/// Publishes in <exchange_directory>/precice-run/, readable by this user only. Replaces what a
/// process that has ended left behind; throws Error if a participant of the same name still runs.
[[nodiscard]] AnnouncementFile announce(const std::filesystem::path& exchange_directory,
                                        const Announcement& announcement);

/// Called many times a second during a wait with the seconds it has lasted; may throw.
using OnWait = std::function<void(double seconds)>;

/// Waits for the announcement of a participant that runs. Throws Error at the deadline, and
/// PeerLost if it came and has ended meanwhile: since this call, or since `self` was announced.
[[nodiscard]] Announcement find(const std::filesystem::path& exchange_directory,
                                const std::string& participant, const Deadline& deadline,
                                const OnWait& on_wait = {}, const std::string& self = {});

/// To be called now and then while we wait for a participant that has appeared, for example by
/// Endpoint::accept(): throws PeerLost once its rank 0 has ended or left its last word in the
/// directory.
[[nodiscard]] std::function<void()> watch(const std::filesystem::path& exchange_directory,
                                          const Announcement& announcement);

/// For who has just lost a participant: throws PeerLost with its last word if it leaves one in the
/// directory by the deadline; a process lets go of its connections before it finds words.
void throw_last_word(const std::filesystem::path& exchange_directory,
                     const Announcement& announcement, const Deadline& deadline);

} // namespace isthmus::comm
