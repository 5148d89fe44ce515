// SPDX-License-Identifier: BSD-3-Clause
// Meshes that change between time windows: what is read has the bits of a run that starts with the
// meshes as they are then.
#include "participant/setup/couple.hpp"
#include "participant/setup/lines.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using namespace couple;

namespace {

/// Versions of the meshes of both participants by time window; 0 is what a run starts with.
struct Sequence {
  std::vector<int> a;
  std::vector<int> b;
};

double value(const Flow& flow, int entry, int version) {
  return std::sin(0.3 * entry + version) + 0.1 * static_cast<double>(flow.data.back() - '0');
}

/// Which ranks reset a mesh in a window in which it changes: all, or those whose part is another
/// one, and some more.
enum class Who { all, some };

/// One rank of a solver whose meshes change.
class Mover {
 public:
  Mover(const Seat& seat, const Scenario& scenario, const Sequence& versions, Who resets)
      : seat_(seat),
        scenario_(scenario),
        versions_(versions),
        resets_(resets),
        participant_(seat.make()) {}

  void play() {
    const bool serial = scenario_.schemes.front().kind == "serial-explicit";
    const bool second = seat_.participant == "B";
    set_meshes(version(seat_.participant, 0), -1);
    participant_.initialize();
    for (int window = 0; participant_.is_coupling_ongoing(); ++window) {
      if (serial && second) {
        read(1, version("A", window), version("B", window - 1));
      }
      const int own = version(seat_.participant, window);
      if (own != version(seat_.participant, window - 1)) {
        set_meshes(own, window);
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

  void set_meshes(int version, int window) {
    const Piece before = piece_;
    piece_ = piece(line(seat_.participant, version), seat_.launch.rank, seat_.launch.size);
    ids_.resize(piece_.entries.size());
    std::iota(ids_.begin(), ids_.end(), 0);
    const bool same = before.places == piece_.places && before.edges == piece_.edges;
    std::set<std::string> meshes;
    for (const Flow& flow : scenario_.flows) {
      const std::string mesh = flow.from == seat_.participant ? flow.from_mesh() : flow.to_mesh();
      const auto number = static_cast<int>(meshes.size());
      if (!meshes.insert(mesh).second) {
        continue;
      }
      if (window >= 0) {
        if (same && resets_ == Who::some && (seat_.launch.rank + number + window) % 3 != 0) {
          continue;
        }
        participant_.reset_mesh(mesh);
      }
      participant_.set_mesh_vertices(mesh, piece_.places, ids_);
      participant_.set_mesh_edges(mesh, piece_.edges);
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
  Who resets_;
  isthmus::Participant participant_;
  Piece piece_;
  std::vector<int> ids_;
};

Table run_meshes(const std::string& scheme, const Sequence& versions, const Deal& deal,
                 const std::vector<Kind>& kinds, Who resets = Who::all,
                 const std::string& found = "rendezvous") {
  Scenario run = scenario(scheme, static_cast<int>(versions.a.size()), kinds);
  run.connections.initialization = found;
  const auto solver = [&](const Seat& seat) { Mover(seat, run, versions, resets).play(); };
  const Outcome outcome = play(run.xml(), {{"A", solver}, {"B", solver}}, deal);
  REQUIRE(outcome.all_errors() == "");
  return outcome.table;
}

} // namespace

/// Compares each window with a run that starts with the meshes as they are then.
void check_like_fresh(const std::string& scheme, const Sequence& versions, const Deal& deal,
                      const std::vector<Kind>& kinds, Who resets = Who::all,
                      const std::string& found = "rendezvous") {
  const Table moved = run_meshes(scheme, versions, deal, kinds, resets, found);
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

TEST_CASE("so it is where only some ranks reset a mesh, and others another one") {
  const Sequence versions{{0, 1, 3, 4, 5, 5}, {0, 0, 3, 4, 4, 5}};
  for (const Deal& deal : deals(2)) {
    for (const char* scheme : {"parallel-explicit", "serial-explicit"}) {
      CAPTURE(scheme);
      check_like_fresh(scheme, versions, deal, mixed, Who::some);
    }
  }
}

TEST_CASE("so it is however partners find each other") {
  const Sequence versions{{0, 1, 3, 3, 5}, {0, 0, 3, 4, 5}};
  for (const Deal& deal : deals(2)) {
    for (const char* found : {"one-level", "two-level"}) {
      CAPTURE(found);
      check_like_fresh("parallel-explicit", versions, deal, mixed, Who::all, found);
    }
  }
}

TEST_CASE("so it is after any sequence of moves, insertions, deletions, and other meshes") {
  const std::vector<Deal> all = deals(2);
  const std::size_t sequences = std::max<std::size_t>(all.size(), all.empty() ? 0 : 2);
  for (std::size_t number = 0; number < sequences; ++number) {
    const Deal& deal = all[number % all.size()];
    const int seed = 1 + static_cast<int>(number + 3 * all.size() + deal.size());
    CAPTURE(seed);
    Dice draw(seed);
    Sequence versions{{seed * per_seed}, {seed * per_seed}};
    while (versions.a.size() < 6) {
      versions.a.push_back(versions.a.back() + draw(0, 1));
      versions.b.push_back(versions.b.back() + draw(0, 1));
    }
    check_like_fresh("parallel-explicit", versions, deal, patched);
    check_like_fresh("parallel-explicit", versions, deal, patched, Who::some);
    if (number == 1) {
      check_like_fresh("serial-explicit", versions, deal, mixed);
    }
  }
}

TEST_CASE("every rank that sees nothing of a small change sends what it always does" *
          on_ranks(4)) {
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
