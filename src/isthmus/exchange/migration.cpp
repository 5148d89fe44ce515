// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/migration.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace isthmus::exchange {

Migration::Migration(const comm::Comm& comm, Bricks bricks, Settings settings)
    : comm_(&comm),
      settings_(settings),
      exchange_(comm, {},
                settings.discovery == comm::Discovery::remembered ? settings.opening
                                                                  : comm::Opening::at_once) {
  if (settings.discovery != comm::Discovery::remembered) {
    settings_.opening = comm::Opening::at_once;
    delivered_.emplace(Delivered{comm::Delivery(comm, settings.discovery), {}, {}});
  }
  divide(std::move(bricks));
}

void Migration::divide(Bricks bricks) {
  check(bricks.size() <= comm_->size(), "there are {} bricks for {} ranks", bricks.size(),
        comm_->size());
  check(settings_.opening != comm::Opening::later || bricks.size() == comm_->size(),
        "news cannot spread to ranks without a brick, and there are {} bricks for {} ranks; use "
        "Opening::at_once",
        bricks.size(), comm_->size());
  bricks_ = std::move(bricks);
  exchange_.reset(bricks_.neighbours(comm_->rank(), settings_.radius + settings_.slack,
                                     settings_.opening == comm::Opening::later),
                  bricks_.steps());
  prepared_ = false;
}

bool Migration::is_stranger(int rank) const {
  return !delivered_ && rank != comm_->rank() &&
         exchange_.partners().find(rank) == exchange_.partners().size();
}

bool Migration::prepare(const Particles& particles) {
  destinations_.find(particles, bricks_, comm_->rank(), settings_.radius,
                     [this](int rank) { return is_stranger(rank); });
  prepared_ = true;
  return destinations_.needs_strangers() || destinations_.failure();
}

void Migration::migrate(Particles& particles, bool needed, comm::Traffic* traffic) {
  if (settings_.opening == comm::Opening::by_caller) {
    check(prepared_, "prepare() must precede each migration that its caller opens");
  } else {
    needed = prepare(particles);
  }
  prepared_ = false;
  if (delivered_) {
    send(particles, true);
    receive(particles, deliver(traffic));
    plan_refresh(particles);
    return;
  }
  const bool open = exchange_.begin(needed, traffic);
  send(particles, open);
  receive(particles, exchange_.finish(destinations_.failure(), traffic));
  plan_refresh(particles);
}

void Migration::append(int rank, std::span<const std::byte> record) {
  if (delivered_) {
    std::vector<std::byte>& bytes = delivered_->outgoing[rank];
    bytes.insert(bytes.end(), record.begin(), record.end());
  } else {
    exchange_.append(rank, record);
  }
}

std::vector<comm::Remembered::Received> Migration::deliver(comm::Traffic* traffic) {
  std::vector<comm::Parcel> parcels;
  for (auto& [rank, bytes] : delivered_->outgoing) {
    parcels.push_back({rank, std::move(bytes)});
  }
  delivered_->outgoing.clear();
  delivered_->arrived =
      delivered_->delivery.exchange(std::move(parcels), traffic, destinations_.failure());
  std::vector<comm::Remembered::Received> received;
  for (const comm::Parcel& parcel : delivered_->arrived) {
    received.push_back({parcel.rank, parcel.bytes});
  }
  return received;
}

void Migration::send(const Particles& particles, bool open) {
  owned_.clear();
  ghosts_.clear();
  waiting_.clear();
  record_.resize(particles.record_size());
  const int self = comm_->rank();
  for (std::size_t i = 0; i < particles.num_owned(); ++i) {
    const Destinations::Destination destination = destinations_.of(i);
    const GlobalIndex id = particles.ids()[i];
    const bool waits = destination.beyond && !open;
    const int owner = waits ? self : destination.owner;
    if (waits) {
      waiting_.push_back(id);
    }
    if (owner == self) {
      owned_.push_back({id, self, static_cast<LocalIndex>(i)});
    }
    for (const int rank : destination.ranks) {
      if (rank != self && !(waits && is_stranger(rank))) {
        particles.pack(i, owner, record_);
        append(rank, record_);
      } else if (rank == self && owner != self) {
        ghosts_.push_back({id, owner, static_cast<LocalIndex>(i)});
      }
    }
  }
}

void Migration::receive(Particles& particles,
                        std::span<const comm::Remembered::Received> all_received) {
  const std::size_t width = particles.record_size();
  for (const auto& received : all_received) {
    check(received.bytes.size() % width == 0,
          "rank {} sent {} bytes of particles, which have {} bytes each here: do all ranks add the "
          "same attributes?",
          received.rank, received.bytes.size(), width);
    for (std::size_t at = 0; at < received.bytes.size(); at += width) {
      const auto row = static_cast<LocalIndex>(particles.size());
      particles.unpack(received.bytes.subspan(at, width));
      const int owner = particles.owners().back();
      (owner == comm_->rank() ? owned_ : ghosts_).push_back({particles.ids().back(), owner, row});
    }
  }
  const auto before = [](const Particles::Row& a, const Particles::Row& b) {
    return std::tie(a.owner, a.id) < std::tie(b.owner, b.id);
  };
  std::sort(owned_.begin(), owned_.end(), before);
  std::sort(ghosts_.begin(), ghosts_.end(), before);
  particles.arrange(owned_, ghosts_);
}

/// Both sides derive it from the order of the particles.
void Migration::plan_refresh(const Particles& particles) {
  std::map<int, std::vector<LocalIndex>> entries;
  std::vector<int> near;
  for (std::size_t i = 0; i < particles.num_owned(); ++i) {
    if (!is_finite(particles.positions()[i])) {
      continue;
    }
    const bool waits =
        std::find(waiting_.begin(), waiting_.end(), particles.ids()[i]) != waiting_.end();
    bricks_.near(particles.positions()[i], settings_.radius, near);
    for (const int rank : near) {
      if (rank != comm_->rank() && !(waits && is_stranger(rank))) {
        entries[rank].push_back(static_cast<LocalIndex>(i));
      }
    }
  }
  std::vector<Halo::Neighbour> targets;
  for (auto& [rank, list] : entries) {
    targets.push_back({rank, std::move(list)});
  }
  std::vector<Halo::Source> sources;
  for (const int owner : particles.owners().subspan(particles.num_owned())) {
    if (sources.empty() || sources.back().rank != owner) {
      sources.push_back({owner, 0});
    }
    ++sources.back().count;
  }
  halo_ = Halo(std::move(targets), std::move(sources));
}

void Migration::refresh(Particles& particles, int attribute) {
  const std::span<double> values = particles.values<double>(attribute);
  const std::size_t components = particles.size() == 0 ? 0 : values.size() / particles.size();
  const std::size_t owned = particles.num_owned() * components;
  halo_.forward(*comm_, static_cast<int>(components), values.first(owned), values.subspan(owned));
}

} // namespace isthmus::exchange
