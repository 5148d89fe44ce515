// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/outputs/records.hpp"

#include "isthmus/base/error.hpp"
#include "isthmus/base/hash.hpp"
#include "isthmus/base/wire.hpp"
#include "isthmus/comm/agree.hpp"
#include "isthmus/comm/collective.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>

namespace isthmus::outputs {

namespace {

using Place = std::array<double, 3>;

Place place_at(std::span<const double> numbers, int dimensions) {
  Place place{};
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
    place[d] = numbers[d] + 0.0; // -0 is 0
  }
  return place;
}

/// The rank that brings together who has and who wants something at a place.
int broker_of(const Place& place, int ranks) {
  return dealt_rank(std::span<const double>(place), ranks);
}

struct Stock {
  std::vector<std::span<const double>> records; // without coordinates
  std::size_t given = 0;
};

/// What a rank brings to a broker and wants from it.
struct Errand {
  std::vector<double> records;
  std::vector<double> coordinates;
  std::vector<std::size_t> asking; // entries of `coordinates` of the rank
};

struct Arrived {
  int rank;
  std::vector<double> records;
  std::vector<double> coordinates;
};

std::map<int, Errand> errands_of(const comm::Comm& comm, int dimensions, std::size_t width,
                                 std::span<const double> share,
                                 std::span<const double> coordinates) {
  std::map<int, Errand> errands;
  const auto dim = static_cast<std::size_t>(dimensions);
  for (std::size_t at = 0; at < share.size(); at += width) {
    const auto record = share.subspan(at, width);
    auto& records = errands[broker_of(place_at(record, dimensions), comm.size())].records;
    records.insert(records.end(), record.begin(), record.end());
  }
  for (std::size_t i = 0; i * dim < coordinates.size(); ++i) {
    const auto place = coordinates.subspan(i * dim, dim);
    Errand& errand = errands[broker_of(place_at(place, dimensions), comm.size())];
    errand.coordinates.insert(errand.coordinates.end(), place.begin(), place.end());
    errand.asking.push_back(i);
  }
  return errands;
}

std::vector<Arrived> bring(const comm::Comm& comm, const std::map<int, Errand>& errands) {
  std::vector<comm::Parcel> parcels;
  for (const auto& [broker, errand] : errands) {
    Writer writer;
    writer.put_array(errand.records).put_array(errand.coordinates);
    parcels.push_back({broker, writer.take()});
  }
  std::vector<Arrived> arrived;
  for (const comm::Parcel& parcel : comm::routed_exchange(comm, std::move(parcels))) {
    Reader reader(parcel.bytes);
    auto records = reader.get_array<double>();
    arrived.push_back({parcel.rank, std::move(records), reader.get_array<double>()});
  }
  return arrived;
}

/// The broker's answers: which of the coordinates have no record, and the others' records.
std::vector<comm::Parcel> answer(const std::vector<Arrived>& arrived, int dimensions,
                                 std::size_t width) {
  const auto dim = static_cast<std::size_t>(dimensions);
  std::map<Place, Stock> stocks;
  for (const Arrived& one : arrived) {
    for (std::size_t at = 0; at < one.records.size(); at += width) {
      const auto record = std::span(one.records).subspan(at, width);
      stocks[place_at(record, dimensions)].records.push_back(record.subspan(dim));
    }
  }
  std::vector<comm::Parcel> answers;
  for (const Arrived& one : arrived) {
    std::vector<char> is_found;
    std::vector<double> values;
    for (std::size_t at = 0; at < one.coordinates.size(); at += dim) {
      const auto stock =
          stocks.find(place_at(std::span(one.coordinates).subspan(at, dim), dimensions));
      is_found.push_back(stock != stocks.end() ? 1 : 0);
      if (stock != stocks.end()) {
        auto& [records, given] = stock->second;
        const auto record = records[given++ % records.size()];
        values.insert(values.end(), record.begin(), record.end());
      }
    }
    Writer writer;
    writer.put_array(is_found).put_array(values);
    answers.push_back({one.rank, writer.take()});
  }
  return answers;
}

} // namespace

std::vector<double> records_at(const comm::Comm& comm, const std::string& what, int dimensions,
                               std::size_t width, std::span<const double> share,
                               std::span<const double> coordinates) {
  const auto dim = static_cast<std::size_t>(dimensions);
  const std::size_t size = width - dim;
  const std::map<int, Errand> errands = errands_of(comm, dimensions, width, share, coordinates);
  const std::vector<comm::Parcel> answers =
      comm::routed_exchange(comm, answer(bring(comm, errands), dimensions, width));
  std::vector<double> values(coordinates.size() / dim * size);
  std::vector<std::size_t> missing;
  for (const comm::Parcel& parcel : answers) {
    Reader reader(parcel.bytes);
    const auto is_found = reader.get_array<char>();
    const auto found = reader.get_array<double>();
    auto next = found.begin();
    for (std::size_t k = 0; k < is_found.size(); ++k) {
      const std::size_t i = errands.at(parcel.rank).asking[k];
      if (is_found[k] == 0) {
        missing.push_back(i);
      } else {
        std::copy_n(next, size, values.begin() + static_cast<std::ptrdiff_t>(i * size));
        next += static_cast<std::ptrdiff_t>(size);
      }
    }
  }
  const auto total =
      comm::allreduce(comm, static_cast<std::int64_t>(missing.size()), comm::Op::sum);
  comm::agree(comm, [&] {
    check(
        missing.empty() || what.empty(),
        "{}: {} vertices have no values in the restart file, one of them at ({}); a restart needs "
        "the vertices of the earlier run, with the same coordinates to the last digit",
        what, total,
        fmt::join(coordinates.subspan(missing.empty() ? 0 : missing.front() * dim,
                                      missing.empty() ? 0 : dim),
                  ", "));
  });
  return values;
}

} // namespace isthmus::outputs
