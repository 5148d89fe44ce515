// SPDX-License-Identifier: BSD-3-Clause
// Schemes of every kind beside each other, with windows of one size, against the iteration they
// stand for, written down without a library.
#include "participant/setup/couple.hpp"
#include "participant/setup/dealt_line.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace couple;

namespace {

constexpr int num_windows = 3;
constexpr int num_iterations = 3; // of implicit windows
constexpr int num_vertices = 3;

const std::string iterations = "<max-iterations value=\"3\"/>";

double factor(int vertex) {
  return 1 + 0.5 * vertex;
}

/// What one makes for another at time t of the sum of all that it reads.
double answer(char self, char other, double t, double sum) {
  return (0.2 + 0.1 * (other - 'A')) * sum + t * (self - 'A' + 1) + (other - 'A');
}

bool starts(const std::string& kind, const char* word) {
  return kind.rfind(word, 0) == 0;
}

Scenario scenario_of(std::vector<Scheme> schemes) {
  Scenario scenario;
  for (Scheme& scheme : schemes) {
    scheme.max_windows = num_windows;
    scheme.control = scheme.is_implicit() ? iterations : "";
    const std::vector<Flow> flows = between_all(scheme);
    scenario.flows.insert(scenario.flows.end(), flows.begin(), flows.end());
  }
  scenario.schemes = std::move(schemes);
  return scenario;
}

/// The run by hand: what each participant reads in each iteration, in all.
class Reference {
 public:
  explicit Reference(const Scenario& scenario) : scenario_(scenario) {
    for (const Flow& flow : scenario.flows) {
      values_[flow.data] = 0;
    }
    for (time_ = 1; time_ <= num_windows; ++time_) {
      done_.clear();
      next_.clear();
      for (const std::string& name : scenario.participants()) {
        play(name);
      }
      values_ = next_;
    }
  }

  [[nodiscard]] const std::vector<double>& seen(const std::string& name) const {
    return seen_.at(name);
  }

 private:
  [[nodiscard]] const Scheme& scheme_of(const std::string& one, const std::string& other) const {
    return *std::find_if(scenario_.schemes.begin(), scenario_.schemes.end(),
                         [flow = Flow{.from = one, .to = other, .data = ""}](const Scheme& s) {
                           return s.has(flow);
                         });
  }
  [[nodiscard]] const Scheme* implicit_of(const std::string& name) const {
    for (const Scheme& scheme : scenario_.schemes) {
      const auto members = scheme.members();
      if (scheme.is_implicit() &&
          std::find(members.begin(), members.end(), name) != members.end()) {
        return &scheme;
      }
    }
    return nullptr;
  }

  void play(const std::string& name) {
    if (done_.contains(name)) {
      return;
    }
    const Scheme* const implicit = implicit_of(name);
    if (implicit == nullptr) {
      step(name, values_);
      done_.insert(name);
      return;
    }
    std::map<std::string, double> given = values_;
    for (int iteration = 0; iteration < num_iterations; ++iteration) {
      for (const std::string& member : implicit->members()) { // of a serial scheme the first first
        step(member, given);
      }
      for (const std::string& from : implicit->members()) {
        for (const std::string& to : implicit->members()) {
          if (from != to) {
            given[from + to] = next_[from + to];
          }
        }
      }
    }
    for (const std::string& member : implicit->members()) {
      done_.insert(member);
    }
  }

  /// `given`: what is read where it is not of this step already.
  void step(const std::string& name, const std::map<std::string, double>& given) {
    double sum = 0;
    for (const Flow& flow : scenario_.flows) {
      if (flow.to == name) {
        const Scheme& scheme = scheme_of(flow.from, flow.to);
        const bool follows = starts(scheme.kind, "serial") && scheme.second == name;
        if (follows && !scheme.is_implicit()) {
          play(flow.from);
        }
        sum += follows ? next_.at(flow.data) : given.at(flow.data);
      }
    }
    seen_[name].push_back(sum);
    for (const Flow& flow : scenario_.flows) {
      if (flow.from == name) {
        next_[flow.data] = answer(name[0], flow.to[0], time_, sum);
      }
    }
  }

  const Scenario& scenario_;
  int time_ = 0;
  std::map<std::string, double> values_; // at the end of the window before
  std::map<std::string, double> next_;   // of this window, so far
  std::set<std::string> done_;
  std::map<std::string, std::vector<double>> seen_;
};

void play_part(const Seat& seat, const Scenario& scenario) {
  isthmus::Participant participant = seat.make();
  const std::string& self = seat.participant;
  const std::string mesh = self + "-Mesh";
  const DealtLine line = dealt_line(seat.launch, num_vertices);
  const std::vector<int>& vertices = line.numbers;
  const std::vector<isthmus::VertexId> ids = define_line(participant, mesh, line);
  participant.initialize();
  std::vector<std::vector<double>> seen(ids.size());
  std::vector<double> values(ids.size());
  for (double t = 1; participant.is_coupling_ongoing();) {
    static_cast<void>(participant.requires_writing_checkpoint());
    std::vector<double> sums(ids.size());
    for (const Flow& flow : scenario.flows) {
      if (flow.to == self) {
        participant.read_data(mesh, flow.data, ids, 1, values);
        for (std::size_t i = 0; i < ids.size(); ++i) {
          sums[i] += values[i] / factor(vertices[i]);
        }
      }
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      seen[i].push_back(sums[i]);
    }
    for (const Flow& flow : scenario.flows) {
      if (flow.from == self) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
          values[i] = answer(self[0], flow.to[0], t, sums[i]) * factor(vertices[i]);
        }
        participant.write_data(mesh, flow.data, ids, values);
      }
    }
    participant.advance(1);
    t += participant.requires_reading_checkpoint() ? 0 : 1;
  }
  participant.finalize();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    seat.put(self, vertices[i], seen[i]);
  }
}

/// One of the ways to deal the ranks, another one in each turn.
void check_one(const std::vector<Scheme>& schemes, std::size_t turn) {
  const Scenario scenario = scenario_of(schemes);
  const Reference reference(scenario);
  const std::vector<std::string> names = scenario.participants();
  const std::vector<Deal> all = deals(static_cast<int>(names.size()));
  const Deal deal = all.empty() ? in_threads : all[turn % all.size()];
  std::string what;
  for (const Scheme& scheme : scenario.schemes) {
    what += scheme.kind + " " + scheme.first + scheme.second + " ";
  }
  CAPTURE(what);
  std::vector<Role> roles;
  for (const std::string& name : names) {
    roles.push_back({name, [&](const Seat& seat) { play_part(seat, scenario); }});
  }
  const Table table = run(scenario.xml(), roles, deal);
  for (const std::string& name : names) {
    const std::vector<double>& expected = reference.seen(name);
    REQUIRE(table.at(name).size() == num_vertices);
    for (const auto& [vertex, seen] : table.at(name)) {
      REQUIRE(seen.size() == expected.size());
      for (std::size_t k = 0; k < seen.size(); ++k) {
        CHECK(std::abs(seen[k] - expected[k]) <= 1e-12 * (1 + std::abs(expected[k])));
      }
    }
  }
}

/// A scheme of two in all kinds, either of them first.
std::vector<Scheme> all_between(const std::string& one, const std::string& other,
                                const std::string& kind) {
  return {{one, other, "serial-" + kind},
          {other, one, "serial-" + kind},
          {one, other, "parallel-" + kind}};
}

/// The turns of first and second in serial schemes make a circle of three.
bool is_circle(const std::vector<Scheme>& schemes) {
  std::set<std::string> firsts;
  for (const Scheme& scheme : schemes) {
    firsts.insert(scheme.first);
  }
  return firsts.size() == schemes.size() && schemes.size() == 3 &&
         std::all_of(schemes.begin(), schemes.end(),
                     [](const Scheme& scheme) { return starts(scheme.kind, "serial"); });
}

} // namespace

TEST_CASE("explicit schemes of every kind beside implicit ones of every kind, three participants") {
  std::size_t turn = 0;
  for (const Scheme& implicit : all_between("B", "C", "implicit")) {
    for (const Scheme& before : all_between("A", "B", "explicit")) {
      check_one({before, implicit}, turn++);
      check_one({implicit, before}, turn++);
      const Scheme closing = all_between("A", "C", "explicit")[turn % 3];
      if (!is_circle({before, implicit, closing})) {
        check_one({before, implicit, closing}, turn++);
      }
    }
  }
}

TEST_CASE("the second of a serial scheme serves others before it waits for the next window") {
  std::size_t turn = 0;
  for (const Scheme& of_first : all_between("A", "C", "explicit")) { // who may wait for C there
    for (const Scheme& of_second : all_between("B", "C", "explicit")) {
      const Scheme iterates{"A", "B", "serial-implicit"};
      // C needs the window of A to be over, and B that of C to get it over: refused
      const bool encloses = starts(of_first.kind, "serial") && starts(of_second.kind, "serial") &&
                            of_first.first == "A" && of_second.first == "C";
      if (!encloses && !is_circle({iterates, of_first, of_second})) {
        check_one({iterates, of_first, of_second}, turn++);
        check_one({of_second, of_first, iterates}, turn++);
      }
    }
  }
}

TEST_CASE("explicit schemes on both sides of an implicit one, four participants") {
  std::size_t turn = 0;
  for (const Scheme& implicit : all_between("B", "C", "implicit")) {
    for (const Scheme& before : all_between("A", "B", "explicit")) {
      for (const Scheme& behind : all_between("C", "D", "explicit")) {
        check_one({before, implicit, behind}, turn++);
      }
    }
  }
}

TEST_CASE("an explicit scheme beside a multi scheme, with each of its members") {
  std::size_t turn = 0;
  for (const std::string member : {"A", "B", "C"}) {
    for (const Scheme& beside : all_between(member, "D", "explicit")) {
      check_one({{.first = "B", .second = "C", .kind = "multi", .others = {"A"}}, beside}, turn++);
    }
  }
}
