// SPDX-License-Identifier: BSD-3-Clause
// Scripts alone; in coupled runs they are in tests/participant. The interpreter is that of the
// project's environment, which has NumPy.
#include "isthmus/actions/python_library.hpp"
#include "isthmus/actions/python_script.hpp"

#include "environment.hpp"
#include "isthmus/base/error.hpp"
#include "message_of.hpp"
#include "working_folder.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace isthmus;
using actions::PythonScript;

namespace {

/// A folder of scripts; the environment's interpreter comes first.
struct Scripts {
  WorkingFolder here;
  Environment path{"PATH", fmt::format("{}:{}", ISTHMUS_TEST_PYTHON, std::getenv("PATH"))};

  static void write(const std::string& module, const std::string& text) {
    std::ofstream(module + ".py") << text;
  }
};

using Values = std::vector<double>;

} // namespace

TEST_CASE("a library that is not there, or is none of Python, is named") { // before one is loaded
  {
    const Environment wrong("ISTHMUS_PYTHON", "/nowhere/libpython3.11.so.1.0");
    CHECK(message_of([] { static_cast<void>(actions::python_library()); }) ==
          "<action:python> needs the library of Python 3, and none of "
          "/nowhere/libpython3.11.so.1.0 can be loaded; install it (Debian: libpython3.11), or let "
          "ISTHMUS_PYTHON name its file");
  }
  const Environment other("ISTHMUS_PYTHON", "libm.so.6");
  CHECK(message_of([] { static_cast<void>(actions::python_library()); }) ==
        "the library of Python lacks Py_IsInitialized; let ISTHMUS_PYTHON name that of 3.8 or "
        "newer");
}

TEST_CASE("the interpreter is found once and runs") {
  const Scripts scripts;
  const actions::PythonLibrary& python = actions::python_library();
  CHECK(python.is_initialized() != 0);
  const Environment wrong("ISTHMUS_PYTHON", "/nowhere/libpython3.11.so.1.0"); // too late
  CHECK(&actions::python_library() == &python);
  const int lock = python.ensure();
  auto* const code = python.compile("answer = str(6 * 7)", "test", 257);
  REQUIRE(code != nullptr);
  auto* const module = python.run_module("isthmus_test", code);
  REQUIRE(module != nullptr);
  auto* const answer = python.attribute(module, "answer");
  REQUIRE(answer != nullptr);
  CHECK(std::string(python.text(answer, nullptr)) == "42");
  CHECK(python.attribute(module, "question") == nullptr);
  python.clear_error();
  python.forget(answer);
  python.forget(module);
  python.forget(code);
  python.release(lock);
}

TEST_CASE("a script gets the time and the data that there are, and what it leaves is taken") {
  const Scripts scripts;
  Scripts::write("both", R"(
def performAction(time, source, target):
    target[:] = source + time
    source[:] = -1  # of a copy
)");
  Scripts::write("one", R"(
def performAction(time, target):
    target *= time
)");
  Scripts::write("none", R"(
import pathlib
def performAction(time):
    pathlib.Path("called").write_text(str(time))
)");
  const Values source{1, 2, 3};
  Values target{0, 0, 0};
  PythonScript(".", "both").perform(0.5, source, target);
  CHECK(target == Values{1.5, 2.5, 3.5});
  CHECK(source == Values{1, 2, 3});
  PythonScript(".", "one").perform(2, {}, target);
  CHECK(target == Values{3, 5, 7});
  PythonScript(".", "none").perform(0.25, {}, {});
  std::string called;
  std::ifstream("called") >> called;
  CHECK(called == "0.25");
  Values empty;
  CHECK_NOTHROW(PythonScript(".", "both").perform(1, empty, empty)); // of a rank without vertices
}

TEST_CASE("every object has a module of its own") {
  const Scripts scripts;
  Scripts::write("counting", R"(
calls = 0
def performAction(time, target):
    global calls
    calls += 1
    target[:] = calls
)");
  const PythonScript one(".", "counting");
  Values target(1);
  {
    const PythonScript other(".", "counting");
    one.perform(0, {}, target);
    one.perform(0, {}, target);
    CHECK(target[0] == 2);
    other.perform(0, {}, target);
    CHECK(target[0] == 1);
  }
  one.perform(0, {}, target);
  CHECK(target[0] == 3);
}

TEST_CASE("what a script keeps of its data changes nothing later") {
  const Scripts scripts;
  Scripts::write("keeping", R"(
kept = []
def performAction(time, source, target):
    for array in kept:
        array[:] = 77
    kept.extend([source, target])
    target += source
)");
  const PythonScript script(".", "keeping");
  const Values source{1};
  Values first{10};
  Values second{20};
  script.perform(0, source, first);
  script.perform(1, source, second);
  CHECK(first == Values{11});
  CHECK(second == Values{21});
}

TEST_CASE("a module that cannot be loaded says why") {
  const Scripts scripts;
  const auto loading = [](const std::string& module) {
    return message_of([&module] { const PythonScript script(".", module); });
  };
  const std::string absent = loading("absent");
  CHECK(absent.find("loading the module of <action:python> failed:\n") == 0);
  CHECK(contains(absent, "there is no module absent in "));
  CHECK(contains(message_of([] { const PythonScript script("nowhere", "os"); }),
                 "nowhere is no folder that exists"));
  Scripts::write("broken", "def performAction(time:\n");
  CHECK(contains(loading("broken"), "SyntaxError"));
  CHECK(contains(loading("broken"), "broken.py"));
  Scripts::write("other", "def act(time): pass\n");
  CHECK(contains(loading("other"), "performAction"));
  Scripts::write("fails", "raise ValueError('at once')\n");
  CHECK(contains(loading("fails"), "ValueError: at once"));
}

TEST_CASE(
    "a function that fails is told with file, line and what went wrong, and may be repeated") {
  const Scripts scripts;
  Scripts::write("failing", R"(def performAction(time, target):
    if time > 1:
        raise ValueError("too late")
    target[:] = 5
)");
  const PythonScript script(".", "failing");
  Values target{1, 2};
  const std::string said = message_of([&] { script.perform(2, {}, target); });
  CHECK(said.find("the function performAction of \"failing\" failed:\n") == 0);
  CHECK(contains(said, "failing.py\", line 3"));
  CHECK(contains(said, "ValueError: too late"));
  CHECK_FALSE(contains(said, "isthmus_action")); // nothing of ours
  CHECK(target == Values{1, 2});
  CHECK(contains(message_of([&] { script.perform(0, target, target); }), "TypeError"));
  script.perform(0, {}, target);
  CHECK(target == Values{5, 5});
  Scripts::write("longer", R"(import numpy
def performAction(time, target):
    target.resize(3, refcheck=False)
)");
  CHECK(message_of([&] { PythonScript(".", "longer").perform(0, {}, target); }) != "no error");
}
