// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/actions/actions.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
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

std::unique_ptr<PythonScript> load(const config::Action& action) {
  try {
    return std::make_unique<PythonScript>(action.path, action.module);
  } catch (const Error& error) {
    fail("<action:python mesh=\"{}\"> in line {}: {}", action.mesh, action.line, error.what());
  }
}

/// A script sees two data vertex by vertex; two mappings may bring them to different vertices.
void refuse_other_vertices(const config::Action& action, const fields::PlannedFields& planned,
                           const fields::Field& source, const fields::Field& target) {
  const auto& mappings = planned.write_mappings();
  const auto is_mapped = [&mappings](const fields::Field& field) {
    return std::any_of(mappings.begin(), mappings.end(),
                       [&field](const auto& mapping) { return mapping.to == &field; });
  };
  check(!is_mapped(source) || !is_mapped(target) ||
            planned.vertices_of(source) == planned.vertices_of(target),
        "<action:python mesh=\"{}\"> in line {}: data \"{}\" and \"{}\" are mapped to different "
        "vertices, and the script cannot see them side by side; map both by one mapping",
        action.mesh, action.line, source.data(), target.data());
}

bool is_later(double time, double done) {
  return time > done && !time::same_time(time, done, time);
}

} // namespace

Actions::Actions(const comm::Comm& comm, const config::Participant& self, fields::FieldSet& fields)
    : comm_(comm), self_(self) {
  for (const config::Action& action : self.actions) {
    if (action.kind == config::ActionKind::recorder) {
      continue; // does nothing that could be seen
    }
    Act& act = acts_.emplace_back();
    act.settings = &action;
    if (!action.target_data.empty()) {
      act.target = &fields.at(action.mesh, action.target_data);
    }
    for (const std::string& source : action.source_data) {
      act.sources.push_back(&fields.at(action.mesh, source));
      act.sources.back()->watch(fields::Field::Watch::steps);
    }
  }
}

void Actions::prepare(const planning::OwnMeshes& meshes) {
  for (Act& act : acts_) {
    const config::Action& action = *act.settings;
    if (action.kind == config::ActionKind::python && !act.script) {
      comm::agree(comm_, [&act, &action] { act.script = load(action); });
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

void Actions::weigh(const fields::PlannedFields& planned) {
  for (Act& act : acts_) {
    const config::Action& action = *act.settings;
    if (self_.provides(action.mesh)) {
      continue;
    }
    if (action.joins_data()) {
      comm::agree(comm_, [&act, &action, &planned] {
        if (planned.held(action.mesh) != nullptr) {
          refuse_other_vertices(action, planned, *act.sources.front(), *act.target);
        }
      });
    }
    if (!action.needs_areas()) {
      continue;
    }
    act.factors.clear();
    if (const planning::HeldMesh* held = planned.held(action.mesh)) {
      for (const LocalIndex vertex : planned.vertices_of(*act.target)) {
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
    if (act.target == &target) {
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

/// The target gets the samples of the first source that has any. Where it is put together from
/// parts each source counts in its own one; sources that are not there do not count.
void Actions::sum(Act& act) {
  const auto found =
      std::find_if(act.sources.begin(), act.sources.end(),
                   [](const fields::Field* source) { return !source->wave().empty(); });
  time::Waveform& wave = act.target->wave();
  wave.clear();
  if (found == act.sources.end()) {
    return;
  }
  const time::Waveform& first = (*found)->wave();
  const auto parts = act.target->parts();
  if (wave.size() != first.size() && parts.empty()) {
    wave.reset(first.size()); // nobody else fills it
  }
  std::vector<double> addend;
  for (std::size_t s = 0; s < first.num_samples(); ++s) {
    const std::span<double> values = wave.append(first.time(s));
    std::fill(values.begin(), values.end(), 0.0);
    for (const fields::Field* source : act.sources) {
      const auto part = std::find_if(parts.begin(), parts.end(),
                                     [source](const auto& one) { return one.of == source; });
      if (parts.empty() ? source->wave().size() != first.size() : part == parts.end()) {
        continue;
      }
      const auto width = static_cast<std::size_t>(source->width());
      const std::size_t from = parts.empty() ? 0 : static_cast<std::size_t>(part->first) * width;
      addend.resize(source->wave().size());
      source->wave().evaluate(first.time(s), {}, source->width(), addend);
      const auto to = values.begin() + static_cast<std::ptrdiff_t>(from);
      std::transform(addend.begin(), addend.end(), to, to, std::plus<>());
    }
  }
}

/// A target that the solver writes, or that arrives, is changed; another one is made from zeros.
void Actions::call(Act& act, double time) const {
  const fields::Field* const source = act.sources.empty() ? nullptr : act.sources.front();
  if (act.target != nullptr && source != nullptr && !act.makes_target) {
    const time::Waveform& wave = act.target->wave();
    act.makes_target = wave.first_after(act.done) == wave.num_samples() &&
                       source->wave().first_after(act.done) < source->wave().num_samples() &&
                       !self_.writes(act.target->data(), act.target->mesh());
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

void Actions::make_target(Act& act) {
  const fields::Field& source = *act.sources.front();
  time::Waveform& wave = act.target->wave();
  const std::size_t size = source.wave().size() / static_cast<std::size_t>(source.width()) *
                           static_cast<std::size_t>(act.target->width());
  if (wave.size() != size) {
    wave.reset(size);
  }
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

void Actions::call_for_samples(Act& act, const time::Waveform& of) {
  std::vector<double> from;
  for (std::size_t s = of.first_after(act.done); s < of.num_samples(); ++s) {
    std::optional<std::span<const double>> source;
    std::optional<std::span<double>> target;
    if (!act.sources.empty()) {
      const time::Waveform& wave = act.sources.front()->wave();
      from.resize(wave.size());
      wave.evaluate(of.time(s), {}, 1, from);
      source = from;
    }
    if (act.target != nullptr) {
      target = act.target->wave().values(s);
    }
    act.script->perform(of.time(s), source, target);
    act.done = of.time(s);
  }
}

} // namespace isthmus::actions
