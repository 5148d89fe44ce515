// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/acceleration/accelerator.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/comm.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace isthmus::acceleration {

using Vector = std::vector<double>;

/// Entries [begin, end) of n that a rank holds; the last rank holds none where there are several.
struct Share {
  std::size_t begin = 0;
  std::size_t end = 0;

  Share(int rank, int size, std::size_t n) {
    const auto holders = static_cast<std::size_t>(size > 1 ? size - 1 : 1);
    const auto holder = std::min(static_cast<std::size_t>(rank), holders);
    begin = holder * n / holders;
    end = std::min(holder + 1, holders) * n / holders;
  }
  Share(const comm::Comm& comm, std::size_t n) : Share(comm.rank(), comm.size(), n) {}
  [[nodiscard]] Vector of(const Vector& all) const {
    return {all.begin() + static_cast<std::ptrdiff_t>(begin),
            all.begin() + static_cast<std::ptrdiff_t>(end)};
  }
};

/// A field of a test problem: all of it is known on every rank.
struct GlobalField {
  std::string name;
  std::size_t size = 0; // per sample, over all ranks
  std::size_t samples = 1;
  bool primary = true;
  double scaling = 1;
  Vector lower = {};
  Vector upper = {};
};

/// The fields of an iteration as one vector after the other.
using State = std::vector<Vector>;
using FixedPoint = std::function<State(const State& x, int window)>;

struct WindowResult {
  int iterations = 0;
  State state; // H(x_k) of the last iteration
  Counters counters;
};

/// Runs an accelerator on the ranks of a communicator as a coupling scheme would.
class Iteration {
 public:
  Iteration(std::vector<GlobalField> fields, Accelerator& accelerator, const comm::Comm& comm);

  /// Iterates from x until the residual is below `limit` times the value, or as often as allowed.
  WindowResult run(State x, const FixedPoint& h, int window, double limit, int max_iterations);

  std::vector<State> iterates; // every x_k that was given to the solvers
  int reductions = 0;          // by the accelerator's sums

 private:
  /// x_{k+1} from x_k and H(x_k); true if that was the last.
  bool advance(State& x, State& output, double limit, bool last);
  /// Collective. The fields of all ranks from their parts.
  [[nodiscard]] State together_all(const State& parts) const;

  std::vector<GlobalField> fields_;
  Accelerator* accelerator_;
  const comm::Comm* comm_;
};

/// Everything on every rank, from the pieces of all.
[[nodiscard]] Vector together(const comm::Comm& comm, const Vector& part);

} // namespace isthmus::acceleration
