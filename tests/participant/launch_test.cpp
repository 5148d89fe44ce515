// SPDX-License-Identifier: BSD-3-Clause
// How participants begin: launches and meetings that cannot work.
#include "environment.hpp"
#include "participant/setup/calls.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <semaphore>
#include <stdexcept>

using namespace couple;

namespace {

/// What participant A says when it is made wrongly, on all processes, with nobody to meet.
void check_alone(const std::vector<std::string>& words,
                 const std::function<void(const Seat&)>& make) {
  for (const Deal& deal : deals(1)) {
    check_words(play(scenario().xml(), {{"A", make}}, deal).errors["A"], words);
  }
}

void make(const std::string& name, const std::string& config, const isthmus::Launch& launch) {
  isthmus::Participant participant(name, config, launch);
}
} // namespace

TEST_CASE("rank and size must agree with the communicator") {
  check_alone({"size", "differs from the size", "communicator"}, [](const Seat& seat) {
    isthmus::Launch launch = seat.launch;
    launch.size += 1;
    make("A", seat.config, launch);
  });
  check_alone({"rank", "process index", "size - 1"}, [](const Seat& seat) {
    isthmus::Launch launch = seat.launch;
    launch.rank += launch.size;
    make("A", seat.config, launch);
  });
  check_alone({"rank", "process index"}, [](const Seat& seat) {
    isthmus::Launch launch = seat.launch;
    launch.rank = -1;
    make("A", seat.config, launch);
  });
  check_alone({"size 0", "at least 1"}, [](const Seat& seat) {
    make("A", seat.config, {0, 0, seat.launch.communicator, nullptr});
  });
  check_alone({"MPI_COMM_NULL"}, [](const Seat& seat) {
    const MPI_Comm null = MPI_COMM_NULL;
    make("A", seat.config, {seat.launch.rank, seat.launch.size, &null, nullptr});
  });
}

TEST_CASE("a rank that is given a wrong place ends the others, too") {
  check_alone({"rank (process index)", "size - 1"}, [](const Seat& seat) {
    isthmus::Launch launch = seat.launch;
    launch.rank = launch.rank == launch.size - 1 ? launch.size : launch.rank;
    make("A", seat.config, launch);
  });
}

TEST_CASE("a rank that is given a wrong size ends the others, who name it" * on_ranks(2)) {
  for (const int wrong : {0, 1, 7}) {
    const auto given = [wrong](const Seat& seat) {
      isthmus::Launch launch = seat.launch;
      launch.size = launch.rank == launch.size - 1 ? wrong : launch.size;
      make("A", seat.config, launch);
    };
    for (const Deal& deal : deals(1)) {
      const std::string error = play(scenario().xml(), {{"A", given}}, deal).errors["A"];
      check_words(error, {"rank " + std::to_string(deal[0] - 1) + ": ",
                          "the size " + std::to_string(wrong)});
    }
  }
}

TEST_CASE("an environment variable that cannot be read ends all ranks, whichever has it") {
  const std::pair<const char*, const char*> wrong[] = {
      {"ISTHMUS_TIMEOUT", "soon"}, {"ISTHMUS_PATIENCE", "-1"},      {"ISTHMUS_TRANSPORT", "pigeon"},
      {"ISTHMUS_QUEUE", "-1"},     {"ISTHMUS_SPIN_US", "long"},     {"ISTHMUS_THREADS", "many"},
      {"ISTHMUS_CHECKSUM", "yes"}, {"ISTHMUS_TRACE", "on"},         {"ISTHMUS_PROFILE", "little"},
      {"ISTHMUS_REMESH", "keep"},  {"ISTHMUS_INSTRUCTIONS", "sse"},
  };
  for (const auto& [name, value] : wrong) {
    check_alone({"environment variable", name, value}, [name, value](const Seat& seat) {
      std::optional<const Environment> variable;
      if (seat.launch.rank == seat.launch.size - 1) {
        variable.emplace(name, value);
      }
      make("A", seat.config, seat.launch);
    });
  }
}

TEST_CASE("ranks that play different participants, or other cases, are told so" * on_ranks(2)) {
  const Role mixed{"A", [](const Seat& seat) {
                     make(seat.launch.rank == 1 ? "B" : "A", seat.config, seat.launch);
                   }};
  const Role other{"A", [](const Seat& seat) {
                     std::string file = seat.config;
                     if (seat.launch.rank == 1) {
                       Scenario in_space = scenario();
                       in_space.connections.directory =
                           std::filesystem::path(file).parent_path().string();
                       for (Flow& flow : in_space.flows) {
                         flow.meshes.dimensions = 3;
                       }
                       file += ".other.xml";
                       std::ofstream(file) << in_space.xml();
                     }
                     make("A", file, seat.launch);
                   }};
  for (const Deal& deal : deals(1)) {
    if (!deal.empty() && deal[0] > 1) {
      check_words(play(scenario().xml(), {mixed}, deal).errors["A"],
                  {"rank 1: ", "participant \"B\"", "rank 0 of the same communicator",
                   "a communicator of its own ranks"});
      check_words(play(scenario().xml(), {other}, deal).errors["A"],
                  {"rank 1: ", "another configuration than rank 0", "they differ in"});
    }
  }
}

TEST_CASE("ranks in another order than in the communicator are refused" * on_ranks(2)) {
  const Role role{"A", [](const Seat& seat) {
                    isthmus::Launch launch = seat.launch;
                    launch.rank = launch.size - 1 - launch.rank;
                    make("A", seat.config, launch);
                  }};
  for (const Deal& deal : deals(1)) {
    check_words(play(scenario().xml(), {role}, deal).errors["A"],
                {"rank (process index)", "differs"});
  }
}

TEST_CASE("the configuration must exist and know the participant") {
  check_alone({"nowhere.xml"}, [](const Seat& seat) { make("A", "/nowhere.xml", seat.launch); });
  check_alone({"\"C\"", "not defined"},
              [](const Seat& seat) { make("C", seat.config, seat.launch); });
}

TEST_CASE("initial data must be asked for") {
  check_words(play(scenario().xml(),
                   {{"B",
                     [](const Seat& seat) {
                       Solver solver(seat);
                       solver.define();
                       solver.participant.initialize();
                     }}},
                   serial(1))
                  .errors["B"],
              {"\"B\"", "requires_initial_data()", "initial data", "before initialize()"});
}

TEST_CASE("a partner that does not come is an error") {
  const ShortTimeout timeout;
  check_alone({"participant \"B\"", "did not appear within 1 s", "exchange-directory"},
              [](const Seat& seat) { Solver(seat).start(); });
}

TEST_CASE("two participants of one name do not couple") {
  const ShortTimeout timeout(5); // one may be late on a busy machine
  const auto role = [](const char* name) {
    return Role{name, [](const Seat& seat) {
                  Solver({"A", seat.config, seat.launch, seat.table}).start();
                }};
  };
  const Outcome outcome = play(scenario().xml(), {role("A"), role("another A")}, serial(2));
  check_words(outcome.all_errors(), {"a participant named \"A\" already runs", "started twice"});
}

TEST_CASE("of two participants of one name the first one couples" * on_ranks(1, 1)) {
  std::counting_semaphore<> refused(0);
  const auto a = [&refused](const Seat& seat) {
    try {
      Solver solver({"A", seat.config, seat.launch, seat.table});
      solver.start();
      solver.finish();
    } catch (const std::exception&) {
      refused.release();
      throw;
    }
  };
  const auto b = [&refused](const Seat& seat) { // until then the first A waits, thus it runs
    CHECK(refused.try_acquire_for(std::chrono::seconds(30)));
    Solver solver(seat);
    solver.start();
    solver.finish();
  };
  Outcome outcome = play(scenario().xml(), {{"A", a}, {"another A", a}, {"B", b}}, in_threads);
  CHECK(outcome.errors["A"].empty() != outcome.errors["another A"].empty());
  CHECK(outcome.errors["B"].empty());
  check_words(outcome.all_errors(), {"a participant named \"A\" already runs", "started twice"});
}

TEST_CASE("an error before the meeting does not leave the partner waiting for long") {
  const ShortTimeout timeout;
  const Role failing{"A", [](const Seat& seat) {
                       const Solver solver(seat);
                       throw std::runtime_error("the solver of A gave up");
                     }};
  const Role waiting{"B", [](const Seat& seat) { Solver(seat).start(); }};
  for (const Deal& deal : deals(2)) {
    Outcome outcome = play(scenario().xml(), {failing, waiting}, deal);
    check_words(outcome.errors["B"], {"participant \"A\""});
  }
}

TEST_CASE("an error of one side ends the other one with its text") {
  const Role failing{"A", [](const Seat& seat) {
                       Solver solver(seat);
                       solver.start();
                       solver.participant.advance(1);
                       throw std::runtime_error("the solver of A gave up");
                     }};
  const Role going_on{"B", [](const Seat& seat) {
                        Solver solver(seat);
                        solver.start();
                        solver.finish();
                      }};
  for (const Deal& deal : deals(2)) {
    Outcome outcome = play(scenario().xml(), {failing, going_on}, deal);
    check_words(outcome.errors["A"], {"the solver of A gave up"});
    check_words(outcome.errors["B"], {"\"A\""});
  }
}
