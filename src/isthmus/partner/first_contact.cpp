// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partner/first_contact.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/connect/joint.hpp"
#include "isthmus/connect/search.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <span>

namespace isthmus::partner {

namespace {

std::string time_of_day() {
  const std::time_t seconds = std::time(nullptr);
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 16> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%H:%M:%S", &local);
  return {text.data(), size};
}

/// Says at growing intervals for whom we wait, and why.
class WaitReport {
 public:
  WaitReport(const Log& log, const std::string& partner) : log_(log), partner_(partner) {}

  /// It is not there.
  void say(const std::string& obstacle, const std::string& directory) {
    if (is_due()) {
      log_.warning(
          "waiting for participant \"{}\" since {} ({:.0f} s): {}. Start it in the same directory; "
          "if it runs in another one, write exchange-directory=\"{}\" into <m2n:…>",
          partner_, since_, waited_.elapsed(), obstacle,
          (std::filesystem::absolute(directory) / "file")
              .lexically_normal()
              .parent_path()
              .string());
    }
  }
  /// It is there, but does not come nearer.
  void say(const connect::Address& address) {
    if (is_due()) {
      log_.warning(
          "waiting for participant \"{}\" since {} ({:.0f} s): it runs (pid {} on host {}), but is "
          "not in initialize() yet",
          partner_, since_, waited_.elapsed(), address.pid, address.host);
    }
  }

 private:
  bool is_due() {
    constexpr double shortest_s = 5;
    constexpr double longest_s = 30;
    const double waited = waited_.elapsed();
    if (waited < next_) {
      return false;
    }
    next_ = waited + std::clamp(waited, shortest_s, longest_s);
    return true;
  }

  const Log& log_;
  const std::string& partner_;
  std::string since_ = time_of_day();
  Deadline waited_{0};
  double next_ = 3; // seconds
};

/// How first ranks that know nothing of each other come to a link.
class Meeting {
 public:
  Meeting(Context& context, const config::M2N& m2n, const std::string& partner, bool accepts)
      : context_(context), m2n_(m2n), partner_(partner), accepts_(accepts) {}

  [[nodiscard]] transport::LinkId find_partner();
  [[nodiscard]] bool wants_mpi() const;
  /// Of the accepting side.
  [[nodiscard]] const Token& token() const { return token_; }

 private:
  [[nodiscard]] transport::LinkId link_first(const connect::Announcement& other,
                                             WaitReport& report);

  Context& context_;
  const config::M2N& m2n_;
  const std::string& partner_;
  bool accepts_;
  Token token_{};
  bool in_one_job_ = false;
  bool same_host_ = false;
};

/// Links the first ranks. An announcement may turn out to be that of an earlier instance of the
/// partner, which another host shows for a while; then the search goes on.
transport::LinkId Meeting::find_partner() {
  constexpr double moment_s = 0.5;
  constexpr double longest_delay_s = 5; // of news from another host
  const std::string& self = context_.identity.participant;
  const std::string& directory = m2n_.exchange_directory;
  WaitReport report(context_.log, partner_);
  const auto outdated = [&](const connect::Announcement& other, double limit_s) {
    return connect::is_outdated(directory, other, self, Deadline(limit_s));
  };
  while (true) {
    const connect::Announcement other = connect::find(
        directory, partner_, Deadline(context_.timeout),
        [this, &directory, &report](const std::string& obstacle) {
          context_.hub.progress();
          report.say(obstacle, directory);
        },
        self);
    try {
      return link_first(other, report);
    } catch (const transport::PeerLost&) {
      connect::throw_last_word(directory, other, Deadline(moment_s));
      if (accepts_ || !outdated(other, 0)) {
        throw;
      }
    } catch (const transport::Outdated&) {
      if (!outdated(other, longest_delay_s)) {
        throw;
      }
    }
  }
}

/// Links the first ranks. Throws if the partner gives up before it is connected.
transport::LinkId Meeting::link_first(const connect::Announcement& other, WaitReport& report) {
  constexpr double moment_s = 0.5;
  connect::Endpoint& endpoint = *context_.endpoint;
  connect::Watch watch(m2n_.exchange_directory, other);
  const Deadline deadline(context_.progress_timeout);
  in_one_job_ = connect::in_one_job(endpoint.address(), other.address);
  same_host_ = endpoint.address().host_id == other.address.host_id;
  token_ = accepts_ ? context_.token : other.token;
  const int first = 0;
  const connect::Target target{other.address, partner_, first};
  connect::ExpectedRanks expected =
      connect::Endpoint::begin_accept(partner_, std::span(&first, 1), token_, deadline);
  connect::Calls calls = accepts_ ? connect::Calls{deadline}
                                  : endpoint.begin_connect(std::span(&target, 1), token_, deadline);
  while (true) {
    const auto links = accepts_ ? endpoint.accept(context_.hub, expected, moment_s)
                                : endpoint.connect(context_.hub, calls, moment_s);
    if (links) {
      return links->front();
    }
    watch.look();
    report.say(other.address);
  }
}

/// Between hosts of one MPI job, or where it is asked for, messages go through MPI.
bool Meeting::wants_mpi() const {
  const auto transport = context_.endpoint->settings().transport;
  const bool asked =
      transport == connect::NetworkSettings::mpi || m2n_.kind != config::M2NKind::sockets;
  if (asked && !in_one_job_) {
    context_.log.info(
        "participants \"{}\" and \"{}\" run in separate MPI jobs: they talk by "
        "sockets and shared memory, not by MPI",
        context_.identity.participant, partner_);
  }
  const bool free = transport == connect::NetworkSettings::automatic;
  return in_one_job_ && (asked || (free && !same_host_));
}

} // namespace

FirstContact meet(Context& context, const config::M2N& m2n, const std::string& partner,
                  bool accepts) {
  Meeting meeting(context, m2n, partner, accepts);
  const transport::LinkId link = meeting.find_partner();
  for (connect::AnnouncementFile& announcement : *context.announcements) {
    announcement.met(partner); // before the partner can know
  }
  FirstContact contact = shake_hands(context, partner, link, meeting.wants_mpi());
  contact.token = meeting.token();
  return contact;
}

FirstContact shake_hands(Context& context, const std::string& partner, transport::LinkId link,
                         bool wants_mpi) {
  Writer writer;
  writer.put(context.comm.size()).put(wants_mpi).put_text(context.identity.version);
  writer.put_text(context.identity.fingerprint);
  context.hub.send(link, transport::Kind::control, writer.take());
  const auto bytes = context.hub.receive(link, transport::Kind::control, context.progress_timeout);
  Reader reader(bytes);
  FirstContact contact{.link = link};
  contact.remote_size = reader.get<int>();
  contact.use_mpi = reader.get<bool>() && wants_mpi;
  const std::string version = reader.get_text();
  check(version == context.identity.version,
        "participant \"{}\" uses version {} of the library, this one {}; use the same everywhere",
        partner, version, context.identity.version);
  const std::string fingerprint = reader.get_text();
  check(
      fingerprint == context.identity.fingerprint,
      "participant \"{}\" runs with another configuration than participant \"{}\": they differ in "
      "{}; give both the same file",
      partner, context.identity.participant,
      connect::difference(context.identity.fingerprint, fingerprint));
  const transport::Peer& peer = context.hub.peer(link);
  context.log.info(
      "connected with participant \"{}\" ({} rank{}, first rank pid {} on host {}) by {}", partner,
      contact.remote_size, contact.remote_size == 1 ? "" : "s", peer.pid, peer.host,
      contact.use_mpi ? "mpi" : context.hub.transport(link));
  return contact;
}

} // namespace isthmus::partner
