// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>

namespace precice {

constexpr std::size_t dynamic_extent = static_cast<std::size_t>(-1);

template <typename T, std::size_t extent = dynamic_extent>
class span;

namespace span_detail {

template <typename T>
using bare = typename std::remove_cv<typename std::remove_reference<T>::type>::type;
template <bool condition>
using require = typename std::enable_if<condition, int>::type;

template <typename T>
struct is_view_or_array : std::is_array<T> {};
template <typename T, std::size_t extent>
struct is_view_or_array<span<T, extent>> : std::true_type {};
template <typename T, std::size_t size>
struct is_view_or_array<std::array<T, size>> : std::true_type {};

// U* may become T* by adding const only.
template <typename U, typename T>
struct is_compatible : std::is_convertible<U (*)[], T (*)[]> {};

template <typename C>
using element = typename std::remove_pointer<decltype(std::declval<C&>().data())>::type;

// Whatever has data and size, and is neither a span nor an array, of elements that suit T.
template <typename C, typename T>
struct container_check {
  template <typename D, typename E = element<D>, typename = decltype(std::declval<D&>().size())>
  static std::integral_constant<bool,
                                is_compatible<E, T>::value && !is_view_or_array<bare<D>>::value>
  of(int);
  template <typename D>
  static std::false_type of(...);
};
template <typename C, typename T>
struct is_container_of : decltype(container_check<C, T>::template of<C>(0)) {};

// Pointer and size. The size is a constant, and costs nothing, if the extent is not dynamic.
template <typename T, std::size_t extent>
struct storage {
  constexpr storage() noexcept : data(nullptr) {}
  constexpr storage(T* first, std::size_t) noexcept : data(first) {}
  constexpr std::size_t size() const noexcept { return extent; }
  T* data;
};

template <typename T>
struct storage<T, dynamic_extent> {
  constexpr storage() noexcept : data(nullptr), count(0) {}
  constexpr storage(T* first, std::size_t size) noexcept : data(first), count(size) {}
  constexpr std::size_t size() const noexcept { return count; }
  T* data;
  std::size_t count;
};

} // namespace span_detail

/// A view of `size` consecutive elements that somebody else owns, after std::span of C++20, for
/// C++11. Converts from containers, arrays, and for names from string literals and C strings.
template <typename T, std::size_t Extent>
class span {
 public:
  using element_type = T;
  using value_type = typename std::remove_cv<T>::type;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = T*;
  using const_pointer = const T*;
  using reference = T&;
  using const_reference = const T&;
  using iterator = pointer;
  using reverse_iterator = std::reverse_iterator<iterator>;

  static constexpr size_type extent = Extent;

  template <std::size_t E = Extent, span_detail::require<E == dynamic_extent || E == 0> = 0>
  constexpr span() noexcept {}

  constexpr span(pointer first, size_type count) : storage_(first, count) {}
  constexpr span(pointer first, pointer last)
      : storage_(first, static_cast<size_type>(last - first)) {}

  template <std::size_t N, std::size_t E = Extent,
            span_detail::require<E == dynamic_extent || E == N> = 0>
  constexpr span(element_type (&array)[N]) noexcept : storage_(array, N) {}

  template <typename U, std::size_t N, std::size_t E = Extent,
            span_detail::require<(E == dynamic_extent || E == N) &&
                                 span_detail::is_compatible<U, T>::value> = 0>
  constexpr span(std::array<U, N>& array) noexcept : storage_(array.data(), N) {}

  template <typename U, std::size_t N, std::size_t E = Extent,
            span_detail::require<(E == dynamic_extent || E == N) &&
                                 span_detail::is_compatible<const U, T>::value> = 0>
  constexpr span(const std::array<U, N>& array) noexcept : storage_(array.data(), N) {}

  template <
      typename C, std::size_t E = Extent,
      span_detail::require<E == dynamic_extent && span_detail::is_container_of<C, T>::value> = 0>
  constexpr span(C& container) : storage_(container.data(), container.size()) {}

  template <typename C, std::size_t E = Extent,
            span_detail::require<E == dynamic_extent &&
                                 span_detail::is_container_of<const C, T>::value> = 0>
  constexpr span(const C& container) : storage_(container.data(), container.size()) {}

  /// Braced values, alive until the end of the full expression.
  template <typename U = T, std::size_t E = Extent,
            span_detail::require<E == dynamic_extent && std::is_const<U>::value> = 0>
  constexpr span(std::initializer_list<value_type> values) noexcept
      : storage_(values.begin(), values.size()) {}

  /// C string, up to its NUL; empty if null.
  template <typename P, std::size_t E = Extent,
            span_detail::require<E == dynamic_extent && std::is_same<T, const char>::value &&
                                 (std::is_same<P, const char*>::value ||
                                  std::is_same<P, char*>::value)> = 0>
  constexpr span(P c_string)
      : storage_(c_string, c_string == nullptr ? 0 : std::strlen(c_string)) {}

  template <typename U, std::size_t N, std::size_t E = Extent,
            span_detail::require<(E == dynamic_extent || E == N) &&
                                 span_detail::is_compatible<U, T>::value> = 0>
  constexpr span(const span<U, N>& other) noexcept : storage_(other.data(), other.size()) {}

  // Copies as its parts do, in two registers.

  constexpr size_type size() const noexcept { return storage_.size(); }
  constexpr size_type size_bytes() const noexcept { return size() * sizeof(T); }
  constexpr bool empty() const noexcept { return size() == 0; }
  constexpr pointer data() const noexcept { return storage_.data; }

  constexpr reference operator[](size_type i) const { return data()[i]; }
  constexpr reference front() const { return data()[0]; }
  constexpr reference back() const { return data()[size() - 1]; }

  constexpr iterator begin() const noexcept { return data(); }
  constexpr iterator end() const noexcept { return data() + size(); }
  constexpr reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  constexpr reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }

  constexpr span<T> first(size_type count) const { return {data(), count}; }
  constexpr span<T> last(size_type count) const { return {data() + (size() - count), count}; }
  constexpr span<T> subspan(size_type offset, size_type count = dynamic_extent) const {
    return {data() + offset, count == dynamic_extent ? size() - offset : count};
  }

 private:
  span_detail::storage<T, Extent> storage_;
};

#if __cplusplus < 201703L
template <typename T, std::size_t Extent>
constexpr typename span<T, Extent>::size_type span<T, Extent>::extent;
#else
template <typename T, std::size_t N>
span(T (&)[N]) -> span<T, N>;
template <typename T, std::size_t N>
span(std::array<T, N>&) -> span<T, N>;
template <typename T, std::size_t N>
span(const std::array<T, N>&) -> span<const T, N>;
template <typename C>
span(C&) -> span<span_detail::element<C>>;
template <typename C>
span(const C&) -> span<span_detail::element<const C>>;
#endif

} // namespace precice
