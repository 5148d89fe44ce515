// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// A coupled run as plain data: what the configuration language says, nothing of what is done with
/// it. Every struct knows the line it came from, for messages.
namespace isthmus::config {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Sink {
  std::string type = "stream"; // stream, file
  std::string output = "stdout";
  std::string format;
  std::string filter;
  bool enabled = true;
  int line = 0;
};

struct Log {
  bool enabled = true;
  std::vector<Sink> sinks;
  int line = 0;
};

struct Profiling {
  std::string mode = "fundamental"; // all, api, fundamental, off
  int flush_every = 50;
  std::string directory = ".";
  bool synchronize = false;
  int line = 0;
  bool one_file = false; // of all ranks, as the environment may want it
};

struct Data {
  std::string name;
  bool vector = false; // as many components as the mesh has dimensions, else one
  int waveform_degree = 1;
  std::array<double, 3> lower{-infinity, -infinity, -infinity};
  std::array<double, 3> upper{infinity, infinity, infinity};
  int line = 0;
};

struct Mesh {
  std::string name;
  int dimensions = 0;
  std::vector<std::string> data;
  int line = 0;

  [[nodiscard]] bool uses(const std::string& data_name) const;
};

enum class Initialization { rendezvous, two_level, one_level };

struct M2N {
  std::string kind; // sockets, mpi, mpi-multiple-ports
  std::string acceptor;
  std::string connector;
  std::string exchange_directory = ".";
  std::string network = "lo";
  int port = 0;
  bool enforce_gather_scatter = false;
  bool two_level = false;
  Initialization initialization = Initialization::rendezvous; // attribute of our own
  int line = 0;
};

struct ProvideMesh {
  std::string name;
  int line = 0;
};

enum class GeometricFilter { on_secondary_ranks, on_primary_rank, no_filter };

struct ReceiveMesh {
  std::string name;
  std::string from;
  double safety_factor = 0.5;
  GeometricFilter filter = GeometricFilter::on_secondary_ranks;
  bool api_access = false;
  int line = 0;
};

struct UseData { // <write-data> and <read-data>
  std::string name;
  std::string mesh;
  int line = 0;
};

enum class Direction { write, read };
enum class Constraint {
  conservative,
  consistent,
  scaled_consistent_surface,
  scaled_consistent_volume
};
enum class MappingKind {
  nearest_neighbor,
  nearest_projection,
  nearest_neighbor_gradient,
  linear_cell_interpolation,
  rbf_global_direct,
  rbf_global_iterative,
  rbf_pum_direct,
  rbf,
  coarse_graining,
  axial_geometric_multiscale,
  radial_geometric_multiscale,
  intersection, // not of preCICE, nor the next one
  automatic     // becomes another one when meshes are known
};

struct BasisFunction {
  std::string kind; // compact-polynomial-c6, gaussian, thin-plate-splines, …
  double support_radius = std::numeric_limits<double>::quiet_NaN();
  double shape_parameter = std::numeric_limits<double>::quiet_NaN();
  int line = 0;
};

struct Executor {
  std::string kind = "cpu"; // cpu, cuda, hip, sycl, openmp
  std::string gpu_device_id = "0";
  std::string execution_mode = "minimal-memory";
  int threads = 0;
  int line = 0;
};

struct Mapping {
  MappingKind kind = MappingKind::nearest_neighbor;
  Direction direction = Direction::read;
  Constraint constraint = Constraint::consistent;
  std::string from; // empty: just-in-time
  std::string to;

  [[nodiscard]] bool just_in_time() const { return from.empty() || to.empty(); }
  [[nodiscard]] bool radial_basis() const;
  [[nodiscard]] bool multiscale() const;

  // radial basis functions
  std::string polynomial = "separate";
  std::array<bool, 3> dead{false, false, false};
  double solver_rtol = 1e-9;
  int vertices_per_cluster = 50;
  double relative_overlap = 0.15;
  bool project_to_input = true;
  std::optional<BasisFunction> basis;
  Executor executor;
  // automatic
  bool gradients = false; // of the data are written
  // nearest projection
  bool projects_onto_candidates = false; // preCICE's choice of elements, not the closest place
  // linear cells
  bool closest_outside = false; // points outside go to the closest place, not to preCICE's choice
  // coarse graining
  double radius = 0;
  // geometric multiscale
  std::string multiscale_dimension;
  std::string multiscale_type;
  std::string multiscale_axis;
  double multiscale_radius = 0;
  std::string multiscale_profile = "uniform";
  std::string multiscale_cross_section = "circle";
  int line = 0;
};

struct Action {
  std::string kind;   // multiply-by-area, divide-by-area, summation, recorder, python
  std::string timing; // write-mapping-post, read-mapping-post
  std::string mesh;
  std::vector<std::string> source_data;
  std::string target_data;
  std::string path;
  std::string module;
  int line = 0;

  [[nodiscard]] bool needs_areas() const {
    return kind == "multiply-by-area" || kind == "divide-by-area";
  }
};

struct Export {
  std::string kind; // vtk, vtu, vtp, csv
  std::string directory = ".";
  int every_n_time_windows = 1;
  bool every_iteration = false;
  bool update_series = false;
  int line = 0;
};

struct WatchPoint {
  std::string name;
  std::string mesh;
  std::vector<double> coordinate;
  int line = 0;
};

struct WatchIntegral {
  std::string name;
  std::string mesh;
  bool scale_with_connectivity = false;
  int line = 0;
};

struct IntraComm {
  std::string kind; // sockets, mpi
  int port = 0;
  std::string network = "lo";
  std::string exchange_directory = ".";
  int line = 0;
};

struct Participant {
  std::string name;
  std::vector<ProvideMesh> provided;
  std::vector<ReceiveMesh> received;
  std::vector<UseData> written;
  std::vector<UseData> read;
  std::vector<Mapping> mappings;
  std::vector<Action> actions;
  std::vector<Export> exports;
  std::vector<WatchPoint> watch_points;
  std::vector<WatchIntegral> watch_integrals;
  std::optional<IntraComm> intra_comm;
  int line = 0;

  [[nodiscard]] bool writes(const std::string& data, const std::string& mesh) const;
  [[nodiscard]] bool reads(const std::string& data, const std::string& mesh) const;
  [[nodiscard]] bool provides(const std::string& mesh) const;
  [[nodiscard]] const ReceiveMesh* receives(const std::string& mesh) const; // null if it does not
};

struct Exchange {
  std::string data;
  std::string mesh;
  std::string from;
  std::string to;
  bool initialize = false;
  bool substeps = false; // default true in implicit schemes
  int line = 0;
};

enum class MeasureKind { absolute, relative, residual_relative, absolute_or_relative };

struct ConvergenceMeasure {
  MeasureKind kind = MeasureKind::relative;
  std::string data;
  std::string mesh;
  double limit = 0;     // the relative limit of absolute-or-relative
  double abs_limit = 0; // only absolute-or-relative
  bool suffices = false;
  bool strict = false;
  int line = 0;
};

struct AccelerationData {
  std::string name;
  std::string mesh;
  double scaling = 1;
  int line = 0;
};

struct Acceleration {
  std::string kind; // constant, aitken, IQN-ILS, IQN-IMVJ
  double relaxation = 0;
  bool enforce_initial_relaxation = false;
  int max_used_iterations = 0;
  int time_windows_reused = 0;
  std::vector<AccelerationData> data;
  std::string filter_type = "QR3";
  double filter_limit = 1e-2;
  std::string preconditioner_type = "residual-sum";
  bool preconditioner_given = false;
  bool update_on_threshold = true;
  int freeze_after = -1;
  bool reduced_time_grid = true;
  std::string on_bound_violation = "ignore";
  bool always_build_jacobian = false;
  std::string restart_mode = "RS-SVD";
  int restart_chunk_size = 8;
  int restart_reused_windows = 8;
  double restart_truncation = 1e-4;
  int line = 0;
};

enum class SchemeKind {
  serial_explicit,
  parallel_explicit,
  serial_implicit,
  parallel_implicit,
  multi
};

struct CouplingScheme {
  SchemeKind kind = SchemeKind::parallel_explicit;
  std::vector<std::string> participants; // first, second; or all of a multi scheme
  std::string controller;                // multi only; empty unless there is exactly one
  std::optional<double> max_time;
  std::optional<int> max_time_windows;
  double time_window_size = -1;
  bool first_participant_sets_window = false; // method="first-participant"
  std::vector<Exchange> exchanges;
  std::vector<ConvergenceMeasure> measures;
  int min_iterations = 1;
  std::optional<int> max_iterations;
  std::optional<Acceleration> acceleration;
  int line = 0;

  [[nodiscard]] bool implicit() const {
    return kind != SchemeKind::serial_explicit && kind != SchemeKind::parallel_explicit;
  }
  /// Of an implicit scheme: who decides about iterations.
  [[nodiscard]] const std::string& leader() const {
    return kind == SchemeKind::multi ? controller : participants[1];
  }
  [[nodiscard]] bool involves(const std::string& participant) const;
  /// Whether data goes from one to the other, or back.
  [[nodiscard]] bool joins(const std::string& one, const std::string& other) const;
};

struct Configuration {
  std::string file;
  std::string fingerprint;        // equal for files that mean the same
  std::string digest;             // a line "element fingerprint" per element, to tell what differs
  std::string case_digest;        // the same without connections and the end of the run
  std::vector<std::string> notes; // what is old or has no effect; to be told once
  bool experimental = false;
  bool allow_remeshing = false;
  bool wait_in_finalize = false;
  bool carries_iterations = false; // of the environment: to new vertices where meshes are reset
  Log log;
  Profiling profiling;
  std::vector<Data> data;
  std::vector<Mesh> meshes;
  std::vector<M2N> m2ns;
  std::vector<Participant> participants;
  std::vector<CouplingScheme> schemes;

  // null if there is none
  [[nodiscard]] const Data* find_data(const std::string& name) const;
  [[nodiscard]] const Mesh* find_mesh(const std::string& name) const;
  [[nodiscard]] const Participant* find_participant(const std::string& name) const;
  [[nodiscard]] const Participant* find_provider(const std::string& mesh) const;
  [[nodiscard]] const M2N* find_m2n(const std::string& one, const std::string& other) const;
};

} // namespace isthmus::config
