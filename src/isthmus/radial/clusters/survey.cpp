// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/radial/clusters/survey.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/lists.hpp"
#include "isthmus/comm/sparse/message.hpp"
#include "isthmus/geometry/search/point_index.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/radial/clusters/cluster_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace isthmus::radial {

namespace {

using geometry::Box;
using geometry::Point;

/// The points of this rank.
struct OwnPoints {
  std::span<const Point> points;
  geometry::PointIndex index;
  Box box;

  explicit OwnPoints(std::span<const Point> all) : points(all), index(3, mapping::flat(all)) {
    for (const Point& point : all) {
      box.expand(point);
    }
  }
};

/// Of all ranks; of several as near the first by place.
std::vector<Point> nearest_points(const comm::Comm& comm, const OwnPoints& own,
                                  std::span<const Point> points) {
  std::vector<LocalIndex> ids(points.size());
  std::vector<double> own_distances(points.size());
  own.index.nearest(mapping::flat(points), ids, own_distances);
  std::vector<double> distances(own_distances);
  comm::allreduce<double>(comm, distances, comm::Op::min);
  std::vector<Point> nearest(points.size());
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> least(points.size(), Box::infinity);
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (ids[i] >= 0 && own_distances[i] == distances[i]) {
        const Point& point = own.points[static_cast<std::size_t>(ids[i])];
        const bool is_first =
            std::equal(point.begin(), point.begin() + static_cast<long>(k), nearest[i].begin());
        least[i] = is_first ? point[k] : Box::infinity;
      }
    }
    comm::allreduce<double>(comm, least, comm::Op::min);
    for (std::size_t i = 0; i < points.size(); ++i) {
      nearest[i][k] = least[i];
    }
  }
  return nearest;
}

/// Ascending numbers of all ranks, of which so many are kept, come together on the first one, up a
/// binomial tree.
void keep_least(const comm::Comm& comm, std::size_t count,
                std::vector<std::vector<double>>& lists) {
  for (int bit = 1; bit < comm.size(); bit <<= 1) {
    if ((comm.rank() & bit) != 0) {
      Writer writer;
      for (const std::vector<double>& list : lists) {
        writer.put_array(list);
      }
      comm::send_message(comm, comm.rank() - bit, writer.take());
      return;
    }
    if (comm.rank() + bit < comm.size()) {
      const auto bytes = comm::receive_message(comm, comm.rank() + bit);
      Reader reader(bytes);
      for (std::vector<double>& list : lists) {
        const std::vector<double> others = reader.get_array<double>();
        const auto middle = list.insert(list.end(), others.begin(), others.end());
        std::inplace_merge(list.begin(), middle, list.end());
        list.resize(std::min(list.size(), count));
      }
    }
  }
}

/// Within how far of a point as many as wanted are: the median of samples.
double typical_radius(const comm::Comm& comm, int dimensions, const OwnPoints& own, const Box& box,
                      std::size_t wanted) {
  const std::vector<Point> centers = nearest_points(comm, own, sample_points(dimensions, box));
  std::vector<std::vector<double>> distances(centers.size());
  std::vector<LocalIndex> nearest;
  for (std::size_t i = 0; i < centers.size(); ++i) {
    own.index.nearest(centers[i], wanted, nearest);
    for (const LocalIndex id : nearest) {
      distances[i].push_back(
          mapping::distance(centers[i], own.points[static_cast<std::size_t>(id)]));
    }
  }
  keep_least(comm, wanted, distances);
  std::vector<double> samples(centers.size(), 0.0);
  for (std::size_t i = 0; comm.is_root() && i < centers.size(); ++i) {
    samples[i] = distances[i].back();
  }
  return comm::bcast(comm, median_of(std::move(samples)));
}

/// Whether balls of one radius at the places of a grid hold about as many points each, and all of
/// them. Each place has an owner among the ranks, to which those around it report.
class GridSurvey {
 public:
  GridSurvey(const comm::Comm& comm, const ClusterGrid& grid, const OwnPoints& own)
      : comm_(comm), grid_(grid), own_(own) {}

  [[nodiscard]] bool is_even(const PartitionSettings& settings, GlobalIndex num_points) {
    std::int64_t filled = choose_vertices();
    filled = comm::allreduce(comm_, filled, comm::Op::sum);
    if (filled < grid_.num_places()) {
      return false;
    }
    count_members(settings.project_to_input);
    std::array<std::int64_t, 2> members_and_faults{0, num_uncovered_};
    for (const auto& [number, place] : owned_) {
      members_and_faults[0] += place.members;
      members_and_faults[1] +=
          grid_.is_usual(settings.vertices_per_cluster, static_cast<std::size_t>(place.members))
              ? 0
              : 1;
    }
    comm::allreduce<std::int64_t>(comm_, members_and_faults, comm::Op::sum);
    return members_and_faults[1] == 0 &&
           grid_.are_few(static_cast<std::size_t>(members_and_faults[0]), num_points);
  }

 private:
  struct Report {
    std::int64_t number;
    double distance2;
    Point vertex; // nearest to the place
  };
  struct Count {
    std::int64_t number;
    std::int64_t members;
  };
  /// That this rank owns.
  struct Owned {
    Report nearest;
    std::vector<int> ranks; // that have points around it
    std::int64_t members = 0;
  };

  [[nodiscard]] int owner(std::int64_t number) const {
    return static_cast<int>(number * comm_.size() / grid_.num_places());
  }

  /// Around each place. Returns how many of those that this rank owns have a vertex in their balls.
  std::int64_t choose_vertices() {
    Box around = own_.box;
    around.expand(2 * grid_.radius); // a ball may lie a radius beside its place
    comm::Lists<Report> reports;
    if (!around.empty()) {
      for (const ClusterGrid::Place& at : grid_.places_in(around)) {
        const Point place = grid_.point(at);
        LocalIndex nearest = -1;
        double distance2 = 0;
        own_.index.nearest(place, {&nearest, 1}, {&distance2, 1});
        if (std::sqrt(distance2) <= 2 * grid_.radius * (1 + 1e-9)) {
          const std::int64_t number = grid_.number(at);
          reports[owner(number)].push_back(
              {number, distance2, own_.points[static_cast<std::size_t>(nearest)]});
          own_places_[number] = place;
        }
      }
    }
    std::int64_t filled = 0;
    for (const auto& [rank, list] : comm::swap_lists(comm_, reports)) {
      for (const Report& report : list) {
        Owned& place = owned_.try_emplace(report.number, Owned{report, {}, 0}).first->second;
        if (std::pair(report.distance2, report.vertex) <
            std::pair(place.nearest.distance2, place.nearest.vertex)) {
          place.nearest = report;
        }
        place.ranks.push_back(rank);
      }
    }
    for (const auto& [number, place] : owned_) {
      filled += std::sqrt(place.nearest.distance2) <= grid_.radius ? 1 : 0;
    }
    return filled;
  }

  void count_members(bool project) {
    comm::Lists<Report> answers;
    for (const auto& [number, place] : owned_) {
      for (const int rank : place.ranks) {
        answers[rank].push_back(place.nearest);
      }
    }
    std::vector<char> covered(own_.points.size(), 0);
    comm::Lists<Count> counts;
    std::vector<LocalIndex> members;
    for (const auto& [rank, list] : comm::swap_lists(comm_, answers)) {
      for (const Report& answer : list) {
        own_.index.within(project ? answer.vertex : own_places_.at(answer.number), grid_.radius,
                          members);
        for (const LocalIndex member : members) {
          covered[static_cast<std::size_t>(member)] = 1;
        }
        counts[rank].push_back({answer.number, static_cast<std::int64_t>(members.size())});
      }
    }
    num_uncovered_ = std::count(covered.begin(), covered.end(), 0);
    for (const auto& [rank, list] : comm::swap_lists(comm_, counts)) {
      for (const Count& count : list) {
        owned_.at(count.number).members += count.members;
      }
    }
  }

  const comm::Comm& comm_;
  const ClusterGrid& grid_;
  const OwnPoints& own_;
  std::map<std::int64_t, Point> own_places_; // around the points of this rank, by number
  std::map<std::int64_t, Owned> owned_;      // of this rank, by number
  std::int64_t num_uncovered_ = 0;           // points of this rank
};

} // namespace

WholeCloud survey(const comm::Comm& comm, int dimensions, std::span<const Point> points,
                  const PartitionSettings& settings) {
  const OwnPoints own(points);
  WholeCloud whole;
  whole.num_points = comm::allreduce(comm, static_cast<std::int64_t>(points.size()), comm::Op::sum);
  whole.box = own.box;
  comm::allreduce_bounds(comm, whole.box.lo, whole.box.hi);
  if (whole.num_points <= settings.vertices_per_cluster) {
    return whole;
  }
  whole.radius = typical_radius(comm, dimensions, own, whole.box,
                                static_cast<std::size_t>(settings.vertices_per_cluster));
  const auto grid = ClusterGrid::make(dimensions, whole.box, whole.radius,
                                      settings.relative_overlap, whole.num_points);
  whole.is_even = grid && GridSurvey(comm, *grid, own).is_even(settings, whole.num_points);
  return whole;
}

} // namespace isthmus::radial
