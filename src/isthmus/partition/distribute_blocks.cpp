// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/partition/blocks.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace isthmus::partition {

namespace {

using Center = std::array<double, 3>;

constexpr std::size_t window = 6; // pieces near a border that may go to either side of it
// Of a face made by a cut, beside one between blocks: where there are parts for all blocks, cuts
// are many and every one adds ghost cells.
constexpr double cut_price = 4.0;
constexpr double cut_price_many = 16.0;
constexpr int no_piece = -1;

void check_grid(const Multiblock& grid, int parts, const BlockSettings& settings) {
  GlobalIndex units = 0;
  for (std::size_t b = 0; b < grid.blocks.size(); ++b) {
    const auto& n = grid.blocks[b].cells;
    check(n[0] > 0 && n[1] > 0 && n[2] > 0, "block {} has {} x {} x {} cells", b, n[0], n[1], n[2]);
    units += settings.split ? static_cast<GlobalIndex>(n[0]) * n[1] * n[2] : 1;
  }
  const auto count = static_cast<int>(grid.blocks.size());
  for (const Seam& seam : grid.seams) {
    check(seam.low >= 0 && seam.low < count && seam.high >= 0 && seam.high < count &&
              seam.axis >= 0 && seam.axis < 3,
          "a seam joins block {} and block {} of {} along axis {}", seam.low, seam.high, count,
          seam.axis);
    for (int k = 0; k < 3; ++k) {
      const auto d = static_cast<std::size_t>(k);
      const int a = grid.blocks[static_cast<std::size_t>(seam.low)].cells[d];
      const int b = grid.blocks[static_cast<std::size_t>(seam.high)].cells[d];
      check(k == seam.axis || a == b,
            "blocks {} and {} meet along axis {} with {} and {} cells along axis {}", seam.low,
            seam.high, seam.axis, a, b, k);
    }
  }
  check(parts >= 1, "{} parts are asked for; 1 is the least", parts);
  check(parts <= units, "{} parts are asked for of {} {}; ask for fewer", parts, units,
        settings.split ? "cells" : "blocks");
}

// Where the two ends of each block are in space, along each axis: half way to its neighbours.
std::vector<std::array<Center, 3>> spans(const Multiblock& grid) {
  std::vector<std::array<Center, 3>> lengths(grid.blocks.size());
  std::vector<std::array<int, 3>> counts(grid.blocks.size(), {0, 0, 0});
  for (const Seam& seam : grid.seams) {
    const auto axis = static_cast<std::size_t>(seam.axis);
    for (const int block : {seam.low, seam.high}) {
      const auto b = static_cast<std::size_t>(block);
      ++counts[b][axis];
      for (std::size_t d = 0; d < 3; ++d) {
        lengths[b][axis][d] += grid.blocks[static_cast<std::size_t>(seam.high)].center[d] -
                               grid.blocks[static_cast<std::size_t>(seam.low)].center[d];
      }
    }
  }
  for (std::size_t b = 0; b < lengths.size(); ++b) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (double& x : lengths[b][axis]) {
        x /= std::max(1, counts[b][axis]);
      }
    }
  }
  return lengths;
}

// What may be done at one border: pieces of a window that go below it, and a piece that is cut.
struct Choice {
  double excess = std::numeric_limits<double>::infinity(); // load beyond what is allowed
  double price = 0.0;                                      // faces between the sides
  std::vector<char> above;                                 // per piece
  int cut = no_piece;                                      // piece
  int axis = 0;
  int at = 0;            // planes of its low end
  bool low_below = true; // which end goes below

  [[nodiscard]] bool better_than(const Choice& other) const {
    constexpr double same = 1e-9;
    return excess < other.excess - same || (excess < other.excess + same && price < other.price);
  }
};

// Two groups of parts, and what they should have.
struct Target {
  int lower;    // parts
  int upper;    // parts
  double cells; // below
  double total; // cells
};

class Bisection {
 public:
  Bisection(const Multiblock& grid, int parts, const BlockSettings& settings)
      : grid_(grid), settings_(settings), finder_(grid), spans_(spans(grid)) {
    GlobalIndex total = 0;
    for (const Piece& piece : whole_blocks(grid)) {
      total += piece.cells();
    }
    mean_ = static_cast<double>(total) / parts;
    price_ = parts < static_cast<int>(grid.blocks.size()) ? cut_price : cut_price_many;
  }

  void run(std::vector<Piece> pieces, int first, int parts) {
    if (parts == 1) {
      for (Piece& piece : pieces) {
        piece.part = first;
        done_.push_back(piece);
      }
      return;
    }
    const int lower = parts / 2;
    const Choice choice = best_choice(pieces, lower, parts - lower);
    std::vector<Piece> below;
    std::vector<Piece> above;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (static_cast<int>(i) == choice.cut) {
        Piece low = pieces[i];
        Piece high = pieces[i];
        const auto k = static_cast<std::size_t>(choice.axis);
        low.end[k] = high.begin[k] = pieces[i].begin[k] + choice.at;
        (choice.low_below ? below : above).push_back(low);
        (choice.low_below ? above : below).push_back(high);
      } else {
        (choice.above[i] != 0 ? above : below).push_back(pieces[i]);
      }
    }
    run(std::move(below), first, lower);
    run(std::move(above), first + lower, parts - lower);
  }

  std::vector<Piece> take() { return std::move(done_); }

 private:
  [[nodiscard]] Center center(const Piece& piece) const {
    const auto b = static_cast<std::size_t>(piece.block);
    Center x = grid_.blocks[b].center;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double at = 0.5 * (piece.begin[axis] + piece.end[axis]) / grid_.blocks[b].cells[axis];
      for (std::size_t d = 0; d < 3; ++d) {
        x[d] += (at - 0.5) * spans_[b][axis][d];
      }
    }
    return x;
  }

  // How far the load of a side may be above its share: less for many parts, which will have to
  // share it.
  [[nodiscard]] double excess(double load, int parts) const {
    const double allowed = (settings_.tolerance - 1.0) * (parts == 1 ? 1.0 : 0.2 + 0.4 / parts);
    return std::max(0.0, load / (parts * mean_) - 1.0 - allowed);
  }
  [[nodiscard]] double excess(double below, const Target& target) const {
    return std::max(excess(below, target.lower), excess(target.total - below, target.upper));
  }

  Choice best_choice(const std::vector<Piece>& pieces, int lower, int upper) const {
    double total = 0.0;
    std::vector<Center> centers;
    for (const Piece& piece : pieces) {
      total += static_cast<double>(piece.cells());
      centers.push_back(center(piece));
    }
    const Target target{lower, upper, total * lower / (lower + upper), total};
    std::vector<std::vector<Contact>> touching(pieces.size());
    for (const Contact& contact : finder_.find(pieces)) {
      touching[static_cast<std::size_t>(contact.low)].push_back(contact);
      touching[static_cast<std::size_t>(contact.high)].push_back(contact);
    }
    Choice best;
    std::vector<std::size_t> order(pieces.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t d = 0; d < 3; ++d) {
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t x, std::size_t y) { return centers[x][d] < centers[y][d]; });
      Border(*this, pieces, touching, target, order).search(best);
    }
    return best;
  }

  // The border between two sides in one order of the pieces.
  class Border {
   public:
    Border(const Bisection& all, const std::vector<Piece>& pieces,
           const std::vector<std::vector<Contact>>& touching, const Target& target,
           const std::vector<std::size_t>& order)
        : all_(all), pieces_(pieces), touching_(touching), target_(target) {
      double sum = 0.0;
      std::size_t at = 0;
      while (at < order.size() && sum + cells(order[at]) <= target.cells) {
        sum += cells(order[at++]);
      }
      if (!all.settings_.split) { // every part needs a block, however uneven that is
        at = std::clamp(at, static_cast<std::size_t>(target.lower),
                        order.size() - static_cast<std::size_t>(target.upper));
      }
      const std::size_t size = std::min(window, order.size());
      first_ = std::min(at > size / 2 ? at - size / 2 : 0, order.size() - size);
      free_.assign(order.begin() + static_cast<std::ptrdiff_t>(first_),
                   order.begin() + static_cast<std::ptrdiff_t>(first_ + size));
      above_.assign(pieces.size(), 1);
      for (std::size_t i = 0; i < first_; ++i) {
        above_[order[i]] = 0;
        base_ += cells(order[i]);
      }
      last_ = order.size() - first_ - size;
      for (const Contact& contact : fixed_contacts()) {
        fixed_price_ += crossing(contact) ? static_cast<double>(contact.area) : 0.0;
      }
    }

    void search(Choice& best) {
      for (unsigned mask = 0; mask < 1U << free_.size(); ++mask) {
        double below = base_;
        std::size_t count = 0;
        for (std::size_t i = 0; i < free_.size(); ++i) {
          const bool is_below = (mask >> i & 1U) != 0;
          above_[free_[i]] = is_below ? 0 : 1;
          below += is_below ? cells(free_[i]) : 0.0;
          count += is_below ? 1 : 0;
        }
        try_whole(below, first_ + count, free_.size() - count + last_, best);
        if (all_.settings_.split && below < target_.cells) {
          try_cuts(below, best);
        }
      }
    }

   private:
    [[nodiscard]] double cells(std::size_t piece) const {
      return static_cast<double>(pieces_[piece].cells());
    }
    [[nodiscard]] bool is_free(int piece) const {
      return std::find(free_.begin(), free_.end(), static_cast<std::size_t>(piece)) != free_.end();
    }
    [[nodiscard]] bool crossing(const Contact& contact) const {
      return above_[static_cast<std::size_t>(contact.low)] !=
             above_[static_cast<std::size_t>(contact.high)];
    }
    // Between pieces whose sides are decided.
    [[nodiscard]] std::vector<Contact> fixed_contacts() const {
      std::vector<Contact> result;
      for (std::size_t i = 0; i < pieces_.size(); ++i) {
        for (const Contact& contact : touching_[i]) {
          if (contact.low == static_cast<int>(i) && !is_free(contact.low) &&
              !is_free(contact.high)) {
            result.push_back(contact);
          }
        }
      }
      return result;
    }

    void offer(Choice choice, Choice& best) const {
      if (choice.better_than(best)) {
        choice.above = above_;
        best = std::move(choice);
      }
    }

    // Faces of free pieces to the other side; without those of piece `left_out`.
    [[nodiscard]] double price(int left_out) const {
      double sum = fixed_price_;
      for (const std::size_t i : free_) {
        for (const Contact& contact : touching_[i]) {
          const int other = contact.low == static_cast<int>(i) ? contact.high : contact.low;
          const bool once = other > static_cast<int>(i) || !is_free(other);
          if (once && static_cast<int>(i) != left_out && other != left_out && crossing(contact)) {
            sum += static_cast<double>(contact.area);
          }
        }
      }
      return sum;
    }

    void try_whole(double below, std::size_t num_below, std::size_t num_above, Choice& best) const {
      const bool enough = all_.settings_.split
                              ? below > 0.0 && below < target_.total
                              : num_below >= static_cast<std::size_t>(target_.lower) &&
                                    num_above >= static_cast<std::size_t>(target_.upper);
      Choice choice;
      choice.excess = all_.excess(below, target_);
      if (enough && choice.excess <= best.excess) {
        choice.price = price(no_piece);
        offer(choice, best);
      }
    }

    void try_cuts(double below, Choice& best) const {
      for (const std::size_t piece : free_) {
        const double missing = target_.cells - below;
        if (above_[piece] == 0 || missing >= cells(piece)) {
          continue;
        }
        double others = -1.0; // known when it is needed
        for (int axis = 0; axis < 3; ++axis) {
          const auto plane = static_cast<double>(pieces_[piece].plane(axis));
          const int nearest = static_cast<int>(missing / plane);
          for (const int planes : {nearest, nearest + 1}) {
            if (planes < 1 || planes >= pieces_[piece].length(axis)) {
              continue;
            }
            Choice choice;
            choice.excess = all_.excess(below + planes * plane, target_);
            if (choice.excess > best.excess) {
              continue;
            }
            others = others < 0.0 ? price(static_cast<int>(piece)) : others;
            choice.cut = static_cast<int>(piece);
            choice.axis = axis;
            for (const bool low_below : {true, false}) {
              choice.low_below = low_below;
              choice.at = low_below ? planes : pieces_[piece].length(axis) - planes;
              choice.price = others + all_.price_ * plane + price_of_ends(choice);
              offer(choice, best);
            }
          }
        }
      }
    }

    // Faces of both ends of a cut piece to the other sides.
    [[nodiscard]] double price_of_ends(const Choice& choice) const {
      const auto piece = static_cast<std::size_t>(choice.cut);
      const double low_share = static_cast<double>(choice.at) / pieces_[piece].length(choice.axis);
      double sum = 0.0;
      for (const Contact& contact : touching_[piece]) {
        const bool at_high_face = contact.low == choice.cut;
        const int other = at_high_face ? contact.high : contact.low;
        const bool other_below = above_[static_cast<std::size_t>(other)] == 0;
        double low_part = low_share; // of the contact
        if (contact.axis == choice.axis) {
          low_part = at_high_face ? 0.0 : 1.0;
        }
        const double below_part = choice.low_below ? low_part : 1.0 - low_part;
        sum += static_cast<double>(contact.area) * (other_below ? 1.0 - below_part : below_part);
      }
      return sum;
    }

    const Bisection& all_;
    const std::vector<Piece>& pieces_;
    const std::vector<std::vector<Contact>>& touching_; // per piece
    const Target& target_;
    std::size_t first_ = 0;         // pieces surely below
    std::size_t last_ = 0;          // pieces surely above
    std::vector<std::size_t> free_; // the window
    std::vector<char> above_;       // per piece
    double base_ = 0.0;             // cells surely below
    double fixed_price_ = 0.0;
  };

  const Multiblock& grid_;
  const BlockSettings& settings_;
  ContactFinder finder_;
  std::vector<std::array<Center, 3>> spans_;
  double mean_; // cells of a part
  double price_;
  std::vector<Piece> done_;
};

} // namespace

std::vector<Piece> distribute_blocks(const Multiblock& grid, int parts,
                                     const BlockSettings& settings) {
  check_grid(grid, parts, settings);
  Bisection bisection(grid, parts, settings);
  bisection.run(whole_blocks(grid), 0, parts);
  return bisection.take();
}

} // namespace isthmus::partition
