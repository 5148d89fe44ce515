// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/acceleration/dots.hpp"

#include <algorithm>
#include <array>

namespace isthmus::acceleration {

namespace {

constexpr std::size_t lanes = 8;
constexpr std::size_t chunk = 1024; // rows of both vectors that stay in the first cache

/// One sum per lane and what it lost; entry i belongs to lane i % lanes.
struct LaneSums {
  std::array<double, lanes> value{};
  std::array<double, lanes> rest{};

  [[nodiscard]] Twofold total() const {
    Twofold sum;
    for (std::size_t l = 0; l < lanes; ++l) {
      sum += exact_sum(value[l], rest[l]);
    }
    return sum;
  }
};

struct Fused { // where the processor multiplies and adds without rounding between
  [[gnu::always_inline]] static double error(double a, double b, double product) {
    return __builtin_fma(a, b, -product);
  }
};

struct Split { // Dekker's halves: the same result from plain operations
  [[gnu::always_inline]] static double high(double a) {
    const double scaled = 134217729.0 * a; // 2^27 + 1
    return scaled - (scaled - a);
  }
  [[gnu::always_inline]] static double error(double a, double b, double product) {
    const double ah = high(a);
    const double bh = high(b);
    const double al = a - ah;
    const double bl = b - bh;
    return al * bl - (((product - ah * bh) - al * bh) - ah * bl);
  }
};

template <typename Product>
[[gnu::always_inline]] inline void add_lane(double a, double b, double& value, double& rest) {
  const double product = a * b;
  const double lost = Product::error(a, b, product);
  const double sum = value + product;
  const double shift = sum - value;
  rest += ((value - (sum - shift)) + (product - shift)) + lost;
  value = sum;
}

/// a · b into sums[0] and a · c into sums[1].
template <typename Product>
[[gnu::always_inline]] inline void add_two(const double* a, const double* b, const double* c,
                                           std::size_t size, Twofold* sums) {
  LaneSums ab;
  LaneSums ac;
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) {
      add_lane<Product>(a[i + l], b[i + l], ab.value[l], ab.rest[l]);
    }
    for (std::size_t l = 0; l < lanes; ++l) {
      add_lane<Product>(a[i + l], c[i + l], ac.value[l], ac.rest[l]);
    }
  }
  for (std::size_t l = 0; i < size; ++i, ++l) {
    add_lane<Product>(a[i], b[i], ab.value[l], ab.rest[l]);
    add_lane<Product>(a[i], c[i], ac.value[l], ac.rest[l]);
  }
  sums[0] += ab.total();
  sums[1] += ac.total();
}

template <typename Product>
[[gnu::always_inline]] inline Twofold minus(Twofold from, const Twofold* a, const Twofold* b,
                                            std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) {
    const double high = a[k].value * b[k].value;
    const double low = Product::error(a[k].value, b[k].value, high) +
                       (a[k].value * b[k].rest + a[k].rest * b[k].value);
    from = from - impl::quick_sum(high, low);
  }
  return from;
}

struct Kernels {
  void (*add_two)(const double*, const double*, const double*, std::size_t, Twofold*);
  Twofold (*minus)(Twofold, const Twofold*, const Twofold*, std::size_t);
};

void add_two_plain(const double* a, const double* b, const double* c, std::size_t size,
                   Twofold* sums) {
  add_two<Split>(a, b, c, size, sums);
}

Twofold minus_plain(Twofold from, const Twofold* a, const Twofold* b, std::size_t size) {
  return minus<Split>(from, a, b, size);
}

#ifdef __x86_64__
[[gnu::target("avx2,fma")]] void add_two_fused(const double* a, const double* b, const double* c,
                                               std::size_t size, Twofold* sums) {
  add_two<Fused>(a, b, c, size, sums);
}

[[gnu::target("avx2,fma")]] Twofold minus_fused(Twofold from, const Twofold* a, const Twofold* b,
                                                std::size_t size) {
  return minus<Fused>(from, a, b, size);
}

/// The fastest of this machine. All give the same bits.
Kernels kernels() {
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
    return {add_two_fused, minus_fused};
  }
  return {add_two_plain, minus_plain};
}
#else
Kernels kernels() {
  return {add_two_plain, minus_plain};
}
#endif

} // namespace

void add_dots(std::span<const double* const> columns, std::size_t begin, std::size_t end,
              const double* one, const double* two, std::span<Twofold> sums) {
  const auto add_two_columns = kernels().add_two;
  for (std::size_t row = begin; row < end; row += chunk) {
    const std::size_t size = std::min(chunk, end - row);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      add_two_columns(columns[j] + row, one + row, two + row, size, &sums[2 * j]);
    }
  }
}

Twofold minus_products(Twofold from, std::span<const Twofold> a, const Twofold* b) {
  return kernels().minus(from, a.data(), b, a.size());
}

Twofold dot(std::span<const double> a, std::span<const double> b) {
  std::array<Twofold, 2> sums;
  const double* const column = a.data();
  add_dots(std::span(&column, 1), 0, a.size(), b.data(), b.data(), sums);
  return sums[0];
}

void combine(std::span<const double* const> columns, std::span<const double> factors,
             const double* base, std::size_t begin, std::span<double> out) {
  std::array<double, chunk> sum;
  for (std::size_t row = 0; row < out.size(); row += chunk) {
    const std::size_t size = std::min(chunk, out.size() - row);
    std::copy_n(base + begin + row, size, sum.begin());
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double factor = factors[j];
      const double* const column = columns[j] + begin + row;
      for (std::size_t i = 0; i < size; ++i) {
        sum[i] += factor * column[i];
      }
    }
    std::copy_n(sum.begin(), size, out.begin() + static_cast<std::ptrdiff_t>(row));
  }
}

} // namespace isthmus::acceleration
