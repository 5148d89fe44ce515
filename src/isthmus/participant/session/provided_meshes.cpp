// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/session/provided_meshes.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"

#include <array>
#include <cstdint>

namespace isthmus::participant {

ProvidedMeshes::ProvidedMeshes(const Declared& declared, const CallOrder& call_order,
                               CoupledRun& run)
    : declared_(declared), call_order_(call_order), run_(run) {
  for (const config::ProvideMesh& provided : declared.self().provided) {
    const config::Mesh& mesh = declared.mesh(provided.name);
    meshes_[provided.name] = {mesh::Mesh(mesh.name, mesh.dimensions),
                              declared.connectivity_required(mesh.name)};
  }
}

const ProvidedMeshes::Provided& ProvidedMeshes::provided(std::string_view call,
                                                         std::string_view mesh) const {
  const config::Mesh& known = declared_.mesh(call, mesh);
  const auto found = meshes_.find(known.name);
  check(found != meshes_.end(),
        "{}(): mesh \"{}\" is received by participant \"{}\"; this call needs a mesh that it "
        "provides",
        call, mesh, declared_.self().name);
  return found->second;
}

ProvidedMeshes::Provided& ProvidedMeshes::open_mesh(std::string_view call, std::string_view mesh) {
  call_order_.check_not_finalized(call);
  static_cast<void>(provided(call, mesh));
  check(is_open(mesh),
        "{}(): mesh \"{}\" is locked; meshes can be defined before initialize() and after {}() "
        "only",
        call, mesh, declared_.calls()[Call::reset_mesh]);
  return meshes_.find(mesh)->second;
}

mesh::OwnMeshes ProvidedMeshes::all() const {
  mesh::OwnMeshes meshes;
  for (const auto& [name, provided] : meshes_) {
    meshes.add(provided.mesh);
  }
  return meshes;
}

bool ProvidedMeshes::is_open(std::string_view mesh) const {
  const auto found = meshes_.find(mesh);
  return call_order_.is(CallOrder::Stage::defining) ||
         (found != meshes_.end() && found->second.is_reset);
}

void ProvidedMeshes::close() {
  for (auto& [name, provided] : meshes_) {
    provided.is_reset = false;
    if (!may_change()) {
      provided.mesh.drop_connectivity();
    }
  }
}

bool ProvidedMeshes::requires_connectivity(std::string_view mesh) const {
  const Call call = Call::requires_mesh_connectivity_for;
  const config::Mesh& known = declared_.mesh(declared_.calls()[call], mesh); // or a received one
  return declared_.connectivity_required(known.name);
}

VertexId ProvidedMeshes::set_vertex(std::string_view mesh, std::span<const double> position) {
  const std::string_view call = declared_.calls()[Call::set_mesh_vertex];
  mesh::Mesh& open = open_mesh(call, mesh).mesh;
  check(position.size() == static_cast<std::size_t>(open.dimensions()),
        "{}(): mesh \"{}\" has {} dimensions, the position has {} coordinates", call, mesh,
        open.dimensions(), position.size());
  return open.add_vertices(position);
}

void ProvidedMeshes::set_vertices(std::string_view mesh, std::span<const double> positions,
                                  std::span<VertexId> ids) {
  const std::string_view call = declared_.calls()[Call::set_mesh_vertices];
  mesh::Mesh& open = open_mesh(call, mesh).mesh;
  const auto dim = static_cast<std::size_t>(open.dimensions());
  check(positions.size() == ids.size() * dim,
        "{}(): mesh \"{}\" has {} dimensions, so {} ids need {} coordinates; the size of the given "
        "positions is {}",
        call, mesh, dim, ids.size(), ids.size() * dim, positions.size());
  VertexId next = open.add_vertices(positions);
  for (VertexId& id : ids) {
    id = next++;
  }
}

void ProvidedMeshes::set_elements(Call call, std::string_view mesh, std::span<const VertexId> ids,
                                  AddElements add) {
  Provided& open = open_mesh(declared_.calls()[call], mesh);
  const bool impossible = add == &mesh::Mesh::add_tetrahedra && open.mesh.dimensions() < 3;
  if (open.connectivity || impossible) { // which the mesh refuses, needed or not
    (open.mesh.*add)(ids);
  }
}

void ProvidedMeshes::reset(std::string_view mesh) {
  const CallNames& calls = declared_.calls();
  const std::string_view call = calls[Call::reset_mesh];
  call_order_.check_running(call);
  const Provided& reset = provided(call, mesh);
  coupling::Coupling& coupling = run_.coupling();
  check(may_change(),
        "{}(): the configuration does not allow that meshes change; add experimental=\"true\" "
        "allow-remeshing=\"true\" to <precice-configuration>",
        call);
  check(coupling.schedule().is_ongoing(), "{}() cannot be called after the coupling has ended",
        call);
  check(!reset.is_reset,
        "{}(): mesh \"{}\" is reset already; define its vertices, then call advance()", call, mesh);
  check(!coupling.repeats_window(),
        "{}(): the iterations of a time window need the same mesh \"{}\"; call it after an "
        "advance() that completed the window, where {}() is true",
        call, mesh, calls[Call::is_time_window_complete]);
  check(coupling.is_between_windows(),
        "{}() can be called only directly after an advance() that completed a time window of all "
        "coupling schemes of participant \"{}\"; ask {}()",
        call, declared_.self().name, calls[Call::is_time_window_complete]);
  const auto& all = declared_.self().provided;
  const auto place =
      std::find_if(all.begin(), all.end(), [mesh](const auto& one) { return one.name == mesh; }) -
      all.begin();
  check(place < transfer::max_meshes_to_reset,
        "{}(): participant \"{}\" provides more than {} meshes, and only as many of them can be "
        "reset; name mesh \"{}\" among its first <provide-mesh>",
        call, declared_.self().name, transfer::max_meshes_to_reset, mesh);
  Provided& open = meshes_.find(mesh)->second;
  coupling.reset(open.mesh);
  open.mesh.clear();
  open.is_reset = true;
}

bool ProvidedMeshes::join_resets(const comm::Comm& comm, double dt) {
  coupling::Coupling& coupling = run_.coupling();
  if (!may_change() || !coupling.is_between_windows()) {
    return true;
  }
  std::array<std::uint64_t, 2> flags{coupling.resets(),
                                     coupling.schedule().ends_windows(dt) ? 0U : 1U};
  comm::allreduce<std::uint64_t>(comm, flags, comm::Op::bit_or);
  if (flags[0] != 0 && flags[1] != 0) {
    return false;
  }
  coupling.join_resets(flags[0]);
  return true;
}

void ProvidedMeshes::check_ends_windows(bool all_end, double dt) const {
  if (all_end) {
    return;
  }
  fail(
      "a mesh was reset, so advance() must end the time window of all coupling schemes on all "
      "ranks; {}, use {}()",
      run_.coupling().schedule().ends_windows(dt) ? "the step of another rank does not"
                                                  : fmt::format("the step of {} does not", dt),
      declared_.calls()[Call::max_time_step_size]);
}

} // namespace isthmus::participant
