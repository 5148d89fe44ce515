// SPDX-License-Identifier: BSD-3-Clause
// The part of space that two tetrahedra share.
#include "isthmus/geometry/vector3.hpp"
#include "isthmus/mapping/shared_points.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::mapping {

namespace {

using namespace geometry;

using Weights = std::array<double, 4>;

/// A place by its weights in both elements.
struct Corner {
  Weights in_first;
  Weights in_second;
};
using Piece = std::array<Corner, 4>; // a tetrahedron

/// Four cuts make at most three of each.
class Pieces {
 public:
  void add(const Piece& piece) { pieces_[count_++] = piece; }
  void clear() { count_ = 0; }
  [[nodiscard]] std::span<const Piece> all() const { return std::span(pieces_).first(count_); }

 private:
  std::array<Piece, 81> pieces_;
  std::size_t count_ = 0;
};

Corner between(const Corner& a, const Corner& b, double t) {
  Corner result;
  for (std::size_t k = 0; k < 4; ++k) {
    result.in_first[k] = a.in_first[k] + t * (b.in_first[k] - a.in_first[k]);
    result.in_second[k] = a.in_second[k] + t * (b.in_second[k] - a.in_second[k]);
  }
  return result;
}

/// Six times the volume, signed.
double content(const Point& a, const Point& b, const Point& c, const Point& d) {
  return dot(b - a, cross(c - a, d - a));
}

Weights weights_in_volume(std::span<const Point> element, double whole, const Point& x) {
  const double a = content(x, element[1], element[2], element[3]) / whole;
  const double b = content(element[0], x, element[2], element[3]) / whole;
  const double c = content(element[0], element[1], x, element[3]) / whole;
  return {a, b, c, 1 - a - b - c};
}

/// Adds the three parts of a wedge between triangles whose corners lie opposite.
void add_wedge(const std::array<Corner, 3>& low, const std::array<Corner, 3>& high,
               Pieces& pieces) {
  pieces.add({low[0], low[1], low[2], high[2]});
  pieces.add({low[0], low[1], high[1], high[2]});
  pieces.add({low[0], high[0], high[1], high[2]});
}

/// Adds what is left of a piece where the weight of corner `side` of the first element is positive.
void cut(Piece piece, std::size_t side, Pieces& pieces) {
  const auto height = [side](const Corner& corner) { return corner.in_first[side]; };
  const auto inside = std::partition(piece.begin(), piece.end(),
                                     [&](const Corner& corner) { return height(corner) > 0; });
  const auto at = [&](std::size_t i, std::size_t j) { // on the plane, from inside to outside
    const double h = height(piece[i]);
    return between(piece[i], piece[j], h / (h - height(piece[j])));
  };
  switch (inside - piece.begin()) {
    case 4:
      pieces.add(piece);
      break;
    case 3:
      add_wedge({piece[0], piece[1], piece[2]}, {at(0, 3), at(1, 3), at(2, 3)}, pieces);
      break;
    case 2:
      add_wedge({piece[0], at(0, 2), at(0, 3)}, {piece[1], at(1, 2), at(1, 3)}, pieces);
      break;
    case 1:
      pieces.add({piece[0], at(0, 1), at(0, 2), at(0, 3)});
      break;
    default:
      break;
  }
}

/// Of a piece in the second element.
double share(const Piece& piece) {
  std::array<Point, 4> corners;
  for (std::size_t k = 0; k < 4; ++k) {
    corners[k] = {piece[k].in_second[0], piece[k].in_second[1], piece[k].in_second[2]};
  }
  return std::abs(content(corners[0], corners[1], corners[2], corners[3]));
}

} // namespace

void shared_volume(std::span<const Point> first, std::span<const Point> second,
                   std::vector<SharedPoint>& points) {
  points.clear();
  const double whole = content(first[0], first[1], first[2], first[3]);
  const double volume = measure(second);
  if (whole == 0 || volume == 0) {
    return;
  }
  Piece all{};
  for (std::size_t k = 0; k < 4; ++k) {
    all[k].in_first = weights_in_volume(first, whole, second[k]);
    all[k].in_second[k] = 1;
  }
  for (std::size_t side = 0; side < 4; ++side) {
    if (std::all_of(all.begin(), all.end(),
                    [side](const Corner& c) { return c.in_first[side] <= 0; })) {
      return;
    }
  }
  Pieces buffers[2];
  buffers[0].add(all);
  for (std::size_t side = 0; side < 4; ++side) {
    Pieces& left = buffers[(side + 1) % 2];
    left.clear();
    for (const Piece& piece : buffers[side % 2].all()) {
      cut(piece, side, left);
    }
  }
  constexpr double near = 0.58541019662496852; // of the rule of order two with four points
  constexpr double far = 0.13819660112501052;
  for (const Piece& piece : buffers[0].all()) {
    const double weight = 0.25 * volume * share(piece);
    for (std::size_t p = 0; p < 4 && weight > 0; ++p) {
      SharedPoint point{{}, {}, weight};
      for (std::size_t k = 0; k < 4; ++k) {
        for (std::size_t c = 0; c < 4; ++c) {
          point.in_first[c] += (k == p ? near : far) * piece[k].in_first[c];
          point.in_second[c] += (k == p ? near : far) * piece[k].in_second[c];
        }
      }
      points.push_back(point);
    }
  }
}

} // namespace isthmus::mapping
