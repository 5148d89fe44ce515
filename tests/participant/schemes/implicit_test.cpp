// SPDX-License-Identifier: BSD-3-Clause
// Implicit schemes against the iteration they stand for, written down without a library. A holds
// T = g(t) + a F in every vertex, B holds F = b T + h(t); a and b vary from vertex to vertex.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <optional>

using namespace couple;

namespace {

constexpr int num_vertices = 6;

double a(int vertex) {
  return 0.9 - 0.25 * vertex;
}
double b(int vertex) {
  return -0.8 + 0.1 * vertex;
}
double of_a(int vertex, double t, double f) {
  return 1 + t + a(vertex) * f;
}
double of_b(int vertex, double t, double temperature) {
  return b(vertex) * temperature + 0.5 * t;
}
double solution(int vertex, double t) { // of A
  return (1 + t + a(vertex) * 0.5 * t) / (1 - a(vertex) * b(vertex));
}

struct Case {
  std::string kind = "serial-implicit";
  std::string measures;     // elements
  std::string acceleration; // element
  int max_iterations = 100;
  int min_iterations = 1;
  int windows = 2;
};

std::string relative(const std::string& data, double limit, const std::string& more = "") {
  return fmt::format("<relative-convergence-measure data=\"{}\" mesh=\"{}-Mesh\" limit=\"{}\" {}/>",
                     data, data == "T" ? "A" : "B", limit, more);
}

std::string xml(const Case& one) {
  Scheme scheme{.first = "A", .second = "B", .kind = one.kind, .max_windows = one.windows};
  scheme.control = fmt::format("<min-iterations value=\"{}\"/><max-iterations value=\"{}\"/>",
                               one.min_iterations, one.max_iterations) +
                   one.measures + one.acceleration;
  return Scenario{.schemes = {scheme}, .flows = both_ways(false, false)}.xml();
}

/// Plays one side: `answer` gives the new values from those read. Series NAME/iterations and
/// NAME/values (by vertex, over the windows).
struct Solver {
  std::string name;
  std::string writes;
  std::string reads;
  double (*answer)(int vertex, double t, double read);

  void operator()(const Seat& seat) const {
    isthmus::Participant participant = seat.make();
    const std::string mesh = name + "-Mesh";
    std::vector<int> vertices;
    std::vector<double> positions;
    for (int v = seat.launch.rank; v < num_vertices; v += seat.launch.size) {
      vertices.push_back(v);
      positions.insert(positions.end(), {static_cast<double>(v), 0.0});
    }
    std::vector<isthmus::VertexId> ids(vertices.size());
    participant.set_mesh_vertices(mesh, positions, ids);
    participant.initialize();
    std::vector<double> values(ids.size());
    std::vector<std::vector<double>> results(ids.size());
    std::vector<double> iterations(1, 0);
    double t = 0;
    double checkpoint = -1;
    while (participant.is_coupling_ongoing()) {
      if (participant.requires_writing_checkpoint()) {
        checkpoint = t;
      }
      const double dt = participant.max_time_step_size();
      participant.read_data(mesh, reads, ids, dt, values);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        values[i] = answer(vertices[i], t + dt, values[i]);
      }
      participant.write_data(mesh, writes, ids, values);
      participant.advance(dt);
      t += dt;
      iterations.back() += 1;
      if (participant.requires_reading_checkpoint()) {
        CHECK(!participant.is_time_window_complete());
        t = checkpoint;
        continue;
      }
      CHECK(participant.is_time_window_complete());
      for (std::size_t i = 0; i < ids.size(); ++i) {
        results[i].push_back(values[i]);
      }
      if (participant.is_coupling_ongoing()) {
        iterations.push_back(0);
      }
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      seat.put(name + "/values", vertices[i], results[i]);
    }
    if (seat.launch.rank == 0) {
      seat.put(name + "/iterations", 0, iterations);
    }
    participant.finalize();
  }
};

const std::vector<Role> roles{{"A", Solver{"A", "T", "F", of_a}},
                              {"B", Solver{"B", "F", "T", of_b}}};

double norm(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value * value;
  }
  return std::sqrt(sum);
}

std::vector<double> minus(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> result(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    result[i] = x[i] - y[i];
  }
  return result;
}

/// The same by hand: constant relaxation, a relative measure of F with this limit.
std::vector<double> iterations_by_hand(const Case& one, double relaxation, double limit) {
  const bool serial = one.kind == "serial-implicit";
  std::vector<double> counts;
  std::vector<double> t_given(num_vertices, 0.0);
  std::vector<double> f_given(num_vertices, 0.0);
  for (int window = 1; window <= one.windows; ++window) {
    for (int iteration = 1;; ++iteration) {
      std::vector<double> t_new(num_vertices);
      std::vector<double> f_new(num_vertices);
      for (int v = 0; v < num_vertices; ++v) {
        const auto i = static_cast<std::size_t>(v);
        t_new[i] = of_a(v, window, f_given[i]);
        f_new[i] = of_b(v, window, serial ? t_new[i] : t_given[i]);
      }
      const double residual = norm(minus(f_new, f_given));
      const bool met = residual <= limit * norm(f_new);
      if ((met && iteration >= one.min_iterations) || iteration == one.max_iterations) {
        counts.push_back(iteration);
        t_given = t_new;
        f_given = f_new;
        break;
      }
      for (std::size_t i = 0; i < f_given.size(); ++i) {
        f_given[i] += relaxation * (f_new[i] - f_given[i]);
        t_given[i] += relaxation * (t_new[i] - t_given[i]);
      }
    }
  }
  return counts;
}

std::string constant(double relaxation) {
  return fmt::format("<acceleration:constant><relaxation value=\"{}\"/></acceleration:constant>",
                     relaxation);
}

void check_solved(const Table& table, double tolerance) {
  const auto& values = table.at("A/values");
  CHECK(values.size() == num_vertices);
  for (const auto& [vertex, series] : values) {
    for (std::size_t w = 0; w < series.size(); ++w) {
      CHECK(series[w] ==
            doctest::Approx(solution(vertex, static_cast<double>(w) + 1)).epsilon(tolerance));
    }
  }
}

} // namespace

TEST_CASE("every iteration is the one that is written down, on any ranks") {
  std::optional<Table> first;
  for (const std::string kind : {"serial-implicit", "parallel-implicit"}) {
    first.reset();
    for (const double relaxation : {1.0, 0.6}) {
      const Case one{kind, relative("F", 1e-6), relaxation < 1 ? constant(relaxation) : "", 200};
      const auto expected = iterations_by_hand(one, relaxation, 1e-6);
      for (const Deal& deal : deals(2)) {
        CAPTURE(kind);
        CAPTURE(relaxation);
        const Table table = run(xml(one), roles, deal);
        CHECK(table.at("A/iterations").begin()->second == expected);
        CHECK(table.at("B/iterations").begin()->second == expected);
        check_solved(table, 1e-4);
      }
    }
  }
}

TEST_CASE("min-iterations and max-iterations bound the iterations" * on_ranks(1, 1)) {
  const Case least{"serial-implicit", relative("F", 1), "", 9, 4};
  const Case most{"parallel-implicit", relative("F", 1e-12), "", 5};
  const Case fixed{"serial-implicit", "", "", 3};
  for (const auto& [one, limit] : {std::pair{least, 1.0}, {most, 1e-12}, {fixed, 0.0}}) {
    const Table table = run(xml(one), roles, in_threads);
    CHECK(table.at("A/iterations").begin()->second == iterations_by_hand(one, 1, limit));
  }
}

TEST_CASE("every acceleration finds the solution, the same on any ranks") {
  const std::string f = "<data name=\"F\" mesh=\"B-Mesh\"/>";
  const std::string both = f + "<data name=\"T\" mesh=\"A-Mesh\"/>";
  const auto accelerations = [](const std::string& data) {
    std::vector<std::string> all{constant(0.6),
                                 "<acceleration:aitken><initial-relaxation value=\"0.5\"/>" + data +
                                     "</acceleration:aitken>"};
    for (const std::string method : {"IQN-ILS", "IQN-IMVJ"}) {
      for (const std::string filter : {"QR1", "QR2", "QR3"}) {
        all.push_back(fmt::format(
            "<acceleration:{0}>{1}<initial-relaxation value=\"0.3\"/><max-used-iterations "
            "value=\"20\"/><time-windows-reused value=\"{2}\"/><filter type=\"{3}\" "
            "limit=\"1e-6\"/></acceleration:{0}>",
            method, data, method == "IQN-ILS" ? 3 : 0, filter));
      }
    }
    return all;
  };
  for (const std::string kind : {"serial-implicit", "parallel-implicit"}) {
    for (const std::string& acceleration : accelerations(kind == "serial-implicit" ? f : both)) {
      const Case one{kind, relative("F", 1e-9) + relative("T", 1e-9), acceleration, 150};
      CAPTURE(kind);
      CAPTURE(acceleration);
      std::optional<std::vector<double>> iterations;
      for (const Deal& deal : deals(2)) {
        const Table table = run(xml(one), roles, deal);
        check_solved(table, 1e-6);
        const auto& counts = table.at("A/iterations").begin()->second;
        CHECK(counts == iterations.value_or(counts));
        iterations = counts;
        if (acceleration.find("IQN") != std::string::npos) {
          CHECK(counts.front() <= 2 * num_vertices + 3);
        }
      }
    }
  }
}

TEST_CASE("a strict measure that is not met ends all participants with the reason") {
  const Case one{"serial-implicit", relative("F", 1e-12, "strict=\"true\""), "", 4};
  for (const Deal& deal : deals(2)) {
    const Outcome outcome = play(xml(one), roles, deal);
    for (const std::string name : {"A", "B"}) {
      REQUIRE(outcome.errors.count(name) == 1);
      const std::string& error = outcome.errors.at(name);
      CHECK(error.find("strict convergence measure of data \"F\"") != std::string::npos);
      CHECK(error.find("after 4 iterations") != std::string::npos);
    }
  }
}

TEST_CASE("one measure may suffice" * on_ranks(1, 1)) {
  const Case one{"serial-implicit", relative("F", 1e-2, "suffices=\"true\"") + relative("T", 1e-13),
                 "", 50};
  const Table table = run(xml(one), roles, in_threads);
  CHECK(table.at("A/iterations").begin()->second == iterations_by_hand(one, 1, 1e-2));
}

TEST_CASE("a strict measure that is not met outweighs one that suffices") {
  const std::string measures =
      relative("F", 1e-6, "strict=\"true\"") + relative("T", 1, "suffices=\"true\"");
  const Case one{"serial-implicit", measures, "", 50};
  for (const Deal& deal : deals(2)) {
    const Table table = run(xml(one), roles, deal);
    CHECK(table.at("A/iterations").begin()->second == iterations_by_hand(one, 1, 1e-6));
  }
  const Case few{"serial-implicit", measures, "", 2};
  const Outcome outcome = play(xml(few), roles, in_threads);
  CHECK(outcome.errors.at("A").find("strict convergence measure of data \"F\"") !=
        std::string::npos);
}

TEST_CASE("iterations that diverge end with a diagnosis" * on_ranks(1, 1)) {
  const std::vector<Role> wild{
      {"A", Solver{"A", "T", "F", [](int, double, double f) { return 1 + 1e100 * f; }}},
      {"B", Solver{"B", "F", "T", [](int, double, double t) { return 1e100 * t; }}}};
  const Case one{"serial-implicit", relative("F", 1e-3), "", 50};
  const Outcome outcome = play(xml(one), wild, in_threads);
  CHECK(outcome.errors.at("B").find("data \"F\"") != std::string::npos);
  CHECK(outcome.errors.count("A") == 1);
}

TEST_CASE("the diagnosis says which data diverges, how fast, and what to try" * on_ranks(1, 1)) {
  const std::vector<Role> growing{
      {"A", Solver{"A", "T", "F", [](int, double, double f) { return 1 + 1e10 * f; }}},
      {"B", Solver{"B", "F", "T", [](int, double, double t) { return 1e10 * t; }}}};
  for (const std::string& acceleration : {std::string(), constant(0.5)}) {
    for (const std::string kind : {"serial-implicit", "parallel-implicit"}) {
      const Case one{kind, relative("F", 1e-3) + relative("T", 1e-3), acceleration, 50};
      const Outcome outcome = play(xml(one), growing, in_threads);
      for (const char* name : {"A", "B"}) {
        CAPTURE(outcome.errors.at(name));
        CHECK(outcome.errors.at(name).find("\" diverges: its residual went from") !=
              std::string::npos);
        CHECK(outcome.errors.at(name).find("each; try a smaller relaxation") != std::string::npos);
      }
    }
  }
  const std::vector<Role> slow{
      {"A", Solver{"A", "T", "F", [](int, double, double f) { return 1 + 0.97 * f; }}},
      {"B", Solver{"B", "F", "T", [](int, double, double t) { return t; }}}};
  const Case strict{"serial-implicit", relative("F", 1e-9, "strict=\"true\""), "", 9};
  CHECK(play(xml(strict), slow, in_threads).errors.at("A").find("data \"F\" stagnates") !=
        std::string::npos);
}
