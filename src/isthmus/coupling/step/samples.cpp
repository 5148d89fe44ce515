// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/step/samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace isthmus::coupling {

namespace {

bool is_later(double time, double other) {
  return time > other && !time::same_time(time, other, time);
}

} // namespace

void Samples::start_received() {
  const auto zero_at_start = [](fields::Field& field) {
    field.wave().clear();
    const auto values = field.wave().append(0);
    std::fill(values.begin(), values.end(), 0.0);
  };
  for (const Scheme& scheme : schedule_.schemes()) {
    for (const fields::Item& item : scheme.regular().incoming()) {
      zero_at_start(*item.field);
    }
  }
  for (const fields::FieldMapping& mapping : planned_.read_mappings()) {
    zero_at_start(*mapping.to);
  }
}

void Samples::clear_written() {
  for (const Scheme& scheme : schedule_.schemes()) {
    for (const fields::Item& item : scheme.regular().outgoing()) {
      item.field->wave().clear();
    }
  }
  for (const config::UseData& use : self_.written) {
    fields::Field& field = fields_.of_solver(use.mesh, use.name);
    field.wave().clear();
    field.discard_written();
  }
}

void Samples::store_written(std::span<Scheme* const> due) {
  const fields::Field::Observed ended =
      due.empty() ? fields::Field::Observed::steps : fields::Field::Observed::window_ends;
  const auto& schemes = schedule_.schemes();
  const auto wanted = [&](const fields::Field& field) {
    return std::any_of(schemes.begin(), schemes.end(), [&](const Scheme& scheme) {
      // beside an implicit scheme what stood at any end of a window may be sent later
      const bool ends = scheme.is_implicit() || schedule_.implicit() == nullptr
                            ? std::find(due.begin(), due.end(), &scheme) != due.end()
                            : !due.empty();
      return fields::carried(scheme.regular().outgoing(), field) >=
             (ends ? fields::Carried::one_sample : fields::Carried::all_samples);
    });
  };
  const double time = schedule_.time();
  for (const config::UseData& use : self_.written) {
    fields::Field& field = fields_.of_solver(use.mesh, use.name);
    const auto& mappings = planned_.write_mappings();
    const bool mapped = std::any_of(
        mappings.begin(), mappings.end(),
        [&](const fields::FieldMapping& m) { return m.from == &field && wanted(*m.to); });
    const time::Waveform& wave = field.wave();
    const bool is_gone = !wave.empty() && !is_later(time, wave.time(wave.num_samples() - 1));
    if (!is_gone && (mapped || wanted(field) || field.observed() >= ended)) {
      field.store_written(time);
    } else {
      field.discard_written();
    }
  }
}

void Samples::keep_last(const fields::MessageSet& messages) {
  for (const fields::Item& item : messages.incoming()) {
    item.field->wave().keep_last();
  }
  for (fields::FieldMapping& mapping : planned_.read_mappings()) {
    if (fields::contains(messages.incoming(), mapping.from)) {
      mapping.to->wave().keep_last();
    }
  }
}

/// Whether what the solver writes to a field goes out with a scheme, as it is or mapped.
bool Samples::sends(const Scheme& scheme, const fields::Field& field) const {
  const auto goes_out = [&scheme](const fields::Field& sent) {
    return fields::carried(scheme.regular().outgoing(), sent) != fields::Carried::nothing;
  };
  const std::vector<fields::FieldMapping>& mappings = planned_.write_mappings();
  return goes_out(field) ||
         std::any_of(mappings.begin(), mappings.end(), [&](const fields::FieldMapping& mapping) {
           return mapping.from == &field && goes_out(*mapping.to);
         });
}

bool Samples::is_iterated(const fields::Field& field) const {
  const Scheme* const implicit = schedule_.implicit();
  if (implicit == nullptr) {
    return false;
  }
  const std::vector<fields::Item>& incoming = implicit->regular().incoming();
  const std::vector<fields::FieldMapping>& mappings = planned_.read_mappings();
  return sends(*implicit, field) || fields::contains(incoming, &field) ||
         std::any_of(mappings.begin(), mappings.end(), [&](const fields::FieldMapping& mapping) {
           return mapping.to == &field && fields::contains(incoming, mapping.from);
         });
}

/// A field may go to several partners: its samples stay for the one with the longest window.
double Samples::kept_from(const fields::Field& field) const {
  double start = std::numeric_limits<double>::infinity();
  for (const Scheme& scheme : schedule_.schemes()) {
    if (scheme.window().ongoing() && sends(scheme, field)) {
      start = std::min(start, scheme.window().start());
    }
  }
  return start;
}

void Samples::drop_sent() {
  for (const fields::FieldMapping& mapping : planned_.write_mappings()) {
    mapping.to->wave().clear();
  }
  const Scheme* const implicit = schedule_.implicit();
  for (const config::UseData& use : self_.written) {
    fields::Field& field = fields_.of_solver(use.mesh, use.name);
    const double start = kept_from(field);
    const bool may_lag = implicit != nullptr && !sends(*implicit, field);
    if (may_lag && std::isfinite(start)) {
      field.wave().drop_before(start); // the sample at the start may be sent later
    } else {
      field.wave().drop_until(start);
    }
  }
}

double Samples::repeated_from(const fields::Field& field, double start) const {
  const bool is_written = std::any_of(
      self_.written.begin(), self_.written.end(),
      [&](const config::UseData& use) { return &fields_.of_solver(use.mesh, use.name) == &field; });
  if (!is_written) {
    return is_iterated(field) ? start : std::numeric_limits<double>::infinity();
  }
  const double kept = kept_from(field);
  return std::isfinite(kept) ? std::max(kept, start) : start;
}

void Samples::drop_repeated(double start) {
  for (const config::UseData& use : self_.written) {
    fields::Field& field = fields_.of_solver(use.mesh, use.name);
    field.wave().drop_after(repeated_from(field, start));
  }
}

} // namespace isthmus::coupling
