# SPDX-License-Identifier: BSD-3-Clause
"""`isthmus run --submit` with a real Slurm, which is started for these tests on this machine."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PATIENCE, native, wait_until

from isthmus import programs

native("participant")
ROOT = Path(__file__).parents[3]
DAEMONS = ("munged", "slurmctld", "slurmd", "sbatch")
missing = [name for name in DAEMONS if shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") is None]
pytestmark = [
    pytest.mark.skipif(bool(missing), reason=f"there is no {', '.join(missing)}"),
    pytest.mark.skipif(programs.look_for("isthmus-config-check") is None, reason="the library is not built"),
]


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    """The environment of its users: a node with two processors, whatever the machine has."""
    folder = tmp_path_factory.mktemp("slurm")
    environment = os.environ | {"PATH": f"{os.environ['PATH']}:/usr/sbin", "PYTHONPATH": str(ROOT / "python"),
                                "ISTHMUS_TIMEOUT": "120"}
    script = ROOT / "tools/local_slurm.sh"
    started = subprocess.run([script, "start", folder, "2"], env=environment, text=True, capture_output=True,
                             check=False, timeout=PATIENCE)
    if started.returncode != 0:
        pytest.skip(f"Slurm does not start here: {started.stderr.strip()[-500:]}")
    yield environment | {"SLURM_CONF": str(folder / "slurm.conf")}
    subprocess.run([script, "stop", folder], env=environment, check=True, timeout=PATIENCE)


@pytest.fixture
def case(tmp_path) -> Path:
    """The plate and the air of the first page."""
    text = (ROOT / "docs/getting-started.md").read_text()
    files = re.findall(r"^`([\w.]+)`[^\n]*(?:\n[^\n]+)*\n\n```\w+\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    for name, content in files:
        (tmp_path / name).write_text(content.replace('"python3 ', f'"{sys.executable} '))
    return tmp_path


def submit(slurm: dict, case: Path, *options: str) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-u", "-m", "isthmus", "run", str(case), "--submit", *options],
                            env=slurm, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))


def queue(slurm: dict) -> list[str]:
    done = subprocess.run(["squeue", "--noheader", "--format=%j %T"], env=slurm, text=True,
                          capture_output=True, check=True)
    return sorted(done.stdout.splitlines())


def test_one_job_runs_all_participants_as_steps_side_by_side(slurm, case):
    run = submit(slurm, case)
    said = run.communicate(timeout=PATIENCE)[0]
    assert run.returncode == 0, said
    assert re.search(r": job \d+: completed$", said, re.MULTILINE) and " finished in " in said
    assert re.search(r"  Plate: window 50$", said, re.MULTILINE)
    assert "plate [60. 60. 60. 60. 60.]" in (case / "out/Plate.log").read_text()
    assert "air [60. 60." in (case / "out/Air.log").read_text()
    assert queue(slurm) == []


def test_jobs_that_start_apart_meet(slurm, case):
    """One processor is taken until the job that starts says for whom it waits; then the other starts."""
    hold = "for i in $(seq 600); do grep -q 'waiting for participant' out/Plate.log && exit; sleep 0.1; done"
    subprocess.run(["sbatch", "--output=/dev/null", "--wrap", hold], env=slurm, check=True, cwd=case,
                   capture_output=True)
    wait_until(lambda: queue(slurm) == ["wrap RUNNING"], "for the job that is in the way")
    run = submit(slurm, case, "--slurm", "separate")
    said = run.communicate(timeout=PATIENCE)[0]
    assert run.returncode == 0, said
    assert re.search(r"-Air: job \d+: pending, (Resources|Priority)$", said, re.MULTILINE), said
    assert re.search(r"-Plate: job \d+: running$", said, re.MULTILINE)
    assert "waiting for participant \"Air\"" in (case / "out/Plate.log").read_text()
    assert "plate [60. 60. 60. 60. 60.]" in (case / "out/Plate.log").read_text()


@pytest.mark.parametrize("form", [[], ["--slurm", "separate"]])
def test_ctrl_c_cancels_what_was_queued(slurm, case, form):
    air = case / "air.py"
    air.write_text("import time\nprint('time window 1 done', flush=True)\ntime.sleep(600)\n")
    run = submit(slurm, case, *form)
    wait_until(lambda: (case / "out/Air.log").exists() and (case / "out/Air.log").read_text(), "for the air")
    run.send_signal(signal.SIGINT)
    assert run.wait(timeout=PATIENCE) == 130
    assert "its jobs are cancelled" in run.stdout.read()
    wait_until(lambda: queue(slurm) == [], "for the end of the jobs")


@pytest.mark.parametrize("form", [[], ["--slurm", "separate"]])
def test_a_participant_that_fails_ends_the_other_with_its_reason(slurm, case, form):
    plate = case / "plate.py"
    advance = "        plate.advance(dt)\n"
    failing = f"{advance}        raise RuntimeError('no coolant')\n"
    plate.write_text(plate.read_text().replace(advance, failing))
    run = submit(slurm, case, *form)
    said = run.communicate(timeout=PATIENCE)[0]
    assert run.returncode != 0
    assert "no coolant" in said and "ended as failed" in said, said
    assert "no coolant" in (case / "out/Air.log").read_text()
    assert queue(slurm) == []
