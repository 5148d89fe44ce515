// SPDX-License-Identifier: BSD-3-Clause
// Meshes that change between time windows: what is read has the bits of a run that starts with the
// meshes as they are then.
#include "participant/couple.hpp"
#include "participant/scenario.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace couple;

namespace {

/// Versions of the meshes of both participants by time window; 0 is what a run starts with.
struct Sequence {
  std::vector<int> a;
  std::vector<int> b;
};

/// A version of a participant's meshes: some points along a wavy line, dealt to ranks in pieces.
struct Line {
  std::vector<double> x;
  int empty_rank; // -1: none
  bool backwards; // numbered
};

class Dice {
 public:
  explicit Dice(int seed) : random_(static_cast<unsigned>(seed)) {}
  int operator()(int from, int to) {
    return from + static_cast<int>(random_() % static_cast<unsigned>(to - from + 1));
  }

 private:
  std::mt19937 random_;
};

Line another_line(Dice& draw) {
  const int points = draw(12, 40);
  const double shift = 0.01 * draw(-3, 3);
  Line line{{}, draw(-1, 2), draw(0, 1) != 0};
  for (int i = 0; i < points; ++i) {
    line.x.push_back(shift + i / (points - 1.0));
  }
  return line;
}

constexpr int per_seed = 100; // versions

/// One change, of any kind.
void change(Line& line, Dice& draw) {
  const auto some = [&] { return static_cast<std::size_t>(draw(0, int(line.x.size()) - 1)); };
  switch (draw(0, 9)) {
    case 0:
      line = another_line(draw);
      break;
    case 1: // fewer, in the middle or at an end
      line.x.erase(line.x.begin() + draw(0, 3), line.x.begin() + draw(4, 8));
      break;
    case 2:
      line.x.push_back(0.01 * draw(-5, 105));
      std::sort(line.x.begin(), line.x.end());
      break;
    case 3:
      line.empty_rank = draw(-1, 3);
      break;
    case 4: // far
      line.x[some()] = 0.01 * draw(-5, 105);
      break;
    case 5: // nothing
      break;
    default: // a little, and back again some day
      for (int moved = draw(1, 3); moved > 0; --moved) {
        line.x[some()] += 0.002 * draw(-6, 6);
      }
  }
}

/// Versions from 3 on differ in the places of a few points only; those of a seed follow each other.
Line line(const std::string& participant, int version) {
  const int which = participant == "A" ? 1 : 2;
  Dice draw(17 * std::min(version < per_seed ? version : version / per_seed * per_seed, 1 << 20) +
            which);
  if (version >= per_seed) {
    Line line = another_line(draw);
    for (int step = 0; step < version % per_seed; ++step) {
      change(line, draw);
    }
    return line;
  }
  if (version > 3) {
    Line moved = line(participant, 3);
    const auto step = 0.6 * (moved.x[1] - moved.x[0]);
    for (std::size_t i = 0; i < moved.x.size(); ++i) {
      moved.x[i] += (static_cast<int>(i) + version) % 11 == 0 ? step : 0.0;
    }
    return moved;
  }
  return another_line(draw);
}

struct Piece {
  std::vector<int> entries; // of the whole line
  std::vector<double> places;
  std::vector<int> edges;
};

Piece piece(const Line& line, int rank, int size) {
  std::vector<int> takers; // ranks that hold something
  for (int r = 0; r < size; ++r) {
    if (r != line.empty_rank || size == 1) {
      takers.push_back(r);
    }
  }
  const auto at = std::find(takers.begin(), takers.end(), rank) - takers.begin();
  const auto count = static_cast<int>(takers.size());
  Piece piece;
  if (at == count) {
    return piece;
  }
  const int points = static_cast<int>(line.x.size());
  const int first = (points - 1) * static_cast<int>(at) / count;
  const int last = (points - 1) * (static_cast<int>(at) + 1) / count;
  piece.entries.resize(static_cast<std::size_t>(last - first + 1));
  std::iota(piece.entries.begin(), piece.entries.end(), first);
  if (line.backwards) {
    std::reverse(piece.entries.begin(), piece.entries.end());
  }
  for (std::size_t i = 0; i < piece.entries.size(); ++i) {
    const double x = line.x[static_cast<std::size_t>(piece.entries[i])];
    piece.places.insert(piece.places.end(), {x, 0.1 * std::sin(9 * x)});
    if (i > 0) {
      piece.edges.insert(piece.edges.end(), {static_cast<int>(i) - 1, static_cast<int>(i)});
    }
  }
  return piece;
}

using Kind = std::array<const char*, 3>; // mapping, direction, constraint

const std::vector<Kind> mixed{{"nearest-neighbor", "read", "consistent"},
                              {"nearest-neighbor", "write", "conservative"},
                              {"nearest-projection", "write", "consistent"},
                              {"nearest-projection", "read", "conservative"}};
/// Of which plans are made again where something has changed.
const std::vector<Kind> patched{{"nearest-neighbor", "read", "consistent"},
                                {"nearest-projection", "read", "consistent"}};

/// Both ways with each of some mappings, on meshes of their own.
Scenario scenario(const std::string& scheme, int windows, const std::vector<Kind>& kinds = mixed) {
  Scenario scenario;
  scenario.remeshing = true;
  scenario.schemes = {{"A", "B", scheme, 1, 0, windows}};
  int number = 0;
  for (const auto& [mapping, direction, constraint] : kinds) {
    for (const auto& [from, to] : {std::array{"A", "B"}, std::array{"B", "A"}}) {
      Flow flow{from, to, fmt::format("{}{}", from, number)};
      flow.mapping = mapping;
      flow.direction = direction;
      flow.constraint = constraint;
      flow.suffix = std::to_string(number * 2 / static_cast<int>(kinds.size()));
      scenario.flows.push_back(flow);
    }
    ++number;
  }
  return scenario;
}

double value(const Flow& flow, int entry, int version) {
  return std::sin(0.3 * entry + version) + 0.1 * static_cast<double>(flow.data.back() - '0');
}

/// One rank of a solver whose meshes change.
class Mover {
 public:
  Mover(const Seat& seat, const Scenario& scenario, const Sequence& versions)
      : seat_(seat), scenario_(scenario), versions_(versions), participant_(seat.make()) {}

  void play() {
    const bool serial = scenario_.schemes.front().kind == "serial-explicit";
    const bool second = seat_.participant == "B";
    set_meshes(version(seat_.participant, 0));
    participant_.initialize();
    for (int window = 0; participant_.is_coupling_ongoing(); ++window) {
      if (serial && second) {
        read(1, version("A", window), version("B", window - 1));
      }
      const int own = version(seat_.participant, window);
      if (own != version(seat_.participant, window - 1)) {
        for (const std::string& mesh : meshes_) {
          participant_.reset_mesh(mesh);
        }
        set_meshes(own);
      }
      for (const Flow& flow : scenario_.flows) {
        if (flow.from == seat_.participant) {
          std::vector<double> values;
          for (int entry : piece_.entries) {
            values.push_back(value(flow, entry, own));
          }
          participant_.write_data(flow.from_mesh(), flow.data, ids_, values);
        }
      }
      participant_.advance(1);
      if (!(serial && second)) {
        read(0, version("A", window), version("B", window));
      }
    }
    participant_.finalize();
  }

 private:
  [[nodiscard]] int version(const std::string& participant, int window) const {
    const auto& all = participant == "A" ? versions_.a : versions_.b;
    return all.at(static_cast<std::size_t>(std::max(window, 0)));
  }

  void set_meshes(int version) {
    piece_ = piece(line(seat_.participant, version), seat_.launch.rank, seat_.launch.size);
    ids_.resize(piece_.entries.size());
    meshes_.clear();
    for (const Flow& flow : scenario_.flows) {
      const std::string mesh = flow.from == seat_.participant ? flow.from_mesh() : flow.to_mesh();
      if (std::find(meshes_.begin(), meshes_.end(), mesh) == meshes_.end()) {
        meshes_.push_back(mesh);
        participant_.set_mesh_vertices(mesh, piece_.places, ids_);
        participant_.set_mesh_edges(mesh, piece_.edges);
      }
    }
  }

  /// What stands there now was computed with these versions of both meshes.
  void read(double time, int of_a, int of_b) {
    for (const Flow& flow : scenario_.flows) {
      if (flow.to == seat_.participant) {
        std::vector<double> values(ids_.size());
        participant_.read_data(flow.to_mesh(), flow.data, ids_, time, values);
        for (std::size_t i = 0; i < ids_.size(); ++i) {
          seat_.put(fmt::format("{} of {} and {}", flow.data, of_a, of_b), piece_.entries[i],
                    {values[i]});
        }
      }
    }
  }

  const Seat& seat_;
  const Scenario& scenario_;
  const Sequence& versions_;
  isthmus::Participant participant_;
  Piece piece_;
  std::vector<int> ids_;
  std::vector<std::string> meshes_;
};

Table run_meshes(const std::string& scheme, const Sequence& versions, const Deal& deal,
                 const std::vector<Kind>& kinds = mixed) {
  const Scenario run = scenario(scheme, static_cast<int>(versions.a.size()), kinds);
  const auto solver = [&](const Seat& seat) { Mover(seat, run, versions).play(); };
  const Outcome outcome = play(run.xml(), {{"A", solver}, {"B", solver}}, deal);
  REQUIRE(outcome.all_errors() == "");
  return outcome.table;
}

} // namespace

/// Compares each window with a run that starts with the meshes as they are then.
void check_like_fresh(const std::string& scheme, const Sequence& versions, const Deal& deal,
                      const std::vector<Kind>& kinds) {
  const Table moved = run_meshes(scheme, versions, deal, kinds);
  int compared = 0;
  for (std::size_t window = 0; window < versions.a.size(); ++window) {
    const int a = versions.a[window];
    const int b = versions.b[window];
    const std::string name = fmt::format(" of {} and {}", a, b);
    const Table fresh = run_meshes(scheme, {{a}, {b}}, deal, kinds);
    for (const auto& [series, values] : fresh) {
      if (series.find(name) != std::string::npos && moved.count(series) != 0) {
        CAPTURE(series);
        ++compared;
        CHECK(difference(starting({{series, moved.at(series)}}, ""),
                         starting({{series, values}}, "")) == "");
      }
    }
  }
  CHECK(compared >= static_cast<int>(versions.a.size() * kinds.size()));
}

TEST_CASE("after a mesh was reset everything is as in a run that starts with it") {
  const Sequence versions{{0, 1, 1, 2, 3, 4, 5, 5, 1}, {0, 0, 1, 2, 3, 3, 4, 5, 5}};
  for (const Deal& deal : deals(2)) {
    for (const char* scheme : {"parallel-explicit", "serial-explicit"}) {
      CAPTURE(scheme);
      check_like_fresh(scheme, versions, deal, mixed);
    }
  }
}

TEST_CASE("so it is after any sequence of moves, insertions, deletions, and other meshes") {
  for (const Deal& deal : deals(2)) {
    for (int seed = 1; seed <= 3; ++seed) {
      CAPTURE(seed);
      Dice draw(seed);
      Sequence versions{{seed * per_seed}, {seed * per_seed}};
      while (versions.a.size() < 8) {
        versions.a.push_back(versions.a.back() + draw(0, 1));
        versions.b.push_back(versions.b.back() + draw(0, 1));
      }
      check_like_fresh("parallel-explicit", versions, deal, patched);
      check_like_fresh(seed % 2 == 0 ? "serial-explicit" : "parallel-explicit", versions, deal,
                       mixed);
    }
  }
}

TEST_CASE("every rank that sees nothing of a small change sends what it always does") {
  const Scenario run =
      scenario("parallel-explicit", 4, {{"nearest-neighbor", "read", "consistent"}});
  const auto solver = [&](const Seat& seat) {
    isthmus::Participant participant = seat.make();
    const bool moves = seat.participant == "A";
    Line all{{}, -1, false};
    for (int i = 0; i < 80; ++i) {
      all.x.push_back(i / 79.0 + (moves ? 0.001 : 0.0));
    }
    std::vector<int> ids;
    const auto define = [&] {
      const Piece part = piece(all, seat.launch.rank, seat.launch.size);
      ids.resize(part.entries.size());
      participant.set_mesh_vertices(seat.participant + "-Mesh0", part.places, ids);
    };
    define();
    participant.initialize();
    for (int window = 0; participant.is_coupling_ongoing(); ++window) {
      if (moves && window >= 2) { // in the last window the first vertex, before that none
        all.x[0] += window == 3 ? 0.2 * (all.x[1] - all.x[0]) : 0.0;
        participant.reset_mesh("A-Mesh0");
        define();
      }
      const auto before = participant.statistics().messages_sent;
      participant.advance(1);
      seat.put(fmt::format("{} {}", seat.participant, window), seat.launch.rank,
               {static_cast<double>(participant.statistics().messages_sent - before)});
    }
    participant.finalize();
  };
  for (const Deal& deal : deals(2)) {
    if (deal.empty() || std::min(deal[0], deal[1]) == 1) { // one that gets all sees all
      continue;
    }
    const Table table = couple::run(run.xml(), {{"A", solver}, {"B", solver}}, deal);
    for (const char* participant : {"A", "B"}) {
      for (const auto& [rank, messages] : table.at(fmt::format("{} 1", participant))) {
        CAPTURE(participant);
        CAPTURE(rank);
        const auto in = [&](int window) {
          return table.at(fmt::format("{} {}", participant, window)).find(rank)->second;
        };
        CHECK(in(2) == messages);
        if (rank != 1) { // which is a neighbour
          CHECK((in(3) == messages) == (rank > 0));
        }
      }
    }
  }
}

namespace {

using isthmus::Participant;

/// Runs two serial participants; A makes a wrong call after the first window. What it was told.
std::string told(const std::string& scheme, bool remeshing,
                 const std::function<void(Participant&)>& wrong) {
  Scenario run = scenario(scheme, 3);
  run.remeshing = remeshing;
  std::string error;
  const auto solver = [&](const Seat& seat) {
    Participant participant = seat.make();
    const Piece part = piece(line(seat.participant, 0), 0, 1);
    std::vector<int> ids(part.entries.size());
    for (const char* suffix : {"-Mesh0", "-Mesh1"}) {
      participant.set_mesh_vertices(seat.participant + suffix, part.places, ids);
    }
    participant.initialize();
    participant.advance(1);
    if (seat.participant == "A") {
      wrong(participant);
    }
    while (participant.is_coupling_ongoing()) {
      participant.advance(participant.max_time_step_size());
    }
    participant.finalize();
  };
  return play(run.xml(), {{"A", solver}, {"B", solver}}, serial(2)).all_errors();
}

bool mentions(const std::string& text, const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(), [&text](const std::string& word) {
    return text.find(word) != std::string::npos;
  });
}

} // namespace

TEST_CASE("wrong calls of resetMesh") {
  const auto reset = [](Participant& a) { a.reset_mesh("A-Mesh0"); };
  const struct {
    std::string name;
    std::function<void(Participant&)> call;
    std::vector<std::string> words;
  } calls[] = {
      {"received", [](Participant& a) { a.reset_mesh("B-Mesh0"); }, {"B-Mesh0", "provides"}},
      {"twice", [&](Participant& a) { reset(a), reset(a); }, {"reset already", "A-Mesh0"}},
      {"within a window",
       [&](Participant& a) { a.advance(0.5), reset(a); },
       {"resetMesh()", "completed a time window"}},
      {"and a step that does not end the window",
       [&](Participant& a) { reset(a), a.advance(0.5); },
       {"0.5", "end the time window"}},
      {"and reading",
       [&](Participant& a) {
         reset(a);
         a.read_data("A-Mesh0", "B0", {}, 0, {});
       },
       {"readData()", "A-Mesh0", "was reset"}},
      {"and no new vertices",
       [&](Participant& a) { reset(a), a.advance(1); },
       {"A-Mesh0", "no vertices", "resetMesh()"}},
      {"and an old vertex",
       [&](Participant& a) {
         reset(a);
         a.write_data("A-Mesh0", "A0", std::array{0}, std::array{1.0});
       },
       {"vertex id 0", "A-Mesh0"}},
  };
  for (const auto& [name, call, words] : calls) {
    CAPTURE(name);
    const std::string text = told("parallel-explicit", true, call);
    CAPTURE(text);
    CHECK(mentions(text, words));
  }
  CHECK(mentions(told("parallel-explicit", false, reset), {"allow-remeshing=\"true\""}));
}

TEST_CASE("a mesh that only some ranks reset ends the run with a reason") {
  const Scenario run = scenario("parallel-explicit", 4);
  const auto solver = [&](const Seat& seat) {
    Participant participant = seat.make();
    const Piece part = piece(line("A", 0), seat.launch.rank, seat.launch.size);
    std::vector<int> ids(part.entries.size());
    for (const char* suffix : {"-Mesh0", "-Mesh1"}) {
      participant.set_mesh_vertices(seat.participant + suffix, part.places, ids);
    }
    participant.initialize();
    for (int window = 0; participant.is_coupling_ongoing(); ++window) {
      if (window == 1 && seat.participant == "A" && seat.launch.rank == 1) {
        participant.reset_mesh("A-Mesh0");
        participant.set_mesh_vertices("A-Mesh0", part.places, ids);
      }
      participant.advance(1);
    }
    participant.finalize();
  };
  for (const Deal& deal : deals(2)) {
    if (deal.size() == 2 && deal[0] > 1) {
      const Outcome outcome = play(run.xml(), {{"A", solver}, {"B", solver}}, deal);
      for (const char* participant : {"A", "B"}) {
        CAPTURE(outcome.errors.at(participant));
        CHECK(mentions(outcome.errors.at(participant), {"resetMesh()", "all"}));
      }
    }
  }
}
