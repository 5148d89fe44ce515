# SPDX-License-Identifier: BSD-3-Clause
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import PATIENCE, wait_until

from isthmus import native
from isthmus.cli import main
from isthmus.errors import IsthmusError
from isthmus.run import load
from isthmus.run.job import session_members

PYTHON = shlex.quote(sys.executable)
needs_mpi = pytest.mark.skipif(shutil.which("mpirun") is None, reason="there is no mpirun")


def make_case(folder: Path, *scripts: str, head: str = "", extra: str = "") -> Path:
    """A case whose participants P0, P1, … run Python scripts."""
    text = f"{head}\n"
    for number, script in enumerate(scripts):
        (folder / f"p{number}.py").write_text(script)
        text += f'[[participant]]\nname = "P{number}"\ncommand = """{PYTHON} p{number}.py"""\n{extra}\n'
    (folder / "case.toml").write_text(text)
    return folder / "case.toml"


def sleepers() -> str:
    return ("import time, os; print(os.getpid(), flush=True);"
            f" time.sleep({PATIENCE}); print('nobody has ended this')")


def after_words_of(name: str, last: str) -> str:
    """A script that goes on when the other participant has said something."""
    return ("import os, sys, time\n"
            f"while not os.path.exists('out/{name}.log') or not os.path.getsize('out/{name}.log'):\n"
            f"    time.sleep(0.02)\n{last}\n")


def noted_processes(monkeypatch, then=lambda: None) -> list[subprocess.Popen]:
    """Those that a run starts from now on; `then` is called after each."""
    started = []
    start = subprocess.Popen

    def popen(*arguments, **options):
        started.append(start(*arguments, **options))
        then()
        return started[-1]

    monkeypatch.setattr("isthmus.run.job.subprocess.Popen", popen)
    return started


def is_alive(pid: int) -> bool:
    """Whether it runs, and goes on to: one that was killed needs a moment on a busy machine."""
    for _ in range(250):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return False
        except (FileNotFoundError, ProcessLookupError):
            return False
        time.sleep(0.02)
    return True


def test_success_writes_the_logs(tmp_path, capsys):
    case = make_case(tmp_path, "print('one')\nprint('isthmus-progress P0 window 3/4')", "print('two')",
                     head='name = "pair"')
    assert main(["run", str(tmp_path)]) == 0
    assert (tmp_path / "out/P0.log").read_text().startswith("one")
    assert (tmp_path / "out/P1.log").read_text() == "two\n"
    out = capsys.readouterr().out
    assert "pair finished" in out and "window 3/4" in out and "P1: done" in out
    assert main(["run", str(case), "--out", str(tmp_path / "elsewhere")]) == 0
    assert (tmp_path / "elsewhere/P0.log").is_file()


SESSION = """
import os
folder = os.environ["OMPI_MCA_orte_tmpdir_base"]
print(folder, os.path.isdir(folder))
open(os.path.join(folder, "left"), "w").close()
"""


def test_each_participant_has_its_own_directory_for_the_files_of_open_mpi(tmp_path, monkeypatch):
    # one for all came and went with jobs that began and ended: "mkdir: /tmp/ompi.host.0: File exists"
    monkeypatch.delenv("OMPI_MCA_orte_tmpdir_base", raising=False)
    assert main(["run", str(make_case(tmp_path, SESSION, SESSION))]) == 0
    said = [(tmp_path / "out" / f"P{number}.log").read_text().split() for number in range(2)]
    assert [there for _, there in said] == ["True", "True"]
    assert said[0][0] != said[1][0]
    assert not any(Path(folder).exists() for folder, _ in said)


def test_a_directory_for_the_files_of_open_mpi_that_is_given_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("OMPI_MCA_orte_tmpdir_base", str(tmp_path))
    assert main(["run", str(make_case(tmp_path, SESSION))]) == 0
    assert (tmp_path / "out" / "P0.log").read_text().split() == [str(tmp_path), "True"]
    assert (tmp_path / "left").exists()


def test_restart_is_asked_for_by_the_environment(tmp_path, capsys):
    show = "import os; print(os.environ.get('ISTHMUS_RESTART'), os.environ.get('ISTHMUS_RESTART_EVERY'))"
    case = make_case(tmp_path, show, show)
    for options, told in [([], "None None"), (["--restart", "--restart-every=5"], "latest 5"),
                          (["--restart=40"], "40 None")]:
        assert main(["run", str(case), *options]) == 0
        assert (tmp_path / "out/P0.log").read_text() == told + "\n"
    assert main(["run", "--restart", str(case)]) != 0
    assert "put the case first" in capsys.readouterr().err
    assert main(["run", str(case), "--restart-every=-1"]) != 0


def test_a_failure_ends_the_others_and_gives_its_code_and_last_words(tmp_path, capsys):
    make_case(tmp_path, sleepers(), after_words_of("P0", "print('the river is too wide'); sys.exit(9)"))
    assert main(["run", str(tmp_path)]) == 9
    captured = capsys.readouterr()
    assert "the river is too wide" in captured.err and "P1 failed with exit code 9" in captured.err
    assert "P0: ended" in captured.out
    assert not is_alive(int((tmp_path / "out/P0.log").read_text()))  # and these were its last words


def test_one_that_ignores_sigterm_is_killed_with_its_children(tmp_path, capsys):
    stubborn = ("import signal, subprocess, sys, time, os\n"
                "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'],"
                " preexec_fn=os.setpgrp)\n"
                "print(os.getpid(), child.pid, flush=True)\ntime.sleep(60)\n")
    make_case(tmp_path, stubborn, after_words_of("P0", "sys.exit(3)"))
    assert main(["run", str(tmp_path)]) == 3
    pids = [int(word) for word in (tmp_path / "out/P0.log").read_text().split()]
    assert len(pids) == 2 and not any(is_alive(pid) for pid in pids)


def test_death_by_signal_is_a_failure(tmp_path, capsys):
    make_case(tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    assert main(["run", str(tmp_path)]) == 128 + signal.SIGSEGV


def test_time_limit(tmp_path, monkeypatch, capsys):
    make_case(tmp_path, sleepers(), sleepers(), head="timeout = 1.0")
    started = noted_processes(monkeypatch)
    assert main(["run", str(tmp_path)]) == 124
    assert "time limit of 1 s" in capsys.readouterr().err
    assert len(started) == 2 and not any(is_alive(process.pid) for process in started)
    for name in ("P0", "P1"):  # which may not have come to its first words
        assert "nobody has ended this" not in (tmp_path / f"out/{name}.log").read_text()
    assert main(["run", str(tmp_path), "--timeout", "-1"]) == 2


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupt_leaves_nothing_behind(tmp_path, number, code):
    make_case(tmp_path, sleepers(), sleepers())
    # A shell that starts the tests in the background lets them ignore SIGINT, and that is inherited.
    process = subprocess.Popen([sys.executable, "-m", "isthmus", "run", str(tmp_path)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    logs = [tmp_path / f"out/P{k}.log" for k in range(2)]
    wait_until(lambda: all(log.is_file() and log.read_text() for log in logs), "for first words")
    pids = [int(log.read_text()) for log in logs]
    process.send_signal(number)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert "interrupted" in errors or "SIGTERM" in errors
    wait_until(lambda: not any(is_alive(pid) for pid in pids), "for the end of what was killed")
    assert all(session_members(pid) == [] for pid in pids)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupt_while_a_program_starts_leaves_nothing_behind(tmp_path, monkeypatch, number, code):
    make_case(tmp_path, sleepers(), sleepers())
    started = noted_processes(monkeypatch, lambda: signal.raise_signal(number))
    if number == signal.SIGINT:  # ignored where a shell has started the tests in the background
        signal.signal(number, signal.default_int_handler)
    assert main(["run", str(tmp_path)]) == code
    assert [process.wait(PATIENCE) for process in started] == [-signal.SIGTERM]


@needs_mpi
def test_ranks_are_started_by_mpirun(tmp_path, capsys):
    script = "import os; print('rank', os.environ.get('OMPI_COMM_WORLD_RANK', '?'), 'of job')"
    make_case(tmp_path, script, extra="ranks = 3")
    assert main(["run", str(tmp_path)]) == 0
    assert (tmp_path / "out/P0.log").read_text().count("rank") == 3


@needs_mpi
def test_one_job_for_all_participants(tmp_path, capsys):
    (tmp_path / "sub").mkdir()
    script = ("from os import environ as e, write\n"
              "write(1, f\"isthmus-progress {e['NAME']} window 2/2\\n{e['NAME']} {e['ALL']}\\n\".encode())")
    for number in range(2):
        (tmp_path / f"p{number}.py").write_text(script)
    (tmp_path / "case.toml").write_text(
        f'jobs = "one"\nname = "both"\nenv = {{ALL = "x"}}\n'
        f'[[participant]]\nname = "P0"\ncommand = """{PYTHON} p0.py"""\nenv = {{NAME = "P0"}}\nranks = 2\n'
        f'[[participant]]\nname = "P1"\ncommand = """{PYTHON} ../p1.py"""\nenv = {{NAME = "P1"}}\n'
        'directory = "sub"\n')
    assert main(["run", str(tmp_path)]) == 0
    words = (tmp_path / "out/both.log").read_text()
    assert words.count("P0 x") == 2 and words.count("P1 x") == 1
    assert "P1: done, window 2/2" in capsys.readouterr().out


@pytest.mark.parametrize(("text", "reason"), [
    ("", "no [[participant]]"),
    ("[[participant]]\nname = 'A'", "needs a command"),
    ("[[participant]]\ncommand = 'x'", "needs a name"),
    ("[[participant]]\nname = 'A'\ncommand = 'x'\nranks = 0", "at least 1"),
    ("[[participant]]\nname = 'A'\ncommand = 'x'\nranks = 'two'", "must be int"),
    ("[[participant]]\nname = 'A'\ncommand = 'x'\ncolour = 1", "means nothing"),
    ("[[participant]]\nname = 'A'\ncommand = 'x'\ndirectory = 'nowhere'", "is not there"),
    ("[[participant]]\nname = 'A'\ncommand = 'x'\n" * 2, "more than once"),
    ("jobs = 'three'\n[[participant]]\nname = 'A'\ncommand = 'x'", "separate"),
    ("timeout = -1\n[[participant]]\nname = 'A'\ncommand = 'x'", "above 0"),
    ("name = \n", "line 1"),
])
def test_wrong_case_files_are_explained(tmp_path, text, reason):
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(IsthmusError) as error:
        load(path)
    assert reason in str(error.value) and "wrong.toml" in str(error.value)


def test_missing_file_and_missing_program(tmp_path, capsys):
    assert main(["run", str(tmp_path / "none.toml")]) == 2
    (tmp_path / "case.toml").write_text("[[participant]]\nname = 'A'\ncommand = 'no-such-program-here'")
    assert main(["run", str(tmp_path)]) == 2
    (tmp_path / "case.toml").write_text("[[participant]]\nname = 'A'\ncommand = './here'")
    assert main(["run", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("error:") == 3


def test_a_module_that_is_not_built_says_what_makes_it():
    with pytest.raises(ImportError, match=r"^the module isthmus\.nothing is not built: make build in /"):
        native.load("nothing")
