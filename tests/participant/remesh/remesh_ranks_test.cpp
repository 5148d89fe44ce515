// SPDX-License-Identifier: BSD-3-Clause
// Meshes that some ranks reset while others keep their part, and ranks that do not fit together.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

using namespace couple;

namespace {

using isthmus::Participant;

std::string xml(const std::string& kind, int windows) {
  const bool implicit = kind.find("implicit") != std::string::npos;
  const Scheme scheme{.first = "A",
                      .second = "B",
                      .kind = kind,
                      .max_windows = windows,
                      .control = implicit ? "<max-iterations value=\"2\"/>" : ""};
  return Scenario{.schemes = {scheme}, .flows = both_ways(false, implicit), .remeshing = true}
      .xml();
}

using Places = std::vector<double>;

/// The points of a rank in a window.
using Points = Places (*)(const std::string& participant, int window, int rank, int size);

/// Some of nine points on a line, and their nearest ones are never equally far.
Places line(const std::string& participant, int rank, int size) {
  const int count = participant == "A" ? 9 : 6;
  Places x;
  for (int i = rank * count / size; i < (rank + 1) * count / size; ++i) {
    x.push_back(participant == "A" ? i / 8.0 : 0.03 + 0.19 * i);
  }
  return x;
}

/// What preCICE 3.4.1 was run with on 2 + 1 ranks: in the window from 1 the last rank of A defines
/// others, in the next three it has a single vertex, in the last ones three.
Places shrinking(const std::string& participant, int window, int rank, int size) {
  if (participant == "A" && rank == size - 1 && window > 0) {
    return window == 1  ? Places{0.61, 0.7, 0.86, 0.91, 0.97, 1.0}
           : window < 5 ? Places{0.8}
                        : Places{0.66, 0.87, 0.95};
  }
  return line(participant, rank, size);
}

/// Ranks of both participants in turn have no vertices, one or all of theirs, several at a time.
Places vanishing(const std::string& participant, int window, int rank, int size) {
  Places x = line(participant, rank, size);
  const int phase = (window + rank + (participant == "B" ? 1 : 0)) % 3;
  const std::size_t most = phase == 0 ? x.size() : phase == 1 && size > 1 ? 0 : 1;
  x.resize(window == 0 || window == 4 ? x.size() : std::min(x.size(), most));
  return x;
}

double written(const std::string& participant, double x, double t) {
  return participant == "A" ? x + t : 3 * x - t;
}

constexpr int num_windows = 6;

/// One rank; it resets its mesh in the windows in which it has others, and tells what it reads.
struct Solver {
  Points points;
  std::string kind;

  void operator()(const Seat& seat) const {
    Participant participant = seat.make();
    const bool is_a = seat.participant == "A";
    const std::string mesh = seat.participant + "-Mesh";
    const bool reads_first = !is_a && kind.find("serial") == 0;
    Places x;
    std::vector<int> ids;
    const auto define = [&](int window) {
      x = points(seat.participant, window, seat.launch.rank, seat.launch.size);
      Places places;
      for (const double at : x) {
        places.insert(places.end(), {at, 0.0});
      }
      ids.resize(x.size());
      participant.set_mesh_vertices(mesh, places, ids);
    };
    const auto read = [&](double time, int window) {
      std::vector<double> values(ids.size());
      participant.read_data(mesh, is_a ? "F" : "T", ids, time, values);
      for (std::size_t i = 0; i < ids.size(); ++i) {
        seat.put(fmt::format("{} {}", seat.participant, window),
                 static_cast<int>(std::lround(x[i] * 1e6)), {x[i], values[i]});
      }
    };
    define(0);
    participant.initialize();
    bool repeats = false;
    for (int window = 0; participant.is_coupling_ongoing();) {
      static_cast<void>(participant.requires_writing_checkpoint());
      if (reads_first && !repeats) {
        read(1, window);
      }
      if (!repeats && points(seat.participant, window, seat.launch.rank, seat.launch.size) != x) {
        participant.reset_mesh(mesh);
        define(window);
      }
      std::vector<double> values;
      for (const double at : x) {
        values.push_back(written(seat.participant, at, window + 1));
      }
      participant.write_data(mesh, is_a ? "T" : "F", ids, values);
      participant.advance(1);
      repeats = participant.requires_reading_checkpoint();
      if (!repeats) {
        if (!reads_first) {
          read(0, window);
        }
        ++window;
      }
    }
    participant.finalize();
  }
};

/// Of the nearest vertex of the other participant.
double expected(const std::string& reader, Points points, int size, int window, double x) {
  const std::string writer = reader == "A" ? "B" : "A";
  double nearest = 1e300;
  for (int rank = 0; rank < size; ++rank) {
    for (const double at : points(writer, window, rank, size)) {
      nearest = std::abs(at - x) < std::abs(nearest - x) ? at : nearest;
    }
  }
  return written(writer, nearest, window + 1);
}

Table run_points(const std::string& kind, Points points, const Deal& deal) {
  return run(xml(kind, num_windows), {{"A", Solver{points, kind}}, {"B", Solver{points, kind}}},
             deal);
}

} // namespace

TEST_CASE("ranks that do not reset a mesh keep their part and what they have written") {
  for (const Deal& deal : deals(2)) {
    for (const std::string kind :
         {"parallel-explicit", "serial-explicit", "parallel-implicit", "serial-implicit"}) {
      for (const Points points : {shrinking, vanishing}) {
        CAPTURE(kind);
        CAPTURE(points == shrinking);
        const Table table = run_points(kind, points, deal);
        for (const auto& [reader, other] : {std::pair("A", 1U), std::pair("B", 0U)}) {
          const int size = deal.empty() ? 1 : deal[other];
          for (int window = 0; window < num_windows; ++window) {
            CAPTURE(reader);
            CAPTURE(window);
            const auto& values = table.at(fmt::format("{} {}", reader, window));
            CHECK(!values.empty());
            for (const auto& [entry, value] : values) {
              CHECK(value[1] == doctest::Approx(expected(reader, points, size, window, value[0])));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("what a rank alone has reset is what preCICE reads" * on_ranks(3)) {
  // recorded from preCICE 3.4.1, A on 2 ranks and B on 1: what B reads at its vertices
  const std::vector<std::vector<double>> recorded{{1, 1.25, 1.375, 1.625, 1.75, 2},
                                                  {2, 2.25, 2.375, 2.61, 2.86, 2.97},
                                                  {3.0, 3.25, 3.375, 3.8, 3.8, 3.8}};
  for (const Deal& deal : deals(2)) {
    if (deal.size() < 2 || deal[0] != 2) {
      continue;
    }
    const Table table = run_points("parallel-explicit", shrinking, deal);
    for (int window = 0; window < 3; ++window) {
      std::size_t i = 0;
      for (const auto& [entry, value] : table.at(fmt::format("B {}", window))) {
        CHECK(value[1] == doctest::Approx(recorded.at(static_cast<std::size_t>(window)).at(i++)));
      }
      CHECK(i == 6);
    }
  }
}

namespace {

/// Runs A and B; after the first window the ranks of A do what is wrong. What each side was told.
Outcome outcome_of(const Deal& deal, const std::function<void(Participant&, int rank)>& wrong) {
  const auto solver = [&](const Seat& seat) {
    Participant participant = seat.make();
    const std::string mesh = seat.participant + "-Mesh";
    std::vector<double> places;
    for (const double x : line("A", seat.launch.rank, seat.launch.size)) {
      places.insert(places.end(), {x, 0.0});
    }
    std::vector<int> ids(places.size() / 2);
    participant.set_mesh_vertices(mesh, places, ids);
    participant.initialize();
    participant.advance(1);
    if (seat.participant == "A") {
      wrong(participant, seat.launch.rank);
    }
    while (participant.is_coupling_ongoing()) {
      participant.advance(participant.max_time_step_size());
    }
    participant.finalize();
  };
  return play(xml("parallel-explicit", 4), {{"A", solver}, {"B", solver}}, deal);
}

} // namespace

TEST_CASE(
    "a step that does not end the window where another rank has reset a mesh is an error on "
    "all ranks" *
    on_ranks(3)) {
  for (const Deal& deal : deals(2)) {
    if (deal.size() == 2 && deal[0] > 1) {
      for (const int resetting : {0, 1}) {
        const Outcome outcome = outcome_of(deal, [resetting](Participant& a, int rank) {
          if (rank == resetting) {
            a.reset_mesh("A-Mesh");
            std::vector<int> ids(1);
            a.set_mesh_vertices("A-Mesh", std::vector<double>{0.5, 0.0}, ids);
          }
          a.advance(rank == 1 ? 0.5 : 1);
        });
        CAPTURE(outcome.all_errors());
        CHECK(outcome.errors.at("A").find("the step of 0.5 does not") != std::string::npos);
        CHECK(outcome.errors.at("A").find("the step of another rank does not") !=
              std::string::npos);
        CHECK(outcome.errors.at("B").find("must end the time window") != std::string::npos);
      }
    }
  }
}

TEST_CASE("a rank that ends while others go on is an error on all ranks" * on_ranks(3)) {
  for (const Deal& deal : deals(2)) {
    if (deal.size() == 2 && deal[0] > 1) {
      for (const int early : {0, 1}) {
        const Outcome outcome = outcome_of(deal, [early](Participant& a, int rank) {
          if (rank == early) {
            a.finalize();
          }
        });
        CAPTURE(outcome.all_errors());
        for (const char* participant : {"A", "B"}) {
          CHECK(outcome.errors.at(participant).find("finalize()") != std::string::npos);
        }
      }
    }
  }
}
