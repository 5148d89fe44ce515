// SPDX-License-Identifier: BSD-3-Clause
#include "player.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <typeinfo>

namespace walks {

namespace {

struct SolverError {};

template <typename Participant>
using ErrorOf =
    std::conditional_t<std::is_same_v<Participant, Native>, isthmus::Error, precice::Error>;

/// After an error only this goes on.
bool is_end(Kind kind) {
  return kind == Kind::construct || kind == Kind::destroy || kind == Kind::unwind ||
         kind == Kind::barrier;
}

} // namespace

template <typename Participant>
std::optional<std::string> Player<Participant>::play(const Call& call) {
  if (is_broken_ && !is_end(call.kind)) {
    return {};
  }
  try {
    const Values got = make(call);
    if (call.due.outcome == Outcome::refused || call.due.outcome == Outcome::broken) {
      return "an error was expected and did not come";
    }
    return compare(call, got);
  } catch (const ErrorOf<Participant>& error) {
    return judge(call, error.what());
  } catch (const std::exception& error) {
    return fmt::format("a foreign exception, {}: {}", typeid(error).name(), error.what());
  }
}

template <typename Participant>
std::optional<std::string> Player<Participant>::judge(const Call& call, const std::string& error) {
  if (call.due.outcome == Outcome::ok) {
    is_broken_ = true;
    return "an error that was not expected: " + error;
  }
  is_broken_ = call.due.outcome != Outcome::refused;
  for (const std::string& word : call.due.words) {
    if (error.find(word) == std::string::npos) {
      return fmt::format("the error does not say \"{}\": {}", word, error);
    }
  }
  return {};
}

template <typename Participant>
std::optional<std::string> Player<Participant>::compare(const Call& call, const Values& got) const {
  bool same = got.size() == call.due.values.size() || call.due.values.empty();
  for (std::size_t i = 0; same && i < call.due.values.size(); ++i) {
    same = std::abs(got[i] - call.due.values[i]) <=
           call.due.tolerance * (1 + std::abs(call.due.values[i]));
  }
  return same ? std::nullopt
              : std::optional(fmt::format("got {}, expected {}", fmt::join(got, ","),
                                          fmt::join(call.due.values, ",")));
}

template <typename Participant>
typename Player<Participant>::Values Player<Participant>::make(const Call& call) {
  switch (call.kind) {
    case Kind::construct:
      return construct(call);
    case Kind::barrier:
      MPI_Barrier(seat_.everybody);
      return {};
    case Kind::initialize:
    case Kind::advance:
    case Kind::finalize:
    case Kind::destroy:
    case Kind::unwind:
      return steer(call);
    case Kind::read:
      return read(call);
    case Kind::map_and_read: {
      Values values(static_cast<std::size_t>(call.count), -77);
      participant_->mapAndReadData(call.mesh, call.data, call.places, call.time, values);
      return values;
    }
    case Kind::fetch:
      return fetch(call);
    case Kind::set_vertex:
    case Kind::set_vertices:
    case Kind::set_edge:
    case Kind::set_triangle:
    case Kind::set_region:
    case Kind::reset_mesh:
    case Kind::write:
    case Kind::write_and_map:
    case Kind::write_gradients:
    case Kind::start_section:
    case Kind::stop_section:
      return define(call);
    default:
      return ask(call);
  }
}

template <typename Participant>
typename Player<Participant>::Values Player<Participant>::construct(const Call& call) {
  std::string name = seat_.participant;
  std::string file = seat_.configuration;
  int rank = seat_.rank;
  int size = seat_.size;
  MPI_Comm comm = seat_.comm;
  void* handle = &comm;
  if (call.wrong) {
    name = call.count == 0 ? "Ghost" : name;
    rank = call.count == 1 ? size : rank;
    file = call.count == 2 ? "no-such-file.xml" : file;
    handle = call.count == 3 ? nullptr : handle;
  }
  is_broken_ = false;
  participant_ = std::make_unique<Participant>(name, file, rank, size, handle);
  return {};
}

template <typename Participant>
typename Player<Participant>::Values Player<Participant>::steer(const Call& call) {
  switch (call.kind) {
    case Kind::initialize:
      participant_->initialize();
      break;
    case Kind::advance:
      participant_->advance(call.time);
      break;
    case Kind::finalize:
      participant_->finalize();
      break;
    case Kind::destroy:
      participant_.reset();
      break;
    default:
      try {
        const std::unique_ptr<Participant> dying = std::move(participant_);
        throw SolverError{};
      } catch (const SolverError&) {
      }
  }
  return {};
}

template <typename Participant>
typename Player<Participant>::Values Player<Participant>::define(const Call& call) {
  Participant& participant = *participant_;
  switch (call.kind) {
    case Kind::set_vertex:
      return {static_cast<double>(participant.setMeshVertex(call.mesh, call.numbers))};
    case Kind::set_vertices: {
      std::vector<int> ids(std::max(call.due.values.size(), static_cast<std::size_t>(call.count)));
      participant.setMeshVertices(call.mesh, call.numbers, ids);
      return Values(ids.begin(), ids.end());
    }
    case Kind::set_edge:
      participant.setMeshEdge(call.mesh, call.ids[0], call.ids[1]);
      break;
    case Kind::set_triangle:
      participant.setMeshTriangle(call.mesh, call.ids[0], call.ids[1], call.ids[2]);
      break;
    case Kind::set_region:
      participant.setMeshAccessRegion(call.mesh, call.numbers);
      break;
    case Kind::reset_mesh:
      participant.resetMesh(call.mesh);
      break;
    case Kind::write:
      participant.writeData(call.mesh, call.data, call.ids, call.numbers);
      break;
    case Kind::write_gradients:
      participant.writeGradientData(call.mesh, call.data, call.ids, call.numbers);
      break;
    case Kind::write_and_map:
      participant.writeAndMapData(call.mesh, call.data, call.places, call.numbers);
      break;
    case Kind::start_section:
      participant.startProfilingSection(call.data);
      break;
    default:
      participant.stopLastProfilingSection();
  }
  return {};
}

template <typename Participant>
typename Player<Participant>::Values Player<Participant>::ask(const Call& call) {
  Participant& participant = *participant_;
  const auto number = [](auto value) { return Values{static_cast<double>(value)}; };
  switch (call.kind) {
    case Kind::vertex_size:
      return number(participant.getMeshVertexSize(call.mesh));
    case Kind::mesh_dimensions:
      return number(participant.getMeshDimensions(call.mesh));
    case Kind::data_dimensions:
      return number(participant.getDataDimensions(call.mesh, call.data));
    case Kind::is_ongoing:
      return number(participant.isCouplingOngoing());
    case Kind::is_complete:
      return number(participant.isTimeWindowComplete());
    case Kind::max_step:
      return number(participant.getMaxTimeStepSize());
    case Kind::requires_initial:
      return number(participant.requiresInitialData());
    case Kind::requires_writing:
      return number(participant.requiresWritingCheckpoint());
    case Kind::requires_reading:
      return number(participant.requiresReadingCheckpoint());
    case Kind::requires_connectivity:
      return number(participant.requiresMeshConnectivityFor(call.mesh));
    case Kind::requires_gradient:
      return number(participant.requiresGradientDataFor(call.mesh, call.data));
    default:
      throw std::logic_error("a call without a player");
  }
}

/// Coordinates in the order of those that are expected, behind others.
template <typename Participant>
typename Player<Participant>::Values Player<Participant>::fetch(const Call& call) {
  const int size = call.count >= 0 ? call.count : 1;
  std::vector<int> ids(static_cast<std::size_t>(size));
  Values found(2 * ids.size());
  participant_->getMeshVertexIDsAndCoordinates(call.mesh, ids, found);
  Values sorted;
  for (std::size_t k = 0; k < call.numbers.size(); k += 2) {
    for (std::size_t i = 0; i < found.size(); i += 2) {
      if (found[i] == call.numbers[k] && found[i + 1] == call.numbers[k + 1]) {
        sorted.insert(sorted.end(), {found[i], found[i + 1]});
      }
    }
  }
  return sorted;
}

template <typename Participant>
typename Player<Participant>::Values Player<Participant>::read(const Call& call) {
  std::vector<int> ids = call.ids;
  if (!call.numbers.empty()) { // direct access: ids are places in the list of coordinates
    std::vector<int> known(static_cast<std::size_t>(participant_->getMeshVertexSize(call.mesh)));
    Values found(2 * known.size());
    participant_->getMeshVertexIDsAndCoordinates(call.mesh, known, found);
    for (int& id : ids) {
      if (id < 0) {
        continue;
      }
      const auto k = static_cast<std::size_t>(2 * id);
      std::size_t i = 0;
      while (i < found.size() &&
             (found[i] != call.numbers[k] || found[i + 1] != call.numbers[k + 1])) {
        i += 2;
      }
      if (i >= found.size()) {
        throw std::logic_error("a vertex of the region is missing");
      }
      id = known[i / 2];
    }
  }
  Values values(static_cast<std::size_t>(call.count), -77);
  participant_->readData(call.mesh, call.data, ids, call.time, values);
  return values;
}

template class Player<precice::Participant>;
template class Player<Native>;

} // namespace walks
