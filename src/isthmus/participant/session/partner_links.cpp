// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/session/partner_links.hpp"

#include "isthmus/base/environment.hpp"
#include "isthmus/base/reason.hpp"
#include "isthmus/connect/network_settings.hpp"

#include <map>

namespace isthmus::participant {

namespace {

constexpr std::string_view own_host = "lo";

/// Who is awaited, by exchange directory; and the network of the last connection that is not to the
/// own host alone: what listens there is reached from the own host, too.
std::map<std::string, std::vector<std::string>> awaited(std::span<const config::M2N> m2ns,
                                                        const std::string& self,
                                                        connect::NetworkSettings& settings) {
  std::map<std::string, std::vector<std::string>> partners;
  for (const config::M2N& m2n : m2ns) {
    if (m2n.acceptor == self || m2n.connector == self) {
      settings.network = m2n.network != own_host ? m2n.network : settings.network;
      settings.port = m2n.port != 0 ? m2n.port : settings.port;
      partners[m2n.exchange_directory].push_back(m2n.acceptor == self ? m2n.connector
                                                                      : m2n.acceptor);
    }
  }
  return partners;
}

} // namespace

void PartnerLinks::open(const comm::Comm& comm, std::span<const config::M2N> m2ns,
                        const connect::RankIdentity& identity, const Log& log, Trace& trace,
                        int last_rank) {
  const std::string& self = identity.participant;
  connect::NetworkSettings settings;
  auto partners = awaited(m2ns, self, settings);
  settings = connect::with_environment(settings);
  const Token token = make_token();
  if (!joint_) {
    endpoint_.emplace(identity, settings);
    for (auto& [directory, names] : partners) {
      if (comm.rank() <= last_rank) {
        announcements_.push_back(
            connect::announce(directory, {self, endpoint_->address(), token, std::move(names)}));
      }
    }
  }
  context_.emplace(partner::Context{comm, hub_, identity, token, endpoint_ ? &*endpoint_ : nullptr,
                                    joint_ ? nullptr : &announcements_, joint_ ? &*joint_ : nullptr,
                                    log, trace, settings.timeout_s, settings.progress_timeout_s});
  hub_.set_trace(&trace);
  hub_.configure(comm::SpinPolicy::for_processes(comm.size() + 1),
                 environment_switch("ISTHMUS_CHECKSUM"));
  hub_.set_queue_limit(settings.queue_bytes);
}

void PartnerLinks::announce_failure(const comm::Comm& comm, std::span<const config::M2N> m2ns,
                                    const connect::RankIdentity& identity, const Log& log,
                                    Trace& trace) noexcept {
  if (context_ || joint_ || m2ns.empty()) {
    return;
  }
  try {
    open(comm, m2ns, identity, log, trace, 1);
  } catch (...) {
    log.debug("no last word for partners: {}", current_reason());
  }
}

void PartnerLinks::decline(std::string_view reason) noexcept {
  for (connect::AnnouncementFile& announcement : announcements_) {
    announcement.leave(reason);
  }
}

void PartnerLinks::part(bool waits, bool is_over) {
  hub_.close(context_->progress_timeout);
  if (waits) {
    hub_.await_goodbyes(context_->progress_timeout);
  } else if (is_over) {
    hub_.part_from_mpi();
  }
}

void PartnerLinks::abort(const std::string& cause, std::string_view text) noexcept {
  decline(text);
  hub_.abort(cause);
  endpoint_.reset(); // whoever is about to connect sees it close
}

} // namespace isthmus::participant
