// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/planning/protocol/copies.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/planning/protocol/messages.hpp"
#include "isthmus/transfer/part_changes.hpp"

namespace isthmus::planning {

LocalIndex number_copies(const transfer::SendPiece& send_piece,
                         std::span<const transfer::Part> parts, const std::vector<char>& needed,
                         std::vector<LocalIndex>& numbers, std::vector<Route>& routes,
                         std::vector<SentList>* sent) {
  numbers.assign(needed.size(), -1);
  LocalIndex next = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const transfer::Part& part = parts[p];
    std::vector<LocalIndex> positions;
    const LocalIndex first = next;
    for (LocalIndex i = 0; i < part.count; ++i) {
      const auto vertex = static_cast<std::size_t>(part.first + i);
      if (needed[vertex] != 0) {
        numbers[vertex] = next++;
        positions.push_back(i);
      }
    }
    Writer writer;
    if (sent != nullptr) {
      SentList& list = (*sent)[p];
      list.differs = transfer::write_difference(writer, list.positions, positions);
      list.positions = std::move(positions);
    } else {
      writer.put_array(positions);
    }
    send_piece(part.link, writer.take());
    if (next > first) {
      routes.push_back({part.link, first, next - first, {}});
    }
  }
  return next;
}

std::vector<char> receive_shared(partner::Context& context, std::span<const Route> routes) {
  std::vector<char> shared;
  for (const Route& route : routes) {
    const std::vector<char> of_route = receive<Shared>(context, route.link).list;
    check(of_route.size() == static_cast<std::size_t>(route.count),
          "a message of shared vertices is too short");
    shared.insert(shared.end(), of_route.begin(), of_route.end());
  }
  return shared;
}

std::vector<double> renumbered(std::span<const double> values, std::span<const LocalIndex> numbers,
                               LocalIndex count) {
  std::vector<double> result(values.empty() ? 0 : static_cast<std::size_t>(count), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (numbers[i] >= 0) {
      result[static_cast<std::size_t>(numbers[i])] = values[i];
    }
  }
  return result;
}

} // namespace isthmus::planning
