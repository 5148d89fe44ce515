// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/domains.hpp"

#include "isthmus/base/clock.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"

#include <array>
#include <map>
#include <utility>
#include <vector>

namespace isthmus::mps {

Trace::Trace(const comm::Comm& comm, const std::filesystem::path& path, double radius, double slack)
    : comm_(comm), is_on_(!path.empty()), radius_(radius), slack_(slack) {
  comm::agree(comm, [&] {
    if (is_on_ && comm.is_root()) {
      file_.open(path);
      check(file_.good(), "cannot write who sends particles to whom to \"{}\"", path.string());
      file_ << "ranks,step,new,from,to,particles,beyond\n";
    }
  });
}

void Trace::record(State& state, const exchange::Bricks& bricks, bool are_new) {
  if (!is_on_) {
    return;
  }
  std::map<int, std::array<int, 2>> sent; // particles, and whether to one beyond the neighbours
  std::vector<int> near;
  for (const exchange::Position& at : state.positions().first(state.num_owned())) {
    bricks.near(at, radius_, near);
    for (const int rank : near) {
      auto& entry = sent.try_emplace(rank, std::array{0, 1}).first->second;
      ++entry[0];
    }
  }
  for (const int neighbour : bricks.neighbours(comm_.rank(), radius_ + slack_)) {
    sent.try_emplace(neighbour, std::array{0, 0}).first->second[1] = 0;
  }
  sent.erase(comm_.rank());
  std::vector<std::array<int, 4>> rows;
  for (const auto& [rank, entry] : sent) {
    rows.push_back({comm_.rank(), rank, entry[0], entry[1]});
  }
  for (const auto& row : comm::allgather(comm_, std::span<const std::array<int, 4>>(rows)).values) {
    if (comm_.is_root()) {
      file_ << comm_.size() << ',' << step_ << ',' << (are_new ? 1 : 0) << ',' << row[0] << ','
            << row[1] << ',' << row[2] << ',' << row[3] << '\n';
    }
  }
  ++step_;
}

Domains::Domains(const comm::Comm& comm, const Case& from, double radius)
    : migration_(comm, exchange::balanced_bricks(comm, comm.size(), {}, from.spacing),
                 {radius, 0.5 * from.spacing, comm::Opening::at_once, from.domains.discovery}),
      trace_(comm, from.output.trace, radius, 0.5 * from.spacing) {}

void Domains::divide(exchange::Bricks bricks) {
  migration_.divide(std::move(bricks));
  are_new_ = true;
}

double Domains::migrate(State& state, comm::Traffic* traffic) {
  trace_.record(state, migration_.bricks(), are_new_);
  are_new_ = false;
  const double start = now();
  migration_.migrate(state.particles(), false, traffic);
  return now() - start;
}

} // namespace isthmus::mps
