// SPDX-License-Identifier: BSD-3-Clause
#include "plan.hpp"

#include <istream>
#include <stdexcept>

namespace random_runs {

namespace {

template <typename T>
T take(std::istream& in) {
  T value{};
  if (!(in >> value)) {
    throw std::runtime_error("the file of runs ends early");
  }
  return value;
}

template <typename T>
std::vector<T> take_array(std::istream& in) {
  std::vector<T> values(take<std::size_t>(in));
  for (T& value : values) {
    value = take<T>(in);
  }
  return values;
}

template <typename Make>
auto take_all(std::istream& in, const Make& make) {
  std::vector<decltype(make(in))> all(take<std::size_t>(in));
  for (auto& one : all) {
    one = make(in);
  }
  return all;
}

Piece take_piece(std::istream& in) {
  Piece piece;
  piece.coordinates = take_array<double>(in);
  piece.elements = take_array<int>(in);
  piece.region = take_array<double>(in);
  return piece;
}

std::vector<int> take_positions(std::istream& in) {
  return take_array<int>(in);
}

Reset take_reset(std::istream& in) {
  Reset reset;
  reset.windows = take<int>(in);
  reset.calls = take_array<int>(in);
  reset.pieces = take_all(in, take_piece);
  return reset;
}

Mesh take_mesh(std::istream& in) {
  Mesh mesh;
  mesh.name = take<std::string>(in);
  mesh.dimensions = take<int>(in);
  mesh.corners = take<int>(in);
  mesh.access = static_cast<Access>(take<int>(in));
  mesh.hears_within = take<int>(in) != 0;
  mesh.received = take<std::string>(in);
  mesh.pieces = take_all(in, take_piece);
  mesh.resets = take_all(in, take_reset);
  return mesh;
}

Read take_read(std::istream& in) {
  Read read;
  read.mesh = take<std::string>(in);
  read.data = take<std::string>(in);
  read.components = take<int>(in);
  read.comes_within = take<int>(in) != 0;
  read.fractions = take_array<double>(in);
  return read;
}

Write take_write(std::istream& in) {
  Write write;
  write.mesh = take<std::string>(in);
  write.data = take<std::string>(in);
  write.components = take<int>(in);
  write.initial = take<int>(in) != 0;
  write.gradients = take<int>(in) != 0;
  write.written =
      take_all(in, [](std::istream& of_reset) { return take_all(of_reset, take_positions); });
  write.feedback = take<int>(in);
  write.gain = take<double>(in);
  write.factors = take_array<double>(in);
  return write;
}

Export take_export(std::istream& in) {
  Export one;
  one.directory = take<std::string>(in);
  one.extension = take<std::string>(in);
  one.every_windows = take<int>(in);
  one.every_iteration = take<int>(in) != 0;
  return one;
}

ReceivedMesh take_received(std::istream& in) {
  ReceivedMesh mesh;
  mesh.name = take<std::string>(in);
  mesh.dimensions = take<int>(in);
  return mesh;
}

Participant take_participant(std::istream& in) {
  Participant participant;
  participant.name = take<std::string>(in);
  participant.ranks = take<int>(in);
  participant.by_window = take<int>(in) != 0;
  participant.refused = take<int>(in) != 0;
  participant.most_windows = take<int>(in);
  participant.steps = take_array<double>(in);
  participant.meshes = take_all(in, take_mesh);
  participant.reads = take_all(in, take_read);
  participant.writes = take_all(in, take_write);
  participant.watches = take_array<std::string>(in);
  participant.exports.all = take_all(in, take_export);
  participant.exports.window_numbers = take_array<int>(in);
  participant.exports.received = take_all(in, take_received);
  return participant;
}

Run take_run(std::istream& in) {
  Run run;
  run.number = take<int>(in);
  run.folder = take<std::string>(in);
  run.transport = take<std::string>(in);
  run.in_threads = take<int>(in) != 0;
  run.participants = take_all(in, take_participant);
  return run;
}

} // namespace

std::vector<Run> read_runs(std::istream& in) {
  return take_all(in, take_run);
}

} // namespace random_runs
