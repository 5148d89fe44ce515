// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/participant/data_calls.hpp"

#include "isthmus/participant/session/noted_call.hpp"

namespace isthmus {

int DataCalls::data_dimensions(std::string_view mesh, std::string_view data) const {
  return noted(session_, [&](auto& s) { return s.data().dimensions(mesh, data); });
}
void DataCalls::write_data(std::string_view mesh, std::string_view data,
                           std::span<const VertexId> ids, std::span<const double> values) {
  noted(session_, [&](auto& s) { s.data().write(mesh, data, ids, values); });
}
void DataCalls::read_data(std::string_view mesh, std::string_view data,
                          std::span<const VertexId> ids, double relative_time,
                          std::span<double> values) const {
  noted(session_, [&](auto& s) { s.data().read(mesh, data, ids, relative_time, values); });
}
bool DataCalls::requires_gradient_data_for(std::string_view mesh, std::string_view data) const {
  return noted(session_, [&](auto& s) { return s.data().requires_gradient(mesh, data); });
}
void DataCalls::write_gradient_data(std::string_view mesh, std::string_view data,
                                    std::span<const VertexId> ids,
                                    std::span<const double> gradients) {
  noted(session_, [&](auto& s) { s.data().write_gradients(mesh, data, ids, gradients); });
}
void DataCalls::write_and_map_data(std::string_view mesh, std::string_view data,
                                   std::span<const double> positions,
                                   std::span<const double> values) {
  noted(session_, [&](auto& s) { s.data().write_and_map(mesh, data, positions, values); });
}
void DataCalls::map_and_read_data(std::string_view mesh, std::string_view data,
                                  std::span<const double> positions, double relative_time,
                                  std::span<double> values) const {
  noted(session_,
        [&](auto& s) { s.data().map_and_read(mesh, data, positions, relative_time, values); });
}

} // namespace isthmus
