// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/iteration/fixed_point.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/iteration/state_arrays.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace isthmus::iteration {

namespace {

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

/// How the data of a scheme on a mesh takes part in the iteration.
IteratedData::Entry entry_of(const config::CouplingScheme& scheme, const config::Data& data,
                             fields::Field& field, const std::string& self) {
  IteratedData::Entry entry{&field, false, false, {}};
  for (const config::Exchange& exchange : scheme.exchanges) {
    if (exchange.mesh == field.mesh() && exchange.data == field.data()) {
      entry.all_samples |= exchange.substeps;
      entry.is_received |= exchange.from != self;
    }
  }
  acceleration::IteratedField& layout = entry.layout;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  layout.name = data.name;
  layout.lower = bounds(data.lower, field, -infinity);
  layout.upper = bounds(data.upper, field, infinity);
  if (scheme.acceleration) {
    const auto& chosen = scheme.acceleration->data;
    const auto found = std::find_if(chosen.begin(), chosen.end(), [&field](const auto& one) {
      return one.name == field.data() && one.mesh == field.mesh();
    });
    layout.primary = chosen.empty() || found != chosen.end();
    layout.scaling = found != chosen.end() ? found->scaling : 1;
  }
  return entry;
}

/// Data that the first participant of a serial scheme sends is used as it is, and so is what others
/// than the leader exchange with each other.
bool is_accelerated(const config::CouplingScheme& scheme, const config::Exchange& exchange,
                    const std::string& leader) {
  const bool only_sent = scheme.kind == config::SchemeKind::serial_implicit;
  return exchange.from == leader || (!only_sent && exchange.to == leader);
}

/// Those that are accelerated: first what is named in the acceleration, in that order, which is the
/// order of the equations.
std::vector<config::Exchange> accelerated(const config::CouplingScheme& scheme,
                                          const std::string& leader) {
  std::vector<config::Exchange> exchanges;
  if (!scheme.acceleration) {
    return exchanges;
  }
  std::copy_if(
      scheme.exchanges.begin(), scheme.exchanges.end(), std::back_inserter(exchanges),
      [&](const config::Exchange& exchange) { return is_accelerated(scheme, exchange, leader); });
  const auto& named = scheme.acceleration->data;
  const auto position = [&named](const config::Exchange& exchange) {
    return std::find_if(named.begin(), named.end(),
                        [&exchange](const auto& one) {
                          return one.name == exchange.data && one.mesh == exchange.mesh;
                        }) -
           named.begin();
  };
  std::stable_sort(exchanges.begin(), exchanges.end(),
                   [&position](const config::Exchange& a, const config::Exchange& b) {
                     return position(a) < position(b);
                   });
  return exchanges;
}

} // namespace

FixedPoint::FixedPoint(const config::CouplingScheme& scheme, std::span<const config::Data> data,
                       const std::string& self, fields::FieldSet& fields,
                       std::unique_ptr<acceleration::Accelerator> accelerator,
                       const comm::Comm& comm)
    : settings_(scheme),
      accelerator_(std::move(accelerator)),
      comm_(comm),
      convergence_(scheme.measures) {
  const auto position_of = [&](const std::string& mesh, const std::string& name) {
    fields::Field& field = fields.at(mesh, name);
    if (const auto known = data_.find(field)) {
      return *known;
    }
    const auto settings = std::find_if(data.begin(), data.end(),
                                       [&name](const auto& one) { return one.name == name; });
    data_.add(entry_of(scheme, *settings, field, self));
    return data_.size() - 1;
  };
  for (const config::Exchange& exchange : accelerated(scheme, self)) {
    if (accelerator_) {
      static_cast<void>(position_of(exchange.mesh, exchange.data));
    }
  }
  num_accelerated_ = data_.size();
  for (const config::ConvergenceMeasure& measure : scheme.measures) {
    measured_.push_back(position_of(measure.mesh, measure.data));
  }
}

void FixedPoint::start() {
  data_.forget(0);
  data_.start();
}

void FixedPoint::renew(double time) {
  data_.forget(time);
  is_renewed_ = true;
}

/// A method that remembers earlier iterates keeps the grid of the first window; one that does not,
/// relaxation by a constant, may follow the steps of the solver.
FixedPoint::Verdict FixedPoint::iterate(double start, int iteration, Trace& trace) {
  bool converged = iteration >= settings_.min_iterations;
  {
    const auto scope = trace.scope("measure");
    const bool keeps_grid = accelerator_ && accelerator_->remembers();
    if (data_.lay_out(start, keeps_grid) && accelerator_) {
      prepare_accelerator();
    }
    data_.gather(start);
    data_.list_iterates(num_accelerated_, iterates_);
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
    data_.put_back(start, num_accelerated_);
  }
  data_.remember(start, converged || exhausted);
  return converged ? Verdict::converged : exhausted ? Verdict::exhausted : Verdict::repeat;
}

void FixedPoint::prepare_accelerator() {
  std::vector<acceleration::IteratedField> fields;
  for (std::size_t i = 0; i < num_accelerated_; ++i) {
    fields.push_back(data_[i].layout);
  }
  if (is_renewed_) {
    accelerator_->renew(std::move(fields));
  } else {
    accelerator_->initialize(std::move(fields));
  }
  is_renewed_ = false;
}

void FixedPoint::measure() {
  sums_.clear();
  for (std::size_t i = num_accelerated_; i < data_.size(); ++i) {
    data_.push_squares(i, scratch_, sums_);
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

void FixedPoint::save(Writer& shared, SampleQueue& kept) const {
  const std::vector<acceleration::StateArray> arrays =
      accelerator_ ? accelerator_->save() : std::vector<acceleration::StateArray>{};
  std::vector<int> counts = data_.grid_sizes();
  const std::vector<int> of_arrays = counts_of(arrays);
  counts.insert(counts.end(), of_arrays.begin(), of_arrays.end());
  comm::allreduce(comm_, std::span(counts), comm::Op::max);
  shared.put_array(counts).put_array(data_.agreed_grids(comm_, counts));
  data_.save(kept);
  iteration::save(arrays, std::span(counts).subspan(data_.size()), data_, shared, kept);
}

void FixedPoint::restore(Reader& shared, double time, SampleQueue& kept) {
  const auto counts = shared.get_array<int>();
  data_.restore(counts, shared.get_array<double>(), time, kept);
  is_renewed_ = false;
  if (accelerator_) {
    prepare_accelerator();
  }
  const auto of_arrays = std::span(counts).subspan(data_.size());
  const auto arrays = iteration::restore(of_arrays, data_, shared, kept);
  if (accelerator_) {
    accelerator_->restore(arrays);
  }
}

} // namespace isthmus::iteration
