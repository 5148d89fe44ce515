// SPDX-License-Identifier: BSD-3-Clause
#include "call_names.hpp"
#include "participant_impl.hpp"
#include "translate.hpp"

#include <precice/Version.h>
#include <precice/Participant.hpp>

#include <memory>
#include <string>

namespace precice {

namespace impl {

namespace {

std::unique_ptr<ParticipantImpl> make(string_view participant, string_view configuration, int rank,
                                      int size, const void* communicator) {
  return forward([&] {
    return std::make_unique<ParticipantImpl>(
        name(participant), name(configuration),
        isthmus::Launch{
            .rank = rank, .size = size, .communicator = communicator, .call_names = &call_names});
  });
}

void* not_null(void* communicator) {
  if (communicator == nullptr) {
    throw Error(
        "the communicator handed to the participant is a null pointer; hand over a pointer to an "
        "MPI_Comm, or use the constructor without a communicator");
  }
  return communicator;
}

} // namespace
} // namespace impl

Participant::Participant(string_view participantName, string_view configurationFileName,
                         int solverProcessIndex, int solverProcessSize)
    : _impl(impl::make(participantName, configurationFileName, solverProcessIndex,
                       solverProcessSize, nullptr)) {}

Participant::Participant(string_view participantName, string_view configurationFileName,
                         int solverProcessIndex, int solverProcessSize, void* communicator)
    : _impl(impl::make(participantName, configurationFileName, solverProcessIndex,
                       solverProcessSize, impl::not_null(communicator))) {}

Participant::~Participant() = default;

void Participant::initialize() {
  forward([&] { _impl->initialize(); });
}

void Participant::advance(double computedTimeStepSize) {
  forward([&] { _impl->advance(computedTimeStepSize); });
}

void Participant::finalize() {
  forward([&] { _impl->finalize(); });
}

bool Participant::requiresWritingCheckpoint() {
  return forward([&] { return _impl->requires_writing_checkpoint(); });
}

bool Participant::requiresReadingCheckpoint() {
  return forward([&] { return _impl->requires_reading_checkpoint(); });
}

int Participant::getMeshDimensions(string_view meshName) const {
  return forward([&] { return _impl->mesh_dimensions(name(meshName)); });
}

int Participant::getDataDimensions(string_view meshName, string_view dataName) const {
  return forward([&] { return _impl->data_dimensions(name(meshName), name(dataName)); });
}

bool Participant::isCouplingOngoing() const {
  return forward([&] { return _impl->is_coupling_ongoing(); });
}

bool Participant::isTimeWindowComplete() const {
  return forward([&] { return _impl->is_time_window_complete(); });
}

double Participant::getMaxTimeStepSize() const {
  return forward([&] { return _impl->max_time_step_size(); });
}

bool Participant::requiresInitialData() {
  return forward([&] { return _impl->requires_initial_data(); });
}

void Participant::writeData(string_view meshName, string_view dataName, span<const VertexID> ids,
                            span<const double> values) {
  forward([&] { _impl->write_data(name(meshName), name(dataName), native(ids), native(values)); });
}

void Participant::readData(string_view meshName, string_view dataName, span<const VertexID> ids,
                           double relativeReadTime, span<double> values) const {
  forward([&] {
    _impl->read_data(name(meshName), name(dataName), native(ids), relativeReadTime, native(values));
  });
}

void Participant::writeAndMapData(string_view meshName, string_view dataName,
                                  span<const double> coordinates, span<const double> values) {
  forward([&] {
    _impl->write_and_map_data(name(meshName), name(dataName), native(coordinates), native(values));
  });
}

void Participant::mapAndReadData(string_view meshName, string_view dataName,
                                 span<const double> coordinates, double relativeReadTime,
                                 span<double> values) const {
  forward([&] {
    _impl->map_and_read_data(name(meshName), name(dataName), native(coordinates), relativeReadTime,
                             native(values));
  });
}

bool Participant::requiresGradientDataFor(string_view meshName, string_view dataName) const {
  return forward([&] { return _impl->requires_gradient_data_for(name(meshName), name(dataName)); });
}

void Participant::writeGradientData(string_view meshName, string_view dataName,
                                    span<const VertexID> ids, span<const double> gradients) {
  forward([&] {
    _impl->write_gradient_data(name(meshName), name(dataName), native(ids), native(gradients));
  });
}

void Participant::startProfilingSection(string_view sectionName) {
  forward([&] { _impl->start_profiling_section(name(sectionName)); });
}

void Participant::stopLastProfilingSection() {
  forward([&] { _impl->stop_last_profiling_section(); });
}

std::string getVersionInformation() {
  return forward([] { return isthmus::version_information(PRECICE_VERSION); });
}

} // namespace precice
