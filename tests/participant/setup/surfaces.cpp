// SPDX-License-Identifier: BSD-3-Clause
#include "participant/setup/surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace couple {

namespace {

/// A part of a surface over [x, x + width] (and the same for y), with waves of some height.
struct Island {
  double x;
  double y;
  double width;
  double height;
};

void append(Surface& surface, const Island& where, int points, std::mt19937& engine) {
  const int first = surface.num_vertices();
  const int island = surface.island_of.empty() ? 0 : surface.island_of.back() + 1;
  const double h = where.width / (points - 1);
  std::uniform_real_distribution<double> jitter(-0.2 * h, 0.2 * h);
  const bool flat = surface.dimensions == 2;
  for (int j = 0; j < (flat ? 1 : points); ++j) {
    for (int i = 0; i < points; ++i) {
      const double x = where.x + i * h + jitter(engine);
      const double y = where.y + j * h + jitter(engine);
      if (flat) {
        surface.coordinates.insert(surface.coordinates.end(), {x, where.height * std::sin(5 * x)});
      } else {
        surface.coordinates.insert(surface.coordinates.end(),
                                   {x, y, where.height * std::sin(5 * x) * std::cos(4 * y)});
      }
    }
  }
  for (int j = 0; j + 1 < (flat ? 2 : points); ++j) {
    for (int i = 0; i + 1 < points; ++i) {
      const int a = first + j * points + i;
      if (flat) {
        surface.corners.insert(surface.corners.end(), {a, a + 1});
      } else {
        const int b = a + points;
        surface.corners.insert(surface.corners.end(), {a, a + 1, b, b, a + 1, b + 1});
        surface.island_of.push_back(island);
      }
      surface.island_of.push_back(island);
    }
  }
}

int owner_of(Split::Order order, int item, int count, int size) {
  switch (order) {
    case Split::block:
      return item * size / count;
    case Split::strips:
      return item % size;
    case Split::random:
      return static_cast<int>(std::mt19937(static_cast<unsigned>(item))() %
                              static_cast<unsigned>(size));
    case Split::first_empty:
      return size == 1 ? 0 : 1 + item * (size - 1) / count;
    default:
      return size - 1;
  }
}

} // namespace

Surface islands(int dimensions, int count, int points, unsigned seed, double height) {
  Surface surface;
  surface.dimensions = dimensions;
  std::mt19937 engine(seed);
  const double pitch = 1.0 / count;
  for (int j = 0; j < (dimensions == 2 ? 1 : count); ++j) {
    for (int i = 0; i < count; ++i) {
      const double width = (count > 1 ? 0.8 : 1.0) * pitch;
      append(surface, {i * pitch, j * pitch, width, height}, points, engine);
    }
  }
  return surface;
}

Surface sheet(int dimensions, int points, unsigned seed, double height) {
  return islands(dimensions, 1, points, seed, height);
}

Surface cloud(int dimensions, std::vector<double> coordinates) {
  Surface surface;
  surface.dimensions = dimensions;
  surface.coordinates = std::move(coordinates);
  return surface;
}

std::vector<Orders> all_orders(bool parallel) {
  if (!parallel) {
    return {{Split::block, Split::block}};
  }
  return {{Split::block, Split::strips},
          {Split::strips, Split::random},
          {Split::random, Split::first_empty},
          {Split::first_empty, Split::all_on_last},
          {Split::all_on_last, Split::block}};
}

Part part_of(const Surface& surface, Split split, int rank, int size) {
  const auto width = static_cast<std::size_t>(surface.dimensions);
  const int islands = surface.island_of.empty() ? 0 : surface.island_of.back() + 1;
  std::vector<int> elements;
  std::vector<char> mine(static_cast<std::size_t>(surface.num_vertices()), 0);
  for (int e = 0; e < surface.num_elements(); ++e) {
    const auto at = static_cast<std::size_t>(e);
    const int owner = split.cuts_islands
                          ? owner_of(split.order, e, surface.num_elements(), size)
                          : owner_of(split.order, surface.island_of[at], islands, size);
    for (std::size_t c = at * width; owner == rank && c < (at + 1) * width; ++c) {
      elements.push_back(surface.corners[c]);
      mine[static_cast<std::size_t>(surface.corners[c])] = 1;
    }
  }
  for (int v = 0; islands == 0 && v < surface.num_vertices(); ++v) {
    mine[static_cast<std::size_t>(v)] =
        owner_of(split.order, v, surface.num_vertices(), size) == rank;
  }
  Part part;
  for (int v = 0; v < surface.num_vertices(); ++v) {
    if (mine[static_cast<std::size_t>(v)] != 0) {
      part.vertices.push_back(v);
    }
  }
  std::shuffle(part.vertices.begin(), part.vertices.end(),
               std::mt19937(static_cast<unsigned>(rank)));
  std::vector<int> position(mine.size());
  for (std::size_t i = 0; i < part.vertices.size(); ++i) {
    const auto v = static_cast<std::size_t>(part.vertices[i]);
    position[v] = static_cast<int>(i);
    part.coordinates.insert(
        part.coordinates.end(),
        surface.coordinates.begin() + static_cast<std::ptrdiff_t>(v * width),
        surface.coordinates.begin() + static_cast<std::ptrdiff_t>((v + 1) * width));
  }
  for (const int corner : elements) {
    part.corners.push_back(position[static_cast<std::size_t>(corner)]);
  }
  return part;
}

} // namespace couple
