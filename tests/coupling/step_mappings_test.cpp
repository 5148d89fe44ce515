// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/step/step_mappings.hpp"

#include "fields/planned.hpp"
#include "two_sides.hpp"

#include <doctest/doctest.h>

#include <array>
#include <list>
#include <string>
#include <vector>

namespace isthmus::coupling {

namespace {

using Entries = std::vector<double>;

/// A step of "A", whose plans are made by hand: it maps "x" of its own mesh to a received one, and
/// "y" from there.
struct Mapped {
  explicit Mapped(bool initializes) {
    config::CouplingScheme& settings = a.configuration.schemes.front();
    settings.exchanges.front().initialize = initializes; // of "x"
    schemes.emplace_back(settings, a.self.name, 0);
    a.planned.take_up();
    scheme().connect(a.items);
    a.items.finish();
  }

  [[nodiscard]] Scheme& scheme() { return schemes.front(); }
  [[nodiscard]] time::Waveform& wave(const std::string& mesh, const std::string& data) {
    return a.fields.at(mesh, data).wave();
  }
  [[nodiscard]] Entries last(const std::string& mesh, const std::string& data) const {
    const time::Waveform& wave = a.fields.at(mesh, data).wave();
    const auto values = wave.values(wave.num_samples() - 1);
    return {values.begin(), values.end()};
  }

  WorkingFolder folder;
  fields::Planned a{"A"};
  std::list<Scheme> schemes;
  Network network{"A"};
  fields::Relations relations{a.relations, a.configuration.participants, a.self};
  transport::Hub hub{comm::SpinPolicy::for_processes(1)};
  Resets resets{a.self, relations, hub, false};
  RecordedHooks hooks;
  StepMappings mappings{network.context(), a.self, a.planned, resets, hooks};
};

} // namespace

TEST_CASE("what is written is mapped to the mesh that travels where a scheme sends it") {
  Mapped step(false);
  step.wave("A-Mesh", "x").append(1, {10, 20, 30});
  step.mappings.map_written({});
  CHECK(step.wave("B-Mesh", "x").empty()); // nothing is due
  step.mappings.map_written(std::array{&step.scheme()});
  CHECK(step.last("B-Mesh", "x") == Entries{10, 20});
  CHECK(step.hooks.called() == std::vector<std::string>{"written", "written"});
}

TEST_CASE("initial data that nobody has written are zero on the mesh that travels") {
  for (const bool initializes : {true, false}) {
    Mapped step(initializes);
    step.mappings.map_initial(step.schemes);
    CHECK(step.wave("B-Mesh", "x").num_samples() == (initializes ? 1 : 0));
    if (initializes) {
      CHECK(step.wave("B-Mesh", "x").time(0) == 0);
      CHECK(step.last("B-Mesh", "x") == Entries{0, 0});
    }
  }
}

TEST_CASE(
    "of what has come the samples behind the start of the window are mapped, or the only one") {
  Mapped step(false);
  time::Waveform& remote = step.wave("B-Mesh", "y");
  time::Waveform& own = step.wave("A-Mesh", "y");
  remote.append(0, {1, 2});
  step.mappings.map_received(step.scheme().regular());
  CHECK(own.num_samples() == 1);
  CHECK(step.last("A-Mesh", "y") == Entries{1, 1, 2});
  remote.values(0)[0] = 7; // is not mapped again
  remote.append(0.5, {3, 4});
  remote.append(1, {5, 6});
  step.mappings.map_received(step.scheme().regular());
  REQUIRE(own.num_samples() == 3);
  CHECK(own.values(0)[0] == 1);
  CHECK(own.values(1)[2] == 4);
  CHECK(own.time(1) == 0.5);
  CHECK(step.last("A-Mesh", "y") == Entries{5, 5, 6});
  CHECK(step.hooks.called().empty());
  step.mappings.notify_received();
  CHECK(step.hooks.called() == std::vector<std::string>{"received"});
}

} // namespace isthmus::coupling
