// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/actions/actions.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/config/mapped_data.hpp"
#include "isthmus/config/names.hpp"
#include "isthmus/mesh/measures.hpp"

#include <algorithm>
#include <functional>

namespace isthmus::actions {

namespace {

void invert(std::vector<double>& areas, const config::Action& action) {
  const auto bad = std::find(areas.begin(), areas.end(), 0.0);
  check(bad == areas.end(),
        "<action:{} mesh=\"{}\"> in line {}: vertex id {} has no area; define the edges (2D) or "
        "triangles (3D) around all vertices",
        config::name(action.kind), action.mesh, action.line, bad - areas.begin());
  for (double& area : areas) {
    area = 1 / area;
  }
}

std::unique_ptr<PythonScript> load_script(const config::Action& action) {
  try {
    return std::make_unique<PythonScript>(action.path, action.module);
  } catch (const Error& error) {
    fail("<action:python mesh=\"{}\"> in line {}: {}", action.mesh, action.line, error.what());
  }
}

bool is_later(double time, double done) {
  return time > done && !time::same_time(time, done, time);
}

} // namespace

Actions::Actions(const comm::Comm& comm, const Log& log, const config::Participant& self,
                 fields::FieldSet& fields, const fields::PlannedFields& planned)
    : comm_(comm), log_(log), self_(self), planned_(planned) {
  for (const config::Action& action : self.actions) {
    if (action.kind == config::ActionKind::recorder) {
      continue; // does nothing that could be seen
    }
    Act& act = acts_.emplace_back();
    act.settings = &action;
    if (!action.target_data.empty()) {
      act.target = &fields.at(action.mesh, action.target_data);
    }
    if (act.target != nullptr && action.timing == config::ActionTiming::read_mapping_post) {
      act.target->observe(fields::Field::Observed::steps);
    }
    for (const std::string& source : action.source_data) {
      act.sources.push_back(&fields.at(action.mesh, source));
      act.sources.back()->observe(fields::Field::Observed::steps);
    }
  }
}

void Actions::prepare(const mesh::OwnMeshes& meshes) {
  for (Act& act : acts_) {
    const config::Action& action = *act.settings;
    if (action.kind == config::ActionKind::python && !act.script) {
      comm::agree(comm_, [&act, &action] { act.script = load_script(action); });
    }
    if (!action.needs_areas() || !self_.provides(action.mesh)) {
      continue;
    }
    const mesh::Mesh& mesh = meshes.at(action.mesh);
    const int dimension = comm::allreduce(comm_, mesh::surface_dimension(mesh), comm::Op::max);
    act.factors = mesh::vertex_measures(mesh, dimension);
    comm::agree(comm_, [&act, &action] {
      if (action.kind == config::ActionKind::divide_by_area) {
        invert(act.factors, action);
      }
    });
  }
}

/// Received meshes have come: how their vertices count.
void Actions::weigh() {
  weighed_ = planned_.num_taken_up();
  for (Act& act : acts_) {
    const config::Action& action = *act.settings;
    if (self_.provides(action.mesh) || !action.needs_areas()) {
      continue;
    }
    act.factors.clear();
    if (const planning::HeldMesh* held = planned_.held(action.mesh)) {
      for (const LocalIndex vertex : planned_.vertices_of(*act.target)) {
        act.factors.push_back(held->measures[static_cast<std::size_t>(vertex)]);
      }
    }
    comm::agree(comm_, [&act, &action] {
      if (action.kind == config::ActionKind::divide_by_area) {
        invert(act.factors, action);
      }
    });
  }
}

void Actions::run(config::ActionTiming timing, double time) {
  if (weighed_ != planned_.num_taken_up()) {
    weigh();
  }
  for (Act& act : acts_) {
    if (act.settings->timing != timing) {
      continue;
    }
    if (act.script) {
      comm::agree(comm_, [this, &act, time] { call(act, time); });
    } else if (act.sources.empty()) {
      scale(act);
    } else {
      sum(act);
    }
  }
}

void Actions::rewind(config::ActionTiming timing, double time,
                     const std::function<double(const fields::Field&)>& from) {
  for (Act& act : acts_) {
    if (act.settings->timing != timing) {
      continue;
    }
    if (act.target == nullptr && act.sources.empty()) {
      act.done = std::min(act.done, time);
    }
    if (act.target != nullptr) {
      act.done = std::min(act.done, from(*act.target));
    }
    for (const fields::Field* source : act.sources) {
      act.done = std::min(act.done, from(*source));
    }
  }
}

void Actions::act_again(const fields::Field& target) {
  for (Act& act : acts_) {
    if (act.target != nullptr &&
        (act.target == &target || fields::is_made_of(*act.target, target))) {
      act.done = not_yet;
    }
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
    if (!is_later(wave.time(s), act.done)) {
      continue;
    }
    const auto values = wave.values(s);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] *= act.factors[i / width];
    }
    act.done = wave.time(s);
  }
}

/// The target gets the samples of the first source that has any; sources that are not there do not
/// count.
void Actions::sum(Act& act) const {
  const auto found =
      std::find_if(act.sources.begin(), act.sources.end(),
                   [](const fields::Field* source) { return !source->wave().empty(); });
  act.target->wave().clear();
  if (found == act.sources.end()) {
    return;
  }
  const time::Waveform& first = (*found)->wave();
  fit_target(act, **found);
  const FieldView target(*act.target, planned_, act.target->width());
  std::vector<FieldView> sources;
  for (const fields::Field* source : act.sources) {
    sources.emplace_back(*source, planned_, source->width());
  }
  std::vector<double> addend;
  std::vector<double> seen;
  for (std::size_t s = 0; s < first.num_samples(); ++s) {
    seen.assign(target.size(), 0.0);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const time::Waveform& wave = act.sources[i]->wave();
      if (!wave.empty() && sources[i].size() == seen.size()) {
        addend.resize(wave.size());
        wave.evaluate(first.time(s), {}, act.sources[i]->width(), addend);
        sources[i].add(addend, seen);
      }
    }
    target.take(seen, act.target->wave().append(first.time(s)));
  }
}

/// A target that the solver writes, or a mapping brings, or that arrives, is changed; another one
/// is made from zeros.
void Actions::call(Act& act, double time) const {
  const fields::Field* const source = act.sources.empty() ? nullptr : act.sources.front();
  if (act.target != nullptr && source != nullptr && !act.makes_target) {
    const time::Waveform& wave = act.target->wave();
    act.makes_target = wave.first_after(act.done) == wave.num_samples() &&
                       source->wave().first_after(act.done) < source->wave().num_samples() &&
                       !config::is_brought(self_, act.target->data(), act.target->mesh());
  }
  if (act.target == nullptr && source == nullptr) {
    if (is_later(time, act.done)) {
      act.script->perform(time, {}, {});
      act.done = time;
    }
  } else if (act.makes_target) {
    make_target(act);
  } else {
    call_for_samples(act, act.target != nullptr ? act.target->wave() : act.sources.front()->wave());
  }
}

void Actions::make_target(Act& act) const {
  const fields::Field& source = *act.sources.front();
  fit_target(act, source);
  time::Waveform& wave = act.target->wave();
  wave.drop_after(act.done);
  for (std::size_t s = source.wave().first_after(act.done); s < source.wave().num_samples(); ++s) {
    const auto values = wave.append(source.wave().time(s));
    std::fill(values.begin(), values.end(), 0.0);
  }
  if (wave.num_samples() > source.wave().num_samples()) { // of windows that are over
    wave.drop_until(wave.time(wave.num_samples() - source.wave().num_samples() - 1));
  }
  call_for_samples(act, wave);
}

/// Where nobody else fills the target, nobody else has given it a size.
void Actions::fit_target(Act& act, const fields::Field& source) const {
  const std::size_t num_vertices =
      self_.provides(act.target->mesh())
          ? source.wave().size() / static_cast<std::size_t>(source.width())
          : planned_.vertices_of(*act.target).size();
  const std::size_t size = num_vertices * static_cast<std::size_t>(act.target->width());
  if (act.target->wave().size() != size) {
    act.target->wave().reset(size);
  }
}

void Actions::call_for_samples(Act& act, const time::Waveform& of) const {
  const fields::Field* const source = act.sources.empty() ? nullptr : act.sources.front();
  std::optional<FieldView> source_view;
  std::optional<FieldView> target_view;
  if (source != nullptr) {
    source_view.emplace(*source, planned_, source->components());
  }
  if (act.target != nullptr) {
    target_view.emplace(*act.target, planned_, act.target->components());
  }
  std::vector<double> values;
  std::vector<double> from;
  std::vector<double> to;
  for (std::size_t s = of.first_after(act.done); s < of.num_samples(); ++s) {
    const double time = of.time(s);
    if (source_view) {
      values.resize(source->wave().size());
      source->wave().evaluate(time, {}, 1, values);
      from.assign(source_view->size(), 0.0);
      source_view->add(values, from);
    }
    if (target_view) {
      to.assign(target_view->size(), 0.0);
      target_view->add(act.target->wave().values(s), to);
    }
    act.script->perform(time,
                        source_view ? std::optional<std::span<const double>>(from) : std::nullopt,
                        target_view ? std::optional<std::span<double>>(to) : std::nullopt);
    if (target_view) {
      target_view->take(to, act.target->wave().values(s));
      warn_of_lost(act, target_view->num_lost(to));
    }
    act.done = time;
  }
}

/// Values that a script sets where nothing brings data to the partner.
void Actions::warn_of_lost(Act& act, std::size_t num_vertices) const {
  if (num_vertices == 0 || act.has_warned ||
      act.settings->timing != config::ActionTiming::write_mapping_post) {
    return;
  }
  act.has_warned = true;
  log_.warning(
      "<action:python mesh=\"{}\"> in line {}: data \"{}\" are not sent for {} vertices where the "
      "script has set them, since no mapping brings data of it there",
      act.settings->mesh, act.settings->line, act.target->data(), num_vertices);
}

} // namespace isthmus::actions
