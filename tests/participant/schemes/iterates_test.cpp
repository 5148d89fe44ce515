// SPDX-License-Identifier: BSD-3-Clause
// Which values of a received mesh take part in the iteration of who leads it. Between every two
// vertices of B's ranks lies one of A, to which two vertices of B map, of different ranks.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace couple;

namespace {

constexpr int num_places = 8;

/// Of A: the numbers, and on request places between them, which nobody maps. Of B: two beside each
/// number.
std::vector<double> coordinates_of(const std::string& name, bool has_more) {
  std::vector<double> places;
  for (int i = 0; i < num_places; ++i) {
    places.push_back(i);
    if (name == "B") {
      places.push_back(i + 0.2);
    } else if (has_more) {
      places.push_back(i + 0.5);
    }
  }
  return places;
}

/// T = 1 + t + a F on A, F = b T + t / 2 on B; all that is written goes to the series of its name.
struct Solver {
  std::string name;
  bool has_more = false;

  void operator()(const Seat& seat) const {
    isthmus::Participant participant = seat.make();
    const bool is_a = name == "A";
    const std::string mesh = name + "-Mesh";
    const std::vector<double> places = coordinates_of(name, has_more);
    std::vector<double> own;
    for (std::size_t i = static_cast<std::size_t>(seat.launch.rank); i < places.size();
         i += static_cast<std::size_t>(seat.launch.size)) {
      own.insert(own.end(), {places[i], 0.0});
    }
    std::vector<isthmus::VertexId> ids(own.size() / 2);
    participant.set_mesh_vertices(mesh, own, ids);
    participant.initialize();
    std::vector<double> values(ids.size());
    std::vector<std::vector<double>> written(ids.size());
    for (int step = 0; participant.is_coupling_ongoing(); ++step) {
      static_cast<void>(participant.requires_writing_checkpoint());
      participant.read_data(mesh, is_a ? "F" : "T", ids, 1, values);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const double x = own[2 * i];
        values[i] = is_a ? 2 + (0.9 - 0.2 * x) * values[i] : (0.1 * x - 0.8) * values[i] + 0.5;
        written[i].push_back(values[i]);
      }
      participant.write_data(mesh, is_a ? "T" : "F", ids, values);
      participant.advance(1);
      static_cast<void>(participant.requires_reading_checkpoint());
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      seat.put(name, static_cast<int>(std::lround(10 * own[2 * i])), written[i]);
    }
    participant.finalize();
  }
};

std::vector<Role> roles(bool has_more) {
  return {{"A", Solver{"A", has_more}}, {"B", Solver{"B"}}};
}

std::string acceleration(const std::string& kind) {
  const std::string data = "<data name=\"F\" mesh=\"B-Mesh\"/><data name=\"T\" mesh=\"A-Mesh\"/>";
  return kind == "aitken"
             ? "<acceleration:aitken><initial-relaxation value=\"0.4\"/>" + data +
                   "</acceleration:aitken>"
             : fmt::format(
                   "<acceleration:{0}>{1}<initial-relaxation value=\"0.4\"/>"
                   "<max-used-iterations value=\"20\"/><filter type=\"QR2\" limit=\"1e-3\"/>"
                   "</acceleration:{0}>",
                   kind, data);
}

std::string xml(const std::string& kind) {
  Scheme scheme{.first = "A", .second = "B", .kind = "parallel-implicit", .max_windows = 2};
  scheme.control = "<max-iterations value=\"6\"/>" + acceleration(kind);
  return Scenario{.schemes = {scheme}, .flows = both_ways(false, false)}.xml();
}

/// Of what is written at the numbers, by either, in any iteration, relative to the largest.
double deviation(const Table& one, const Table& other) {
  double largest = 0;
  double most = 0;
  for (const std::string name : {"A", "B"}) {
    for (const auto& [place, values] : one.at(name)) {
      if (place % 10 == 0) {
        const auto& others = other.at(name).find(place)->second;
        REQUIRE(values.size() == others.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
          largest = std::max(largest, std::abs(values[i] - others[i]));
          most = std::max(most, std::abs(values[i]));
        }
      }
    }
  }
  return largest / most;
}

} // namespace

TEST_CASE("every iterate is that of serial participants where all received vertices are mapped") {
  for (const std::string kind : {"aitken", "IQN-ILS", "IQN-IMVJ"}) {
    CAPTURE(kind);
    const Table expected = run(xml(kind), roles(false), in_threads);
    for (const Deal& deal : deals(2)) {
      CHECK(deviation(run(xml(kind), roles(false), deal), expected) < 1e-10);
    }
  }
}

TEST_CASE("every received vertex counts on one rank, on several each that is mapped") {
  for (const std::string kind : {"aitken", "IQN-ILS", "IQN-IMVJ"}) {
    CAPTURE(kind);
    const Table whole = run(xml(kind), roles(true), in_threads);
    const Table mapped = run(xml(kind), roles(false), in_threads);
    CHECK(deviation(whole, mapped) > 1e-4);
    for (const Deal& deal : deals(2)) {
      const bool is_one = deal == in_threads || deal[1] == 1;
      CHECK(deviation(run(xml(kind), roles(true), deal), is_one ? whole : mapped) < 1e-10);
    }
  }
}
