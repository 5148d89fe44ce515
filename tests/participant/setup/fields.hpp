// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "participant/setup/couple.hpp"
#include "participant/setup/scenario.hpp"
#include "participant/setup/surfaces.hpp"

#include <functional>
#include <map>
#include <span>
#include <string>

namespace couple {

/// Value of one component at a place.
using Profile = std::function<double(std::span<const double> place, int component)>;

/// A run of one time window in which every writer writes a profile on its surfaces.
struct Fields {
  Scenario scenario;
  std::map<std::string, Surface> surfaces; // by mesh
  std::map<std::string, Split> splits;     // by participant; block if not said
  Profile profile = nullptr;
};

/// Adds every combination of mapping, direction and constraint between copies of these surfaces,
/// with scalar and vector data; every third goes from B to A.
void add_all_mappings(Fields& fields, const Surface& of_a, const Surface& of_b);

/// Series: "written data@mesh" and "read data@mesh" by vertex of the surface, "traffic participant"
/// by rank with the messages and bytes that one advance() sent.
[[nodiscard]] Outcome exchange_fields(const Fields& fields, const Deal& deal);

/// How two participants and their surfaces are dealt: every deal and every pair of orders comes,
/// but not with each other. `first` says which meet.
using DealAndOrders = std::pair<Deal, Orders>;
[[nodiscard]] std::vector<DealAndOrders> each_deal_and_order(std::size_t first);

/// A wavy profile.
[[nodiscard]] double waves(std::span<const double> place, int component);
/// A linear profile.
[[nodiscard]] double slope(std::span<const double> place, int component);

} // namespace couple
