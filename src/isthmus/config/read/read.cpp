// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/read/read.hpp"

#include "isthmus/config/mapped_data.hpp"
#include "isthmus/config/names.hpp"
#include "isthmus/config/read/fingerprint.hpp"
#include "isthmus/config/read/read_parts.hpp"
#include "isthmus/grammar/check.hpp"
#include "isthmus/grammar/node.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace isthmus::config {

namespace {

Log read_log(const grammar::Node& node) {
  Log log{node.flag("enabled"), {}, node.line()};
  for (const grammar::Node& sink : node.children("sink")) {
    log.sinks.push_back({from_name<SinkType>(sink.text("type")), sink.text("output"),
                         sink.text("format"), sink.text("filter"), sink.flag("enabled"),
                         sink.line()});
  }
  return log;
}

Profiling read_profiling(const grammar::Node& node) {
  return {from_name<ProfilingMode>(node.text("mode")),
          node.integer("flush-every"),
          node.text("directory"),
          node.flag("synchronize"),
          node.line(),
          false};
}

Data read_data(const grammar::Node& node) {
  Data data;
  data.name = node.text("name");
  data.vector = node.kind() == "vector";
  data.waveform_degree = node.integer("waveform-degree");
  const std::array<std::string, 3> axes =
      data.vector ? std::array<std::string, 3>{"-x", "-y", "-z"} : std::array<std::string, 3>{};
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    data.lower[axis] = node.real("lower-bound" + axes[axis]);
    data.upper[axis] = node.real("upper-bound" + axes[axis]);
  }
  data.line = node.line();
  return data;
}

Mesh read_mesh(const grammar::Node& node) {
  Mesh mesh{node.text("name"), node.integer("dimensions"), {}, node.line()};
  for (const grammar::Node& data : node.children("use-data")) {
    mesh.data.push_back(data.text("name"));
  }
  return mesh;
}

M2N read_m2n(const grammar::Node& node) {
  M2N m2n;
  m2n.kind = from_name<M2NKind>(node.kind());
  m2n.acceptor = node.text("acceptor");
  m2n.connector = node.text("connector");
  m2n.exchange_directory = node.text("exchange-directory");
  if (node.has("network")) {
    m2n.network = node.text("network");
    m2n.port = node.integer("port");
  }
  m2n.enforce_gather_scatter = node.flag("enforce-gather-scatter");
  m2n.two_level = node.flag("use-two-level-initialization");
  m2n.initialization = from_name<Initialization>(node.text("initialization"));
  if (m2n.two_level && m2n.initialization != Initialization::one_level) { // else a contradiction
    m2n.initialization = Initialization::two_level;
  }
  m2n.line = node.line();
  return m2n;
}

/// What is for devices, where the processor computes. (A device is refused where it stands.)
void note_execution_modes(const grammar::Node& participant, Configuration& configuration) {
  for (const grammar::Node& mapping : participant.children("mapping")) {
    const auto executor = mapping.child("executor");
    if (executor && executor->kind() == name(ExecutorKind::openmp) &&
        executor->gives("execution-mode")) {
      configuration.notes.push_back(fmt::format(
          "{}:{}: the execution-mode=\"{}\" of <executor:openmp> has no effect: what the mapping "
          "needs is computed once and kept in memory",
          configuration.file, executor->line(), executor->text("execution-mode")));
    }
  }
}

void note_texts(const grammar::XmlElement& element, Configuration& configuration) {
  configuration.notes.insert(configuration.notes.end(), element.notes.begin(), element.notes.end());
  for (const grammar::XmlElement& child : element.children) {
    note_texts(child, configuration);
  }
}

/// What the language still admits under an old name, and what it ignores.
void note_old_words(const grammar::Node& root, Configuration& configuration) {
  for (const grammar::Node& participant : root.children("participant")) {
    for (const grammar::Node& mesh : participant.children("receive-mesh")) {
      if (mesh.gives("direct-access")) {
        configuration.notes.push_back(
            fmt::format("{}:{}: the attribute direct-access of <receive-mesh name=\"{}\"> is "
                        "deprecated; use api-access",
                        configuration.file, mesh.line(), mesh.text("name")));
      }
    }
    note_execution_modes(participant, configuration);
  }
  for (const grammar::Node& scheme : root.children("coupling-scheme")) {
    const auto window = scheme.child("time-window-size");
    if (window && window->has("method") && window->text("method") == "first-participant" &&
        window->gives("value") && window->real("value") != -1) {
      configuration.notes.push_back(
          fmt::format("{}:{}: the value {} of <time-window-size method=\"first-participant\"> is "
                      "ignored, as the first participant prescribes the window",
                      configuration.file, window->line(), window->text("value")));
    }
  }
}

/// Whether values ever come to what a participant reads.
bool comes(const Configuration& configuration, const Participant& participant,
           const UseData& read) {
  const auto& mappings = participant.mappings;
  const auto& actions = participant.actions;
  return arrives(configuration, participant.name, read.name, read.mesh) ||
         std::any_of(mappings.begin(), mappings.end(),
                     [&](const Mapping& mapping) {
                       return mapping.to == read.mesh &&
                              arrives(configuration, participant.name, read.name, mapping.from);
                     }) ||
         std::any_of(actions.begin(), actions.end(), [&read](const Action& action) {
           return action.mesh == read.mesh && action.target_data == read.name;
         });
}

void note_what_never_comes(Configuration& configuration) {
  for (const Participant& participant : configuration.participants) {
    for (const UseData& read : participant.read) {
      if (!comes(configuration, participant, read)) {
        configuration.notes.push_back(
            fmt::format("{}:{}: participant \"{}\" reads data \"{}\" on mesh \"{}\", but no "
                        "<exchange> brings it there, so that it is zero",
                        configuration.file, read.line, participant.name, read.name, read.mesh));
      }
    }
  }
}

void note_what_nobody_reads(Configuration& configuration) {
  for (const CouplingScheme& scheme : configuration.schemes) {
    for (const Exchange& exchange : scheme.exchanges) {
      const Participant* const to = configuration.find_participant(exchange.to);
      const bool is_read =
          to == nullptr || std::any_of(to->read.begin(), to->read.end(), [&](const UseData& read) {
            return read.name == exchange.data;
          });
      if (!is_read) {
        configuration.notes.push_back(fmt::format(
            "{}:{}: this <exchange> brings data \"{}\" to participant \"{}\", which "
            "has no <read-data name=\"{}\" ... />",
            configuration.file, exchange.line, exchange.data, exchange.to, exchange.data));
      }
    }
  }
}

void note_parallel_aitken(Configuration& configuration) {
  for (const CouplingScheme& scheme : configuration.schemes) {
    if (scheme.acceleration && scheme.acceleration->kind == AccelerationKind::aitken &&
        scheme.kind == SchemeKind::parallel_implicit) {
      configuration.notes.push_back(fmt::format(
          "{}:{}: <acceleration:aitken> converges slowly where participants compute in parallel; "
          "use <acceleration:IQN-ILS>, or <coupling-scheme:serial-implicit>",
          configuration.file, scheme.acceleration->line));
    }
  }
}

void note_what_comes_twice(Configuration& configuration) {
  std::vector<const Exchange*> all;
  for (const CouplingScheme& scheme : configuration.schemes) {
    for (const Exchange& exchange : scheme.exchanges) {
      const auto other = std::find_if(all.begin(), all.end(), [&exchange](const Exchange* earlier) {
        return earlier->data == exchange.data && earlier->mesh == exchange.mesh &&
               earlier->to == exchange.to && earlier->from != exchange.from;
      });
      if (other != all.end()) {
        configuration.notes.push_back(fmt::format(
            "{}:{}: data \"{}\" on mesh \"{}\" come to participant \"{}\" from \"{}\", and from "
            "\"{}\" in line {}: what comes later replaces what came before; give each its own name",
            configuration.file, exchange.line, exchange.data, exchange.mesh, exchange.to,
            exchange.from, (*other)->from, (*other)->line));
      }
      all.push_back(&exchange);
    }
  }
}

} // namespace

Configuration read(const std::string& file) {
  return parse(grammar::read_file(file), file);
}

Configuration parse(const std::string& text, const std::string& file) {
  const grammar::XmlElement tree = grammar::parse_xml(text, file);
  grammar::check_grammar(tree, file);
  const grammar::Node root(tree, grammar::grammar());
  Configuration configuration;
  configuration.file = file;
  configuration.fingerprints = {fingerprint(root), digest(root), case_digest(root)};
  configuration.run = {root.flag("experimental"), root.flag("allow-remeshing"),
                       root.flag("wait-in-finalize"), false};
  if (const auto log = root.child("log")) {
    configuration.log = read_log(*log);
  }
  if (const auto profiling = root.child("profiling")) {
    configuration.profiling = read_profiling(*profiling);
  }
  for (const grammar::Node& data : root.children("data")) {
    configuration.data.push_back(read_data(data));
  }
  for (const grammar::Node& mesh : root.children("mesh")) {
    configuration.meshes.push_back(read_mesh(mesh));
  }
  for (const grammar::Node& m2n : root.children("m2n")) {
    configuration.m2ns.push_back(read_m2n(m2n));
  }
  for (const grammar::Node& participant : root.children("participant")) {
    configuration.participants.push_back(read_participant(participant));
  }
  for (const grammar::Node& scheme : root.children("coupling-scheme")) {
    configuration.schemes.push_back(read_scheme(scheme));
  }
  note_texts(tree, configuration);
  note_old_words(root, configuration);
  note_what_never_comes(configuration);
  note_what_nobody_reads(configuration);
  note_parallel_aitken(configuration);
  note_what_comes_twice(configuration);
  return configuration;
}

} // namespace isthmus::config
