// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/mapped_data.hpp"
#include "isthmus/config/names.hpp"
#include "isthmus/config/validate/validate_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace isthmus::config {

namespace {

std::string scheme_tag(const CouplingScheme& scheme) {
  return fmt::format("<coupling-scheme:{}>", name(scheme.kind));
}

void check_members(const Configuration& configuration, const CouplingScheme& scheme) {
  const grammar::FileLine line{configuration.file, scheme.line};
  const std::string tag = scheme_tag(scheme);
  std::set<std::string> seen;
  for (const std::string& member : scheme.participants) {
    known_participant(configuration, member, scheme.line, tag);
    grammar::check_at(seen.insert(member).second, line, "{} names participant \"{}\" twice", tag,
                      member);
  }
  grammar::check_at(seen.size() > 1, line, "{} has only one participant; name at least two", tag);
  grammar::check_at(scheme.kind != SchemeKind::multi || !scheme.controller.empty(), line,
                    "{} needs exactly one <participant ... control=\"true\" />", tag);
}

void check_times(const Configuration& configuration, const CouplingScheme& scheme) {
  const grammar::FileLine line{configuration.file, scheme.line};
  const std::string tag = scheme_tag(scheme);
  grammar::check_at(
      scheme.max_time.has_value() || scheme.max_time_windows.has_value(), line,
      "{} never ends; add <max-time value=\"...\" /> or <max-time-windows value=\"...\" />", tag);
  const double end = scheme.max_time.value_or(1);
  grammar::check_at(end > 0 && std::isfinite(end), line,
                    "{} max-time=\"{}\" must be positive and finite", tag, end);
  grammar::check_at(scheme.max_time_windows.value_or(1) > 0, line,
                    "{} max-time-windows=\"{}\" must be positive", tag,
                    scheme.max_time_windows.value_or(1));
  const double window = scheme.time_window.size;
  grammar::check_at(
      scheme.time_window.set_by_first_participant || (window > 0 && std::isfinite(window)), line,
      "{} time-window-size=\"{}\" must be positive; only with method=\"first-participant\" may it "
      "be left out",
      tag, window);
}

void check_pairs(const Configuration& configuration, const CouplingScheme& scheme) {
  const std::string& centre =
      scheme.kind == SchemeKind::multi ? scheme.controller : scheme.participants.front();
  for (const std::string& member : scheme.participants) {
    if (member != centre) {
      check_m2n(configuration, centre, member, scheme.line);
    }
  }
}

void check_substeps(const Configuration& configuration, const Exchange& exchange, const Data& data,
                    const std::string& tag) {
  const grammar::FileLine line{configuration.file, exchange.line};
  grammar::check_at(
      data.waveform_degree > 0 || !exchange.substeps, line,
      "{} data \"{}\" has waveform-degree=\"0\", constant in a time window, which excludes "
      "substeps; write substeps=\"false\" or a higher degree",
      tag, data.name);
  grammar::check_at(
      data.waveform_degree < 2 || exchange.substeps, line,
      "{} data \"{}\" has waveform-degree=\"{}\", which needs the values inside a time window; "
      "write substeps=\"true\" or degree 1",
      tag, data.name, data.waveform_degree);
}

/// The mesh belongs to one end and is received by the other.
void check_ends(const Configuration& configuration, const CouplingScheme& scheme,
                const Exchange& exchange, const std::string& tag) {
  const grammar::FileLine line{configuration.file, exchange.line};
  const Participant& from = known_participant(configuration, exchange.from, exchange.line, tag);
  const Participant& to = known_participant(configuration, exchange.to, exchange.line, tag);
  for (const std::string& end : {exchange.from, exchange.to}) {
    grammar::check_at(scheme.involves(end), line,
                      "{} participant \"{}\" is not part of this scheme ({})", tag, end,
                      fmt::join(scheme.participants, ", "));
  }
  grammar::check_at(exchange.from != exchange.to, line, "{} sends from \"{}\" to itself", tag,
                    exchange.from);
  check_m2n(configuration, exchange.from, exchange.to, exchange.line);
  const bool to_receives = from.provides(exchange.mesh) && to.receives(exchange.mesh) != nullptr;
  const bool from_receives = to.provides(exchange.mesh) && from.receives(exchange.mesh) != nullptr;
  grammar::check_at(
      to_receives || from_receives, line,
      "{} mesh \"{}\" must be provided by one of the two participants and received by the other; "
      "add <receive-mesh name=\"{}\" from=\"...\" />",
      tag, exchange.mesh, exchange.mesh);
}

/// Somebody sets what is sent: the solver, an action or a write mapping. Actions on own meshes come
/// after what is mapped from there.
void check_source(const Configuration& configuration, const Exchange& exchange,
                  const std::string& tag) {
  const Participant& from = *configuration.find_participant(exchange.from);
  const bool set = is_made(from, exchange.data, exchange.mesh)
                       ? !origins(from, exchange.data, exchange.mesh).empty()
                       : sets(from, exchange.data, exchange.mesh);
  grammar::check_at(
      set || find_write_mapping(from, exchange.data, exchange.mesh) != nullptr,
      {configuration.file, exchange.line},
      "{} participant \"{}\" never writes data \"{}\" to mesh \"{}\"; add <write-data name=\"{}\" "
      "mesh=\"...\" /> on this mesh, or on another one with a write mapping to this one",
      tag, from.name, exchange.data, exchange.mesh, exchange.data);
}

/// Nobody writes what comes from another one.
void check_target(const Configuration& configuration, const Exchange& exchange,
                  const std::string& tag) {
  const Participant& to = *configuration.find_participant(exchange.to);
  const bool writes = to.writes(exchange.data, exchange.mesh) ||
                      find_write_mapping(to, exchange.data, exchange.mesh) != nullptr;
  grammar::check_at(!writes, {configuration.file, exchange.line},
                    "{} participant \"{}\" writes data \"{}\" to mesh \"{}\" itself; give what "
                    "comes from participant \"{}\" a name of its own",
                    tag, to.name, exchange.data, exchange.mesh, exchange.from);
}

/// What else the scheme sends of this data set: nothing to the same participant, and the same times
/// to all.
void check_same_data(const Configuration& configuration, const CouplingScheme& scheme,
                     const Exchange& exchange, const std::string& tag) {
  const grammar::FileLine line{configuration.file, exchange.line};
  for (const Exchange& other : scheme.exchanges) {
    if (&other == &exchange || other.data != exchange.data || other.mesh != exchange.mesh ||
        other.from != exchange.from) {
      continue;
    }
    grammar::check_at(other.to != exchange.to, line, "{} stands twice, also in line {}; remove one",
                      tag, other.line);
    const bool alike = other.initialize == exchange.initialize;
    grammar::check_at(alike && other.substeps == exchange.substeps, line,
                      "{} has another {} than in line {}, which sends the same data to participant "
                      "\"{}\"; write the same value in both lines",
                      tag, alike ? "substeps" : "initialize", other.line, other.to);
  }
}

void check_exchanges(const Configuration& configuration, const CouplingScheme& scheme) {
  for (const Exchange& exchange : scheme.exchanges) {
    const grammar::FileLine line{configuration.file, exchange.line};
    const std::string tag = fmt::format("<exchange data=\"{}\" mesh=\"{}\" from=\"{}\" to=\"{}\">",
                                        exchange.data, exchange.mesh, exchange.from, exchange.to);
    const Data& data = known_data(configuration, exchange.data, exchange.line, tag);
    const Mesh& mesh = known_mesh(configuration, exchange.mesh, exchange.line, tag);
    grammar::check_at(
        mesh.uses(data.name), line,
        "{} mesh \"{}\" does not carry data \"{}\"; add <use-data name=\"{}\" /> to it", tag,
        mesh.name, data.name, data.name);
    check_ends(configuration, scheme, exchange, tag);
    check_source(configuration, exchange, tag);
    check_target(configuration, exchange, tag);
    check_substeps(configuration, exchange, data, tag);
    check_same_data(configuration, scheme, exchange, tag);
  }
}

/// Schemes of one participant must not contradict each other.
void check_together(const Configuration& configuration, const Participant& participant) {
  const CouplingScheme* implicit = nullptr;
  for (const CouplingScheme& scheme : configuration.schemes) {
    if (!scheme.implicit() || !scheme.involves(participant.name)) {
      continue;
    }
    grammar::check_at(
        implicit == nullptr, {configuration.file, scheme.line},
        "participant \"{}\" is in two implicit schemes (see line {}), which would repeat its time "
        "windows independently of each other; use one <coupling-scheme:multi> with all "
        "participants, or make one of the schemes explicit",
        participant.name, implicit == nullptr ? 0 : implicit->line);
    implicit = &scheme;
  }
}

/// Participants may share several schemes, but each data set goes one way once.
void check_once(const Configuration& configuration, const CouplingScheme& scheme) {
  for (const CouplingScheme& other : configuration.schemes) {
    const auto shared =
        std::count_if(scheme.participants.begin(), scheme.participants.end(),
                      [&](const std::string& member) { return other.involves(member); });
    if (&other == &scheme || shared < 2) {
      continue;
    }
    grammar::check_at(
        !configuration.run.allow_remeshing, {configuration.file, scheme.line},
        "{} couples participants that are already coupled by the scheme in line {}, which "
        "excludes allow-remeshing; move all their exchanges into one scheme",
        scheme_tag(scheme), other.line);
    for (const Exchange& exchange : scheme.exchanges) {
      for (const Exchange& same : other.exchanges) {
        grammar::check_at(
            exchange.data != same.data || exchange.mesh != same.mesh ||
                exchange.from != same.from || exchange.to != same.to,
            {configuration.file, exchange.line},
            "<exchange data=\"{}\" mesh=\"{}\" from=\"{}\" to=\"{}\"> stands in another "
            "scheme, too, in line {}; remove one",
            exchange.data, exchange.mesh, exchange.from, exchange.to, same.line);
      }
    }
  }
}

/// Where others than the controller exchange data, nobody learns of all meshes that are reset.
void check_remeshing(const Configuration& configuration, const CouplingScheme& scheme) {
  if (!configuration.run.allow_remeshing || scheme.kind != SchemeKind::multi) {
    return;
  }
  for (const Exchange& exchange : scheme.exchanges) {
    grammar::check_at(
        exchange.from == scheme.controller || exchange.to == scheme.controller,
        {configuration.file, exchange.line},
        "<exchange data=\"{}\" mesh=\"{}\" from=\"{}\" to=\"{}\"> does not involve the "
        "controller \"{}\", which excludes allow-remeshing; remove one of the two",
        exchange.data, exchange.mesh, exchange.from, exchange.to, scheme.controller);
  }
}

} // namespace

void validate_schemes(const Configuration& configuration) {
  for (const CouplingScheme& scheme : configuration.schemes) {
    check_members(configuration, scheme);
    check_times(configuration, scheme);
    check_pairs(configuration, scheme);
    check_exchanges(configuration, scheme);
    if (scheme.implicit()) {
      validate_iterations(configuration, scheme);
    }
  }
  for (const Participant& participant : configuration.participants) {
    check_together(configuration, participant);
  }
  for (const CouplingScheme& scheme : configuration.schemes) {
    check_once(configuration, scheme);
    check_remeshing(configuration, scheme);
  }
  validate_order(configuration);
}

} // namespace isthmus::config
