// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/la/galerkin.hpp"

#include "isthmus/base/wire.hpp"
#include "isthmus/comm/sparse/sparse_exchange.hpp"

#include <map>

namespace isthmus::la {

namespace {

void pack(Writer& writer, const GlobalRows& rows, std::size_t row) {
  writer.put_array(rows.columns_of(row)).put_array(rows.values_of(row));
}

void unpack(Reader& reader, GlobalRows& rows) {
  const auto columns = reader.get_array<GlobalIndex>();
  const auto values = reader.get_array<double>();
  for (std::size_t k = 0; k < columns.size(); ++k) {
    rows.add(columns[k], values.at(k));
  }
  rows.end_row();
}

/// The rows of those entries of which this rank has ghosts.
GlobalRows rows_of_ghosts(const comm::Comm& comm, const exchange::Halo& halo,
                          const GlobalRows& own) {
  std::vector<comm::Parcel> parcels;
  for (const auto& target : halo.targets()) {
    Writer writer;
    for (const LocalIndex entry : target.entries) {
      pack(writer, own, static_cast<std::size_t>(entry));
    }
    parcels.push_back({target.rank, writer.take()});
  }
  GlobalRows rows;
  for (const comm::Parcel& parcel : comm::sparse_exchange(comm, std::move(parcels))) {
    Reader reader(parcel.bytes); // by rank, as the ghosts are
    while (reader.left() > 0) {
      unpack(reader, rows);
    }
  }
  return rows;
}

/// The own rows of A P.
GlobalRows product(const Matrix& a, const GlobalRows& p, const GlobalRows& ghosts) {
  GlobalRows rows;
  RowSum sum;
  std::size_t next = 0; // of the rows at the border
  for (std::size_t row = 0; row < a.own().num_rows(); ++row) {
    for (std::size_t k = a.own().offsets[row]; k < a.own().offsets[row + 1]; ++k) {
      sum.add(a.own().values[k], p, static_cast<std::size_t>(a.own().columns[k]));
    }
    const Csr& border = a.border();
    if (next < border.num_rows() && a.border_rows()[next] == static_cast<LocalIndex>(row)) {
      for (std::size_t k = border.offsets[next]; k < border.offsets[next + 1]; ++k) {
        sum.add(border.values[k], ghosts, static_cast<std::size_t>(border.columns[k]));
      }
      ++next;
    }
    sum.end_row(rows);
  }
  return rows;
}

/// Sums for rows of other ranks, sent there. What arrives is by local row.
std::multimap<GlobalIndex, GlobalRows> exchange_sums(const Matrix& p, const GlobalRows& ap) {
  const Csr weights =
      transposed(p.border(), p.ghosts().size()); // of the rows at the border, by ghost
  std::vector<comm::Parcel> parcels;
  std::size_t ghost = 0;
  RowSum sum;
  for (const auto& source : p.halo().sources()) {
    Writer writer;
    for (LocalIndex i = 0; i < source.count; ++i, ++ghost) {
      for (std::size_t k = weights.offsets[ghost]; k < weights.offsets[ghost + 1]; ++k) {
        const LocalIndex row = p.border_rows()[static_cast<std::size_t>(weights.columns[k])];
        sum.add(weights.values[k], ap, static_cast<std::size_t>(row));
      }
      GlobalRows one;
      sum.end_row(one);
      writer.put(p.ghosts()[ghost]);
      pack(writer, one, 0);
    }
    parcels.push_back({source.rank, writer.take()});
  }
  std::multimap<GlobalIndex, GlobalRows> arrived;
  for (const comm::Parcel& parcel : comm::sparse_exchange(p.comm(), std::move(parcels))) {
    Reader reader(parcel.bytes);
    while (reader.left() > 0) {
      const auto row = reader.get<GlobalIndex>();
      unpack(reader, arrived.emplace(row, GlobalRows{})->second);
    }
  }
  return arrived;
}

} // namespace

Matrix galerkin_product(const Matrix& a, const Matrix& p) {
  const GlobalRows own = p.global_rows();
  const GlobalRows ap = product(a, own, rows_of_ghosts(a.comm(), a.halo(), own));
  const auto arrived = exchange_sums(p, ap);
  const Csr weights = transposed(p.own(), static_cast<std::size_t>(p.num_columns()));
  GlobalRows rows;
  RowSum sum;
  for (std::size_t row = 0; row < weights.num_rows(); ++row) {
    for (std::size_t k = weights.offsets[row]; k < weights.offsets[row + 1]; ++k) {
      sum.add(weights.values[k], ap, static_cast<std::size_t>(weights.columns[k]));
    }
    const auto others = arrived.equal_range(p.first_column() + static_cast<GlobalIndex>(row));
    for (auto at = others.first; at != others.second; ++at) {
      sum.add(1, at->second, 0);
    }
    sum.end_row(rows);
  }
  return make_matrix(a.comm(), rows);
}

} // namespace isthmus::la
