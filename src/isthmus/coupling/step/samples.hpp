// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/config/config.hpp"
#include "isthmus/coupling/schemes/schedule.hpp"
#include "isthmus/fields/field_set.hpp"
#include "isthmus/fields/message_set.hpp"
#include "isthmus/fields/planned_fields.hpp"

#include <span>

namespace isthmus::coupling {

/// Which samples of the fields are kept: from the step that makes them until nobody needs them.
class Samples {
 public:
  Samples(const config::Participant& self, fields::FieldSet& fields, fields::PlannedFields& planned,
          Schedule& schedule)
      : self_(self), fields_(fields), planned_(planned), schedule_(schedule) {}

  /// Everything that will be read is zero at the start unless initial data comes.
  void start_received();
  /// Fields that go out hold nothing until the solver has made a step: what it wrote before is
  /// initial data or nothing.
  void clear_written();
  /// What the solver wrote becomes samples at the present time, where somebody wants them; `due`:
  /// the schemes of which a window ends.
  void store_written(std::span<Scheme* const> due);
  /// Nobody needs what was sent, except what a longer window needs yet.
  void drop_sent();
  /// The window that began at `start` is computed again.
  void drop_repeated(double start);
  /// Data of a scheme that has ended stays as it was there, also where an implicit window that
  /// began before is repeated.
  void keep_last(const fields::MessageSet& messages);

  /// Whether a field is exchanged by the implicit scheme, as it is or mapped.
  [[nodiscard]] bool is_iterated(const fields::Field& field) const;
  /// When the window that begins at `start` is repeated: the time after which samples of a field
  /// come again, infinity if none do. What explicit schemes have sent meanwhile stays.
  [[nodiscard]] double repeated_from(const fields::Field& field, double start) const;

 private:
  [[nodiscard]] bool sends(const Scheme& scheme, const fields::Field& field) const;
  [[nodiscard]] double kept_from(const fields::Field& field) const;

  const config::Participant& self_;
  fields::FieldSet& fields_;
  fields::PlannedFields& planned_;
  Schedule& schedule_;
};

} // namespace isthmus::coupling
