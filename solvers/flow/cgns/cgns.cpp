// SPDX-License-Identifier: BSD-3-Clause
#include "flow/cgns/cgns.hpp"

#include "flow/cgns/tree.hpp"
#include "flow/multiblock/topology.hpp"
#include "isthmus/base/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

namespace isthmus::flow {

namespace {

/// Nodes from one corner to the other one, from 1 on, of a side: either end may be the larger one.
struct PointRange {
  Index3 begin{};
  Index3 end{};
};

struct Zones {
  int dimensions = 0; // of indices
  std::vector<Index3> cells;
  std::map<std::string, int> numbers; // by name
};

PointRange read_range(const CgnsNode& node, int dimensions) {
  const std::vector<std::int64_t> values = node.integers();
  const auto n = static_cast<std::size_t>(dimensions);
  check(values.size() == 2 * n, "{} is no range of {} indices", node.place(), n);
  PointRange range{{1, 1, 1}, {1, 1, 2}}; // k of flat ones
  for (std::size_t a = 0; a < n; ++a) {
    range.begin[a] = static_cast<int>(values[a]);
    range.end[a] = static_cast<int>(values[n + a]);
  }
  return range;
}

/// The side on which a range of nodes lies, and its cells.
std::pair<Side, SideRange> find_side(const CgnsNode& node, const Zones& zones, int block,
                                     const PointRange& range) {
  const Index3& cells = zones.cells[static_cast<std::size_t>(block)];
  Side side{block, -1, 0};
  for (int axis = 0; axis < zones.dimensions; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    if (range.begin[a] == range.end[a] && (range.begin[a] == 1 || range.begin[a] == cells[a] + 1)) {
      side.axis = axis;
      side.end = range.begin[a] == 1 ? 0 : 1;
    }
  }
  check(side.axis >= 0, "{} does not lie on a side of its zone", node.place());
  SideRange found;
  const auto axes = axes_of(side);
  for (std::size_t t = 0; t < 2; ++t) {
    const auto a = static_cast<std::size_t>(axes[t]);
    found.begin[t] = std::min(range.begin[a], range.end[a]) - 1;
    found.end[t] = std::max(range.begin[a], range.end[a]) - 1;
    check(found.begin[t] >= 0 && found.begin[t] < found.end[t] && found.end[t] <= cells[a],
          "{} goes from {} to {} along {}, its zone has {} cells", node.place(), range.begin[a],
          range.end[a], "ijk"[a], cells[a]);
  }
  return {side, found};
}

/// How the two axes of a side run along those of the donor's.
Orientation orientation_of(const CgnsNode& node, const Zones& zones, const Side& from,
                           const Side& to) {
  Index3 transform{1, 2, 3};
  const std::vector<std::int64_t> values = node.integers();
  check(static_cast<int>(values.size()) == zones.dimensions, "{} needs {} numbers", node.place(),
        zones.dimensions);
  std::copy(values.begin(), values.end(), transform.begin());
  Orientation found{};
  const auto own = axes_of(from);
  const auto there = axes_of(to);
  std::array<std::size_t, 2> target{};
  for (std::size_t t = 0; t < 2; ++t) {
    const int along = transform[static_cast<std::size_t>(own[t])];
    target[t] = static_cast<std::size_t>(
        std::find(there.begin(), there.end(), std::abs(along) - 1) - there.begin());
    found.is_reversed[t] = along < 0;
  }
  check(target[0] + target[1] == 1, "{} does not turn one side into the other one", node.place());
  found.is_swapped = target[0] == 1;
  return found;
}

void read_connections(const CgnsNode& zone, const Zones& zones, int block, GridSource& grid) {
  for (const CgnsNode& all : zone.children("ZoneGridConnectivity_t")) {
    for (const CgnsNode& one : all.children("GridConnectivity1to1_t")) {
      if (!one.children("GridConnectivityProperty_t").empty()) {
        continue; // periodic: the case says which sides are
      }
      const auto donor = zones.numbers.find(one.text());
      check(donor != zones.numbers.end(), "{} leads to a zone \"{}\", which there is not",
            one.place(), one.text());
      const CgnsNode here = one.child("IndexRange_t", "PointRange");
      const CgnsNode there = one.child("IndexRange_t", "PointRangeDonor");
      const auto [from, cells] = find_side(here, zones, block, read_range(here, zones.dimensions));
      const auto [to, cells_there] =
          find_side(there, zones, donor->second, read_range(there, zones.dimensions));
      grid.connected.push_back(
          {from, cells, to, cells_there,
           orientation_of(one.child("\"int[IndexDimension]\"", "Transform"), zones, from, to)});
    }
  }
}

void read_boundaries(const CgnsNode& zone, const Zones& zones, int block, GridSource& grid) {
  for (const CgnsNode& all : zone.children("ZoneBC_t")) {
    for (const CgnsNode& one : all.children("BC_t")) {
      const auto ranges = one.children("IndexRange_t");
      check(!ranges.empty(), "{} has no PointRange; lists of points are not read", one.place());
      const auto [side, cells] =
          find_side(ranges.front(), zones, block, read_range(ranges.front(), zones.dimensions));
      NamedSide named{one.name(), side, cells};
      grid.named.push_back(named);
      for (const CgnsNode& family : one.children("FamilyName_t")) {
        named.name = family.text();
        if (named.name != one.name()) {
          grid.named.push_back(named);
        }
      }
    }
  }
}

Index3 read_cells(const CgnsNode& zone, int dimensions) {
  check(zone.child("ZoneType_t", "ZoneType").text() == "Structured",
        "{} is not structured; this solver needs blocks", zone.place());
  const std::vector<std::int64_t> sizes = zone.integers(); // nodes, cells, …
  const auto n = static_cast<std::size_t>(dimensions);
  check(sizes.size() == 3 * n, "{} has no sizes of {} indices", zone.place(), n);
  Index3 cells{1, 1, 1};
  for (std::size_t a = 0; a < n; ++a) {
    check(sizes[a] >= 2 && sizes[a] < 1 << 30 && sizes[n + a] == sizes[a] - 1,
          "{} has {} nodes and {} cells along {}", zone.place(), sizes[a], sizes[n + a], "ijk"[a]);
    cells[a] = static_cast<int>(sizes[n + a]);
  }
  return cells;
}

Nodes read_nodes(const std::filesystem::path& path, const std::string& base,
                 const std::string& zone, const Index3& cells, bool is_flat) {
  const CgnsNode node = CgnsNode::open(path).child("CGNSBase_t", base).child("Zone_t", zone);
  const CgnsNode grid = node.child("GridCoordinates_t", "GridCoordinates");
  const std::size_t plane =
      static_cast<std::size_t>(cells[0] + 1) * static_cast<std::size_t>(cells[1] + 1);
  const std::size_t count = is_flat ? plane : plane * static_cast<std::size_t>(cells[2] + 1);
  Nodes nodes{cells, std::vector<Vector>(is_flat ? 2 * plane : count)};
  const char* const names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  for (std::size_t c = 0; c < (is_flat ? 2 : 3); ++c) {
    const CgnsNode array = grid.child("DataArray_t", names[c]);
    const std::vector<double> values = array.reals();
    check(values.size() == count, "{} has {} values, its zone {} nodes", array.place(),
          values.size(), count);
    for (std::size_t n = 0; n < nodes.points.size(); ++n) {
      nodes.points[n][c] = values[n % count];
    }
  }
  for (std::size_t n = plane; is_flat && n < 2 * plane; ++n) {
    nodes.points[n][2] = 1;
  }
  return nodes;
}

} // namespace

GridSource open_cgns(const std::filesystem::path& path) {
  const CgnsNode root = CgnsNode::open(path);
  const auto bases = root.children("CGNSBase_t");
  check(!bases.empty(), "{} has no base", root.place());
  const CgnsNode& base = bases.front();
  const std::vector<std::int64_t> dimensions = base.integers();
  check(!dimensions.empty() && (dimensions[0] == 2 || dimensions[0] == 3),
        "{} has cells of {} dimensions", base.place(), dimensions.empty() ? 0 : dimensions[0]);
  Zones zones{static_cast<int>(dimensions[0]), {}, {}};
  GridSource grid{path.string(), zones.dimensions == 2, {}, {}};
  std::vector<std::string> names;
  const auto all = base.children("Zone_t");
  check(!all.empty(), "{} has no zones", base.place());
  for (const CgnsNode& zone : all) {
    zones.numbers.emplace(zone.name(), static_cast<int>(names.size()));
    names.push_back(zone.name());
    zones.cells.push_back(read_cells(zone, zones.dimensions));
  }
  for (std::size_t b = 0; b < all.size(); ++b) {
    read_connections(all[b], zones, static_cast<int>(b), grid);
    read_boundaries(all[b], zones, static_cast<int>(b), grid);
  }
  grid.cells = zones.cells;
  grid.load = [path, base = base.name(), names, cells = zones.cells,
               is_flat = grid.is_flat](int block) {
    const auto b = static_cast<std::size_t>(block);
    return read_nodes(path, base, names[b], cells[b], is_flat);
  };
  return grid;
}

} // namespace isthmus::flow
