// SPDX-License-Identifier: BSD-3-Clause
// Actions of a participant with two schemes: M iterates with I and exchanges once in a window with
// E.
#include "participant/setup/couple.hpp"
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

std::string partner(const std::string& name, const std::string& reads, const std::string& writes) {
  return fmt::format(
      R"(<participant name="{0}"><provide-mesh name="M{0}" /><receive-mesh name="MM" from="M" />
<read-data name="{1}" mesh="M{0}" /><write-data name="{2}" mesh="M{0}" />
<mapping:nearest-neighbor direction="read" from="MM" to="M{0}" constraint="consistent" />
</participant><m2n:sockets acceptor="M" connector="{0}" exchange-directory="{{directory}}" />)",
      name, reads, writes);
}

std::string scheme(const std::string& kind, const std::string& other, const std::string& to,
                   const std::string& from, const std::string& more) {
  return fmt::format(
      R"(<coupling-scheme:{0}><participants first="M" second="{1}" />
<max-time-windows value="2" /><time-window-size value="1" />
<exchange data="{2}" mesh="MM" from="M" to="{1}" />
<exchange data="{3}" mesh="M{1}" from="{1}" to="M" initialize="true" />{4}</coupling-scheme:{0}>)",
      kind, other, to, from, more);
}

std::string xml(bool implicit_first) {
  const std::string on_i = R"(<use-data name="Iterated" /><use-data name="Answer" />)";
  const std::string on_e = R"(<use-data name="Sent" /><use-data name="Came" />)";
  const std::string implicit =
      scheme("parallel-implicit", "I", "Iterated", "Answer",
             fmt::format("<max-iterations value=\"{}\" />", num_iterations));
  const std::string beside = scheme("parallel-explicit", "E", "Sent", "Came", "");
  return fmt::format(
             R"(<precice-configuration><log enabled="false" /><data:scalar name="Iterated" />
<data:scalar name="Answer" /><data:scalar name="Sent" /><data:scalar name="Came" />
<mesh name="MM" dimensions="2">{0}{1}</mesh><mesh name="MI" dimensions="2">{0}</mesh>
<mesh name="ME" dimensions="2">{1}</mesh>)",
             on_i, on_e) +
         R"(<participant name="M"><provide-mesh name="MM" /><receive-mesh name="MI" from="I" />
<receive-mesh name="ME" from="E" /><write-data name="Iterated" mesh="MM" />
<write-data name="Sent" mesh="MM" /><read-data name="Answer" mesh="MM" />
<read-data name="Came" mesh="MM" />
<mapping:nearest-neighbor direction="read" from="MI" to="MM" constraint="consistent" />
<mapping:nearest-neighbor direction="read" from="ME" to="MM" constraint="consistent" />
<action:multiply-by-area timing="write-mapping-post" mesh="MM"><target-data name="Sent" />
</action:multiply-by-area>
<action:multiply-by-area timing="read-mapping-post" mesh="MM"><target-data name="Came" />
</action:multiply-by-area></participant>)" +
         partner("I", "Iterated", "Answer") + partner("E", "Sent", "Came") +
         (implicit_first ? implicit + beside : beside + implicit) + "</precice-configuration>";
}

struct Held {
  std::vector<int> pieces; // of this rank
  std::vector<isthmus::VertexId> ids;
};

Held define(const Seat& seat, isthmus::Participant& participant) {
  const std::string mesh = "M" + seat.participant;
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
  const std::string mesh = "M" + seat.participant;
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
