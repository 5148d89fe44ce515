// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/particles.hpp"

#include <cstring>
#include <utility>

namespace isthmus::exchange {

namespace {

/// values := those at the places that the rows name, owned ones, then ghosts.
template <typename T, typename Rows>
void gather(std::vector<T>& values, std::vector<T>& scratch, std::size_t width, const Rows& owned,
            const Rows& ghosts) {
  scratch.resize((owned.size() + ghosts.size()) * width);
  T* to = scratch.data();
  for (const Rows* rows : {&owned, &ghosts}) {
    for (const auto& row : *rows) {
      std::memcpy(to, values.data() + static_cast<std::size_t>(row.from) * width,
                  width * sizeof(T));
      to += width;
    }
  }
  values.swap(scratch);
}

} // namespace

LocalIndex Particles::insert(GlobalIndex id, const Position& at) {
  check(id >= 0, "particle {} needs a number that is not negative", id);
  const std::size_t row = num_owned_++;
  resize(num_owned_);
  ids_[row] = id;
  positions_[row] = at;
  for (Column& column : columns_) {
    std::memset(column.bytes.data() + row * column.width, 0, column.width);
  }
  return static_cast<LocalIndex>(row);
}

void Particles::erase(std::span<const LocalIndex> rows) {
  std::vector<Row> left;
  for (std::size_t row = 0; row < num_owned_; ++row) {
    const auto at = static_cast<LocalIndex>(row);
    if (!rows.empty() && rows.front() == at) {
      rows = rows.subspan(1);
    } else {
      left.push_back({ids_[row], owners_[row], at});
    }
  }
  check(rows.empty(), "there is no owned particle in row {}, or rows do not ascend",
        rows.empty() ? 0 : rows.front());
  arrange(left, {});
}

std::size_t Particles::record_size() const {
  std::size_t size = sizeof(GlobalIndex) + sizeof(int) + sizeof(Position);
  for (const Column& column : columns_) {
    size += column.width;
  }
  return size;
}

int Particles::add_column(std::size_t width) {
  columns_.push_back({width, std::vector<std::byte>(size_ * width), {}});
  return static_cast<int>(columns_.size()) - 1;
}

void Particles::resize(std::size_t size) {
  size_ = size;
  ids_.resize(size);
  owners_.resize(size);
  positions_.resize(size);
  for (Column& column : columns_) {
    column.bytes.resize(size * column.width);
  }
}

void Particles::pack(std::size_t row, int owner, std::span<std::byte> record) const {
  std::byte* to = record.data();
  const auto put = [&to](const void* from, std::size_t size) {
    std::memcpy(to, from, size);
    to += size;
  };
  put(&ids_[row], sizeof(GlobalIndex));
  put(&owner, sizeof owner);
  put(&positions_[row], sizeof(Position));
  for (const Column& column : columns_) {
    put(column.bytes.data() + row * column.width, column.width);
  }
}

void Particles::unpack(std::span<const std::byte> record) {
  const std::size_t row = size_;
  resize(size_ + 1);
  const std::byte* from = record.data();
  const auto get = [&from](void* to, std::size_t size) {
    std::memcpy(to, from, size);
    from += size;
  };
  get(&ids_[row], sizeof(GlobalIndex));
  get(&owners_[row], sizeof(int));
  get(&positions_[row], sizeof(Position));
  for (Column& column : columns_) {
    get(column.bytes.data() + row * column.width, column.width);
  }
}

void Particles::arrange(std::span<const Row> owned, std::span<const Row> ghosts) {
  gather(positions_, position_scratch_, 1, owned, ghosts);
  for (Column& column : columns_) {
    gather(column.bytes, column.scratch, column.width, owned, ghosts);
  }
  num_owned_ = owned.size();
  size_ = owned.size() + ghosts.size();
  ids_.clear();
  owners_.clear();
  for (const std::span<const Row> rows : {owned, ghosts}) {
    for (const Row& row : rows) {
      ids_.push_back(row.id);
      owners_.push_back(row.owner);
    }
  }
}

} // namespace isthmus::exchange
