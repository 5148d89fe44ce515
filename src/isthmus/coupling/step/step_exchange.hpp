// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/coupling/schemes/schedule.hpp"
#include "isthmus/coupling/step/resets.hpp"
#include "isthmus/fields/items.hpp"
#include "isthmus/fields/listeners.hpp"
#include "isthmus/fields/message_set.hpp"
#include "isthmus/fields/partners.hpp"
#include "isthmus/fields/planned_fields.hpp"
#include "isthmus/partner/connection.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace isthmus::coupling {

/// The messages of a step: made of the plans, posted, moved, and given the time of this
/// participant.
class StepExchange {
 public:
  StepExchange(partner::Context& context, fields::Partners& partners,
               fields::PlannedFields& planned, fields::Items& items, Schedule& schedule,
               const Resets& resets)
      : context_(context),
        partners_(partners),
        planned_(planned),
        items_(items),
        schedule_(schedule),
        resets_(resets) {}

  /// Collective with these partners, with whom plans were made: fields and schemes take them up.
  void connect(std::span<const fields::Renewal> renewals);
  /// The partner's ranks may get other plans: nobody misses the next notice on the links of now.
  void keep_links(const Scheme& scheme, const std::string& partner) {
    listeners_[partner] = scheme.regular().links();
  }

  /// Begins with no message.
  void begin();
  /// To be moved by run().
  [[nodiscard]] std::vector<transport::Outgoing>& outgoing() { return outgoing_; }
  [[nodiscard]] std::vector<transport::Incoming>& incoming() { return incoming_; }
  /// Posts what a scheme sends at the end of a window, and what it receives then.
  void post(Scheme& scheme);
  void post_outgoing(Scheme& scheme);
  void post_incoming(Scheme& scheme);
  /// Moves what was posted. `enough`: ends the wait for what has not begun to come.
  void run(const std::function<bool()>& enough = {});
  /// Waits until everything is with the partners.
  void flush();
  /// The same, but what partners do not take may be held for them.
  void flush_or_hold();
  /// run() with what the implicit scheme receives for its window. `chosen`: the others have come
  /// already; `discard`: what comes on these links is void.
  void receive(Scheme& scheme, const fields::LinkChoice& chosen = fields::LinkChoice::all(),
               const fields::LinkChoice& discard = fields::LinkChoice::none());

  /// Samples that have come get this participant's time; fields to which nothing comes are zero.
  void set_arrival_times(Scheme& scheme);
  /// With method first-participant the first sends the size of its window to the second.
  void send_window_size(const Scheme& scheme);
  /// Collective. The second does with it what the first says.
  void follow_window_size(Scheme& scheme);

  /// From the first rank to that of a partner.
  void send_steering(const Scheme& scheme, const std::string& partner, std::vector<std::byte> what);
  /// What that of the partner has sent, on the first rank; else nothing.
  [[nodiscard]] std::vector<std::byte> receive_steering(const Scheme& scheme,
                                                        const std::string& partner);
  /// The same of one byte, moved by run() together with data: it must stay where it is until then.
  void post_steering(const Scheme& scheme, const std::string& partner, std::byte& what);
  void await_steering(const Scheme& scheme, const std::string& partner, std::byte& what);

 private:
  void listen(std::span<const fields::Renewal> renewals);

  partner::Context& context_;
  fields::Partners& partners_;
  fields::PlannedFields& planned_;
  fields::Items& items_;
  Schedule& schedule_;
  const Resets& resets_;
  std::map<std::string, fields::Listeners> listeners_; // by partner
  std::vector<transport::Outgoing> outgoing_;
  std::vector<transport::Incoming> incoming_;
};

} // namespace isthmus::coupling
