// SPDX-License-Identifier: BSD-3-Clause
#include "participant/setup/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace couple {

namespace {

constexpr int num_vertices = 5;

double factor(int vertex, int component) {
  return 1 + vertex + 0.25 * component;
}

/// One rank of one participant of a timeline.
class Solver {
 public:
  Solver(const Seat& seat, const Scenario& scenario, const Actor& actor)
      : seat_(seat), actor_(actor), participant_(seat.make()) {
    std::set<std::string> known;
    for (const Flow& flow : scenario.flows) {
      if (flow.from == actor.name && known.insert(flow.from_mesh() + flow.data).second) {
        out_.push_back(port(flow.from_mesh(), flow));
      } else if (flow.to == actor.name) {
        in_.push_back(port(flow.to_mesh(), flow));
      }
    }
    for (int vertex = seat.launch.rank; vertex < num_vertices; vertex += seat.launch.size) {
      vertices_.push_back(vertex);
    }
    define_meshes();
  }

  void run() {
    if (participant_.requires_initial_data()) {
      write(0);
    }
    participant_.initialize();
    std::vector<double> steps;
    double t = 0;
    double kept = 0;
    while (participant_.is_coupling_ongoing()) {
      kept = participant_.requires_writing_checkpoint() ? t : kept;
      const double limit = participant_.max_time_step_size();
      const double dt = actor_.step > 0 ? std::min(actor_.step, limit) : limit;
      for (const double relative_time : {0.0, 0.3 * dt, limit}) {
        read(t, relative_time < std::numeric_limits<double>::max() ? relative_time : 0);
      }
      write(t + dt);
      participant_.advance(dt);
      t = participant_.requires_reading_checkpoint() ? kept : t + dt;
      steps.insert(steps.end(), {dt, participant_.is_time_window_complete() ? 1.0 : 0.0});
    }
    read(t, 0);
    participant_.finalize();
    report(steps);
  }

 private:
  struct Port {
    std::string mesh;
    std::string data;
    int components;
    std::vector<std::vector<double>> seen; // by local vertex and component
  };

  static Port port(const std::string& mesh, const Flow& flow) {
    return {mesh, flow.data, flow.vector ? flow.meshes.dimensions : 1, {}};
  }

  void define_meshes() {
    std::set<std::string> meshes;
    for (const auto* ports : {&out_, &in_}) {
      for (const Port& port : *ports) {
        meshes.insert(port.mesh);
      }
    }
    ids_.resize(vertices_.size());
    for (const std::string& mesh : meshes) {
      const auto dim = static_cast<std::size_t>(participant_.mesh_dimensions(mesh));
      std::vector<double> positions(vertices_.size() * dim, 0.0);
      for (std::size_t i = 0; i < vertices_.size(); ++i) {
        positions[i * dim] = vertices_[i];
      }
      participant_.set_mesh_vertices(mesh, positions, ids_);
    }
  }

  void write(double t) {
    for (const Port& port : out_) {
      std::vector<double> values;
      for (const int vertex : vertices_) {
        for (int c = 0; c < port.components; ++c) {
          values.push_back(actor_.value(t) * factor(vertex, c));
        }
      }
      participant_.write_data(port.mesh, port.data, ids_, values);
    }
  }

  void read(double t, double relative_time) {
    for (Port& port : in_) {
      std::vector<double> values(vertices_.size() * static_cast<std::size_t>(port.components));
      participant_.read_data(port.mesh, port.data, ids_, relative_time, values);
      port.seen.resize(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        port.seen[i].insert(port.seen[i].end(), {t, relative_time, values[i]});
      }
    }
  }

  void report(const std::vector<double>& steps) const {
    for (const Port& port : in_) {
      for (std::size_t i = 0; i < port.seen.size(); ++i) {
        const auto width = static_cast<std::size_t>(port.components);
        const int vertex = vertices_[i / width];
        const int component = static_cast<int>(i % width);
        seat_.put(actor_.name + "/" + port.data, 10 * vertex + component, port.seen[i]);
      }
    }
    seat_.put(actor_.name + "/steps", seat_.launch.rank, steps);
  }

  const Seat& seat_;
  const Actor& actor_;
  isthmus::Participant participant_;
  std::vector<int> vertices_; // of this rank
  std::vector<isthmus::VertexId> ids_;
  std::vector<Port> out_;
  std::vector<Port> in_;
};

} // namespace

std::size_t Windows::index(double t) const {
  std::size_t i = 0;
  while (i + 1 < ends.size() && ends[i + 1] <= t + 1e-9) {
    ++i;
  }
  return i;
}

Expected Windows::held(Function value, double first) const {
  return [*this, value, first](double t, double) {
    const std::size_t i = index(t);
    return i == 0 ? first : value(ends[i]);
  };
}

Expected Windows::linear(Function value, double first) const {
  return [*this, value, first](double t, double relative_time) {
    const std::size_t i = index(t);
    const double a = i == 0 ? first : value(ends[i]);
    if (i + 1 == ends.size()) {
      return a;
    }
    const double s = (t + relative_time - ends[i]) / (ends[i + 1] - ends[i]);
    return (1 - s) * a + s * value(ends[i + 1]);
  };
}

Expected Windows::piecewise(Function value) const {
  return [*this, value](double t, double relative_time) {
    return linear(value, value(0))(t + relative_time, 0);
  };
}

Expected Windows::stepwise(Function value, double first) const {
  return [*this, value, first](double t, double relative_time) {
    const std::size_t i = index(t);
    const bool at_start = i + 1 == ends.size() || t + relative_time <= ends[i] + 1e-9;
    return at_start ? (i == 0 ? first : value(ends[i])) : value(ends[i + 1]);
  };
}

Table timeline(const Scenario& scenario, const std::vector<Actor>& actors, const Deal& deal) {
  std::vector<Role> roles;
  for (const Actor& actor : actors) {
    roles.push_back({actor.name, [&scenario, &actor](const Seat& seat) {
                       Solver(seat, scenario, actor).run();
                     }});
  }
  return run(scenario.xml(), roles, deal);
}

std::string mismatch(const Table& table, const std::string& series, const Expected& expected) {
  const auto found = table.find(series);
  if (found == table.end()) {
    return series + " is missing";
  }
  for (const auto& [entry, seen] : found->second) {
    for (std::size_t i = 0; i < seen.size(); i += 3) {
      const double all = expected(seen[i], seen[i + 1]) * factor(entry / 10, entry % 10);
      if (!(std::abs(seen[i + 2] - all) <= 1e-10 * (1 + std::abs(all)))) {
        return fmt::format("{} entry {} at t = {} + {}: {} instead of {}", series, entry, seen[i],
                           seen[i + 1], seen[i + 2], all);
      }
    }
  }
  return "";
}

} // namespace couple
