// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/reduce.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/await.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/comm.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace isthmus::comm {

namespace {

/// One message in either direction or in both.
struct Stage {
  int partner;
  bool sends;
  bool receives;
  bool replaces; // what arrives is the result
};

/// Ranks 2i and 2i+1 of the first `2 * extra` share one place in the hypercube.
std::vector<Stage> stages_of(int rank, int size) {
  const int places = static_cast<int>(std::bit_floor(static_cast<unsigned>(size)));
  const int extra = size - places;
  const bool shares = rank < 2 * extra;
  if (shares && rank % 2 == 1) {
    return {{rank - 1, true, false, false}, {rank - 1, false, true, true}};
  }
  std::vector<Stage> stages;
  if (shares) {
    stages.push_back({rank + 1, false, true, false});
  }
  const int place = shares ? rank / 2 : rank - extra;
  for (int distance = 1; distance < places; distance *= 2) {
    const int other = place ^ distance;
    stages.push_back({other < extra ? 2 * other : other + extra, true, true, false});
  }
  if (shares) {
    stages.push_back({rank + 1, true, false, false});
  }
  return stages;
}

/// When to look for a stage's message: not before it can be there, since a look costs, and not long
/// after, since the next stage waits. Follows what earlier looks found.
class PollInterval {
 public:
  void sent() { next_ = MPI_Wtime() + delay_, missed_ = false; }
  [[nodiscard]] bool is_over() const { return delay_ == 0 || MPI_Wtime() >= next_; }
  void found() { delay_ *= missed_ ? 1 : shrinks; }
  void found_nothing() {
    delay_ *= missed_ ? 1 : grows; // only once for a partner that is late
    next_ += again * delay_;
    missed_ = true;
  }
  /// Stages that nothing was done beside take no longer than their messages; one is not enough,
  /// its message may have come before.
  void waited(double seconds, std::size_t stages) {
    const double mean = seconds / static_cast<double>(stages);
    if (stages > 1 && (delay_ == 0 || mean < delay_)) {
      delay_ = mean;
    }
  }

 private:
  static constexpr double shrinks = 0.99;
  static constexpr double grows = 1.06; // one look of six finds nothing
  static constexpr double again = 0.1;
  double delay_ = 0; // seconds from the own message to the first look
  double next_ = 0;
  bool missed_ = false;
};

} // namespace

struct Reduction::State {
  std::vector<Stage> stages;
  std::size_t capacity;
  std::size_t count = 0; // of values in this reduction
  int tag;
  std::size_t stage = 0;  // the next to finish
  bool under_way = false; // a begin() without its finish()
  PollInterval poll_interval;
  std::vector<double> sums;                 // so far
  std::vector<double> incoming;             // by stage
  std::vector<double> outgoing;             // by stage
  std::vector<MPI_Request> receives, sends; // by stage

  [[nodiscard]] double* in(std::size_t s) { return incoming.data() + s * capacity; }
  [[nodiscard]] double* out(std::size_t s) { return outgoing.data() + s * capacity; }
  [[nodiscard]] bool is_idle() const { return are_idle(receives) && are_idle(sends); }
};

Reduction::Reduction(const Comm& comm, std::size_t capacity, int stream)
    : comm_(&comm), state_(std::make_unique<State>()) {
  constexpr int num_streams = 8;
  check(stream >= 0 && stream < num_streams, "a reduction's stream is 0 to {}, not {}",
        num_streams - 1, stream);
  State& s = *state_;
  s.stages = stages_of(comm.rank(), comm.size());
  s.capacity = capacity;
  s.tag = tag_reduce + stream;
  s.sums.resize(capacity);
  s.incoming.resize(capacity * s.stages.size());
  s.outgoing.resize(capacity * s.stages.size());
  s.receives.assign(s.stages.size(), MPI_REQUEST_NULL);
  s.sends.assign(s.stages.size(), MPI_REQUEST_NULL);
}

Reduction::Reduction(Reduction&&) noexcept = default;
Reduction& Reduction::operator=(Reduction&&) noexcept = default;

Reduction::~Reduction() {
  if (state_ && !state_->is_idle()) {
    comm_->keep();
    (void)state_.release();
  }
}

bool Reduction::under_way() const {
  return state_->under_way;
}

int Reduction::num_stages() const {
  return static_cast<int>(state_->stages.size());
}

void Reduction::begin(std::span<const double> values) {
  State& s = *state_;
  check(!s.under_way, "a reduction was begun again before its end; call finish() between");
  check(values.size() <= s.capacity, "a reduction made for {} values is asked to sum {}",
        s.capacity, values.size());
  s.count = values.size();
  std::copy(values.begin(), values.end(), s.sums.begin());
  s.under_way = true;
  s.stage = 0;
  ++counts_.reductions;
  for (std::size_t i = 0; i < s.stages.size(); ++i) {
    if (s.stages[i].receives) {
      check_mpi(MPI_Irecv(s.in(i), static_cast<int>(s.count), MPI_DOUBLE, s.stages[i].partner,
                          s.tag, comm_->raw(), &s.receives[i]),
                "MPI_Irecv");
    }
  }
  step();
}

void Reduction::step() {
  State& s = *state_;
  while (s.stage < s.stages.size()) {
    const Stage& stage = s.stages[s.stage];
    if (stage.sends) {
      std::copy_n(s.sums.begin(), s.count, s.out(s.stage));
      check_mpi(MPI_Isend(s.out(s.stage), static_cast<int>(s.count), MPI_DOUBLE, stage.partner,
                          s.tag, comm_->raw(), &s.sends[s.stage]),
                "MPI_Isend");
      ++counts_.messages;
    }
    if (stage.receives) {
      s.poll_interval.sent();
      return;
    }
    ++s.stage;
  }
}

void Reduction::end() {
  State& s = *state_;
  const double* const arrived = s.in(s.stage);
  const bool replaces = s.stages[s.stage].replaces;
  for (std::size_t i = 0; i < s.count; ++i) {
    s.sums[i] = replaces ? arrived[i] : s.sums[i] + arrived[i]; // commutes: partners agree
  }
  ++s.stage;
  step();
}

void Reduction::progress() {
  State& s = *state_;
  if (!s.under_way || s.stage == s.stages.size() || !s.poll_interval.is_over()) {
    return;
  }
  int done = 0;
  ++counts_.polls;
  check_mpi(MPI_Testall(1, &s.receives[s.stage], &done, MPI_STATUSES_IGNORE), "MPI_Testall");
  if (done == 0) {
    s.poll_interval.found_nothing();
    return;
  }
  s.poll_interval.found();
  end(); // the next message is hardly there yet
}

std::span<const double> Reduction::finish() {
  State& s = *state_;
  check(s.under_way, "a reduction is awaited that was not begun; call begin() first");
  if (const std::size_t left = s.stages.size() - s.stage; left > 0) {
    const double begin = MPI_Wtime();
    while (s.stage < s.stages.size()) {
      await(*comm_, std::span(&s.receives[s.stage], 1));
      end();
    }
    s.poll_interval.waited(MPI_Wtime() - begin, left);
  }
  if (!s.sends.empty()) {
    await(*comm_, s.sends);
  }
  s.under_way = false;
  return {s.sums.data(), s.count};
}

std::span<const double> Reduction::sum(std::span<const double> values) {
  begin(values);
  return finish();
}

} // namespace isthmus::comm
