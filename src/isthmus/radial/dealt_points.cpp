// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/dealt_points.hpp"

#include "isthmus/comm/comm.hpp"
#include "isthmus/exchange/make_halo.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/partition/points.hpp"

#include <algorithm>
#include <map>

namespace isthmus::radial {

namespace {

using geometry::Point;

/// Points by the rank that gets them.
std::map<int, exchange::Sent<Point>> by_owner(const comm::Comm& comm,
                                              std::span<const Point> given) {
  const std::vector<int> owners =
      partition::bisect(comm, {3, mapping::flat(given), {}}, comm.size(), /*empty_parts=*/true);
  std::map<int, exchange::Sent<Point>> result;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    exchange::Sent<Point>& sent = result[owners[i]];
    sent.entries.push_back(static_cast<LocalIndex>(i));
    sent.notes.push_back(given[i]);
  }
  return result;
}

/// Moves what the own points have from their place in one list to that in the other.
template <typename Copy>
void for_each_value(std::span<const LocalIndex> arrival, int components, Copy&& copy) {
  const auto width = static_cast<std::size_t>(components);
  for (std::size_t i = 0; i < arrival.size(); ++i) {
    for (std::size_t c = 0; c < width; ++c) {
      copy(static_cast<std::size_t>(arrival[i]) * width + c, i * width + c);
    }
  }
}

} // namespace

DealtPoints::DealtPoints(const comm::Comm& comm, std::span<const Point> given) : comm_(&comm) {
  std::vector<Point> arrived;
  if (comm.size() == 1) {
    arrived.assign(given.begin(), given.end());
  } else {
    halo_ = exchange::halo_of_sent(comm, by_owner(comm, given), [&](std::span<const Point> points) {
      arrived.insert(arrived.end(), points.begin(), points.end());
      return static_cast<LocalIndex>(points.size());
    });
  }
  arrival_ = mapping::ordered_by_place(arrived);
  for (const LocalIndex i : arrival_) {
    points_.push_back(arrived[static_cast<std::size_t>(i)]);
  }
  range_ = la::number(comm, static_cast<GlobalIndex>(points_.size()));
}

std::vector<double> DealtPoints::collect(int components, std::span<const double> given) {
  std::vector<double> result(points_.size() * static_cast<std::size_t>(components));
  std::vector<double> arrived(comm_->size() > 1 ? result.size() : 0);
  if (comm_->size() > 1) {
    halo_.forward(*comm_, components, given, arrived);
    given = arrived;
  }
  for_each_value(arrival_, components,
                 [&](std::size_t from, std::size_t to) { result[to] = given[from]; });
  return result;
}

void DealtPoints::give_back(int components, std::span<const double> values,
                            std::span<double> given) {
  std::vector<double> leaving(comm_->size() > 1 ? values.size() : 0);
  const std::span<double> into = comm_->size() > 1 ? std::span<double>(leaving) : given;
  for_each_value(arrival_, components,
                 [&](std::size_t to, std::size_t from) { into[to] = values[from]; });
  if (comm_->size() > 1) {
    std::fill(given.begin(), given.end(), 0.0);
    halo_.reverse(*comm_, components, leaving, given);
  }
}

} // namespace isthmus::radial
