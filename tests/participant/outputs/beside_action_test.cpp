// SPDX-License-Identifier: BSD-3-Clause
// Actions of a participant with two schemes: M iterates with I and exchanges once in a window with
// E.
#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>

using namespace couple;

namespace {

constexpr int num_pieces = 4; // of each mesh: an edge each
constexpr int num_iterations = 3;

double length_of(int piece) {
  return 1 + piece;
}

std::string xml(bool implicit_first) {
  const Scheme implicit{.first = "M",
                        .second = "I",
                        .kind = "parallel-implicit",
                        .max_windows = 2,
                        .control = fmt::format("<max-iterations value=\"{}\" />", num_iterations)};
  const Scheme beside{.first = "M", .second = "E", .max_windows = 2};
  Scenario scenario{
      .schemes = {beside, implicit},
      .flows = {{.from = "M", .to = "I", .data = "Iterated", .substeps = true},
                {.from = "I", .to = "M", .data = "Answer", .initialize = true, .substeps = true},
                {.from = "M", .to = "E", .data = "Sent"},
                {.from = "E", .to = "M", .data = "Came", .initialize = true}}};
  if (implicit_first) {
    scenario.schemes = {implicit, beside};
  }
  scenario.inside["M"] =
      R"(<action:multiply-by-area timing="write-mapping-post" mesh="M-Mesh"><target-data name="Sent" />
</action:multiply-by-area>
<action:multiply-by-area timing="read-mapping-post" mesh="M-Mesh"><target-data name="Came" />
</action:multiply-by-area>)";
  return scenario.xml();
}

struct Held {
  std::vector<int> pieces; // of this rank
  std::vector<isthmus::VertexId> ids;
};

Held define(const Seat& seat, isthmus::Participant& participant) {
  const std::string mesh = seat.participant + "-Mesh";
  Held held;
  std::vector<double> places;
  for (int piece = seat.launch.rank; piece < num_pieces; piece += seat.launch.size) {
    held.pieces.push_back(piece);
    places.insert(places.end(), {10.0 * piece, 0, 10.0 * piece + length_of(piece), 0});
  }
  held.ids.resize(2 * held.pieces.size());
  participant.set_mesh_vertices(mesh, places, held.ids);
  participant.set_mesh_edges(mesh, held.ids);
  return held;
}

/// Writes 10 t + the iteration + the piece; puts what it reads at the start of each iteration into
/// the table.
void solve(const Seat& seat, const std::vector<std::string>& reads,
           const std::vector<std::string>& writes) {
  isthmus::Participant participant = seat.make();
  const std::string mesh = seat.participant + "-Mesh";
  const Held held = define(seat, participant);
  std::vector<double> values(held.ids.size());
  const auto write = [&](double value) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = value + held.pieces[i / 2];
    }
    for (const std::string& data : writes) {
      participant.write_data(mesh, data, held.ids, values);
    }
  };
  int windows = 0;
  int iteration = 1;
  const auto read = [&] {
    for (const std::string& data : reads) {
      participant.read_data(mesh, data, held.ids, 0, values);
      for (std::size_t i = 0; i < values.size(); ++i) {
        seat.put(fmt::format("{} at {}, {}", data, windows, iteration), held.pieces[i / 2],
                 {values[i]});
      }
    }
  };
  if (participant.requires_initial_data()) {
    write(0);
  }
  participant.initialize();
  while (participant.is_coupling_ongoing()) {
    static_cast<void>(participant.requires_writing_checkpoint());
    read();
    write(10 * (windows + 1) + iteration);
    participant.advance(1);
    static_cast<void>(participant.requires_reading_checkpoint());
    const bool done = participant.is_time_window_complete();
    windows += done ? 1 : 0;
    iteration = done ? 1 : iteration + 1;
  }
  read();
  participant.finalize();
}

/// `value`: what was written, without the piece.
void check_scaled(const Table& table, const std::string& series, double value) {
  CAPTURE(series);
  const auto& read = table.at(series);
  REQUIRE(read.size() == std::size_t(2 * num_pieces));
  for (const auto& [piece, values] : read) {
    CHECK(values[0] == doctest::Approx((value + piece) * length_of(piece) / 2));
  }
}

void check_all(const std::function<void(const Table&)>& look) {
  const auto of = [](std::vector<std::string> reads, std::vector<std::string> writes) {
    return [reads = std::move(reads), writes = std::move(writes)](const Seat& seat) {
      solve(seat, reads, writes);
    };
  };
  for (const bool implicit_first : {true, false}) {
    CAPTURE(implicit_first);
    for (const Deal& deal : deals(3)) {
      look(run(xml(implicit_first),
               {{"M", of({"Came", "Answer"}, {"Iterated", "Sent"})},
                {"I", of({"Iterated"}, {"Answer"})},
                {"E", of({"Sent"}, {"Came"})}},
               deal));
    }
  }
}

} // namespace

TEST_CASE("an action changes initial data of each scheme of its participant, once" *
          on_ranks_for(3)) {
  check_all([](const Table& table) {
    for (int iteration = 1; iteration <= num_iterations; ++iteration) {
      check_scaled(table, fmt::format("Came at 0, {}", iteration), 0);
      check_scaled(table, fmt::format("Came at 1, {}", iteration), 11); // E does not iterate
    }
    check_scaled(table, "Came at 2, 1", 21);
  });
}

TEST_CASE("an action changes what is sent beside a window that is repeated, in each repetition" *
          on_ranks_for(3)) {
  check_all([](const Table& table) {
    check_scaled(table, "Sent at 1, 1", 10 + num_iterations);
    check_scaled(table, "Sent at 2, 1", 20 + num_iterations);
  });
}
