// SPDX-License-Identifier: BSD-3-Clause
#include "setting.hpp"

#include "random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace walks {

bool Options::allows(const std::string& what) const {
  return std::find(without.begin(), without.end(), what) == without.end();
}

bool Options::drops(int number) const {
  return std::find(dropped.begin(), dropped.end(), number) != dropped.end();
}

std::string name_of(int participant) {
  return std::string(1, static_cast<char>('A' + participant));
}

std::string mesh_of(int participant) {
  return name_of(participant) + "-Mesh";
}

namespace {

Scheme draw_scheme(Random& random, int first, const Options& options) {
  Scheme scheme;
  scheme.first = first;
  scheme.second = first + 1;
  if (random.chance(0.3)) {
    std::swap(scheme.first, scheme.second);
  }
  scheme.serial = random.chance(0.5);
  scheme.window = random.chance(0.5) ? 1 : 0.5;
  const int windows = 1 + random.below(4);
  if (random.chance(0.7)) {
    scheme.max_windows = windows;
  } else { // the last window may be shorter
    scheme.max_time = scheme.window * windows - (random.chance(0.3) ? scheme.window / 4 : 0);
  }
  if (random.chance(0.4) && options.allows("implicit")) {
    scheme.iterations = 1 + random.below(3);
  }
  if (scheme.serial && random.chance(0.25) && options.allows("first-participant")) {
    scheme.first_sets_window = true;
    scheme.max_time = scheme.window * windows;
    scheme.max_windows.reset();
  }
  return scheme;
}

Flow draw_flow(Random& random, const Setting& setting, int scheme, bool forth,
               const Options& options) {
  const Scheme& its = setting.schemes[static_cast<std::size_t>(scheme)];
  Flow flow;
  flow.from = forth ? its.first : its.second;
  flow.to = forth ? its.second : its.first;
  flow.scheme = scheme;
  flow.components = random.chance(0.3) ? 2 : 1;
  flow.initialize = random.chance(0.4) && !(its.serial && forth);
  flow.substeps = random.chance(0.5);
  const int kind = random.below(10);
  if (kind < 2 && options.allows("direct")) {
    flow.kind = Flow::Kind::direct;
  } else if (kind < 5 && options.allows("write-mapping")) {
    flow.kind = Flow::Kind::write_mapping;
  }
  flow.data = "From" + name_of(flow.from) + "To" + name_of(flow.to);
  return flow;
}

} // namespace

Setting::Setting(std::uint64_t seed_, int num_ranks, const Options& options) : seed(seed_) {
  Random random{seed, 1};
  const bool three = num_ranks > 2 && random.chance(0.25) && options.allows("three");
  const int count = three ? 3 : 2;
  ranks.resize(static_cast<std::size_t>(count));
  for (int rank = 0; rank < num_ranks; ++rank) {
    const int of = rank < count ? rank : random.below(options.allows("ranks") ? count + 1 : 0);
    if (of < count && (rank < count || options.allows("ranks"))) {
      ranks[static_cast<std::size_t>(of)].push_back(rank);
    }
  }
  for (int first = 0; first + 1 < count; ++first) {
    Scheme scheme = draw_scheme(random, first, options);
    if (count > 2) {
      scheme.iterations = 0;
      scheme.first_sets_window = false;
    }
    schemes.push_back(scheme);
    const auto number = static_cast<int>(schemes.size()) - 1;
    const bool both = random.chance(0.75) || scheme.iterations > 0;
    const bool forth_only = random.chance(0.5);
    if (both || forth_only) {
      flows.push_back(draw_flow(random, *this, number, true, options));
    }
    if (both || !forth_only) {
      flows.push_back(draw_flow(random, *this, number, false, options));
    }
  }
  remeshing = count == 2 && !schemes[0].serial && schemes[0].iterations == 0 &&
              random.chance(0.5) && options.allows("remeshing");
  if (remeshing) {
    for (Flow& flow : flows) { // direct access to meshes that change is another story
      flow.kind = flow.kind == Flow::Kind::direct ? Flow::Kind::read_mapping : flow.kind;
    }
  }
  is_rude = random.chance(0.3) && options.allows("rude");
  lives = random.chance(0.3) && options.allows("lives") ? 2 + random.below(2) : 1;
  const char* const transports[] = {"automatic", "tcp", "shm", "mpi"};
  transport = transports[random.below(options.allows("mpi") ? 4 : 3)];
  widen(options);
  Random drawn_apart{seed, 4};
  if (multi && options.allows("controller")) {
    controller = drawn_apart.below(3);
  }
  iterate_more(options);
  for (int p = 0; p < num_participants(); ++p) {
    native.push_back(drawn_apart.chance(0.3) && options.allows("native") ? 1 : 0);
  }
}

void Setting::widen(const Options& options) {
  Random random{seed, 2};
  const bool beside = random.chance(0.5) && options.allows("beside");
  Random drawn_apart{seed, 3};
  multi = drawn_apart.chance(0.4) && num_participants() > 2 && options.allows("multi");
  if (multi) {
    is_rude = false; // as below
    for (Scheme& scheme : schemes) {
      scheme.serial = false;
      scheme.iterations = 1 + static_cast<int>(seed % 3);
      scheme.window = 1;
      scheme.max_windows = 1 + static_cast<int>(seed % 4);
      scheme.max_time.reset();
    }
  } else if (num_participants() > 2 && beside && flows.size() > 3) {
    is_rude = false; // who learns of an early end, and when, is another story
    Scheme& implicit = schemes[static_cast<std::size_t>(random.below(2))];
    implicit.iterations = 1 + random.below(3);
    for (Scheme& scheme : schemes) {
      scheme.window = 1;
      scheme.max_windows = 1 + static_cast<int>(seed % 4);
      scheme.max_time.reset();
    }
  }
  for (Scheme& scheme : schemes) {
    const char* const kinds[] = {"constant", "aitken", "IQN-ILS"};
    const int drawn = random.below(6);
    if (scheme.iterations > 1 && drawn < 3 && options.allows("acceleration")) {
      scheme.acceleration = kinds[drawn];
    }
  }
  if (multi) {
    schemes[1].acceleration = schemes[0].acceleration;
  }
  for (Flow& flow : flows) {
    const int degree = flow.substeps ? 1 + random.below(3) : random.below(2);
    if (random.chance(0.4) && options.allows("degree")) {
      flow.degree = degree;
    }
    const bool just_in_time = random.chance(0.5) && options.allows("just-in-time");
    if (just_in_time && flow.kind == Flow::Kind::direct) {
      flow.kind = Flow::Kind::just_in_time_read;
    } else if (just_in_time && flow.kind == Flow::Kind::write_mapping && !remeshing) {
      flow.kind = Flow::Kind::just_in_time_write;
      flow.initialize = false; // there is no mesh to write to before
    }
    const bool gradients = drawn_apart.chance(0.4) && options.allows("gradient");
    flow.gradients = gradients && flow.kind == Flow::Kind::read_mapping;
  }
}

/// More iterations, with accelerations that remember them; and so that the model knows most of
/// them: one sample a window, and the leader has what it maps.
void Setting::iterate_more(const Options& options) {
  Random random{seed, 5};
  for (std::size_t s = 0; s < schemes.size(); ++s) {
    Scheme& scheme = schemes[s];
    const char* const kinds[] = {"aitken", "IQN-ILS", "IQN-IMVJ"};
    const int kind = random.below(3);
    const int iterations = 3 + random.below(4);
    const bool is_longer = random.chance(0.6) && options.allows("longer");
    const bool is_simple = random.chance(0.8) || is_longer;
    if (multi && s > 0) {
      scheme.iterations = schemes[0].iterations;
      scheme.acceleration = schemes[0].acceleration;
    } else if (scheme.iterations > 0 && is_longer) {
      scheme.iterations = iterations;
      scheme.acceleration = kinds[kind];
    }
    const int leader = multi ? controller : scheme.second;
    for (Flow& flow : flows) {
      const bool is_of_scheme = multi || flow.scheme == static_cast<int>(s);
      const bool remembers = !scheme.acceleration.empty() && scheme.acceleration != "constant";
      if (is_of_scheme && remembers && is_simple && options.allows("exact")) {
        flow.substeps = false;
        flow.degree = std::min(flow.degree, 1);
        flow.kind = flow.to == leader && flow.reads_there() ? Flow::Kind::read_mapping : flow.kind;
      }
    }
  }
}

std::string Setting::acceleration(const Scheme& scheme) const {
  if (scheme.acceleration.empty()) {
    return "";
  }
  std::string data;
  for (const Flow& flow : flows) {
    const bool is_of_scheme = multi ? flow.from == controller || flow.to == controller
                                    : &schemes[static_cast<std::size_t>(flow.scheme)] == &scheme;
    if (is_of_scheme && (!scheme.serial || flow.from == scheme.second)) {
      data += fmt::format("<data name=\"{}\" mesh=\"{}\"/>", flow.data,
                          mesh_of(flow.ends_there() ? flow.to : flow.from));
    }
  }
  return fmt::format("<acceleration:{0}>{1}</acceleration:{0}>", scheme.acceleration,
                     scheme.acceleration == "constant" ? "<relaxation value=\"0.5\"/>"
                     : scheme.acceleration == "aitken"
                         ? "<initial-relaxation value=\"0.5\"/>" + data
                         : "<initial-relaxation value=\"0.5\"/>"
                           "<max-used-iterations value=\"5\"/>"
                           "<filter type=\"QR2\" limit=\"1e-2\"/>" +
                               std::string(scheme.acceleration == "IQN-ILS"
                                               ? "<time-windows-reused value=\"2\"/>"
                                               : "<imvj-restart-mode type=\"no-restart\"/>") +
                               data);
}

std::string Setting::exchanges(int scheme) const {
  std::string xml;
  for (const Flow& flow : flows) {
    if (flow.scheme == scheme) {
      xml += fmt::format(
          "\n<exchange data=\"{}\" mesh=\"{}\" from=\"{}\" to=\"{}\" initialize=\"{}\" "
          "substeps=\"{}\"/>",
          flow.data, mesh_of(flow.ends_there() ? flow.to : flow.from), name_of(flow.from),
          name_of(flow.to), flow.initialize, flow.substeps);
    }
  }
  return xml;
}

/// Of a chain, B in its middle.
std::string Setting::multi_scheme() const {
  std::string members;
  for (int p = 0; p < num_participants(); ++p) {
    members +=
        fmt::format("<participant name=\"{}\" control=\"{}\"/>", name_of(p), p == controller);
  }
  return fmt::format(
      "<m2n:sockets acceptor=\"A\" connector=\"B\"/><m2n:sockets acceptor=\"B\" "
      "connector=\"C\"/>{}\n<coupling-scheme:multi>{}<time-window-size "
      "value=\"{}\"/><max-time-windows value=\"{}\"/><max-iterations "
      "value=\"{}\"/>{}{}{}</coupling-scheme:multi>\n",
      controller == 1 ? "" : "<m2n:sockets acceptor=\"A\" connector=\"C\"/>", members,
      schemes[0].window, *schemes[0].max_windows, schemes[0].iterations, exchanges(0), exchanges(1),
      acceleration(schemes[0]));
}

std::string Setting::configuration() const {
  std::string xml = remeshing
                        ? "<precice-configuration experimental=\"true\" allow-remeshing=\"true\">\n"
                        : "<precice-configuration experimental=\"true\">\n";
  xml += "<log enabled=\"false\"/>\n";
  for (const Flow& flow : flows) {
    xml += fmt::format("<data:{} name=\"{}\" waveform-degree=\"{}\"/>\n",
                       flow.components == 1 ? "scalar" : "vector", flow.data, flow.degree);
  }
  for (int p = 0; p < num_participants(); ++p) {
    xml += mesh(p);
  }
  for (int p = 0; p < num_participants(); ++p) {
    xml += participant(p);
  }
  if (multi) {
    return xml + multi_scheme() + "</precice-configuration>\n";
  }
  for (int s = 0; s < static_cast<int>(schemes.size()); ++s) {
    xml += pair_scheme(s);
  }
  return xml + "</precice-configuration>\n";
}

std::string Setting::mesh(int p) const {
  std::string xml = fmt::format("<mesh name=\"{}\" dimensions=\"2\">", mesh_of(p));
  for (const Flow& flow : flows) {
    const bool holds = flow.from == p ? flow.kind != Flow::Kind::just_in_time_write
                                      : flow.to == p && !flow.reads_there();
    if (holds) {
      xml += fmt::format("<use-data name=\"{}\"/>", flow.data);
    }
  }
  return xml + "</mesh>\n";
}

std::string Setting::participant(int p) const {
  std::string xml =
      fmt::format("<participant name=\"{}\"><provide-mesh name=\"{}\"/>\n", name_of(p), mesh_of(p));
  std::string rest;
  std::set<std::pair<int, bool>> received;
  for (const Flow& flow : flows) {
    const bool writes = flow.from == p;
    if (!writes && flow.to != p) {
      continue;
    }
    const int partner = writes ? flow.to : flow.from;
    const bool has_access = flow.accessor() == p;
    const bool just_in_time = has_access && flow.kind != Flow::Kind::direct;
    const bool maps = flow.kind != Flow::Kind::direct && writes == flow.ends_there();
    rest += fmt::format("<{}-data name=\"{}\" mesh=\"{}\"/>\n", writes ? "write" : "read",
                        flow.data, mesh_of(has_access ? partner : p));
    if (maps || has_access) {
      received.insert({partner, has_access});
    }
    if (maps) {
      const std::string from = fmt::format(" from=\"{}\"", mesh_of(flow.from));
      const std::string to = fmt::format(" to=\"{}\"", mesh_of(flow.to));
      rest += fmt::format("<mapping:nearest-neighbor{} direction=\"{}\"{}{} constraint=\"{}\"/>\n",
                          flow.gradients ? "-gradient" : "", writes ? "write" : "read",
                          just_in_time && writes ? "" : from, just_in_time && !writes ? "" : to,
                          writes ? "conservative" : "consistent");
    }
  }
  std::set<int> named;
  for (auto at = received.rbegin(); at != received.rend(); ++at) {
    if (named.insert(at->first).second) {
      xml += fmt::format("<receive-mesh name=\"{}\" from=\"{}\"{}/>\n", mesh_of(at->first),
                         name_of(at->first), at->second ? " api-access=\"true\"" : "");
    }
  }
  return xml + rest + "</participant>\n";
}

std::string Setting::pair_scheme(int s) const {
  const Scheme& scheme = schemes[static_cast<std::size_t>(s)];
  const std::string tag =
      fmt::format("coupling-scheme:{}-{}", scheme.serial ? "serial" : "parallel",
                  scheme.iterations > 0 ? "implicit" : "explicit");
  const std::string first = name_of(scheme.first);
  const std::string second = name_of(scheme.second);
  std::string xml =
      fmt::format("<m2n:sockets acceptor=\"{}\" connector=\"{}\"/>\n<{}>", first, second, tag);
  xml += fmt::format("<participants first=\"{}\" second=\"{}\"/>\n", first, second);
  xml += scheme.first_sets_window ? "<time-window-size method=\"first-participant\"/>"
                                  : fmt::format("<time-window-size value=\"{}\"/>", scheme.window);
  if (scheme.max_windows) {
    xml += fmt::format("<max-time-windows value=\"{}\"/>", *scheme.max_windows);
  }
  if (scheme.max_time) {
    xml += fmt::format("<max-time value=\"{}\"/>", *scheme.max_time);
  }
  if (scheme.iterations > 0) {
    xml += fmt::format("<max-iterations value=\"{}\"/>", scheme.iterations);
  }
  return xml + exchanges(s) + acceleration(scheme) + fmt::format("\n</{}>\n", tag);
}

std::string Setting::summary() const {
  std::string text;
  for (int p = 0; p < num_participants(); ++p) {
    text += fmt::format("{} on {} ranks, ", name_of(p), size(p));
  }
  return text + fmt::format("{} lives, {}{}{}", lives, transport, remeshing ? ", remeshing" : "",
                            is_rude ? ", rude" : "");
}

} // namespace walks
