// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/actions/python_script.hpp"

#include "isthmus/actions/python_library.hpp"
#include "isthmus/base/error.hpp"

#include <utility>

namespace isthmus::actions {

namespace {

using Object = PythonLibrary::Object;

/// Runs in the interpreter. Each function returns the text of what went wrong, or what was wanted.
/// The script gets copies: what it keeps of them stays valid, and changes nothing later.
constexpr const char* helper = R"(
import sys
import traceback

ours = (__file__, "<frozen importlib")


def attempt(work, *arguments):
    try:
        return work(*arguments)
    except BaseException as error:
        frames = error.__traceback__
        while frames is not None and frames.tb_frame.f_code.co_filename.startswith(ours):
            frames = frames.tb_next
        return "".join(traceback.format_exception(type(error), error, frames)).rstrip()
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()


def load(folder, name):
    return attempt(find, folder, name)


def find(folder, name):
    import importlib.machinery
    import importlib.util
    import os

    try:
        import numpy
    except ImportError as error:
        raise ImportError(
            f"Python {sys.version.split()[0]} in {sys.prefix} cannot import numpy ({error}); "
            "install it there, or put another python3 first on PATH"
        ) from None
    folder = os.path.abspath(folder)
    if not os.path.isdir(folder):
        raise NotADirectoryError(f"its path {folder} is no folder that exists")
    spec = importlib.machinery.PathFinder.find_spec(name, [folder, *sys.path])
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"there is no module {name} in {folder} or on sys.path")
    if folder not in sys.path:
        sys.path.append(folder)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    act = module.performAction

    def array(memory):
        return numpy.frombuffer(memory) if len(memory) else numpy.empty(0)

    def perform(time, has_source, source, has_target, target):
        data = [array(source).copy()] * has_source + [array(target).copy()] * has_target
        act(time, *data)
        if has_target:
            array(target)[:] = data[-1]

    return lambda *arguments: attempt(perform, *arguments)
)";

constexpr int whole_file = 257; // Py_file_input
constexpr int writable = 0x200; // PyBUF_WRITE

/// The lock of the interpreter while this lives.
class Lock {
 public:
  explicit Lock(const PythonLibrary& python) : python_(python), state_(python.ensure()) {}
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() { python_.release(state_); }

 private:
  const PythonLibrary& python_;
  int state_;
};

/// One reference to an object; only while the lock is held.
class Reference {
 public:
  Reference(const PythonLibrary& python, Object* object) : python_(python), object_(object) {}
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  ~Reference() {
    if (object_ != nullptr) {
      python_.forget(object_);
    }
  }
  [[nodiscard]] Object* get() const { return object_; }
  [[nodiscard]] Object* take() { return std::exchange(object_, nullptr); }

  /// Error if this is a text, or nothing at all.
  void check_result(const std::string& what) const {
    const char* const problem = object_ == nullptr ? nullptr : python_.text(object_, nullptr);
    python_.clear_error(); // "this is no text"
    check(object_ != nullptr, "{} failed: Python is out of memory or broken", what);
    check(problem == nullptr, "{} failed:\n{}", what, problem == nullptr ? "" : problem);
  }

 private:
  const PythonLibrary& python_;
  Object* object_;
};

Object* load_function(const PythonLibrary& python, const std::string& folder,
                      const std::string& module) {
  const Reference code(python, python.compile(helper, "isthmus_action", whole_file));
  const Reference functions(
      python, code.get() == nullptr ? nullptr : python.run_module("isthmus_action", code.get()));
  const Reference load(
      python, functions.get() == nullptr ? nullptr : python.attribute(functions.get(), "load"));
  load.check_result("starting Python");
  Reference function(python, python.call(load.get(), "ss", folder.c_str(), module.c_str()));
  function.check_result("loading the module of <action:python>");
  return function.take();
}

Object* memory_of(const PythonLibrary& python, std::span<const double> values) {
  static const double nothing = 0; // a view needs an address
  const double* const begin = values.empty() ? &nothing : values.data();
  char* const bytes = reinterpret_cast<char*>(const_cast<double*>(begin)); // the interface of C
  return python.memory(bytes, static_cast<std::ptrdiff_t>(values.size_bytes()), writable);
}

} // namespace

PythonScript::PythonScript(const std::string& folder, const std::string& module)
    : python_(python_library()),
      name_(fmt::format("the function performAction of \"{}\"", module)) {
  const Lock lock(python_);
  perform_ = load_function(python_, folder, module);
}

PythonScript::~PythonScript() {
  const Lock lock(python_);
  python_.forget(perform_);
}

void PythonScript::perform(double time, std::optional<std::span<const double>> source,
                           std::optional<std::span<double>> target) const {
  const Lock lock(python_);
  const Reference from(python_, memory_of(python_, source.value_or(std::span<const double>())));
  const Reference to(python_, memory_of(python_, target.value_or(std::span<double>())));
  const Reference result(python_, python_.call(perform_, "diOiO", time, source ? 1 : 0, from.get(),
                                               target ? 1 : 0, to.get()));
  result.check_result(name_);
}

} // namespace isthmus::actions
