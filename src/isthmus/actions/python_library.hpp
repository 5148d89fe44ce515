// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace isthmus::actions {

/// A Python interpreter in this process, found when it is first needed: no library of Isthmus is
/// linked with one. The functions are those of its stable interface (PEP 384), by their own names.
struct PythonLibrary {
  struct Object; // PyObject

  int (*is_initialized)();
  void (*initialize)(int signals);
  void* (*save_thread)();
  int (*ensure)(); // the lock of the interpreter
  void (*release)(int state);
  Object* (*compile)(const char* source, const char* file, int start);
  Object* (*run_module)(const char* name, Object* code);
  Object* (*call)(Object* callable, const char* format, ...);
  Object* (*attribute)(Object* object, const char* name);
  Object* (*memory)(char* begin, std::ptrdiff_t bytes, int access);
  const char* (*text)(Object* object, std::ptrdiff_t* size); // null if it is no text
  void (*clear_error)();
  void (*forget)(Object* object); // one reference
};

/// The interpreter that the process runs in already, else the one that ISTHMUS_PYTHON names (its
/// library), else that of the `python3` found on PATH, else any of the system. Error if there is
/// none.
[[nodiscard]] const PythonLibrary& python_library();

} // namespace isthmus::actions
