# SPDX-License-Identifier: BSD-3-Clause
"""Loads the modules that CMake builds."""

from __future__ import annotations

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType


def load(name: str) -> ModuleType:
    """isthmus.`name`: beside this file when installed, else from the build folder of the source tree or from
    the folders in ISTHMUS_BIN."""
    whole = f"isthmus.{name}"
    if whole in sys.modules:
        return sys.modules[whole]
    package = Path(__file__).resolve().parent
    folders = [package, *map(Path, filter(None, os.environ.get("ISTHMUS_BIN", "").split(os.pathsep))),
               package.parent.parent / "build" / "release" / "python"]
    for path in (folder / f"{name}{suffix}" for folder in folders for suffix in EXTENSION_SUFFIXES):
        if path.is_file() and (spec := spec_from_file_location(whole, path)) and spec.loader:
            module = module_from_spec(spec)
            sys.modules[whole] = module
            spec.loader.exec_module(module)
            return module
    root = package.parent.parent
    raise ImportError(f"the module {whole} is not built: make build in {root} makes it, and pip install "
                      f"{root} installs it with the rest")
