// SPDX-License-Identifier: BSD-3-Clause
// bench_quasi_newton [VALUES [REPETITIONS]]: one quasi-Newton iteration with 7 and 20 columns
// of VALUES entries over all ranks (default 100,000), three ways on the same columns:
//   gram-schmidt  the new column made orthogonal to the others one by one, twice, a scalar
//   reduction
//                 for each, as modified Gram-Schmidt with re-orthogonalization does
//   ours          measure, one reduction, absorb and improve of IQN-ILS
//   floor         reading V and W once with plain sums, and writing the result: no reduction
// One line of comma separated values each: the smallest time of the slowest rank (simulated under
// the smpi preset), reductions and heap allocations of an iteration on rank 0.
#include "isthmus/acceleration/make.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <span>
#include <vector>

namespace {

std::atomic<long> allocations{0};

} // namespace

void* operator new(std::size_t n) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(n)) {
    return memory;
  }
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace {

using namespace isthmus;
using namespace isthmus::acceleration;

using Vector = std::vector<double>;

struct Cost {
  double seconds = std::numeric_limits<double>::max();
  int reductions = 0;
  long allocated = 0;
};

/// Sums over ranks and counts how often.
class Reducer {
 public:
  explicit Reducer(const comm::Comm& comm) : comm_(&comm) {}

  double sum(double value) {
    ++count;
    return comm::allreduce(*comm_, value, comm::Op::sum);
  }
  void sum(std::span<Twofold> values) {
    ++count;
    comm::allreduce_sum(*comm_, values);
  }

  int count = 0;

 private:
  const comm::Comm* comm_;
};

double plain_dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

void add(Vector& y, double factor, const Vector& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] += factor * x[i];
  }
}

/// Something like a residual of iteration k on this rank.
Vector sample(std::size_t values, int k, int rank) {
  Vector v(values);
  for (std::size_t i = 0; i < values; ++i) {
    v[i] = std::sin(1e-3 * static_cast<double>(k * k) * static_cast<double>(i + 1) + k + rank);
  }
  return v;
}

/// All columns but the last are orthogonal already.
struct GramSchmidt {
  std::vector<Vector> q;
  std::vector<Vector> w;
  Vector c;

  void step(Vector v, const Vector& r, Vector& x, Reducer& reducer) {
    const std::size_t m = q.size() - 1;
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t j = 0; j < m; ++j) {
        add(v, -reducer.sum(plain_dot(q[j], v)), q[j]);
      }
      const double norm = std::sqrt(reducer.sum(plain_dot(v, v)));
      std::transform(v.begin(), v.end(), v.begin(), [norm](double value) { return value / norm; });
    }
    q[m] = std::move(v);
    c.resize(m + 1);
    for (std::size_t j = 0; j <= m; ++j) {
      c[j] = -reducer.sum(plain_dot(q[j], r));
    }
    for (std::size_t j = 0; j <= m; ++j) {
      add(x, c[j], w[j]);
    }
  }
};

template <typename Step>
Cost measure(const comm::Comm& comm, int repetitions, Reducer& reducer, Step&& step) {
  Cost cost;
  for (int i = 0; i < repetitions; ++i) {
    comm::barrier(comm);
    const long allocated = allocations.load();
    const int reductions = reducer.count;
    const double begin = MPI_Wtime();
    step(i);
    const double seconds = MPI_Wtime() - begin;
    cost.reductions = reducer.count - reductions;
    cost.allocated = allocations.load() - allocated;
    cost.seconds = std::min(cost.seconds, comm::allreduce(comm, seconds, comm::Op::max));
  }
  return cost;
}

Cost gram_schmidt(const comm::Comm& comm, std::size_t values, int columns, int repetitions) {
  Reducer reducer(comm);
  GramSchmidt method;
  for (int j = 0; j < columns; ++j) {
    method.q.push_back(sample(values, j + 1, comm.rank()));
    method.w.push_back(method.q.back());
  }
  const Vector r = sample(values, 100, comm.rank());
  Vector x = r;
  return measure(comm, repetitions, reducer,
                 [&](int) { method.step(method.w.back(), r, x, reducer); });
}

Cost ours(const comm::Comm& comm, std::size_t values, int columns, int repetitions) {
  Reducer reducer(comm);
  QuasiNewtonSettings settings{.max_used_iterations = columns, .filter_limit = 1e-12};
  const auto newton = make_iqn_ils(settings, comm);
  newton->initialize({{"u", values}});
  const Vector input(values);
  std::vector<Vector> residuals;
  for (int k = 0; k <= columns + repetitions; ++k) {
    residuals.push_back(sample(values, k + 1, comm.rank()));
  }
  std::vector<Twofold> sums;
  const auto step = [&](Vector& output) {
    const Iterate field{input, output};
    sums.clear();
    newton->measure({&field, 1}, sums);
    reducer.sum(sums);
    newton->absorb(sums);
    newton->improve({&field, 1});
  };
  for (int k = 0; k <= columns; ++k) {
    step(residuals[static_cast<std::size_t>(k)]);
  }
  return measure(comm, repetitions, reducer,
                 [&](int i) { step(residuals[static_cast<std::size_t>(columns + 1 + i)]); });
}

Cost floor(const comm::Comm& comm, std::size_t values, int columns, int repetitions) {
  Reducer reducer(comm);
  std::vector<Vector> all;
  for (int j = 0; j < 2 * columns; ++j) {
    all.push_back(sample(values, j + 1, comm.rank()));
  }
  const Vector r = sample(values, 100, comm.rank());
  Vector x(values);
  double sum = 0;
  const Cost cost = measure(comm, repetitions, reducer, [&](int) {
    constexpr std::size_t chunk = 1024;
    for (std::size_t begin = 0; begin < values; begin += chunk) {
      const std::size_t end = std::min(values, begin + chunk);
      for (int j = 0; j < columns; ++j) {
        const double* const v = all[static_cast<std::size_t>(j)].data();
        double lanes[8] = {};
        for (std::size_t i = begin; i + 8 <= end; i += 8) {
          for (std::size_t l = 0; l < 8; ++l) {
            lanes[l] += v[i + l] * r[i + l];
          }
        }
        sum +=
            lanes[0] + lanes[1] + lanes[2] + lanes[3] + lanes[4] + lanes[5] + lanes[6] + lanes[7];
      }
      for (int j = columns; j < 2 * columns; ++j) {
        const double* const w = all[static_cast<std::size_t>(j)].data();
        for (std::size_t i = begin; i < end; ++i) {
          x[i] += 0.1 * w[i];
        }
      }
    }
  });
  check(values == 0 || std::isfinite(x[0] + sum), "the columns are not finite");
  return cost;
}

void report(const comm::Comm& comm, const char* method, std::size_t values, int columns,
            const Cost& cost) {
  if (comm.is_root()) {
    fmt::print("{},{},{},{},{:.2f},{},{}\n", method, comm.size(), values, columns,
               1e6 * cost.seconds, cost.reductions, cost.allocated);
  }
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const comm::Comm comm(MPI_COMM_WORLD);
    const std::size_t values = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100'000;
    const int repetitions = argc > 2 ? std::atoi(argv[2]) : 20;
    const auto ranks = static_cast<std::size_t>(comm.size());
    const auto rank = static_cast<std::size_t>(comm.rank());
    const std::size_t own = (rank + 1) * values / ranks - rank * values / ranks;
    if (comm.is_root()) {
      fmt::print("method,ranks,values,columns,iteration_us,reductions,allocations\n");
    }
    for (const int columns : {7, 20}) {
      report(comm, "gram-schmidt", values, columns, gram_schmidt(comm, own, columns, repetitions));
      report(comm, "ours", values, columns, ours(comm, own, columns, repetitions));
      report(comm, "floor", values, columns, floor(comm, own, columns, repetitions));
    }
  }
  MPI_Finalize();
}
