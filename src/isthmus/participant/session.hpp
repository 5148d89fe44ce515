// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/log.hpp"
#include "isthmus/base/trace.hpp"
#include "isthmus/comm/comm.hpp"
#include "isthmus/comm/mpi_end.hpp"
#include "isthmus/comm/roll_call.hpp"
#include "isthmus/config/config.hpp"
#include "isthmus/connect/announce.hpp"
#include "isthmus/connect/endpoint.hpp"
#include "isthmus/coupling/coupling.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/mesh/mesh.hpp"
#include "isthmus/outputs/outputs.hpp"
#include "isthmus/outputs/profile.hpp"
#include "isthmus/outputs/restart_files.hpp"
#include "isthmus/participant/actions.hpp"
#include "isthmus/participant/call_names.hpp"
#include "isthmus/participant/factory.hpp"
#include "isthmus/participant/participant.hpp"
#include "isthmus/transport/hub.hpp"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace isthmus::participant {

/// The state behind a Participant: checks every call, owns everything, steers the coupling.
class Session {
 public:
  /// `met` becomes true when the ranks have agreed on something.
  Session(std::string_view name, std::string_view configuration_file, const Launch& launch,
          bool& met);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void initialize();
  void advance(double dt);
  void finalize();

  [[nodiscard]] bool is_coupling_ongoing() const;
  [[nodiscard]] bool is_time_window_complete() const;
  [[nodiscard]] double max_time_step_size() const;
  void save_restart();
  [[nodiscard]] const fields::RestartPoint& restarted_from() const { return restarted_from_; }
  [[nodiscard]] bool requires_initial_data();
  [[nodiscard]] bool requires_writing_checkpoint();
  [[nodiscard]] bool requires_reading_checkpoint();

  [[nodiscard]] int mesh_dimensions(std::string_view mesh) const;
  [[nodiscard]] int data_dimensions(std::string_view mesh, std::string_view data) const;
  [[nodiscard]] bool requires_connectivity(std::string_view mesh) const;
  [[nodiscard]] int mesh_vertex_size(std::string_view mesh) const;
  VertexId set_vertex(std::string_view mesh, std::span<const double> position);
  void set_vertices(std::string_view mesh, std::span<const double> positions,
                    std::span<VertexId> ids);
  /// Adds elements unless nobody needs them.
  using AddElements = void (mesh::Mesh::*)(std::span<const LocalIndex>);
  void set_elements(Call call, std::string_view mesh, std::span<const VertexId> ids,
                    AddElements add);
  void reset_mesh(std::string_view mesh); // session_reset.cpp

  void write(std::string_view mesh, std::string_view data, std::span<const VertexId> ids,
             std::span<const double> values);
  void write_gradients(std::string_view mesh, std::string_view data, std::span<const VertexId> ids,
                       std::span<const double> gradients);
  void read(std::string_view mesh, std::string_view data, std::span<const VertexId> ids,
            double relative_time, std::span<double> values) const;

  // direct access to received meshes, just-in-time mapping: session_access.cpp
  void set_access_region(std::string_view mesh, std::span<const double> bounding_box);
  void accessed_vertices(std::string_view mesh, std::span<VertexId> ids,
                         std::span<double> positions) const;
  void map_and_read(std::string_view mesh, std::string_view data, std::span<const double> positions,
                    double relative_time, std::span<double> values) const;
  void write_and_map(std::string_view mesh, std::string_view data,
                     std::span<const double> positions, std::span<const double> values);

  [[nodiscard]] bool requires_gradient(std::string_view mesh, std::string_view data) const;

  void start_section(std::string_view name);
  void stop_section();
  [[nodiscard]] Statistics statistics() const;

  /// What went wrong in a call of the solver, to be told if it does not go on.
  void note_failure(std::string_view what) { last_failure_ = what; }
  /// Ends the coupling because the solver says so.
  void leave(const std::string& reason);

 private:
  enum class State { defining, running, finalized, failed };
  struct ProvidedMesh {
    mesh::Mesh mesh;
    bool connectivity = false; // is needed by some mapping
    bool is_reset = false;     // since the last advance()
  };

  void load(const std::string& configuration_file, const Launch& launch, bool& met);
  void prepare();
  void announce(int last_rank = 0);
  void announce_failure() noexcept;
  void watch_partners(double progress_timeout_s);
  void start_coupling();
  void write_restart_file();
  void load_restart_file(fields::Snapshot& snapshot);
  [[nodiscard]] planning::OwnMeshes own_meshes() const;
  void check_not_failed(const char* call) const;
  void check_initialized(const char* call) const;
  void check_no_open_sections(const char* call) const;
  void check_step(double dt) const;
  void check_checkpoints() const;
  void warn_never_written();
  [[nodiscard]] bool provides_initial_data() const;
  void report_progress();
  /// Runs `work`; if it fails, tells everybody why this rank gives up, then throws on.
  template <typename Work>
  void steer(Work&& work);
  /// Notifies partners and the other ranks of this participant; `from_alarm`: one of those did so.
  void give_up(const std::string& cause, bool from_alarm = false) noexcept;
  void notify_partners(const std::string& cause, std::string_view text) noexcept;
  void end_early();
  void end() noexcept;

  [[nodiscard]] const config::Mesh& known_mesh(const char* call, std::string_view mesh) const;
  /// Data of a mesh that the participant provides or receives, whether it uses them or not.
  [[nodiscard]] const fields::Field& known_field(const char* call, std::string_view mesh,
                                                 std::string_view data) const;
  [[nodiscard]] const ProvidedMesh& provided(const char* call, std::string_view mesh) const;
  /// Of a provided mesh, or of a received one in the region that the solver has access to.
  [[nodiscard]] LocalIndex num_vertices(const char* call, std::string_view mesh) const;
  [[nodiscard]] const config::ReceiveMesh& accessible(const char* call,
                                                      std::string_view mesh) const;
  [[nodiscard]] const mapping::Mapping& just_in_time(const char* call, const config::Mesh& mesh,
                                                     config::Direction direction) const;
  void check_positions(const char* call, const config::Mesh& mesh, const fields::Field& field,
                       std::span<const double> positions, std::size_t num_values) const;
  /// Where the solver sets no region of a mesh that is mapped, a single rank has access to all of
  /// it, several have to none.
  void complete_regions();
  void check_reading(const char* call, double relative_time) const;
  [[nodiscard]] ProvidedMesh& open_mesh(const char* call, std::string_view mesh);
  [[nodiscard]] fields::Field& field(const char* call, std::string_view mesh, std::string_view data,
                                     const std::vector<config::UseData>& uses,
                                     const char* tag) const;
  [[nodiscard]] bool is_open(std::string_view mesh) const;
  [[nodiscard]] bool join_resets(double dt);
  void check_resets(bool all_end, double dt) const;
  void check_other_ranks();
  void show_new_meshes();
  void close_meshes();
  void check_ids(const char* call, LocalIndex count, const fields::Field& field,
                 std::span<const VertexId> ids) const;
  void check_values(const char* call, LocalIndex count, const fields::Field& field,
                    std::span<const VertexId> ids, std::size_t num_values) const;

  std::string name_;
  const CallNames& calls_;
  bool initialized_mpi_ = false;
  comm::Comm comm_;
  std::optional<comm::MpiEnd> mpi_end_;
  config::Configuration configuration_;
  const config::Participant* self_ = nullptr;
  Log log_;
  std::optional<NotingMappings> mappings_;
  mutable Trace trace_;
  outputs::Profile profile_;
  std::optional<comm::RollCall> leaving_;
  std::int64_t num_calls_ = 0;             // of initialize() and advance(), begun
  std::optional<partner::JointJob> joint_; // outlives the links in hub_
  transport::Hub hub_;
  std::optional<connect::Endpoint> endpoint_;
  std::vector<connect::AnnouncementFile> announcements_;
  std::map<std::string, ProvidedMesh, std::less<>> meshes_;
  std::optional<fields::FieldSet> fields_;
  planning::Regions regions_;
  using JustInTime =
      std::map<std::pair<std::string, config::Direction>, std::unique_ptr<mapping::Mapping>>;
  mutable JustInTime just_in_time_; // made when first used
  std::optional<partner::Context> context_;
  std::optional<coupling::Coupling> coupling_;
  std::optional<Actions> actions_;
  std::optional<outputs::Outputs> outputs_;
  std::optional<outputs::RestartFiles> restart_files_;
  fields::RestartPoint restarted_from_;
  State state_ = State::defining;
  std::string last_failure_;
  bool owes_initial_data_ = false; // requires_initial_data() must be asked
  bool owes_writing_ = false;      // requires_writing_checkpoint() must be asked
  bool owes_reading_ = false;      // requires_reading_checkpoint() must be asked
  std::vector<std::string> sections_;
  double last_look_ = 0;
  double last_report_ = 0;
};

} // namespace isthmus::participant
