// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/factory.hpp"

#include "isthmus/acceleration/make.hpp"
#include "isthmus/base/environment.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/base/parallel_for.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/config/names.hpp"
#include "isthmus/config/read/read.hpp"
#include "isthmus/config/validate/support.hpp"
#include "isthmus/config/validate/validate.hpp"
#include "isthmus/mapping/cloud.hpp"
#include "isthmus/mapping/multiscale.hpp"
#include "isthmus/outputs/profile/profile.hpp"
#include "isthmus/radial/clusters/partition_of_unity.hpp"
#include "isthmus/radial/clusters/survey.hpp"
#include "isthmus/radial/radial_basis.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace isthmus::participant {

namespace {

bool carries_iterations() {
  const char* const text = environment_variable("ISTHMUS_REMESH");
  if (text == nullptr) {
    return false;
  }
  const std::string_view choice(text);
  check(choice == "carry" || choice == "drop",
        "environment variable ISTHMUS_REMESH=\"{}\" is neither carry nor drop: what an "
        "acceleration has learnt on a mesh that is reset",
        text);
  return choice == "carry";
}

radial::RadialFunction radial_function_of(const config::BasisFunction& settings) {
  radial::RadialFunction function{settings.kind, 1};
  if (!std::isnan(settings.shape_parameter)) {
    function.parameter = settings.shape_parameter;
  } else if (function.kind == BasisKind::gaussian) {
    function.parameter = radial::RadialFunction::gaussian_shape(settings.support_radius);
  } else if (!std::isnan(settings.support_radius)) {
    function.parameter = settings.support_radius;
  }
  return function;
}

std::string place_of(const config::Mapping& settings) {
  return fmt::format("<mapping:{}> in line {}", config::name(settings.kind), settings.line);
}

int threads_of(const config::Executor& executor) {
  return executor.kind != config::ExecutorKind::openmp ? 0
         : executor.threads > 0                        ? executor.threads
                                                       : usual_thread_count();
}

radial::RadialBasisSettings radial_basis_of(const config::Mapping& settings) {
  const config::RadialBasis& radial = settings.radial_basis;
  const bool iterative = settings.kind == config::MappingKind::rbf_global_iterative;
  return {radial_function_of(*radial.function),
          radial.polynomial,
          radial.dead,
          place_of(settings),
          iterative && settings.constraint != config::Constraint::conservative,
          iterative ? radial.solver_rtol : 0.0,
          threads_of(radial.executor)};
}

mapping::MultiscaleSettings multiscale_of(const config::Mapping& settings) {
  using mapping::MultiscaleSettings;
  const config::Multiscale& multiscale = settings.multiscale;
  MultiscaleSettings result;
  if (settings.kind == config::MappingKind::radial_geometric_multiscale) {
    result.join = MultiscaleSettings::Join::radial;
  } else if (multiscale.dimension == config::MultiscaleDimension::d2_d3) {
    result.join = MultiscaleSettings::Join::axial_plane;
  }
  result.slit = multiscale.dimension == config::MultiscaleDimension::d1_d2;
  result.type = multiscale.type == config::MultiscaleType::spread
                    ? MultiscaleSettings::Type::spread
                    : MultiscaleSettings::Type::collect;
  result.axis = static_cast<int>(multiscale.axis);
  result.radius = multiscale.radius;
  result.profile = multiscale.profile == config::CrossSectionProfile::parabolic
                       ? MultiscaleSettings::Profile::parabolic
                       : MultiscaleSettings::Profile::uniform;
  result.section = multiscale.cross_section == config::CrossSection::square
                       ? MultiscaleSettings::Section::square
                       : MultiscaleSettings::Section::circle;
  result.place = place_of(settings);
  return result;
}

mapping::Outside outside_of(bool closest, bool sees_all) {
  if (closest) {
    return mapping::Outside::closest;
  }
  return sees_all ? mapping::Outside::numbered_candidates : mapping::Outside::candidates;
}

geometry::Ties ties_of(bool sees_all) {
  return sees_all ? geometry::Ties::by_number : geometry::Ties::by_place;
}

radial::PartitionSettings partition_of(const config::Mapping& settings, geometry::Ties ties) {
  const config::Clusters& clusters = settings.radial_basis.clusters;
  return {clusters.vertices_per_cluster, clusters.relative_overlap, clusters.project_to_input,
          ties};
}

// What lies between the members of a struct is nobody's. So they travel one by one: two surveys of
// the same mesh have the same bytes.
std::vector<std::byte> bytes_of(const radial::WholeCloud& whole) {
  return Writer().put(whole.num_points).put(whole.box).put(whole.radius).put(whole.is_even).take();
}

radial::WholeCloud whole_cloud_of(const protocol::Survey& survey) {
  Reader reader(survey.facts);
  radial::WholeCloud whole;
  whole.num_points = reader.get<GlobalIndex>();
  whole.box = reader.get<geometry::Box>();
  whole.radius = reader.get<double>();
  whole.is_even = reader.get<bool>();
  reader.finish();
  return whole;
}

acceleration::PreconditionerSettings preconditioner_of(const config::Preconditioner& settings) {
  return {settings.type, settings.update_on_threshold, settings.freeze_after};
}

acceleration::QuasiNewtonSettings quasi_newton_of(const config::Acceleration& settings) {
  const config::QuasiNewton& newton = settings.quasi_newton;
  acceleration::QuasiNewtonSettings result;
  result.initial_relaxation = settings.relaxation;
  result.enforce_initial_relaxation = settings.enforce_initial_relaxation;
  result.max_used_iterations = newton.max_used_iterations;
  result.time_windows_reused = newton.time_windows_reused;
  result.filter = newton.filter.type;
  result.filter_limit = newton.filter.limit;
  result.preconditioner = preconditioner_of(settings.preconditioner);
  result.reduced_time_grid = newton.reduced_time_grid;
  result.on_bound_violation = newton.on_bound_violation;
  return result;
}

acceleration::JacobianRestart jacobian_of(const config::QuasiNewton& newton) {
  return {newton.restart.mode, newton.restart.chunk_size, newton.restart.reused_time_windows,
          newton.restart.truncation_threshold, newton.always_build_jacobian};
}

} // namespace

config::Configuration load_configuration(const std::string& file) {
  config::Configuration configuration = config::read(file);
  config::validate(configuration);
  return configuration;
}

void complete_configuration(config::Configuration& configuration, const std::string& participant,
                            int size) {
  config::validate_for(configuration, participant, size);
  config::check_supported(configuration, participant);
  configuration.profiling = outputs::with_environment(configuration.profiling);
  configuration.run.carries_iterations = carries_iterations();
}

std::unique_ptr<mapping::Mapping> make_mapping(const config::Mapping& settings,
                                               const mesh::Mesh& searched, bool sees_all,
                                               LogOnce* log) {
  const geometry::Ties ties = ties_of(sees_all);
  switch (settings.kind) {
    case config::MappingKind::nearest_neighbor:
      return mapping::make_nearest_neighbor(searched, ties);
    case config::MappingKind::nearest_neighbor_gradient:
      return mapping::make_nearest_neighbor_gradient(searched, ties);
    case config::MappingKind::nearest_projection:
      return mapping::make_nearest_projection(searched, outside_of(settings.closest, sees_all));
    case config::MappingKind::linear_cell_interpolation:
      return mapping::make_linear_cell(searched, outside_of(settings.closest, sees_all));
    case config::MappingKind::rbf_global_direct:
    case config::MappingKind::rbf_global_iterative:
      return radial::make_global_radial_basis(searched, radial_basis_of(settings));
    case config::MappingKind::rbf_pum_direct:
    case config::MappingKind::rbf: {
      radial::RadialBasisSettings radial_basis = radial_basis_of(settings);
      radial_basis.log = log;
      return radial::make_partition_of_unity(searched, std::move(radial_basis),
                                             partition_of(settings, ties));
    }
    case config::MappingKind::coarse_graining:
      return mapping::make_coarse_graining(searched, settings.radius,
                                           settings.constraint == config::Constraint::conservative
                                               ? mapping::Grain::density
                                               : mapping::Grain::average);
    case config::MappingKind::intersection:
      return mapping::make_intersection(searched);
    case config::MappingKind::axial_geometric_multiscale:
    case config::MappingKind::radial_geometric_multiscale:
      return mapping::make_geometric_multiscale(searched, multiscale_of(settings));
    case config::MappingKind::automatic:
      break; // became another one
  }
  fail("the mapping in line {} is of no known kind", settings.line);
}

// Clusters have to be surveyed; how far coarse graining reaches is known, and the others say so of
// what they find.
protocol::Survey AllMappings::survey(const comm::Comm& comm, const config::Mapping& settings,
                                     const mesh::Mesh& own) const {
  if (!settings.is_radial_basis()) {
    return {settings.radius, {}};
  }
  // radii of clusters: on a grid, with rounding, and about so elsewhere
  constexpr double usual_reach = 3 * (1 + 1e-6);
  std::array<bool, 3> dead = settings.radial_basis.dead;
  dead[2] = dead[2] || own.dimensions() == 2;
  const radial::WholeCloud whole = radial::survey(
      comm, own.dimensions(), mapping::points_of(own.dimensions(), own.coordinates(), dead),
      partition_of(settings, geometry::Ties::by_place));
  const bool is_one = whole.num_points <= settings.radial_basis.clusters.vertices_per_cluster;
  return {is_one ? geometry::Box::infinity : usual_reach * whole.radius, bytes_of(whole)};
}

std::unique_ptr<mapping::Mapping> AllMappings::make_for_part(const config::Mapping& settings,
                                                             const mesh::Mesh& searched,
                                                             const protocol::Survey& survey) const {
  if (!settings.is_radial_basis()) {
    return make(settings, searched);
  }
  radial::RadialBasisSettings radial_basis = radial_basis_of(settings);
  radial_basis.log = &log_;
  return radial::make_partition_of_unity(searched, std::move(radial_basis),
                                         partition_of(settings, geometry::Ties::by_place),
                                         whole_cloud_of(survey));
}

std::unique_ptr<acceleration::Accelerator> make_accelerator(const config::Acceleration& settings,
                                                            const comm::Comm& comm) {
  switch (settings.kind) {
    case config::AccelerationKind::constant:
      return acceleration::make_constant(settings.relaxation);
    case config::AccelerationKind::aitken:
      return acceleration::make_aitken(
          {settings.relaxation, preconditioner_of(settings.preconditioner)});
    case config::AccelerationKind::iqn_ils:
      return acceleration::make_iqn_ils(quasi_newton_of(settings), comm);
    case config::AccelerationKind::iqn_imvj:
      return acceleration::make_iqn_imvj(quasi_newton_of(settings),
                                         jacobian_of(settings.quasi_newton), comm);
  }
  fail("the acceleration in line {} is of no known kind", settings.line);
}

comm::Comm make_comm(std::string_view participant, const Launch& launch, bool& initialized_mpi,
                     bool& met) {
  const auto check_range = [participant, &launch] {
    check(launch.size > 0, "participant \"{}\": the size {} must be at least 1", participant,
          launch.size);
    check(launch.rank >= 0 && launch.rank < launch.size,
          "participant \"{}\": the rank (process index) {} must be from 0 to size - 1 = {}",
          participant, launch.rank, launch.size - 1);
  };
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (launch.communicator == nullptr && initialized == 0) {
    if (launch.size <= 1) {
      check_range();
      return {}; // serial, and MPI is left alone
    }
    MPI_Init(nullptr, nullptr);
    initialized_mpi = true;
  }
  const MPI_Comm parent = launch.communicator == nullptr
                              ? MPI_COMM_WORLD
                              : *static_cast<const MPI_Comm*>(launch.communicator);
  check(initialized != 0 || initialized_mpi, "a communicator is given, but MPI is not initialized");
  check(
      parent != MPI_COMM_NULL,
      "the communicator is MPI_COMM_NULL: this rank is none of those that participant \"{}\" was "
      "split off for; ranks that count on it wait until its program ends, or for ISTHMUS_PATIENCE",
      participant);
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(parent, &rank);
  MPI_Comm_size(parent, &size);
  const char* const which = launch.communicator == nullptr ? "MPI_COMM_WORLD" : "the communicator";
  const auto check_place = [&] {
    check(launch.size == size || launch.size <= 0,
          "the size {} given to the participant differs from the size {} of {}; pass the "
          "communicator of this participant's ranks if it is not the world",
          launch.size, size, which);
    check_range();
    check(launch.rank == rank,
          "the rank (process index) {} given to the participant differs from the rank {} in {}",
          launch.rank, rank, which);
  };
  if (size == 1) { // which threads of a process may share
    check_place();
    return {};
  }
  met = true;
  comm::agree(parent, check_place);
  return comm::Comm(parent);
}

namespace {

/// Collective over `own`. Where its ranks are in `joint`, in their order: everywhere if one run
/// says it, else on the first.
partner::RankList ranks_in(const comm::Comm& own, const comm::Comm& joint) {
  const int offset = joint.rank() - own.rank();
  if (comm::allreduce(own, offset, comm::Op::min) == comm::allreduce(own, offset, comm::Op::max)) {
    return partner::RankList::consecutive(offset, own.size());
  }
  return {comm::gather(own, joint.rank())};
}

} // namespace

// One participant after the other reports to all where its ranks are. No rank holds a list of all,
// unless their order is without order.
partner::JointJob make_joint_job(const Launch& launch, const comm::Comm& own,
                                 const std::string& participant) {
  partner::JointJob job{comm::Comm(*static_cast<const MPI_Comm*>(launch.joint_communicator)), {}};
  const partner::RankList ranks = ranks_in(own, job.comm);
  const int nobody = job.comm.size();
  int waiting = own.is_root() ? job.comm.rank() : nobody;
  while (true) {
    const int next = comm::allreduce(job.comm, waiting, comm::Op::min);
    if (next == nobody) {
      return job;
    }
    std::vector<std::byte> bytes;
    if (next == waiting) {
      waiting = nobody;
      Writer writer;
      writer.put_text(participant).put_array(ranks.runs());
      bytes = writer.take();
    }
    comm::bcast(job.comm, bytes, next);
    Reader reader(bytes);
    const std::string name = reader.get_text();
    job.ranks[name] = partner::RankList::of_runs(reader.get_array<partner::RankList::Run>());
  }
}

} // namespace isthmus::participant
