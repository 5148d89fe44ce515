// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/rendezvous/rendezvous.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/rendezvous/proxies.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace isthmus::rendezvous {

namespace {

using Bytes = std::vector<std::byte>;
using Boxes = std::vector<geometry::Box>;

enum class Content : std::uint8_t { delta, notes }; // of a parcel

bool before(const geometry::Box& a, const geometry::Box& b) {
  return std::tie(a.lo, a.hi) < std::tie(b.lo, b.hi);
}

Boxes sorted(std::span<const geometry::Box> boxes) {
  Boxes result;
  std::copy_if(boxes.begin(), boxes.end(), std::back_inserter(result),
               [](const geometry::Box& box) { return !box.empty(); });
  std::sort(result.begin(), result.end(), before);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

Boxes difference(const Boxes& from, const Boxes& minus) {
  Boxes result;
  std::set_difference(from.begin(), from.end(), minus.begin(), minus.end(),
                      std::back_inserter(result), before);
  return result;
}

Content content_of(const Bytes& bytes) {
  return Reader(bytes).get<Content>();
}

Delta delta_of(const Bytes& bytes) {
  Reader reader(bytes);
  [[maybe_unused]] const auto content = reader.get<Content>();
  return read_delta(reader);
}

void append_notes(const Bytes& bytes, std::vector<Note>& notes) {
  Reader reader(bytes);
  [[maybe_unused]] const auto content = reader.get<Content>();
  while (reader.left() > 0) {
    notes.push_back(read_note(reader));
  }
}

} // namespace

Rendezvous::Rendezvous(const comm::Comm& comm, Side side, int remote_size, Across& across,
                       std::span<const geometry::Box> boxes, Bytes address)
    : comm_(&comm),
      side_(side),
      remote_size_(remote_size),
      across_(across),
      address_(std::move(address)),
      boxes_(sorted(boxes)) {
  build();
}

void Rendezvous::update(bool anything_changed, std::span<const geometry::Box> boxes) {
  traffic_ = {};
  if (!anything_changed) {
    return;
  }
  Boxes next = sorted(boxes);
  Delta own{side_, comm_->rank(), {}, difference(boxes_, next), difference(next, boxes_)};
  if (!own.added.empty()) {
    own.address = address_;
  }
  boxes_ = std::move(next);
  if (!(provides() ? provide(own) : receive_changes(own))) {
    build();
  }
}

std::vector<Partner> Rendezvous::partners() const {
  std::vector<Partner> result;
  result.reserve(partners_.size());
  for (const auto& [rank, known] : partners_) {
    result.push_back({rank, known.address});
  }
  return result;
}

std::size_t Rendezvous::memory() const {
  std::size_t bytes =
      sizeof *this + address_.capacity() + boxes_.capacity() * sizeof(geometry::Box);
  for (const auto& [rank, known] : partners_) {
    bytes += sizeof rank + sizeof known + known.address.capacity();
  }
  return bytes + (matches_ ? matches_->memory() : 0);
}

/// The receiver's rank that speaks for a rank of either side.
int Rendezvous::home(Side side, int rank) const {
  return side == Side::receiver ? rank : proxy_rank(rank, remote_size_, comm_->size());
}

void Rendezvous::build() {
  partners_.clear();
  const Delta own{side_, comm_->rank(), address_, {}, boxes_};
  if (provides()) {
    provide(own);
  } else {
    receive_all(own);
  }
}

bool Rendezvous::provide(const Delta& own) {
  const int proxy = proxy_rank(comm_->rank(), comm_->size(), remote_size_);
  Writer writer;
  write(writer, own);
  send_across(proxy, writer.take());
  const Bytes reply = receive_across(proxy);
  Reader reader(reply);
  const bool again = reader.get<bool>();
  while (reader.left() > 0) {
    learn(read_note(reader));
  }
  forget_strangers();
  return !again;
}

void Rendezvous::receive_all(const Delta& own) {
  const std::vector<Delta> spoken_for = collect(own);
  agree_on_grid(spoken_for);
  matches_.emplace(grid_, comm_->rank(), comm_->size());
  std::vector<Delta> owned;
  for (const auto& parcel : comm::routed_exchange(*comm_, to_owners(spoken_for), &traffic_)) {
    owned.push_back(delta_of(parcel.bytes));
  }
  std::vector<Note> notes;
  for (const auto& parcel :
       comm::routed_exchange(*comm_, to_homes(matches_->apply(owned)), &traffic_)) {
    append_notes(parcel.bytes, notes);
  }
  deliver(notes, false);
}

bool Rendezvous::receive_changes(const Delta& own) {
  const std::vector<Delta> spoken_for = collect(own);
  const bool fits = std::all_of(spoken_for.begin(), spoken_for.end(), [&](const Delta& delta) {
    return std::all_of(delta.added.begin(), delta.added.end(),
                       [&](const auto& box) { return grid_.fits(delta.side, box); });
  });
  std::vector<Note> notes;
  const comm::Reaction react = [&](comm::Parcel parcel) -> std::vector<comm::Parcel> {
    if (content_of(parcel.bytes) == Content::notes) {
      append_notes(parcel.bytes, notes);
      return {};
    }
    const Delta delta = delta_of(parcel.bytes);
    return to_homes(matches_->apply(std::span(&delta, 1)));
  };
  auto first = fits ? to_owners(spoken_for) : std::vector<comm::Parcel>{};
  const bool again = comm::diffuse(*comm_, std::move(first), react, !fits, &traffic_);
  deliver(notes, again);
  return !again;
}

/// The changes of this rank and of those it speaks for.
std::vector<Delta> Rendezvous::collect(const Delta& own) {
  std::vector<Delta> deltas{own};
  const RankRange clients = proxy_clients(comm_->rank(), remote_size_, comm_->size());
  for (int client = clients.first; client < clients.last; ++client) {
    const Bytes bytes = receive_across(client);
    Reader reader(bytes);
    deltas.push_back(read_delta(reader));
  }
  return deltas;
}

void Rendezvous::agree_on_grid(std::span<const Delta> deltas) {
  grid_ = {};
  for (const Delta& delta : deltas) {
    for (const geometry::Box& box : delta.added) {
      grid_.insert(delta.side, box);
    }
  }
  std::array<std::uint64_t, 4> bits{grid_.used[0].bits[0], grid_.used[0].bits[1],
                                    grid_.used[1].bits[0], grid_.used[1].bits[1]};
  comm::allreduce(*comm_, std::span<std::uint64_t>(bits), comm::Op::bit_or);
  traffic_.count_allreduce(comm_->size(), sizeof bits);
  grid_.used = {Levels{{bits[0], bits[1]}}, Levels{{bits[2], bits[3]}}};
}

std::vector<comm::Parcel> Rendezvous::to_owners(std::span<const Delta> deltas) const {
  std::vector<comm::Parcel> parcels;
  for (const Delta& delta : deltas) {
    std::map<int, Delta> parts; // by owner
    const auto deal = [&](const Boxes& boxes, Boxes Delta::*list) {
      for (const geometry::Box& box : boxes) {
        grid_.for_each_cell(delta.side, box, [&](const Cell& cell) {
          Delta& part = parts[owner(cell, comm_->size())];
          Boxes& dealt = part.*list;
          if (dealt.empty() || dealt.back() != box) {
            dealt.push_back(box);
          }
        });
      }
    };
    deal(delta.removed, &Delta::removed);
    deal(delta.added, &Delta::added);
    for (auto& [rank, part] : parts) {
      part.side = delta.side;
      part.rank = delta.rank;
      part.address = delta.address;
      Writer writer;
      writer.put(Content::delta);
      write(writer, part);
      parcels.push_back({rank, writer.take()});
    }
  }
  return parcels;
}

std::vector<comm::Parcel> Rendezvous::to_homes(std::span<const Note> notes) const {
  std::map<int, Writer> writers;
  for (const Note& note : notes) {
    const auto [entry, fresh] = writers.try_emplace(home(note.side, note.rank));
    if (fresh) {
      entry->second.put(Content::notes);
    }
    write(entry->second, note);
  }
  std::vector<comm::Parcel> parcels;
  for (auto& [rank, writer] : writers) {
    parcels.push_back({rank, writer.take()});
  }
  return parcels;
}

/// Keeps what is for this rank and passes on what is for those it speaks for.
void Rendezvous::deliver(std::span<const Note> notes, bool again) {
  const RankRange clients = proxy_clients(comm_->rank(), remote_size_, comm_->size());
  std::vector<Writer> replies(static_cast<std::size_t>(clients.last - clients.first));
  for (Writer& reply : replies) {
    reply.put(again);
  }
  for (const Note& note : notes) {
    if (note.side == Side::receiver) {
      learn(note);
    } else {
      write(replies.at(static_cast<std::size_t>(note.rank - clients.first)), note);
    }
  }
  forget_strangers();
  for (int client = clients.first; client < clients.last; ++client) {
    send_across(client, replies[static_cast<std::size_t>(client - clients.first)].take());
  }
}

void Rendezvous::learn(const Note& note) {
  Known& known = partners_[note.partner];
  known.pairs += note.change;
  if (note.change > 0) {
    known.address = note.address;
  }
}

/// Once all notes are in: until then counts may be passing through zero.
void Rendezvous::forget_strangers() {
  std::erase_if(partners_, [](const auto& item) { return item.second.pairs == 0; });
}

void Rendezvous::send_across(int rank, Bytes bytes) {
  traffic_.count(bytes.size());
  across_.send(rank, std::move(bytes));
}

Bytes Rendezvous::receive_across(int rank) {
  ++traffic_.received;
  return across_.receive(rank);
}

} // namespace isthmus::rendezvous
