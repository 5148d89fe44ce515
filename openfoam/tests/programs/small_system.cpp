// SPDX-License-Identifier: GPL-3.0-or-later
// small_system [REPEATS [ACROSS DOWN FUNCTIONS BITS]]: the small system of deflated gradients,
// factorized by its envelope, against a dense one: solutions agree, also where it is negative,
// singular, or functions are missing. With REPEATS, the median microseconds of a factorization and
// of a solution, both ways, for grids of ranks, or for that one, each of whose ranks has so many
// functions, of which those with a bit are not zero.
#include "../../solvers/small_system.hpp"

#include "isthmus/base/clock.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>

using namespace isthmus;
using namespace isthmus::openfoam;

namespace {

/// Ranks in a grid of two dimensions, numbered in a random order; each touches its four neighbours.
struct Grid {
  std::size_t across, down;
  std::size_t functions;
  int bits; // of the functions that are not zero

  [[nodiscard]] std::size_t num_ranks() const { return across * down; }
  [[nodiscard]] SmallPattern pattern() const {
    std::vector<int> numbers(num_ranks());
    std::iota(numbers.begin(), numbers.end(), 0);
    std::shuffle(numbers.begin(), numbers.end(), std::mt19937(7));
    std::vector<int> about(num_ranks() * 5, -1);
    for (std::size_t i = 0; i < num_ranks(); ++i) {
      int* of_rank = about.data() + 5 * static_cast<std::size_t>(numbers[i]);
      const std::size_t x = i % across;
      const std::size_t y = i / across;
      of_rank[0] = x > 0 ? numbers[i - 1] : -1;
      of_rank[1] = x + 1 < across ? numbers[i + 1] : -1;
      of_rank[2] = y > 0 ? numbers[i - across] : -1;
      of_rank[3] = y + 1 < down ? numbers[i + across] : -1;
      of_rank[4] = bits;
    }
    return {functions, 4, std::move(about)};
  }
};

/// As rank_functions.cpp exchanges it: symmetric, diagonally dominant by `more`; the products with
/// functions that are zero are zero.
std::vector<double> make_rows(const SmallPattern& pattern, double sign, double more) {
  const std::size_t n = pattern.num_functions;
  const std::size_t blocks = pattern.num_sides + 1;
  std::vector<double> rows(pattern.num_ranks() * blocks * n * n, 0);
  const auto value = [&](std::size_t a, std::size_t b) { // the same for (b, a)
    return -sign * (1 + 0.5 * std::sin(static_cast<double>(a * b + a + b)));
  };
  for (std::size_t rank = 0; rank < pattern.num_ranks(); ++rank) {
    for (std::size_t k = 0; k < n; ++k) {
      double& diagonal = rows[rank * blocks * n * n + k * n + k];
      for (std::size_t side = 0; side < pattern.num_sides; ++side) {
        const int other = pattern.rank_at(rank, side);
        for (std::size_t j = 0; other >= 0 && j < n; ++j) {
          const auto to = static_cast<std::size_t>(other);
          if (pattern.has(rank, k) && pattern.has(to, j)) {
            const double v = value(rank * n + k, to * n + j);
            rows[((rank * blocks + side + 1) * n + j) * n + k] = v;
            diagonal -= v;
          }
        }
      }
      diagonal += pattern.has(rank, k) ? sign * more : 0;
    }
  }
  return rows;
}

/// The whole matrix, with a one for each function that is zero.
std::vector<double> make_dense(const SmallPattern& pattern, std::span<const double> rows,
                               double sign) {
  const std::size_t n = pattern.num_functions;
  const std::size_t size = pattern.num_ranks() * n;
  const std::size_t blocks = pattern.num_sides + 1;
  std::vector<double> all(size * size, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t rank = i / (blocks * n * n);
    const std::size_t block = i / (n * n) % blocks;
    const int other = block == 0 ? static_cast<int>(rank) : pattern.rank_at(rank, block - 1);
    if (other >= 0) {
      all[(rank * n + i % n) * size + static_cast<std::size_t>(other) * n + i / n % n] +=
          sign * rows[i];
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    all[i * size + i] = pattern.has(i / n, i % n) ? all[i * size + i] : 1;
  }
  return all;
}

std::vector<double> right_side(const SmallPattern& pattern) {
  std::vector<double> b(pattern.num_ranks() * pattern.num_functions, 0);
  for (std::size_t i = 0; i < b.size(); ++i) {
    const bool is_there = pattern.has(i / pattern.num_functions, i % pattern.num_functions);
    b[i] = is_there ? std::cos(static_cast<double>(i)) : 0;
  }
  return b;
}

double largest(std::span<const double> values) {
  return std::abs(*std::max_element(values.begin(), values.end(),
                                    [](double a, double b) { return std::abs(a) < std::abs(b); }));
}

bool fail(const char* what, const Grid& grid, double value) {
  std::printf("%s: %zu x %zu ranks, %zu functions, bits %d: %g\n", what, grid.across, grid.down,
              grid.functions, grid.bits, value);
  return false;
}

bool agree(const Grid& grid, double sign) {
  const SmallPattern pattern = grid.pattern();
  const auto rows = make_rows(pattern, sign, 0.1);
  const SmallSystem system(pattern, rows);
  std::vector<double> ours = right_side(pattern);
  std::vector<double> theirs = ours;
  system.solve(ours);
  la::SymmetricSolver(make_dense(pattern, rows, sign), theirs.size()).solve(theirs);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    ours[i] -= sign * theirs[i];
  }
  const double far = largest(ours) / largest(theirs);
  return !system.is_dense() && far < 1e-11 ? true : fail("solutions differ", grid, far);
}

/// Without what makes it definite: constants are its null space, of which solutions have nothing.
bool agree_where_singular(const Grid& grid) {
  const SmallPattern pattern = grid.pattern();
  const auto rows = make_rows(pattern, 1, 0);
  const SmallSystem system(pattern, rows);
  std::vector<double> b = right_side(pattern);
  const double mean = std::accumulate(b.begin(), b.end(), 0.0) / static_cast<double>(b.size());
  for (double& value : b) {
    value -= mean;
  }
  std::vector<double> x = b;
  system.solve(x);
  const auto dense = make_dense(pattern, rows, 1);
  for (std::size_t i = 0; i < x.size(); ++i) {
    b[i] -= std::inner_product(x.begin(), x.end(),
                               dense.begin() + static_cast<std::ptrdiff_t>(i * x.size()), 0.0);
  }
  const double sum = std::abs(std::accumulate(x.begin(), x.end(), 0.0));
  return system.is_dense() && largest(b) < 1e-11 && sum < 1e-9 * static_cast<double>(x.size())
             ? true
             : fail("a singular one is not solved", grid, largest(b));
}

template <typename Work>
double median_us(int repeats, const Work& work) {
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const double start = now();
    work();
    times.push_back(1e6 * (now() - start));
  }
  std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
  return times[static_cast<std::size_t>(repeats / 2)];
}

void measure(const Grid& grid, int repeats) {
  const SmallPattern pattern = grid.pattern();
  const auto rows = make_rows(pattern, 1, 0.1);
  const std::size_t size = pattern.num_ranks() * pattern.num_functions;
  la::SymmetricSolver dense;
  SmallSystem sparse;
  const double dense_us =
      median_us(repeats, [&] { dense = la::SymmetricSolver(make_dense(pattern, rows, 1), size); });
  const double sparse_us = median_us(repeats, [&] { sparse = SmallSystem(pattern, rows); });
  auto b = right_side(pattern);
  const double dense_solve = median_us(repeats, [&] { dense.solve(b); });
  b = right_side(pattern);
  const double sparse_solve = median_us(repeats, [&] { sparse.solve(b); });
  std::printf("%zu,%zu,%zu,%zu,%zu,%.1f,%.1f,%.2f,%.2f\n", pattern.num_ranks(), size,
              pattern.first.size(), size * size, sparse.num_entries(), dense_us, sparse_us,
              dense_solve, sparse_solve);
}

} // namespace

int main(int argc, char** argv) {
  bool good = true;
  for (const Grid& grid : {Grid{1, 1, 4, 7}, Grid{2, 1, 4, 7}, Grid{4, 4, 4, 15}, Grid{8, 8, 4, 7},
                           Grid{16, 12, 1, 1}, Grid{5, 3, 4, 5}}) {
    good = agree(grid, 1) && agree(grid, -1) && good;
  }
  for (const Grid& grid : {Grid{2, 2, 1, 1}, Grid{8, 8, 1, 1}, Grid{4, 3, 4, 15}}) {
    good = agree_where_singular(grid) && good;
  }
  if (argc > 1) {
    std::puts(
        "ranks,functions,unknowns,dense entries,entries,dense us,us,dense solution us,solution us");
    const auto number = [argv](int i) { return static_cast<std::size_t>(std::atoi(argv[i])); };
    std::vector<Grid> grids{Grid{2, 2, 4, 7},  Grid{4, 4, 4, 7},   Grid{8, 8, 4, 7},
                            Grid{16, 8, 4, 7}, Grid{16, 12, 1, 1}, Grid{32, 16, 1, 1}};
    if (argc > 5) {
      grids = {Grid{number(2), number(3), number(4), std::atoi(argv[5])}};
    }
    for (const Grid& grid : grids) {
      measure(grid, std::atoi(argv[1]));
    }
  }
  return good ? 0 : 1;
}
