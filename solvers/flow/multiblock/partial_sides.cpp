// SPDX-License-Identifier: BSD-3-Clause
#include "flow/multiblock/partial_sides.hpp"

#include "flow/multiblock/rectangles.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/base/hash.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace isthmus::flow {

namespace {

/// A side that meets no other one as a whole.
struct OpenSide {
  Side side;
  std::array<int, 2> counts{}; // cells along its axes
  std::vector<Vector> nodes;   // counts + 1, the first axis fastest
  double gap = 0;              // that coinciding nodes may have

  [[nodiscard]] const Vector& node(int a, int b) const {
    return nodes[static_cast<std::size_t>(b) * static_cast<std::size_t>(counts[0] + 1) +
                 static_cast<std::size_t>(a)];
  }
  [[nodiscard]] std::array<Vector, 4> corners(int a, int b) const {
    return {node(a, b), node(a + 1, b), node(a, b + 1), node(a + 1, b + 1)};
  }
};

struct Face {
  std::size_t side; // which of the open ones
  std::array<int, 2> cell{};
  std::array<Vector, 4> corners{};
  Vector center{};
};

/// How faces of one side lie on those of another one.
struct Fit {
  std::size_t other; // which of the open sides
  bool is_swapped;
  std::array<bool, 2> is_reversed;
  std::array<int, 2> offset; // to the cell there, or their sum if reversed; per own axis

  [[nodiscard]] auto key() const { return std::tuple(other, is_swapped, is_reversed, offset); }
  bool operator<(const Fit& fit) const { return key() < fit.key(); }
};

std::vector<OpenSide> list_open_sides(const Topology& topology, const GridSource& source) {
  std::vector<OpenSide> open;
  for (int b = 0; b < topology.num_blocks(); ++b) {
    for (int n = 0; n < (source.is_flat ? 4 : 6); ++n) {
      const Side side{b, n / 2, n % 2};
      if (!topology.behind(side).empty()) {
        continue;
      }
      OpenSide& one = open.emplace_back();
      one.side = side;
      for (std::size_t t = 0; t < 2; ++t) {
        one.counts[t] = topology.cells(b)[static_cast<std::size_t>(axes_of(side)[t])];
      }
    }
  }
  return open;
}

void take_nodes(const Nodes& nodes, OpenSide& side, std::vector<double>& to) {
  const auto axes = axes_of(side.side);
  const auto normal = static_cast<std::size_t>(side.side.axis);
  Index3 node{};
  node[normal] = side.side.end * nodes.cells[normal];
  for (int b = 0; b <= side.counts[1]; ++b) {
    for (int a = 0; a <= side.counts[0]; ++a) {
      node[static_cast<std::size_t>(axes[0])] = a;
      node[static_cast<std::size_t>(axes[1])] = b;
      const Vector& point = nodes.points[nodes.at(node[0], node[1], node[2])];
      to.insert(to.end(), point.begin(), point.end());
    }
  }
}

/// Collective. Gives all open sides their nodes: rank r reads blocks r, r + ranks, …
void read_sides(const comm::Comm& comm, const GridSource& source, double tolerance,
                std::vector<OpenSide>& open) {
  std::vector<double> own;
  comm::agree(comm, [&] {
    Nodes nodes;
    int loaded = -1;
    for (OpenSide& side : open) {
      if (side.side.block % comm.size() != comm.rank()) {
        continue;
      }
      if (side.side.block != loaded) {
        loaded = side.side.block;
        nodes = source.load(loaded);
      }
      take_nodes(nodes, side, own);
    }
  });
  const auto all = comm::allgather(comm, std::span<const double>(own));
  std::vector<std::size_t> next(all.offsets.begin(), all.offsets.end() - 1);
  for (OpenSide& side : open) {
    std::size_t& at = next[static_cast<std::size_t>(side.side.block % comm.size())];
    side.nodes.resize(static_cast<std::size_t>(side.counts[0] + 1) *
                      static_cast<std::size_t>(side.counts[1] + 1));
    double size = 0;
    for (Vector& node : side.nodes) {
      std::copy_n(all.values.begin() + static_cast<std::ptrdiff_t>(at), 3, node.begin());
      at += 3;
      size = std::max(size, distance(node, side.nodes.front()));
    }
    side.gap = tolerance * size;
  }
}

/// Faces that have an area, found by their centers.
class FaceTable {
 public:
  explicit FaceTable(const std::vector<OpenSide>& open) : open_(open) {
    for (const OpenSide& side : open) {
      width_ = std::max(width_, 2 * side.gap);
    }
    for (std::size_t s = 0; s < open.size(); ++s) {
      for (int b = 0; b < open[s].counts[1]; ++b) {
        for (int a = 0; a < open[s].counts[0]; ++a) {
          add({s, {a, b}, open[s].corners(a, b), {}});
        }
      }
    }
  }
  [[nodiscard]] const std::vector<Face>& faces() const { return faces_; }

  /// How a face lies on another one, if there is one.
  [[nodiscard]] std::optional<Fit> find(const Face& face) const {
    std::optional<Fit> found;
    const auto place = cell_of(face.center);
    for (int n = 0; n < 27; ++n) {
      const auto bucket = buckets_.find(key(place, {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1}));
      for (std::size_t k = 0; bucket != buckets_.end() && k < bucket->second.size(); ++k) {
        const Face& other = faces_[bucket->second[k]];
        const auto fit = &other == &face ? std::nullopt : fit_of(face, other);
        check(!fit || !found, "more than two faces coincide, of {}, {} and {}",
              name_of(open_[face.side].side), name_of(open_[other.side].side),
              found ? name_of(open_[found->other].side) : "");
        found = fit ? fit : found;
      }
    }
    return found;
  }

 private:
  using Place = std::array<std::int64_t, 3>;

  void add(Face face) {
    const double gap = open_[face.side].gap;
    if (distance(face.corners[0], face.corners[3]) <= gap ||
        distance(face.corners[1], face.corners[2]) <= gap) {
      return;
    }
    for (const Vector& corner : face.corners) {
      for (std::size_t c = 0; c < 3; ++c) {
        face.center[c] += 0.25 * corner[c];
      }
    }
    buckets_[key(cell_of(face.center), {0, 0, 0})].push_back(faces_.size());
    faces_.push_back(face);
  }
  [[nodiscard]] Place cell_of(const Vector& point) const {
    Place place{};
    for (std::size_t c = 0; c < 3; ++c) {
      place[c] = static_cast<std::int64_t>(std::floor(point[c] / width_));
    }
    return place;
  }
  /// Of a cell beside another one; different cells may have the same.
  [[nodiscard]] static std::uint64_t key(Place place, const Index3& beside) {
    for (std::size_t c = 0; c < 3; ++c) {
      place[c] += beside[c];
    }
    return list_hash(std::span<const std::int64_t>(place));
  }
  [[nodiscard]] std::optional<Fit> fit_of(const Face& face, const Face& other) const {
    const double gap = std::min(open_[face.side].gap, open_[other.side].gap);
    if (distance(face.center, other.center) > gap) {
      return {};
    }
    const auto found = orientation_of(face.corners, other.corners, {}, gap);
    if (!found) {
      return {};
    }
    Fit fit{other.side, found->is_swapped, found->is_reversed, {}};
    for (std::size_t t = 0; t < 2; ++t) {
      const int there = other.cell[found->is_swapped ? 1 - t : t];
      fit.offset[t] = found->is_reversed[t] ? there + face.cell[t] : there - face.cell[t];
    }
    return fit;
  }

  const std::vector<OpenSide>& open_;
  double width_ = 0;
  std::vector<Face> faces_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> buckets_;
};

} // namespace

void connect_parts(const comm::Comm& comm, const GridSource& source, double tolerance,
                   Topology& topology) {
  std::vector<OpenSide> open = list_open_sides(topology, source);
  if (open.empty()) {
    return;
  }
  read_sides(comm, source, tolerance, open);
  const FaceTable table(open);
  std::map<Fit, int> numbers;
  std::vector<Fit> fits;
  std::vector<std::vector<int>> of_sides; // the fit of each face
  for (const OpenSide& side : open) {
    of_sides.emplace_back(
        static_cast<std::size_t>(side.counts[0]) * static_cast<std::size_t>(side.counts[1]), -1);
  }
  for (const Face& face : table.faces()) {
    if (const auto fit = table.find(face)) {
      const auto [entry, is_new] = numbers.try_emplace(*fit, static_cast<int>(fits.size()));
      if (is_new) {
        fits.push_back(*fit);
      }
      const std::size_t row = static_cast<std::size_t>(face.cell[1]) *
                              static_cast<std::size_t>(open[face.side].counts[0]);
      of_sides[face.side][row + static_cast<std::size_t>(face.cell[0])] = entry->second;
    }
  }
  for (std::size_t s = 0; s < open.size(); ++s) {
    for (const Rectangle& part : rectangles(of_sides[s], open[s].counts)) {
      const Fit& fit = fits[static_cast<std::size_t>(part.value)];
      SideRange there;
      for (std::size_t t = 0; t < 2; ++t) {
        const std::size_t other = fit.is_swapped ? 1 - t : t;
        there.begin[other] =
            fit.is_reversed[t] ? fit.offset[t] - part.end[t] + 1 : fit.offset[t] + part.begin[t];
        there.end[other] = there.begin[other] + part.end[t] - part.begin[t];
      }
      topology.connect(open[s].side, {part.begin, part.end}, open[fit.other].side, there,
                       {fit.is_swapped, fit.is_reversed});
    }
  }
}

} // namespace isthmus::flow
