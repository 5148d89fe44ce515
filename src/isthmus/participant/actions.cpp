// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/actions.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/mesh/measures.hpp"

#include <algorithm>
#include <functional>

namespace isthmus::participant {

namespace {

void invert(std::vector<double>& areas, const config::Action& action) {
  const auto bad = std::find(areas.begin(), areas.end(), 0.0);
  check(bad == areas.end(),
        "<action:{} mesh=\"{}\"> in line {}: vertex id {} has no area; define the edges (2D) or "
        "triangles (3D) around all vertices",
        action.kind, action.mesh, action.line, bad - areas.begin());
  for (double& area : areas) {
    area = 1 / area;
  }
}

} // namespace

Actions::Actions(const config::Participant& self, coupling::FieldSet& fields) {
  for (const config::Action& action : self.actions) {
    if (action.target_data.empty()) {
      continue; // <action:recorder> does nothing that could be seen
    }
    Act& act =
        acts_.emplace_back(Act{&action, {}, &fields.at(action.mesh, action.target_data), {}});
    for (const std::string& source : action.source_data) {
      act.sources.push_back(&fields.at(action.mesh, source));
      act.sources.back()->watch(coupling::Field::Watch::steps);
    }
  }
}

void Actions::prepare(const comm::Comm& comm, const coupling::FindMesh& own_mesh) {
  for (Act& act : acts_) {
    const config::Action& action = *act.settings;
    if (!action.needs_areas()) {
      continue;
    }
    const mesh::Mesh& mesh = own_mesh(action.mesh);
    const int dimension = comm::allreduce(comm, mesh::cell_dimension(mesh), comm::Op::max);
    act.factors = mesh::vertex_measures(mesh, dimension);
    comm::agree(comm, [&act, &action] {
      if (action.kind == "divide-by-area") {
        invert(act.factors, action);
      }
    });
  }
}

void Actions::run(std::string_view timing) {
  for (Act& act : acts_) {
    if (act.settings->timing != timing) {
      continue;
    }
    if (act.sources.empty()) {
      scale(act);
    } else {
      sum(act);
    }
  }
}

void Actions::rewind(double time) {
  for (Act& act : acts_) {
    act.done = std::min(act.done, time);
  }
}

void Actions::resume(double time) {
  for (Act& act : acts_) {
    act.done = time;
  }
}

void Actions::scale(Act& act) {
  time::Waveform& wave = act.target->wave();
  const auto width = static_cast<std::size_t>(act.target->width());
  for (std::size_t s = 0; s < wave.num_samples(); ++s) {
    if (wave.time(s) <= act.done || time::same_time(wave.time(s), act.done, wave.time(s))) {
      continue;
    }
    const auto values = wave.values(s);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] *= act.factors[i / width];
    }
    act.done = wave.time(s);
  }
}

/// The target gets the samples of the first source.
void Actions::sum(Act& act) {
  const time::Waveform& first = act.sources.front()->wave();
  time::Waveform& wave = act.target->wave();
  if (wave.size() != first.size()) {
    wave.reset(first.size()); // nobody else fills it
  }
  std::vector<double> addend(first.size());
  wave.clear();
  for (std::size_t s = 0; s < first.num_samples(); ++s) {
    const std::span<double> values = wave.append(first.time(s));
    std::fill(values.begin(), values.end(), 0.0);
    for (const coupling::Field* source : act.sources) {
      source->wave().evaluate(first.time(s), {}, source->width(), addend);
      std::transform(values.begin(), values.end(), addend.begin(), values.begin(), std::plus<>());
    }
  }
}

} // namespace isthmus::participant
