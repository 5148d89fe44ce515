// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/actions/python_library.hpp"

#include "isthmus/base/environment.hpp"
#include "isthmus/base/error.hpp"

#include <dlfcn.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace isthmus::actions {

namespace {

namespace fs = std::filesystem;

/// The interpreter that a shell would start, behind all links; empty if there is none.
fs::path python_on_path() {
  const char* const folders = std::getenv("PATH");
  std::string_view rest = folders == nullptr ? "" : folders;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    std::error_code none;
    const fs::path program = fs::canonical(fs::path(rest.substr(0, end)) / "python3", none);
    if (!none && program.filename().string().starts_with("python3.")) {
      return program; // a script in its place would have another name
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

std::vector<std::string> candidates() {
  if (const char* const named = environment_variable("ISTHMUS_PYTHON")) {
    return {named};
  }
  std::vector<std::string> found;
  if (const fs::path program = python_on_path(); !program.empty()) {
    const std::string file = "lib" + program.filename().string() + ".so.1.0";
    found.push_back(program.parent_path().parent_path() / "lib" / file);
    found.push_back(file);
  }
  for (int minor = 14; minor >= 8; --minor) {
    found.push_back(fmt::format("libpython3.{}.so.1.0", minor));
  }
  return found;
}

/// Extension modules look for the interpreter among the symbols of the process.
void* open_library() {
  if (dlsym(RTLD_DEFAULT, "Py_IsInitialized") != nullptr) {
    return RTLD_DEFAULT;
  }
  const std::vector<std::string> files = candidates();
  for (const std::string& file : files) {
    if (void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL)) {
      return library;
    }
  }
  fail(
      "<action:python> needs the library of Python 3, and none of {} can be loaded; install it "
      "(Debian: libpython3.11), or let ISTHMUS_PYTHON name its file",
      fmt::join(files, ", "));
}

template <typename Function>
void find(void* library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  check(function != nullptr,
        "the library of Python lacks {}; let ISTHMUS_PYTHON name that of 3.8 or newer", name);
}

PythonLibrary load_python() {
  void* const library = open_library();
  PythonLibrary python{};
  find(library, "Py_IsInitialized", python.is_initialized);
  find(library, "Py_InitializeEx", python.initialize);
  find(library, "PyEval_SaveThread", python.save_thread);
  find(library, "PyGILState_Ensure", python.ensure);
  find(library, "PyGILState_Release", python.release);
  find(library, "Py_CompileString", python.compile);
  find(library, "PyImport_ExecCodeModule", python.run_module);
  find(library, "PyObject_CallFunction", python.call);
  find(library, "PyObject_GetAttrString", python.attribute);
  find(library, "PyMemoryView_FromMemory", python.memory);
  find(library, "PyUnicode_AsUTF8AndSize", python.text);
  find(library, "PyErr_Clear", python.clear_error);
  find(library, "Py_DecRef", python.forget);
  if (python.is_initialized() == 0) {
    python.initialize(0); // signals stay those of the solver
    python.save_thread(); // the lock is taken where it is needed
  }
  return python;
}

} // namespace

const PythonLibrary& python_library() {
  static const PythonLibrary python = load_python();
  return python;
}

} // namespace isthmus::actions
