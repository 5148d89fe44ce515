// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/coupling/schemes/scheme.hpp"
#include "isthmus/fields/partners.hpp"
#include "isthmus/partner/context.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace isthmus::coupling {

/// What is left to do with the partner of a scheme in an exchange in which meshes change.
struct Pending {
  explicit Pending(Scheme* of) : scheme(of) {}
  [[nodiscard]] bool is_open() const { return awaits || (renewal && !is_small); }

  Scheme* scheme;
  bool awaits = false;                    // data, or word of resets
  std::optional<fields::Renewal> renewal; // plans are to be made; once nothing is awaited
  bool is_small = false;                  // they are, by those who see something of it
  bool has_asked = false;                 // the partner for its turn
};

/// Which of several partners comes next, where a participant plans with one after the other.
///
/// Planning takes both sides, and who has begun it with one partner has no ear for the others. So a
/// participant begins with those who are ready, not in an order of its own; and as all may ask each
/// other in a circle, the one of two whose name comes later asks, and the other one says when. Who
/// has said so waits for a later name only, which ends at somebody who is not waiting.
class Turns {
 public:
  /// The arguments must outlive the object.
  Turns(partner::Context& context, fields::Partners& partners, const std::string& self)
      : context_(context), partners_(partners), self_(self) {}

  /// Collective. Waits until data of some scheme are there, or some partner is ready to plan, and
  /// plans with this one from now on. Which, of those that are open.
  [[nodiscard]] std::size_t next(std::span<Pending> all);

 private:
  [[nodiscard]] std::size_t choose(std::span<Pending> all);
  [[nodiscard]] bool is_asked(const std::string& partner) const { return self_ < partner; }

  partner::Context& context_;
  fields::Partners& partners_;
  const std::string& self_;
};

} // namespace isthmus::coupling
