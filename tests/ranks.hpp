// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <doctest/doctest.h>

#include <limits>

/// With which numbers of ranks a case can run: TEST_CASE("…" * on_ranks(2)). With others it is left
/// out, and the program says so: a case that checks nothing fails.
class OnRanks {
 public:
  using Fits = bool (*)(const OnRanks& limits, int ranks);
  OnRanks(Fits fits, int least, int most) : fits_(fits), least_(least), most_(most) {}

  void fill(doctest::detail::TestCase& test) const; // asked by doctest, before main()
  [[nodiscard]] bool allows(int ranks) const { return fits_(*this, ranks); }
  [[nodiscard]] int least() const { return least_; }
  [[nodiscard]] int most() const { return most_; }

 private:
  Fits fits_;
  int least_;
  int most_;
};

[[nodiscard]] inline OnRanks on_ranks(int least, int most = std::numeric_limits<int>::max()) {
  return {[](const OnRanks& limits, int ranks) {
            return limits.least() <= ranks && ranks <= limits.most();
          },
          least, most};
}

[[nodiscard]] inline OnRanks on_even_ranks() {
  return {[](const OnRanks&, int ranks) { return ranks % 2 == 0; }, 0, 0};
}

/// For a case that not every machine allows, and that says "not tested: …" where it cannot run. It
/// is a test of its own (isthmus_machine_test in cmake/test.cmake), which is reported as skipped
/// then.
class DependsOnMachine {
 public:
  void fill(doctest::detail::TestCase& test) const {
    test.m_test_suite = "machine";
    test.m_skip = true; // in the test with all other cases
  }
};

constexpr DependsOnMachine depends_on_machine;

/// For cases with so many participants: in threads of a single rank, else with ranks for each.
[[nodiscard]] inline OnRanks on_ranks_for(int participants) {
  return {[](const OnRanks& limits, int ranks) { return ranks == 1 || ranks >= limits.least(); },
          participants, 0};
}
