// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/fields/data_message.hpp"

#include <set>
#include <utility>
#include <vector>

namespace isthmus::fields {

/// Links without data of their own, over which ranks notify each other nevertheless, so that
/// none misses that a mesh was reset.
struct Listeners {
  std::vector<transport::LinkId> targets; // this rank sends
  std::vector<transport::LinkId> sources; // this rank receives
};

/// Which links of a rank take part.
class LinkChoice {
 public:
  [[nodiscard]] static LinkChoice all() { return LinkChoice(true, {}); }
  [[nodiscard]] static LinkChoice none() { return LinkChoice(false, {}); }
  [[nodiscard]] static LinkChoice of(std::set<transport::LinkId> links) {
    return LinkChoice(false, std::move(links));
  }

  [[nodiscard]] bool is_all() const { return is_all_; }
  [[nodiscard]] bool has(transport::LinkId link) const {
    return is_all_ || links_.count(link) != 0;
  }

 private:
  LinkChoice(bool is_all, std::set<transport::LinkId> links)
      : is_all_(is_all), links_(std::move(links)) {}

  bool is_all_;
  std::set<transport::LinkId> links_; // unless all do
};

/// Everything that one scheme moves at one moment: per partner rank one message out and one in, for
/// all fields together.
class MessageSet {
 public:
  MessageSet() = default;
  /// Both sides of a link must list the same fields in the same order, and say the same kind.
  MessageSet(std::vector<Item> outgoing, std::vector<Item> incoming,
             const Listeners& listeners = {}, transport::Kind kind = transport::Kind::data);
  MessageSet(const MessageSet&) = delete;
  MessageSet& operator=(const MessageSet&) = delete;
  MessageSet(MessageSet&&) = default;
  MessageSet& operator=(MessageSet&&) = default;

  /// Appends requests for samples that the outgoing fields hold now. `changes`: to be sent, or
  /// null.
  void post_outgoing(std::vector<transport::Outgoing>& requests, const Extract& extract,
                     const LinkChoice& chosen = LinkChoice::all(),
                     const transfer::Changes* changes = nullptr);
  /// Appends notices in place of data.
  void post_notices(std::vector<transport::Outgoing>& requests, const transfer::Changes& changes,
                    const LinkChoice& chosen);
  /// Appends requests that create new samples of the incoming fields; `discard`: on these links
  /// data are not.
  void post_incoming(std::vector<transport::Incoming>& requests,
                     const LinkChoice& chosen = LinkChoice::all(),
                     const LinkChoice& discard = LinkChoice::none());
  /// Appends requests for more of the samples that the incoming fields hold.
  void post_missing(std::vector<transport::Incoming>& requests, const LinkChoice& chosen);
  /// Appends requests again that were posted and withdrawn.
  void post_awaited(std::vector<transport::Incoming>& requests);
  /// Something that was posted has not begun to come, or has come at least in part.
  [[nodiscard]] bool is_awaited() const;
  [[nodiscard]] bool has_come() const;
  /// Fields to which no link brings anything, since meshes are as they are, are zero at this time.
  /// What came before, on other meshes, is the past.
  void add_zeros(double time);
  /// Whether anybody spoke of resets last.
  [[nodiscard]] bool has_changes() const;
  /// Whether anybody did of more than small changes.
  [[nodiscard]] bool has_large_changes() const;
  /// What came from those links last.
  [[nodiscard]] std::vector<ReceivedChanges> received_changes(const LinkChoice& chosen) const;
  /// Whether any message comes from these links.
  [[nodiscard]] bool receives_from(const LinkChoice& chosen) const;
  /// All links of this message set, for a later one that has lost its data.
  [[nodiscard]] Listeners links() const;

  [[nodiscard]] const std::vector<Item>& outgoing() const { return outgoing_; }
  [[nodiscard]] const std::vector<Item>& incoming() const { return incoming_; }

 private:
  std::vector<Item> outgoing_;
  std::vector<Item> incoming_;
  std::vector<char> opened_; // by incoming item: its samples exist
  std::vector<OutgoingMessage> messages_out_;
  std::vector<IncomingMessage> messages_in_;
};

/// Whether these are values of the field itself.
[[nodiscard]] bool contains(const std::vector<Item>& items, const Field* field);
/// Which samples of a window go out.
enum class Carried { nothing, one_sample, all_samples };
/// Of data that go out as they are, or as a part of others that an action makes.
[[nodiscard]] Carried carried(const std::vector<Item>& items, const Field& field);

} // namespace isthmus::fields
