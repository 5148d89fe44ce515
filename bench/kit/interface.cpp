// SPDX-License-Identifier: BSD-3-Clause
// bench_interface MODE NX NY NZ [ROUNDS] [ORDER]: the sums of shared nodes of a box of tetrahedra
// (five in each of NX x NY x NZ cells), as in Elias et al. 2009.
//   strategies  every strategy on the same work in turn: counts, times of the slowest rank; or
//               only those that are named instead of an ORDER
//   orders      orders of the nodes: bandwidth, profile, time of one application of the operator
//               without exchange; separated by semicolons. A FILE instead of NX NY NZ is a mesh in
//               the order of its generator: numbers of nodes and tetrahedra, coordinates, four
//               nodes of each tetrahedron, counted from 0; on one rank
//   apply       ROUNDS applications in one ORDER, for counting under valgrind
// Comma separated values; times are the smallest of all rounds, simulated under the smpi preset.
#include "edge_list.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/discrete/edge_operator.hpp"
#include "isthmus/geometry/morton.hpp"
#include "isthmus/partition/order.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>

using namespace isthmus;
using discrete::TetBox;
using discrete::TetMesh;
using exchange::InterfacePlan;
using exchange::InterfaceSum;
using exchange::SumStrategy;

namespace {

constexpr discrete::Transport transport{1.0, {1.0, 0.5, 0.25}};
constexpr SumStrategy strategies[] = {SumStrategy::allreduce,     SumStrategy::allgather,
                                      SumStrategy::two_stage,     SumStrategy::one_round,
                                      SumStrategy::shared_memory, SumStrategy::automatic};

/// What is the same for all strategies.
struct Work {
  const comm::Comm& comm;
  TetMesh mesh;
  comm::Traffic search;
  InterfacePlan plan;
  discrete::EdgeOperator a;

  Work(const comm::Comm& world, const TetBox& box)
      : comm(world),
        mesh(discrete::make_block(box, world.size(), world.rank())),
        plan(exchange::make_interface_plan(world, mesh.node_ids, &search)),
        a(mesh, plan, transport) {}

  [[nodiscard]] std::int64_t sum(std::int64_t value) const {
    return comm::allreduce(comm, value, comm::Op::sum);
  }
  [[nodiscard]] std::int64_t max(std::int64_t value) const {
    return comm::allreduce(comm, value, comm::Op::max);
  }
};

template <typename Action>
double smallest(const comm::Comm& comm, int rounds, Action action) {
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    comm::barrier(comm);
    const double begin = MPI_Wtime();
    action();
    best = std::min(best, comm::allreduce(comm, MPI_Wtime() - begin, comm::Op::max));
  }
  return best;
}

void describe(const Work& work) {
  const std::int64_t shared = static_cast<std::int64_t>(work.plan.shared.size());
  const std::int64_t owned = shared - static_cast<std::int64_t>(work.plan.foreign.size());
  const std::int64_t tets = work.sum(static_cast<std::int64_t>(work.mesh.tets.size()));
  const std::int64_t nodes = work.sum(work.plan.num_owned());
  const std::int64_t interface = work.sum(owned);
  const std::int64_t most = work.max(shared);
  const std::int64_t neighbours = work.max(static_cast<std::int64_t>(work.plan.neighbours.size()));
  const std::int64_t sent = work.max(work.search.messages);
  const std::int64_t bytes = work.max(work.search.bytes);
  const std::int64_t edges = work.sum(static_cast<std::int64_t>(work.a.num_edges()));
  const std::int64_t interior = work.sum(static_cast<std::int64_t>(work.a.num_interior_edges()));
  if (work.comm.is_root()) {
    std::printf(
        "ranks,tets,nodes,interface,shared_max,neighbours_max,plan_messages_max,"
        "plan_bytes_max,interior_edges\n");
    std::printf("%d,%ld,%ld,%ld,%ld,%ld,%ld,%ld,%.4f\n", work.comm.size(), tets, nodes, interface,
                most, neighbours, sent, bytes,
                static_cast<double>(interior) / static_cast<double>(edges));
    std::printf(
        "strategy,taken,rounds,messages_max,messages_sum,bytes_max,bytes_sum,sum_us,"
        "apply_us\n");
    std::fflush(stdout);
  }
}

void bench_strategies(const comm::Comm& comm, const TetBox& box, int rounds,
                      std::span<char* const> named) {
  const Work work(comm, box);
  describe(work);
  const std::vector<double> x(work.mesh.num_nodes(), 1.0);
  std::vector<double> y(x.size(), 1.0);
  for (const SumStrategy strategy : strategies) {
    const std::string name(exchange::to_string(strategy));
    if (!named.empty() && std::find(named.begin(), named.end(), name) == named.end()) {
      continue;
    }
    InterfaceSum sum(comm, work.plan, 1, strategy);
    const double sum_s = smallest(comm, rounds, [&] {
      sum.begin(y);
      sum.finish(y);
    });
    const double apply_s = smallest(comm, rounds, [&] { work.a.apply(sum, 1, x, y); });
    const exchange::SumCost& cost = sum.cost();
    const std::int64_t steps = work.max(cost.rounds);
    const std::int64_t messages = work.max(cost.messages);
    const std::int64_t all_messages = work.sum(cost.messages);
    const std::int64_t bytes = work.max(cost.bytes);
    const std::int64_t all_bytes = work.sum(cost.bytes);
    if (comm.is_root()) {
      std::printf("%s,%s,%ld,%ld,%ld,%ld,%ld,%.2f,%.2f\n", name.c_str(),
                  std::string(exchange::to_string(sum.strategy())).c_str(), steps, messages,
                  all_messages, bytes, all_bytes, 1e6 * sum_s, 1e6 * apply_s);
      std::fflush(stdout);
    }
  }
}

/// An order of the nodes and a loop over the edges.
struct Variant {
  std::string_view name, order;
  enum Loop { met, sorted, rows } loop; ///< edges as tetrahedra meet them, sorted, the library's
};

/// Loops over edges as Elias et al. have them: as the generator leaves nodes and tetrahedra, and in
/// the order of reverse Cuthill-McKee; then the library's loop in several orders.
constexpr Variant variants[] = {
    {"generated, edges", "generated", Variant::met}, {"rcm, edges", "rcm", Variant::sorted},
    {"generated", "generated", Variant::rows},       {"rcm", "rcm", Variant::rows},
    {"hilbert", "hilbert", Variant::rows},           {"morton", "morton", Variant::rows},
    {"rcm+hilbert", "rcm+hilbert", Variant::rows},
};

std::vector<LocalIndex> order_of(const TetMesh& mesh, const discrete::NodeGraph& graph,
                                 std::string_view name) {
  const partition::Adjacency adjacency{graph.offsets, graph.neighbours};
  std::vector<LocalIndex> order(mesh.num_nodes());
  std::iota(order.begin(), order.end(), 0);
  if (name == "rcm") {
    order = partition::reverse_cuthill_mckee(adjacency);
  } else if (name == "hilbert") {
    order = partition::hilbert_order(3, mesh.coords);
  } else if (name == "morton") {
    order = geometry::curve_order(3, mesh.coords);
  } else if (name == "rcm+hilbert") {
    order = partition::levels_along_hilbert(adjacency, 3, mesh.coords);
  }
  return order;
}

/// A mesh in the order of its generator.
TetMesh read_mesh(const char* path) {
  std::ifstream file(path);
  std::size_t nodes = 0;
  std::size_t tets = 0;
  file >> nodes >> tets;
  TetMesh mesh;
  mesh.node_ids.resize(nodes);
  std::iota(mesh.node_ids.begin(), mesh.node_ids.end(), GlobalIndex{0});
  mesh.coords.resize(3 * nodes);
  for (double& coordinate : mesh.coords) {
    file >> coordinate;
  }
  mesh.tets.resize(tets);
  for (auto& tet : mesh.tets) {
    for (LocalIndex& node : tet) {
      file >> node;
    }
  }
  mesh.tet_ids.resize(tets);
  std::iota(mesh.tet_ids.begin(), mesh.tet_ids.end(), GlobalIndex{0});
  check(static_cast<bool>(file) && nodes > 0, "{}: there is no mesh in it", path);
  return mesh;
}

/// One variant, ready to be applied to the part of a rank, without the exchange.
class Local {
 public:
  Local(const TetMesh& mesh, const discrete::NodeGraph& graph, const Variant& variant) {
    const std::vector<LocalIndex> order = order_of(mesh, graph, variant.order);
    report_ = partition::report({graph.offsets, graph.neighbours}, order);
    if (variant.loop == Variant::met) { // nothing is moved: nodes and tetrahedra as generated
      edges_.emplace(mesh, transport, false);
    } else if (const TetMesh ordered = discrete::reorder(mesh, order);
               variant.loop == Variant::sorted) {
      edges_.emplace(ordered, transport, true);
    } else {
      rows_.emplace(ordered, InterfacePlan{}, transport);
    }
  }

  void apply(std::span<const double> x, std::span<double> y) const {
    if (rows_) {
      rows_->apply_local(1, x, y);
    } else {
      edges_->apply(x, y);
    }
  }
  [[nodiscard]] const partition::OrderReport& report() const { return report_; }

 private:
  partition::OrderReport report_;
  std::optional<discrete::EdgeOperator> rows_;
  std::optional<EdgeList> edges_;
};

/// All variants in turn, so that the load of the machine meets all of them.
void bench_orders(const comm::Comm& comm, const TetMesh& mesh, int rounds) {
  const discrete::NodeGraph graph = discrete::node_graph(mesh);
  std::vector<Local> all;
  for (const Variant& variant : variants) {
    all.emplace_back(mesh, graph, variant);
  }
  std::vector<double> seconds(all.size(), std::numeric_limits<double>::infinity());
  const std::vector<double> x(mesh.num_nodes(), 1.0);
  std::vector<double> y(x.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < all.size(); ++k) {
      all[k].apply(x, y); // into the caches, as far as they go
      seconds[k] = std::min(seconds[k], smallest(comm, 5, [&] { all[k].apply(x, y); }));
    }
  }
  const auto tets =
      comm::allreduce(comm, static_cast<std::int64_t>(mesh.tets.size()), comm::Op::sum);
  if (comm.is_root()) {
    std::printf("ranks;tets;order;bandwidth;profile;mean_distance;apply_us\n");
    for (std::size_t k = 0; k < all.size(); ++k) {
      const partition::OrderReport& report = all[k].report();
      std::printf("%d;%ld;%s;%ld;%ld;%.1f;%.2f\n", comm.size(), tets,
                  std::string(variants[k].name).c_str(), report.bandwidth, report.profile,
                  report.mean_distance, 1e6 * seconds[k]);
    }
  }
}

int bench_apply(const comm::Comm& comm, const TetBox& box, int rounds, std::string_view name) {
  const auto* const variant = std::find_if(std::begin(variants), std::end(variants),
                                           [name](const Variant& one) { return one.name == name; });
  if (variant == std::end(variants)) {
    return 2;
  }
  const TetMesh mesh = discrete::make_block(box, comm.size(), comm.rank());
  const Local local(mesh, discrete::node_graph(mesh), *variant);
  const std::vector<double> x(mesh.num_nodes(), 1.0);
  std::vector<double> y(x.size());
  for (int round = 0; round < rounds; ++round) {
    local.apply(x, y);
  }
  return 0;
}

int usage() {
  std::fprintf(stderr,
               "bench_interface strategies|orders|apply NX NY NZ [ROUNDS] [ORDER]\n"
               "bench_interface orders FILE ROUNDS, on one rank\n");
  return 2;
}

int run(int argc, char** argv) {
  const comm::Comm comm(MPI_COMM_WORLD);
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (argc == 4 && mode == "orders" && comm.size() == 1) {
    bench_orders(comm, read_mesh(argv[2]), std::atoi(argv[3]));
    return 0;
  }
  if (argc < 5) {
    return usage();
  }
  const TetBox box{{std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4])}, {4.0, 1.0, 1.0}};
  const int rounds = argc > 5 ? std::atoi(argv[5]) : 10;
  if (mode == "strategies") {
    bench_strategies(comm, box, rounds,
                     std::span(argv, static_cast<std::size_t>(argc))
                         .subspan(std::min<std::size_t>(6, static_cast<std::size_t>(argc))));
  } else if (mode == "orders") {
    bench_orders(comm, discrete::make_block(box, comm.size(), comm.rank()), rounds);
  } else if (mode == "apply") {
    return bench_apply(comm, box, rounds, argc > 6 ? argv[6] : "rcm");
  } else {
    return usage();
  }
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = run(argc, argv);
  MPI_Finalize();
  return code;
}
