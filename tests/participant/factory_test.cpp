// SPDX-License-Identifier: BSD-3-Clause
// What is made of settings, against the same made by hand.
#include "isthmus/participant/factory.hpp"
#include "environment.hpp"
#include "message_of.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/working_directory.hpp"
#include "ranks.hpp"

#include "isthmus/acceleration/make.hpp"
#include "isthmus/config/names.hpp"
#include "isthmus/mapping/multiscale.hpp"
#include "isthmus/radial/clusters/partition_of_unity.hpp"
#include "isthmus/radial/radial_basis.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

using namespace isthmus;
using participant::AllMappings;
using participant::make_accelerator;
using participant::make_mapping;

namespace {

using Values = std::vector<double>;
using MappingPointer = std::unique_ptr<mapping::Mapping>;

/// A sheet of 5 x 5 points in space with triangles.
mesh::Mesh sheet() {
  mesh::Mesh mesh("Sheet", 3);
  for (int j = 0; j < 5; ++j) {
    for (int i = 0; i < 5; ++i) {
      mesh.add_vertices(Values{0.25 * i, 0.25 * j, 0.1 * std::sin(i + 2 * j)});
    }
  }
  std::vector<LocalIndex> triangles;
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 4; ++i) {
      const LocalIndex a = 5 * j + i;
      triangles.insert(triangles.end(), {a, a + 1, a + 5, a + 1, a + 6, a + 5});
    }
  }
  mesh.add_triangles(triangles);
  return mesh;
}

Values points() {
  Values all;
  for (int i = 0; i < 30; ++i) {
    all.insert(all.end(), {0.5 + 0.7 * std::sin(i), 0.5 + 0.7 * std::cos(1.7 * i), 0.02 * i});
  }
  return all;
}

bool same(const mapping::Interpolation& a, const mapping::Interpolation& b) {
  return a.counts == b.counts && a.columns == b.columns && a.weights == b.weights &&
         a.distances2 == b.distances2 && a.needed2 == b.needed2;
}

void check_same(const config::Mapping& settings, bool sees_all, const mesh::Mesh& mesh,
                const MappingPointer& expected) {
  CHECK(same(make_mapping(settings, mesh, sees_all)->interpolate(points()),
             expected->interpolate(points())));
}

config::Mapping of_kind(config::MappingKind kind) {
  config::Mapping settings;
  settings.kind = kind;
  settings.line = 7;
  return settings;
}

config::Mapping radial_basis(config::MappingKind kind, config::BasisKind basis, double support,
                             double shape) {
  config::Mapping settings = of_kind(kind);
  settings.radial_basis.function = config::BasisFunction{basis, support, shape};
  return settings;
}

/// The values that an accelerator makes of an affine problem in one window.
std::vector<Values> accelerated(acceleration::Accelerator& accelerator, const comm::Comm& comm) {
  accelerator.initialize({{.name = "x", .size = 3}});
  Values x{0, 0, 0};
  std::vector<Values> all;
  for (int k = 0; k < 5; ++k) {
    Values output{0.5 * x[0] + 0.2 * x[1] + 1, 0.1 * x[0] + 0.3 * x[2] + 2, 0.4 * x[1] - 1};
    const acceleration::Iterate iterate{x, output};
    acceleration::accelerate(accelerator, comm, std::span(&iterate, 1));
    x = output;
    all.push_back(x);
  }
  return all;
}

/// The way to a file.
std::string written(const std::string& text) {
  std::ofstream("run.xml") << text;
  return "run.xml";
}

config::Configuration load(const std::string& file, const std::string& participant, int size) {
  config::Configuration configuration = participant::load_configuration(file);
  participant::complete_configuration(configuration, participant, size);
  return configuration;
}

couple::Scenario small_run() {
  return {{{.first = "A", .second = "B", .max_windows = 1}},
          {{.from = "A", .to = "B", .data = "Heat"}}};
}

} // namespace

TEST_CASE("a configuration is loaded with what the environment says of it" * on_ranks(1, 1)) {
  const couple::WorkingDirectory here;
  const std::string file = written(small_run().xml());
  const Environment silent("ISTHMUS_PROFILE", "");
  CHECK(load(file, "A", 1).participants.size() == 2);
  CHECK_FALSE(load(file, "B", 4).run.carries_iterations);
  CHECK(load(file, "A", 1).profiling.mode == config::ProfilingMode::fundamental);
  const Environment profile("ISTHMUS_PROFILE", "all");
  CHECK(load(file, "A", 1).profiling.mode == config::ProfilingMode::all);
  const Environment carry("ISTHMUS_REMESH", "carry");
  CHECK(load(file, "A", 1).run.carries_iterations);
  const Environment drop("ISTHMUS_REMESH", "drop");
  CHECK_FALSE(load(file, "A", 1).run.carries_iterations);
  const Environment wrong("ISTHMUS_REMESH", "keep");
  CHECK(message_of([&] {
          (void)load(file, "A", 1);
        }).find("environment variable ISTHMUS_REMESH=\"keep\" is neither carry nor drop") == 0);
}

TEST_CASE("a configuration that is wrong, or lacks the participant, is an error" * on_ranks(1, 1)) {
  const couple::WorkingDirectory here;
  const auto says = [](const std::string& text, const std::string& name, int size) {
    const std::string file = written(text);
    return message_of([&] { (void)load(file, name, size); });
  };
  CHECK(says(small_run().xml(), "A", 2) == "no error");
  CHECK(says(small_run().xml(), "C", 1).find("\"C\" is not defined") != std::string::npos);
  CHECK(says("<precice-configuration>", "A", 1).find("run.xml") == 0);
  couple::Scenario to_itself = small_run();
  to_itself.schemes[0].control = R"(<exchange data="Heat" mesh="A-Mesh" from="A" to="A" />)";
  CHECK(says(to_itself.xml(), "A", 1).find("run.xml:") == 0);
  couple::Scenario exporting = small_run();
  exporting.inside["A"] = "<export:vtk />";
  CHECK(says(exporting.xml(), "A", 1) == "no error");
  CHECK(says(exporting.xml(), "A", 2).find("run.xml:") == 0); // not of several ranks
  CHECK(message_of([] { (void)load("nowhere.xml", "A", 1); }).find("nowhere.xml") !=
        std::string::npos);
}

TEST_CASE("each kind of mapping is made of its settings") {
  using Kind = config::MappingKind;
  using mapping::Outside;
  const mesh::Mesh mesh = sheet();
  check_same(of_kind(Kind::nearest_neighbor), false, mesh, mapping::make_nearest_neighbor(mesh));
  check_same(of_kind(Kind::nearest_neighbor_gradient), false, mesh,
             mapping::make_nearest_neighbor_gradient(mesh));
  check_same(of_kind(Kind::intersection), false, mesh, mapping::make_intersection(mesh));
  config::Mapping projection = of_kind(Kind::nearest_projection);
  check_same(projection, false, mesh, mapping::make_nearest_projection(mesh, Outside::candidates));
  check_same(projection, true, mesh,
             mapping::make_nearest_projection(mesh, Outside::numbered_candidates));
  projection.closest = true;
  check_same(projection, true, mesh, mapping::make_nearest_projection(mesh, Outside::closest));
  config::Mapping cells = of_kind(Kind::linear_cell_interpolation);
  check_same(cells, false, mesh, mapping::make_linear_cell(mesh, Outside::candidates));
  check_same(cells, true, mesh, mapping::make_linear_cell(mesh, Outside::numbered_candidates));
  cells.closest = true;
  check_same(cells, true, mesh, mapping::make_linear_cell(mesh, Outside::closest));
  config::Mapping grains = of_kind(Kind::coarse_graining);
  grains.radius = 0.4;
  check_same(grains, false, mesh,
             mapping::make_coarse_graining(mesh, 0.4, mapping::Grain::average));
  grains.constraint = config::Constraint::conservative;
  check_same(grains, false, mesh,
             mapping::make_coarse_graining(mesh, 0.4, mapping::Grain::density));
  CHECK(message_of([&] { (void)make_mapping(of_kind(Kind::automatic), mesh, false); }) ==
        "the mapping in line 7 is of no known kind");
}

TEST_CASE("of equally near vertices a participant of one rank takes what preCICE takes") {
  const mesh::Mesh mesh("Pair", 2, {1, 0, 0, 0}, {}, {});
  for (const auto kind :
       {config::MappingKind::nearest_neighbor, config::MappingKind::nearest_neighbor_gradient,
        config::MappingKind::nearest_projection, config::MappingKind::linear_cell_interpolation}) {
    const Values middle{0.5, 1};
    CHECK(make_mapping(of_kind(kind), mesh, true)->interpolate(middle).columns.front() == 0);
    CHECK(make_mapping(of_kind(kind), mesh, false)->interpolate(middle).columns.front() == 1);
  }
}

TEST_CASE("a geometric multiscale mapping is made of its settings") {
  const mesh::Mesh mesh = sheet();
  config::Mapping settings = of_kind(config::MappingKind::axial_geometric_multiscale);
  settings.multiscale.dimension = config::MultiscaleDimension::d2_d3;
  settings.multiscale.type = config::MultiscaleType::spread;
  settings.multiscale.axis = config::Axis::z;
  settings.multiscale.radius = 3;
  settings.multiscale.profile = config::CrossSectionProfile::parabolic;
  settings.multiscale.cross_section = config::CrossSection::square;
  mapping::MultiscaleSettings expected;
  expected.join = mapping::MultiscaleSettings::Join::axial_plane;
  expected.type = mapping::MultiscaleSettings::Type::spread;
  expected.axis = 2;
  expected.radius = 3;
  expected.profile = mapping::MultiscaleSettings::Profile::parabolic;
  expected.section = mapping::MultiscaleSettings::Section::square;
  check_same(settings, false, mesh, mapping::make_geometric_multiscale(mesh, expected));
  settings.kind = config::MappingKind::radial_geometric_multiscale;
  settings.multiscale.type = config::MultiscaleType::collect;
  expected.join = mapping::MultiscaleSettings::Join::radial;
  expected.type = mapping::MultiscaleSettings::Type::collect;
  check_same(settings, false, mesh, mapping::make_geometric_multiscale(mesh, expected));
}

TEST_CASE("every radial function of the language is the one of its name") {
  using Kind = radial::RadialFunction::Kind;
  const std::vector<std::pair<std::string, Kind>> functions{
      {"compact-polynomial-c0", Kind::compact_polynomial_c0},
      {"compact-polynomial-c2", Kind::compact_polynomial_c2},
      {"compact-polynomial-c4", Kind::compact_polynomial_c4},
      {"compact-polynomial-c6", Kind::compact_polynomial_c6},
      {"compact-polynomial-c8", Kind::compact_polynomial_c8},
      {"compact-tps-c2", Kind::compact_tps_c2},
      {"gaussian", Kind::gaussian},
      {"multiquadrics", Kind::multiquadrics},
      {"inverse-multiquadrics", Kind::inverse_multiquadrics},
      {"thin-plate-splines", Kind::thin_plate_splines},
      {"volume-splines", Kind::volume_splines}};
  CHECK(functions.size() == config::words_of(config::BasisKind{}).size());
  const mesh::Mesh mesh = sheet();
  const double none = std::nan("");
  for (const auto& [word, kind] : functions) {
    CAPTURE(word);
    const auto basis = config::from_name<config::BasisKind>(word);
    const bool has_support = word.starts_with("compact");
    const double shape = word.ends_with("quadrics") || word == "gaussian" ? 1.5 : none;
    const bool has_parameter = has_support || !std::isnan(shape);
    const double parameter = has_support ? 0.7 : has_parameter ? shape : 1;
    check_same(radial_basis(config::MappingKind::rbf_global_direct, basis, has_support ? 0.7 : none,
                            shape),
               false, mesh, radial::make_global_radial_basis(mesh, {{kind, parameter}}));
  }
  check_same(radial_basis(config::MappingKind::rbf_global_direct, config::BasisKind::gaussian, 0.7,
                          none), // as wide as the support says
             false, mesh,
             radial::make_global_radial_basis(
                 mesh, {{Kind::gaussian, radial::RadialFunction::gaussian_shape(0.7)}}));
}

TEST_CASE("polynomials, dead axes and clusters reach the radial basis functions") {
  const mesh::Mesh mesh = sheet();
  const auto settings_of = [](config::MappingKind kind) {
    return radial_basis(kind, config::BasisKind::compact_polynomial_c4, 0.7, std::nan(""));
  };
  const radial::RadialFunction function{radial::RadialFunction::Kind::compact_polynomial_c4, 0.7};
  config::Mapping settings = settings_of(config::MappingKind::rbf_global_direct);
  settings.radial_basis.dead = {false, false, true};
  settings.radial_basis.polynomial = config::Polynomial::on;
  check_same(settings, false, mesh,
             radial::make_global_radial_basis(
                 mesh, {function, radial::Polynomial::on, {false, false, true}}));
  settings.radial_basis.polynomial = config::Polynomial::off;
  check_same(settings, false, mesh,
             radial::make_global_radial_basis(
                 mesh, {function, radial::Polynomial::off, {false, false, true}}));
  radial::RadialBasisSettings iterative{function};
  iterative.rescaled = true;
  iterative.tolerance = 1e-9;
  check_same(settings_of(config::MappingKind::rbf_global_iterative), false, mesh,
             radial::make_global_radial_basis(mesh, iterative));
  config::Mapping clusters = settings_of(config::MappingKind::rbf_pum_direct);
  clusters.radial_basis.clusters = {6, 0.4, false};
  check_same(clusters, false, mesh,
             radial::make_partition_of_unity(mesh, {function}, {6, 0.4, false}));
}

TEST_CASE("the log says once of each mapping that it falls back on something simpler") {
  Log log("A", 0);
  std::vector<std::string> said;
  log.add_sink([&said](const LogRecord& record) { said.emplace_back(record.text); });
  const AllMappings mappings(log, false);
  const mesh::Mesh mesh = sheet();
  config::Mapping settings =
      radial_basis(config::MappingKind::rbf_pum_direct, config::BasisKind::compact_polynomial_c4,
                   0.7, std::nan(""));
  settings.radial_basis.clusters = {100, 0.15, true}; // more than there are
  for (int time = 0; time < 3; ++time) {
    const mapping::Interpolation found = mappings.make(settings, mesh)->interpolate(points());
    CHECK(found.num_points() == 30);
  }
  REQUIRE(said.size() == 1);
  CHECK(said[0].find("<mapping:rbf-pum-direct> in line 7, from mesh \"Sheet\"; its 25 vertices are "
                     "one cluster") == 0);
  settings.line = 9;
  (void)mappings.make(settings, mesh)->interpolate(points());
  CHECK(said.size() == 2);
  settings.radial_basis.clusters = {6, 0.4, false};
  settings.line = 11;
  (void)mappings.make(of_kind(config::MappingKind::nearest_neighbor), mesh)->interpolate(points());
  CHECK(said.size() == 2);
}

TEST_CASE("two surveys of one mesh are the same, and say all that clusters of a part need") {
  const Log log("A", 0);
  const comm::Comm alone;
  const AllMappings mappings(log, false);
  const mesh::Mesh mesh = sheet();
  config::Mapping settings =
      radial_basis(config::MappingKind::rbf_pum_direct, config::BasisKind::compact_polynomial_c4,
                   0.7, std::nan(""));
  for (const int vertices_per_cluster : {100, 6}) { // one cluster, and several
    settings.radial_basis.clusters = {vertices_per_cluster, 0.15, true};
    const protocol::Survey survey = mappings.survey(alone, settings, mesh);
    CHECK(survey == mappings.survey(alone, settings, mesh));
    CHECK(std::isinf(survey.reach) == (vertices_per_cluster == 100));
    // of the members alone: what is between them in memory is another one each time
    CHECK(survey.facts.size() == sizeof(GlobalIndex) + 7 * sizeof(double) + sizeof(bool));
    mapping::Interpolation of_part =
        mappings.make_for_part(settings, mesh, survey)->interpolate(points());
    of_part.needed2.clear();
    CHECK(same(of_part, mappings.make(settings, mesh)->interpolate(points())));
  }
}

TEST_CASE("clusters on a grid reach no farther than their survey says") {
  const Log log("A", 0);
  const AllMappings mappings(log, false);
  mesh::Mesh grid("Grid", 2);
  for (int i = 0; i < 40 * 40; ++i) {
    grid.add_vertices(Values{i % 40 + 0.1 * std::sin(i), i / 40 + 0.1 * std::cos(i)});
  }
  mesh::Mesh few("Few", 2);
  few.add_vertices(Values{20.2, 17.3, 20.8, 17.9});
  config::Mapping settings =
      radial_basis(config::MappingKind::rbf_pum_direct, config::BasisKind::compact_polynomial_c4,
                   7.0, std::nan(""));
  settings.radial_basis.clusters = {50, 0.15, true};
  const protocol::Survey survey = mappings.survey(comm::Comm(), settings, grid);
  const auto late = mappings.make_for_part(settings, grid, survey)->later(few);
  REQUIRE(late != nullptr);
  CHECK(late->needed() <= survey.reach); // else every rank searches twice
  CHECK(late->needed() > 0.99 * survey.reach);
}

TEST_CASE("each kind of acceleration is made of its settings") {
  const comm::Comm alone;
  config::Acceleration settings;
  const auto check_iterates = [&](std::unique_ptr<acceleration::Accelerator> expected) {
    CHECK(accelerated(*make_accelerator(settings, alone), alone) == accelerated(*expected, alone));
  };
  settings.relaxation = 0.3;
  check_iterates(acceleration::make_constant(0.3));
  settings.kind = config::AccelerationKind::aitken;
  settings.preconditioner = {config::PreconditionerType::residual, true, false, 2};
  const acceleration::PreconditionerSettings preconditioner{
      acceleration::PreconditionerType::residual, false, 2};
  check_iterates(acceleration::make_aitken({0.3, preconditioner}));
  settings.kind = config::AccelerationKind::iqn_ils;
  settings.enforce_initial_relaxation = true;
  settings.quasi_newton.max_used_iterations = 2;
  settings.quasi_newton.time_windows_reused = 3;
  settings.quasi_newton.filter = {config::FilterType::qr1, 1e-5};
  acceleration::QuasiNewtonSettings newton;
  newton.initial_relaxation = 0.3;
  newton.enforce_initial_relaxation = true;
  newton.max_used_iterations = 2;
  newton.time_windows_reused = 3;
  newton.filter = acceleration::FilterType::qr1;
  newton.filter_limit = 1e-5;
  newton.preconditioner = preconditioner;
  check_iterates(acceleration::make_iqn_ils(newton, alone));
  settings.kind = config::AccelerationKind::iqn_imvj;
  settings.quasi_newton.restart = {config::RestartMode::least_squares, 4, 5, 1e-3};
  check_iterates(acceleration::make_iqn_imvj(
      newton, {acceleration::RestartMode::least_squares, 4, 5, 1e-3, false}, alone));
}
