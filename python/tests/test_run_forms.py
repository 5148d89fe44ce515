# SPDX-License-Identifier: BSD-3-Clause
"""What `isthmus run` takes and gives beside case files: preCICE case folders, Slurm scripts."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from conftest import wait_until

from isthmus.cli import main

CONFIG = """\
<?xml version="1.0"?>
<precice-configuration>
  <data:scalar name="Heat" />
  <participant name="Fluid"><mapping:nearest-neighbor direction="read" /></participant>
  <participant name="Solid"></participant>
</precice-configuration>
"""


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "precice-config.xml").write_text(CONFIG)
    for name in ("fluid-openfoam", "solid", "tools"):
        (tmp_path / name).mkdir()
    for name in ("fluid-openfoam", "solid"):
        (tmp_path / name / "run.sh").write_text(f"echo {name} in $(basename $PWD)\n")
    return tmp_path


def test_a_precice_case_folder_runs(folder):
    assert main(["run", str(folder)]) == 0
    assert (folder / "out/Fluid.log").read_text() == "fluid-openfoam in fluid-openfoam\n"
    assert (folder / "out/Solid.log").read_text() == "solid in solid\n"


def test_one_of_several_folders_is_taken(folder, capsys):
    (folder / "fluid-su2").mkdir()
    (folder / "fluid-su2/run.sh").write_text("echo su2\n")
    assert main(["run", str(folder)]) == 2
    assert "participant Fluid: it has 2 folders, fluid-openfoam, fluid-su2; choose one with --take" \
        in capsys.readouterr().err
    assert main(["run", str(folder), "--take", "fluid-su2"]) == 0
    assert (folder / "out/Fluid.log").read_text() == "su2\n"
    assert main(["run", str(folder), "--take", "tools"]) == 2
    assert "tools has no run.sh" in capsys.readouterr().err


def test_what_a_case_folder_lacks_is_named(folder, capsys):
    (folder / "solid/run.sh").unlink()
    assert main(["run", str(folder)]) == 2
    assert "participant Solid: no folder called solid or solid-" in capsys.readouterr().err
    (folder / "precice-config.xml").write_text("<precice-configuration>")
    assert main(["run", str(folder)]) == 2
    assert "precice-config.xml: " in capsys.readouterr().err


@pytest.fixture
def case(tmp_path) -> Path:
    (tmp_path / "case.toml").write_text(f"""
        name = "pair"
        timeout = 3600
        [env]
        NOTE = "a b"
        [[participant]]
        name = "A"
        command = ["{sys.executable}", "-c", "print('it is A')"]
        ranks = 3
        [[participant]]
        name = "B"
        command = ["{sys.executable}", "-c", "import os; print(os.environ['NOTE'], os.environ['MINE'])"]
        env = {{MINE = "x"}}
    """)
    return tmp_path


def fake(folder: Path, name: str, text: str, monkeypatch) -> None:
    program = folder / "bin" / name
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/bash\n{text}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


SRUN = """for word in "$@"; do case $word in
  --output=*) out=${word#*=};; --chdir=*) cd "${word#*=}";; --*) ;; *) break;; esac; shift; done
exec "$@" > "$out" """


def test_a_slurm_script_runs_the_whole_case(case, capsys, monkeypatch):
    assert main(["run", str(case), "--slurm", "--slurm-option=--partition=long"]) == 0
    script = capsys.readouterr().out
    assert script.splitlines()[:5] == ["#!/bin/bash", "#SBATCH --job-name=pair", "#SBATCH --ntasks=4",
                                       "#SBATCH --time=60", "#SBATCH --partition=long"]
    fake(case, "srun", SRUN, monkeypatch)
    assert subprocess.run(["bash"], input=script, text=True, check=False).returncode == 0
    assert (case / "out/A.log").read_text() == "it is A\n"
    assert (case / "out/B.log").read_text() == "a b x\n"
    fake(case, "srun", "exit 7", monkeypatch)
    assert subprocess.run(["bash"], input=script, text=True, check=False).returncode == 7


def test_separate_jobs_wait_for_each_other(case, capsys, monkeypatch):
    assert main(["run", str(case), "--slurm", "separate"]) == 0
    scripts = capsys.readouterr().out
    fake(case, "srun", 'echo "$ISTHMUS_TIMEOUT" > waits', monkeypatch)
    for given, waits in (({}, "86400"), ({"ISTHMUS_TIMEOUT": "60"}, "60")):
        environment = {name: value for name, value in os.environ.items() if name != "ISTHMUS_TIMEOUT"} | given
        subprocess.run(["bash"], input=scripts, text=True, check=True, cwd=case, env=environment)
        assert (case / "waits").read_text().strip() == waits


def test_separate_jobs_are_queued_all_or_none(case, capsys, monkeypatch):
    with monkeypatch.context() as nowhere:
        nowhere.setenv("PATH", str(case))
        assert main(["run", str(case), "--slurm", "separate", "--submit"]) == 2
    assert "no sbatch on PATH" in capsys.readouterr().err
    fake(case, "sbatch", 'grep -q "ntasks=3" "$3" && echo "41;cluster" || echo 42', monkeypatch)
    assert main(["run", str(case), "--slurm", "separate", "--submit", "--detach"]) == 0
    assert capsys.readouterr().out.splitlines() == ["queued pair-A as job 41", "queued pair-B as job 42"]
    fake(case, "sbatch", 'grep -q "ntasks=3" "$3" && echo 41 && exit; echo "no such account" >&2; exit 1',
         monkeypatch)
    fake(case, "scancel", f'echo "$1" > {case}/cancelled', monkeypatch)
    assert main(["run", str(case), "--slurm", "separate", "--submit"]) == 1
    assert "no such account" in capsys.readouterr().err
    assert (case / "cancelled").read_text() == "41\n"


# A queue of text files: a job waits in one look, runs in two, and ends as the file end-NUMBER says.
SBATCH = 'n=$(ls jobs | wc -l); echo 0 > jobs/$n; cp "$3" script-$n; echo $n'
SQUEUE = """for word in "$@"; do case $word in --jobs=*) n=${word#*=};; esac; done
looks=$(cat jobs/$n); echo $((looks + 1)) > jobs/$n
[ -f gone-$n ] && exit 1
[ $looks = 0 ] && echo "PENDING|Resources"
if [ $looks = 1 ]; then echo "time window 4 done, time 1" > out/A.log; fi
[ $looks -ge 1 ] && { [ $looks -le 2 ] || [ -f forever ]; } && echo "RUNNING|None"
exit 0"""
SCONTROL = 'echo "JobId=$4 $(cat end-$4 2> /dev/null || echo JobState=COMPLETED ExitCode=0:0)"'
SCANCEL = """for n in "$@"; do
  echo $n >> cancelled; touch gone-$n; echo "JobState=CANCELLED ExitCode=0:15" > end-$n
done"""


@pytest.fixture
def queue(case, monkeypatch) -> Path:
    for name, text in (("sbatch", SBATCH), ("squeue", SQUEUE), ("scontrol", SCONTROL), ("scancel", SCANCEL)):
        fake(case, name, f"cd {case}\n{text}", monkeypatch)
    (case / "jobs").mkdir()
    monkeypatch.setattr("isthmus.run.queue.POLL", 0.02)
    monkeypatch.setattr("isthmus.run.queue.SETTLE", 0.2)
    return case


def test_queued_jobs_are_watched_to_their_ends(queue, capsys):
    assert main(["run", str(queue), "--slurm", "separate", "--submit"]) == 0
    out = capsys.readouterr().out
    said = [line.split(" s  ")[1] for line in out.splitlines() if " s  " in line]
    assert [line for line in said if "pair-A" in line] == [
        "pair-A: job 0: pending, Resources", "pair-A: job 0: running", "pair-A: job 0: completed"]
    assert "A: window 4" in said and "pair finished" in out
    assert not (queue / "cancelled").exists()


def test_a_job_that_fails_ends_the_others_and_says_its_last_words(queue, capsys):
    (queue / "end-0").write_text("JobState=FAILED ExitCode=9:0")
    (queue / "forever").touch()  # the others
    (queue / "gone-0").touch()
    (queue / "out").mkdir()
    assert main(["run", str(queue), "--slurm", "separate", "--submit"]) == 9
    captured = capsys.readouterr()
    assert "job 0 (pair-A) ended as failed" in captured.err and "last words of A" in captured.err
    assert (queue / "cancelled").read_text().split() == ["1"]


def test_what_becomes_of_a_job_decides_about_the_exit_code(queue, capsys):
    for end, code in (("JobState=TIMEOUT ExitCode=0:15", 124), ("JobState=NODE_FAIL ExitCode=0:0", 1),
                      ("JobState=FAILED ExitCode=0:9", 137), ("JobState=CANCELLED ExitCode=0:0", 130)):
        shutil.rmtree(queue / "jobs")
        (queue / "jobs").mkdir()
        (queue / "end-0").write_text(end)
        assert main(["run", str(queue), "--submit"]) == code, end
    (queue / "jobs/0").unlink()
    (queue / "end-0").write_text("Slurm was started anew")
    assert main(["run", str(queue), "--submit"]) == 1
    assert "says nothing of job 0 any more" in capsys.readouterr().err


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("last", ["0", "1"])  # the job that is queued when the signal comes
def test_who_ends_the_watch_cancels_the_jobs(queue, capsys, number, code, last):
    (queue / "forever").touch()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell ignores it

    def end_it() -> None:
        try:
            wait_until((queue / "jobs" / last).exists, "for the job")
        finally:  # or the watch would never end
            os.kill(os.getpid(), number)

    killer = threading.Thread(target=end_it)
    killer.start()
    try:
        assert main(["run", str(queue), "--slurm", "separate", "--submit"]) == code
    finally:
        signal.signal(signal.SIGINT, before)
        killer.join()
    queued = (queue / "cancelled").read_text().split()
    assert queued == ["0", "1"][:len(queued)] and last in queued
    assert "its jobs are cancelled" in capsys.readouterr().err
