// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/step/step_mappings.hpp"

#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

namespace isthmus::coupling {

namespace {

/// Of a received mesh to which the solver has access: it sees what actions have made of the data.
void copy_again(const comm::Comm& comm, fields::FieldMapping& mapping) {
  const time::Waveform& from = mapping.from->wave();
  time::Waveform& to = mapping.to->wave();
  std::vector<double> plain;
  for (std::size_t s = 0; s < to.num_samples(); ++s) {
    for (std::size_t changed = 0; changed < from.num_samples(); ++changed) {
      if (from.time(changed) == to.time(s)) {
        mapping.plan->apply(comm, mapping.from->components(),
                            fields::plain(*mapping.from, from.values(changed), plain),
                            to.values(s));
      }
    }
  }
}

/// Collective. Ranks that no vertex was sent to take the times of the samples from one that got
/// some: systems are solved, integrals summed and values handed over by all ranks for each sample.
void agree_on_samples(const comm::Comm& comm, time::Waveform& wave) {
  const bool received = wave.size() > 0;
  std::array<int, 2> least{received ? comm.rank() : comm.size(), received ? 1 : 0};
  comm::allreduce(comm, std::span<int>(least), comm::Op::min);
  const auto [sender, all_received] = least;
  if (all_received == 1 || sender == comm.size()) {
    return;
  }
  std::vector<double> times;
  for (std::size_t s = 0; s < wave.num_samples(); ++s) {
    times.push_back(wave.time(s));
  }
  comm::bcast(comm, times, sender);
  if (!received) {
    wave.clear();
    for (const double time : times) {
      static_cast<void>(wave.append(time)); // no values
    }
  }
}

} // namespace

void StepMappings::map_written(std::span<Scheme* const> due) {
  const auto scope = context_.trace.scope("map");
  for (fields::FieldMapping& mapping : planned_.write_mappings()) {
    if (!resets_.are_stale(mapping)) {
      map_written(mapping, due);
    }
  }
  notify_written();
}

void StepMappings::map_written_for(std::span<const fields::Renewal> renewals,
                                   std::span<Scheme* const> due) {
  for (fields::FieldMapping& mapping : planned_.write_mappings()) {
    const std::string& partner = self_.receives(mapping.to->mesh())->from;
    const bool is_renewed = std::any_of(
        renewals.begin(), renewals.end(),
        [&partner](const fields::Renewal& renewal) { return renewal.partner == partner; });
    if (is_renewed && map_written(mapping, due)) {
      hooks_.mapped_again(*mapping.to);
    }
  }
  notify_written();
}

bool StepMappings::map_written(fields::FieldMapping& mapping, std::span<Scheme* const> due) {
  bool is_sent = false;
  const time::Waveform& from = mapping.from->wave();
  for (const Scheme* scheme : due) {
    const fields::Carried carried = fields::carried(scheme->regular().outgoing(), *mapping.to);
    if (carried != fields::Carried::nothing && !from.empty()) {
      mapping.to->wave().clear();
      const std::size_t count = from.num_samples();
      const fields::Extract extract = scheme->extract();
      const bool all = carried == fields::Carried::all_samples;
      const std::size_t first = all ? from.first_after(extract.after) : extract.single(from);
      for (std::size_t s = first; s < (all ? count : first + 1); ++s) {
        apply(mapping, s);
      }
      if (!all) {
        mapping.to->wave().set_last_time(from.time(count - 1));
      }
      is_sent = true;
    }
  }
  return is_sent;
}

void StepMappings::map_initial(std::list<Scheme>& schemes) {
  for (Scheme& scheme : schemes) {
    for (const fields::Item& item : scheme.initial().outgoing()) {
      bool is_mapped = false;
      for (fields::FieldMapping& mapping : planned_.write_mappings()) {
        if (mapping.to == item.field || fields::is_made_of(*item.field, *mapping.to)) {
          is_mapped = true;
          if (mapping.from->wave().empty()) {
            mapping.from->store_written(0);
          }
          mapping.to->wave().clear();
          apply(mapping, 0);
        }
      }
      if (!is_mapped && item.field->wave().empty()) {
        item.field->store_written(0);
      }
    }
  }
  notify_written();
}

void StepMappings::apply(fields::FieldMapping& mapping, std::size_t sample) {
  const time::Waveform& from = mapping.from->wave();
  const std::span<double> all = mapping.to->wave().append(from.time(sample));
  // behind what is mapped stands what actions make of other data
  const auto size = static_cast<std::size_t>(mapping.plan->num_results()) *
                    static_cast<std::size_t>(mapping.to->width());
  const std::span<double> out = mapping.to->parts().empty() ? all : all.first(size);
  std::fill(all.begin() + static_cast<std::ptrdiff_t>(out.size()), all.end(), 0.0);
  const std::span<const double> values = from.values(sample);
  mapping.plan->apply(
      context_.comm, mapping.from->components(),
      mapping.plan->use->takes_gradients() ? values : fields::plain(*mapping.from, values, plain_),
      out);
}

void StepMappings::map_received(const fields::MessageSet& messages) {
  const auto scope = context_.trace.scope("map");
  for (fields::FieldMapping& mapping : planned_.read_mappings()) {
    if (!fields::contains(messages.incoming(), mapping.from)) {
      continue;
    }
    // an action sees the same samples on ranks that no vertex was sent to
    const bool is_acted_on = mapping.to->observed() == fields::Field::Observed::steps;
    if (mapping.plan->is_collective() || is_acted_on) {
      agree_on_samples(context_.comm, mapping.from->wave());
    }
    const time::Waveform& from = mapping.from->wave();
    const std::size_t count = from.num_samples();
    if (count <= 1) {
      mapping.to->wave().clear();
    } else {
      mapping.to->wave().drop_after(from.time(0));
      mapping.to->wave().keep_last();
    }
    for (std::size_t s = count > 1 ? 1 : 0; s < count; ++s) {
      apply(mapping, s);
    }
  }
}

void StepMappings::notify_written() {
  hooks_.written();
}

void StepMappings::notify_received() {
  hooks_.received();
  for (fields::FieldMapping& mapping : planned_.read_mappings()) {
    const bool is_changed =
        std::any_of(self_.actions.begin(), self_.actions.end(), [&](const config::Action& action) {
          return action.timing == config::ActionTiming::read_mapping_post &&
                 action.mesh == mapping.from->mesh();
        });
    if (mapping.plan->use->direct && is_changed) {
      copy_again(context_.comm, mapping);
    }
  }
}

} // namespace isthmus::coupling
