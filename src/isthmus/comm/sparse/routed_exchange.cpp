// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/sparse/message.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace isthmus::comm {

namespace {

struct Label {
  std::int32_t source;
  std::int32_t target;
};

struct Travelling {
  Label label;
  std::vector<std::byte> bytes;
};

/// Whether a rank is known to have given up, then label and bytes of each parcel.
std::vector<std::byte> pack(bool failed, const std::vector<Travelling>& parcels) {
  Writer writer;
  writer.put(failed);
  for (const Travelling& parcel : parcels) {
    writer.put(parcel.label).put_array(parcel.bytes);
  }
  return writer.take();
}

/// Sends `leaving` up by `distance` ranks and adds what comes from below to `parcels`. The hops are
/// those of a dissemination barrier, so a failure is known to all after the last.
bool hop(const Comm& comm, int distance, const std::vector<Travelling>& leaving,
         std::vector<Travelling>& parcels, bool failed, Traffic* traffic) {
  const auto to = static_cast<int>((std::int64_t{comm.rank()} + distance) % comm.size());
  const int from = (comm.rank() - distance + comm.size()) % comm.size();
  Sends sends;
  start_message(sends, comm, to, tag_route, pack(failed, leaving), traffic);
  const std::vector<std::byte> message = receive_message(comm, from, tag_route, traffic);
  sends.wait();
  Reader reader(message);
  failed = reader.get<bool>() || failed;
  while (reader.left() > 0) {
    const auto label = reader.get<Label>();
    parcels.push_back({label, reader.get_array<std::byte>()});
  }
  return failed;
}

} // namespace

std::vector<Parcel> routed_exchange(const Comm& comm, std::vector<Parcel> outgoing,
                                    Traffic* traffic, std::optional<std::string> failure) {
  std::vector<Travelling> here;
  for (Parcel& parcel : outgoing) {
    if (parcel.rank < 0 || parcel.rank >= comm.size()) {
      failure = fmt::format("a parcel is addressed to rank {}, but there are {} ranks", parcel.rank,
                            comm.size());
      continue;
    }
    here.push_back({{comm.rank(), parcel.rank}, std::move(parcel.bytes)});
  }
  bool failed = failure.has_value();
  for (int distance = 1; distance < comm.size(); distance *= 2) {
    const auto leaves = std::stable_partition(here.begin(), here.end(), [&](const Travelling& p) {
      return (((p.label.target - comm.rank() + comm.size()) % comm.size()) & distance) == 0;
    });
    std::vector<Travelling> leaving(std::make_move_iterator(leaves),
                                    std::make_move_iterator(here.end()));
    here.erase(leaves, here.end());
    failed = hop(comm, distance, leaving, here, failed, traffic);
  }
  if (failed) {
    agree_on(comm, failure);
  }
  std::stable_sort(here.begin(), here.end(), [](const Travelling& a, const Travelling& b) {
    return a.label.source < b.label.source;
  });
  std::vector<Parcel> incoming;
  incoming.reserve(here.size());
  for (Travelling& parcel : here) {
    incoming.push_back({parcel.label.source, std::move(parcel.bytes)});
  }
  return incoming;
}

} // namespace isthmus::comm
