// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/restart.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/time/waveform.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace isthmus::coupling {

namespace {

/// Where a participant can go on from.
struct RestartPoints {
  static constexpr transport::Kind kind = transport::Kind::restart_points;
  bool continues = false; // an earlier run
  std::vector<RestartPoint> list;

  void write(Writer& writer) const { writer.put(continues).put_array(list); }
  static RestartPoints read(Reader& reader) {
    const bool continues = reader.get<bool>();
    return {continues, reader.get_array<RestartPoint>()};
  }
};

std::string described(const std::vector<RestartPoint>& points) {
  std::string text;
  for (const RestartPoint& point : points) {
    text += fmt::format("{}{} (time {})", text.empty() ? "" : ", ", point.window, point.time);
  }
  return text.empty() ? "none" : text;
}

/// Removes the points that the partner does not have. Windows are distinguished by time: where
/// schemes differ, so do the numbers.
void keep_common(std::vector<RestartPoint>& points, const std::vector<RestartPoint>& others,
                 const std::string& self, const std::string& partner) {
  const std::string own = described(points);
  std::erase_if(points, [&others](const RestartPoint& point) {
    return std::none_of(others.begin(), others.end(), [&point](const RestartPoint& other) {
      return time::same_time(point.time, other.time, point.time);
    });
  });
  check(!points.empty(),
        "participants \"{}\" and \"{}\" cannot continue from the same time window: \"{}\" has {}, "
        "\"{}\" has {}; choose one that both have with ISTHMUS_RESTART",
        self, partner, self, own, partner, described(others));
}

} // namespace

std::optional<RestartPoint> agree_on_start(std::map<std::string, partner::Connection>& connections,
                                           const std::string& self, std::size_t num_participants,
                                           const std::optional<std::vector<RestartPoint>>& own) {
  std::vector<RestartPoint> points = own.value_or(std::vector<RestartPoint>{});
  // what one participant lacks has to reach all others, along chains of partners
  const std::size_t rounds = own ? std::max<std::size_t>(num_participants, 2) - 1 : 1;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (auto& [partner, connection] : connections) {
      const RestartPoints others = connection.swap(RestartPoints{own.has_value(), points});
      check(others.continues == own.has_value(),
            "participant \"{}\" continues an earlier run and participant \"{}\" starts anew; set "
            "ISTHMUS_RESTART for all participants or for none",
            others.continues ? partner : self, others.continues ? self : partner);
      if (own) {
        keep_common(points, others.list, self, partner);
      }
    }
  }
  if (!own) {
    return {};
  }
  return *std::max_element(points.begin(), points.end(),
                           [](const auto& a, const auto& b) { return a.time < b.time; });
}

Snapshot list_fields(const StepParts& step) {
  Snapshot snapshot;
  for (const fields::Field* field : step.fields.all()) {
    const bool accessed = step.fields.is_accessed(*field);
    snapshot.fields.push_back(
        {fmt::format("{}:{}{}", field->mesh(), field->data(), accessed ? " of the solver" : ""),
         step.self.provides(field->mesh()),
         step.planned.dimensions_of(*field),
         field->width(),
         step.planned.coordinates_of(*field),
         {field->ghosts().begin(), field->ghosts().end()},
         {}});
  }
  return snapshot;
}

Snapshot save(const StepParts& step, const Iterations& iterations) {
  Snapshot snapshot = list_fields(step);
  snapshot.point = {step.schedule.windows_done(), step.schedule.time()};
  const std::vector<fields::Field*> fields = step.fields.all();
  std::vector<int> has_values; // on any rank
  std::transform(fields.begin(), fields.end(), std::back_inserter(has_values),
                 [](const fields::Field* field) { return field->wave().empty() ? 0 : 1; });
  comm::allreduce(step.context.comm, std::span(has_values), comm::Op::max);

  Writer shared;
  shared.put(step.schedule.time());
  iterations.save_counts(shared);
  shared.put_array(has_values);
  for (const Scheme& scheme : step.schedule.schemes()) {
    shared.put(scheme.window().at_start()).put(scheme.behind());
  }
  iteration::SampleQueue kept;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (has_values[f] != 0) {
      const time::Waveform& wave = fields[f]->wave();
      kept.keep(*fields[f],
                wave.empty() ? std::span<const double>{} : wave.values(wave.num_samples() - 1));
    }
  }
  iterations.save_memory(shared, kept);
  snapshot.shared = shared.take();
  for (std::size_t f = 0; f < fields.size(); ++f) {
    for (std::vector<double>& sample : kept.all()[fields[f]]) {
      sample.resize(fields[f]->wave().size(), 0.0);
      snapshot.fields[f].samples.push_back(std::move(sample));
    }
  }
  return snapshot;
}

void restore(const Snapshot& snapshot, StepParts& step, Iterations& iterations) {
  Reader shared(snapshot.shared);
  const auto time = shared.get<double>();
  step.schedule.resume(time);
  iterations.restore_counts(shared);
  const auto has_values = shared.get_array<int>();
  for (Scheme& scheme : step.schedule.schemes()) {
    scheme.window().resume(shared.get<Window::Start>());
    scheme.resume_behind(shared.get<double>());
  }
  const std::vector<fields::Field*> fields = step.fields.all();
  check(has_values.size() == fields.size(), "the restart file contains {} fields, {} are expected",
        has_values.size(), fields.size());
  iteration::SampleQueue kept;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    for (const std::vector<double>& sample : snapshot.fields[f].samples) {
      kept.keep(*fields[f], sample);
    }
    fields[f]->discard_written();
    fields[f]->wave().clear();
    if (has_values[f] != 0) {
      fields[f]->wave().append(time, kept.take(*fields[f]));
    }
  }
  iterations.restore_memory(shared, time, kept);
  shared.finish();
}

} // namespace isthmus::coupling
