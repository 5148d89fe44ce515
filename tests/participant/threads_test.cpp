// SPDX-License-Identifier: BSD-3-Clause
// How many threads prepare a mapping.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include "sanitized.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cmath>
#include <string>
#include <vector>

namespace {

std::atomic<int> threads_begun = 0;

} // namespace

#ifndef __SANITIZE_ADDRESS__
/// Counts the threads of the program, those of its libraries too.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*work)(void*), void* argument) noexcept {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  ++threads_begun;
  return create(thread, attributes, work, argument);
}
#endif

using namespace couple;

namespace {

/// Threads that B begins while it maps, and what it reads in the center.
struct Mapped {
  int threads = 0;
  double value = 0;
};

Mapped mapped(const std::string& kind, const std::string& basis, const std::string& executor) {
  constexpr int side = 28;
  const Scenario scenario{
      {{.first = "A", .second = "B", .max_windows = 1}},
      {{.from = "A",
        .to = "B",
        .data = "T",
        .mapping = {
            .kind = kind, .basis = basis, .options = "polynomial=\"off\"", .inside = executor}}}};
  const auto play = [&](const Seat& seat) {
    isthmus::Participant participant = seat.make();
    const std::string mesh = seat.participant + "-Mesh";
    const double shift = seat.participant == "B" ? 0.3 : 0;
    std::vector<int> ids;
    std::vector<double> values;
    for (int i = 0; i < side * side; ++i) {
      const std::vector<double> place{i % side + shift, i / side + shift};
      ids.push_back(participant.set_mesh_vertex(mesh, place));
      values.push_back(std::sin(0.1 * place[0]) + 0.2 * place[1]);
    }
    const int before = threads_begun;
    participant.initialize();
    const int after = threads_begun;
    if (seat.participant == "A") {
      participant.write_data(mesh, "T", ids, values);
    }
    participant.advance(1);
    if (seat.participant == "B") {
      participant.read_data(mesh, "T", ids, 0, values);
      seat.put("B", 0, {static_cast<double>(after - before), values[side * side / 2 + side / 2]});
    }
    participant.finalize();
  };
  const Table table = run(scenario.xml(), {{"A", play}, {"B", play}}, in_threads);
  const std::vector<double>& reported = table.at("B").begin()->second;
  return {static_cast<int>(reported[0]), reported[1]};
}

} // namespace

TEST_CASE("n-threads says how many threads prepare a radial mapping" *
          doctest::skip(is_sanitized)) {
  for (const auto& [kind, basis] :
       {std::pair(std::string("rbf-pum-direct"), "compact-polynomial-c2 support-radius=\"6\""),
        {"rbf-global-iterative", "gaussian shape-parameter=\"1.5\""}}) {
    CAPTURE(kind);
    const auto with = [&](int threads) {
      return mapped(kind, basis, fmt::format("<executor:openmp n-threads=\"{}\"/>", threads));
    };
    const Mapped usual = mapped(kind, basis, "<executor:cpu/>");
    const Mapped one = with(1);
    const Mapped two = with(2);
    const Mapped four = with(4);
    CHECK(one.threads == usual.threads);
    CHECK(two.threads > one.threads);
    CHECK(four.threads - one.threads == 3 * (two.threads - one.threads));
    {
      const Environment chosen("OMP_NUM_THREADS", "4"); // what 0 stands for
      CHECK(with(0).threads == four.threads);
      CHECK(with(1).threads == one.threads);
    }
    for (const Mapped& other : {one, two, four}) {
      CHECK(other.value == usual.value);
    }
  }
}
