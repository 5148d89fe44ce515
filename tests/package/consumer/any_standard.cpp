// SPDX-License-Identifier: BSD-3-Clause
// What a program of any standard from C++11 on may do with the headers. Compiled, not run.
#include <precice/Version.h>
#include <precice/export.h>
#include <precice/preciceC.h>
#include <precice/Exceptions.hpp>
#include <precice/Participant.hpp>
#include <precice/Tooling.hpp>
#include <precice/Types.hpp>
#include <precice/precice.hpp>
#include <precice/preciceFortran.hpp>
#include <precice/span.hpp>

#include <array>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

namespace {

template <typename From, typename To>
void need_conversion() {
  static_assert(std::is_convertible<From, To>::value, "this conversion belongs to the interface");
}
template <typename From, typename To>
void need_refusal() {
  static_assert(!std::is_convertible<From, To>::value, "this conversion would lose something");
}

void conversions() {
  using Numbers = precice::span<const double>;
  need_conversion<std::vector<double>&, precice::span<double>>();
  need_conversion<const std::vector<double>&, Numbers>();
  need_conversion<std::vector<double>&&, Numbers>();
  need_conversion<const std::array<double, 3>&, Numbers>();
  need_conversion<double(&)[3], precice::span<double>>();
  need_conversion<precice::span<double>, Numbers>();
  need_conversion<std::string, precice::string_view>();
  need_conversion<const char*, precice::string_view>();
  need_refusal<const std::vector<double>&, precice::span<double>>();
  need_refusal<std::vector<float>&, Numbers>();
  need_refusal<const double*, Numbers>();
  static_assert(std::is_trivially_destructible<Numbers>::value, "passed in registers");
  static_assert(sizeof(Numbers) == 2 * sizeof(void*), "passed in registers");
  static_assert(sizeof(precice::Participant) == sizeof(void*), "one pointer");
}

void couple(const std::string& configuration, void* communicator) {
  precice::tooling::checkConfiguration(configuration, "Solver", 1);
  precice::tooling::printConfigReference(std::cout, precice::tooling::ConfigReferenceType::MD);
  precice::Participant participant("Solver", configuration, 0, 1, communicator);
  const char* mesh = "Mesh";
  const std::vector<double> positions{0, 0, 1, 0};
  std::vector<precice::VertexID> ids(positions.size() / 2);
  participant.setMeshVertices(mesh, positions, ids);
  const double point[] = {0.5, 0.5};
  const std::array<double, 4> box = {{0, 1, 0, 1}};
  participant.setMeshEdge(mesh, ids[0], participant.setMeshVertex(mesh, point));
  participant.setMeshAccessRegion("Other", box);
  if (participant.requiresInitialData()) {
    participant.writeData(mesh, "Force", ids, {1.0, 2.0});
  }
  participant.initialize();
  std::vector<double> values(ids.size());
  while (participant.isCouplingOngoing()) {
    const double step = participant.getMaxTimeStepSize();
    participant.readData(mesh, std::string("Heat"), ids, step, values);
    for (const double value : precice::span<const double>(values)) {
      std::cout << value << '\n';
    }
    participant.writeData(mesh, "Force", {ids.data(), 1}, {values.data(), 1});
    participant.advance(step);
  }
  participant.finalize();
}

} // namespace

int main(int argc, char** argv) {
  conversions();
  static_assert(PRECICE_VERSION_GREATER_EQUAL(3, 4, 1), "the version of the interface");
  const std::size_t& extent = precice::span<const int>::extent; // needs an address
  if (argc == 2 && extent == precice::dynamic_extent && std::strlen(PRECICE_VERSION) > 0) {
    try {
      couple(argv[1], nullptr);
    } catch (const precice::Error& error) {
      std::cerr << error.what() << '\n';
    }
  }
}
