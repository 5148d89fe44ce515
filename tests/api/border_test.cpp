// SPDX-License-Identifier: BSD-3-Clause
#include "message_of.hpp"

#include <precice/Tooling.hpp>
#include <precice/precice.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <type_traits>

using isthmus::contains;
using isthmus::message_of;

static_assert(sizeof(precice::Participant) == sizeof(void*));
static_assert(!std::is_copy_constructible_v<precice::Participant>);
static_assert(!std::is_move_constructible_v<precice::Participant>);
static_assert(PRECICE_VERSION_GREATER_EQUAL(3, 4, 1) && PRECICE_VERSION_GREATER_EQUAL(2, 9, 9));
static_assert(!PRECICE_VERSION_GREATER_EQUAL(3, 4, 2) && !PRECICE_VERSION_GREATER_EQUAL(4, 0, 0));

TEST_CASE("errors of the native interface cross the border as precice::Error") {
  const auto text =
      message_of<precice::Error>([] { precice::Participant("Solver", "no/such/file.xml", 0, 1); });
  CHECK(contains(text, "no/such/file.xml"));
}

TEST_CASE("a name from a literal ends before its NUL") {
  const auto text = message_of<precice::Error>(
      [] { precice::tooling::checkConfiguration("no/such/file.xml", "", 1); });
  CHECK(contains(text, "no/such/file.xml"));
  CHECK(text.find('\0') == std::string::npos);
}

TEST_CASE("a null communicator is refused") {
  const auto text =
      message_of<precice::Error>([] { precice::Participant("Solver", "x.xml", 0, 1, nullptr); });
  CHECK(contains(text, "communicator"));
}

TEST_CASE("the version begins with the one of the interface and names features as preCICE does") {
  const std::string version = precice::getVersionInformation();
  CHECK(version.starts_with("3.4.1;no-info [Isthmus 0."));
  CHECK(contains(version,
                 "];PRECICE_FEATURE_MPI_COMMUNICATION=Y;PRECICE_FEATURE_PETSC_MAPPING=Y;"
                 "PRECICE_FEATURE_GINKGO_MAPPING=N;PRECICE_FEATURE_PYTHON_ACTIONS=Y;"
                 "PRECICE_BINDINGS_C=Y;PRECICE_BINDINGS_FORTRAN=Y;CXX="));
  CHECK(version.ends_with(";CXXFLAGS=;LDFLAGS="));
}

TEST_CASE("the reference of the configuration exists in three forms") {
  using precice::tooling::ConfigReferenceType;
  for (const auto type :
       {ConfigReferenceType::XML, ConfigReferenceType::DTD, ConfigReferenceType::MD}) {
    std::ostringstream out;
    precice::tooling::printConfigReference(out, type);
    CHECK(contains(out.str(), "precice-configuration"));
  }
}
