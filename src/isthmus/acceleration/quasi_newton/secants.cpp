// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/quasi_newton/secants.hpp"

#include "isthmus/acceleration/dots.hpp"

#include <algorithm>
#include <utility>

namespace isthmus::acceleration {

void Secants::initialize(std::vector<EquationRange> blocks, std::size_t rows,
                         std::size_t output_rows) {
  *this = {};
  blocks_ = std::move(blocks);
  gram_ = Gram(blocks_.size());
  rows_ = rows;
  output_rows_ = output_rows;
}

std::size_t Secants::take_slot() {
  if (free_.empty()) {
    free_.push_back(slots_.size());
    slots_.push_back({std::vector<double>(rows_), std::vector<double>(output_rows_), {}, 0});
  }
  const std::size_t slot = free_.back();
  free_.pop_back();
  gram_.reserve(slots_.size());
  return slot;
}

void Secants::list() {
  v_.clear();
  w_.clear();
  for (const std::size_t slot : order_) {
    v_.push_back(slots_[slot].v.data());
    w_.push_back(slots_[slot].w.data());
  }
}

Secants::Column Secants::push() {
  const std::size_t slot = take_slot();
  slots_[slot].age = 0;
  order_.insert(order_.begin(), slot);
  list();
  fresh_ = true;
  return {slots_[slot].v, slots_[slot].w};
}

void Secants::measure(std::span<const double> residual, std::vector<Twofold>& sums) {
  first_sum_ = sums.size();
  sums.resize(sums.size() + blocks_.size() * 2 * size());
  const double* const newest = fresh_ ? v_.front() : residual.data();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    add_dots(v_, blocks_[b].begin, blocks_[b].end, newest, residual.data(),
             std::span(sums).subspan(first_sum_ + b * 2 * size(), 2 * size()));
  }
}

void Secants::absorb(std::span<const Twofold> sums) {
  const Twofold* sum = sums.data() + first_sum_;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    for (const std::size_t slot : order_) {
      if (fresh_) {
        gram_.between(b, order_.front(), slot) = sum[0];
        gram_.between(b, slot, order_.front()) = sum[0];
      }
      gram_.with_residual(b, slot) = sum[1];
      sum += 2;
    }
  }
  fresh_ = false;
}

void Secants::drop_newest() {
  free_.push_back(order_.front());
  order_.erase(order_.begin());
  list();
}

std::size_t Secants::recent() const {
  const auto old = std::find_if(order_.begin(), order_.end(),
                                [&](std::size_t slot) { return slots_[slot].age > 0; });
  return static_cast<std::size_t>(old - order_.begin());
}

void Secants::weigh(std::span<const double> weights, std::size_t n, std::vector<Twofold>& gram,
                    std::vector<Twofold>& rhs) const {
  gram.assign(n * n, {});
  rhs.assign(n, {});
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Twofold square = exact_product(weights[b], weights[b]);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        gram[i * n + j] += square * gram_.between(b, order_[i], order_[j]);
      }
      rhs[i] += square * gram_.with_residual(b, order_[i]);
    }
  }
}

int Secants::keep(std::span<const std::size_t> columns) {
  std::size_t kept = 0;
  for (std::size_t column = 0; column < size(); ++column) {
    if (std::binary_search(columns.begin(), columns.end(), column)) {
      order_[kept++] = order_[column];
    } else {
      free_.push_back(order_[column]);
    }
  }
  const auto removed = size() - kept;
  order_.resize(kept);
  list();
  return static_cast<int>(removed);
}

int Secants::truncate(std::size_t columns) {
  const std::size_t removed = size() > columns ? size() - columns : 0;
  free_.insert(free_.end(), order_.end() - static_cast<std::ptrdiff_t>(removed), order_.end());
  order_.resize(size() - removed);
  list();
  return static_cast<int>(removed);
}

int Secants::complete_window(int windows) {
  const int older = recent() > 0 ? 1 : 0;
  for (const std::size_t slot : order_) {
    slots_[slot].age += older;
  }
  int counted = 0;
  int age = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const int next = slots_[order_[i]].age;
    counted += next != age ? 1 : 0;
    age = next;
    if (counted > windows) {
      return truncate(i);
    }
  }
  return 0;
}

Secants::Saved Secants::save() const {
  Saved saved;
  saved.shared.push_back(static_cast<double>(size()));
  for (std::size_t i = 0; i < size(); ++i) {
    const Slot& slot = slots_[order_[i]];
    saved.shared.push_back(slot.age);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      for (std::size_t j = 0; j < size(); ++j) {
        const Twofold product = gram_.between(b, order_[i], order_[j]);
        saved.shared.insert(saved.shared.end(), {product.value, product.rest});
      }
    }
    saved.v.insert(saved.v.end(), slot.v.begin(), slot.v.end());
    saved.w.insert(saved.w.end(), slot.w.begin(), slot.w.end());
    if (remembers_) {
      saved.first_w.insert(saved.first_w.end(), slot.first_w.begin(), slot.first_w.end());
    }
  }
  return saved;
}

void Secants::restore(std::span<const double> shared, std::span<const double> v,
                      std::span<const double> w, std::span<const double> first_w) {
  truncate(0);
  const auto columns = static_cast<std::size_t>(shared.front());
  for (std::size_t i = 0; i < columns; ++i) {
    order_.push_back(take_slot());
  }
  remembers_ = !first_w.empty();
  const double* next = shared.data() + 1;
  for (std::size_t i = 0; i < columns; ++i) {
    Slot& slot = slots_[order_[i]];
    slot.age = static_cast<int>(*next++);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      for (std::size_t j = 0; j < columns; ++j, next += 2) {
        gram_.between(b, order_[i], order_[j]) = {next[0], next[1]};
      }
    }
    const auto column_of = [i](std::span<const double> columns_of, std::size_t rows) {
      const auto column = columns_of.subspan(i * rows, rows);
      return std::vector<double>(column.begin(), column.end());
    };
    slot.v = column_of(v, rows_);
    slot.w = column_of(w, output_rows_);
    slot.first_w = remembers_ ? column_of(first_w, output_rows_) : std::vector<double>{};
  }
  list();
}

} // namespace isthmus::acceleration
