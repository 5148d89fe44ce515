// SPDX-License-Identifier: BSD-3-Clause
#include "convection/numerics/block_multigrid.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/sequence.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/la/aggregation.hpp"

#include <algorithm>
#include <cmath>

namespace isthmus::convection {

namespace {

constexpr std::size_t width = 4;

/// Which nodes a rank owns, and the part of a sum over ranks that each node takes here.
struct Shares {
  std::vector<char> is_owned;
  std::vector<double> parts; // one over the number of sharers

  explicit Shares(const exchange::InterfacePlan& plan)
      : is_owned(static_cast<std::size_t>(plan.num_nodes), 1),
        parts(static_cast<std::size_t>(plan.num_nodes), 1) {
    for (const LocalIndex node : plan.foreign) {
      is_owned[static_cast<std::size_t>(node)] = 0;
    }
    for (std::size_t i = 0; i < plan.shared.size(); ++i) {
      parts[static_cast<std::size_t>(plan.shared[i])] =
          1 / static_cast<double>(plan.sharers_of(i).size());
    }
  }
};

/// Entries of -div grad, which say which nodes are near each other in the mesh.
std::vector<double> couplings(const BlockPattern& pattern, const Edges& edges) {
  std::vector<double> result(pattern.columns.size(), 0);
  for (const Element& e : edges.elements) {
    for (std::size_t a = 0; a < 4; ++a) {
      for (std::size_t b = 0; b < 4; ++b) {
        double product = 0;
        for (std::size_t c = 0; c < 3; ++c) {
          product += e.gradients[a][c] * e.gradients[b][c];
        }
        result[pattern.place_of(e.nodes[a], static_cast<LocalIndex>(e.nodes[b]))] +=
            e.volume * product;
      }
    }
  }
  return result;
}

/// Aggregates of the nodes that this rank owns.
la::Aggregates aggregate_owned(const BlockPattern& pattern, std::span<const double> couplings,
                               std::span<const char> is_owned, double strong) {
  std::vector<LocalIndex> rows(pattern.num_rows(), -1);
  LocalIndex count = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = is_owned[i] != 0 ? count++ : -1;
  }
  la::Csr own;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (is_owned[i] == 0) {
      continue;
    }
    for (std::size_t k = pattern.offsets[i]; k < pattern.offsets[i + 1]; ++k) {
      const LocalIndex column = rows[static_cast<std::size_t>(pattern.columns[k])];
      if (column >= 0) {
        own.add(column, couplings[k]);
      }
    }
    own.end_row();
  }
  return la::aggregate(own, strong);
}

/// Collective. Reports to the sharers of nodes which aggregates their owners made. Returns the
/// numbers of those that this rank touches, ascending, and which of them each node is in.
std::vector<GlobalIndex> spread(const comm::Comm& comm, const exchange::InterfacePlan& plan,
                                const la::Aggregates& found, const la::Range& range,
                                std::vector<LocalIndex>& aggregates) {
  const Shares shares(plan);
  std::vector<double> numbers(shares.parts.size(), 0); // exact as doubles
  for (std::size_t i = 0, own = 0; i < numbers.size(); ++i) {
    if (shares.is_owned[i] != 0) {
      numbers[i] = static_cast<double>(range.first + found.of_row[own++]);
    }
  }
  exchange::InterfaceSum(comm, plan, 1, exchange::SumStrategy::one_round)(numbers);
  std::vector<GlobalIndex> ids(numbers.begin(), numbers.end());
  sort_once(ids);
  aggregates.clear();
  for (const double number : numbers) {
    const auto at = std::lower_bound(ids.begin(), ids.end(), static_cast<GlobalIndex>(number));
    aggregates.push_back(static_cast<LocalIndex>(at - ids.begin()));
  }
  return ids;
}

/// The blocks of a rank's own elements.
std::vector<float> blocks_of(const BlockPattern& pattern, const Edges& edges,
                             const EdgeMatrix<width>& matrix) {
  std::vector<float> values(blocks4::size * pattern.columns.size(), 0);
  const std::span<const char> is_fixed = matrix.is_fixed();
  const auto take = [&](std::size_t i, std::size_t j, const double* block) {
    float* const to = &values[blocks4::size * pattern.place_of(i, static_cast<LocalIndex>(j))];
    for (std::size_t r = 0; r < width; ++r) {
      for (std::size_t c = 0; c < width; ++c) {
        const bool is_free = is_fixed[width * i + r] == 0 && is_fixed[width * j + c] == 0;
        to[width * c + r] = is_free ? static_cast<float>(block[width * r + c]) : 0;
      }
    }
  };
  for (std::size_t e = 0; e < edges.ends.size(); ++e) {
    const auto i = static_cast<std::size_t>(edges.ends[e].i);
    const auto j = static_cast<std::size_t>(edges.ends[e].j);
    take(i, j, matrix.pair(e).data());
    take(j, i, matrix.pair(e).data() + blocks4::size);
  }
  for (std::size_t i = 0; i < pattern.num_rows(); ++i) {
    take(i, i, matrix.own_block(i).data());
  }
  return values;
}

/// The nodes of a level.
struct Nodes {
  const exchange::InterfacePlan* of_mesh = nullptr; // the finest
  exchange::InterfacePlan own_plan;                 // all others
  std::vector<GlobalIndex> ids;                     // over all ranks; not on the finest
  std::vector<double> parts;                        // see Shares
  std::vector<LocalIndex> aggregates;               // nodes of the next level

  /// The plan must outlive this.
  explicit Nodes(const exchange::InterfacePlan& plan) : of_mesh(&plan), parts(Shares(plan).parts) {}
  /// Collective.
  Nodes(const comm::Comm& comm, std::vector<GlobalIndex> numbers)
      : own_plan(exchange::make_interface_plan(comm, numbers)),
        ids(std::move(numbers)),
        parts(Shares(own_plan).parts) {}

  [[nodiscard]] const exchange::InterfacePlan& plan() const {
    return of_mesh != nullptr ? *of_mesh : own_plan;
  }
};

} // namespace

struct BlockMultigrid::Level {
  Nodes nodes;
  BlockPattern pattern;
  TimedSum sum;
  TimedSum block_sum;
  std::vector<std::size_t> targets = {}; // of the blocks: where in the next level
  std::vector<float> values = {};        // sums of this rank's elements
  std::vector<char> is_fixed = {};       // of the unknowns: no correction reaches them
  BlockIlu ilu = {};
  std::vector<double> r, z, work;

  Level(const comm::Comm& comm, Nodes of, BlockPattern rows, const SumWay& way)
      : nodes(std::move(of)),
        pattern(std::move(rows)),
        sum(comm, nodes.plan(), static_cast<int>(width), way),
        block_sum(comm, nodes.plan(), static_cast<int>(blocks4::size), way),
        r(width * nodes.parts.size()),
        z(r.size()),
        work(r.size()) {}

  /// Collective. work = r - A z.
  void find_residual() {
    std::fill(work.begin(), work.end(), 0);
    blocks4::multiply(pattern, values, z, work);
    sum(work);
    for (std::size_t n = 0; n < work.size(); ++n) {
      work[n] = r[n] - work[n];
    }
  }
};

BlockMultigrid::BlockMultigrid(const comm::Comm& comm, const Mesh& mesh, const Edges& edges,
                               const SumWay& way, const Settings& settings)
    : comm_(comm), settings_(settings) {
  add_levels(mesh, edges, way);
}

BlockMultigrid::~BlockMultigrid() = default;

void BlockMultigrid::add_levels(const Mesh& mesh, const Edges& edges, const SumWay& way) {
  levels_.push_back(std::make_unique<Level>(comm_, Nodes(mesh.plan),
                                            make_pattern(mesh.tets.num_nodes(), edges.ends), way));
  std::vector<double> near = couplings(levels_.back()->pattern, edges);
  GlobalIndex nodes = la::number(comm_, mesh.plan.num_owned()).total;
  while (nodes > settings_.coarsest && static_cast<int>(levels_.size()) < settings_.most_levels) {
    Level& fine = *levels_.back();
    const la::Aggregates found =
        aggregate_owned(fine.pattern, near, Shares(fine.nodes.plan()).is_owned, settings_.strong);
    const la::Range range = la::number(comm_, found.count);
    constexpr double least_gain = 0.9;
    if (static_cast<double>(range.total) > least_gain * static_cast<double>(nodes)) {
      break;
    }
    std::vector<GlobalIndex> ids =
        spread(comm_, fine.nodes.plan(), found, range, fine.nodes.aggregates);
    std::vector<EdgeEnds> ends;
    for (std::size_t i = 0; i < fine.pattern.num_rows(); ++i) {
      for (std::size_t k = fine.pattern.offsets[i]; k < fine.pattern.offsets[i + 1]; ++k) {
        ends.push_back({fine.nodes.aggregates[i],
                        fine.nodes.aggregates[static_cast<std::size_t>(fine.pattern.columns[k])]});
      }
    }
    BlockPattern pattern = make_pattern(ids.size(), ends);
    auto coarse =
        std::make_unique<Level>(comm_, Nodes(comm_, std::move(ids)), std::move(pattern), way);
    std::vector<double> coarse_near(coarse->pattern.columns.size(), 0);
    for (std::size_t k = 0; k < ends.size(); ++k) {
      fine.targets.push_back(
          coarse->pattern.place_of(static_cast<std::size_t>(ends[k].i), ends[k].j));
      coarse_near[fine.targets.back()] += near[k];
    }
    near = std::move(coarse_near);
    levels_.push_back(std::move(coarse));
    nodes = range.total;
  }
  num_coarsest_ = levels_.size() > 1 && nodes <= settings_.coarsest ? nodes : 0;
}

void BlockMultigrid::set(EdgeMatrix<width>& matrix) {
  Level& finest = *levels_.front();
  finest.values = blocks_of(finest.pattern, matrix.edges(), matrix);
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    Level& level = *levels_[l];
    if (l + 1 < levels_.size()) {
      Level& coarse = *levels_[l + 1];
      coarse.values.assign(blocks4::size * coarse.pattern.columns.size(), 0);
      for (std::size_t k = 0; k < level.targets.size(); ++k) {
        for (std::size_t n = 0; n < blocks4::size; ++n) {
          coarse.values[blocks4::size * level.targets[k] + n] +=
              level.values[blocks4::size * k + n];
        }
      }
    }
    if (l + 1 < levels_.size() || num_coarsest_ == 0) {
      factor(level);
    }
  }
  if (num_coarsest_ > 0) {
    factor_coarsest();
  }
}

void BlockMultigrid::factor(Level& level) {
  const std::size_t rows = level.pattern.num_rows();
  std::vector<double> diagonal(blocks4::size * rows);
  for (std::size_t i = 0; i < rows; ++i) {
    std::copy_n(&level.values[blocks4::size * level.pattern.places[i]], blocks4::size,
                &diagonal[blocks4::size * i]);
  }
  level.block_sum(diagonal);
  level.is_fixed.resize(width * rows);
  for (std::size_t n = 0; n < width * rows; ++n) {
    level.is_fixed[n] = diagonal[blocks4::size * (n / width) + 5 * (n % width)] == 0 ? 1 : 0;
  }
  std::vector<float> values = level.values;
  for (std::size_t i = 0; i < rows; ++i) {
    std::transform(&diagonal[blocks4::size * i], &diagonal[blocks4::size * i] + blocks4::size,
                   &values[blocks4::size * level.pattern.places[i]],
                   [](double value) { return static_cast<float>(value); });
  }
  comm::agree(comm_, [&] { level.ilu.factor(level.pattern, values); });
}

void BlockMultigrid::factor_coarsest() {
  const Level& level = *levels_.back();
  const std::size_t n = width * static_cast<std::size_t>(num_coarsest_);
  std::vector<double> matrix(n * n, 0);
  for (std::size_t i = 0; i < level.pattern.num_rows(); ++i) {
    for (std::size_t k = level.pattern.offsets[i]; k < level.pattern.offsets[i + 1]; ++k) {
      const auto row = width * static_cast<std::size_t>(level.nodes.ids[i]);
      const auto column =
          width * static_cast<std::size_t>(
                      level.nodes.ids[static_cast<std::size_t>(level.pattern.columns[k])]);
      for (std::size_t e = 0; e < blocks4::size; ++e) {
        matrix[(row + e % width) * n + column + e / width] += level.values[blocks4::size * k + e];
      }
    }
  }
  comm::allreduce(comm_, std::span(matrix), comm::Op::sum);
  constexpr double nothing = 1e-6; // values are of single precision
  coarsest_.factor(std::move(matrix), n, nothing);
}

void BlockMultigrid::apply(std::span<const double> r, std::span<double> z, la::Overlap overlap) {
  Level& finest = *levels_.front();
  for (std::size_t n = 0; n < r.size(); ++n) { // from scaled values
    finest.r[n] = r[n] / std::sqrt(finest.nodes.parts[n / width]);
  }
  overlap.progress();
  cycle(0);
  for (std::size_t n = 0; n < z.size(); ++n) {
    z[n] = finest.z[n] * std::sqrt(finest.nodes.parts[n / width]);
  }
}

void BlockMultigrid::smooth(Level& level, bool from_zero) {
  if (from_zero) {
    level.ilu.solve(level.r, level.z);
    for (std::size_t n = 0; n < level.z.size(); ++n) {
      level.z[n] *= level.nodes.parts[n / width];
    }
    level.sum(level.z);
    return;
  }
  level.find_residual();
  level.ilu.solve(level.work, level.work);
  for (std::size_t n = 0; n < level.z.size(); ++n) {
    level.work[n] *= level.nodes.parts[n / width];
  }
  level.sum(level.work);
  for (std::size_t n = 0; n < level.z.size(); ++n) {
    level.z[n] += level.work[n];
  }
}

void BlockMultigrid::cycle(std::size_t index) {
  Level& level = *levels_[index];
  if (index + 1 == levels_.size()) {
    if (num_coarsest_ > 0) {
      solve_coarsest(level);
    } else {
      smooth(level, true);
    }
    return;
  }
  if (settings_.smoothed_before) {
    smooth(level, true);
    level.find_residual();
  } else {
    std::fill(level.z.begin(), level.z.end(), 0);
    level.work = level.r;
  }
  Level& coarse = *levels_[index + 1];
  std::fill(coarse.r.begin(), coarse.r.end(), 0);
  for (std::size_t n = 0; n < level.work.size(); ++n) {
    const auto to = static_cast<std::size_t>(level.nodes.aggregates[n / width]);
    coarse.r[width * to + n % width] += level.nodes.parts[n / width] * level.work[n];
  }
  coarse.sum(coarse.r);
  cycle(index + 1);
  for (std::size_t n = 0; n < level.z.size(); ++n) {
    const auto from = static_cast<std::size_t>(level.nodes.aggregates[n / width]);
    const double correction = coarse.z[width * from + n % width];
    level.z[n] += level.is_fixed[n] != 0 ? 0 : correction;
  }
  smooth(level, false);
}

void BlockMultigrid::solve_coarsest(Level& level) {
  const std::size_t n = width * static_cast<std::size_t>(num_coarsest_);
  std::vector<double> all(n, 0);
  for (std::size_t k = 0; k < level.r.size(); ++k) {
    all[width * static_cast<std::size_t>(level.nodes.ids[k / width]) + k % width] +=
        level.nodes.parts[k / width] * level.r[k];
  }
  comm::allreduce(comm_, std::span(all), comm::Op::sum);
  coarsest_.solve(all);
  for (std::size_t k = 0; k < level.z.size(); ++k) {
    level.z[k] = all[width * static_cast<std::size_t>(level.nodes.ids[k / width]) + k % width];
  }
}

} // namespace isthmus::convection
