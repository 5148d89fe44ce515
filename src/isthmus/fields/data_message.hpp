// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/types.hpp"
#include "isthmus/fields/field.hpp"
#include "isthmus/fields/message_header.hpp"
#include "isthmus/fields/routed_samples.hpp"
#include "isthmus/planning/route.hpp"
#include "isthmus/transfer/changes.hpp"
#include "isthmus/transport/hub.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace isthmus::fields {

/// One data field as it crosses from one participant to another in one message.
struct Item {
  Field* field = nullptr;
  const std::vector<planning::Route>* routes = nullptr; // to or from all ranks of the partner
  bool all_samples = false; // every sample of the window, or the last one only
  bool covered = false;     // incoming: the routes fill every entry of the field
  bool adds = false;        // incoming: other items bring values of it, too
};

/// Which samples of a field travel.
struct Extract {
  Extract(double start) : after(start) {} // NOLINT: every number is a start
  double after;                           ///< where all of a window travel: those later than this
  double behind = 0; ///< else the last one, or that which stood there so long ago
  /// Where only one travels, which; a waveform without samples has none.
  [[nodiscard]] std::size_t single(const time::Waveform& wave) const {
    const std::size_t last = wave.num_samples() - 1;
    return behind > 0 ? wave.first_from(wave.time(last) - behind) : last;
  }
};

/// What a rank of a partner said of meshes.
struct ReceivedChanges {
  transport::LinkId link = -1;
  std::optional<transfer::Changes>
      changes; // its participant has reset meshes, or answers that it has not
};

// A message holds 8-byte words only: its header, then per item and sample the values of the
// route's entries.

/// What goes to one partner rank: gathers values straight into the transport, no copy in between.
class OutgoingMessage {
 public:
  OutgoingMessage(transport::LinkId link, transport::Kind kind) : link_(link), kind_(kind) {}

  /// Prepares samples that the fields hold now; a single one travels with the time of the last.
  /// Items without a route on this link take no part. `changes`: to be sent, or null.
  void prepare(std::span<const Item> items, const Extract& extract,
               const transfer::Changes* changes = nullptr);
  /// Prepares a notice in place of data.
  void prepare_notice(const transfer::Changes& changes);
  [[nodiscard]] transport::LinkId link() const { return link_; }
  [[nodiscard]] transport::Outgoing request();

 private:
  static void fill(void* context, std::size_t offset, std::span<std::byte> chunk);
  void pack(std::span<double> words);

  transport::LinkId link_;
  transport::Kind kind_;
  OutgoingHeader header_;
  RoutedSamples<const double> blocks_;
  std::size_t words_ = 0; // whole message
};

/// What comes from one partner rank: scatters values straight into new samples of the fields.
class IncomingMessage {
 public:
  IncomingMessage(transport::LinkId link, transport::Kind kind)
      : link_(link), kind_(kind), received_changes_{link, {}} {}

  /// Expects the samples of `items`, which must stay alive until the exchange is over. `opened[i]`
  /// says whether another message has created the samples of item i already. `discard`: data are
  /// for a mesh that is gone, nothing is done with them.
  void prepare(std::span<const Item> items, std::span<char> opened, bool discard);
  [[nodiscard]] transport::LinkId link() const { return link_; }
  /// Prepared, and has not begun to come.
  [[nodiscard]] bool is_awaited() const { return awaited_; }
  /// Has come, at least in part, since it was prepared.
  [[nodiscard]] bool has_come() const { return come_; }
  /// What came, after the exchange.
  [[nodiscard]] const ReceivedChanges& received_changes() const { return received_changes_; }
  [[nodiscard]] transport::Incoming request();

 private:
  static void begin(void* context, std::size_t bytes);
  static void drain(void* context, std::size_t offset, std::span<const std::byte> chunk);
  void unpack(std::span<const double> words);
  void read_header();
  void open_samples(const Item& item, char& opened, std::span<const double> times);

  transport::LinkId link_;
  transport::Kind kind_;
  std::span<const Item> items_;
  std::span<char> opened_;
  bool discard_ = false;
  bool awaited_ = false;
  bool come_ = false;
  ReceivedChanges received_changes_;
  IncomingHeader header_;
  RoutedSamples<double> blocks_;
  std::size_t words_ = 0; // whole message
};

} // namespace isthmus::fields
