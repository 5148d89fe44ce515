// SPDX-License-Identifier: BSD-3-Clause
#include "flow/grid/pieces/dealing.hpp"

#include "flow/multiblock/extent.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace isthmus::flow {

namespace {

std::vector<Piece> whole_blocks(const Topology& topology) {
  std::vector<Piece> pieces;
  for (int b = 0; b < topology.num_blocks(); ++b) {
    pieces.push_back({b, {0, 0, 0}, topology.cells(b)});
  }
  return pieces;
}

double weight_of(const Topology& topology, std::span<const double> weights, const Piece& piece) {
  return weights[static_cast<std::size_t>(piece.block)] * static_cast<double>(piece.cells()) /
         static_cast<double>(topology.num_cells(piece.block));
}

std::vector<double> piece_weights(const Topology& topology, std::span<const double> weights,
                                  std::span<const Piece> pieces) {
  std::vector<double> of_pieces;
  for (const Piece& piece : pieces) {
    of_pieces.push_back(weight_of(topology, weights, piece));
  }
  return of_pieces;
}

/// By ascending block, then along the cuts.
std::vector<Piece> in_order(std::vector<Piece> pieces) {
  std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    return std::pair(a.block, a.begin) < std::pair(b.block, b.begin);
  });
  return pieces;
}

/// As many for each; the first ranks have one more.
void deal_counts(std::vector<Piece>& pieces, int ranks) {
  const int blocks = static_cast<int>(pieces.size());
  const int more = blocks % ranks;
  int next = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    for (int n = 0; n < blocks / ranks + (rank < more ? 1 : 0); ++n) {
      pieces[static_cast<std::size_t>(next++)].part = rank;
    }
  }
}

/// Calls visit(cell) for the cells just outside a piece, by their indices in its block.
template <typename Visit>
void for_each_outside(const Piece& piece, Visit&& visit) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const int at : {piece.begin[axis] - 1, piece.end[axis]}) {
      Index3 begin = piece.begin;
      Index3 end = piece.end;
      begin[axis] = at;
      end[axis] = at + 1;
      Extent::for_each_in(begin, end, visit);
    }
  }
}

/// Pieces as vertices, by ascending block, faces of cells where two of them meet as edges.
partition::Graph graph_of(const Topology& topology, std::span<const double> weights,
                          std::span<const Piece> pieces) {
  const PieceFinder finder(pieces, topology.num_blocks());
  std::vector<partition::Edge> edges;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    for_each_outside(pieces[p], [&](const Index3& cell) {
      if (const auto place = topology.find(pieces[p].block, cell)) {
        const std::size_t other = finder.find(place->block, place->cell);
        if (other > p) { // which names the edge, too
          edges.push_back({static_cast<GlobalIndex>(p), static_cast<GlobalIndex>(other)});
        }
      }
    });
  }
  partition::Graph graph = partition::make_graph(pieces.size(), edges);
  const std::vector<double> of_pieces = piece_weights(topology, weights, pieces);
  constexpr double digits = 1e6; // weights are whole numbers there
  const double largest = *std::max_element(of_pieces.begin(), of_pieces.end());
  for (const double weight : of_pieces) {
    graph.weights.push_back(std::max<GlobalIndex>(std::llround(digits * weight / largest), 1));
  }
  return graph;
}

/// Pieces on their ranks, and how they change these.
class Loads {
 public:
  Loads(const Topology& topology, std::span<const double> weights, std::vector<Piece> pieces,
        int ranks)
      : topology_(&topology),
        weights_(weights),
        pieces_(std::move(pieces)),
        loads_(static_cast<std::size_t>(ranks)) {
    for (const Piece& piece : pieces_) {
      load(piece.part) += weight(piece);
    }
    mean_ = std::accumulate(loads_.begin(), loads_.end(), 0.0) / ranks;
  }

  [[nodiscard]] double imbalance() const {
    return *std::max_element(loads_.begin(), loads_.end()) / mean_;
  }
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }

  /// Moves pieces from the rank with most, alone or for a smaller one, until it is within `limit`
  /// or nothing helps.
  void even_out(double limit) {
    while (imbalance() > limit) {
      const Exchange best = best_exchange();
      if (best.given == none) {
        return;
      }
      move(best.given, best.rank);
      if (best.taken != none) {
        move(best.taken, best.from);
      }
    }
  }

  /// Cuts pieces of the rank with most, for the one with least, until it is within the limit or
  /// nothing helps.
  void cut(const DealSettings& settings) {
    while (imbalance() > settings.imbalance) {
      const std::optional<Cut> best = best_cut(settings);
      if (!best) {
        return;
      }
      const Piece whole = pieces_[best->piece];
      std::array<Piece, 2> halves{whole, whole};
      const auto axis = static_cast<std::size_t>(best->axis);
      halves[0].end[axis] = halves[1].begin[axis] = best->at;
      halves[best->gives_low ? 0 : 1].part =
          rank_of(std::min_element(loads_.begin(), loads_.end()));
      load(whole.part) -= weight(whole);
      for (const Piece& half : halves) {
        load(half.part) += weight(half);
      }
      pieces_[best->piece] = halves[0];
      pieces_.push_back(halves[1]);
      even_out(settings.imbalance);
    }
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  struct Exchange {
    std::size_t given = none;
    std::size_t taken = none; // for it
    int from = 0;
    int rank = 0;
  };
  struct Cut {
    std::size_t piece = 0;
    int axis = 0;
    int at = 0; // first cell of the high half
    bool gives_low = false;
    double error = 0; // load that it moves, beside what it should
    GlobalIndex faces = 0;
  };

  [[nodiscard]] double weight(const Piece& piece) const {
    return weight_of(*topology_, weights_, piece);
  }
  [[nodiscard]] double& load(int rank) { return loads_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] double load(int rank) const { return loads_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] int rank_of(std::vector<double>::const_iterator of) const {
    return static_cast<int>(of - loads_.begin());
  }
  /// What is a gain, beside rounding.
  [[nodiscard]] double least_gain() const { return 1e-6 * mean_; }

  void move(std::size_t piece, int rank) {
    const double moved = weight(pieces_[piece]);
    load(pieces_[piece].part) -= moved;
    load(rank) += moved;
    pieces_[piece].part = rank;
  }

  [[nodiscard]] Exchange best_exchange() const {
    const int from = rank_of(std::max_element(loads_.begin(), loads_.end()));
    Exchange best;
    double least = load(from) - least_gain(); // of what the larger of two ranks has then
    const auto offer = [&](std::size_t given, std::size_t taken, int rank, double moved) {
      const double most = std::max(load(from) - moved, load(rank) + moved);
      if (most < least) {
        least = most;
        best = {given, taken, from, rank};
      }
    };
    for (std::size_t given = 0; given < pieces_.size(); ++given) {
      if (pieces_[given].part != from) {
        continue;
      }
      const double all = weight(pieces_[given]);
      for (int rank = 0; rank < static_cast<int>(loads_.size()); ++rank) {
        if (rank != from) {
          offer(given, none, rank, all);
        }
      }
      for (std::size_t taken = 0; taken < pieces_.size(); ++taken) {
        if (pieces_[taken].part != from) {
          offer(given, taken, pieces_[taken].part, all - weight(pieces_[taken]));
        }
      }
    }
    return best;
  }

  [[nodiscard]] std::optional<Cut> best_cut(const DealSettings& settings) const {
    const double highest = *std::max_element(loads_.begin(), loads_.end());
    const double lowest = *std::min_element(loads_.begin(), loads_.end());
    // one of the two ranks has what it should have then
    const double wanted = std::min(highest - mean_, mean_ - lowest);
    const double same = 0.002 * mean_; // then the smaller cut
    std::optional<Cut> best;
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      const Piece& piece = pieces_[p];
      for (int axis = 0; load(piece.part) == highest && axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const int first = piece.begin[a] + settings.least;
        const double plane = weight(piece) / piece.length(axis);
        for (int at = (first + settings.unit - 1) / settings.unit * settings.unit;
             at <= piece.end[a] - settings.least; at += settings.unit) {
          for (const bool gives_low : {true, false}) {
            const double moved = plane * (gives_low ? at - piece.begin[a] : piece.end[a] - at);
            const double error = std::abs(moved - wanted);
            const bool is_better = !best || error < best->error - same ||
                                   (error < best->error + same && piece.plane(axis) < best->faces);
            if (lowest + moved < highest - least_gain() && is_better) {
              best = Cut{p, axis, at, gives_low, error, piece.plane(axis)};
            }
          }
        }
      }
    }
    return best;
  }

  const Topology* topology_;
  std::span<const double> weights_;
  std::vector<Piece> pieces_;
  std::vector<double> loads_; // per rank
  double mean_ = 0;
};

/// The heaviest piece first, each to the rank with least.
void deal_greedily(std::vector<Piece>& pieces, const std::vector<double>& weights, int ranks) {
  std::vector<std::size_t> order(pieces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  std::vector<double> loads(static_cast<std::size_t>(ranks));
  for (const std::size_t piece : order) {
    const auto least = std::min_element(loads.begin(), loads.end());
    pieces[piece].part = static_cast<int>(least - loads.begin());
    *least += weights[piece];
  }
}

/// The axis with most cells, and where it is cut nearest to its middle; nothing if halves would be
/// too small.
std::optional<std::pair<std::size_t, int>> middle(const Piece& piece,
                                                  const DealSettings& settings) {
  std::size_t axis = 0;
  for (std::size_t a = 1; a < 3; ++a) {
    axis = piece.length(static_cast<int>(a)) > piece.length(static_cast<int>(axis)) ? a : axis;
  }
  const int half = (piece.begin[axis] + piece.end[axis]) / 2;
  const int at = (half + settings.unit / 2) / settings.unit * settings.unit;
  const bool fits =
      at - piece.begin[axis] >= settings.least && piece.end[axis] - at >= settings.least;
  return fits ? std::optional(std::pair(axis, at)) : std::nullopt;
}

/// Blocks are halved until none has more work than `most`.
std::vector<Piece> halved(const Topology& topology, std::span<const double> weights, double most,
                          const DealSettings& settings) {
  std::vector<Piece> pieces = whole_blocks(topology);
  for (std::size_t p = 0; p < pieces.size();) {
    const auto cut = middle(pieces[p], settings);
    if (!cut || weight_of(topology, weights, pieces[p]) <= most) {
      ++p;
      continue;
    }
    const auto [axis, at] = *cut;
    pieces.push_back(pieces[p]);
    pieces[p].end[axis] = pieces.back().begin[axis] = at;
  }
  return pieces;
}

/// Pieces that are dealt greedily, then changed where that helps.
Loads deal_pieces(const Topology& topology, std::span<const double> weights,
                  std::vector<Piece> pieces, int ranks, const DealSettings& settings) {
  deal_greedily(pieces, piece_weights(topology, weights, pieces), ranks);
  Loads loads(topology, weights, std::move(pieces), ranks);
  loads.even_out(settings.imbalance);
  return loads;
}

double mean_of(std::span<const double> weights, int ranks) {
  return std::accumulate(weights.begin(), weights.end(), 0.0) / ranks;
}

/// Neighbours together, as far as whole blocks, or their halves, allow.
Loads deal_neighbours(const Topology& topology, std::span<const double> weights, int ranks,
                      const DealSettings& settings) {
  std::vector<Piece> pieces =
      settings.way == Dealing::metis_halves
          ? in_order(halved(topology, weights, 0.25 * mean_of(weights, ranks), settings))
          : whole_blocks(topology);
  if (settings.way == Dealing::count || ranks >= static_cast<int>(pieces.size())) {
    deal_counts(pieces, ranks);
  } else {
    partition::Graph graph = graph_of(topology, weights, pieces);
    if (!settings.counts_faces) {
      graph.edge_weights.clear();
    }
    const partition::Parts parts = partition::divide(graph, ranks, settings.metis);
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      pieces[p].part = parts[p];
    }
  }
  return {topology, weights, std::move(pieces), ranks};
}

} // namespace

std::vector<Piece> deal(const Topology& topology, std::span<const double> weights, int ranks,
                        const DealSettings& settings) {
  if (topology.num_blocks() == 0 || ranks == 1) {
    return whole_blocks(topology);
  }
  Loads best = deal_neighbours(topology, weights, ranks, settings);
  const auto offer = [&best](Loads loads) {
    constexpr double gain = 0.99; // for which neighbours come apart
    if (loads.imbalance() < best.imbalance() * gain) {
      best = std::move(loads);
    }
  };
  if (settings.way == Dealing::even) {
    best.even_out(settings.imbalance);
    if (best.imbalance() > settings.imbalance) {
      offer(deal_pieces(topology, weights, whole_blocks(topology), ranks, settings));
    }
  }
  if (settings.cuts) {
    best.cut(settings);
    for (const double share : {1.0, 0.5, 0.25}) {
      if (best.imbalance() > settings.imbalance) {
        const double most = share * mean_of(weights, ranks);
        Loads loads = deal_pieces(topology, weights, halved(topology, weights, most, settings),
                                  ranks, settings);
        loads.cut(settings);
        offer(std::move(loads));
      }
    }
  }
  return in_order(best.pieces());
}

double imbalance(const Topology& topology, std::span<const double> weights,
                 std::span<const Piece> pieces, int ranks) {
  return Loads(topology, weights, {pieces.begin(), pieces.end()}, ranks).imbalance();
}

} // namespace isthmus::flow
