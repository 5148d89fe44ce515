// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/participant.hpp"
#include "isthmus/participant/call_names.hpp"

#include "arrays.hpp"

#include "isthmus/base/error.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <mpi.h>

#include <optional>
#include <string>
#include <string_view>

/// The module isthmus._participant: calls with flat arrays of the right type; isthmus.participant
/// is its face. Whatever may wait for others lets other Python threads run meanwhile.
namespace isthmus::python {
namespace {

template <typename T>
using Values = nb::ndarray<T, nb::c_contig, nb::device::cpu>;
using Doubles = Values<const double>;
using Ids = Values<const VertexId>;
using Release = nb::call_guard<nb::gil_scoped_release>;

template <typename T>
std::span<T> span_to(const Values<T>& array) {
  return {array.data(), array.size()};
}

/// What texts call the functions of isthmus.Participant, and the interface that these are of.
constexpr CallNames call_names(
    "save_restart get_mesh_dimensions get_data_dimensions is_coupling_ongoing "
    "is_time_window_complete get_max_time_step_size requires_initial_data "
    "requires_writing_checkpoint requires_reading_checkpoint "
    "requires_mesh_connectivity_for set_mesh_vertex set_mesh_vertices "
    "get_mesh_vertex_size set_mesh_edges set_mesh_triangles set_mesh_quads "
    "set_mesh_tetrahedra reset_mesh write_data read_data "
    "requires_gradient_data_for write_gradient_data write_and_map_data "
    "map_and_read_data set_mesh_access_region get_mesh_vertex_ids_and_coordinates "
    "stop_last_profiling_section",
    "preCICE 3.4.1");

/// The version of preCICE whose interface pyprecice gives to Python, then ours.
std::string version_information() {
  const std::string_view name = call_names.interface(); // "preCICE", then the version
  return isthmus::version_information(name.substr(name.find(' ') + 1));
}

/// `rank` and `size`: those in the communicator if they are none, without one 0 of 1.
void construct(Participant* place, std::string_view name, std::string_view configuration_file,
               std::optional<int> rank, std::optional<int> size, nb::handle communicator) {
  const std::optional<MPI_Comm> handle = mpi_of(communicator);
  Launch launch;
  launch.call_names = &call_names;
  if (handle) {
    check(*handle != MPI_COMM_NULL, "the communicator is MPI_COMM_NULL");
    MPI_Comm_rank(*handle, &launch.rank);
    MPI_Comm_size(*handle, &launch.size);
    launch.communicator = &*handle;
  }
  launch.rank = rank.value_or(launch.rank);
  launch.size = size.value_or(launch.size);
  const nb::gil_scoped_release others_run;
  new (place) Participant(name, configuration_file, launch);
}

nb::dict statistics(const Participant& participant) {
  const Statistics statistics = participant.statistics();
  nb::dict out;
  out["messages_sent"] = statistics.messages_sent;
  out["bytes_sent"] = statistics.bytes_sent;
  out["messages_received"] = statistics.messages_received;
  out["bytes_received"] = statistics.bytes_received;
  out["wait_seconds"] = statistics.wait_seconds;
  out["most_bytes_queued"] = statistics.most_bytes_queued;
  out["partners"] = statistics.partners;
  out["transports"] = statistics.transports;
  return out;
}

void bind_steering(nb::class_<Participant>& type) {
  type.def("__init__", &construct, nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none())
      .def("initialize", &Participant::initialize, Release())
      .def("advance", &Participant::advance, Release())
      .def("finalize", &Participant::finalize, Release())
      .def("give_up", &Participant::give_up, Release())
      .def("save_restart", &Participant::save_restart, Release())
      .def("restarted_window", &Participant::restarted_window)
      .def("restarted_time", &Participant::restarted_time)
      .def("mesh_dimensions", &Participant::mesh_dimensions)
      .def("data_dimensions", &Participant::data_dimensions)
      .def("is_coupling_ongoing", &Participant::is_coupling_ongoing)
      .def("is_time_window_complete", &Participant::is_time_window_complete)
      .def("max_time_step_size", &Participant::max_time_step_size)
      .def("requires_initial_data", &Participant::requires_initial_data)
      .def("requires_writing_checkpoint", &Participant::requires_writing_checkpoint)
      .def("requires_reading_checkpoint", &Participant::requires_reading_checkpoint)
      .def("statistics", &statistics)
      .def("start_profiling_section", &Participant::start_profiling_section)
      .def("stop_last_profiling_section", &Participant::stop_last_profiling_section);
}

/// `Set` adds elements given by the ids of their vertices.
template <void (MeshCalls::*Set)(std::string_view, std::span<const VertexId>)>
void set_elements(Participant& participant, std::string_view mesh, const Ids& ids) {
  (participant.*Set)(mesh, span_to(ids));
}

void bind_meshes(nb::class_<Participant>& type) {
  type.def("requires_mesh_connectivity_for", &Participant::requires_mesh_connectivity_for)
      .def("mesh_vertex_size", &Participant::mesh_vertex_size)
      .def("set_mesh_vertices",
           [](Participant& self, std::string_view mesh, const Doubles& positions,
              const Values<VertexId>& ids) {
             self.set_mesh_vertices(mesh, span_to(positions), span_to(ids));
           })
      .def("set_mesh_edges", &set_elements<&Participant::set_mesh_edges>)
      .def("set_mesh_triangles", &set_elements<&Participant::set_mesh_triangles>)
      .def("set_mesh_quads", &set_elements<&Participant::set_mesh_quads>)
      .def("set_mesh_tetrahedra", &set_elements<&Participant::set_mesh_tetrahedra>)
      .def("reset_mesh", &Participant::reset_mesh)
      .def("set_mesh_access_region",
           [](Participant& self, std::string_view mesh, const Doubles& box) {
             self.set_mesh_access_region(mesh, span_to(box));
           })
      .def("mesh_vertex_ids_and_coordinates",
           [](const Participant& self, std::string_view mesh, const Values<VertexId>& ids,
              const Values<double>& positions) {
             self.mesh_vertex_ids_and_coordinates(mesh, span_to(ids), span_to(positions));
           });
}

void bind_data(nb::class_<Participant>& type) {
  type.def(
          "write_data",
          [](Participant& self, std::string_view mesh, std::string_view data, const Ids& ids,
             const Doubles& values) { self.write_data(mesh, data, span_to(ids), span_to(values)); })
      .def("read_data",
           [](const Participant& self, std::string_view mesh, std::string_view data, const Ids& ids,
              double relative_time, const Values<double>& values) {
             self.read_data(mesh, data, span_to(ids), relative_time, span_to(values));
           })
      .def("requires_gradient_data_for", &Participant::requires_gradient_data_for)
      .def("write_gradient_data",
           [](Participant& self, std::string_view mesh, std::string_view data, const Ids& ids,
              const Doubles& gradients) {
             self.write_gradient_data(mesh, data, span_to(ids), span_to(gradients));
           })
      .def("write_and_map_data",
           [](Participant& self, std::string_view mesh, std::string_view data,
              const Doubles& positions, const Doubles& values) {
             self.write_and_map_data(mesh, data, span_to(positions), span_to(values));
           })
      .def("map_and_read_data",
           [](const Participant& self, std::string_view mesh, std::string_view data,
              const Doubles& positions, double relative_time, const Values<double>& values) {
             self.map_and_read_data(mesh, data, span_to(positions), relative_time, span_to(values));
           });
}

} // namespace
} // namespace isthmus::python

NB_MODULE(_participant, module) {
  module.doc() = "The coupler of Isthmus; isthmus.Participant is its face.";
  nanobind::exception<isthmus::Error>(module, "Error", PyExc_RuntimeError);
  nanobind::class_<isthmus::Participant> type(module, "Participant");
  isthmus::python::bind_steering(type);
  isthmus::python::bind_meshes(type);
  isthmus::python::bind_data(type);
  module.def("version_information", &isthmus::python::version_information);
}
