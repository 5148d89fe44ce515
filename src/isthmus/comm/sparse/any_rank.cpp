// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/comm/sparse/any_rank.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/await.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/comm.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace isthmus::comm {

namespace {

struct Pair {
  int to;
  int from;
};

/// Of all stages, and where each begins. No two pairs have the same distance, so one tag serves
/// all.
std::vector<Pair> pairs_of(const Comm& comm, int ways, std::vector<std::size_t>& begins) {
  const std::int64_t size = comm.size();
  std::vector<Pair> pairs;
  begins = {0};
  for (std::int64_t step = 1; step < size; step *= ways) {
    for (std::int64_t way = 1; way < ways && way * step < size; ++way) {
      pairs.push_back({static_cast<int>((comm.rank() + way * step) % size),
                       static_cast<int>((comm.rank() + size - way * step) % size)});
    }
    begins.push_back(pairs.size());
  }
  return pairs;
}

} // namespace

struct AnyRank::State {
  std::vector<Pair> pairs;
  std::vector<std::size_t> begins; // of stages, and the end
  std::size_t stage = 0;           // the next to finish
  bool under_way = false;
  bool known = false;                // that somebody says yes
  std::vector<std::uint8_t> out, in; // by pair
  std::vector<MPI_Request> sends, receives;
  Traffic* traffic = nullptr;

  [[nodiscard]] std::size_t num_stages() const { return begins.size() - 1; }
  /// Those of the stage that is next.
  template <typename T>
  [[nodiscard]] std::span<T> of_stage(std::vector<T>& all) {
    return std::span(all).subspan(begins[stage], begins[stage + 1] - begins[stage]);
  }
  [[nodiscard]] bool is_idle() const { return are_idle(receives) && are_idle(sends); }
};

AnyRank::AnyRank(const Comm& comm, int ways) : comm_(&comm), state_(std::make_unique<State>()) {
  check(ways >= 2, "a question is spread in at least 2 ways, not {}", ways);
  State& s = *state_;
  s.pairs = pairs_of(comm, ways, s.begins);
  s.out.resize(s.pairs.size());
  s.in.resize(s.pairs.size());
  s.sends.assign(s.pairs.size(), MPI_REQUEST_NULL);
  s.receives.assign(s.pairs.size(), MPI_REQUEST_NULL);
}

AnyRank::AnyRank(AnyRank&&) noexcept = default;
AnyRank& AnyRank::operator=(AnyRank&&) noexcept = default;

AnyRank::~AnyRank() {
  if (state_ && !state_->is_idle()) {
    comm_->keep();
    (void)state_.release();
  }
}

bool AnyRank::under_way() const {
  return state_->under_way;
}

void AnyRank::begin(bool yes, Traffic* traffic) {
  State& s = *state_;
  check(!s.under_way, "a question to all ranks was begun again before its end; call finish()");
  s.under_way = true;
  s.known = yes;
  s.stage = 0;
  s.traffic = traffic;
  for (std::size_t i = 0; i < s.pairs.size(); ++i) {
    check_mpi(MPI_Irecv(&s.in[i], 1, MPI_BYTE, s.pairs[i].from, tag_question, comm_->raw(),
                        &s.receives[i]),
              "MPI_Irecv");
  }
  send();
}

/// What is known, in the stage that is next.
void AnyRank::send() {
  State& s = *state_;
  if (s.stage == s.num_stages()) {
    return;
  }
  for (std::size_t i = s.begins[s.stage]; i < s.begins[s.stage + 1]; ++i) {
    s.out[i] = s.known ? 1 : 0;
    check_mpi(
        MPI_Isend(&s.out[i], 1, MPI_BYTE, s.pairs[i].to, tag_question, comm_->raw(), &s.sends[i]),
        "MPI_Isend");
    if (s.traffic != nullptr) {
      s.traffic->count(1);
    }
  }
}

/// The messages of this stage have come.
void AnyRank::end_stage() {
  State& s = *state_;
  for (const std::uint8_t yes : s.of_stage(s.in)) {
    s.known = s.known || yes != 0;
  }
  if (s.traffic != nullptr) {
    s.traffic->received += static_cast<std::int64_t>(s.of_stage(s.in).size());
  }
  ++s.stage;
  send();
}

void AnyRank::progress() {
  State& s = *state_;
  while (s.under_way && s.stage < s.num_stages() && comm::progress(s.of_stage(s.receives))) {
    end_stage();
  }
}

bool AnyRank::finish() {
  State& s = *state_;
  check(s.under_way, "a question to all ranks is awaited that was not begun; call begin() first");
  while (s.stage < s.num_stages()) {
    await(*comm_, s.of_stage(s.receives));
    end_stage();
  }
  if (!s.sends.empty()) {
    await(*comm_, s.sends);
  }
  s.under_way = false;
  return s.known;
}

} // namespace isthmus::comm
