// SPDX-License-Identifier: BSD-3-Clause
#include "iterate.hpp"

#include <algorithm>

namespace isthmus::acceleration {

namespace {

/// This rank's part of every sample.
Vector part_of(const comm::Comm& comm, const GlobalField& field, const Vector& all) {
  const Share share(comm, field.size);
  Vector part;
  for (std::size_t s = 0; s < field.samples; ++s) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(s * field.size);
    const Vector piece = share.of(Vector(begin, begin + static_cast<std::ptrdiff_t>(field.size)));
    part.insert(part.end(), piece.begin(), piece.end());
  }
  return part;
}

} // namespace

Vector together(const comm::Comm& comm, const Vector& part) {
  return comm::allgather<double>(comm, part).values;
}

Iteration::Iteration(std::vector<GlobalField> fields, Accelerator& accelerator,
                     const comm::Comm& comm)
    : fields_(std::move(fields)), accelerator_(&accelerator), comm_(&comm) {
  std::vector<IteratedField> local;
  for (const GlobalField& field : fields_) {
    const Share share(comm, field.size);
    local.push_back({field.name, share.end - share.begin, field.samples, field.primary,
                     field.scaling, field.lower, field.upper});
  }
  accelerator.initialize(std::move(local));
}

bool Iteration::advance(State& x, State& output, double limit, bool last) {
  State inputs;
  State outputs;
  std::vector<Iterate> parts;
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    inputs.push_back(part_of(*comm_, fields_[f], x[f]));
    outputs.push_back(part_of(*comm_, fields_[f], output[f]));
  }
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    parts.push_back({inputs[f], outputs[f]});
  }
  std::vector<Twofold> sums{{1.0, 0.0}}; // one of the caller's own
  accelerator_->measure(parts, sums);
  comm::allreduce_sum(*comm_, sums);
  ++reductions;
  accelerator_->absorb(sums);
  const auto norms = accelerator_->norms();
  const bool converged = std::all_of(norms.begin(), norms.end(), [&](const Norms& norm) {
    return norm.residual <= limit * norm.value;
  });
  if (converged || last) {
    accelerator_->complete_window();
    return true;
  }
  accelerator_->improve(parts);
  x = together_all(outputs);
  return false;
}

State Iteration::together_all(const State& parts) const {
  Vector mine;
  for (const Vector& part : parts) {
    mine.insert(mine.end(), part.begin(), part.end());
  }
  const Vector all = together(*comm_, mine);
  State whole;
  for (const GlobalField& field : fields_) {
    whole.emplace_back(field.size * field.samples);
  }
  auto next = all.begin();
  for (int rank = 0; rank < comm_->size(); ++rank) {
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      const Share share(rank, comm_->size(), fields_[f].size);
      for (std::size_t s = 0; s < fields_[f].samples; ++s) {
        for (std::size_t i = share.begin; i < share.end; ++i) {
          whole[f][s * fields_[f].size + i] = *next++;
        }
      }
    }
  }
  return whole;
}

WindowResult Iteration::run(State x, const FixedPoint& h, int window, double limit,
                            int max_iterations) {
  WindowResult result;
  bool done = false;
  while (!done) {
    ++result.iterations;
    iterates.push_back(x);
    result.state = h(x, window);
    done = advance(x, result.state, limit, result.iterations == max_iterations);
  }
  result.counters = accelerator_->counters().value_or(acceleration::Counters{});
  return result;
}

} // namespace isthmus::acceleration
