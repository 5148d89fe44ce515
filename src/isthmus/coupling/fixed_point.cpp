// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/coupling/fixed_point.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace isthmus::coupling {

namespace {

/// The samples of a window: all behind its start, or the last one.
std::size_t first_sample(const time::Waveform& wave, bool all, double start) {
  return all || wave.empty() ? wave.first_after(start) : wave.num_samples() - 1;
}

void relative_times(const time::Waveform& wave, bool all, double start,
                    std::vector<double>& times) {
  times.clear();
  const double end = wave.empty() ? start + 1 : wave.time(wave.num_samples() - 1);
  for (std::size_t s = first_sample(wave, all, start); s < wave.num_samples(); ++s) {
    times.push_back((wave.time(s) - start) / (end - start));
  }
  if (times.empty()) { // a rank without vertices
    times.push_back(1);
  }
}

bool same_grid(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double tolerance = 1e-12;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return std::abs(x - y) < tolerance; });
}

/// Of the values of a vertex; its gradients have none.
std::vector<double> bounds(const std::array<double, 3>& values, const fields::Field& field,
                           double none) {
  const auto end = values.begin() + field.components();
  const bool bounded =
      std::any_of(values.begin(), end, [](double value) { return std::isfinite(value); });
  std::vector<double> result(bounded ? static_cast<std::size_t>(field.width()) : 0, none);
  if (bounded) {
    std::copy(values.begin(), end, result.begin());
  }
  return result;
}

/// Copies of vertices, and gradients.
std::vector<char> follows(const fields::Field& field) {
  std::vector<char> result;
  if (field.has_gradients() || !field.copies().empty()) {
    const auto width = static_cast<std::size_t>(field.width());
    result.resize(field.wave().size(), 0);
    for (std::size_t i = 0; i < result.size(); ++i) {
      const bool is_copy = !field.copies().empty() && field.copies()[i / width] != 0;
      result[i] = is_copy || i % width >= static_cast<std::size_t>(field.components());
    }
  }
  return result;
}

} // namespace

FixedPoint::FixedPoint(const config::Configuration& configuration,
                       const config::CouplingScheme& scheme, const std::string& self,
                       const fields::FieldSet& fields,
                       std::unique_ptr<acceleration::Accelerator> accelerator,
                       const comm::Comm& comm)
    : settings_(scheme),
      self_(self),
      accelerator_(std::move(accelerator)),
      comm_(comm),
      convergence_(scheme.measures) {
  if (accelerator_) {
    list_accelerated(configuration, fields);
  }
  num_accelerated_ = entries_.size();
  for (const config::ConvergenceMeasure& measure : scheme.measures) {
    measured_.push_back(add(configuration, measure.mesh, measure.data, fields));
  }
}

/// Data that the first participant of a serial scheme sends is used as it is, and so is what others
/// than the leader exchange with each other.
void FixedPoint::list_accelerated(const config::Configuration& configuration,
                                  const fields::FieldSet& fields) {
  for (const config::Exchange& exchange : settings_.exchanges) {
    const bool only_sent = settings_.kind == config::SchemeKind::serial_implicit;
    if (exchange.from != self_ && (only_sent || exchange.to != self_)) {
      continue;
    }
    const std::size_t index = add(configuration, exchange.mesh, exchange.data, fields);
    acceleration::Field& layout = entries_[index].layout;
    const auto& chosen = settings_.acceleration->data;
    const auto found = std::find_if(chosen.begin(), chosen.end(), [&exchange](const auto& data) {
      return data.name == exchange.data && data.mesh == exchange.mesh;
    });
    layout.primary = chosen.empty() || found != chosen.end();
    layout.scaling = found != chosen.end() ? found->scaling : 1;
  }
}

std::size_t FixedPoint::add(const config::Configuration& configuration, const std::string& mesh,
                            const std::string& data, const fields::FieldSet& fields) {
  fields::Field* field = &fields.at(mesh, data);
  const auto known = std::find_if(entries_.begin(), entries_.end(),
                                  [field](const Entry& e) { return e.field == field; });
  if (known != entries_.end()) {
    return static_cast<std::size_t>(known - entries_.begin());
  }
  const bool all_samples =
      std::any_of(settings_.exchanges.begin(), settings_.exchanges.end(),
                  [&](const auto& e) { return e.mesh == mesh && e.data == data && e.substeps; });
  acceleration::Field layout;
  layout.name = data;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  layout.lower = bounds(configuration.find_data(data)->lower, *field, -infinity);
  layout.upper = bounds(configuration.find_data(data)->upper, *field, infinity);
  entries_.push_back({field, all_samples, std::move(layout), {}, {}, {}, {}});
  return entries_.size() - 1;
}

bool FixedPoint::receives(const fields::Field& field) const {
  return std::any_of(settings_.exchanges.begin(), settings_.exchanges.end(),
                     [&](const config::Exchange& exchange) {
                       return exchange.mesh == field.mesh() && exchange.data == field.data() &&
                              exchange.from != self_;
                     });
}

void FixedPoint::start() {
  forget(0);
  for (Entry& entry : entries_) {
    const time::Waveform& wave = entry.field->wave();
    if (!wave.empty() && !receives(*entry.field)) {
      const auto last = wave.values(wave.num_samples() - 1);
      std::copy(last.begin(), last.end(), entry.previous.values(0).begin());
    }
  }
}

void FixedPoint::renew(double time) {
  forget(time);
  is_renewed_ = true;
}

/// x_0 is zero.
void FixedPoint::forget(double time) {
  unknowns_.clear();
  for (Entry& entry : entries_) {
    const time::Waveform& wave = entry.field->wave();
    entry.layout.size = wave.size();
    entry.layout.follows = follows(*entry.field);
    unknowns_.emplace_back(entry.layout);
    entry.previous = time::Waveform(wave.size(), wave.degree());
    entry.previous.append(time, std::vector<double>(wave.size(), 0.0));
  }
  is_laid_out_ = false;
  is_start_ = true;
}

FixedPoint::Verdict FixedPoint::iterate(double start, int iteration, Trace& trace) {
  bool converged = iteration >= settings_.min_iterations;
  {
    const auto scope = trace.scope("measure");
    lay_out(start);
    gather(start);
    measure();
    converged &= convergence_.judge(norms_, iteration);
  }
  const bool exhausted = settings_.max_iterations && iteration >= *settings_.max_iterations;
  if (exhausted && !converged) {
    convergence_.check_strict(iteration);
  }
  const auto scope = trace.scope("accelerate");
  if (accelerator_ && (converged || exhausted)) {
    accelerator_->complete_window();
  } else if (accelerator_) {
    accelerator_->improve(iterates_);
    put_back(start);
  }
  remember(start, converged || exhausted);
  return converged ? Verdict::converged : exhausted ? Verdict::exhausted : Verdict::repeat;
}

/// A method that remembers earlier iterates keeps the grid of the first window; one that does not,
/// relaxation by a constant, may follow the steps of the solver.
void FixedPoint::lay_out(double start) {
  if (is_laid_out_ && accelerator_ && accelerator_->remembers()) {
    return;
  }
  bool changed = !is_laid_out_;
  for (Entry& entry : entries_) {
    relative_times(entry.field->wave(), entry.all_samples, start, times_);
    if (!is_laid_out_ || !same_grid(times_, entry.grid)) {
      entry.grid = times_;
      entry.layout.samples = times_.size();
      changed = true;
    }
  }
  is_laid_out_ = true;
  if (changed && accelerator_) {
    prepare_accelerator();
  }
}

void FixedPoint::prepare_accelerator() {
  std::vector<acceleration::Field> fields;
  for (std::size_t i = 0; i < num_accelerated_; ++i) {
    fields.push_back(entries_[i].layout);
  }
  if (is_renewed_) {
    accelerator_->renew(std::move(fields));
  } else {
    accelerator_->initialize(std::move(fields));
  }
  is_renewed_ = false;
}

void FixedPoint::gather(double start) {
  iterates_.clear();
  for (Entry& entry : entries_) {
    const time::Waveform& wave = entry.field->wave();
    const double end = wave.empty() ? start : wave.time(wave.num_samples() - 1);
    const std::size_t size = entry.layout.size;
    entry.input.resize(entry.layout.rows());
    entry.output.resize(entry.layout.rows());
    for (std::size_t s = 0; s < entry.grid.size() && size > 0; ++s) {
      const double time = start + entry.grid[s] * (end - start);
      const auto at = [s, size](std::vector<double>& values) {
        return std::span(values).subspan(s * size, size);
      };
      wave.evaluate(time, {}, 1, at(entry.output));
      entry.previous.evaluate(time, {}, 1, at(entry.input));
    }
  }
  for (std::size_t i = 0; i < num_accelerated_; ++i) {
    iterates_.push_back({entries_[i].input, entries_[i].output});
  }
}

void FixedPoint::measure() {
  sums_.clear();
  for (std::size_t i = num_accelerated_; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    acceleration::push_squares(entry.layout, unknowns_[i], {entry.input, entry.output}, scratch_,
                               sums_);
  }
  if (accelerator_) {
    accelerator_->measure(iterates_, sums_);
  }
  comm::allreduce_sum(comm_, std::span(sums_));
  if (accelerator_) {
    try {
      accelerator_->absorb(sums_);
    } catch (const Error& error) { // on all ranks
      const std::string why = convergence_.diagnosis();
      fail("{}{}{}", error.what(), why.empty() ? "" : ". Before that ", why);
    }
  }
  norms_.clear();
  for (const std::size_t i : measured_) {
    if (i < num_accelerated_) {
      norms_.push_back(accelerator_->norms()[i]);
    } else {
      const std::size_t at = 2 * (i - num_accelerated_);
      norms_.push_back({std::sqrt(sums_[at].value), std::sqrt(sums_[at + 1].value)});
    }
  }
}

void FixedPoint::put_back(double start) {
  for (std::size_t i = 0; i < num_accelerated_; ++i) {
    Entry& entry = entries_[i];
    time::Waveform& wave = entry.field->wave();
    if (wave.empty() || entry.layout.size == 0) {
      continue;
    }
    const double end = wave.time(wave.num_samples() - 1);
    wave.drop_after(start);
    for (std::size_t s = 0; s < entry.grid.size(); ++s) {
      const bool is_last = s + 1 == entry.grid.size();
      const auto from = std::span(entry.output).subspan(s * entry.layout.size, entry.layout.size);
      std::copy(from.begin(), from.end(),
                wave.append(is_last ? end : start + entry.grid[s] * (end - start)).begin());
    }
  }
}

void FixedPoint::remember(double start, bool window_done) {
  for (Entry& entry : entries_) {
    const time::Waveform& wave = entry.field->wave();
    if (wave.empty()) {
      continue;
    }
    const auto keep = [&entry, &wave](std::size_t sample) {
      const auto from = wave.values(sample);
      std::copy(from.begin(), from.end(), entry.previous.append(wave.time(sample)).begin());
    };
    const std::size_t behind_start = wave.first_after(start);
    const bool knows_start = is_start_ && behind_start > 0; // x_0 may have been another
    if (window_done || knows_start) {
      entry.previous.clear();
    } else {
      entry.previous.drop_after(start);
    }
    if (!window_done && knows_start) {
      keep(behind_start - 1);
    }
    const std::size_t first =
        window_done ? wave.num_samples() - 1 : first_sample(wave, entry.all_samples, start);
    for (std::size_t s = first; s < wave.num_samples(); ++s) {
      keep(s);
    }
  }
  is_start_ = false;
}

} // namespace isthmus::coupling
