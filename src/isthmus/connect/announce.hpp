// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/host.hpp"
#include "isthmus/connect/address.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus::connect {

/// What an instance of a participant says to those that look for it: where its rank 0 is reached,
/// and the word that opens the door. A process may have several instances one after the other; each
/// has a token of its own.
struct Announcement {
  std::string participant;
  Address address; // of rank 0
  Token token{};
  std::vector<std::string> awaits{}; // partners that it has still to meet; empty: anybody
  /// Instances of partners that had ended when this one came: before the process of this one
  /// began, or in it the instance before this one ended; and since then.
  std::vector<Token> leftovers{};
  std::vector<Token> recent{};
  std::string last_word{}; // why it ended before it connected; empty while it runs
};

/// The last word of an instance that ended without an error and without a partner: its process may
/// start the participant again.
constexpr std::string_view ended_unused = "it ended before initialize()";

/// Text of an announcement, one "key value" per line; parse() throws Error for anything else.
[[nodiscard]] std::string to_text(const Announcement& announcement);
[[nodiscard]] Announcement parse_announcement(std::string_view text);

[[nodiscard]] std::filesystem::path announcement_path(
    const std::filesystem::path& exchange_directory, std::string_view participant);
/// What stands in such a file; nothing if it is missing, damaged or of another user.
[[nodiscard]] std::optional<Announcement> read_announcement(const std::filesystem::path& path);
/// Something is there that is not a file of this user.
[[nodiscard]] bool is_foreign(const std::filesystem::path& path);
/// The instance may run: its process does, and it has left no last word.
[[nodiscard]] bool is_running(const Announcement& announcement);

/// Owner of an announcement's file, which it removes in the end.
class AnnouncementFile {
 public:
  AnnouncementFile(std::filesystem::path path, Announcement announcement)
      : path_(std::move(path)),
        partners_(announcement.awaits),
        announcement_(std::move(announcement)) {}
  AnnouncementFile(AnnouncementFile&& other) noexcept { *this = std::move(other); }
  AnnouncementFile& operator=(AnnouncementFile&& other) noexcept {
    path_.swap(other.path_);
    partners_.swap(other.partners_);
    std::swap(announcement_, other.announcement_);
    return *this;
  }
  ~AnnouncementFile();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// To be called before `partner` can know that both have met: a later instance of it, which may
  /// look at once, does not find this one. Removes the file when all have been met.
  void met(std::string_view partner);
  /// Leaves the file behind with the reason why its participant ends, for those that wait for it.
  void leave(std::string_view reason) noexcept;

 private:
  void withdraw();

  std::filesystem::path path_; // empty: nothing to remove
  std::vector<std::string> partners_;
  Announcement announcement_;
};

/// Publishes in <exchange_directory>/precice-run/, readable by this user only. Replaces what an
/// instance that has ended left behind; throws Error if a participant of the same name still runs.
[[nodiscard]] AnnouncementFile announce(const std::filesystem::path& exchange_directory,
                                        Announcement announcement);

} // namespace isthmus::connect
