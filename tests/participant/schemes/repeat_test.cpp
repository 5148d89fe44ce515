// SPDX-License-Identifier: BSD-3-Clause
// Processes in which a participant is made, ended and made again, and partners that do the same.
#include "await_event.hpp"
#include "isthmus/base/exception.hpp"
#include "isthmus/connect/announce.hpp"
#include "participant/setup/calls.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using namespace couple;

namespace {

/// What flows from the one that accepts or from the one that connects; nothing flows back, so that
/// the sender runs ahead.
Scenario one_way(const std::string& from, const std::string& kind) {
  const std::string to = from == "A" ? "B" : "A";
  return {{{"A", "B", kind, 1, 0, 2}}, {{from, to, "Velocity"}}};
}

double value_of(int round, int window, int vertex) {
  return 100.0 * round + 10.0 * window + vertex;
}

/// One instance from its making to its end; it writes or reads what flows.
void live(const Seat& seat, const std::vector<Flow>& flows, int round) {
  Solver solver(seat);
  const std::string mesh = solver.mesh;
  isthmus::Participant& participant = solver.participant;
  solver.define();
  participant.initialize();
  for (int window = 1; participant.is_coupling_ongoing(); ++window) {
    for (const Flow& flow : flows) {
      if (flow.from == seat.participant) {
        const std::array values{value_of(round, window, 0), value_of(round, window, 1),
                                value_of(round, window, 2)};
        participant.write_data(mesh, flow.data, solver.ids, values);
      }
    }
    participant.advance(participant.max_time_step_size());
    for (const Flow& flow : flows) {
      if (flow.to == seat.participant) {
        std::array<double, 3> values{};
        participant.read_data(mesh, flow.data, solver.ids, 0, values);
        seat.put("read", 10 * round + window, {values.begin(), values.end()});
      }
    }
  }
  participant.finalize();
}

std::vector<Role> repeaters(const Scenario& scenario, int rounds) {
  std::vector<Role> roles;
  for (const std::string& name : scenario.participants()) {
    roles.push_back({name, [flows = scenario.flows, rounds](const Seat& seat) {
                       for (int round = 0; round < rounds; ++round) {
                         live(seat, flows, round);
                       }
                     }});
  }
  return roles;
}

void check_rounds(const Table& table, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (int window = 1; window <= 2; ++window) {
      const auto [first, last] = table.at("read").equal_range(10 * round + window);
      CHECK(first != last);
      std::for_each(first, last, [round, window](const auto& entry) {
        CHECK(entry.second == std::vector{value_of(round, window, 0), value_of(round, window, 1),
                                          value_of(round, window, 2)});
      });
    }
  }
}

std::filesystem::path folder_of(const Seat& seat) {
  return std::filesystem::path(seat.config).parent_path();
}

/// Until B has met A and awaits C only, which is to be seen only before C comes.
void await_b_half_met(const Seat& seat) {
  const auto path = isthmus::connect::announcement_path(folder_of(seat), "B");
  isthmus::await_event("B does not meet A before C comes", [&path] {
    const auto b = isthmus::connect::read_announcement(path);
    return b && b->awaits == std::vector<std::string>{"C"};
  });
}

/// The file by which a rank of A tells the ranks of B that it has failed.
std::filesystem::path word_of(const Seat& seat, int rank) {
  return folder_of(seat) / ("failed-" + std::to_string(rank));
}

std::ptrdiff_t entries(const std::string& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

/// What this process holds.
struct Holdings {
  std::ptrdiff_t files = entries("/proc/self/fd");
  std::ptrdiff_t threads = entries("/proc/self/task");
  int segments = 0;  // of shared memory
  double memory = 0; // MiB, resident

  Holdings() {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
      segments += line.find("/isthmus-") != std::string::npos ? 1 : 0;
    }
    std::ifstream status("/proc/self/statm");
    double pages = 0;
    status >> pages >> pages;
    memory = pages * 4096 / (1 << 20);
  }
};

} // namespace

TEST_CASE(
    "a participant that is made again in the same process meets the partner's next instance") {
  constexpr int rounds = 6;
  for (const std::string transport : {"automatic", "tcp", "mpi"}) {
    const Environment choice("ISTHMUS_TRANSPORT", transport);
    for (const std::string from : {"A", "B"}) {
      for (const Deal& deal : deals(2)) {
        if (transport == "mpi" && deal.empty()) {
          continue; // threads of one process cannot talk by MPI
        }
        CAPTURE(transport);
        CAPTURE(from);
        const Scenario scenario = one_way(from, "serial-explicit");
        check_rounds(run(scenario.xml(), repeaters(scenario, rounds), deal), rounds);
      }
    }
  }
}

TEST_CASE("one that still waits for a third partner is not taken for its next instance" *
          on_ranks_for(3)) {
  constexpr int rounds = 4;
  const Scenario chain{
      {{"A", "B", "parallel-explicit", 1, 0, 2}, {"C", "B", "serial-explicit", 1, 0, 2}},
      {{"A", "B", "Velocity"}, {"C", "B", "Pressure"}}};
  std::vector<Role> roles = repeaters(chain, rounds);
  for (Role& role : roles) {
    if (role.participant == "C") {
      role.play = [flows = chain.flows](const Seat& seat) {
        for (int round = 0; round < rounds; ++round) {
          if (seat.launch.rank == 0) { // others may look too late
            await_b_half_met(seat);
          }
          live(seat, flows, round);
        }
      };
    }
  }
  for (const Deal& deal : deals(3)) {
    check_rounds(run(chain.xml(), roles, deal), rounds);
  }
}

TEST_CASE("instances one after the other leave nothing behind") {
  constexpr int warm = 20;
  const char* const more = std::getenv("ISTHMUS_TEST_INSTANCES");
  const int all = more == nullptr ? 100 : std::atoi(more);
  const Scenario scenario = one_way("A", "parallel-explicit");
  const auto role = [&flows = scenario.flows](const std::string& name, int rounds) {
    return Role{name, [rounds, &flows](const Seat& seat) {
                  for (int round = 0; round < warm; ++round) {
                    live(seat, flows, round);
                  }
                  const Holdings before;
                  for (int round = warm; round < warm + rounds; ++round) {
                    live(seat, flows, round);
                    seat.table->clear();
                  }
                  const Holdings after;
                  seat.put(seat.participant, 0,
                           {static_cast<double>(after.files - before.files),
                            static_cast<double>(after.threads - before.threads),
                            static_cast<double>(after.segments - before.segments),
                            after.memory - before.memory});
                }};
  };
  const Deal deal = serial(2);
  for (const std::string transport : {"automatic", "mpi"}) {
    const Environment choice("ISTHMUS_TRANSPORT", transport);
    if (transport == "mpi" && deal.empty()) {
      continue; // threads of one process cannot talk by MPI
    }
    const Table table = run(scenario.xml(), {role("A", all), role("B", all)}, deal);
    for (const std::string name : {"A", "B"}) {
      const std::vector<double>& growth = table.at(name).begin()->second;
      CAPTURE(transport);
      CAPTURE(name);
      if (!deal.empty()) { // threads see each other's files and segments
        CHECK(growth[0] == 0);
        CHECK(growth[1] == 0);
        CHECK(growth[2] == 0);
      }
      CHECK(growth[3] < 4); // MiB; communicators that stay keep 8 KiB each
    }
  }
}

TEST_CASE("what a participant sent before it failed is received first, then the reason") {
  constexpr int sent = 3;
  for (const std::string transport : {"automatic", "tcp", "mpi"}) {
    const Environment choice("ISTHMUS_TRANSPORT", transport);
    Scenario scenario = one_way("A", "parallel-explicit");
    scenario.schemes[0].max_windows = 10;
    const auto give_up = [](const Seat& seat) {
      Solver solver(seat);
      solver.start();
      for (int window = 1; window <= sent; ++window) {
        const std::array<double, 3> values{1.0 * window, 2.0 * window, 0};
        solver.participant.write_data(solver.mesh, "Velocity", solver.ids, values);
        solver.participant.advance(1);
      }
      throw std::runtime_error("the solver of A gave up");
    };
    const Role failing{"A", [give_up](const Seat& seat) {
                         try {
                           give_up(seat);
                         } catch (const std::runtime_error&) { // its participant is gone
                           std::ofstream(word_of(seat, seat.launch.rank));
                           throw;
                         }
                       }};
    int failing_ranks = 1;
    const Role late{"B", [&failing_ranks](const Seat& seat) {
                      Solver solver(seat);
                      solver.start();
                      for (int rank = 0; rank < failing_ranks; ++rank) {
                        isthmus::await_event("A does not fail", [path = word_of(seat, rank)] {
                          return std::filesystem::exists(path);
                        });
                      }
                      for (int window = 1;; ++window) {
                        solver.participant.advance(1);
                        std::array<double, 3> values{};
                        solver.participant.read_data(solver.mesh, "Velocity", solver.ids, 0,
                                                     values);
                        seat.put("read", window, {values.begin(), values.end()});
                      }
                    }};
    for (const Deal& deal : deals(2)) {
      if (transport == "mpi" && deal.empty()) {
        continue;
      }
      CAPTURE(transport);
      failing_ranks = deal.empty() ? 1 : deal[0];
      Outcome outcome = play(scenario.xml(), {failing, late}, deal);
      check_words(outcome.errors["B"], {"participant \"A\"", "an error of its own"});
      const int readers = deal.empty() ? 1 : deal[1];
      for (int window = 1; window <= sent; ++window) {
        CHECK(static_cast<int>(outcome.table["read"].count(window)) == readers);
        CHECK(outcome.table["read"].find(window)->second ==
              std::vector<double>{1.0 * window, 2.0 * window, 0});
      }
    }
  }
}

TEST_CASE("nobody waits for a participant that calls finalize() before initialize()") {
  for (const Deal& deal : deals(2)) {
    const Role hasty{"A", [](const Seat& seat) { Solver(seat).participant.finalize(); }};
    const Role lasting{"B", [](const Seat& seat) {
                         Solver solver(seat);
                         solver.define();
                         CHECK_THROWS_WITH_AS(solver.participant.initialize(),
                                              doctest::Contains("finalize() before initialize()"),
                                              isthmus::Error);
                       }};
    static_cast<void>(run(one_way("A", "serial-explicit").xml(), {hasty, lasting}, deal));
  }
}
