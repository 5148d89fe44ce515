// SPDX-License-Identifier: BSD-3-Clause
#include "particles/program/case.hpp"

#include "case_file/toml.hpp"
#include "case_file/words.hpp"
#include "isthmus/base/error.hpp"
#include "isthmus/grammar/suggest.hpp"

#include <algorithm>

namespace isthmus::mps {

using solvers::Words;

namespace {

void check_tables(const std::string& file, const toml::table& root) {
  const std::vector<std::string> known{"particles", "liquid", "tank",  "water",
                                       "obstacle",  "time",   "output"};
  for (const auto& [key, value] : root) {
    const std::string word(key.str());
    check(std::find(known.begin(), known.end(), word) != known.end(),
          "{}:{}: there is no table \"{}\"{}", file, value.source().begin.line, word,
          grammar::suggestion(word, known));
  }
}

void check_box(const Box& box, int dimensions) {
  for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
    check(box.lower[d] < box.upper[d], "{}: \"upper\" {} is not above \"lower\" {}", box.place,
          box.upper[d], box.lower[d]);
  }
}

Box read_box(const Words& words, int dimensions) {
  Box box;
  box.place = words.place();
  box.lower = words.numbers("lower", box.lower);
  box.upper = words.numbers("upper", box.upper);
  check_box(box, dimensions);
  return box;
}

void read_tank(const Words& words, Case& to) {
  to.tank = read_box(words, to.dimensions);
  const std::vector<std::string> sides{"left", "right", "bottom", "top", "front", "back"};
  for (const std::string& side : words.texts("open")) {
    const auto at = std::find(sides.begin(), sides.end(), side);
    check(at != sides.end(), "{}: the tank has no side \"{}\"{}", words.place("open"), side,
          grammar::suggestion(side, sides));
    const auto n = static_cast<std::size_t>(at - sides.begin());
    to.is_open[n / 2][n % 2] = true;
  }
  to.deletes_outside = words.choice("outside", "error", {"error", "delete"}) == 1;
}

std::vector<Box> read_boxes(const std::string& file, const toml::table& root, std::string_view name,
                            int dimensions) {
  std::vector<Box> result;
  const toml::array* const all = root[name].as_array();
  for (std::size_t n = 0; all != nullptr && n < all->size(); ++n) {
    const Words words(file, std::string(name), all->get(n)->as_table(),
                      {"lower", "upper", "velocity"});
    result.push_back(read_box(words, dimensions));
    result.back().velocity = words.numbers("velocity", result.back().velocity);
  }
  return result;
}

void read_time(const Words& words, Case& to) {
  to.is_explicit = words.choice("method", "semi-implicit", {"semi-implicit", "explicit"}) == 1;
  to.speed_of_sound = words.number("speed-of-sound", 0, 0, false);
  to.projection.density_part = words.number("density-part", to.projection.density_part, 0, false);
  to.projection.shift = words.number("shift", to.projection.shift, 0, false);
  to.projection.relative = words.number("tolerance", to.projection.relative, 0, true);
  to.end = words.number("end", to.end, 0, true);
  to.largest_step = words.number("step", to.largest_step, 0, true);
  to.courant = words.number("courant", to.courant, 0, true);
  to.balance_every = words.count("balance-every", to.balance_every, 1);
}

} // namespace

Case read_case(const std::filesystem::path& path) {
  const std::string file = path.string();
  const toml::table root = solvers::parse(path);
  check_tables(file, root);
  Case result;
  const Words particles(file, "particles", root["particles"].as_table(),
                        {"dimensions", "spacing", "radius"});
  result.dimensions = particles.choice("dimensions", "2d", {"2d", "3d"}) == 0 ? 2 : 3;
  result.spacing = particles.number("spacing", result.spacing, 0, true);
  result.radius = particles.number("radius", result.dimensions == 2 ? 3.1 : 2.1, 1, true);
  const Words liquid(file, "liquid", root["liquid"].as_table(),
                     {"density", "viscosity", "gravity", "walls"});
  result.liquid.density = liquid.number("density", result.liquid.density, 0, true);
  result.liquid.viscosity = liquid.number("viscosity", result.liquid.viscosity, 0, false);
  result.liquid.gravity = liquid.numbers("gravity", result.liquid.gravity);
  result.liquid.slips = liquid.choice("walls", "slip", {"slip", "stick"}) == 0;
  read_tank({file, "tank", root["tank"].as_table(), {"lower", "upper", "open", "outside"}}, result);
  result.waters = read_boxes(file, root, "water", result.dimensions);
  check(!result.waters.empty(), "{}: there is no [[water]]", file);
  result.obstacles = read_boxes(file, root, "obstacle", result.dimensions);
  read_time({file,
             "time",
             root["time"].as_table(),
             {"method", "speed-of-sound", "density-part", "shift", "tolerance", "end", "step",
              "courant", "balance-every"}},
            result);
  const Words output(file, "output", root["output"].as_table(), {"folder", "every"});
  if (output.has("folder")) {
    result.output = path.parent_path() / output.text("folder", "");
  }
  result.output_every = output.number("every", 0, 0, false);
  return result;
}

} // namespace isthmus::mps
