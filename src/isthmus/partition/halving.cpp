// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/halving.hpp"

#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/lists.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

namespace isthmus::partition {

namespace {

constexpr std::uint64_t sign = std::uint64_t{1} << 63;

struct InPart {
  KeyedPoint item;
  int part;
};

// Keys in the order in which they decide; the id decides last.
struct Order {
  std::array<std::size_t, 3> axes{0, 1, 2};
  std::size_t count = 3; // of axes

  [[nodiscard]] std::uint64_t key(const KeyedPoint& item, std::size_t stage) const {
    return stage < count ? item.keys[axes[stage]] : static_cast<std::uint64_t>(item.id);
  }
};

// Longest edge of the bounding box first.
Order order_of(const comm::Comm& comm, std::span<const KeyedPoint> items, HalvingAxis direction) {
  if (direction == HalvingAxis::first) {
    return {{0, 0, 0}, 1};
  }
  constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  std::array<std::uint64_t, 6> ends; // smallest keys, complements of the largest
  ends.fill(none);
  for (const KeyedPoint& item : items) {
    for (std::size_t k = 0; k < 3; ++k) {
      ends[k] = std::min(ends[k], item.keys[k]);
      ends[k + 3] = std::min(ends[k + 3], ~item.keys[k]);
    }
  }
  comm::allreduce<std::uint64_t>(comm, ends, comm::Op::min);
  Order order;
  const auto length = [&ends](std::size_t k) {
    return unsortable(~ends[k + 3]) - unsortable(ends[k]);
  };
  std::stable_sort(order.axes.begin(), order.axes.end(),
                   [&length](std::size_t a, std::size_t b) { return length(a) > length(b); });
  return order;
}

enum class Measure { weight, count };

// Finds the items below the cut that has `target` of the measure below it, in the order of their
// keys: bytes from the highest on, whose sums all ranks know.
class Cut {
 public:
  Cut(const comm::Comm& comm, std::span<const KeyedPoint> items, const Order& order,
      Measure measure, GlobalIndex target)
      : comm_(comm), items_(items), measure_(measure), left_(target), below_(items.size(), 0) {
    undecided_.resize(items.size());
    std::iota(undecided_.begin(), undecided_.end(), std::size_t{0});
    for (std::size_t stage = 0; stage <= order.count; ++stage) {
      for (int shift = 56; shift >= 0; shift -= 8) {
        if (decide(order, stage, shift)) {
          return;
        }
      }
    }
  }

  [[nodiscard]] const std::vector<char>& below() const { return below_; }

 private:
  static constexpr std::size_t bytes = 256;

  [[nodiscard]] GlobalIndex measure(std::size_t i) const {
    return measure_ == Measure::weight ? items_[i].weight : 1;
  }

  // One byte of one key; whether everything is decided.
  bool decide(const Order& order, std::size_t stage, int shift) {
    const auto byte = [&](std::size_t i) {
      return static_cast<std::size_t>(order.key(items_[i], stage) >> shift & (bytes - 1));
    };
    std::vector<GlobalIndex> sums(2 * bytes, 0); // of the measure, of the items
    for (const std::size_t i : undecided_) {
      sums[byte(i)] += measure(i);
      ++sums[bytes + byte(i)];
    }
    comm::allreduce(comm_, std::span(sums), comm::Op::sum);
    std::size_t at = 0;
    while (at < bytes && sums[at] <= left_) {
      left_ -= sums[at++];
    }
    std::vector<std::size_t> here;
    for (const std::size_t i : undecided_) {
      if (byte(i) < at) {
        below_[i] = 1;
      } else if (byte(i) == at) {
        here.push_back(i);
      }
    }
    undecided_ = std::move(here);
    if (at < bytes && sums[bytes + at] == 1) { // to the side where it does less harm
      for (const std::size_t i : undecided_) {
        below_[i] = 2 * left_ >= measure(i) ? 1 : 0;
      }
      return true;
    }
    return at == bytes || left_ == 0;
  }

  const comm::Comm& comm_;
  std::span<const KeyedPoint> items_;
  Measure measure_;
  GlobalIndex left_; // of the target
  std::vector<char> below_;
  std::vector<std::size_t> undecided_;
};

// value * a / b without overflow, for a <= b.
GlobalIndex share(GlobalIndex value, GlobalIndex a, GlobalIndex b) {
  return value / b * a + value % b * a / b;
}

// Items below and above one cut, with their numbers on all ranks.
struct Halves {
  std::vector<KeyedPoint> below;
  std::vector<KeyedPoint> above;
  GlobalIndex num_below;
  GlobalIndex num_above;
};

Halves divide(std::vector<KeyedPoint> items, const Cut& cut, GlobalIndex num_below,
              GlobalIndex num_all) {
  Halves halves{{}, {}, num_below, num_all - num_below};
  for (std::size_t i = 0; i < items.size(); ++i) {
    (cut.below()[i] != 0 ? halves.below : halves.above).push_back(items[i]);
  }
  return halves;
}

// Cuts off the share of `lower` of `parts` parts, at least one item for each part on either side
// if there are enough.
Halves cut_in_two(const comm::Comm& comm, std::vector<KeyedPoint> items, GlobalIndex lower,
                  GlobalIndex parts, HalvingAxis direction) {
  const Order order = order_of(comm, items, direction);
  std::array<GlobalIndex, 2> totals{0, static_cast<GlobalIndex>(items.size())};
  for (const KeyedPoint& item : items) {
    totals[0] += item.weight;
  }
  comm::allreduce<GlobalIndex>(comm, totals, comm::Op::sum);
  const auto [weight, count] = totals;
  const auto number = [&comm](const Cut& cut) {
    return comm::allreduce(comm,
                           std::accumulate(cut.below().begin(), cut.below().end(), GlobalIndex{0}),
                           comm::Op::sum);
  };
  const bool enough = count >= parts;
  if (enough && weight > 0) {
    const Cut cut(comm, items, order, Measure::weight, share(weight, lower, parts));
    const GlobalIndex below = number(cut);
    const GlobalIndex possible = std::clamp(below, lower, count - (parts - lower));
    if (below == possible) {
      return divide(std::move(items), cut, below, count);
    }
    return divide(std::move(items), Cut(comm, items, order, Measure::count, possible), possible,
                  count);
  }
  const GlobalIndex below = share(count, lower, parts);
  return divide(std::move(items), Cut(comm, items, order, Measure::count, below), below, count);
}

// Deals both halves evenly to `low` ranks and the others.
std::vector<KeyedPoint> deal(const comm::Comm& comm, const Halves& halves, int low) {
  comm::Lists<KeyedPoint> outgoing; // to few ranks
  const auto assign = [&](const std::vector<KeyedPoint>& half, GlobalIndex total, int first,
                          int ranks) {
    GlobalIndex place = comm::exscan(comm, static_cast<GlobalIndex>(half.size()));
    for (const KeyedPoint& item : half) {
      outgoing[first + static_cast<int>(share(ranks, place++, total))].push_back(item);
    }
  };
  assign(halves.below, halves.num_below, 0, low);
  assign(halves.above, halves.num_above, low, comm.size() - low);
  std::vector<KeyedPoint> items;
  comm::append(comm::swap_lists(comm, outgoing), items);
  return items;
}

void divide_into_parts(const comm::Comm& comm, std::vector<KeyedPoint> items, int first, int parts,
                       HalvingAxis direction, std::vector<InPart>& in_parts) {
  if (parts == 1 || (comm.size() == 1 && items.empty())) {
    for (const KeyedPoint& item : items) {
      in_parts.push_back({item, first});
    }
    return;
  }
  const int lower = parts / 2;
  Halves halves = cut_in_two(comm, std::move(items), lower, parts, direction);
  if (comm.size() == 1) {
    divide_into_parts(comm, std::move(halves.below), first, lower, direction, in_parts);
    divide_into_parts(comm, std::move(halves.above), first + lower, parts - lower, direction,
                      in_parts);
    return;
  }
  const GlobalIndex all = std::max<GlobalIndex>(1, halves.num_below + halves.num_above);
  const int low =
      std::clamp(static_cast<int>(share(comm.size(), halves.num_below, all)), 1, comm.size() - 1);
  std::vector<KeyedPoint> dealt = deal(comm, halves, low);
  const bool is_low = comm.rank() < low;
  const comm::Comm group = comm.split(is_low ? 0 : 1);
  divide_into_parts(group, std::move(dealt), is_low ? first : first + lower,
                    is_low ? lower : parts - lower, direction, in_parts);
}

} // namespace

std::uint64_t sortable(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0); // -0 becomes 0
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

double unsortable(std::uint64_t key) {
  return std::bit_cast<double>((key & sign) != 0 ? key & ~sign : ~key);
}

std::vector<Placed> halve(const comm::Comm& comm, std::vector<KeyedPoint> items, int parts,
                          HalvingAxis direction) {
  std::vector<InPart> in_parts;
  divide_into_parts(comm, std::move(items), 0, parts, direction, in_parts);
  comm::Lists<Placed> outgoing;
  for (const InPart& one : in_parts) {
    outgoing[one.item.home].push_back({one.item.id, one.part});
  }
  std::vector<Placed> mine;
  comm::append(comm::swap_lists(comm, outgoing), mine);
  return mine;
}

} // namespace isthmus::partition
