# SPDX-License-Identifier: BSD-3-Clause
"""The page about a run: while it goes on, and as one file afterwards."""

import base64
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import numpy as np
import pytest
from conftest import PATIENCE

from isthmus import formats
from isthmus.cli import main
from isthmus.live import Snapshots, page
from isthmus.mesh import sheet

HERE = Path(__file__).parent
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
CONVERGENCE = """  TimeWindow  Iteration  ResRel(MB:Flux)
     1       1   1.00000000e+00
     1       2   1.00000000e-03
     2       1   2.00000000e-02
     2       2   inf
"""
ITERATIONS = """  TimeWindow  TotalIterations  Iterations  Convergence
     1       2       2       1
     2       4       2       0
"""
WATCH = "  Time  Coordinate0  Coordinate1  Temp\n" + "".join(f" {t} 0 0 {t * t}\n" for t in range(3000))
PROFILE = """{"isthmus-profile": 1, "participant": "A", "ranks": 1, "mode": "fundamental"}
{"rank": 0, "host": "h", "clock": 0, "wall": 0, "paths": ["advance/exchange/wait for B", "advance/exchange", \
"advance", "solver.advance"], "events": [0,2000,3000, 1,1000,4000, 2,1000,5000, 3,6000,4000]}
"""


@pytest.fixture
def folder(tmp_path) -> Path:
    for name, text in (("a/precice-A-watchpoint-tip.log", WATCH),
                       ("b/precice-B-convergence.log", CONVERGENCE),
                       ("b/precice-B-iterations.log", ITERATIONS), ("a/isthmus-profiling/A.jsonl", PROFILE),
                       ("out/A.log", "first\n</script><b>last\n")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    surface = sheet(9, 7)
    surface.point_data["Heat"] = surface.points[:, 0].copy()
    formats.write(tmp_path / "b/MB.dt1.vtu", surface)
    return tmp_path


def data_of(text: str) -> dict:
    return json.loads(re.search(r'<script id="data" type="application/json">(.*)</script>', text)[1])


def test_a_report_is_one_file_with_all_that_a_run_has_left(folder, capsys):
    assert main(["report", str(folder), "--title", "heat & flow"]) == 0
    text = (folder / "report.html").read_text()
    assert "<title>heat &amp; flow</title>" in text and "written: " in capsys.readouterr().out
    assert set(re.findall(r"https?://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}  # a name, no place
    data = data_of(text)
    assert data["is_live"] is False
    assert data["participants"] == [{"name": "A", "state": "ended", "window": "", "elapsed": None,
                                     "lines": ["first", "</script><b>last"]}]
    assert data["convergence"] == [{"participant": "B", "first": 1, "windows": [1, 1, 2, 2], "measures": [
        {"name": "ResRel(MB:Flux)", "values": [1.0, 1e-3, 2e-2, None]}]}]
    assert data["iterations"] == [{"participant": "B", "windows": [1, 2], "iterations": [2, 2],
                                   "converged": [True, False]}]
    watched, = data["watched"]
    times, values = np.array(watched["times"]), np.array(watched["columns"][0]["values"])
    assert len(times) == 1000 and times[0] == 0 and times[-1] == 2999 and np.array_equal(values, times**2)
    assert data["timeline"]["lanes"] == ["A"]
    assert sorted(bar[1] for bar in data["timeline"]["bars"]) == ["advance", "solver.advance", "wait for B"]
    assert data["waits"] == [{"participant": "A", "partner": "B", "mean": pytest.approx(3e-6),
                              "largest": pytest.approx(3e-6), "share": pytest.approx(1 / 3)}]
    picture, = data["pictures"]
    assert picture["name"] == "MB.dt1.vtu" and base64.b64decode(picture["png"]).startswith(b"\x89PNG")


def test_only_the_newest_rows_and_what_belongs_to_the_run_are_shown(folder):
    rows = "".join(f" {k} 1 1e-3\n" for k in range(1, 2501))
    (folder / "b/precice-B-convergence.log").write_text(CONVERGENCE.splitlines()[0] + "\n" + rows)
    shown, = Snapshots("t", [folder]).take(pictures=False)["convergence"]
    assert (shown["first"], len(shown["windows"]), shown["windows"][-1]) == (501, 2000, 2500)
    later = Snapshots("t", [folder], since=time.time() + 60).take()
    assert not any(later[key] for key in ("convergence", "iterations", "watched", "waits", "pictures"))


def test_places_without_a_run(tmp_path, capsys):
    assert main(["report", str(tmp_path)]) == 2
    assert "has left nothing here" in capsys.readouterr().err
    assert main(["report", str(tmp_path / "none")]) == 2


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
def test_the_script_of_the_page_draws_it(folder):
    assert main(["report", str(folder)]) == 0
    for file, text in (("page.html", page("t", {**data_of((folder / "report.html").read_text()),
                                                "timeline": {"lanes": [], "bars": []}})),
                       ("report.html", (folder / "report.html").read_text())):
        (folder / file).write_text(text)
        drawn = json.loads(subprocess.run(["node", HERE / "draw_page.js", folder / file], check=True,
                                          capture_output=True, text=True, timeout=PATIENCE).stdout)
        assert "the run has ended" in drawn["status"]
        titles = ["Participants", "Residuals", "Iterations", "Time line", "Who waits for whom",
                  "Watched values", "Fields"]
        assert drawn["h2"] == [title for title in titles if file == "report.html" or title != "Time line"]
        assert drawn["rect"] == (3 if file == "report.html" else 0)
        assert drawn["paths"][0].count("L") == 2 and drawn["paths"][2].count("L") == 999
        assert not any("NaN" in text or "undefined" in text for text in drawn["attributes"])
        assert "</script><b>last" in " ".join(drawn["texts"])


def dom(address: str) -> str:
    """What a browser makes of a page, after two seconds of its time."""
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000", "--dump-dom"]
    return subprocess.run([BROWSER, *options, address], capture_output=True, text=True, check=True,
                          timeout=PATIENCE).stdout


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")
def test_a_browser_draws_a_report(folder):
    assert main(["report", str(folder)]) == 0
    page_of_browser = dom(f"file://{folder / 'report.html'}")
    assert page_of_browser.count("<rect ") == 3 and page_of_browser.count("<path ") == 3
    assert '<table id="waits">' in page_of_browser and "the run has ended, seen at" in page_of_browser


def fetch(address: str, host: str | None = None) -> tuple[int, str]:
    place = re.fullmatch(r"http://([\d.]+):(\d+)(/.*)", address)
    connection = http.client.HTTPConnection(place[1], int(place[2]), timeout=PATIENCE)
    connection.request("GET", place[3], headers={"Host": host} if host else {})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


WORK = """
import time, pathlib
path = pathlib.Path("precice-{name}-iterations.log")
path.write_text({iterations!r})
print("time window 3 done, time 1", flush=True)
while not pathlib.Path({stop!r}).exists():
    time.sleep(0.05)
print("profile", __import__("os").environ["ISTHMUS_PROFILE"], __import__("os").environ["ISTHMUS_LIVE"])
"""


def test_a_live_page_is_served_to_who_knows_its_address_as_long_as_the_run_goes(tmp_path):
    stop = tmp_path / "stop"
    text = 'name = "pair"\n'
    for name in ("A", "B"):
        (tmp_path / name).mkdir()
        work = WORK.format(name=name, iterations=ITERATIONS, stop=str(stop))
        (tmp_path / name / "work.py").write_text(work)
        text += f'[[participant]]\nname = "{name}"\ndirectory = "{name}"\n' \
                f'command = ["{sys.executable}", "work.py"]\n'
    (tmp_path / "case.toml").write_text(text)
    (tmp_path / "precice-C-iterations.log").write_text(ITERATIONS)  # of an earlier run
    os.utime(tmp_path / "precice-C-iterations.log", (1, 1))
    run = subprocess.Popen([sys.executable, "-u", "-m", "isthmus", "run", str(tmp_path), "--live"],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        first = run.stdout.readline()
        address = re.fullmatch(r"live page: (http://127\.0\.0\.1:\d+/[\w-]{20,}/)\n", first)[1]
        status, text = fetch(address)
        assert status == 200 and data_of(text) is None and "<title>pair</title>" in text
        data = {}
        for _ in range(400):
            data = json.loads(fetch(address + "data.json")[1])
            if len(data["iterations"]) == 2 and [p["window"] for p in data["participants"]] == ["3", "3"]:
                break
            time.sleep(0.05)
        assert data["is_live"] and [p["state"] for p in data["participants"]] == ["running", "running"]
        assert [one["participant"] for one in data["iterations"]] == ["A", "B"]
        root, _, token = address.rstrip("/").rpartition("/")
        wrong = ("A" if token[0] != "A" else "B") + token[1:]
        for other in (root + "/", f"{root}/{wrong}/", f"{root}/{wrong}/data.json", f"{root}//data.json",
                      f"{address}../case.toml", f"{address}case.toml", f"{address}data.json/x"):
            assert fetch(other)[0] == 404, other
        port = re.search(r":(\d+)/", address)[1]
        assert fetch(address, "evil.example")[0] == 404  # a name of somebody else that leads here
        assert fetch(address, f"localhost:{port}")[0] == 200
        listening = Path("/proc/net/tcp").read_text() + Path("/proc/net/tcp6").read_text()
        places = re.findall(rf"^ *\d+: ([0-9A-F]+):{int(port):04X} [0-9A-F]+:0000 0A", listening,
                            re.MULTILINE)
        assert places == ["0100007F"]  # this machine only
        if BROWSER is not None:
            seen = dom(address)
            assert "running, seen at" in seen and "A: iterations of a window" in seen
        stop.touch()
        end = {"is_live": True}
        while end["is_live"]:
            end = json.loads(fetch(address + "data.json")[1])
        assert [p["state"] for p in end["participants"]] == ["done", "done"]
        assert run.wait(timeout=PATIENCE) == 0
        with pytest.raises(OSError):
            urllib.request.urlopen(address, timeout=60)
        assert "profile fundamental 1" in (tmp_path / "out/A.log").read_text()
    finally:
        stop.touch()
        run.terminate()  # which ends its participants
        run.wait()


def test_a_live_page_is_of_a_run_on_this_machine(tmp_path, capsys):
    (tmp_path / "case.toml").write_text('[[participant]]\nname = "A"\ncommand = "true"\n')
    assert main(["run", str(tmp_path), "--live", "--slurm"]) == 2
    assert "--live watches a run on this machine" in capsys.readouterr().err
