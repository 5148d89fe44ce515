// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/log.hpp"
#include "isthmus/base/trace.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/connect/announce.hpp"
#include "isthmus/connect/endpoint.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/transport/hub.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus::participant {

/// How a participant shows itself to its partners, stays linked with them, and leaves them.
class PartnerLinks {
 public:
  /// All participants are in one MPI job: no door is opened.
  void share_job(partner::JointJob job) { joint_ = std::move(job); }
  /// Opens the door for partners, long before they are needed; the first ranks, up to `last_rank`,
  /// say where it is. `m2ns`: of the run. The others must outlive the object, but for `identity`.
  void open(const comm::Comm& comm, std::span<const config::M2N> m2ns,
            const connect::RankIdentity& identity, const Log& log, Trace& trace, int last_rank = 0);
  /// Where open() has not come, leaves a door for the last word of abort() where partners look for
  /// it; rank 0 may be who has failed.
  void announce_failure(const comm::Comm& comm, std::span<const config::M2N> m2ns,
                        const connect::RankIdentity& identity, const Log& log,
                        Trace& trace) noexcept;
  /// After open().
  [[nodiscard]] partner::Context& context() { return *context_; }
  [[nodiscard]] transport::Hub& hub() { return hub_; }
  [[nodiscard]] const transport::Hub& hub() const { return hub_; }
  /// All have come: nobody looks for this participant any longer.
  void hide() { announcements_.clear(); }
  /// Notifies those who still look for this participant that it will not come.
  void decline(std::string_view reason) noexcept;
  /// Collective. The partners have all that was sent to them; `waits`: and have ended, too;
  /// `is_over`: no more steps follow for anybody.
  void part(bool waits, bool is_over);
  /// Nobody who looks for a later instance comes here.
  void close_door() { endpoint_.reset(); }
  /// This participant fails: `cause` goes through the links, `text`, which says which rank has
  /// failed, to those that still look for it.
  void abort(const std::string& cause, std::string_view text) noexcept;
  /// Before the communicators that links use are gone.
  void clear() { hub_.clear(); }

 private:
  std::optional<partner::JointJob> joint_; // outlives the links in hub_
  transport::Hub hub_;
  std::optional<connect::Endpoint> endpoint_;
  std::vector<connect::AnnouncementFile> announcements_;
  std::optional<partner::Context> context_;
};

} // namespace isthmus::participant
