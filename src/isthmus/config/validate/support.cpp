// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/validate/support.hpp"

#include "isthmus/config/names.hpp"
#include "isthmus/grammar/file_line.hpp"

namespace isthmus::config {

namespace {

class Limits {
 public:
  Limits(const Configuration& configuration, const Participant& participant)
      : configuration_(configuration), participant_(participant) {}

  void check() const { check_mappings(); }

 private:
  template <typename... Args>
  void refuse(bool used, int line, fmt::format_string<Args...> what, Args&&... args) const {
    grammar::check_at(!used, {configuration_.file, line},
                      "{} (participant \"{}\") is not supported yet",
                      fmt::format(what, std::forward<Args>(args)...), participant_.name);
  }

  void check_mappings() const {
    for (const Mapping& mapping : participant_.mappings) {
      refuse(mapping.just_in_time() && mapping.kind == MappingKind::nearest_neighbor_gradient,
             mapping.line, "just-in-time <mapping:{}>", name(mapping.kind));
      const Executor& executor = mapping.radial_basis.executor;
      refuse(!executor.is_host(), executor.line, "<executor:{}>", name(executor.kind));
    }
  }

  const Configuration& configuration_;
  const Participant& participant_;
};

} // namespace

void check_supported(const Configuration& configuration, const std::string& participant) {
  if (const Participant* found = configuration.find_participant(participant)) {
    Limits(configuration, *found).check();
  }
}

} // namespace isthmus::config
