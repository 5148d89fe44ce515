# SPDX-License-Identifier: BSD-3-Clause
"""The recipes for Spack and conda name the versions, options and libraries that the build does."""

import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
LISTS = [ROOT / "CMakeLists.txt", *(path for folder in ("src", "api", "apps", "cli")
                                    for path in (ROOT / folder).glob("**/CMakeLists.txt")
                                    if "solverdummies" not in path.parts)]  # which are projects of their own
CMAKE = "\n".join(path.read_text() for path in LISTS)
OPTIONS = set(re.findall(r"^option\((\w+)", CMAKE, re.MULTILINE))
# What the build looks for, as Spack and conda-forge call it; compilers bring threads.
LIBRARIES = {"MPI": ("mpi", "openmpi"), "fmt": ("fmt", "fmt"), "PkgConfig": ("pkgconfig", "pkg-config"),
             "tinyxml2": ("tinyxml2", "tinyxml2"), "libsodium": ("libsodium", "libsodium"),
             "Eigen3": ("eigen", "eigen"), "METIS": ("metis", "metis"), "Scotch": ("scotch", "ptscotch"),
             "ParallelHDF5": ("hdf5", "hdf5"), "Threads": (None, None)}


def without_versions(requirements: list[str]) -> set[str]:
    return {re.split(r"[ @+><=;]", text)[0] for text in requirements}


class CMakePackage:
    """As much of Spack's as the recipe uses."""

    def define(self, name: str, value: bool) -> str:
        return f"-D{name}={'ON' if value else 'OFF'}"

    def define_from_variant(self, name: str, variant: str) -> str:
        return self.define(name, self.spec.satisfies(f"+{variant}"))


@pytest.fixture
def spack(monkeypatch) -> ModuleType:
    """The recipe, with a stand-in for spack.package that notes the dependencies."""
    package = ModuleType("spack.package")
    recipe = ModuleType("recipe")
    recipe.requirements = []
    recipe.variants = []
    package.depends_on = lambda name, **_: recipe.requirements.append(name)
    package.variant = lambda name, **_: recipe.variants.append(name)
    package.license = package.maintainers = package.version = lambda *_, **__: None
    package.CMakePackage = CMakePackage
    monkeypatch.setitem(sys.modules, "spack", ModuleType("spack"))
    monkeypatch.setitem(sys.modules, "spack.package", package)
    exec((ROOT / "packaging/spack/package.py").read_text(), recipe.__dict__)
    return recipe


@pytest.fixture
def conda() -> dict:
    jinja2, yaml = pytest.importorskip("jinja2"), pytest.importorskip("yaml")
    text = (ROOT / "packaging/conda/meta.yaml").read_text()
    return yaml.safe_load(jinja2.Template(text).render(compiler=lambda language: f"{language}-compiler"))


def test_the_build_looks_for_nothing_else():
    found = set(re.findall(r"find_package\((\w+)", CMAKE))
    found |= set(re.findall(r"pkg_check_modules\(\w+ (?:REQUIRED|QUIET) IMPORTED_TARGET ([\w-]+)", CMAKE))
    assert found == set(LIBRARIES)


def test_spack_knows_libraries_and_options(spack):
    libraries = {name for name, _ in LIBRARIES.values() if name}
    assert without_versions(spack.requirements) - {"cmake", "cxx"} == libraries
    least = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)", CMAKE)[1]
    assert f"cmake@{least}:" in spack.requirements
    package = spack.Isthmus()
    for chosen in (spack.variants, []):
        package.spec = SimpleNamespace(satisfies=lambda words, chosen=chosen: words[1:] in chosen)
        arguments = dict(re.fullmatch(r"-D(\w+)=(ON|OFF)", word).groups() for word in package.cmake_args())
        switches = {name for name in arguments if name.startswith("ISTHMUS_")}
        assert switches <= OPTIONS and arguments["ISTHMUS_TOOLS"] == ("ON" if chosen else "OFF")
        for name in set(arguments) - switches:
            assert name.removeprefix("CMAKE_DISABLE_FIND_PACKAGE_") in LIBRARIES
            assert arguments[name] == ("OFF" if chosen else "ON")


def test_conda_knows_libraries_options_and_versions(conda):
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = settings["project"]
    version = re.search(r"project\(isthmus VERSION ([\d.]+)", CMAKE)[1]
    assert conda["package"]["version"] == version == project["version"]
    needs = conda["requirements"]
    libraries = {name for _, name in LIBRARIES.values() if name}
    assert libraries <= without_versions(needs["build"] + needs["host"])
    options = set(re.findall(r"-D(ISTHMUS_\w+)", " ".join(conda["build"]["script"])))
    assert options and options <= OPTIONS
    run, host = ({text.replace(" ", "") for text in needs[part]} for part in ("run", "host"))
    names = (text.partition(";")[0] for text in project["dependencies"])
    assert {name.replace("matplotlib>", "matplotlib-base>") for name in names} <= run
    assert set(settings["build-system"]["requires"]) <= host
    programs = (ROOT / "api/precice/programs").glob("*.cpp")
    known = {*(path.stem for path in programs), *project["scripts"]}
    assert {command.split()[0] for command in conda["test"]["commands"]} <= known
