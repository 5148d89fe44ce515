// SPDX-License-Identifier: BSD-3-Clause
// The state of a coupling between two time windows, kept and taken up again.
#include "isthmus/base/error.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/coupling/coupling.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace isthmus::coupling {

bool Coupling::is_between_windows() const {
  return window_complete_ &&
         std::all_of(schemes_.begin(), schemes_.end(), [](const Scheme& scheme) {
           return !scheme.window().ongoing() || scheme.window().time() == scheme.window().start();
         });
}

std::vector<double> Coupling::coordinates_of(const fields::Field& field,
                                             const planning::OwnMeshes& meshes) const {
  if (self_.provides(field.mesh())) {
    const auto places = meshes.at(field.mesh()).coordinates();
    return {places.begin(), places.end()};
  }
  return wiring_.coordinates_of(field, fields_.is_accessed(field));
}

fields::Snapshot Coupling::list_fields(const planning::OwnMeshes& meshes) const {
  fields::Snapshot snapshot;
  for (const fields::Field* field : fields_.all()) {
    const bool accessed = fields_.is_accessed(*field);
    snapshot.fields.push_back(
        {fmt::format("{}:{}{}", field->mesh(), field->data(), accessed ? " of the solver" : ""),
         self_.provides(field->mesh()),
         configuration_.find_mesh(field->mesh())->dimensions,
         field->width(),
         coordinates_of(*field, meshes),
         {field->copies().begin(), field->copies().end()},
         {}});
  }
  return snapshot;
}

fields::Snapshot Coupling::save(const planning::OwnMeshes& meshes) const {
  fields::Snapshot snapshot = list_fields(meshes);
  snapshot.point = {windows_done(), time_};
  const std::vector<fields::Field*> fields = fields_.all();
  std::vector<int> has_values; // on any rank
  std::transform(fields.begin(), fields.end(), std::back_inserter(has_values),
                 [](const fields::Field* field) { return field->wave().empty() ? 0 : 1; });
  comm::allreduce(context_.comm, std::span(has_values), comm::Op::max);

  Writer shared;
  shared.put(time_).put(total_iterations_).put(iteration_log_.sizes()).put_array(has_values);
  for (const Scheme& scheme : schemes_) {
    shared.put(scheme.window().at_start()).put(scheme.behind());
  }
  SampleQueue kept;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (has_values[f] != 0) {
      const time::Waveform& wave = fields[f]->wave();
      kept.keep(*fields[f],
                wave.empty() ? std::span<const double>{} : wave.values(wave.num_samples() - 1));
    }
  }
  if (fixed_point_) {
    fixed_point_->save(shared, kept);
  }
  snapshot.shared = shared.take();
  for (std::size_t f = 0; f < fields.size(); ++f) {
    for (std::vector<double>& sample : kept.all()[fields[f]]) {
      sample.resize(fields[f]->wave().size(), 0.0);
      snapshot.fields[f].samples.push_back(std::move(sample));
    }
  }
  return snapshot;
}

void Coupling::restore(fields::Snapshot snapshot) {
  Reader shared(snapshot.shared);
  time_ = shared.get<double>();
  total_iterations_ = shared.get<int>();
  kept_log_ = shared.get<IterationLog::Sizes>();
  const auto has_values = shared.get_array<int>();
  for (Scheme& scheme : schemes_) {
    scheme.window().resume(shared.get<Window::Start>());
    scheme.resume_behind(shared.get<double>());
  }
  const std::vector<fields::Field*> fields = fields_.all();
  check(has_values.size() == fields.size(), "the restart file holds {} fields, {} are expected",
        has_values.size(), fields.size());
  SampleQueue kept;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    for (const std::vector<double>& sample : snapshot.fields[f].samples) {
      kept.keep(*fields[f], sample);
    }
    fields[f]->discard_written();
    fields[f]->wave().clear();
    if (has_values[f] != 0) {
      fields[f]->wave().append(time_, kept.take(*fields[f]));
    }
  }
  if (fixed_point_) {
    fixed_point_->restore(shared, time_, kept);
  }
  shared.finish();
  starts_iterating_ = implicit_ != nullptr && implicit_->window().ongoing();
}

} // namespace isthmus::coupling
