// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/fields/plans.hpp"
#include "isthmus/partner/connection.hpp"
#include "isthmus/transfer/relations.hpp"

#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace isthmus::fields {

using transfer::Renewal;

/// The partners of one participant: connections to them, and what is planned with them.
class Partners {
 public:
  /// The context and what the configuration says must outlive the object. `m2ns`: of the run.
  Partners(partner::Context& context, const config::Participant& self,
           std::span<const config::M2N> m2ns, transfer::Relations relations)
      : context_(context), self_(self), m2ns_(m2ns), relations_(std::move(relations)) {}
  Partners(const Partners&) = delete; // plans point to relations
  Partners& operator=(const Partners&) = delete;

  /// Collective over all participants. Meets those with whom this one shares a mesh, and `others`.
  void connect(const std::set<std::string>& others);
  /// Collective over all participants. Makes the plans.
  void plan(const planning::Inputs& inputs);
  /// Collective over both participants. Makes those anew that depend on what was reset.
  void renew(const Renewal& renewal);

  [[nodiscard]] partner::Connection& at(const std::string& partner) {
    return connections_.at(partner);
  }
  [[nodiscard]] std::map<std::string, partner::Connection>& connections() { return connections_; }
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] const transfer::Relations& relations() const { return relations_; }
  [[nodiscard]] Plans& plans() { return plans_; }
  [[nodiscard]] const Plans& plans() const { return plans_; }

 private:
  void complete();

  partner::Context& context_;
  const config::Participant& self_;
  std::span<const config::M2N> m2ns_;
  std::map<std::string, partner::Connection> connections_; // by name
  transfer::Relations relations_;
  std::deque<config::Mapping> chosen_; // for automatic ones
  Plans plans_;
};

} // namespace isthmus::fields
