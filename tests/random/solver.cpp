// SPDX-License-Identifier: BSD-3-Clause
#include "solver.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <map>
#include <stdexcept>

namespace random_runs {

namespace {

class Solver {
 public:
  Solver(const Participant& plan, const std::string& configuration, const isthmus::Launch& launch,
         std::vector<double>& numbers)
      : plan_(plan),
        rank_(static_cast<std::size_t>(launch.rank)),
        library_(plan.name, configuration, launch),
        numbers_(numbers),
        latest_(plan.reads.size()) {}

  void run() {
    for (const Mesh& mesh : plan_.meshes) {
      define(mesh);
    }
    if (library_.requires_initial_data()) {
      write(0, true);
    }
    library_.initialize();
    double time = 0;
    double saved = 0;
    std::size_t step = 0;
    int windows = 0;
    while (library_.is_coupling_ongoing() &&
           (plan_.most_windows == 0 || windows < plan_.most_windows)) {
      const bool save = library_.requires_writing_checkpoint();
      saved = save ? time : saved;
      const double most = library_.max_time_step_size();
      const double dt = std::min(most, plan_.steps[step % plan_.steps.size()]);
      put({1, most, dt, save ? 1.0 : 0.0});
      read_all(dt, most);
      write(time + dt, false);
      if (plan_.refused) {
        call_wrongly(most);
      }
      library_.advance(dt);
      const bool complete = library_.is_time_window_complete();
      const bool restore = library_.requires_reading_checkpoint();
      put({2, complete ? 1.0 : 0.0, restore ? 1.0 : 0.0,
           library_.is_coupling_ongoing() ? 1.0 : 0.0});
      windows += complete ? 1 : 0;
      time = restore ? saved : time + dt;
      if (plan_.by_window) {
        step += complete ? 1 : 0;
      } else {
        step = complete || restore ? 0 : step + 1;
      }
    }
    put({3});
    for (std::size_t i = 0; i < plan_.reads.size(); ++i) {
      read(i, 0);
    }
    library_.finalize();
  }

 private:
  template <typename Call>
  static void expect_refusal(const Call& call) {
    try {
      call();
    } catch (const isthmus::Error&) {
      return;
    }
    throw std::runtime_error("a call that should have been refused was not");
  }

  /// What is refused must leave no trace. `most`: the largest step.
  void call_wrongly(double most) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    for (const double dt : {0.0, -most, none, 1.5 * most}) {
      expect_refusal([&] { library_.advance(dt); });
    }
    for (const Read& read : plan_.reads) {
      std::vector<double> value(static_cast<std::size_t>(read.components), 0.0);
      const int beyond = static_cast<int>(ids_[read.mesh].size());
      const std::array wrong{beyond};
      expect_refusal([&] { library_.read_data(read.mesh, read.data, wrong, 0, value); });
      expect_refusal([&] { library_.read_data(read.mesh, read.data, {}, 2 * most, {}); });
    }
    for (const Write& write : plan_.writes) {
      const std::vector<isthmus::VertexId>& ids = ids_[write.mesh];
      std::vector<double> values(ids.size() * static_cast<std::size_t>(write.components), 7e7);
      if (!values.empty()) {
        values.back() = none;
        expect_refusal([&] { library_.write_data(write.mesh, write.data, ids, values); });
      }
    }
  }

  void put(const std::vector<double>& values) {
    numbers_.insert(numbers_.end(), values.begin(), values.end());
  }

  void define(const Mesh& mesh) {
    const Piece& piece = mesh.pieces[rank_];
    std::vector<isthmus::VertexId>& ids = ids_[mesh.name];
    ids.resize(piece.coordinates.size() / static_cast<std::size_t>(mesh.dimensions));
    places_[mesh.name] = {mesh.dimensions, &piece.coordinates};
    library_.set_mesh_vertices(mesh.name, piece.coordinates, ids);
    std::vector<isthmus::VertexId> corners;
    for (const int position : piece.elements) {
      corners.push_back(ids[static_cast<std::size_t>(position)]);
    }
    if (mesh.corners == 2) {
      library_.set_mesh_edges(mesh.name, corners);
    } else if (mesh.corners == 3) {
      library_.set_mesh_triangles(mesh.name, corners);
    } else if (mesh.corners == 4) {
      library_.set_mesh_tetrahedra(mesh.name, corners);
    }
  }

  void read(std::size_t which, double time) {
    const Read& read = plan_.reads[which];
    const auto& ids = ids_[read.mesh];
    latest_[which].resize(ids.size() * static_cast<std::size_t>(read.components));
    library_.read_data(read.mesh, read.data, ids, time, latest_[which]);
    put(latest_[which]);
  }

  void read_all(double dt, double most) {
    for (std::size_t i = 0; i < plan_.reads.size(); ++i) {
      for (const double fraction : plan_.reads[i].fractions) {
        read(i, fraction * most);
      }
      read(i, dt); // last: what the answer is made of
    }
  }

  void write(double time, bool initial) {
    for (const Write& write : plan_.writes) {
      if (initial && !write.initial) {
        continue;
      }
      const auto& [dimensions, coordinates] = places_[write.mesh];
      const auto& ids = ids_[write.mesh];
      const std::vector<int>& positions = write.written[rank_];
      if (positions.empty()) {
        continue;
      }
      const auto width = static_cast<std::size_t>(write.components);
      const auto dim = static_cast<std::size_t>(dimensions);
      std::vector<isthmus::VertexId> chosen;
      std::vector<double> values;
      std::vector<double> gradients;
      for (const int position : positions) {
        const auto v = static_cast<std::size_t>(position);
        chosen.push_back(ids[v]);
        for (std::size_t c = 0; c < width; ++c) {
          const double* const k = write.factors.data() + c * (dim + 3);
          double value = k[0] + k[dim + 1] * time + k[dim + 2] * time * time;
          for (std::size_t axis = 0; axis < dim; ++axis) {
            value += k[1 + axis] * (*coordinates)[v * dim + axis];
            gradients.push_back(k[1 + axis]);
          }
          values.push_back(value + (initial ? 0.0 : feedback(write, v, c)));
        }
      }
      library_.write_data(write.mesh, write.data, chosen, values);
      if (write.gradients) {
        library_.write_gradient_data(write.mesh, write.data, chosen, gradients);
      }
    }
  }

  [[nodiscard]] double feedback(const Write& write, std::size_t vertex,
                                std::size_t component) const {
    if (write.feedback < 0) {
      return 0;
    }
    const auto which = static_cast<std::size_t>(write.feedback);
    const auto width = static_cast<std::size_t>(plan_.reads[which].components);
    return write.gain * latest_[which][vertex * width + component % width];
  }

  const Participant& plan_;
  std::size_t rank_;
  isthmus::Participant library_;
  std::vector<double>& numbers_;
  std::map<std::string, std::vector<isthmus::VertexId>> ids_;
  std::map<std::string, std::pair<int, const std::vector<double>*>> places_;
  std::vector<std::vector<double>> latest_; // by read
};

} // namespace

Report solve(const Participant& participant, const std::string& configuration,
             const isthmus::Launch& launch) {
  Report report;
  try {
    Solver(participant, configuration, launch, report.numbers).run();
  } catch (const std::exception& error) {
    report.error = error.what();
  }
  return report;
}

} // namespace random_runs
