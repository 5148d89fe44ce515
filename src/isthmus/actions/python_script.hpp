// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/actions/python_library.hpp"

#include <optional>
#include <span>
#include <string>

namespace isthmus::actions {

/// A module with a function performAction(time, sourceData, targetData), without those data that
/// the configuration does not name. The data are arrays of NumPy, vertex after vertex; what the
/// function leaves in the last one is taken. Every object loads the module anew: what it remembers
/// between calls is its own.
class PythonScript {
 public:
  /// Error with the text of Python if the module cannot be loaded.
  PythonScript(const std::string& folder, const std::string& module);
  PythonScript(const PythonScript&) = delete;
  PythonScript& operator=(const PythonScript&) = delete;
  ~PythonScript();

  /// Error with file, line and traceback if the function fails.
  void perform(double time, std::optional<std::span<const double>> source,
               std::optional<std::span<double>> target) const;

 private:
  const PythonLibrary& python_;
  std::string name_;
  PythonLibrary::Object* perform_; // of the interpreter
};

} // namespace isthmus::actions
