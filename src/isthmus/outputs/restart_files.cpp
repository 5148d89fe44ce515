// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/restart_files.hpp"

#include "isthmus/base/environment.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/base/sequence.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/connect/handshake.hpp"
#include "isthmus/outputs/records.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string_view>
#include <utility>

namespace isthmus::outputs {

namespace {

constexpr std::string_view extension = ".restart";

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size() && value >= 0;
  return whole ? std::optional(value) : std::nullopt;
}

std::string_view variable(const char* name) {
  const char* const text = environment_variable(name);
  return text == nullptr ? std::string_view() : text;
}

/// The window in the name of a file of the participant.
std::optional<int> window_in(std::string_view file, const std::string& participant) {
  const std::string start = participant + ".";
  if (!file.starts_with(start) || !file.ends_with(extension)) {
    return {};
  }
  file.remove_prefix(start.size());
  file.remove_suffix(std::min(extension.size(), file.size()));
  return number(file);
}

bool is_ghost(const coupling::FieldRecord& field, std::size_t vertex) {
  return !field.ghosts.empty() && field.ghosts[vertex] != 0;
}

/// Vertex after vertex but the ghosts: its place, then its values in all samples.
std::vector<double> records_of(const coupling::FieldRecord& field) {
  const auto dim = static_cast<std::size_t>(field.dimensions);
  const auto width = static_cast<std::size_t>(field.width);
  std::vector<double> records;
  for (std::size_t i = 0; i * dim < field.coordinates.size(); ++i) {
    if (is_ghost(field, i)) {
      continue;
    }
    const auto append = [&records, i](const std::vector<double>& values, std::size_t n) {
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(i * n);
      records.insert(records.end(), from, from + static_cast<std::ptrdiff_t>(n));
    };
    append(field.coordinates, dim);
    for (const std::vector<double>& sample : field.samples) {
      append(sample, width);
    }
  }
  return records;
}

void take_records(std::span<const double> records, std::size_t num_samples,
                  coupling::FieldRecord& field) {
  const auto width = static_cast<std::size_t>(field.width);
  field.samples.assign(num_samples, {});
  for (std::size_t at = 0; at < records.size(); at += width) {
    std::vector<double>& sample = field.samples[at / width % num_samples];
    const auto values = records.subspan(at, width);
    sample.insert(sample.end(), values.begin(), values.end());
  }
}

std::size_t record_width(const coupling::FieldRecord& field, std::size_t num_samples) {
  return static_cast<std::size_t>(field.dimensions) +
         static_cast<std::size_t>(field.width) * num_samples;
}

std::size_t num_vertices(const coupling::FieldRecord& field) {
  return field.coordinates.size() / static_cast<std::size_t>(field.dimensions);
}

} // namespace

RestartSettings restart_settings_from_environment() {
  RestartSettings settings;
  settings.every = environment_count("ISTHMUS_RESTART_EVERY", 0, "number of time windows")
                       .value_or(settings.every);
  const std::string_view directory = variable("ISTHMUS_RESTART_DIRECTORY");
  if (!directory.empty()) {
    settings.directory = directory;
  }
  const std::string_view from = variable("ISTHMUS_RESTART");
  settings.continues = !from.empty();
  if (settings.continues && from != "latest") {
    settings.window = number(from);
    check(settings.window.has_value(),
          "environment variable ISTHMUS_RESTART=\"{}\" is neither \"latest\" nor the number of a "
          "time window",
          from);
  }
  return settings;
}

RestartFiles::RestartFiles(const comm::Comm& comm, std::string participant, std::string case_digest)
    : comm_(comm), participant_(std::move(participant)), case_digest_(std::move(case_digest)) {
  comm::agree(comm, [this] {
    if (comm_.is_root()) {
      settings_ = restart_settings_from_environment();
    }
  });
  settings_.every = comm::bcast(comm, settings_.every);
  settings_.continues = comm::bcast(comm, settings_.continues);
  const int window = comm::bcast(comm, settings_.window.value_or(-1));
  settings_.window = window < 0 ? std::nullopt : std::optional(window);
  std::string directory = settings_.directory.string();
  comm::bcast(comm, directory);
  settings_.directory = directory;
}

std::filesystem::path RestartFiles::path_of(int window) const {
  return settings_.directory / fmt::format("{}.{}{}", participant_, window, extension);
}

/// Of all files, ascending.
std::vector<int> RestartFiles::windows() const {
  std::vector<int> windows;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(settings_.directory, none)) {
    if (const auto window = window_in(entry.path().filename().string(), participant_)) {
      windows.push_back(*window);
    }
  }
  std::sort(windows.begin(), windows.end());
  return windows;
}

std::optional<std::vector<coupling::RestartPoint>> RestartFiles::points() const {
  if (!settings_.continues) {
    return {};
  }
  std::vector<coupling::RestartPoint> points;
  comm::agree(comm_, [this, &points] {
    if (comm_.is_root()) {
      points = read_points();
    }
  });
  comm::bcast(comm_, points);
  return points;
}

std::vector<coupling::RestartPoint> RestartFiles::read_points() const {
  std::vector<int> all = windows();
  check(!all.empty(),
        "there is no restart file of participant \"{}\" in \"{}\"; look at "
        "ISTHMUS_RESTART_DIRECTORY, or start anew without ISTHMUS_RESTART",
        participant_, settings_.directory.string());
  if (settings_.window) {
    check(std::find(all.begin(), all.end(), *settings_.window) != all.end(),
          "there is no restart file \"{}\"; participant \"{}\" has files of the time windows {}",
          path_of(*settings_.window).string(), participant_, fmt::join(all, ", "));
    all = {*settings_.window};
  }
  std::vector<coupling::RestartPoint> points;
  std::transform(all.begin(), all.end(), std::back_inserter(points),
                 [this](int window) { return read_point(window); });
  return points;
}

coupling::RestartPoint RestartFiles::read_point(int window) const {
  const std::filesystem::path path = path_of(window);
  const comm::Comm alone;
  const io::CheckpointReader reader(alone, path);
  check(reader.has("run", 0) && reader.has("coupling", 0),
        "\"{}\" is not the restart file of a participant", path.string());
  const auto bytes = reader.of_rank<std::byte>("run", 0);
  Reader run(bytes);
  const std::string participant = run.get_text();
  check(participant == participant_, "\"{}\" is of participant \"{}\", not of \"{}\"",
        path.string(), participant, participant_);
  const std::string digest = run.get_text();
  check(digest == case_digest_,
        "\"{}\" is of another case: its configuration differs from this one in {}; only "
        "connections, outputs and the end of the run may change",
        path.string(), connect::difference(case_digest_, digest));
  return run.get<coupling::RestartPoint>();
}

std::vector<std::byte> RestartFiles::load(coupling::Snapshot& snapshot) const {
  const std::filesystem::path path = path_of(snapshot.point.window);
  const io::CheckpointReader reader(comm_, path);
  std::vector<int> num_samples;
  std::vector<std::byte> outputs;
  comm::agree(comm_, [&] {
    if (comm_.is_root()) {
      snapshot.shared = reader.of_rank<std::byte>("coupling", 0);
      num_samples = reader.of_rank<int>("samples", 0);
      outputs = reader.of_rank<std::byte>("outputs", 0);
    }
  });
  comm::bcast(comm_, snapshot.shared);
  comm::bcast(comm_, num_samples);
  comm::bcast(comm_, outputs);
  for (std::size_t f = 0; f < snapshot.fields.size(); ++f) {
    coupling::FieldRecord& field = snapshot.fields[f];
    const auto samples = static_cast<std::size_t>(num_samples.at(f));
    if (samples == 0) {
      continue;
    }
    const auto width = static_cast<GlobalIndex>(record_width(field, samples));
    const GlobalIndex total = reader.length(field.name) / width;
    const Share own = share_of(comm_.rank(), comm_.size(), total);
    std::vector<double> share;
    comm::agree(comm_, [&] {
      share = reader.slice<double>(field.name, own.first * width, own.count * width);
    });
    // of a received mesh a single rank may hold vertices that several ranks had no need of
    const std::string needed =
        field.is_provided ? fmt::format("\"{}\", {}", path.string(), field.name) : std::string();
    const std::vector<double> records = records_at(
        comm_, needed, field.dimensions, static_cast<std::size_t>(width), share, field.coordinates);
    take_records(records, samples, field);
    const auto here =
        comm::allreduce(comm_, static_cast<std::int64_t>(num_vertices(field)), comm::Op::sum);
    check(!field.is_provided || here == total,
          "\"{}\", {}: the mesh had {} vertices in the earlier run and has {} now", path.string(),
          field.name, total, here);
  }
  return outputs;
}

void RestartFiles::save(const coupling::Snapshot& snapshot, std::span<const std::byte> outputs) {
  finish();
  io::CheckpointWriter& writer = writer_.emplace(comm_);
  std::vector<int> num_samples;
  for (const coupling::FieldRecord& field : snapshot.fields) {
    num_samples.push_back(static_cast<int>(field.samples.size()));
    if (!field.samples.empty()) {
      const std::vector<double> records = records_of(field);
      const auto before = comm::exscan(comm_, static_cast<std::int64_t>(records.size()));
      writer.add_slice(field.name, before, std::span<const double>(records));
    }
  }
  comm::agree(comm_, [&] {
    if (comm_.is_root()) {
      Writer run;
      run.put_text(participant_).put_text(case_digest_).put(snapshot.point);
      const std::vector<std::byte> described = run.take();
      writer.add("run", std::span<const std::byte>(described));
      writer.add("coupling", std::span<const std::byte>(snapshot.shared));
      writer.add("outputs", outputs);
      writer.add("samples", std::span<const int>(num_samples));
      io::make_folder(settings_.directory);
    }
  });
  written_window_ = snapshot.point.window;
  writer.begin(path_of(written_window_));
}

void RestartFiles::finish() {
  if (writer_) {
    writer_->finish();
    writer_.reset();
    if (comm_.is_root()) {
      remove_others(written_window_);
    }
  }
}

/// Also those of later windows, which belong to a run that was given up.
void RestartFiles::remove_others(int window) const {
  std::vector<int> all = windows();
  std::erase(all, window);
  const auto previous =
      std::find_if(all.rbegin(), all.rend(), [window](int w) { return w < window; });
  for (const int other : all) {
    if (previous == all.rend() || other != *previous) {
      std::error_code ignored; // a file too many does no harm
      std::filesystem::remove(path_of(other), ignored);
    }
  }
}

} // namespace isthmus::outputs
