// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/protocol/messages.hpp"

#include "isthmus/transfer/part_changes.hpp"

namespace isthmus::planning {

bool whole_mesh_is_dealt(const transfer::MeshRelation& relation, int receiver_ranks) {
  return receiver_ranks > 1 && relation.initialization == config::Initialization::one_level;
}

bool owners_matter(const transfer::MappingUse& use, int receiver_ranks) {
  return receiver_ranks > 1 && use.writes && use.searches_received && !use.solves();
}

bool vertices_are_joined(const transfer::MappingUse& use, int receiver_ranks) {
  return receiver_ranks > 1 && use.is_joined;
}

bool writes_alone(const transfer::MappingUse& use, int receiver_ranks) {
  return use.writes && !vertices_are_joined(use, receiver_ranks);
}

bool ghosts_are_marked(const transfer::MeshRelation& relation, int receiver_ranks) {
  return receiver_ranks > 1 && relation.is_measured;
}

bool reads_are_differences(const transfer::MeshRelation& relation) {
  return relation.is_remembered();
}

void Measured::write(Writer& writer) const {
  for (const One& one : list) {
    writer.put(one.total).put_array(one.vertices);
  }
}

Measured Measured::read(Reader& reader, std::size_t count) {
  Measured measured;
  for (std::size_t i = 0; i < count; ++i) {
    One& one = measured.list.emplace_back();
    one.total = reader.get<double>();
    one.vertices = reader.get_array<double>();
  }
  return measured;
}

std::vector<std::byte> Read::change(const transfer::MeshRelation& relation,
                                    std::vector<LocalIndex> now) {
  Writer writer;
  if (reads_are_differences(relation)) {
    differs = transfer::write_difference(writer, positions, now);
  } else {
    differs = true;
    writer.put_array(now);
  }
  positions = std::move(now);
  return writer.take();
}

std::vector<std::byte> Read::keep() {
  Writer writer;
  differs = transfer::write_difference(writer, {}, {});
  return writer.take();
}

void Read::update(const transfer::MeshRelation& relation, std::span<const std::byte> message) {
  Reader reader(message);
  if (reads_are_differences(relation)) {
    differs = transfer::read_difference(reader, positions);
  } else {
    differs = true;
    positions = reader.get_array<LocalIndex>();
    reader.finish();
  }
}

} // namespace isthmus::planning
