// SPDX-License-Identifier: BSD-3-Clause
#include "flow/multiblock/coarser.hpp"

#include "isthmus/base/error.hpp"

#include <cstddef>

namespace isthmus::flow {

namespace {

/// Calls visit(a bound of a range) for those along axes that become coarser.
template <typename Range, typename Visit>
void for_each_bound(Range& range, const Side& side, bool is_flat, Visit&& visit) {
  const auto axes = axes_of(side);
  for (std::size_t t = 0; t < axes.size(); ++t) {
    if (static_cast<std::size_t>(axes[t]) < num_halved(is_flat)) {
      visit(range.begin[t]);
      visit(range.end[t]);
    }
  }
}

void check_range(const SideRange& range, const Side& side, const GridSource& source, int levels) {
  for_each_bound(range, side, source.is_flat, [&](int bound) {
    check(
        bound % (1 << (levels - 1)) == 0,
        "a part of {} of \"{}\" begins or ends behind {} cells, which is no multiple of {}, as {} "
        "\"levels\" of multigrid need; lower \"levels\" in [scheme]",
        name_of(side), source.name, bound, 1 << (levels - 1), levels);
  });
}

void halve(SideRange& range, const Side& side, bool is_flat) {
  for_each_bound(range, side, is_flat, [](int& bound) { bound /= 2; });
}

} // namespace

void check_levels(const GridSource& source, int levels) {
  constexpr int least = 2; // cells, as many as there are layers of ghosts
  const int factor = 1 << (levels - 1);
  for (std::size_t b = 0; b < source.cells.size(); ++b) {
    for (std::size_t axis = 0; axis < num_halved(source.is_flat); ++axis) {
      const int count = source.cells[b][axis];
      check(count % factor == 0 && count / factor >= least,
            "block {} of \"{}\" has {} cells along {}: for {} \"levels\" of multigrid it must be "
            "{} or another multiple of {}; lower \"levels\" in [scheme]",
            b + 1, source.name, count, "ijk"[axis], levels, least * factor, factor);
    }
  }
  for (const NamedSide& named : source.named) {
    check_range(named.cells, named.side, source, levels);
  }
  for (const GivenConnection& given : source.connected) {
    check_range(given.cells, given.from, source, levels);
    check_range(given.there, given.to, source, levels);
  }
}

GridSource coarser(const GridSource& source) {
  GridSource result = source;
  for (Index3& cells : result.cells) {
    for (std::size_t axis = 0; axis < num_halved(source.is_flat); ++axis) {
      cells[axis] /= 2;
    }
  }
  for (NamedSide& named : result.named) {
    halve(named.cells, named.side, source.is_flat);
  }
  for (GivenConnection& given : result.connected) {
    halve(given.cells, given.from, source.is_flat);
    halve(given.there, given.to, source.is_flat);
  }
  const int apart_k = source.is_flat ? 1 : 2;
  result.load = [load = source.load, cells = result.cells, apart_k](int block) {
    const Nodes fine = load(block);
    Nodes nodes{cells[static_cast<std::size_t>(block)], {}};
    for (int k = 0; k <= nodes.cells[2]; ++k) {
      for (int j = 0; j <= nodes.cells[1]; ++j) {
        for (int i = 0; i <= nodes.cells[0]; ++i) {
          nodes.points.push_back(fine.points[fine.at(2 * i, 2 * j, apart_k * k)]);
        }
      }
    }
    return nodes;
  };
  return result;
}

} // namespace isthmus::flow
