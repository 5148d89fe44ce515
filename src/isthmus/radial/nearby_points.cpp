// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/nearby_points.hpp"

#include "isthmus/base/hash.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"
#include "isthmus/geometry/cover.hpp"
#include "isthmus/mapping/cloud.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace isthmus::radial {

namespace {

using geometry::Box;
using geometry::Point;

constexpr int max_boxes = 16;

/// A box around points that a rank has, or within which it wants some.
struct Region {
  int rank;
  int wants;
  Box box;
};

using Cell = std::array<std::int64_t, 3>;

struct Placed {
  Cell cell;
  Region region;
};

Cell cell_of(const Point& x, double edge) {
  Cell cell{};
  for (std::size_t k = 0; k < 3; ++k) {
    cell[k] = static_cast<std::int64_t>(std::floor(x[k] / edge));
  }
  return cell;
}

int keeper(const Cell& cell, int ranks) {
  return dealt_rank(std::span<const std::int64_t>(cell), ranks);
}

/// Of cells of which the regions of a rank touch few.
double edge_of_cells(const comm::Comm& comm, std::span<const Region> own) {
  double longest = 0;
  for (const Region& region : own) {
    longest = std::max(longest, region.box.longest_edge());
    for (std::size_t k = 0; k < 3; ++k) { // numbers of cells stay exact
      longest = std::max(
          {longest, 1e-12 * std::abs(region.box.lo[k]), 1e-12 * std::abs(region.box.hi[k])});
    }
  }
  longest = comm::allreduce(comm, longest, comm::Op::max);
  return longest > 0 ? longest : 1.0;
}

std::vector<comm::Parcel> to_keepers(std::span<const Region> own, double edge, int ranks) {
  std::map<int, std::vector<Placed>> leaving;
  for (const Region& region : own) {
    const Cell lo = cell_of(region.box.lo, edge);
    const Cell hi = cell_of(region.box.hi, edge);
    for (std::int64_t x = lo[0]; x <= hi[0]; ++x) {
      for (std::int64_t y = lo[1]; y <= hi[1]; ++y) {
        for (std::int64_t z = lo[2]; z <= hi[2]; ++z) {
          const Cell cell{x, y, z};
          leaving[keeper(cell, ranks)].push_back({cell, region});
        }
      }
    }
  }
  std::vector<comm::Parcel> parcels;
  for (const auto& [rank, list] : leaving) {
    parcels.push_back({rank, Writer().put_array(list).take()});
  }
  return parcels;
}

/// Tells those who have points of the regions that others want.
std::vector<comm::Parcel> meetings(const std::vector<comm::Parcel>& arrived) {
  std::map<Cell, std::vector<Region>> cells;
  for (const comm::Parcel& parcel : arrived) {
    for (const Placed& placed : Reader(parcel.bytes).get_array<Placed>()) {
      cells[placed.cell].push_back(placed.region);
    }
  }
  std::map<int, std::vector<Region>> told;
  for (const auto& [cell, regions] : cells) {
    for (const Region& one : regions) {
      for (const Region& other : regions) {
        if (one.wants == 0 && other.wants == 1 && one.rank != other.rank &&
            one.box.intersects(other.box)) {
          told[one.rank].push_back(other);
        }
      }
    }
  }
  std::vector<comm::Parcel> parcels;
  for (const auto& [rank, regions] : told) {
    parcels.push_back({rank, Writer().put_array(regions).take()});
  }
  return parcels;
}

/// The own points in the regions that others want.
std::vector<comm::Parcel> answers(const DealtPoints& centers,
                                  const std::vector<comm::Parcel>& told) {
  std::map<int, std::vector<Box>> wanted;
  for (const comm::Parcel& parcel : told) {
    for (const Region& region : Reader(parcel.bytes).get_array<Region>()) {
      wanted[region.rank].push_back(region.box);
    }
  }
  std::vector<comm::Parcel> parcels;
  for (const auto& [rank, boxes] : wanted) {
    std::vector<Point> points;
    std::vector<GlobalIndex> numbers;
    for (std::size_t i = 0; i < centers.points().size(); ++i) {
      const Point& x = centers.points()[i];
      if (std::any_of(boxes.begin(), boxes.end(),
                      [&x](const Box& box) { return box.contains(x); })) {
        points.push_back(x);
        numbers.push_back(centers.range().first + static_cast<GlobalIndex>(i));
      }
    }
    parcels.push_back({rank, Writer().put_array(points).put_array(numbers).take()});
  }
  return parcels;
}

} // namespace

NearbyPoints nearby_points(const comm::Comm& comm, const DealtPoints& centers,
                           std::span<const Point> places, double radius) {
  NearbyPoints result;
  const auto add_own = [&] {
    result.points.insert(result.points.end(), centers.points().begin(), centers.points().end());
    for (std::size_t i = 0; i < centers.points().size(); ++i) {
      result.numbers.push_back(centers.range().first + static_cast<GlobalIndex>(i));
    }
  };
  if (comm.size() == 1) {
    add_own();
    return result;
  }
  std::vector<Region> own;
  for (const Box& box : geometry::cover(3, mapping::flat(centers.points()), max_boxes)) {
    own.push_back({comm.rank(), 0, box});
    own.push_back({comm.rank(), 1, box});
  }
  for (const Box& box : geometry::cover(3, mapping::flat(places), max_boxes)) {
    own.push_back({comm.rank(), 1, box});
  }
  for (Region& region : own) {
    region.box.expand(region.wants == 1 ? radius : 0.0);
  }
  const double edge = edge_of_cells(comm, own);
  const auto told = comm::sparse_exchange(
      comm, meetings(comm::sparse_exchange(comm, to_keepers(own, edge, comm.size()))));
  bool is_own_in = false;
  for (const comm::Parcel& parcel : comm::sparse_exchange(comm, answers(centers, told))) {
    if (parcel.rank > comm.rank() && !std::exchange(is_own_in, true)) {
      add_own();
    }
    Reader reader(parcel.bytes);
    const auto points = reader.get_array<Point>();
    const auto numbers = reader.get_array<GlobalIndex>();
    result.points.insert(result.points.end(), points.begin(), points.end());
    result.numbers.insert(result.numbers.end(), numbers.begin(), numbers.end());
  }
  if (!is_own_in) {
    add_own();
  }
  return result;
}

} // namespace isthmus::radial
