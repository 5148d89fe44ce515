// Participant @NAME@: replace what is marked by your solver.
#include <isthmus/isthmus.hpp>

#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

int main() {
  constexpr int size = @POINTS@;
  const std::string mesh = "@NAME@-Mesh";
  const std::vector<std::string> inputs{@READS@};
  std::vector<double> points; // yours: the interface, x0 y0 x1 y1 …
  for (int i = 0; i < size; ++i) {
    points.insert(points.end(), {i / (size - 1.0), 0.0});
  }
  isthmus::Participant participant("@NAME@", "@CONFIG@", {});
  std::vector<int> ids(size);
  participant.set_mesh_vertices(mesh, points, ids);
  participant.initialize();
  double time = 0;
  while (participant.is_coupling_ongoing()) {
    const double dt = participant.max_time_step_size(); // yours: or a smaller step
    std::vector<double> values(size);
    for (const std::string& data : inputs) {
      std::vector<double> input(size);
      participant.read_data(mesh, data, ids, dt, input);
      for (int i = 0; i < size; ++i) {
        values[i] += input[i] / static_cast<double>(inputs.size());
      }
    }
    for (int i = 0; i < size; ++i) { // yours: the solver's step from time to time + dt
      values[i] += points[2 * i];
    }
    time += dt;
    participant.write_data(mesh, "@NAME@-Data", ids, values);
    participant.advance(dt);
    std::printf("@NAME@ time %g: mean %g\n", time, std::accumulate(values.begin(), values.end(), 0.0) / size);
  }
  participant.finalize();
}
