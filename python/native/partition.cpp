// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"
#include "bindings.hpp"

#include "isthmus/partition/multilevel/coupled.hpp"
#include "isthmus/partition/multilevel/divide.hpp"
#include "isthmus/partition/points.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>

namespace isthmus::python {

namespace {

using namespace isthmus::partition;
using Numbers = Array1<GlobalIndex>;

Method method_of(const std::string& name) {
  check(name == "kway" || name == "recursive" || name == "scotch",
        "there is no method \"{}\"; choose kway, recursive or scotch", name);
  return name == "kway" ? Method::kway : name == "recursive" ? Method::recursive : Method::scotch;
}

Graph graph_of(const Numbers& offsets, const Numbers& targets) {
  Graph graph;
  graph.offsets = vector_of(offsets);
  graph.targets = vector_of(targets);
  check(!graph.offsets.empty(), "a graph has one offset more than vertices, so one at least");
  return graph;
}

auto divide_graph(const Numbers& offsets, const Numbers& targets, int parts,
                  const std::optional<Array2<GlobalIndex>>& weights,
                  const std::optional<Numbers>& edge_weights, const std::string& method,
                  double tolerance, int seed, nb::handle communicator) {
  Graph graph = graph_of(offsets, targets);
  if (weights) {
    graph.constraints = static_cast<int>(weights->shape(1));
    graph.weights = vector_of(*weights);
  }
  if (edge_weights) {
    graph.edge_weights = vector_of(*edge_weights);
  }
  const comm::Comm comm = comm_of(communicator);
  return numpy_of(divide(comm, graph, parts,
                         {.method = method_of(method), .tolerances = {tolerance}, .seed = seed}));
}

// Points and their weights as spans of the arrays.
Points points_of(const Array2<double>& points, const std::optional<Numbers>& weights) {
  return {dim_of(points), span_of(points),
          weights ? span_of(*weights) : std::span<const GlobalIndex>()};
}

auto divide_both(const Numbers& offsets_a, const Numbers& targets_a, const Numbers& offsets_b,
                 const Numbers& targets_b, const Array2<GlobalIndex>& links,
                 const Array2<double>& points_a, int parts_a, int parts_b, double tolerance) {
  CoupledGraphs graphs{graph_of(offsets_a, targets_a),
                       graph_of(offsets_b, targets_b),
                       {},
                       dim_of(points_a),
                       vector_of(points_a)};
  check(links.shape(1) == 2 || links.shape(1) == 3,
        "links have {} columns; give a vertex of a, a vertex of b, and how much they exchange",
        links.shape(1));
  for (std::size_t i = 0; i < links.shape(0); ++i) {
    const GlobalIndex* link = links.data() + i * links.shape(1);
    graphs.links.push_back({link[0], link[1], links.shape(1) == 3 ? link[2] : 1});
  }
  CoupledParts of = divide_coupled(graphs, parts_a, parts_b, tolerance);
  return std::pair(numpy_of(std::move(of.a)), numpy_of(std::move(of.b)));
}

} // namespace

void bind_partition(nb::module_& module) {
  module.def("divide", &divide_graph, nb::arg("offsets"), nb::arg("targets"), nb::arg("parts"),
             nb::arg("weights") = nb::none(), nb::arg("edge_weights") = nb::none(),
             nb::arg("method") = "kway", nb::arg("tolerance") = 1.03, nb::arg("seed") = 1,
             nb::arg("comm") = nb::none());
  module.def(
      "bisect",
      [](const Array2<double>& points, int parts, const std::optional<Numbers>& weights,
         nb::handle communicator) {
        return numpy_of(bisect(comm_of(communicator), points_of(points, weights), parts));
      },
      nb::arg("points"), nb::arg("parts"), nb::arg("weights") = nb::none(),
      nb::arg("comm") = nb::none());
  module.def(
      "cut_curve",
      [](const Array2<double>& points, int parts, const std::optional<Numbers>& weights,
         const std::string& curve, nb::handle communicator) {
        check(curve == "hilbert" || curve == "morton",
              "there is no curve \"{}\"; choose hilbert or morton", curve);
        return numpy_of(cut_curve(comm_of(communicator), points_of(points, weights), parts,
                                  curve == "hilbert" ? Curve::hilbert : Curve::morton));
      },
      nb::arg("points"), nb::arg("parts"), nb::arg("weights") = nb::none(),
      nb::arg("curve") = "hilbert", nb::arg("comm") = nb::none());
  module.def("divide_coupled", &divide_both, nb::arg("offsets_a"), nb::arg("targets_a"),
             nb::arg("offsets_b"), nb::arg("targets_b"), nb::arg("links"), nb::arg("points_a"),
             nb::arg("parts_a"), nb::arg("parts_b"), nb::arg("tolerance") = 1.03);
}

} // namespace isthmus::python
