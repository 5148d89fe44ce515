// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/rendezvous/meetings.hpp"

#include "isthmus/base/hash.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/lists.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace isthmus::rendezvous {

namespace {

constexpr double furthest = 1 << 30; // |Cell::at|

unsigned position(int level) {
  return static_cast<unsigned>(level - Cell::bottom);
}

/// Smallest e with 2^e >= x, for finite x > 0.
int ceil_log2(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent); // in [0.5, 1)
  return mantissa == 0.5 ? exponent - 1 : exponent;
}

} // namespace

void Levels::insert(int level) {
  bits[position(level) / 64] |= std::uint64_t{1} << position(level) % 64;
}

bool Levels::contains(int level) const {
  return (bits[position(level) / 64] >> position(level) % 64 & 1U) != 0;
}

int Levels::lowest() const {
  return Cell::bottom + (bits[0] != 0 ? std::countr_zero(bits[0]) : 64 + std::countr_zero(bits[1]));
}

int Levels::at_least(int level) const {
  int highest = Cell::bottom;
  for (int candidate = Cell::bottom; candidate <= Cell::top; ++candidate) {
    if (contains(candidate)) {
      highest = candidate;
      if (candidate >= level) {
        break;
      }
    }
  }
  return highest;
}

int level_of(const geometry::Box& box) {
  double furthest_corner = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    furthest_corner = std::max({furthest_corner, std::abs(box.lo[k]), std::abs(box.hi[k])});
  }
  const double edge = box.longest_edge();
  if (!std::isfinite(furthest_corner) || !std::isfinite(edge)) {
    return Cell::top;
  }
  const int fitting = edge > 0.0 ? ceil_log2(edge) : Cell::bottom;
  const int countable =
      furthest_corner > 0.0 ? ceil_log2(furthest_corner / furthest) : Cell::bottom;
  return std::clamp(std::max(fitting, countable), Cell::bottom, Cell::top);
}

Cell cell_at(int level, const geometry::Point& point) {
  Cell cell{level, {0, 0, 0}};
  for (std::size_t k = 0; k < 3 && level < Cell::top; ++k) {
    const double at = std::floor(std::ldexp(point[k], -level));
    cell.at[k] = static_cast<std::int32_t>(std::clamp(at, -furthest, furthest));
  }
  return cell;
}

bool meet_in(const Cell& cell, const geometry::Box& one, const geometry::Box& other) {
  if (!one.intersects(other)) {
    return false;
  }
  geometry::Point corner;
  for (std::size_t k = 0; k < 3; ++k) {
    corner[k] = std::max(one.lo[k], other.lo[k]);
  }
  return cell_at(cell.level, corner) == cell;
}

std::int64_t CellRange::size() const {
  double size = 1.0;
  for (std::size_t k = 0; k < 3; ++k) {
    size *= 1.0 + hi.at[k] - lo.at[k];
  }
  return static_cast<std::int64_t>(std::min(size, 1e18));
}

CellRange cells_of(const geometry::Box& box, int level) {
  return {cell_at(level, box.lo), cell_at(level, box.hi)};
}

std::uint64_t hash(const Cell& cell) {
  std::uint64_t hash = 0;
  for (const int number : {cell.level, cell.at[0], cell.at[1], cell.at[2]}) {
    hash = mixed(hash + 0x9e3779b97f4a7c15U + static_cast<std::uint32_t>(number));
  }
  return hash;
}

int owner(const Cell& cell, int ranks) {
  return static_cast<int>((hash(cell) >> 32) * static_cast<std::uint64_t>(ranks) >> 32);
}

void write(Writer& writer, const RankBoxes& of) {
  writer.put(of.side).put(of.rank).put_array(of.address).put_array(of.boxes);
}

RankBoxes read_boxes(Reader& reader) {
  RankBoxes of;
  of.side = reader.get<Side>();
  of.rank = reader.get<int>();
  of.address = reader.get_array<std::byte>();
  of.boxes = reader.get_array<geometry::Box>();
  return of;
}

void write(Writer& writer, const Meeting& meeting) {
  writer.put(meeting.side).put(meeting.rank).put(meeting.partner).put_array(meeting.address);
}

Meeting read_meeting(Reader& reader) {
  Meeting meeting;
  meeting.side = reader.get<Side>();
  meeting.rank = reader.get<int>();
  meeting.partner = reader.get<int>();
  meeting.address = reader.get_array<std::byte>();
  return meeting;
}

namespace {

struct Entry {
  const RankBoxes* of;
  int level;
  const geometry::Box* box;
};

struct Hash {
  std::size_t operator()(const Cell& cell) const { return hash(cell); }
};

using Pair = std::pair<const RankBoxes*, const RankBoxes*>; // of the provider, of the receiver

struct ByRank {
  bool operator()(const Pair& one, const Pair& other) const {
    return std::pair(one.first->rank, one.second->rank) <
           std::pair(other.first->rank, other.second->rank);
  }
};

using Pairs = std::set<Pair, ByRank>;

/// Whom an entry meets in its cell. Each pair of boxes meets once: on the coarser level of the two.
void add_pairs(const Cell& cell, std::span<const Entry> present, const Entry& entry, Pairs& pairs) {
  for (const Entry& other : present) {
    if (other.of->side != entry.of->side && std::max(other.level, entry.level) == cell.level &&
        meet_in(cell, *other.box, *entry.box)) {
      const bool provides = entry.of->side == Side::provider;
      pairs.insert(provides ? Pair(entry.of, other.of) : Pair(other.of, entry.of));
    }
  }
}

} // namespace

std::vector<Meeting> meetings_in(const Grid& grid, int rank, int ranks,
                                 std::span<const RankBoxes> all) {
  std::unordered_map<Cell, std::vector<Entry>, Hash> cells;
  Pairs pairs;
  for (const RankBoxes& of : all) {
    for (const geometry::Box& box : of.boxes) {
      const Entry entry{&of, grid.level(of.side, box), &box};
      grid.for_each_cell(of.side, box, [&](const Cell& cell) {
        if (owner(cell, ranks) == rank) {
          std::vector<Entry>& present = cells[cell];
          add_pairs(cell, present, entry, pairs);
          present.push_back(entry);
        }
      });
    }
  }
  std::vector<Meeting> meetings;
  for (const auto& [provider, receiver] : pairs) {
    meetings.push_back({Side::provider, provider->rank, receiver->rank, receiver->address});
    meetings.push_back({Side::receiver, receiver->rank, provider->rank, provider->address});
  }
  return meetings;
}

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

comm::Lists<Entered> to_owners_of_cells(const comm::Comm& comm, int level,
                                        std::span<const geometry::Box> has,
                                        std::span<const geometry::Box> wants) {
  comm::Lists<Entered> leaving;
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
  return leaving;
}

/// Messages to those who have something: where others want it.
comm::Lists<Entered> to_those_who_have(int level, const comm::Lists<Entered>& arrived) {
  std::map<std::array<std::int32_t, 3>, std::vector<Entered>> cells;
  for (const auto& [rank, list] : arrived) {
    for (const Entered& entered : list) {
      cells[entered.cell].push_back(entered);
    }
  }
  comm::Lists<Entered> to_send;
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
  return to_send;
}

} // namespace

std::vector<WantedBoxes> wanted_boxes(const comm::Comm& comm, std::span<const geometry::Box> has,
                                      std::span<const geometry::Box> wants) {
  const int level = level_of_all(comm, has, wants);
  const auto arrived = comm::swap_lists(comm, to_owners_of_cells(comm, level, has, wants));
  std::map<int, std::vector<geometry::Box>> wanted;
  for (const auto& [rank, list] : comm::swap_lists(comm, to_those_who_have(level, arrived))) {
    for (const Entered& entered : list) {
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
