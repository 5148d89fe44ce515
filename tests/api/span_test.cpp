// SPDX-License-Identifier: BSD-3-Clause
#include <precice/span.hpp>

#include <doctest/doctest.h>

#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

using precice::span;
using Numbers = span<const double>;
using Text = span<const char>;

template <typename From, typename To>
constexpr bool converts = std::is_convertible_v<From, To>;

// In two registers, as the binary interface wants.
static_assert(std::is_trivially_copyable_v<Numbers> && sizeof(Numbers) == 2 * sizeof(void*));
static_assert(sizeof(span<int, 3>) == sizeof(void*));

static_assert(converts<std::vector<double>&, span<double>>);
static_assert(converts<std::vector<double>&&, Numbers>);
static_assert(converts<const std::vector<double>&, Numbers>);
static_assert(converts<std::array<double, 3>&, span<double>>);
static_assert(converts<const std::array<double, 3>&, Numbers>);
static_assert(converts<double (&)[3], span<double>>);
static_assert(converts<span<double>, Numbers> && converts<span<double, 3>, Numbers>);
static_assert(converts<std::string, Text> && converts<std::string_view, Text>);
static_assert(converts<const char*, Text> && converts<char*, Text>);

static_assert(!converts<const std::vector<double>&, span<double>>);
static_assert(!converts<std::vector<double>&&, span<double>>);
static_assert(!converts<std::vector<float>&, Numbers>);
static_assert(!converts<const double*, Numbers>);
static_assert(!converts<Numbers, span<double>>);
static_assert(!converts<double (&)[2], span<double, 3>>);

double sum(Numbers values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}
std::size_t length(Text text) {
  return text.size();
}

} // namespace

TEST_CASE("a span sees the elements of what it was made from") {
  std::vector<double> vector{1, 2, 3};
  const std::array<double, 3> array{1, 2, 3};
  const double plain[] = {1, 2, 3};
  CHECK(sum(vector) == 6);
  CHECK(sum(array) == 6);
  CHECK(sum(plain) == 6);
  CHECK(sum({1.0, 2.0, 3.0}) == 6);
  CHECK(sum({vector.data(), 2}) == 3);
  CHECK(sum({vector.data(), vector.data() + 2}) == 3);
  CHECK(sum(span<double>(vector)) == 6);
  CHECK(sum({}) == 0);
}

TEST_CASE("writing through a span reaches the owner") {
  std::vector<int> ids(3);
  const span<int> view(ids);
  std::iota(view.begin(), view.end(), 5);
  view.back() = 9;
  CHECK(ids == std::vector{5, 6, 9});
}

TEST_CASE("parts of a span") {
  const std::array<int, 4> values{1, 2, 3, 4};
  const span<const int> view(values);
  CHECK(view.first(2).back() == 2);
  CHECK(view.last(2).front() == 3);
  CHECK(view.subspan(1, 2).back() == 3);
  CHECK(view.subspan(3).size() == 1);
  CHECK(*view.rbegin() == 4);
  CHECK(view.size_bytes() == sizeof(values));
  CHECK(view.subspan(4).empty());
}

TEST_CASE("text of every kind is a span of its characters") {
  const char* c_string = "mesh";
  CHECK(length(c_string) == 4);
  CHECK(length(std::string("mesh")) == 4);
  CHECK(length(std::string_view("mesh")) == 4);
  CHECK(length("mesh") == 5); // a literal brings its NUL; names end at it
}

TEST_CASE("deduction of element and extent") {
  std::array<int, 2> array{};
  std::vector<int> vector;
  const std::vector<int> constant;
  CHECK(std::is_same_v<decltype(span(array)), span<int, 2>>);
  CHECK(std::is_same_v<decltype(span(vector)), span<int>>);
  CHECK(std::is_same_v<decltype(span(constant)), span<const int>>);
}
