// SPDX-License-Identifier: BSD-3-Clause
// Cost of the spatial indexes on one core: CPU seconds (best of some runs), nanoseconds per query
// and bytes per entry. Without arguments on two twisted tapered tubes that do not match; with the
// names of two surface files (int64 magic, vertices n, triangles m; float64 n*3; int32 m*3) on
// those:
//   bench_geometry [provider.bin receiver.bin]
#include "isthmus/geometry/cover.hpp"
#include "isthmus/geometry/search/point_index.hpp"
#include "isthmus/geometry/search/surface_index.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <numbers>
#include <random>
#include <string>

using namespace isthmus;
using namespace isthmus::geometry;

namespace {

struct Mesh {
  std::vector<double> coords;
  std::vector<LocalIndex> triangles;
};

// A tube of span 1 with `rings` rings of `around` points, an ellipse that tapers and twists.
Mesh tube(int rings, int around, double shift) {
  Mesh mesh;
  for (int j = 0; j < rings; ++j) {
    const double s = (j + shift) / rings;
    const double twist = 0.3 * (1.0 - s) * (1.0 - s);
    const double chord = 0.06 * (1.1 - s);
    for (int i = 0; i < around; ++i) {
      const double a = 2.0 * std::numbers::pi * (i + 0.5 * (j % 2) + shift) / around;
      const double x = chord * std::cos(a);
      const double y = 0.25 * chord * std::sin(a);
      mesh.coords.insert(mesh.coords.end(),
                         {x * std::cos(twist) - y * std::sin(twist) - 0.03 * s * s * s,
                          x * std::sin(twist) + y * std::cos(twist) + 0.05 * s * s, s});
    }
  }
  for (int j = 0; j + 1 < rings; ++j) {
    for (int i = 0; i < around; ++i) {
      const LocalIndex a = j * around + i;
      const LocalIndex b = j * around + (i + 1) % around;
      mesh.triangles.insert(mesh.triangles.end(), {a, b, a + around, a + around, b, b + around});
    }
  }
  return mesh;
}

Mesh read(const char* name) {
  Mesh mesh;
  std::FILE* file = std::fopen(name, "rb");
  std::int64_t head[3];
  bool good = file != nullptr && std::fread(head, sizeof(head), 1, file) == 1;
  if (good) {
    mesh.coords.resize(std::size_t(3 * head[1]));
    mesh.triangles.resize(std::size_t(3 * head[2]));
    good =
        std::fread(mesh.coords.data(), 8, mesh.coords.size(), file) == mesh.coords.size() &&
        std::fread(mesh.triangles.data(), 4, mesh.triangles.size(), file) == mesh.triangles.size();
  }
  if (!good) {
    fmt::print(stderr, "cannot read {}\n", name);
    std::exit(1);
  }
  std::fclose(file);
  return mesh;
}

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

template <typename Work>
double best_of(int runs, Work&& work) {
  double best = 1e30;
  for (int run = 0; run < runs; ++run) {
    const double start = cpu_seconds();
    work();
    best = std::min(best, cpu_seconds() - start);
  }
  return best;
}

void report(const std::string& what, std::size_t entries, double build, std::size_t queries,
            double ask, std::size_t bytes) {
  fmt::print(
      "{:34} {:8} entries: build {:.3f} s, {:.1f} B each; {:8} queries: {:.3f} s, {:4.0f} ns "
      "each\n",
      what, entries, build, static_cast<double>(bytes) / static_cast<double>(entries), queries, ask,
      1e9 * ask / static_cast<double>(queries));
}

void bench_points(const std::string& what, const std::vector<double>& coords,
                  const std::vector<double>& queries) {
  const std::size_t n = queries.size() / 3;
  std::vector<LocalIndex> ids(n);
  std::vector<double> distance2(n);
  const double build = best_of(5, [&] { PointIndex(3, coords); });
  const PointIndex index(3, coords);
  const double ask = best_of(5, [&] { index.nearest(queries, ids, distance2); });
  report(what, coords.size() / 3, build, n, ask, index.bytes());
}

void bench_surface(const std::string& what, const Mesh& mesh, const std::vector<double>& queries) {
  const std::size_t n = queries.size() / 3;
  std::vector<Projection> found(n);
  const double build = best_of(5, [&] { SurfaceIndex(3, mesh.coords, {}, mesh.triangles); });
  const SurfaceIndex index(3, mesh.coords, {}, mesh.triangles);
  const double ask = best_of(5, [&] { index.project(queries, found); });
  report(what, index.size(), build, n, ask, index.bytes());
}

std::vector<double> random_points(std::size_t n, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> draw(0.0, 1.0);
  std::vector<double> coords(3 * n);
  for (double& x : coords) {
    x = draw(engine);
  }
  return coords;
}

std::vector<double> shuffled(const std::vector<double>& coords) {
  std::vector<std::size_t> order(coords.size() / 3);
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::shuffle(order.begin(), order.end(), std::mt19937_64(3));
  std::vector<double> result;
  for (const std::size_t i : order) {
    result.insert(result.end(), coords.begin() + std::ptrdiff_t(3 * i),
                  coords.begin() + std::ptrdiff_t(3 * i + 3));
  }
  return result;
}

} // namespace

int main(int argc, char** argv) {
  const Mesh provider = argc == 3 ? read(argv[1]) : tube(1500, 420, 0.0);
  const Mesh receiver = argc == 3 ? read(argv[2]) : tube(1117, 450, 0.37);
  const auto mixed = shuffled(receiver.coords);
  bench_points("nearest, surface to surface", provider.coords, receiver.coords);
  bench_points("nearest, shuffled queries", provider.coords, mixed);
  bench_surface("projection, surface to surface", provider, receiver.coords);
  bench_surface("projection, shuffled queries", provider, mixed);
  bench_points("nearest, a million on a surface", tube(2000, 500, 0.0).coords,
               tube(1600, 625, 0.37).coords);
  bench_points("nearest, random in a cube", random_points(1000000, 1), random_points(1000000, 2));
  std::vector<Box> boxes;
  const double seconds = best_of(5, [&] { boxes = cover(3, provider.coords, 8); });
  fmt::print("cover of {} points by {} boxes: {:.4f} s\n", provider.coords.size() / 3, boxes.size(),
             seconds);
}
