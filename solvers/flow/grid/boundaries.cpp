// SPDX-License-Identifier: BSD-3-Clause
#include "flow/grid/boundaries.hpp"

#include "flow/multiblock/rectangles.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/base/sequence.hpp"
#include "isthmus/grammar/suggest.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <map>
#include <utility>

namespace isthmus::flow {

namespace {

const std::vector<std::string> ends{"i-min", "i-max", "j-min", "j-max", "k-min", "k-max"};
constexpr int unnamed = -1;
constexpr int connected = -2;

/// What one name of the case file means: a side of one block, or of all (block -1).
Side parse_side(const std::string& name, const BoundaryNames& of, int blocks) {
  const std::size_t colon = name.find(':');
  check(colon != std::string::npos,
        "{}: \"{}\" names no side; write \"BLOCK:j-min\" or \"*:j-min\"", of.place, name);
  const std::string end = name.substr(colon + 1);
  const auto found = std::find(ends.begin(), ends.end(), end);
  check(found != ends.end(), "{}: \"{}\" names no side of a block{}", of.place, name,
        grammar::suggestion(end, ends));
  const int which = static_cast<int>(found - ends.begin());
  Side side{-1, which / 2, which % 2};
  const std::string block = name.substr(0, colon);
  if (block != "*") {
    const auto [last, error] =
        std::from_chars(block.data(), block.data() + block.size(), side.block);
    check(error == std::errc{} && last == block.data() + block.size() && side.block >= 1 &&
              side.block <= blocks,
          "{}: \"{}\" names no block; the grid has blocks 1 to {}, * means all", of.place, name,
          blocks);
    --side.block;
  }
  return side;
}

/// The boundary of each cell before one side.
class SideMask {
 public:
  SideMask(const Topology& topology, const Side& side) : side_(side), axes_(axes_of(side)) {
    const Index3& cells = topology.cells(side.block);
    for (std::size_t t = 0; t < 2; ++t) {
      counts_[t] = cells[static_cast<std::size_t>(axes_[t])];
    }
    layer_ = side.end == 0 ? 0 : cells[static_cast<std::size_t>(side.axis)] - 1;
    of_.assign(static_cast<std::size_t>(counts_[0]) * static_cast<std::size_t>(counts_[1]),
               unnamed);
    for (const Patch& patch : topology.behind(side)) {
      SideRange range;
      for (std::size_t t = 0; t < 2; ++t) {
        range.begin[t] = patch.begin[static_cast<std::size_t>(axes_[t])];
        range.end[t] = patch.end[static_cast<std::size_t>(axes_[t])];
      }
      for_each_in(range, [](int& of) { of = connected; });
    }
  }
  [[nodiscard]] SideRange all() const { return {{0, 0}, counts_}; }
  /// Names what meets no other block; returns the other boundary of a cell that has one.
  int name(const SideRange& range, int boundary) {
    int other = unnamed;
    for_each_in(range, [&](int& of) {
      other = of >= 0 ? of : other;
      of = of == connected ? connected : boundary;
    });
    return other;
  }
  [[nodiscard]] bool has(int what) const {
    return std::find(of_.begin(), of_.end(), what) != of_.end();
  }
  /// Rectangles of one boundary each.
  void list(std::vector<BoundaryPatch>& patches) const {
    const auto normal = static_cast<std::size_t>(side_.axis);
    for (const Rectangle& part : rectangles(of_, counts_)) {
      BoundaryPatch patch{side_, {}, {}, part.value};
      patch.begin[normal] = layer_;
      patch.end[normal] = layer_ + 1;
      for (std::size_t t = 0; t < 2; ++t) {
        patch.begin[static_cast<std::size_t>(axes_[t])] = part.begin[t];
        patch.end[static_cast<std::size_t>(axes_[t])] = part.end[t];
      }
      patches.push_back(patch);
    }
  }

 private:
  int& at(int a, int b) {
    return of_[static_cast<std::size_t>(b) * static_cast<std::size_t>(counts_[0]) +
               static_cast<std::size_t>(a)];
  }
  template <typename Visit>
  void for_each_in(const SideRange& range, Visit&& visit) {
    for (int b = range.begin[1]; b < range.end[1]; ++b) {
      for (int a = range.begin[0]; a < range.end[0]; ++a) {
        visit(at(a, b));
      }
    }
  }

  Side side_;
  std::array<int, 2> axes_;
  std::array<int, 2> counts_{};
  int layer_ = 0;
  std::vector<int> of_;
};

/// What the case file says of the sides of a grid.
class Names {
 public:
  Names(const Topology& topology, const GridSource& source,
        std::span<const BoundaryNames> boundaries)
      : topology_(topology), source_(source), boundaries_(boundaries) {
    for (std::size_t k = 0; k < boundaries.size(); ++k) {
      for (const std::string& name : boundaries[k].sides) {
        if (!boundaries[k].is_periodic) {
          take(name, static_cast<int>(k));
        }
      }
    }
  }

  /// The patches of one side.
  void list(const Side& side, bool needs_names, std::vector<BoundaryPatch>& patches) const {
    const auto said = of_.find(number(side));
    if (topology_.is_covered(side) || (said == of_.end() && !needs_names)) {
      return;
    }
    SideMask mask(topology_, side);
    for (std::size_t n = 0; said != of_.end() && n < said->second.size(); ++n) {
      const Said& one = said->second[n];
      const int other = mask.name(one.cells ? *one.cells : mask.all(), one.boundary);
      check(other < 0, "{}: {} has two boundaries; the other one is \"{}\"", name(one).place,
            name_of(side),
            other < 0 ? "" : boundaries_[static_cast<std::size_t>(other)].boundary.name);
    }
    check(!needs_names || !mask.has(unnamed),
          "{} meets no other block{} and has no boundary: name it in a [[boundary]], or make its "
          "nodes those of its neighbour",
          name_of(side), mask.has(connected) || said != of_.end() ? " everywhere" : "");
    mask.list(patches);
  }

 private:
  struct Said {
    int boundary;
    const SideRange* cells; // nullptr: all that meets nothing
  };

  [[nodiscard]] static int number(const Side& side) {
    return 6 * side.block + 2 * side.axis + side.end;
  }
  [[nodiscard]] const BoundaryNames& name(const Said& said) const {
    return boundaries_[static_cast<std::size_t>(said.boundary)];
  }
  void take(const std::string& name, int boundary) {
    const BoundaryNames& of = boundaries_[static_cast<std::size_t>(boundary)];
    if (take_named(name, boundary)) {
      return;
    }
    const int blocks = topology_.num_blocks();
    const Side named = parse_side(name, of, blocks);
    const int first = named.block < 0 ? 0 : named.block;
    const int last = named.block < 0 ? blocks - 1 : named.block;
    for (int b = first; b <= last; ++b) {
      const Side side{b, named.axis, named.end};
      const bool is_covered = topology_.is_covered(side);
      check(!is_covered || named.block < 0, "{}: {} meets {}, it is no boundary", of.place,
            name_of(side), is_covered ? name_of(topology_.behind(side).front().connection.to) : "");
      of_[number(side)].push_back({boundary, nullptr});
    }
  }
  /// What the grid calls so.
  bool take_named(const std::string& name, int boundary) {
    bool is_found = false;
    for (const NamedSide& named : source_.named) {
      if (named.name == name) {
        of_[number(named.side)].push_back({boundary, &named.cells});
        is_found = true;
      }
    }
    if (!is_found && !source_.named.empty() && name.find(':') == std::string::npos) {
      std::vector<std::string> known;
      for (const NamedSide& named : source_.named) {
        known.push_back(named.name);
      }
      sort_once(known);
      fail("{}: \"{}\" calls nothing \"{}\"{}",
           boundaries_[static_cast<std::size_t>(boundary)].place, source_.name, name,
           grammar::suggestion(name, known));
    }
    return is_found;
  }

  const Topology& topology_;
  const GridSource& source_;
  std::span<const BoundaryNames> boundaries_;
  std::map<int, std::vector<Said>> of_; // per side
};

} // namespace

std::vector<Periodic> periodic_sides(std::span<const BoundaryNames> boundaries, int num_blocks) {
  std::vector<Periodic> all;
  for (const BoundaryNames& names : boundaries) {
    if (!names.is_periodic) {
      continue;
    }
    Periodic pair{{}, names.shift};
    for (const std::string& name : names.sides) {
      Side side = parse_side(name, names, num_blocks);
      check(side.block >= 0 || num_blocks == 1,
            "{}: periodic sides are named one by one, \"{}\" stands for several", names.place,
            name);
      side.block = std::max(side.block, 0);
      pair.sides.push_back(side);
    }
    all.push_back(std::move(pair));
  }
  return all;
}

std::vector<BoundaryPatch> name_boundaries(const Topology& topology, const GridSource& source,
                                           std::span<const BoundaryNames> boundaries) {
  const Names names(topology, source, boundaries);
  std::vector<BoundaryPatch> patches;
  for (int b = 0; b < topology.num_blocks(); ++b) {
    for (int n = 0; n < 6; ++n) {
      names.list({b, n / 2, n % 2}, n < 4 || !source.is_flat, patches);
    }
  }
  return patches;
}

std::optional<BoundarySide> boundary_side(const Index3& cells, const Piece& piece,
                                          const Extent& extent, std::size_t own,
                                          const BoundaryPatch& patch, BoundaryKind kind) {
  const auto normal = static_cast<std::size_t>(patch.side.axis);
  const bool is_there =
      patch.side.end == 0 ? piece.begin[normal] == 0 : piece.end[normal] == cells[normal];
  if (!is_there) {
    return {};
  }
  BoundarySide side{own, patch.side, kind, static_cast<std::size_t>(patch.boundary), {}, {}};
  for (std::size_t a = 0; a < 3; ++a) {
    const int ghosts = extent.ghosts(static_cast<int>(a));
    const int count = extent.count(static_cast<int>(a));
    if (a == normal) {
      side.begin[a] = patch.side.end == 0 ? -ghosts : count;
      side.end[a] = side.begin[a] + ghosts;
      continue;
    }
    // goes on behind the ends of the block, and around the piece
    const int begin = patch.begin[a] == 0 ? -ghosts : patch.begin[a] - piece.begin[a];
    const int end = patch.end[a] == cells[a] ? count + ghosts : patch.end[a] - piece.begin[a];
    side.begin[a] = std::max(begin, -ghosts);
    side.end[a] = std::min(end, count + ghosts);
    if (side.begin[a] >= side.end[a]) {
      return {};
    }
  }
  return side;
}

} // namespace isthmus::flow
