# SPDX-License-Identifier: BSD-3-Clause
"""The first page of the documentation: its files and commands, exactly as they are printed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PATIENCE, native

from isthmus import programs

native("participant")
PAGE = Path(__file__).parents[2] / "docs/getting-started.md"


@pytest.mark.skipif(programs.look_for("isthmus-config-check") is None, reason="it is not built")
def test_two_python_programs_run_as_the_first_page_says(tmp_path):
    text = PAGE.read_text()
    files = re.findall(r"^`([\w.]+)`[^\n]*(?:\n[^\n]+)*\n\n```\w+\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert [name for name, _ in files] == ["plate.py", "air.py", "config.xml", "case.toml"]
    for name, content in files:
        (tmp_path / name).write_text(content)
    commands = re.search(r"^```bash\n(.*?)^```", text, re.DOTALL | re.MULTILINE)[1]
    assert text.index(commands) < text.index("## Build and install")
    installed = tmp_path / "bin"  # what an installation puts on PATH
    installed.mkdir()
    for name, module in (("python3", ""), ("isthmus", "-m isthmus")):
        (installed / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
        (installed / name).chmod(0o755)
    source = PAGE.parents[1] / "python"
    environment = os.environ | {"PATH": f"{installed}:{os.environ['PATH']}", "PYTHONPATH": str(source),
                                "ISTHMUS_TIMEOUT": str(PATIENCE)}
    done = subprocess.run(["bash", "-e"], input=commands, cwd=tmp_path, env=environment, text=True,
                          capture_output=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^plate \[60\. 60\. 60\. 60\. 60\.\]$", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"^air \[60\.( 60\.){8}\]$", done.stdout, re.MULTILINE), done.stdout
