// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/comm/sparse/delivery.hpp"
#include "isthmus/comm/sparse/remembered.hpp"
#include "isthmus/exchange/bricks.hpp"
#include "isthmus/exchange/destinations.hpp"
#include "isthmus/exchange/halo.hpp"
#include "isthmus/exchange/particles.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace isthmus::exchange {

/// Brings particles to their owners and ghosts of them to all who need them, in one message to each
/// neighbour, which says how many they are. A particle may go anywhere. Who it concerns beyond the
/// neighbours is reached by consensus, and how the ranks learn that this is needed is
/// comm::Opening: at_once and by_caller bring every particle home in the same call; with later, a
/// particle that some rank beyond the neighbours needs stays with its old owner for Bricks::steps()
/// calls. None is ever lost or doubled.
class Migration {
 public:
  struct Settings {
    double radius; // a rank gets ghosts of all particles within it of its brick
    double slack;  // further than the radius, how far away ranks are neighbours: steps below it
                   // need nobody else
    comm::Opening opening = comm::Opening::at_once;
    /// Another way than messages to neighbours that say how many particles they carry: all who get
    /// something are found anew in each call. `opening` does not matter then.
    comm::Discovery discovery = comm::Discovery::remembered;
  };

  /// Collective.
  Migration(const comm::Comm& comm, Bricks bricks, Settings settings);

  [[nodiscard]] const Bricks& bricks() const { return bricks_; }
  /// Collective, without communication. Other bricks from now on; the next migration reaches
  /// everybody.
  void divide(Bricks bricks);

  /// For Opening::by_caller, before each migration: whether this rank needs somebody beyond its
  /// neighbours, or has a failure to report. If that is so on any rank, `needed` of
  /// migrate() is true on all.
  [[nodiscard]] bool prepare(const Particles& particles);

  /// Collective. Moves the owned particles to the owners of their positions and replaces all
  /// ghosts. A position that is not finite is an error of all ranks together, in the call in which
  /// they learn of it; then nothing has moved.
  void migrate(Particles& particles, bool needed = false, comm::Traffic* traffic = nullptr);

  /// Collective over the neighbours. Gives the ghosts their owners' values of an attribute that
  /// consists of double.
  void refresh(Particles& particles, int attribute);

  /// Particles that wait with their old owner (Opening::later).
  [[nodiscard]] std::size_t num_waiting() const { return waiting_.size(); }
  [[nodiscard]] const comm::Remembered& exchange() const { return exchange_; }

 private:
  /// What goes another way than by `exchange_`.
  struct Delivered {
    comm::Delivery delivery;
    std::map<int, std::vector<std::byte>> outgoing;
    std::vector<comm::Parcel> arrived;
  };

  [[nodiscard]] bool is_stranger(int rank) const;
  void append(int rank, std::span<const std::byte> record);
  [[nodiscard]] std::vector<comm::Remembered::Received> deliver(comm::Traffic* traffic);
  void send(const Particles& particles, bool open);
  void receive(Particles& particles, std::span<const comm::Remembered::Received> all_received);
  void plan_refresh(const Particles& particles);

  const comm::Comm* comm_;
  Bricks bricks_;
  Settings settings_;
  comm::Remembered exchange_;
  std::optional<Delivered> delivered_;
  bool prepared_ = false;
  Destinations destinations_;
  std::vector<Particles::Row> owned_;
  std::vector<Particles::Row> ghosts_;
  std::vector<GlobalIndex> waiting_;
  std::vector<std::byte> record_;
  Halo halo_;
};

} // namespace isthmus::exchange
