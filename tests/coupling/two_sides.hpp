// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/connect/announce.hpp"
#include "isthmus/connect/endpoint.hpp"
#include "isthmus/connect/network_settings.hpp"
#include "isthmus/coupling/coupling.hpp"
#include "isthmus/coupling/schemes/settings.hpp"
#include "iteration/one_mesh.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace isthmus::coupling {

/// Two windows: "B" leads and provides "B-Mesh", on which "A" writes "x" and reads "y".
[[nodiscard]] inline config::Configuration make_two_sides() {
  config::Configuration configuration = iteration::make_configuration();
  configuration.schemes.front().max_time_windows = 2;
  return configuration;
}

/// What a session would hold to reach the partner of a participant with one rank.
class Network {
 public:
  explicit Network(const std::string& name)
      : identity_{name, 0, 1, "digest"}, endpoint_(identity_, settings_) {
    announcements_.push_back(
        connect::announce(".", {name, endpoint_.address(), token_, {name == "A" ? "B" : "A"}}));
  }
  [[nodiscard]] partner::Context& context() { return context_; }
  /// Leaves when the partner does.
  void leave() {
    hub_.close(settings_.progress_timeout_s);
    hub_.await_goodbyes(settings_.progress_timeout_s);
  }

 private:
  comm::Comm comm_{MPI_COMM_SELF};
  connect::RankIdentity identity_;
  connect::NetworkSettings settings_ = connect::with_environment({});
  Token token_ = make_token();
  transport::Hub hub_{comm::SpinPolicy::for_processes(2)};
  connect::Endpoint endpoint_;
  std::vector<connect::AnnouncementFile> announcements_;
  Log log_;
  Trace trace_{Detail::nothing};
  partner::Context context_{comm_,
                            hub_,
                            identity_,
                            token_,
                            &endpoint_,
                            &announcements_,
                            nullptr,
                            log_,
                            trace_,
                            settings_.timeout_s,
                            settings_.progress_timeout_s};
};

/// Keeps which hooks were called, in order.
class RecordedHooks : public Hooks {
 public:
  [[nodiscard]] const std::vector<std::string>& called() const { return called_; }
  /// To be called where what was written is mapped.
  void set_written(std::function<void()> written) { written_ = std::move(written); }

 private:
  void written() override {
    called_.emplace_back("written");
    if (written_) {
      written_();
    }
  }
  void received() override { called_.emplace_back("received"); }
  void replaced(double /*start*/, bool /*repeated*/) override {}
  void mapped_again(const fields::Field& /*target*/) override {}

  std::vector<std::string> called_;
  std::function<void()> written_;
};

/// One participant with one rank and what a session would hold for its coupling.
class Side {
 public:
  Side(const config::Configuration& configuration, const std::string& name,
       std::vector<double> positions)
      : network_(name),
        mesh_("B-Mesh", 2),
        fields_(config::declared_fields(configuration, *configuration.find_participant(name))),
        coupling_(network_.context(), settings_of(configuration),
                  *configuration.find_participant(name), fields_, hooks_) {
    if (name == "B") {
      mesh_.add_vertices(positions);
    } else {
      regions_["B-Mesh"] = geometry::Box::all_of_space();
    }
  }

  void initialize(std::unique_ptr<acceleration::Accelerator> accelerator = nullptr,
                  const std::optional<Snapshot>& from = {}) {
    mesh::OwnMeshes meshes;
    meshes.add(mesh_);
    coupling_.connect();
    const auto earlier = coupling_.plan(
        {meshes, nullptr, regions_}, from ? std::optional(std::vector{from->point}) : std::nullopt);
    CHECK(earlier.has_value() == from.has_value());
    coupling_.start(std::move(accelerator), from);
  }
  /// Writes data for all vertices and makes a step as long as possible.
  void step(const std::string& data, const std::vector<double>& values) {
    std::vector<LocalIndex> ids(values.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      ids[i] = static_cast<LocalIndex>(i);
    }
    fields_.of_solver("B-Mesh", data).write(ids, values);
    coupling_.advance(coupling_.schedule().step_limit());
  }
  /// What the solver reads for the end of its next step.
  [[nodiscard]] std::vector<double> read(const std::string& data) const {
    const time::Waveform& wave = fields_.of_solver("B-Mesh", data).wave();
    std::vector<double> values(wave.size());
    wave.evaluate(coupling_.schedule().time() + coupling_.schedule().step_limit(), {}, 1, values);
    return values;
  }
  /// What the solver writes or reads.
  [[nodiscard]] const fields::Field& field(const std::string& data) const {
    return fields_.of_solver("B-Mesh", data);
  }
  void replace(const std::vector<double>& positions) {
    coupling_.reset(mesh_);
    mesh_.clear();
    mesh_.add_vertices(positions);
    for (fields::Field* field : fields_.on("B-Mesh")) {
      field->fit(mesh_.num_vertices());
    }
  }
  void leave() { network_.leave(); }
  [[nodiscard]] RecordedHooks& hooks() { return hooks_; }
  [[nodiscard]] Coupling& coupling() { return coupling_; }
  [[nodiscard]] fields::FieldSet& fields() { return fields_; }
  [[nodiscard]] const mesh::Mesh& mesh() const { return mesh_; }

 private:
  Network network_;
  mesh::Mesh mesh_;
  planning::Regions regions_;
  RecordedHooks hooks_;
  fields::FieldSet fields_;
  Coupling coupling_;
};

/// Runs "A" and "B" in threads of their own; what fails is an error here.
inline void run(const config::Configuration& configuration, const std::vector<double>& positions,
                const std::function<void(Side&)>& a, const std::function<void(Side&)>& b) {
  std::string errors[2];
  const auto play = [&](int i, const char* name, const std::function<void(Side&)>& part) {
    try {
      Side side(configuration, name, positions);
      part(side);
      side.leave();
    } catch (const std::exception& error) {
      errors[i] = error.what();
    }
  };
  std::thread other(play, 0, "A", a);
  play(1, "B", b);
  other.join();
  CHECK(errors[0].empty());
  CHECK(errors[1].empty());
  CHECK(errors[0] == errors[1]); // says what they were
}

} // namespace isthmus::coupling
