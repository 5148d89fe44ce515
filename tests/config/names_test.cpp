// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/names.hpp"
#include "isthmus/base/exception.hpp"
#include "isthmus/config/mapping.hpp"
#include "isthmus/config/participant.hpp"
#include "isthmus/config/scheme.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace isthmus;
using namespace isthmus::config;

namespace {

/// Each enumerator up to the last one has a word of its own, which means it.
template <typename Enum>
void check_words(Enum last) {
  const Words words = words_of(last);
  CHECK(words.size() == static_cast<std::size_t>(last) + 1);
  CHECK(std::set<std::string_view>(words.begin(), words.end()).size() == words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    CHECK(from_name<Enum>(words[i]) == static_cast<Enum>(i));
    CHECK(name(static_cast<Enum>(i)) == words[i]);
  }
  CHECK_THROWS_AS(static_cast<void>(from_name<Enum>("no such word")), Error);
}

} // namespace

TEST_CASE("every enumerator of the settings has a word of the language") {
  check_words(SinkType::file);
  check_words(ProfilingMode::all);
  check_words(M2NKind::mpi_multiple_ports);
  check_words(Initialization::one_level);
  check_words(GeometricFilter::no_filter);
  check_words(Direction::read);
  check_words(Constraint::scaled_consistent_volume);
  check_words(MappingKind::automatic);
  check_words(BasisKind::volume_splines);
  check_words(ExecutorKind::openmp);
  check_words(Polynomial::separate);
  check_words(MultiscaleDimension::d2_d3);
  check_words(MultiscaleType::collect);
  check_words(Axis::z);
  check_words(CrossSectionProfile::parabolic);
  check_words(CrossSection::square);
  check_words(ActionKind::python);
  check_words(ActionTiming::read_mapping_post);
  check_words(ExportKind::csv);
  check_words(SchemeKind::multi);
  check_words(MeasureKind::absolute_or_relative);
  check_words(AccelerationKind::iqn_imvj);
  check_words(PreconditionerType::residual_sum);
  check_words(FilterType::qr3);
  check_words(OnBoundViolation::scale);
  check_words(RestartMode::slide);
}

TEST_CASE("kinds of mappings and accelerations know which settings they take") {
  Mapping mapping;
  for (const MappingKind kind : {MappingKind::rbf, MappingKind::rbf_global_direct,
                                 MappingKind::rbf_global_iterative, MappingKind::rbf_pum_direct}) {
    mapping.kind = kind;
    CHECK(mapping.is_radial_basis());
    CHECK_FALSE(mapping.is_multiscale());
  }
  mapping.kind = MappingKind::axial_geometric_multiscale;
  CHECK(mapping.is_multiscale());
  CHECK_FALSE(mapping.is_radial_basis());
  Acceleration acceleration;
  acceleration.kind = AccelerationKind::iqn_ils;
  CHECK(acceleration.is_quasi_newton());
  acceleration.kind = AccelerationKind::aitken;
  CHECK_FALSE(acceleration.is_quasi_newton());
  Participant participant;
  participant.provided = {{"Own", 1}};
  CHECK(participant.provides("Own"));
  CHECK(participant.receives("Own") == nullptr);
}
