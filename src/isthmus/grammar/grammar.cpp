// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/grammar/grammar.hpp"

#include "isthmus/grammar/grammar_build.hpp"
#include "isthmus/grammar/grammar_mapping.hpp"
#include "isthmus/grammar/grammar_scheme.hpp"

namespace isthmus::grammar {

namespace table {
namespace {

constexpr std::array only_name = {required("name", Type::text, "The name.")};

// log and profile

constexpr std::array enabled = {
    optional("enabled", Type::boolean, "true", "Whether anything is written.")};
constexpr auto sink_attributes =
    join(std::array{optional("type", Type::text, "stream", "Where lines go.", "stream, file"),
                    optional("output", Type::text, "stdout",
                             "stdout or stderr of a stream, else the name of the file."),
                    optional("format", Type::text, "",
                             "Pattern of a line, as in \"(%Rank%) %Severity% %Message%\"."),
                    optional("filter", Type::text, "",
                             "Condition on a line, as in \"%Severity% >= info and %Rank% = 0\".")},
         enabled);
constexpr std::array profiling_attributes = {
    optional("mode", Type::text, "fundamental", "How much is measured.",
             "all, api, fundamental, off"),
    optional("flush-every", Type::integer, "50", "Number of events between writes; 0: at the end."),
    optional("directory", Type::text, ".", "Where precice-profiling/ is made."),
    optional("synchronize", Type::boolean, "false", "Whether ranks wait before each measurement.")};

constexpr Tag sink{"sink", "A destination of the log.", sink_attributes};
constexpr auto log_children = each(Occurs::any, sink);
constexpr Tag log{"log", "What is logged and where; absent: to stdout.", enabled, log_children};
constexpr Tag profiling{"profiling", "Time measurements of the library.", profiling_attributes};

// data and meshes

constexpr std::array data_name = {
    required("name", Type::text, "Unique name."),
    optional("waveform-degree", Type::integer, "1",
             "Degree of the interpolation in time; 0: constant in a window.")};
constexpr auto scalar_attributes =
    join(data_name,
         std::array{optional("lower-bound", Type::real, "-inf", "Least admissible value."),
                    optional("upper-bound", Type::real, "inf", "Greatest admissible value.")});
constexpr auto vector_attributes = join(
    data_name, std::array{optional("lower-bound-x", Type::real, "-inf", "Least x component."),
                          optional("lower-bound-y", Type::real, "-inf", "Least y component."),
                          optional("lower-bound-z", Type::real, "-inf", "Least z component."),
                          optional("upper-bound-x", Type::real, "inf", "Greatest x component."),
                          optional("upper-bound-y", Type::real, "inf", "Greatest y component."),
                          optional("upper-bound-z", Type::real, "inf", "Greatest z component.")});
constexpr std::array mesh_attributes = {
    required("name", Type::text, "Unique name."),
    required("dimensions", Type::integer, "Number of coordinates of a vertex.", "2, 3")};

constexpr Tag data_scalar{"data:scalar", "Data with one value per vertex.", scalar_attributes};
constexpr Tag data_vector{
    "data:vector", "Data with as many values per vertex as the mesh has axes.", vector_attributes};
constexpr Tag use_data{"use-data", "Data that lies on this mesh.", only_name};
constexpr auto mesh_children = each(Occurs::any, use_data);
constexpr Tag mesh{"mesh", "A mesh and the data on it.", mesh_attributes, mesh_children};

// communication

constexpr std::array network = {
    optional("port", Type::integer, "0", "Port to listen on; 0: any free one."),
    optional("network", Type::text, "lo", "Network interface, lo for one machine.")};
constexpr std::array exchange_directory = {
    optional("exchange-directory", Type::text, ".",
             "Directory that both sides can reach, for the addresses.")};
constexpr std::array partners = {
    required("acceptor", Type::text, "One participant."),
    required("connector", Type::text, "The other participant."),
    optional("enforce-gather-scatter", Type::boolean, "false",
             "Whether all data goes through the first ranks; for comparison only."),
    optional("use-two-level-initialization", Type::boolean, "false",
             "Whether partners are found in two levels; same as initialization=\"two-level\"."),
    optional("initialization", Type::text, "rendezvous",
             "How ranks find their partners. Isthmus only; rendezvous scales best.",
             "rendezvous, two-level, one-level")};
constexpr auto mpi_attributes = join(exchange_directory, partners);
constexpr auto socket_attributes = join(network, exchange_directory, partners);
constexpr auto intra_socket_attributes = join(network, exchange_directory);

constexpr Tag m2n_sockets{"m2n:sockets", "Two participants talk through TCP.", socket_attributes};
constexpr Tag m2n_ports{"m2n:mpi-multiple-ports", "Two participants talk through MPI ports.",
                        mpi_attributes};
constexpr Tag m2n_mpi{"m2n:mpi", "Two participants talk through MPI.", mpi_attributes};
constexpr Tag intra_sockets{"intra-comm:sockets", "Ranks of the participant talk through TCP.",
                            intra_socket_attributes};
constexpr Tag intra_mpi{"intra-comm:mpi", "Ranks of the participant talk through MPI.",
                        exchange_directory};

// participant

constexpr std::array on_mesh = {required("name", Type::text, "Name of the data."),
                                required("mesh", Type::text, "Mesh on which it lies.")};
constexpr std::array receive_attributes = {
    required("name", Type::text, "Name of the mesh."),
    required("from", Type::text, "Participant that provides it."),
    optional("safety-factor", Type::real, "0.5",
             "Share of the longest side by which boxes grow before they are compared."),
    optional("geometric-filter", Type::text, "on-secondary-ranks",
             "Where vertices out of reach are dropped.",
             "no-filter, on-primary-rank, on-secondary-ranks"),
    optional("api-access", Type::boolean, "false",
             "Whether the solver itself reads and writes on the received mesh."),
    optional("direct-access", Type::boolean, "false", "Old name of api-access.")};
constexpr std::array action_attributes = {required("timing", Type::text, "When the action runs.",
                                                   "write-mapping-post, read-mapping-post"),
                                          required("mesh", Type::text, "Mesh on which it runs.")};
constexpr std::array path_attributes = {
    optional("name", Type::text, "", "Directory of the Python module.")};
constexpr std::array export_attributes = {
    optional("directory", Type::text, ".", "Directory of the files."),
    optional("every-n-time-windows", Type::integer, "1",
             "Number of time windows between files; -1: none."),
    optional("every-iteration", Type::boolean, "false", "Whether to write after every iteration."),
    optional("update-series", Type::boolean, "false",
             "Whether to rewrite the .series file each time instead of at the end.")};
constexpr std::array watch_point_attributes = {
    required("name", Type::text, "Name, part of the name of the file."),
    required("mesh", Type::text, "Provided mesh to watch."),
    required("coordinate", Type::vector, "Position, as in \"0.5;1.0\".")};
constexpr std::array watch_integral_attributes = {
    required("name", Type::text, "Name, part of the name of the file."),
    required("mesh", Type::text, "Mesh to watch."),
    required("scale-with-connectivity", Type::boolean,
             "Whether to integrate over edges or triangles instead of adding the values.")};

constexpr Tag provide_mesh{"provide-mesh", "Mesh that this participant defines.", only_name};
constexpr Tag receive_mesh{"receive-mesh", "Mesh of another participant that this one needs.",
                           receive_attributes};
constexpr Tag write_data{"write-data", "Data that the solver writes.", on_mesh};
constexpr Tag read_data{"read-data", "Data that the solver reads.", on_mesh};
constexpr Tag watch_point{"watch-point", "Writes the values at a point to a file.",
                          watch_point_attributes};
constexpr Tag watch_integral{"watch-integral", "Writes sums or integrals over a mesh to a file.",
                             watch_integral_attributes};
constexpr Tag export_vtk{"export:vtk", "Writes meshes as legacy VTK; serial participants only.",
                         export_attributes};
constexpr Tag export_vtu{"export:vtu", "Writes meshes as VTU, in parallel PVTU.",
                         export_attributes};
constexpr Tag export_vtp{"export:vtp", "Writes meshes as VTP, in parallel PVTP.",
                         export_attributes};
constexpr Tag export_csv{"export:csv", "Writes meshes as comma separated values.",
                         export_attributes};

constexpr Tag source_data{"source-data", "Data to read.", only_name};
constexpr Tag target_data{"target-data", "Data to change.", only_name};
constexpr Tag path{"path", "Where the module lies.", path_attributes};
constexpr Tag module{"module", "Python module to run.", only_name};
constexpr auto target = each(Occurs::once, target_data);
constexpr auto sources = join(each(Occurs::some, source_data), target);
constexpr auto script = join(each(Occurs::optional, path), each(Occurs::once, module),
                             each(Occurs::optional, source_data, target_data));
constexpr Tag multiply{"action:multiply-by-area", "Multiplies values by the area of each vertex.",
                       action_attributes, target};
constexpr Tag divide{"action:divide-by-area", "Divides values by the area of each vertex.",
                     action_attributes, target};
constexpr Tag summation{"action:summation", "Adds data up.", action_attributes, sources};
constexpr Tag recorder{"action:recorder", "Records calls; for tests only.", action_attributes};
constexpr Tag python{"action:python", "Runs a Python module.", action_attributes, script};

constexpr auto participant_own =
    each(Occurs::any, provide_mesh, receive_mesh, write_data, read_data);
constexpr auto participant_more =
    join(each(Occurs::any, multiply, divide, summation, recorder, python, export_vtk, export_vtu,
              export_vtp, export_csv, watch_point, watch_integral),
         each(Occurs::optional, intra_sockets, intra_mpi));
constexpr auto participant_children = join(participant_own, mappings, participant_more);
constexpr Tag participant{"participant", "A solver: its meshes, its data, its mappings.", only_name,
                          participant_children};

// all

constexpr std::array root_attributes = {
    optional("experimental", Type::boolean, "false", "Whether experimental features may be used."),
    optional("allow-remeshing", Type::boolean, "false",
             "Whether meshes may change during the run; experimental."),
    optional("wait-in-finalize", Type::boolean, "false",
             "Whether participants wait for each other at the end.")};
constexpr auto root_own =
    join(each(Occurs::optional, log, profiling), each(Occurs::any, data_scalar, data_vector),
         each(Occurs::some, mesh, participant), each(Occurs::any, m2n_sockets, m2n_ports, m2n_mpi));
constexpr auto root_children = join(root_own, schemes);
constexpr Tag root{"precice-configuration", "A coupled run.", root_attributes, root_children};

} // namespace
} // namespace table

const Tag& grammar() {
  return table::root;
}

std::string_view name(Type type) {
  switch (type) {
    case Type::text:
      return "string";
    case Type::boolean:
      return "boolean";
    case Type::integer:
      return "integer";
    case Type::real:
      return "float";
    case Type::vector:
      return "vector";
  }
  return "";
}

std::string_view name(Occurs occurs) {
  switch (occurs) {
    case Occurs::optional:
      return "0..1";
    case Occurs::once:
      return "1";
    case Occurs::any:
      return "0..*";
    case Occurs::some:
      return "1..*";
  }
  return "";
}

std::vector<std::string> Attribute::choices() const {
  std::vector<std::string> all;
  std::string_view rest = options;
  while (!rest.empty()) {
    const std::size_t end = rest.find(", ");
    all.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 2);
  }
  return all;
}

const Attribute* Tag::find_attribute(std::string_view attribute) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const Attribute& one) { return one.name == attribute; });
  return found == attributes.end() ? nullptr : &*found;
}

const Tag* Tag::find_child(std::string_view child) const {
  const auto found = std::find_if(children.begin(), children.end(),
                                  [&](const Child& one) { return one.tag->name == child; });
  return found == children.end() ? nullptr : found->tag;
}

std::string_view prefix(std::string_view tag) {
  return tag.substr(0, tag.find(':'));
}

std::string_view kind(std::string_view tag) {
  const std::size_t colon = tag.find(':');
  return colon == std::string_view::npos ? std::string_view() : tag.substr(colon + 1);
}

} // namespace isthmus::grammar
