// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus::replay {

/// What the command line asks for.
struct Options {
  std::string participant;
  std::string config;
  std::string mesh;
  std::string part; // prefix of the part files to read
  std::string out;  // prefix of the files to write
  std::string function = "cosine";
  std::vector<std::string> write;
  std::vector<std::string> read;
};

/// Error naming the option for what is missing or unknown.
[[nodiscard]] Options parse_options(int argc, char** argv);

/// The part of a mesh of one rank, from PREFIX.<rank>.part.
struct Part {
  int dimensions = 0;
  std::vector<double> coordinates;
  std::vector<std::int32_t> triangles; // triples of local vertices
  std::vector<std::int64_t> global;    // vertex numbers of the whole mesh
};

[[nodiscard]] Part read_part(const std::string& file);

/// Test functions: cosine 0.78 + cos(10 (x + y + z)), Franke's, linear 1 + x + 2 y + 3 z,
/// constant 1. A vector field is the scalar times (x, z, 1), or (x, 1) in two dimensions.
using Function = std::function<double(std::span<const double>)>;
[[nodiscard]] Function function_named(const std::string& name);
[[nodiscard]] std::vector<double> sample(const Function& function, const Part& part,
                                         int components);

/// Sums over the vertices of this rank.
struct ErrorSums {
  double squares = 0;   // of the error
  double reference = 0; // of the exact values
  double largest = 0;   // error of one vertex; a vector counts by its length
  double count = 0;     // vertices
};
[[nodiscard]] ErrorSums compare(std::span<const double> values, std::span<const double> exact,
                                int components);

/// Appends int64 components, int64 n and the values.
void write_values(const std::string& file, const std::vector<std::vector<double>>& fields,
                  const std::vector<int>& components);

} // namespace isthmus::replay
