// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/session/introduction.hpp"

#include "isthmus/config/names.hpp"
#include "isthmus/connect/handshake.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace isthmus::participant {

namespace {

/// "relative 1e-05 of Flux on Wall"
std::string limit_of(const config::ConvergenceMeasure& measure) {
  std::string_view kind = config::name(measure.kind);
  kind.remove_suffix(std::string_view("-convergence-measure").size());
  const std::string limit = measure.kind == config::MeasureKind::absolute_or_relative
                                ? fmt::format("{:g} or {:g}", measure.abs_limit, measure.limit)
                                : fmt::format("{:g}", measure.limit);
  return fmt::format("{} {} of {} on {}", kind, limit, measure.data, measure.mesh);
}

std::string iterations_of(const config::CouplingScheme& scheme) {
  std::string text = fmt::format("; at least {}", scheme.min_iterations);
  if (scheme.max_iterations) {
    text += fmt::format(" and at most {}", *scheme.max_iterations);
  }
  text += " iterations of a window, ";
  text += scheme.acceleration ? config::name(scheme.acceleration->kind) : "no acceleration";
  std::vector<std::string> limits;
  for (const config::ConvergenceMeasure& measure : scheme.measures) {
    limits.push_back(limit_of(measure));
  }
  return text + (limits.empty() ? "" : fmt::format(", until {}", fmt::join(limits, ", ")));
}

} // namespace

std::string sentence_of(const config::CouplingScheme& scheme) {
  std::string text = fmt::format("coupling {} of \"{}\": ", config::name(scheme.kind),
                                 fmt::join(scheme.participants, "\", \""));
  text += scheme.time_window.set_by_first_participant
              ? "time windows as the first participant sets them"
              : fmt::format("time windows of {:g}", scheme.time_window.size);
  if (scheme.max_time) {
    text += fmt::format(", until time {:g}", *scheme.max_time);
  }
  if (scheme.max_time_windows) {
    text += fmt::format(", at most {}", *scheme.max_time_windows);
  }
  return text + (scheme.implicit() ? iterations_of(scheme) : "");
}

void introduce(const Log& log, const config::Configuration& configuration,
               const config::Participant& self, int num_ranks, std::string_view interface) {
  if (log.is_silent()) {
    return;
  }
  std::error_code unknown;
  log.info(
      "Isthmus {}{}: participant \"{}\" on {} rank{}, configuration \"{}\", working directory {}",
      connect::library_version(),
      interface.empty() ? "" : fmt::format(", with the interface of {}", interface), self.name,
      num_ranks, num_ranks == 1 ? "" : "s", configuration.file,
      std::filesystem::current_path(unknown).string());
  for (const config::CouplingScheme& scheme : configuration.schemes) {
    if (scheme.involves(self.name)) {
      log.info("{}", sentence_of(scheme));
    }
  }
}

} // namespace isthmus::participant
