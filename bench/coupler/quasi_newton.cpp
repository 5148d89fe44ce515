// SPDX-License-Identifier: BSD-3-Clause
// bench_quasi_newton [VALUES [REPETITIONS]]: one quasi-Newton iteration with 7 and 20 columns
// of VALUES entries over all ranks (default 100,000), three ways on the same columns:
//   gram-schmidt  the new column made orthogonal to the others one by one, twice, a scalar
//   reduction
//                 for each, as modified Gram-Schmidt with re-orthogonalization does
//   ours          measure, one reduction, absorb and improve of IQN-ILS
//   floor         reading V and W once with plain sums, and writing the result: no reduction
// One line of comma separated values for each repetition: the time of the slowest rank (simulated
// under the smpi preset), reductions and heap allocations of an iteration on rank 0.
#include "allocations.hpp"

#include "isthmus/acceleration/make.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace {

using namespace isthmus;
using namespace isthmus::acceleration;

using Vector = std::vector<double>;

struct Cost {
  double seconds;
  int reductions;
  long allocated;
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

/// One way to compute an iteration; the data belong to the step.
struct Method {
  const char* name;
  std::function<void(Reducer&, int)> step;
};

Cost measure(const comm::Comm& comm, Method& method, int repetition) {
  Reducer reducer(comm);
  comm::barrier(comm);
  const long allocated = allocations.load();
  const double begin = MPI_Wtime();
  method.step(reducer, repetition);
  const double seconds = MPI_Wtime() - begin;
  const long more = allocations.load() - allocated;
  return {comm::allreduce(comm, seconds, comm::Op::max), reducer.count, more};
}

Method gram_schmidt(const comm::Comm& comm, std::size_t values, int columns) {
  GramSchmidt method;
  for (int j = 0; j < columns; ++j) {
    method.q.push_back(sample(values, j + 1, comm.rank()));
    method.w.push_back(method.q.back());
  }
  const Vector r = sample(values, 100, comm.rank());
  return {"gram-schmidt", [method, r, x = r](Reducer& reducer, int) mutable {
            method.step(method.w.back(), r, x, reducer);
          }};
}

Method ours(const comm::Comm& comm, std::size_t values, int columns) {
  const QuasiNewtonSettings settings{.max_used_iterations = columns, .filter_limit = 1e-12};
  std::shared_ptr<Accelerator> newton = make_iqn_ils(settings, comm);
  newton->initialize({{"u", values}});
  std::vector<Vector> residuals;
  for (int k = 0; k < 2 * columns; ++k) {
    residuals.push_back(sample(values, k + 1, comm.rank()));
  }
  const auto step = [newton, residuals, input = Vector(values), output = Vector(values),
                     sums = std::vector<Twofold>()](Reducer& reducer, int i) mutable {
    output = residuals[static_cast<std::size_t>(i) % residuals.size()];
    const Iterate field{input, output};
    sums.clear();
    newton->measure({&field, 1}, sums);
    reducer.sum(sums);
    newton->absorb(sums);
    newton->improve({&field, 1});
  };
  Method method{"ours", step};
  Reducer reducer(comm);
  for (int k = 0; k <= columns; ++k) { // until all columns are there
    method.step(reducer, k);
  }
  return method;
}

/// r · v of all columns in plain doubles, then x += w.
void read_once(const std::vector<Vector>& v, const std::vector<Vector>& w, const Vector& r,
               Vector& x, double& sum) {
  constexpr std::size_t chunk = 1024;
  for (std::size_t begin = 0; begin < x.size(); begin += chunk) {
    const std::size_t end = std::min(x.size(), begin + chunk);
    for (const Vector& column : v) {
      double lanes[8] = {};
      for (std::size_t i = begin; i + 8 <= end; i += 8) {
        for (std::size_t l = 0; l < 8; ++l) {
          lanes[l] += column[i + l] * r[i + l];
        }
      }
      sum += lanes[0] + lanes[1] + lanes[2] + lanes[3] + lanes[4] + lanes[5] + lanes[6] + lanes[7];
    }
    for (const Vector& column : w) {
      for (std::size_t i = begin; i < end; ++i) {
        x[i] += 0.1 * column[i];
      }
    }
  }
}

Method floor(const comm::Comm& comm, std::size_t values, int columns) {
  std::vector<Vector> v;
  for (int j = 0; j < columns; ++j) {
    v.push_back(sample(values, j + 1, comm.rank()));
  }
  return {"floor", [v, w = v, r = sample(values, 100, comm.rank()), x = Vector(values), sum = 0.0](
                       Reducer&, int) mutable {
            read_once(v, w, r, x, sum);
            check(std::isfinite(sum), "the columns are not finite");
          }};
}

/// All methods in turn, so that what else the machine does hits them alike.
void compare(const comm::Comm& comm, std::size_t values, std::size_t own, int columns,
             int repetitions) {
  std::vector<Method> methods{gram_schmidt(comm, own, columns), ours(comm, own, columns),
                              floor(comm, own, columns)};
  for (int i = 0; i < repetitions; ++i) {
    for (Method& method : methods) {
      const Cost cost = measure(comm, method, columns + 1 + i);
      if (comm.is_root()) {
        fmt::print("{},{},{},{},{:.2f},{},{}\n", method.name, comm.size(), values, columns,
                   1e6 * cost.seconds, cost.reductions, cost.allocated);
      }
    }
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
      compare(comm, values, own, columns, repetitions);
    }
  }
  MPI_Finalize();
}
