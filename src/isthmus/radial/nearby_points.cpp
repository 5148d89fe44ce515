// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/nearby_points.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"
#include "isthmus/geometry/cover.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/rendezvous/meetings.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::radial {

namespace {

using geometry::Box;
using geometry::Point;

constexpr int max_boxes = 16;

/// The own points in the boxes that others want.
std::vector<comm::Parcel> answers(const DealtPoints& centers,
                                  const std::vector<rendezvous::WantedBoxes>& wanted) {
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
                           std::span<const Point> points, double radius) {
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
  const std::vector<Box> has = geometry::cover(3, mapping::flat(centers.points()), max_boxes);
  std::vector<Box> wants = has;
  for (const Box& box : geometry::cover(3, mapping::flat(points), max_boxes)) {
    wants.push_back(box);
  }
  for (Box& box : wants) {
    box.expand(radius);
  }
  const auto wanted = rendezvous::wanted_boxes(comm, has, wants);
  bool is_own_in = false;
  for (const comm::Parcel& parcel : comm::sparse_exchange(comm, answers(centers, wanted))) {
    if (parcel.rank > comm.rank() && !std::exchange(is_own_in, true)) {
      add_own();
    }
    Reader reader(parcel.bytes);
    const auto received = reader.get_array<Point>();
    const auto numbers = reader.get_array<GlobalIndex>();
    result.points.insert(result.points.end(), received.begin(), received.end());
    result.numbers.insert(result.numbers.end(), numbers.begin(), numbers.end());
  }
  if (!is_own_in) {
    add_own();
  }
  return result;
}

} // namespace isthmus::radial
