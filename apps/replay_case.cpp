// SPDX-License-Identifier: BSD-3-Clause
#include "replay_case.hpp"

#include "isthmus/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

namespace isthmus::replay {

namespace {

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> names;
  std::size_t begin = 0;
  while (begin < list.size()) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) {
      names.push_back(list.substr(begin, end - begin));
    }
    begin = end + 1;
  }
  return names;
}

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File open(const std::string& name, const char* mode) {
  File file(std::fopen(name.c_str(), mode), &std::fclose);
  check(file != nullptr, "cannot open the file \"{}\"", name);
  return file;
}

template <typename T>
void read_into(std::FILE* file, const std::string& name, std::vector<T>& values) {
  check(std::fread(values.data(), sizeof(T), values.size(), file) == values.size(),
        "the file \"{}\" is too short", name);
}

double franke(std::span<const double> p) {
  const double x = p[0];
  const double y = p[1];
  const auto square = [](double v) { return v * v; };
  if (p.size() == 2) {
    return 0.75 * std::exp(-square(9 * x - 2) / 4 - square(9 * y - 2) / 4) +
           0.75 * std::exp(-square(9 * x + 1) / 49 - (9 * y + 1) / 10) +
           0.5 * std::exp(-square(9 * x - 7) / 4 - square(9 * y - 3) / 4) -
           0.2 * std::exp(-square(9 * x - 4) - square(9 * y - 7));
  }
  const double z = p[2];
  return 0.75 * std::exp(-square(9 * x - 2) / 4 - square(9 * y - 2) / 4 - square(9 * z - 2) / 4) +
         0.75 * std::exp(-square(9 * x + 1) / 49 - (9 * y + 1) / 10 - (9 * z + 1) / 10) +
         0.5 * std::exp(-square(9 * x - 7) / 4 - square(9 * y - 3) / 4 - square(9 * z - 5) / 4) -
         0.2 * std::exp(-square(9 * x - 4) - square(9 * y - 7) - square(9 * z - 5));
}

} // namespace

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string key = argv[i];
    check(i + 1 < argc, "the option {} needs a value", key);
    const std::string value = argv[i + 1];
    if (key == "--participant") {
      options.participant = value;
    } else if (key == "--config") {
      options.config = value;
    } else if (key == "--mesh") {
      options.mesh = value;
    } else if (key == "--part") {
      options.part = value;
    } else if (key == "--out") {
      options.out = value;
    } else if (key == "--function") {
      options.function = value;
    } else if (key == "--windows") {
      options.windows = value;
    } else if (key == "--write") {
      options.write = split(value);
    } else if (key == "--read") {
      options.read = split(value);
    } else {
      fail(
          "unknown option {}; known: --participant --config --mesh --part --out --function "
          "--windows "
          "--write --read",
          key);
    }
  }
  check(!options.participant.empty() && !options.config.empty() && !options.mesh.empty() &&
            !options.part.empty(),
        "--participant, --config, --mesh and --part are needed");
  return options;
}

Part read_part(const std::string& name) {
  const File file = open(name, "rb");
  std::vector<std::int64_t> head(4);
  read_into(file.get(), name, head);
  check(head[0] == 0x5452415054534931, "the file \"{}\" is no part file", name);
  check((head[1] == 2 || head[1] == 3) && head[2] >= 0 && head[3] >= 0,
        "the file \"{}\" has a broken header", name);
  Part part;
  part.dimensions = static_cast<int>(head[1]);
  part.coordinates.resize(static_cast<std::size_t>(head[1] * head[2]));
  part.triangles.resize(static_cast<std::size_t>(3 * head[3]));
  part.global.resize(static_cast<std::size_t>(head[2]));
  read_into(file.get(), name, part.coordinates);
  read_into(file.get(), name, part.triangles);
  read_into(file.get(), name, part.global);
  return part;
}

Function function_named(const std::string& name) {
  if (name == "cosine") {
    return [](std::span<const double> p) {
      return 0.78 + std::cos(10 * (p[0] + p[1] + (p.size() == 3 ? p[2] : 0.0)));
    };
  }
  if (name == "franke") {
    return franke;
  }
  if (name == "linear") {
    return [](std::span<const double> p) {
      return 1 + p[0] + 2 * p[1] + (p.size() == 3 ? 3 * p[2] : 0.0);
    };
  }
  check(name == "constant", "unknown test function \"{}\"; known: cosine, franke, linear, constant",
        name);
  return [](std::span<const double>) { return 1.0; };
}

std::vector<double> sample(const Function& function, const Part& part, int components) {
  const auto dim = static_cast<std::size_t>(part.dimensions);
  std::vector<double> values;
  values.reserve(part.global.size() * static_cast<std::size_t>(components));
  for (std::size_t i = 0; i < part.global.size(); ++i) {
    const std::span point(part.coordinates.data() + i * dim, dim);
    const double f = function(point);
    if (components == 1) {
      values.push_back(f);
    } else if (components == 2) {
      values.insert(values.end(), {f * point[0], f});
    } else {
      values.insert(values.end(), {f * point[0], f * point[2], f});
    }
  }
  return values;
}

ErrorSums compare(std::span<const double> values, std::span<const double> exact, int components) {
  ErrorSums sums;
  const auto width = static_cast<std::size_t>(components);
  for (std::size_t i = 0; i < values.size(); i += width) {
    double error2 = 0;
    for (std::size_t c = i; c < i + width; ++c) {
      error2 += (values[c] - exact[c]) * (values[c] - exact[c]);
      sums.reference += exact[c] * exact[c];
    }
    sums.squares += error2;
    sums.largest = std::max(sums.largest, std::sqrt(error2));
    sums.count += 1;
  }
  return sums;
}

void write_values(const std::string& name, const std::vector<std::vector<double>>& fields,
                  const std::vector<int>& components) {
  const File file = open(name, "wb");
  bool written = true;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const std::int64_t head[2] = {components[f],
                                  static_cast<std::int64_t>(fields[f].size()) / components[f]};
    written &= std::fwrite(head, sizeof head, 1, file.get()) == 1;
    written &= std::fwrite(fields[f].data(), sizeof(double), fields[f].size(), file.get()) ==
               fields[f].size();
  }
  check(written && std::fflush(file.get()) == 0, "cannot write the file \"{}\"; is the disk full?",
        name);
}

} // namespace isthmus::replay
