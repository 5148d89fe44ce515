// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/rendezvous/wanted_boxes.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"
#include "isthmus/rendezvous/grid.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>

namespace isthmus::rendezvous {

namespace {

/// A box in which a rank has something, or wants it.
struct Entered {
  std::array<std::int32_t, 3> cell;
  int rank;
  int wants;
  geometry::Box box;
};

/// Collective. On which all boxes of all ranks fit: each touches eight cells at most.
int level_of_all(const comm::Comm& comm, std::span<const geometry::Box> has,
                 std::span<const geometry::Box> wants) {
  int level = Cell::bottom;
  for (const auto boxes : {has, wants}) {
    for (const geometry::Box& box : boxes) {
      level = box.empty() ? level : std::max(level, level_of(box));
    }
  }
  return comm::allreduce(comm, level, comm::Op::max);
}

std::vector<comm::Parcel> to_owners_of_cells(const comm::Comm& comm, int level,
                                             std::span<const geometry::Box> has,
                                             std::span<const geometry::Box> wants) {
  std::map<int, std::vector<Entered>> leaving;
  const auto enter = [&](std::span<const geometry::Box> boxes, int are_wanted) {
    for (const geometry::Box& box : boxes) {
      if (!box.empty()) {
        cells_of(box, level).for_each([&](const Cell& cell) {
          leaving[owner(cell, comm.size())].push_back({cell.at, comm.rank(), are_wanted, box});
        });
      }
    }
  };
  enter(has, 0);
  enter(wants, 1);
  std::vector<comm::Parcel> parcels;
  for (const auto& [rank, list] : leaving) {
    parcels.push_back({rank, Writer().put_array(list).take()});
  }
  return parcels;
}

/// Messages to those who have something: where others want it.
std::vector<comm::Parcel> to_those_who_have(int level, const std::vector<comm::Parcel>& arrived) {
  std::map<std::array<std::int32_t, 3>, std::vector<Entered>> cells;
  for (const comm::Parcel& parcel : arrived) {
    for (const Entered& entered : Reader(parcel.bytes).get_array<Entered>()) {
      cells[entered.cell].push_back(entered);
    }
  }
  std::map<int, std::vector<Entered>> to_send;
  for (const auto& [at, all] : cells) { // those of a rank follow each other
    for (const Entered& other : all) {
      int last = -1; // who was sent this box, once for all that it has
      for (const Entered& one : all) {
        if (one.wants == 0 && other.wants == 1 && one.rank != other.rank && one.rank != last &&
            meet_in({level, at}, one.box, other.box)) {
          to_send[one.rank].push_back(other);
          last = one.rank;
        }
      }
    }
  }
  std::vector<comm::Parcel> parcels;
  for (const auto& [rank, list] : to_send) {
    parcels.push_back({rank, Writer().put_array(list).take()});
  }
  return parcels;
}

} // namespace

std::vector<WantedBoxes> wanted_boxes(const comm::Comm& comm, std::span<const geometry::Box> has,
                                      std::span<const geometry::Box> wants) {
  const int level = level_of_all(comm, has, wants);
  const auto arrived = comm::sparse_exchange(comm, to_owners_of_cells(comm, level, has, wants));
  const auto received = comm::sparse_exchange(comm, to_those_who_have(level, arrived));
  std::map<int, std::vector<geometry::Box>> wanted;
  for (const comm::Parcel& parcel : received) {
    for (const Entered& entered : Reader(parcel.bytes).get_array<Entered>()) {
      std::vector<geometry::Box>& boxes = wanted[entered.rank];
      if (std::find(boxes.begin(), boxes.end(), entered.box) == boxes.end()) {
        boxes.push_back(entered.box); // once, though it may meet several
      }
    }
  }
  std::vector<WantedBoxes> result;
  for (auto& [rank, boxes] : wanted) {
    result.push_back({rank, std::move(boxes)});
  }
  return result;
}

} // namespace isthmus::rendezvous
