// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/rendezvous/matches.hpp"

#include <algorithm>

namespace isthmus::rendezvous {

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

/// Each pair of boxes that meet counts once: on the coarser level of the two, in the cell of the
/// lowest corner of what they share.
void Matches::count(const Cell& cell, const std::vector<Entry>& entries, const Entry& entry,
                    int change, Sum& sum) const {
  for (const Entry& present : entries) {
    if (present.side == entry.side || std::max(present.level, entry.level) != cell.level ||
        !present.box.intersects(entry.box)) {
      continue;
    }
    geometry::Point corner;
    for (std::size_t k = 0; k < 3; ++k) {
      corner[k] = std::max(present.box.lo[k], entry.box.lo[k]);
    }
    if (cell_at(cell.level, corner) == cell) {
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
