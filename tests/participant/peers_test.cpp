// SPDX-License-Identifier: BSD-3-Clause
// Schemes of several participants of which every two exchange data, whoever controls them.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

using namespace couple;

namespace {

struct Club {
  int members = 3;
  int controller = 0;
  int windows = 2;
  int iterations = 4;
  bool initialize = false; // all data
  bool substeps = true;
  double relaxation = 1; // of the data of the controller
};

constexpr int num_vertices = 3;

std::string mesh(int i) {
  return fmt::format("P{}-Mesh", i);
}
std::string data(int from, int to) {
  return fmt::format("D{}{}", from, to);
}

/// Calls visit(from, to) for all ordered pairs.
template <typename Visit>
void each_pair(int members, Visit visit) {
  for (int from = 0; from < members; ++from) {
    for (int to = 0; to < members; ++to) {
      if (from != to) {
        visit(from, to);
      }
    }
  }
}

Scenario scenario_of(const Club& club) {
  Scheme scheme{.first = "P0",
                .second = "P1",
                .kind = "multi",
                .max_windows = club.windows,
                .control = fmt::format("<max-iterations value=\"{}\"/>", club.iterations),
                .controller = fmt::format("P{}", club.controller)};
  for (int i = 2; i < club.members; ++i) {
    scheme.others.push_back(fmt::format("P{}", i));
  }
  if (club.relaxation < 1) {
    scheme.control +=
        fmt::format("<acceleration:constant><relaxation value=\"{}\"/></acceleration:constant>",
                    club.relaxation);
  }
  Scenario scenario{.schemes = {scheme}, .flows = {}};
  each_pair(club.members, [&](int from, int to) {
    scenario.flows.push_back({.from = fmt::format("P{}", from),
                              .to = fmt::format("P{}", to),
                              .data = data(from, to),
                              .initialize = club.initialize,
                              .substeps = club.substeps});
  });
  return scenario;
}

/// What i makes for j at time t of what it reads.
double answer(int i, int j, double t, double sum_read) {
  return (0.2 + 0.1 * j) * sum_read + t * (i + 1) + j;
}
double initial(int i, int j) {
  return 10 * i + j;
}

/// Values without a vertex's factor: per member and iteration the sum of all that it reads at the
/// end of the window. All step at the same time with what the others had in the iteration before;
/// the controller relaxes what it sends and gets, unless the window is over. What it gets begins at
/// zero, whatever the initial data.
std::vector<std::vector<double>> reference(const Club& club) {
  const auto n = static_cast<std::size_t>(club.members);
  std::vector<std::vector<double>> x(n, std::vector<double>(n, 0.0)); // [from][to]
  each_pair(club.members, [&](int from, int to) {
    x[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)] =
        club.initialize ? initial(from, to) : 0;
  });
  std::vector<std::vector<double>> seen(n);
  for (int window = 1; window <= club.windows; ++window) {
    for (int iteration = 1; iteration <= club.iterations; ++iteration) {
      std::vector<double> sums(n, 0.0);
      each_pair(club.members, [&](int from, int to) {
        sums[static_cast<std::size_t>(to)] +=
            x[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
      });
      for (std::size_t i = 0; i < n; ++i) {
        seen[i].push_back(sums[i]);
      }
      each_pair(club.members, [&](int from, int to) {
        double& value = x[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
        const double made = answer(from, to, window, sums[static_cast<std::size_t>(from)]);
        const bool relaxed =
            (from == club.controller || to == club.controller) && iteration < club.iterations;
        const bool begins = window == 1 && iteration == 1;
        const double before = begins && to == club.controller ? 0 : value; // as preCICE
        value = relaxed ? before + club.relaxation * (made - before) : made;
      });
    }
  }
  return seen;
}

double factor(int vertex) {
  return 1 + vertex;
}

void play_member(const Seat& seat, const Club& club, int self) {
  isthmus::Participant participant = seat.make();
  std::vector<int> vertices;
  std::vector<double> positions;
  for (int v = seat.launch.rank; v < num_vertices; v += seat.launch.size) {
    vertices.push_back(v);
    positions.insert(positions.end(), {static_cast<double>(v), 1.0});
  }
  std::vector<isthmus::VertexId> ids(vertices.size());
  participant.set_mesh_vertices(mesh(self), positions, ids);
  std::vector<double> values(ids.size());
  const auto write = [&](const auto& of) {
    for (int j = 0; j < club.members; ++j) {
      if (j != self) {
        for (std::size_t v = 0; v < ids.size(); ++v) {
          values[v] = of(j, v);
        }
        participant.write_data(mesh(self), data(self, j), ids, values);
      }
    }
  };
  if (participant.requires_initial_data()) {
    write([&](int j, std::size_t v) { return initial(self, j) * factor(vertices[v]); });
  }
  participant.initialize();
  std::vector<std::vector<double>> seen(ids.size());
  double end = 1;
  while (participant.is_coupling_ongoing()) {
    static_cast<void>(participant.requires_writing_checkpoint());
    std::vector<double> sums(ids.size(), 0.0);
    for (int j = 0; j < club.members; ++j) {
      if (j != self) {
        participant.read_data(mesh(self), data(j, self), ids, 1, values);
        for (std::size_t v = 0; v < ids.size(); ++v) {
          sums[v] += values[v] / factor(vertices[v]);
        }
      }
    }
    for (std::size_t v = 0; v < ids.size(); ++v) {
      seen[v].push_back(sums[v]);
    }
    write(
        [&](int j, std::size_t v) { return answer(self, j, end, sums[v]) * factor(vertices[v]); });
    participant.advance(1);
    end += participant.requires_reading_checkpoint() ? 0 : 1;
  }
  participant.finalize();
  for (std::size_t v = 0; v < ids.size(); ++v) {
    seat.put(fmt::format("P{}", self), vertices[v], seen[v]);
  }
}

std::vector<Role> members(const Club& club) {
  std::vector<Role> roles;
  for (int i = 0; i < club.members; ++i) {
    roles.push_back(
        {fmt::format("P{}", i), [club, i](const Seat& seat) { play_member(seat, club, i); }});
  }
  return roles;
}

void check_club(const Club& club) {
  const auto expected = reference(club);
  for (const Deal& deal : deals(club.members)) {
    CAPTURE(club.members);
    CAPTURE(club.controller);
    const Table table = run(scenario_of(club).xml(), members(club), deal);
    for (int i = 0; i < club.members; ++i) {
      const auto& all = expected[static_cast<std::size_t>(i)];
      CHECK(table.at(fmt::format("P{}", i)).size() == num_vertices);
      for (const auto& [vertex, seen] : table.at(fmt::format("P{}", i))) {
        REQUIRE(seen.size() == all.size());
        for (std::size_t k = 0; k < all.size(); ++k) {
          CHECK(std::abs(seen[k] - all[k]) <= 1e-12 * (1 + std::abs(all[k])));
        }
      }
    }
  }
}

} // namespace

TEST_CASE("a multi scheme of two is one in which both step at the same time") {
  for (int controller = 0; controller < 2; ++controller) {
    check_club({.members = 2, .controller = controller});
    check_club({.members = 2,
                .controller = controller,
                .windows = 3,
                .initialize = true,
                .substeps = controller == 0,
                .relaxation = 0.5});
  }
}

TEST_CASE("every two members of a multi scheme exchange data, wherever the controller stands" *
          on_ranks_for(3)) {
  for (int members = 3; members <= 4; ++members) {
    for (int controller = 0; controller < members; ++controller) {
      check_club({.members = members, .controller = controller});
    }
  }
}

TEST_CASE("initial data between others than the controller of a multi scheme" * on_ranks_for(3)) {
  check_club({.controller = 2, .initialize = true});
  check_club({.controller = 0, .initialize = true, .substeps = false});
}

TEST_CASE("the controller of a multi scheme accelerates its own data, others pass as they are" *
          on_ranks_for(3)) {
  check_club({.controller = 1, .windows = 3, .relaxation = 0.5});
  check_club({.members = 4, .controller = 3, .initialize = true, .relaxation = 0.25});
}

TEST_CASE("members of a multi scheme that exchange data need a connection" * on_ranks_for(3)) {
  const Club club{.controller = 2};
  Scenario scenario = scenario_of(club);
  scenario.connections.missing = {"P0", "P1"};
  for (const Deal& deal : deals(club.members)) {
    const Outcome outcome = play(scenario.xml(), members(club), deal);
    for (const auto& [name, error] : outcome.errors) {
      CHECK(error.find("have no way to talk") != std::string::npos);
    }
  }
}
