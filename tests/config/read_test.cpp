// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/read/read.hpp"
#include "config/files.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace isthmus;
using namespace isthmus::config;

TEST_CASE("a small explicit run is read with its lines") {
  const Configuration pipe = read(path_of("pipe.xml"));
  CHECK(pipe.file == path_of("pipe.xml"));
  CHECK_FALSE(pipe.run.experimental);
  REQUIRE(pipe.log.sinks.size() == 1);
  CHECK(pipe.log.sinks[0].filter == "%Severity% > debug and %Rank% = 0");
  CHECK(pipe.log.sinks[0].enabled);
  REQUIRE(pipe.data.size() == 2);
  CHECK(pipe.data[1].name == "Heat");
  CHECK(pipe.data[1].waveform_degree == 1);
  CHECK(pipe.data[1].lower[0] == -infinity);
  CHECK(pipe.data[1].upper[0] == infinity);
  REQUIRE(pipe.meshes.size() == 2);
  CHECK(pipe.meshes[0].dimensions == 3);
  CHECK(pipe.meshes[0].uses("Heat"));
  CHECK_FALSE(pipe.meshes[0].uses("Force"));
  CHECK(pipe.meshes[0].line == 11);

  const Participant& water = *pipe.find_participant("Water");
  CHECK(water.provides("WaterMesh"));
  CHECK_FALSE(water.provides("WallMesh"));
  REQUIRE(water.receives("WallMesh") != nullptr);
  CHECK(water.receives("WallMesh")->from == "Wall");
  CHECK(water.receives("WallMesh")->safety_factor == 0.1);
  CHECK(water.receives("WallMesh")->filter == GeometricFilter::on_secondary_ranks);
  CHECK(water.receives("WaterMesh") == nullptr);
  REQUIRE(water.mappings.size() == 2);
  CHECK(water.mappings[0].kind == MappingKind::nearest_projection);
  CHECK(water.mappings[0].direction == Direction::read);
  CHECK(water.mappings[0].constraint == Constraint::consistent);
  CHECK(water.mappings[1].kind == MappingKind::nearest_neighbor);
  CHECK(water.mappings[1].direction == Direction::write);
  CHECK(water.mappings[1].constraint == Constraint::conservative);
  CHECK(water.mappings[1].to == "WallMesh");
  CHECK(water.mappings[1].line == 26);

  REQUIRE(pipe.find_m2n("Wall", "Water") == &pipe.m2ns[0]);
  CHECK(pipe.find_m2n("Wall", "Wall") == nullptr);
  CHECK(pipe.m2ns[0].kind == M2NKind::sockets);
  CHECK(pipe.m2ns[0].exchange_directory == "..");
  CHECK(pipe.m2ns[0].network == "lo");
  CHECK(pipe.m2ns[0].initialization == Initialization::rendezvous);

  REQUIRE(pipe.schemes.size() == 1);
  const CouplingScheme& scheme = pipe.schemes[0];
  CHECK(scheme.kind == SchemeKind::serial_explicit);
  CHECK_FALSE(scheme.implicit());
  CHECK(scheme.participants == std::vector<std::string>{"Water", "Wall"});
  CHECK(scheme.involves("Wall"));
  CHECK(scheme.max_time == 2.5);
  CHECK_FALSE(scheme.max_time_windows.has_value());
  CHECK(scheme.time_window.size == 0.5);
  CHECK_FALSE(scheme.time_window.set_by_first_participant);
  REQUIRE(scheme.exchanges.size() == 2);
  CHECK_FALSE(scheme.exchanges[0].initialize);
  CHECK(scheme.exchanges[1].initialize);
  CHECK(scheme.exchanges[1].from == "Wall");
  CHECK_FALSE(scheme.exchanges[0].substeps);
  CHECK_FALSE(scheme.acceleration.has_value());
}

TEST_CASE("an implicit run is read with everything around it") {
  const Configuration flap = read(path_of("flap.xml"));
  CHECK(flap.run.wait_in_finalize);
  CHECK(flap.profiling.mode == ProfilingMode::all);
  CHECK(flap.profiling.flush_every == 10);
  CHECK(flap.profiling.directory == "profile");
  CHECK(flap.profiling.synchronize);
  CHECK(flap.log.enabled);
  CHECK(flap.find_data("Force")->vector);
  CHECK(flap.find_data("Force")->waveform_degree == 2);
  CHECK(flap.find_data("Force")->lower == std::array{-infinity, -10.0, -infinity});
  CHECK_FALSE(flap.find_data("Pressure")->vector);
  CHECK(flap.find_data("Pressure")->upper[0] == 3);

  const Participant& air = *flap.find_participant("Air");
  CHECK(air.receives("Flap-Mesh")->filter == GeometricFilter::no_filter);
  CHECK(air.receives("Flap-Mesh")->safety_factor == 0.5);
  const Mapping& pum = air.mappings.at(0);
  CHECK(pum.kind == MappingKind::rbf_pum_direct);
  CHECK(pum.radial_basis.polynomial == Polynomial::separate);
  CHECK(pum.radial_basis.clusters.vertices_per_cluster == 50);
  CHECK(pum.radial_basis.clusters.relative_overlap == 0.25);
  CHECK_FALSE(pum.radial_basis.clusters.project_to_input);
  REQUIRE(pum.radial_basis.function.has_value());
  CHECK(pum.radial_basis.function->kind == BasisKind::compact_polynomial_c6);
  CHECK(pum.radial_basis.function->support_radius == 0.05);
  CHECK(std::isnan(pum.radial_basis.function->shape_parameter));
  CHECK(pum.radial_basis.executor.kind == ExecutorKind::openmp);
  CHECK(pum.radial_basis.executor.threads == 4);
  const Mapping& alias = air.mappings.at(1);
  CHECK(alias.kind == MappingKind::rbf);
  CHECK(alias.radial_basis.clusters.vertices_per_cluster == 100);
  CHECK(alias.radial_basis.clusters.relative_overlap == 0.3);
  CHECK(alias.radial_basis.dead == std::array{false, true, false});
  CHECK(alias.radial_basis.function->shape_parameter == 3.5);
  CHECK(std::isnan(alias.radial_basis.function->support_radius));
  CHECK(alias.radial_basis.executor.kind == ExecutorKind::cpu);
  CHECK(air.actions.at(0).kind == ActionKind::multiply_by_area);
  CHECK(air.actions.at(0).target_data == "Force");
  CHECK(air.exports.at(0).kind == ExportKind::vtu);
  CHECK(air.exports.at(0).every_n_time_windows == 5);
  const Participant& solid = *flap.find_participant("Flap");
  CHECK(solid.watch_points.at(0).coordinate == std::vector{0.0, 1.0});
  CHECK_FALSE(solid.watch_integrals.at(0).scale_with_connectivity);
  CHECK(flap.m2ns.at(0).kind == M2NKind::mpi);
  CHECK(flap.m2ns.at(0).initialization == Initialization::one_level);
}

TEST_CASE("an implicit scheme is read with the values of absent tags") {
  const Configuration flap = read(path_of("flap.xml"));
  const CouplingScheme& scheme = flap.schemes.at(0);
  CHECK(scheme.implicit());
  CHECK(scheme.max_time_windows == 100);
  CHECK(scheme.exchanges.at(0).substeps);
  CHECK_FALSE(scheme.exchanges.at(1).substeps);
  CHECK(scheme.min_iterations == 2);
  CHECK(scheme.max_iterations == 30);
  REQUIRE(scheme.measures.size() == 2);
  CHECK(scheme.measures[0].kind == MeasureKind::relative);
  CHECK(scheme.measures[0].limit == 1e-3);
  CHECK(scheme.measures[1].kind == MeasureKind::absolute_or_relative);
  CHECK(scheme.measures[1].abs_limit == 1e-8);
  CHECK(scheme.measures[1].limit == 1e-4);
  CHECK(scheme.measures[1].strict);
  const Acceleration& newton = scheme.acceleration.value();
  CHECK(newton.kind == AccelerationKind::iqn_imvj);
  CHECK(newton.relaxation == 0.1);
  CHECK(newton.quasi_newton.max_used_iterations == 20);
  CHECK(newton.quasi_newton.time_windows_reused == 0);
  CHECK(newton.data.at(0).scaling == 2);
  CHECK(newton.data.at(1).scaling == 1);
  CHECK(newton.quasi_newton.filter.type == FilterType::qr2);
  CHECK(newton.quasi_newton.filter.limit == 1e-16); // written without limit
  CHECK(newton.preconditioner.type == PreconditionerType::residual_sum);
  CHECK_FALSE(newton.preconditioner.given);
  CHECK(newton.quasi_newton.restart.mode == RestartMode::least_squares);
  CHECK(newton.quasi_newton.restart.chunk_size == 4);
  CHECK(newton.quasi_newton.restart.reused_time_windows == 8);
}

TEST_CASE("a multi scheme is read with its controller") {
  const Configuration reactor = read(path_of("reactor.xml"));
  CHECK(reactor.run.experimental);
  CHECK(reactor.find_participant("Flow")->receives("Core")->api_access); // by its old name
  const Mapping& iterative = reactor.find_participant("Steel")->mappings.at(0);
  CHECK(iterative.radial_basis.polynomial == Polynomial::on);
  CHECK(iterative.radial_basis.solver_rtol == 1e-6);
  CHECK(iterative.radial_basis.dead == std::array{false, false, true});
  CHECK(reactor.find_participant("Watch")->mappings.at(0).to == "");
  CHECK(reactor.m2ns.at(1).port == 51234);
  const CouplingScheme& multi = reactor.schemes.at(0);
  CHECK(multi.kind == SchemeKind::multi);
  CHECK(multi.controller == "Neutrons");
  CHECK(multi.participants == std::vector<std::string>{"Flow", "Neutrons", "Steel"});
  CHECK(multi.measures.at(0).suffices);
  const Acceleration& newton = multi.acceleration.value();
  CHECK(newton.relaxation == 0.3);
  CHECK(newton.enforce_initial_relaxation);
  CHECK(newton.quasi_newton.max_used_iterations == 50);
  CHECK(newton.quasi_newton.time_windows_reused == 0);
  CHECK(newton.quasi_newton.filter.limit == 1e-2); // absent
  CHECK(newton.preconditioner.type == PreconditionerType::residual);
  CHECK(newton.preconditioner.freeze_after == 3);
  CHECK_FALSE(newton.preconditioner.update_on_threshold);
  CHECK_FALSE(newton.quasi_newton.reduced_time_grid);
  CHECK(newton.quasi_newton.on_bound_violation == OnBoundViolation::clamp);
}

TEST_CASE("a file that is read has its fingerprints") {
  const std::string pipe = text_of("pipe.xml");
  const Fingerprints before = parse(pipe, "a.xml").fingerprints;
  const Fingerprints after =
      parse(edited(pipe, "<max-time value=\"2.5\" />", "<max-time value=\"3\" />"), "a.xml")
          .fingerprints;
  CHECK(before.whole != after.whole);
  CHECK(before.elements != after.elements);
  CHECK(before.of_case == after.of_case);
  CHECK(before.whole == parse(pipe, "b.xml").fingerprints.whole);
}

TEST_CASE("what the language does not know is refused with its line") {
  const std::string pipe = text_of("pipe.xml");
  const auto message = [&](const std::string& old, const std::string& by) {
    return message_of([&] { (void)parse(edited(pipe, old, by), "p.xml"); });
  };
  CHECK(message("<use-data name=\"Temperature\" />", "<used-data name=\"Temperature\" />") ==
        "p.xml:12: <used-data> is not known inside <mesh name=\"WaterMesh\">; did you mean "
        "\"use-data\"? Known: use-data");
  CHECK(message("dimensions=\"3\"", "dimension=\"3\"") ==
        "p.xml:11: <mesh name=\"WaterMesh\"> lacks the attribute \"dimensions\": Number of "
        "coordinates of a vertex.");
  CHECK(message("acceptor=\"Water\"", "acceptor=\"Water\"\n  exchangedirectory=\".\"") ==
        "p.xml:36: <m2n:sockets acceptor=\"Water\"> has no attribute \"exchangedirectory\"; did "
        "you mean \"exchange-directory\"? Known: port, network, exchange-directory, "
        "acceptor, connector, enforce-gather-scatter, use-two-level-initialization, "
        "initialization");
  CHECK(message("dimensions=\"3\"", "dimensions=\"4\"") ==
        "p.xml:11: <mesh name=\"WaterMesh\"> attribute dimensions=\"4\" must be one of: 2, 3");
  CHECK(message("value=\"0.5\"", "value=\"0,5\"") ==
        "p.xml:40: <time-window-size value=\"0,5\"> attribute value=\"0,5\" must be a number, as "
        "in 1.5e-3");
  CHECK(message("initialize=\"true\"", "initialize=\"maybe\"").find("must be true or false") !=
        std::string::npos);
  CHECK(message("<time-window-size value=\"0.5\" />", "").find("lacks <time-window-size .../>") !=
        std::string::npos);
  CHECK(
      message("<max-time value=\"2.5\" />", "<max-time value=\"2.5\" /><max-time value=\"1\" />") ==
      "p.xml:39: <coupling-scheme:serial-explicit> contains <max-time> although <max-time> stands "
      "in line 39; keep one");
  const std::string kernels =
      edited(text_of("flap.xml"), "<executor:openmp", "<executor:cpu /><executor:openmp");
  CHECK(message_of([&] {
          (void)parse(kernels, "f.xml");
        }).find("<executor:cpu> stands in line 32") != std::string::npos);
}

TEST_CASE("a mistyped value of an attribute gets its options and the one that is meant") {
  const std::string pipe =
      edited(text_of("pipe.xml"), "constraint=\"consistent\"", "constraint=\"consistant\"");
  const std::string text = message_of([&] { (void)parse(pipe, "p.xml"); });
  CHECK(text.find("must be one of: conservative, consistent, ") != std::string::npos);
  CHECK(text.find("did you mean \"consistent\"?") != std::string::npos);
}

TEST_CASE("old words and what has no effect are noted with their lines") {
  const std::string pipe = text_of("pipe.xml");
  CHECK(parse(pipe, "p.xml").notes.empty());
  const auto notes = [&](const std::string& old, const std::string& by) {
    const auto all = parse(edited(pipe, old, by), "p.xml").notes;
    REQUIRE(all.size() == 1);
    return all[0];
  };
  const std::string access = notes("from=\"Wall\"", "from=\"Wall\" direct-access=\"false\"");
  CHECK(access.find("p.xml:") == 0);
  CHECK(access.find("direct-access") != std::string::npos);
  CHECK(access.find("deprecated; use api-access") != std::string::npos);
  const std::string window = notes("<time-window-size value=\"0.5\"",
                                   "<time-window-size method=\"first-participant\" value=\"0.5\"");
  CHECK(window.find("p.xml:40: the value 0.5 of <time-window-size") == 0);
  CHECK(window.find("ignored") != std::string::npos);
  const auto unset = edited(pipe, "<time-window-size value=\"0.5\"",
                            "<time-window-size method=\"first-participant\" value=\"-1\"");
  CHECK(parse(unset, "p.xml").notes.empty());
}

TEST_CASE("data that are read and that nothing brings are noted with their line") {
  const std::string pipe = text_of("pipe.xml");
  const auto without = [&pipe](const std::string& exchange) {
    return edited(pipe, "<exchange data=\"" + exchange + " />", "");
  };
  const std::string heat = "Heat\" mesh=\"WallMesh\" from=\"Water\" to=\"Wall\"";
  CHECK(parse(without(heat), "p.xml").notes ==
        std::vector<std::string>{"p.xml:32: participant \"Wall\" reads data \"Heat\" on mesh "
                                 "\"WallMesh\", but no <exchange> brings it there, so that it is "
                                 "zero"});
  const auto notes =
      parse(
          without("Temperature\" mesh=\"WallMesh\" from=\"Wall\" to=\"Water\" initialize=\"true\""),
          "p.xml")
          .notes;
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("p.xml:24: participant \"Water\" reads data \"Temperature\"") == 0);
  const std::string read = "<read-data name=\"Heat\" mesh=\"WallMesh\" />";
  const std::string made =
      read +
      "<action:python timing=\"read-mapping-post\" mesh=\"WallMesh\"><module name=\"m\" />"
      "<target-data name=\"Heat\" /></action:python>";
  CHECK(parse(edited(without(heat), read, made), "p.xml").notes.empty());
}

TEST_CASE("data that are brought and that nobody reads are noted with the line of their exchange") {
  const std::string read = "<read-data name=\"Heat\" mesh=\"WallMesh\" />";
  CHECK(parse(edited(text_of("pipe.xml"), read, ""), "p.xml").notes ==
        std::vector<std::string>{"p.xml:41: this <exchange> brings data \"Heat\" to participant "
                                 "\"Wall\", which has no <read-data name=\"Heat\" ... />"});
}

TEST_CASE("text between tags is noted, as a comment that ends twice leaves it") {
  const std::string text =
      edited(text_of("pipe.xml"), "<coupling-scheme:", "<!-- a --> b -->\n<coupling-scheme:");
  const auto notes = parse(text, "p.xml").notes;
  REQUIRE(notes.size() == 1);
  CHECK(notes.front().find("p.xml:37: <precice-configuration> contains the text \"b -->\"") == 0);
}

TEST_CASE("Aitken's relaxation is noted where participants compute in parallel, and only there") {
  for (const std::string kind : {"parallel", "serial"}) {
    const std::string scheme = "coupling-scheme:" + kind + "-implicit>";
    std::string text = edited(text_of("pipe.xml"), "<coupling-scheme:serial-explicit>",
                              "<" + scheme +
                                  "<max-iterations value=\"9\" /><acceleration:aitken>"
                                  "<data name=\"Temperature\" mesh=\"WallMesh\" />"
                                  "<initial-relaxation value=\"0.5\" /></acceleration:aitken>");
    text = edited(text, "</coupling-scheme:serial-explicit>", "</" + scheme);
    const auto notes = parse(text, "p.xml").notes;
    CHECK(notes.size() == (kind == "parallel" ? 1 : 0));
    for (const std::string& note : notes) {
      CHECK(note.find("p.xml:37: <acceleration:aitken> converges slowly") == 0);
    }
  }
}

TEST_CASE("data that come to one mesh from two participants are noted with both lines") {
  const std::string exchange =
      "<exchange data=\"Heat\" mesh=\"WallMesh\" from=\"Water\" to=\"Wall\" />";
  const std::string twice = edited(text_of("pipe.xml"), exchange,
                                   exchange +
                                       "\n<exchange data=\"Heat\" mesh=\"WallMesh\" "
                                       "from=\"Steam\" to=\"Wall\" />");
  const auto notes = parse(twice, "p.xml").notes;
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("p.xml:42: data \"Heat\" on mesh \"WallMesh\" come to participant \"Wall\" "
                      "from \"Steam\", and from \"Water\" in line 41") == 0);
}

TEST_CASE("an execution mode of threads is said to have no effect, once, with its line") {
  const std::string flap = text_of("flap.xml");
  const auto notes = parse(flap, "f.xml").notes;
  REQUIRE(notes.size() == 1);
  CHECK(notes.front().find("f.xml:32: the execution-mode=\"minimal-compute\" of <executor:openmp> "
                           "has no effect") == 0);
  const std::string plain =
      edited(flap, "<executor:openmp n-threads=\"4\" execution-mode=\"minimal-compute\" />",
             "<executor:openmp n-threads=\"4\" />");
  CHECK(parse(plain, "f.xml").notes.empty());
}

TEST_CASE("namespaces of editors do not disturb") {
  const std::string pipe = edited(text_of("pipe.xml"), "<precice-configuration>",
                                  "<precice-configuration xmlns:m2n=\"m2n\" xmlns=\"x\">");
  CHECK_NOTHROW((void)parse(pipe, "p.xml"));
}
