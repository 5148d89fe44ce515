// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/iteration/iterated_data.hpp"

#include "isthmus/comm/collective.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace isthmus::iteration {

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

/// Ghosts of vertices, and gradients.
std::vector<char> follows(const fields::Field& field) {
  std::vector<char> result;
  if (field.has_gradients() || !field.ghosts().empty()) {
    const auto width = static_cast<std::size_t>(field.width());
    result.resize(field.wave().size(), 0);
    for (std::size_t i = 0; i < result.size(); ++i) {
      const bool is_ghost = !field.ghosts().empty() && field.ghosts()[i / width] != 0;
      result[i] = is_ghost || i % width >= static_cast<std::size_t>(field.components());
    }
  }
  return result;
}

} // namespace

std::optional<std::size_t> IteratedData::find(const fields::Field& field) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&field](const Entry& entry) { return entry.field == &field; });
  return found == entries_.end()
             ? std::nullopt
             : std::optional(static_cast<std::size_t>(found - entries_.begin()));
}

void IteratedData::forget(double time) {
  for (Entry& entry : entries_) {
    const time::Waveform& wave = entry.field->wave();
    entry.layout.size = wave.size();
    entry.layout.follows = follows(*entry.field);
    entry.layout.zeros = entry.field->num_unreached();
    entry.unknowns = acceleration::Unknowns(entry.layout);
    entry.previous = time::Waveform(wave.size(), wave.degree());
    entry.previous.append(time, std::vector<double>(wave.size(), 0.0));
  }
  is_laid_out_ = false;
  is_start_ = true;
}

void IteratedData::start() {
  for (Entry& entry : entries_) {
    const time::Waveform& wave = entry.field->wave();
    if (!wave.empty() && !entry.is_received) {
      const auto last = wave.values(wave.num_samples() - 1);
      std::copy(last.begin(), last.end(), entry.previous.values(0).begin());
    }
  }
}

bool IteratedData::lay_out(double start, bool stays) {
  if (is_laid_out_ && stays) {
    return false;
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
  return changed;
}

void IteratedData::gather(double start) {
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
}

void IteratedData::list_iterates(std::size_t count, std::vector<acceleration::Iterate>& iterates) {
  iterates.clear();
  for (std::size_t i = 0; i < count; ++i) {
    iterates.push_back({entries_[i].input, entries_[i].output});
  }
}

void IteratedData::push_squares(std::size_t i, std::vector<double>& scratch,
                                std::vector<Twofold>& sums) {
  Entry& entry = entries_[i];
  acceleration::push_squares(entry.layout, entry.unknowns, {entry.input, entry.output}, scratch,
                             sums);
}

void IteratedData::put_back(double start, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const Entry& entry = entries_[i];
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

void IteratedData::remember(double start, bool window_done) {
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

std::vector<int> IteratedData::grid_sizes() const {
  std::vector<int> sizes;
  std::transform(entries_.begin(), entries_.end(), std::back_inserter(sizes),
                 [](const Entry& entry) { return static_cast<int>(entry.grid.size()); });
  return sizes;
}

std::vector<double> IteratedData::agreed_grids(const comm::Comm& comm,
                                               std::span<const int> sizes) const {
  std::vector<double> grids;
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    const auto count = static_cast<std::size_t>(sizes[e]);
    const std::vector<double>& grid = entries_[e].grid;
    grids.resize(grids.size() + count, 0.0);
    if (grid.size() == count) {
      std::copy(grid.begin(), grid.end(), grids.end() - sizes[e]);
    }
  }
  comm::allreduce(comm, std::span(grids), comm::Op::max);
  return grids;
}

void IteratedData::save(SampleQueue& kept) const {
  for (const Entry& entry : entries_) {
    kept.keep(*entry.field, entry.previous.values(entry.previous.num_samples() - 1));
  }
}

void IteratedData::restore(std::span<const int> sizes, std::span<const double> grids, double time,
                           SampleQueue& kept) {
  auto grid = grids.begin();
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    Entry& entry = entries_[e];
    entry.grid.assign(grid, grid + sizes[e]);
    grid += sizes[e];
    entry.layout.samples = entry.grid.size();
    entry.previous.clear();
    entry.previous.append(time, kept.take(*entry.field));
  }
  is_laid_out_ = true;
  is_start_ = false;
}

} // namespace isthmus::iteration
