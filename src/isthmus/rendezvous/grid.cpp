// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/rendezvous/grid.hpp"

#include "isthmus/base/hash.hpp"

#include <algorithm>
#include <bit>

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

void write(Writer& writer, const Delta& delta) {
  writer.put(delta.side).put(delta.rank).put_array(delta.address);
  writer.put_array(delta.removed).put_array(delta.added);
}

Delta read_delta(Reader& reader) {
  Delta delta;
  delta.side = reader.get<Side>();
  delta.rank = reader.get<int>();
  delta.address = reader.get_array<std::byte>();
  delta.removed = reader.get_array<geometry::Box>();
  delta.added = reader.get_array<geometry::Box>();
  return delta;
}

void write(Writer& writer, const Note& note) {
  writer.put(note.side).put(note.rank).put(note.partner).put(note.change).put_array(note.address);
}

Note read_note(Reader& reader) {
  Note note;
  note.side = reader.get<Side>();
  note.rank = reader.get<int>();
  note.partner = reader.get<int>();
  note.change = reader.get<int>();
  note.address = reader.get_array<std::byte>();
  return note;
}

std::vector<Note> Matches::apply(std::span<const Delta> deltas) {
  Sum sum;
  for (const Delta& delta : deltas) {
    for (const geometry::Box& box : delta.removed) {
      remove(delta, box, sum);
    }
    for (const geometry::Box& box : delta.added) {
      enter(delta, box, sum);
    }
  }
  std::vector<Note> notes;
  for (const auto& [pair, change] : sum) {
    if (change != 0) {
      note(pair, change, notes);
    }
  }
  forget_unused();
  return notes;
}

void Matches::enter(const Delta& delta, const geometry::Box& box, Sum& sum) {
  const Entry added = entry(delta, box);
  grid_.for_each_cell(delta.side, box, [&](const Cell& cell) {
    if (owner(cell, ranks_) != rank_) {
      return;
    }
    std::vector<Entry>& entries = cells_[cell];
    count(cell, entries, added, 1, sum);
    entries.push_back(added);
    Address& address = addresses_[{delta.side, delta.rank}];
    address.bytes = delta.address;
    ++address.entries;
  });
}

void Matches::remove(const Delta& delta, const geometry::Box& box, Sum& sum) {
  const Entry removed = entry(delta, box);
  grid_.for_each_cell(delta.side, box, [&](const Cell& cell) {
    if (owner(cell, ranks_) != rank_) {
      return;
    }
    const auto found = cells_.find(cell);
    check(found != cells_.end(), "a box of rank {} was removed that had not been entered",
          delta.rank);
    std::vector<Entry>& entries = found->second;
    const auto entered = std::find(entries.begin(), entries.end(), removed);
    check(entered != entries.end(), "a box of rank {} was removed that had not been entered",
          delta.rank);
    entries.erase(entered);
    count(cell, entries, removed, -1, sum);
    if (entries.empty()) {
      cells_.erase(found);
    }
    --addresses_.at({delta.side, delta.rank}).entries;
  });
}

/// Each pair of boxes that meet counts once: on the coarser level of the two.
void Matches::count(const Cell& cell, const std::vector<Entry>& entries, const Entry& entry,
                    int change, Sum& sum) const {
  for (const Entry& present : entries) {
    if (present.side == entry.side || std::max(present.level, entry.level) != cell.level) {
      continue;
    }
    if (meet_in(cell, present.box, entry.box)) {
      const bool provides = entry.side == Side::provider;
      sum[provides ? std::pair(entry.rank, present.rank) : std::pair(present.rank, entry.rank)] +=
          change;
    }
  }
}

void Matches::note(std::pair<int, int> pair, int change, std::vector<Note>& notes) const {
  const auto [provider, receiver] = pair;
  const auto address = [&](Side side, int rank) {
    return change > 0 ? addresses_.at({side, rank}).bytes : std::vector<std::byte>{};
  };
  notes.push_back({Side::provider, provider, receiver, change, address(Side::receiver, receiver)});
  notes.push_back({Side::receiver, receiver, provider, change, address(Side::provider, provider)});
}

void Matches::forget_unused() {
  std::erase_if(addresses_, [](const auto& item) { return item.second.entries == 0; });
}

std::size_t Matches::memory() const {
  std::size_t bytes = sizeof *this;
  for (const auto& [cell, entries] : cells_) {
    bytes += sizeof cell + sizeof entries + entries.capacity() * sizeof(Entry);
  }
  for (const auto& [rank, address] : addresses_) {
    bytes += sizeof rank + sizeof address + address.bytes.capacity();
  }
  return bytes;
}

} // namespace isthmus::rendezvous
