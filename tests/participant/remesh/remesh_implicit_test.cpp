// SPDX-License-Identifier: BSD-3-Clause
// Meshes that change in implicit schemes. A holds T = g(t) + a F in every vertex, B holds
// F = b T + h(t); a and b vary from vertex to vertex, so that the solution is known.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace couple;

namespace {

double a(int vertex) {
  return 0.9 - 0.25 * vertex;
}
double b(int vertex) {
  return -0.8 + 0.1 * vertex;
}
double solution(int vertex, double t) { // of A
  return (1 + t + a(vertex) * 0.5 * t) / (1 - a(vertex) * b(vertex));
}

/// The vertices of a rank in a window, in their order.
using Deal1 = std::vector<int>;
using Motion = Deal1 (*)(int window, int rank, int size);

constexpr int num_windows = 5;

Deal1 still(int /*window*/, int rank, int size) {
  Deal1 vertices;
  for (int v = rank; v < 6; v += size) {
    vertices.push_back(v);
  }
  return vertices;
}

/// The same vertices in another order.
Deal1 turned(int window, int rank, int size) {
  Deal1 vertices = still(window, rank, size);
  std::rotate(vertices.begin(), vertices.begin() + window % std::ssize(vertices), vertices.end());
  return vertices;
}

/// From rank to rank.
Deal1 wandering(int window, int rank, int size) {
  return still(window, (rank + window) % size, size);
}

/// Others, fewer or more.
Deal1 growing(int window, int rank, int size) {
  Deal1 vertices;
  for (int v = rank; v < (window == 1 ? 8 : window == 2 ? 3 : 6); v += size) {
    vertices.push_back(v);
  }
  return vertices;
}

/// Blocks, of which the last ones have fewer or more, down to none; the others keep what they have.
Deal1 lopsided(int window, int rank, int size) {
  const int end = window == 1 ? 4 : window == 3 ? 5 : 6;
  Deal1 vertices;
  for (int v = 6 * rank / size; v < std::min(6 * (rank + 1) / size, end); ++v) {
    vertices.push_back(v);
  }
  return vertices;
}

std::string xml(const std::string& kind, std::string acceleration) {
  const std::string of_a = "<data name=\"T\" mesh=\"A-Mesh\"/>";
  const auto at = acceleration.find(of_a);
  if (kind == "serial-implicit" && at != std::string::npos) {
    acceleration.erase(at, of_a.size()); // used as it is
  }
  Scheme scheme{.first = "A", .second = "B", .kind = kind, .max_windows = num_windows};
  scheme.controller = "B";
  scheme.control =
      "<max-iterations value=\"100\"/>"
      "<relative-convergence-measure data=\"F\" mesh=\"B-Mesh\" limit=\"1e-8\"/>"
      "<relative-convergence-measure data=\"T\" mesh=\"A-Mesh\" limit=\"1e-8\"/>" +
      acceleration;
  return Scenario{.schemes = {scheme}, .flows = both_ways(false, false), .remeshing = true}.xml();
}

std::string newton(const std::string& name, const std::string& more) {
  return fmt::format(
      "<acceleration:{0}><data name=\"F\" mesh=\"B-Mesh\"/><data name=\"T\" mesh=\"A-Mesh\"/>"
      "<initial-relaxation value=\"0.3\"/><max-used-iterations value=\"30\"/>{1}"
      "<preconditioner type=\"residual-sum\"/></acceleration:{0}>",
      name, more);
}

/// One side, whose vertices follow `motion`; a rank resets its mesh where its own change.
struct Mover {
  std::string name;
  std::string writes;
  std::string reads;
  Motion motion;

  void operator()(const Seat& seat) const {
    isthmus::Participant participant = seat.make();
    const std::string mesh = name + "-Mesh";
    Deal1 vertices;
    std::vector<isthmus::VertexId> ids;
    const auto define = [&](int window) {
      vertices = motion(window, seat.launch.rank, seat.launch.size);
      std::vector<double> places;
      for (const int v : vertices) {
        places.insert(places.end(), {static_cast<double>(v), 0.0});
      }
      ids.resize(vertices.size());
      participant.set_mesh_vertices(mesh, places, ids);
    };
    define(0);
    participant.initialize();
    int window = 0;
    std::vector<double> iterations(1, 0);
    while (participant.is_coupling_ongoing()) {
      static_cast<void>(participant.requires_writing_checkpoint());
      std::vector<double> values(ids.size());
      participant.read_data(mesh, reads, ids, 1, values);
      if (iterations.back() == 0 &&
          motion(window, seat.launch.rank, seat.launch.size) != vertices) {
        participant.reset_mesh(mesh);
        const Deal1 old = vertices;
        const std::vector<double> read = values;
        define(window);
        values.assign(ids.size(), 0.0); // what the solver would interpolate
        for (std::size_t i = 0; i < vertices.size(); ++i) {
          const auto at = std::find(old.begin(), old.end(), vertices[i]) - old.begin();
          values[i] = at < std::ssize(old) ? read[static_cast<std::size_t>(at)] : 0.0;
        }
      }
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const double t = window + 1;
        values[i] =
            name == "A" ? 1 + t + a(vertices[i]) * values[i] : b(vertices[i]) * values[i] + 0.5 * t;
      }
      participant.write_data(mesh, writes, ids, values);
      participant.advance(1);
      ++iterations.back();
      if (!participant.requires_reading_checkpoint()) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
          seat.put(fmt::format("{} {}", writes, window), vertices[i], {values[i]});
        }
        ++window;
        iterations.push_back(0);
      }
    }
    seat.put(name + " iterations", seat.launch.rank == 0 ? 0 : 1, iterations);
    participant.finalize();
  }
};

Table run_motion(const std::string& kind, const std::string& acceleration, Motion motion,
                 const Deal& deal) {
  return run(xml(kind, acceleration),
             {{"A", Mover{"A", "T", "F", motion}}, {"B", Mover{"B", "F", "T", motion}}}, deal);
}

void check_solved(const Table& table) {
  for (int window = 0; window < num_windows; ++window) {
    for (const auto& [vertex, values] : table.at(fmt::format("T {}", window))) {
      CHECK(values[0] == doctest::Approx(solution(vertex, window + 1)).epsilon(1e-6));
    }
  }
}

std::vector<double> iterations_of(const Table& table) {
  return table.at("B iterations").find(0)->second;
}

const std::vector<std::string> accelerations{
    "<acceleration:constant><relaxation value=\"0.6\"/></acceleration:constant>",
    newton("IQN-ILS", "<time-windows-reused value=\"3\"/>"),
    newton("IQN-IMVJ", "<imvj-restart-mode type=\"no-restart\"/>")};

} // namespace

TEST_CASE("an order of vertices is not a change for an acceleration that is carried") {
  const Environment choice("ISTHMUS_REMESH", "carry");
  for (const std::string kind : {"parallel-implicit", "serial-implicit", "multi"}) {
    for (const std::string& acceleration : accelerations) {
      CAPTURE(kind);
      CAPTURE(acceleration);
      const Table fixed = run_motion(kind, acceleration, still, serial(2));
      const Table moved = run_motion(kind, acceleration, turned, serial(2));
      CHECK(iterations_of(moved) == iterations_of(fixed));
      check_solved(moved);
    }
  }
}

TEST_CASE("implicit schemes converge on meshes that change") {
  for (const std::string carry : {"carry", "drop"}) {
    const Environment choice("ISTHMUS_REMESH", carry);
    for (const Deal& deal : deals(2)) {
      for (const std::string kind : {"parallel-implicit", "serial-implicit", "multi"}) {
        for (const Motion motion : {wandering, growing, lopsided}) {
          CAPTURE(carry);
          CAPTURE(kind);
          CAPTURE(motion == growing);
          CAPTURE(motion == lopsided);
          check_solved(run_motion(kind, accelerations[1], motion, deal));
        }
      }
    }
  }
}

TEST_CASE("by default an acceleration has to learn again after a mesh was reset") {
  const auto iterations = [](const char* choice) {
    const Environment variable("ISTHMUS_REMESH", choice);
    return iterations_of(run_motion("parallel-implicit", accelerations[1], turned, serial(2)));
  };
  const std::vector<double> carried = iterations("carry");
  const std::vector<double> dropped = iterations("drop");
  for (std::size_t window = 1; window < num_windows; ++window) {
    CHECK(dropped[window] > carried[window]);
  }
}

TEST_CASE("another choice of what an acceleration keeps is an error") {
  const Environment choice("ISTHMUS_REMESH", "often");
  const Outcome outcome =
      play(xml("parallel-implicit", accelerations[1]),
           {{"A", Mover{"A", "T", "F", turned}}, {"B", Mover{"B", "F", "T", turned}}}, serial(2));
  CHECK(outcome.all_errors().find("ISTHMUS_REMESH=\"often\" is neither carry nor drop") !=
        std::string::npos);
}
