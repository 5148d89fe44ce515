// SPDX-License-Identifier: BSD-3-Clause
// The mappings of a step: what is written before it travels, what has come before it is read.
#include "isthmus/coupling/coupling.hpp"

#include <algorithm>

namespace isthmus::coupling {

void Coupling::map_written(std::span<Scheme* const> due) {
  const auto scope = context_.trace.scope("map");
  for (fields::FieldMapping& mapping : wiring_.write_mappings()) {
    if (!is_stale(mapping)) {
      map_written(mapping, due);
    }
  }
  if (hooks_.written) {
    hooks_.written();
  }
}

void Coupling::map_written(fields::FieldMapping& mapping, std::span<Scheme* const> due) {
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
    }
  }
}

void Coupling::apply(fields::FieldMapping& mapping, std::size_t sample) {
  const time::Waveform& from = mapping.from->wave();
  const std::span<double> out = mapping.to->wave().append(from.time(sample));
  const std::span<const double> values = from.values(sample);
  mapping.plan->apply(
      context_.comm, mapping.from->components(),
      mapping.plan->use->takes_gradients() ? values : mapping.from->plain(values, plain_), out);
}

/// Maps the samples that are new: all behind the one that opens the window, or the only one.
void Coupling::map_received(const fields::MessageSet& messages) {
  const auto scope = context_.trace.scope("map");
  for (fields::FieldMapping& mapping : wiring_.read_mappings()) {
    if (!fields::holds(messages.incoming(), mapping.from)) {
      continue;
    }
    if (mapping.plan->is_collective()) {
      planning::agree_on_samples(context_.comm, mapping.from->wave());
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

void Coupling::notify_received() {
  if (hooks_.received) {
    hooks_.received();
  }
}

} // namespace isthmus::coupling
