# SPDX-License-Identifier: BSD-3-Clause
"""test_bad_calls.py PROGRAM SYMBOLS: every function of C and Fortran ends the program with code 1 and its
text where C++ throws, and no exception leaves the library; a partner hears the reason."""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAM = Path(sys.argv[1]).resolve()
SYMBOLS = Path(sys.argv[2])
CONFIG = Path(__file__).with_name("config.xml")
ENVIRONMENT = {**os.environ, "ISTHMUS_TIMEOUT": "20", "ISTHMUS_PROFILE": "off"}
FREE = {"precicec_getVersionInformation", "precicef_get_version_information_"}  # need no participant
GO_ON = {"precicec_requiresInitialData", "precicef_requires_initial_data_"}  # nothing is wrong yet
WAIT = {"precicec_initialize", "precicef_initialize_"}  # for a partner that is not there
END = {"precicec_finalize", "precicef_finalize_"}


def outcome(*arguments: str) -> tuple[int, str]:
    with tempfile.TemporaryDirectory() as folder:
        job = subprocess.run([PROGRAM, *arguments], check=False, cwd=folder, env=ENVIRONMENT, text=True,
                             capture_output=True, timeout=1500)
    return job.returncode, job.stdout + job.stderr


def complains(function: str, said: tuple[int, str]) -> bool:
    code, text = said
    # second names speak under the first one
    names = function, function.replace("precicef_set_", "precicef_set_mesh_").removesuffix("_") + "_"
    return code == 1 and any(f"ERROR in {name}: " in text for name in names)


def check(function: str) -> list[str]:
    wrong = []
    alone = outcome(function)
    if not (alone[0] == 0 if function in FREE else complains(function, alone)):
        wrong.append(f"{function} without a participant: {alone}")
    if function not in WAIT:
        made = outcome(function, str(CONFIG), "A")
        if not (made[0] == 0 if function in FREE | GO_ON else complains(function, made) or function in END):
            wrong.append(f"{function} with a participant: {made}")
        if made[0] not in (0, 1) or "an exception left" in made[1]:
            wrong.append(f"{function} with a participant: {made}")
    return wrong


def check_partner() -> list[str]:
    """The solver that ends because of a wrong call takes the reason to its partner."""
    with tempfile.TemporaryDirectory() as folder:
        jobs = [subprocess.Popen([PROGRAM, function, CONFIG, name], cwd=folder, env=ENVIRONMENT, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                for function, name in (("precicec_initialize", "B"), ("precicec_setMeshEdge", "A"))]
        texts = [job.communicate(timeout=1500)[0] for job in jobs]
    heard = jobs[0].returncode == 1 and re.search(r"\"A\".*No-Mesh", texts[0])
    return [] if heard else [f"the partner did not hear the reason: {texts}"]


def main() -> None:
    functions = outcome("--list")[1].split()
    wanted = {line for line in SYMBOLS.read_text().split() if line.startswith(("precicec_", "precicef_"))}
    assert set(functions) == wanted, set(functions) ^ wanted
    with ThreadPoolExecutor(2) as pool:
        wrong = [line for lines in pool.map(check, functions) for line in lines] + check_partner()
    assert not wrong, "\n".join(wrong)
    print(f"{len(functions)} functions end the program with their error")


if __name__ == "__main__":
    main()
