// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/schemes/schedule.hpp"

#include "isthmus/coupling/schemes/scheme.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

using isthmus::config::CouplingScheme;
using isthmus::config::SchemeKind;
using isthmus::coupling::Schedule;
using isthmus::coupling::Scheme;

namespace {

CouplingScheme scheme(SchemeKind kind, const std::string& one, const std::string& other,
                      double size) {
  CouplingScheme settings;
  settings.kind = kind;
  settings.participants = {one, other};
  settings.time_window.size = size;
  settings.max_time = 4;
  return settings;
}

/// The partners of the schemes of which a window ends, and opens the next ones.
std::vector<std::string> ends(Schedule& schedule, double dt) {
  std::vector<std::string> partners;
  for (Scheme* due : schedule.step(dt)) {
    partners.push_back(due->partners().front());
    due->window().open_next();
  }
  return partners;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("the shortest window of all schemes limits the step") {
  const std::vector<CouplingScheme> settings{
      scheme(SchemeKind::parallel_explicit, "A", "S", 1),
      scheme(SchemeKind::serial_explicit, "S", "B", 2),
      scheme(SchemeKind::serial_explicit, "A", "B", 0.1)}; // of others
  Schedule schedule(settings, "S");
  CHECK(schedule.schemes().size() == 2);
  CHECK(schedule.implicit() == nullptr);
  CHECK(schedule.find("B")->role() == Scheme::Role::first);
  CHECK(schedule.find("C") == nullptr);
  CHECK(schedule.step_limit() == 1);
  CHECK(!schedule.ends_windows(1));
  CHECK(ends(schedule, 1) == Names{"A"});
  CHECK(!schedule.is_between_windows()); // of B
  CHECK(schedule.ends_windows(1));
  CHECK(ends(schedule, 0.25).empty());
  CHECK(schedule.step_limit() == 0.75);
  CHECK(ends(schedule, 0.75) == Names{"A", "B"});
  CHECK(schedule.time() == 2);
  CHECK(schedule.windows_done() == 2);
  CHECK(schedule.is_between_windows());
  CHECK(ends(schedule, 1) == Names{"A"});
  CHECK(ends(schedule, 1) == Names{"A", "B"});
  CHECK(!schedule.is_ongoing());
  CHECK(schedule.step_limit() == 0);
}

TEST_CASE("explicit schemes wait while a window of the implicit one is repeated") {
  const std::vector<CouplingScheme> settings{scheme(SchemeKind::parallel_explicit, "A", "S", 1),
                                             scheme(SchemeKind::serial_implicit, "B", "S", 2)};
  Schedule schedule(settings, "S");
  REQUIRE(schedule.implicit() == schedule.find("B"));
  CHECK(schedule.implicit()->leads());
  Scheme& explicit_one = *schedule.find("A");
  CHECK(ends(schedule, 1) == Names{"A"});
  CHECK(schedule.step(1) == std::vector{&explicit_one, schedule.implicit()});

  schedule.repeat(0);
  schedule.implicit()->window().repeat();
  CHECK(schedule.time() == 0);
  CHECK(schedule.step_limit() == 2); // of the implicit one alone
  CHECK(explicit_one.behind() == 1); // its window began at time 1
  CHECK(schedule.step(1.5).empty());
  CHECK(schedule.time() == 1.5);
  CHECK(schedule.step(0.5) == std::vector{&explicit_one, schedule.implicit()});
  schedule.end_repeating();
  schedule.implicit()->window().open_next();
  explicit_one.window().open_next();
  CHECK(schedule.time() == 2);
  CHECK(schedule.step_limit() == 1);
}

TEST_CASE(
    "who sets an implicit window beside other schemes takes the same step in each iteration") {
  const auto dictated = [](const std::string& one, const std::string& other) {
    CouplingScheme settings = scheme(SchemeKind::serial_implicit, one, other, -1);
    settings.time_window.set_by_first_participant = true;
    return settings;
  };
  const auto repeat = [](Schedule& schedule, double dt) {
    static_cast<void>(schedule.step(dt));
    schedule.implicit()->window().repeat();
    schedule.repeat(0);
  };
  const CouplingScheme of_self = scheme(SchemeKind::parallel_explicit, "S", "A", 1);
  const CouplingScheme of_partner = scheme(SchemeKind::serial_explicit, "A", "B", 3);
  for (const CouplingScheme& beside : {of_self, of_partner}) {
    const std::vector<CouplingScheme> settings{dictated("S", "B"), beside};
    Schedule schedule(settings, "S");
    CHECK(schedule.least_step() == 0);
    CHECK(schedule.repeated_size() == std::numeric_limits<double>::max());
    for (int iteration = 1; iteration < 3; ++iteration) {
      repeat(schedule, 0.75);
      CHECK(schedule.step_limit() == 0.75);
      CHECK(schedule.least_step() == 0.75);
    }
    static_cast<void>(schedule.step(0.75));
    schedule.implicit()->window().open_next();
    schedule.end_repeating();
    CHECK(schedule.least_step() == 0);
    CHECK(schedule.step_limit() == (beside.involves("S") ? 0.25 : 3.25));
  }
  const std::vector<CouplingScheme> alone{dictated("S", "B"),
                                          scheme(SchemeKind::serial_explicit, "A", "C", 1)};
  Schedule schedule(alone, "S");
  for (const double dt : {0.75, 0.5}) { // it may become shorter
    repeat(schedule, dt);
    CHECK(schedule.step_limit() == 4);
    CHECK(schedule.least_step() == 0);
    CHECK(schedule.repeated_size() == dt);
  }
}

TEST_CASE("a later run goes on at the time of the earlier one") {
  const std::vector<CouplingScheme> settings{scheme(SchemeKind::parallel_explicit, "A", "S", 1)};
  Schedule before(settings, "S");
  CHECK(ends(before, 1) == Names{"A"});
  Schedule after(settings, "S");
  after.resume(before.time());
  after.find("A")->window().resume(before.find("A")->window().at_start());
  CHECK(after.time() == 1);
  CHECK(after.windows_done() == 1);
  CHECK(after.is_between_windows());
}
