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
}

std::string Setting::configuration() const {
  std::string xml = remeshing
                        ? "<precice-configuration experimental=\"true\" allow-remeshing=\"true\">\n"
                        : "<precice-configuration>\n";
  xml += "<log enabled=\"false\"/>\n";
  for (const Flow& flow : flows) {
    xml += fmt::format("<data:{} name=\"{}\"/>\n", flow.components == 1 ? "scalar" : "vector",
                       flow.data);
  }
  for (int p = 0; p < num_participants(); ++p) {
    xml += fmt::format("<mesh name=\"{}\" dimensions=\"2\">", mesh_of(p));
    for (const Flow& flow : flows) {
      if (flow.from == p || (flow.to == p && flow.kind != Flow::Kind::direct)) {
        xml += fmt::format("<use-data name=\"{}\"/>", flow.data);
      }
    }
    xml += "</mesh>\n";
  }
  for (int p = 0; p < num_participants(); ++p) {
    xml += fmt::format("<participant name=\"{}\"><provide-mesh name=\"{}\"/>\n", name_of(p),
                       mesh_of(p));
    std::string rest;
    std::set<std::pair<int, bool>> received;
    for (const Flow& flow : flows) {
      const bool writes = flow.from == p;
      if (!writes && flow.to != p) {
        continue;
      }
      const int partner = writes ? flow.to : flow.from;
      const bool direct = flow.kind == Flow::Kind::direct;
      const bool maps = writes == (flow.kind == Flow::Kind::write_mapping);
      rest += fmt::format("<{}-data name=\"{}\" mesh=\"{}\"/>\n", writes ? "write" : "read",
                          flow.data, mesh_of(!writes && direct ? partner : p));
      if ((maps && !direct) || (!writes && direct)) {
        received.insert({partner, direct});
      }
      if (maps && !direct) {
        rest += fmt::format(
            "<mapping:nearest-neighbor direction=\"{}\" from=\"{}\" to=\"{}\" "
            "constraint=\"{}\"/>\n",
            writes ? "write" : "read", mesh_of(flow.from), mesh_of(flow.to),
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
    xml += rest + "</participant>\n";
  }
  for (std::size_t s = 0; s < schemes.size(); ++s) {
    const Scheme& scheme = schemes[s];
    const std::string tag =
        fmt::format("coupling-scheme:{}-{}", scheme.serial ? "serial" : "parallel",
                    scheme.iterations > 0 ? "implicit" : "explicit");
    const std::string first = name_of(scheme.first);
    const std::string second = name_of(scheme.second);
    xml += fmt::format("<m2n:sockets acceptor=\"{}\" connector=\"{}\"/>\n<{}>", first, second, tag);
    xml += fmt::format("<participants first=\"{}\" second=\"{}\"/>\n", first, second);
    xml += scheme.first_sets_window
               ? "<time-window-size method=\"first-participant\"/>"
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
    for (const Flow& flow : flows) {
      if (flow.scheme == static_cast<int>(s)) {
        const int mesh = flow.kind == Flow::Kind::write_mapping ? flow.to : flow.from;
        xml += fmt::format(
            "\n<exchange data=\"{}\" mesh=\"{}\" from=\"{}\" to=\"{}\" initialize=\"{}\" "
            "substeps=\"{}\"/>",
            flow.data, mesh_of(mesh), name_of(flow.from), name_of(flow.to), flow.initialize,
            flow.substeps);
      }
    }
    xml += fmt::format("\n</{}>\n", tag);
  }
  return xml + "</precice-configuration>\n";
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
