// SPDX-License-Identifier: BSD-3-Clause
#include "solver.hpp"

#include "exports.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <sstream>
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
      define(mesh, mesh.pieces[rank_]);
    }
    if (library_.requires_initial_data()) {
      write(0, true);
    }
    library_.initialize();
    for (const Mesh& mesh : plan_.meshes) {
      if (mesh.access == Access::direct) {
        find_vertices(mesh);
      }
    }
    double time = 0;
    double saved = 0;
    std::size_t step = 0;
    int windows = 0;
    while (library_.is_coupling_ongoing() &&
           (plan_.most_windows == 0 || windows < plan_.most_windows)) {
      const bool save = library_.requires_writing_checkpoint();
      saved = save ? time : saved;
      const double most = library_.max_time_step_size();
      const bool was_reset = reset_meshes(windows);
      const double dt = was_reset ? most : std::min(most, plan_.steps[step % plan_.steps.size()]);
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
      steps_.push_back({complete, restore});
      new_meshes_.clear();
      if (complete) {
        reset_meshes_.clear();
      }
      see_resets(windows, restore);
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
    for (const std::string& file : rank_ == 0 ? plan_.watches : std::vector<std::string>{}) {
      put_table(file);
    }
    put_exports(plan_, static_cast<int>(rank_), steps_, numbers_);
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
      const Mesh& mesh = *meshes_[read.mesh];
      const std::string& name = name_of(mesh);
      std::vector<double> value(static_cast<std::size_t>(read.components), 0.0);
      if (new_meshes_.count(read.mesh) > 0) {
        continue;
      }
      const std::array wrong{library_.mesh_vertex_size(name)};
      expect_refusal([&] { library_.read_data(name, read.data, wrong, 0, value); });
      expect_refusal([&] { library_.read_data(name, read.data, {}, 2 * most, {}); });
    }
    for (const Write& write : plan_.writes) {
      const Mesh& mesh = *meshes_[write.mesh];
      const std::vector<isthmus::VertexId>& ids = ids_[write.mesh];
      std::vector<double> values(ids.size() * static_cast<std::size_t>(write.components), 7e7);
      if (values.empty()) {
        continue;
      }
      values.back() = none;
      if (mesh.access == Access::just_in_time) {
        const std::vector<double>& places = mesh.pieces[rank_].coordinates;
        expect_refusal(
            [&] { library_.write_and_map_data(mesh.received, write.data, places, values); });
      } else {
        expect_refusal([&] { library_.write_data(name_of(mesh), write.data, ids, values); });
      }
    }
  }

  void put(const std::vector<double>& values) {
    numbers_.insert(numbers_.end(), values.begin(), values.end());
  }

  void put_table(const std::string& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    std::istringstream names(line);
    const auto columns = std::distance(std::istream_iterator<std::string>(names), {});
    const std::vector<double> values(std::istream_iterator<double>(in), {});
    if (columns == 0 || !in.eof()) {
      throw std::runtime_error(file + " is no table");
    }
    put({double(values.size()) / double(columns), double(columns)});
    put(values);
  }

  /// Where the number of complete windows says so, and not before. True: the next step has to end
  /// the window.
  bool reset_meshes(int windows) {
    for (const Mesh& mesh : plan_.meshes) {
      if (mesh.access != Access::none || !is_another(mesh, windows)) {
        continue;
      }
      const Reset& reset = mesh.resets[versions_[mesh.name]++];
      new_meshes_.insert(mesh.name);
      reset_meshes_.insert(mesh.name);
      if (reset.calls[rank_] != 0) {
        library_.reset_mesh(mesh.name);
        define(mesh, reset.pieces[rank_]);
      }
    }
    return !new_meshes_.empty();
  }

  /// Of partners, to whose meshes this one has access.
  void see_resets(int windows, bool repeats) {
    for (const Mesh& mesh : plan_.meshes) {
      const int known = windows + (repeats && mesh.hears_within ? 1 : 0);
      if (mesh.access == Access::none || !is_another(mesh, known)) {
        continue;
      }
      ++versions_[mesh.name];
      ids_[mesh.name].resize(piece_of(mesh).coordinates.size() /
                             static_cast<std::size_t>(mesh.dimensions));
      if (mesh.access == Access::direct) {
        find_vertices(mesh);
      }
    }
  }

  [[nodiscard]] bool is_another(const Mesh& mesh, int windows) {
    const std::size_t version = versions_[mesh.name];
    return version < mesh.resets.size() && mesh.resets[version].windows == windows;
  }

  [[nodiscard]] const Piece& piece_of(const Mesh& mesh) {
    const std::size_t version = versions_[mesh.name];
    return version == 0 ? mesh.pieces[rank_] : mesh.resets[version - 1].pieces[rank_];
  }

  void define(const Mesh& mesh, const Piece& piece) {
    meshes_[mesh.name] = &mesh;
    std::vector<isthmus::VertexId>& ids = ids_[mesh.name];
    ids.resize(piece.coordinates.size() / static_cast<std::size_t>(mesh.dimensions));
    if (mesh.access != Access::none) {
      library_.set_mesh_access_region(mesh.received, piece.region);
      return;
    }
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

  /// The ids of the vertices of a received mesh that are used here.
  void find_vertices(const Mesh& mesh) {
    const auto size = static_cast<std::size_t>(library_.mesh_vertex_size(mesh.received));
    const auto dim = static_cast<std::size_t>(mesh.dimensions);
    std::vector<isthmus::VertexId> all(size);
    std::vector<double> places(size * dim);
    library_.mesh_vertex_ids_and_coordinates(mesh.received, all, places);
    std::map<std::vector<double>, isthmus::VertexId> at;
    for (std::size_t v = 0; v < size; ++v) {
      const auto from = places.begin() + static_cast<std::ptrdiff_t>(v * dim);
      at[{from, from + mesh.dimensions}] = all[v];
    }
    const std::vector<double>& wanted = piece_of(mesh).coordinates;
    std::vector<isthmus::VertexId>& ids = ids_[mesh.name];
    for (std::size_t v = 0; v < ids.size(); ++v) {
      const auto from = wanted.begin() + static_cast<std::ptrdiff_t>(v * dim);
      const auto found = at.find({from, from + mesh.dimensions});
      if (found == at.end()) {
        throw std::runtime_error("a vertex in the region of " + mesh.received + " is missing");
      }
      ids[v] = found->second;
    }
  }

  [[nodiscard]] const std::string& name_of(const Mesh& mesh) const {
    return mesh.access == Access::none ? mesh.name : mesh.received;
  }

  void read(std::size_t which, double time) {
    const Read& read = plan_.reads[which];
    const Mesh& mesh = *meshes_[read.mesh];
    const auto& ids = ids_[read.mesh];
    latest_[which].resize(ids.size() * static_cast<std::size_t>(read.components));
    if (mesh.access == Access::just_in_time) {
      library_.map_and_read_data(mesh.received, read.data, piece_of(mesh).coordinates, time,
                                 latest_[which]);
    } else {
      library_.read_data(name_of(mesh), read.data, ids, time, latest_[which]);
    }
    put(latest_[which]);
  }

  void read_all(double dt, double most) {
    for (std::size_t i = 0; i < plan_.reads.size(); ++i) {
      const auto& awaited = plan_.reads[i].comes_within ? new_meshes_ : reset_meshes_;
      if (awaited.count(plan_.reads[i].mesh) > 0) { // nothing has come for its vertices
        latest_[i].clear();
        continue;
      }
      for (const double fraction : plan_.reads[i].fractions) {
        read(i, fraction * most);
      }
      read(i, dt); // last: what the answer is made of
    }
  }

  void write(double time, bool initial) {
    for (const Write& write : plan_.writes) {
      const Mesh& mesh = *meshes_[write.mesh];
      const bool is_silent = write.written[versions_[mesh.name]][rank_].empty();
      if ((initial && !write.initial) || is_silent) {
        continue;
      }
      const Answer answer = answer_of(write, mesh, time, initial);
      if (mesh.access == Access::just_in_time) {
        library_.write_and_map_data(mesh.received, write.data, answer.places, answer.values);
        continue;
      }
      library_.write_data(name_of(mesh), write.data, answer.ids, answer.values);
      if (write.gradients) {
        library_.write_gradient_data(mesh.name, write.data, answer.ids, answer.gradients);
      }
    }
  }

  struct Answer {
    std::vector<isthmus::VertexId> ids;
    std::vector<double> places;
    std::vector<double> values;
    std::vector<double> gradients;
  };

  [[nodiscard]] Answer answer_of(const Write& write, const Mesh& mesh, double time, bool initial) {
    const auto width = static_cast<std::size_t>(write.components);
    const auto dim = static_cast<std::size_t>(mesh.dimensions);
    const std::vector<double>& coordinates = piece_of(mesh).coordinates;
    Answer answer;
    for (const int position : write.written[versions_[mesh.name]][rank_]) {
      const auto v = static_cast<std::size_t>(position);
      answer.ids.push_back(ids_[write.mesh][v]);
      const double* const place = coordinates.data() + v * dim;
      answer.places.insert(answer.places.end(), place, place + dim);
      for (std::size_t c = 0; c < width; ++c) {
        const double* const k = write.factors.data() + c * (dim + 3);
        double value = k[0] + k[dim + 1] * time + k[dim + 2] * time * time;
        for (std::size_t axis = 0; axis < dim; ++axis) {
          value += k[1 + axis] * place[axis];
          answer.gradients.push_back(k[1 + axis]);
        }
        answer.values.push_back(value + (initial ? 0.0 : feedback(write, v, c)));
      }
    }
    return answer;
  }

  [[nodiscard]] double feedback(const Write& write, std::size_t vertex,
                                std::size_t component) const {
    if (write.feedback < 0 || latest_[static_cast<std::size_t>(write.feedback)].empty()) {
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
  std::map<std::string, const Mesh*> meshes_;
  std::map<std::string, std::size_t> versions_; // how often they were reset
  std::set<std::string> new_meshes_;            // in this step
  std::set<std::string> reset_meshes_;          // in this window
  std::vector<std::vector<double>> latest_;     // by read
  std::vector<StepEnd> steps_;
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
