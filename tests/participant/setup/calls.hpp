// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"

#include <doctest/doctest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

/// What tests of wrong calls share.
namespace couple {

/// A serial scheme with initial data of B, vectors from A, lines on A-Mesh.
inline Scenario scenario() {
  Flow forth{"A", "B", "Velocity"};
  forth.vector = true;
  forth.mapping.kind = "nearest-projection";
  Flow back{"B", "A", "Pressure"};
  back.initialize = true;
  return {{{"A", "B", "serial-explicit", 1, 2}}, {forth, back}};
}

/// One rank of a solver, step by step.
struct Solver {
  explicit Solver(const Seat& seat)
      : name(seat.participant), mesh(name + "-Mesh"), participant(seat.make()) {}

  void define() {
    participant.set_mesh_vertices(mesh, std::array{0.0, 0.0, 1.0, 0.0, 2.0, 0.0}, ids);
  }
  void start() {
    define();
    static_cast<void>(participant.requires_initial_data());
    participant.initialize();
  }
  void finish() {
    while (participant.is_coupling_ongoing()) {
      participant.advance(participant.max_time_step_size());
    }
    participant.finalize();
  }

  std::string name;
  std::string mesh;
  isthmus::Participant participant;
  std::array<isthmus::VertexId, 3> ids{};
};

using SolverCall = std::function<void(Solver&)>;

struct Wrong {
  std::string name;
  SolverCall call;
  std::vector<std::string> words;
};

inline void check_words(const std::string& error, const std::vector<std::string>& words) {
  CAPTURE(error);
  CHECK(error != "");
  for (const std::string& word : words) {
    CAPTURE(word);
    CHECK(error.find(word) != std::string::npos);
  }
}

} // namespace couple
