// SPDX-License-Identifier: BSD-3-Clause
// Who only sends goes on while its partner computes: all its windows are over before the partner
// has read the second one.
#include "environment.hpp"
#include "participant/setup/couple.hpp"
#include "participant/setup/dealt_line.hpp"
#include "participant/setup/scenario.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <mpi.h>

#include <barrier>
#include <string>
#include <vector>

using namespace couple;

namespace {

constexpr int windows = 10;
constexpr int num_vertices = 60000; // 1.4 MB of vectors: more than a ring of shared memory

std::string scenario_of(const std::string& kind) {
  Scenario scenario;
  scenario.schemes = {{"A", "B", kind, 1, 0, windows}};
  scenario.flows = {{.from = "A", .to = "B", .data = "Force", .vector = true}};
  scenario.flows[0].meshes.dimensions = 3;
  return scenario.xml();
}

/// All ranks of both participants come here.
class Meeting {
 public:
  void wait(bool in_threads) {
    if (in_threads) {
      threads_.arrive_and_wait();
    } else {
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }

 private:
  std::barrier<> threads_{2};
};

double value(int vertex, int component, double time) {
  return 1000 * time + 0.25 * vertex + component;
}

struct Line {
  DealtLine dealt;
  std::vector<isthmus::VertexId> ids;
  std::vector<double> values;

  Line(isthmus::Participant& participant, const Seat& seat)
      : dealt(dealt_line(seat.launch, num_vertices)),
        ids(dealt.numbers.size()),
        values(3 * ids.size()) {
    std::vector<double> places(3 * ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      places[3 * i] = dealt.places[2 * i];
    }
    participant.set_mesh_vertices(seat.participant + "-Mesh", places, ids);
  }
};

void send(const Seat& seat, Meeting& meeting, bool in_threads) {
  isthmus::Participant participant = seat.make();
  Line line(participant, seat);
  participant.initialize();
  for (int window = 0; participant.is_coupling_ongoing(); ++window) {
    for (std::size_t i = 0; i < line.values.size(); ++i) {
      line.values[i] = value(line.dealt.numbers[i / 3], static_cast<int>(i % 3), window + 1);
    }
    participant.write_data("A-Mesh", "Force", line.ids, line.values);
    participant.advance(1);
  }
  const auto queued = static_cast<double>(participant.statistics().most_bytes_queued);
  meeting.wait(in_threads);
  participant.finalize();
  seat.put("queued", seat.launch.rank, {queued});
}

void receive(const Seat& seat, Meeting& meeting, bool in_threads) {
  isthmus::Participant participant = seat.make();
  Line line(participant, seat);
  participant.initialize();
  meeting.wait(in_threads);
  double errors = 0;
  for (int window = 0; participant.is_coupling_ongoing(); ++window) {
    participant.advance(1);
    participant.read_data("B-Mesh", "Force", line.ids, 0, line.values);
    for (std::size_t i = 0; i < line.values.size(); ++i) {
      const double expected = value(line.dealt.numbers[i / 3], static_cast<int>(i % 3), window + 1);
      errors += line.values[i] == expected ? 0 : 1;
    }
  }
  participant.finalize();
  seat.put("errors", seat.launch.rank, {errors});
}

void check_ahead(const std::string& kind, const std::string& transport, const Deal& deal) {
  const Environment chosen("ISTHMUS_TRANSPORT", transport);
  Meeting meeting;
  const bool threads = deal == in_threads;
  const Table table = run(scenario_of(kind),
                          {{"A", [&](const Seat& seat) { send(seat, meeting, threads); }},
                           {"B", [&](const Seat& seat) { receive(seat, meeting, threads); }}},
                          deal);
  REQUIRE(table.count("errors") == 1);
  for (const auto& [rank, errors] : table.at("errors")) {
    CHECK(errors[0] == 0);
  }
  double queued = 0;
  for (const auto& [rank, bytes] : table.at("queued")) {
    CHECK(bytes[0] <= 64 << 20);
    queued += bytes[0];
  }
  if (transport != "tcp") { // whose buffers in the system may be large
    CHECK(queued > 0);
  }
}

} // namespace

TEST_CASE("who only sends is ahead of its partner by all windows" * on_ranks_for(2)) {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<Deal> ways = deals(2);
  if (size == 5) {
    ways = {{2, 3}};
  }
  for (const std::string transport : {"shm", "tcp", "mpi"}) {
    if (transport == "mpi" && size == 1) {
      continue;
    }
    for (const Deal& deal : ways) {
      CAPTURE(transport);
      CAPTURE(fmt::format("{} ranks", size));
      check_ahead("parallel-explicit", transport, deal);
      check_ahead("serial-explicit", transport, deal);
    }
  }
}
