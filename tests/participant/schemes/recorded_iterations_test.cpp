// SPDX-License-Identifier: BSD-3-Clause
// Iterations of implicit schemes recorded from preCICE 3.4.1: relaxation of initial data within a
// window, and accelerations when a mesh is reset.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

using namespace couple;

namespace {

/// `control` says when the run ends, too. Initial data go with all samples.
std::string xml(const std::string& control, bool initialize) {
  const Scheme scheme{.first = "A", .second = "B", .kind = "parallel-implicit", .control = control};
  return Scenario{.schemes = {scheme}, .flows = both_ways(initialize, true), .remeshing = true}
      .xml();
}

/// Evenly spaced along x.
std::vector<double> grid(double from, double to, int count) {
  std::vector<double> places;
  for (int i = 0; i < count; ++i) {
    places.insert(places.end(), {from + (to - from) * i / (count - 1), 0.0});
  }
  return places;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Answers with the mean of what it reads; its mesh becomes another in one window.
struct Resetter {
  std::string name;
  std::string writes;
  std::string reads;
  int window_of_reset;
  std::vector<double> later;

  [[nodiscard]] double answer(double x, double t, double read) const {
    return name == "A" ? 0.5 * read + x + t : 0.6 * read * (1 + 0.1 * x) - 0.1 * t;
  }

  void operator()(const Seat& seat) const {
    isthmus::Participant participant = seat.make();
    const std::string mesh = name + "-Mesh";
    std::vector<double> places;
    std::vector<isthmus::VertexId> ids;
    const auto define = [&](const std::vector<double>& all) {
      places = all;
      ids.resize(all.size() / 2);
      participant.set_mesh_vertices(mesh, places, ids);
    };
    define(grid(0, 1, 3));
    participant.initialize();
    int window = 1;
    int step = 0;
    bool is_first = true;
    while (participant.is_coupling_ongoing()) {
      static_cast<void>(participant.requires_writing_checkpoint());
      std::vector<double> read(ids.size());
      participant.read_data(mesh, reads, ids, 1, read);
      seat.put(name, step++, read);
      if (is_first && window == window_of_reset) {
        participant.reset_mesh(mesh);
        define(later);
      }
      std::vector<double> answers(ids.size());
      for (std::size_t i = 0; i < ids.size(); ++i) {
        answers[i] = answer(places[2 * i], window, mean(read));
      }
      participant.write_data(mesh, writes, ids, answers);
      participant.advance(1);
      is_first = !participant.requires_reading_checkpoint();
      window += is_first ? 1 : 0;
    }
    participant.finalize();
  }
};

struct Reset {
  std::string acceleration;
  int iterations;
  int window_of_a;
  int window_of_b;
  int first;                      // step that is compared
  std::vector<double> expected_a; // of its first vertex
};

const std::string both_data =
    "<data name=\"T\" mesh=\"A-Mesh\"/><data name=\"F\" mesh=\"B-Mesh\"/>";

const std::vector<Reset> resets{
    {"<acceleration:constant><relaxation value=\"0.6\"/></acceleration:constant>",
     4,
     2,
     3,
     4,
     {0.78419599999999989, 0.51215208000000001, 0.71216865839999988, 1.0123566397919999,
      1.3975046607256001, 0.92031440696989453, 1.0866591615995034, 1.4568367458267113,
      1.938091619631755, 2.0421941020424481}},
    {"<acceleration:aitken>" + both_data +
         "<initial-relaxation value=\"0.4\"/></acceleration:aitken>",
     4,
     0,
     3,
     7,
     {0.052322652496084192, 0.18019711531980048, -0.20697642209643796, -0.15213410307414613,
      -0.34312998541997786, -0.3079502193879643, 0.1468414933240558, 2.5150796815503687}}};

/// A over t: 3 + x at first, B -2 x; two and four steps per window.
struct Stepper {
  std::string name;
  std::string writes;
  std::string reads;
  int steps;

  void operator()(const Seat& seat) const {
    isthmus::Participant participant = seat.make();
    const std::string mesh = name + "-Mesh";
    const std::vector<double> places = grid(0, 1, 3);
    std::vector<isthmus::VertexId> ids(3);
    participant.set_mesh_vertices(mesh, places, ids);
    const bool is_a = name == "A";
    std::vector<double> values(3);
    for (std::size_t i = 0; i < 3; ++i) {
      values[i] = is_a ? 3 + places[2 * i] : -2 * places[2 * i];
    }
    static_cast<void>(participant.requires_initial_data());
    participant.write_data(mesh, writes, ids, values);
    participant.initialize();
    const double dt = 1.0 / steps;
    double t = 0;
    double start = 0;
    for (int step = 0; participant.is_coupling_ongoing(); ++step) {
      start = participant.requires_writing_checkpoint() ? t : start;
      std::vector<double> read(3);
      participant.read_data(mesh, reads, ids, dt / 3, read);
      seat.put(name, step, read);
      // what the recorded solvers read last
      participant.read_data(
          mesh, reads, ids,
          is_a ? participant.max_time_step_size() : 0.9 * participant.max_time_step_size(), read);
      t += dt;
      for (std::size_t i = 0; i < 3; ++i) {
        const double x = places[2 * i];
        values[i] = is_a ? std::sin(3 * t + x) + 0.3 * read[i] : t * t + x - 0.2 * read[i];
      }
      participant.write_data(mesh, writes, ids, values);
      participant.advance(dt);
      t = participant.requires_reading_checkpoint() ? start : t;
    }
    participant.finalize();
  }
};

void check_near(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-9));
  }
}

} // namespace

TEST_CASE("a mesh that is reset makes an acceleration begin anew, as recorded") {
  for (const Reset& reset : resets) {
    CAPTURE(reset.acceleration);
    const std::string scheme =
        fmt::format("<max-time-windows value=\"4\"/><max-iterations value=\"{}\"/>{}",
                    reset.iterations, reset.acceleration);
    const bool both = reset.window_of_a != 0;
    const std::vector<double> later_b = both ? grid(0.1, 0.8, 4) : grid(0.05, 0.93, 5);
    const Table table = run(xml(scheme, false),
                            {{"A", Resetter{"A", "T", "F", reset.window_of_a, grid(0.05, 0.93, 5)}},
                             {"B", Resetter{"B", "F", "T", reset.window_of_b, later_b}}},
                            serial(2));
    std::vector<double> found;
    for (std::size_t i = 0; i < reset.expected_a.size(); ++i) {
      const int step = reset.first + static_cast<int>(i);
      found.push_back(table.at("A").find(step)->second[0]);
    }
    check_near(found, reset.expected_a);
  }
}

TEST_CASE("received initial data are not what is relaxed from, those that are sent are") {
  const std::string scheme =
      "<max-time-windows value=\"3\"/><max-iterations value=\"4\"/><acceleration:constant>"
      "<relaxation value=\"0.7\"/></acceleration:constant>";
  const Table table =
      run(xml(scheme, true), {{"A", Stepper{"A", "T", "F", 2}}, {"B", Stepper{"B", "F", "T", 4}}},
          serial(2));
  // A reads after a third of its first step, in iterations 1 to 3
  check_near(table.at("A").find(0)->second, {0, -1, -2});
  check_near(table.at("A").find(2)->second,
             {-0.25083333333333335, -0.59750000000000014, -0.94416666666666682});
  check_near(table.at("A").find(4)->second,
             {-0.066493140246222049, -0.12403054967661153, -0.18314782559486414});
}
