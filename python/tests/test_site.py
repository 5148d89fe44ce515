# SPDX-License-Identifier: BSD-3-Clause
"""The documentation: links lead somewhere, messages are those of the sources, the site is built."""

import argparse
import csv
import hashlib
import importlib.util
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from conftest import PATIENCE, ROOT, native, rows_by_key

from isthmus.bench import NAMES
from isthmus.bench.measurement import COUNTS, KINDS, is_reproducible, newest, read_rows
from isthmus.cli import build_parser
from isthmus.plot.benchmarks import file_names
from isthmus.programs import look_for

PAGES = sorted(page for pattern in ("*.md", "docs/**/*.md", "bench/*.md", "examples/**/*.md")
               for page in ROOT.glob(pattern))
MADE = {"configuration-reference.md", "cpp-reference.md", "c-reference.md", "fortran-reference.md",
        "python-reference.md", "pictures/oscillator.svg", "particles.png", "refraction.png",
        *(f"pictures/{name}" for name in file_names(ROOT / "bench/results.csv"))}
DRAWN_BY_HAND = {"docs/pictures/mappings.svg", "docs/pictures/schemes.svg"}
PICTURES = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".ico", ".bmp", ".tif", ".tiff", ".svg"}
UNITS = {"s": 1, "ms": 1e-3, "µs": 1e-6, "MB": 1, "B": 1, "": 1}
STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in target and target not in MADE:
            assert (page.parent / target).exists(), f"{page}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_are_accepted(page, capsys):
    for command in re.findall(r"(?:^ {4}|^|&& )(isthmus [a-z][^`#&\n]*)", page.read_text(), re.MULTILINE):
        if "…" not in command:
            try:
                build_parser().parse_args(shlex.split(command.replace("NAME", "all"))[1:])
            except SystemExit as end:
                assert end.code == 0, f"{page}: {command}: {capsys.readouterr().err}"


def explained(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str, str | None]]:
    """Command, argument and its explanation, of the parser and of those of its commands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from explained(command)
        else:
            yield parser.prog, action.dest, action.help


def test_every_argument_is_explained():
    arguments = list(explained(build_parser()))
    assert len(arguments) > 60
    assert [one for one in arguments if not one[2]] == []


def test_environment_variables_are_explained():
    page = "".join(page.read_text() for page in ROOT.glob("docs/**/*.md"))
    sources = [path for pattern in ("src/**/*.cpp", "python/isthmus/*.py", "python/isthmus/run/*.py")
               for path in ROOT.glob(pattern)]
    used = {name for path in sources for name in re.findall(r'"(ISTHMUS_[A-Z_]+)"', path.read_text())}
    assert len(used) > 5
    assert {name for name in used if f"`{name}" not in page} == set()


def messages() -> str:
    """All strings of the sources, with … for what is filled in."""
    texts = []
    for path in (*ROOT.glob("src/**/*.cpp"), *ROOT.glob("src/**/*.hpp")):
        for found in STRINGS.findall(path.read_text()):
            text = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', found)).replace('\\"', '"')
            texts.append(re.sub(r"\{[^}]*\}", "…", text))
    return "\n".join(texts)


def test_the_messages_explained_are_those_of_the_sources():
    known = messages()
    page = (ROOT / "docs/troubleshooting.md").read_text()
    explained = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    assert len(explained) > 15
    for message in explained:
        for part in message.split("…"):
            assert len(part) < 12 or part in known, f"{message}: {part!r} is in no message"


def agree_with_quartiles(row: dict[str, str], stated: Sequence[str], factor: float) -> None:
    """Those that a page states, in a unit of this size, are those of the row, but for rounding."""
    for name, quartile in zip(("low", "high"), stated, strict=True):
        digits = len(quartile.partition(".")[2])
        number = float(quartile.replace(",", ""))
        assert float(row[name]) / factor == pytest.approx(number, rel=0, abs=0.51 * 10**-digits), row


def test_the_figures_of_the_performance_page_are_the_newest_rows_with_kind_ratio_and_runs():
    measured = rows_by_key()
    page = (ROOT / "docs/performance.md").read_text()
    more = r"(?: \([^|]*\))?"  # of other days
    quartiles = r"(?: \(([\d.,]+) to ([\d.,]+)\))?"
    table = re.findall(r"^\| .* \| (\w+) \| ([\d.,]+) ?([^ |]*)" + quartiles +
                       r" \| ([\d.,]+) ?(\S*)" + more +
                       r" \| ([\d.]+)" + more + r" \| ([\w: ]*) \| `(.*)` \|$", page, re.MULTILINE)
    assert len(table) > 30 and len(table) == len(re.findall(r"^\|.*` \|$", page, re.MULTILINE))
    for kind, ours, unit, low, high, other, other_unit, ratio, runs, key in table:
        row = measured[key][-1]
        assert bool(low) == bool(row["low"]), key
        if low:
            agree_with_quartiles(row, (low, high), UNITS[unit])
        stated = (float(ours.replace(",", "")) * UNITS[unit],
                  float(other.replace(",", "")) * UNITS[other_unit])
        assert (float(row["ours"]), float(row["reference"])) == pytest.approx(stated, rel=0.03), key
        assert float(row["reference"]) / float(row["ours"]) == pytest.approx(float(ratio), rel=0.01), key
        assert kind == row["kind"], key
        assert runs.strip() == row["runs"], key
        assert kind != "measured" or int(runs) >= 30, key


def test_the_site_adds_day_and_commit_to_the_figures():
    sys.path.insert(0, str(ROOT / "tools/site"))  # where it finds what stands beside it
    path = ROOT / "tools/site/site.py"  # Python has a site, too
    spec = importlib.util.spec_from_file_location("isthmus_site", path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    rows = [{"bench": "a", "case": "b | c", "quantity": quantity, "date": "2026-11-21T10:58:11+00:00",
             "commit": "fefaa01"} for quantity in ("time", "calls")]
    page = """| what | kind | ours | other | ratio | runs | row |
|---|---|--:|--:|--:|--:|---|
| one | measured | 12 ms (10 to 20) | 2 s | 160 | 30 | `a / b | c / time` |
| two | counted | 1,000 | 2,000 | 2 |  | `a / b | c / calls` |

| another | table |
|---|---|
| 1 | 2 |"""
    found = made.with_origins(page, rows)
    assert found == """| what | kind | ours | other | ratio | runs | row | of |
|---|---|--:|--:|--:|--:|---|---|
| one | measured | 12 ms (10 to 20) | 2 s | 160 | 30 | `a / b | c / time` | 2026-11-21, `fefaa01` |
| two | counted | 1,000 | 2,000 | 2 |  | `a / b | c / calls` | 2026-11-21, `fefaa01` |

| another | table |
|---|---|
| 1 | 2 |"""
    text = made.performance(ROOT / "docs/pictures").split("## All results")[0]
    figures = [line for line in text.split("\n")
               if re.search(r"`\w+ / .* / .*` \|", line)]
    assert len(figures) > 30
    for line in figures:
        assert re.search(r" \| \d{4}-\d\d-\d\d, `[0-9a-f]+` \|$", line), line


def test_the_table_of_discovery_is_of_rows():
    factors = {"µs": 1e-6, "ms": 1e-3, "kB": 1e3, "MB": 1e6, "": 1}
    measured = {(row["case"], row["quantity"]): float(row["ours"])
                for row in newest(ROOT / "bench/results.csv")["discovery"]}
    table = re.findall(r"^\| ?([\d,]*) \| (\S+) \| (\S+) \| (\S+) \| (\S+) (\w+) \| (\S+) (\S+) \|$",
                       (ROOT / "docs/initialization.md").read_text(), re.MULTILINE)
    assert len(table) > 6
    ranks = ""
    for first, way, received, sent, size, size_unit, time, time_unit in table:
        ranks = first or ranks
        for quantity, number, unit in (("messages received by the busiest rank", received, ""),
                                       ("messages sent by the busiest rank", sent, ""),
                                       ("bytes sent by the busiest rank", size, size_unit),
                                       ("simulated time to find partners", time, time_unit)):
            stated = float(number.replace(",", "")) * factors[unit]
            ours = measured[f"{way}, {ranks} simulated ranks", quantity]
            assert ours == pytest.approx(stated, rel=0.03), f"{way}, {ranks}: {quantity}"


def test_the_table_of_whole_runs_is_of_rows():
    factors = {"µs": 1e-6, "ms": 1e-3, "kB": 1e3, "MB": 1e6, "": 1}
    quantities = ("initialize, messages received by the busiest rank",
                  "initialize, messages with ranks that become no partners",
                  "initialize, collective calls of a rank", "initialize, bytes received by the busiest rank",
                  "memory of the rank that has most", "initialize, simulated time")
    measured = rows_by_key()
    page = (ROOT / "docs/initialization.md").read_text()
    table = page[page.index("### Whole coupled runs"):].split("\n\n")[3].splitlines()[2:]
    assert len(table) > 5
    ranks = ""
    for first, way, *figures in ([cell.strip() for cell in line.strip("|").split("|")] for line in table):
        ranks = first or ranks
        for quantity, figure in zip(quantities, figures, strict=True):
            number, _, unit = figure.partition(" ")
            row = measured[f"scale / weak, {way}, {ranks} simulated ranks / {quantity}"][-1]
            stated = float(number) * factors[unit]
            assert float(row["ours"]) == pytest.approx(stated, rel=0.005), f"{way}, {ranks}: {quantity}"


def half_digit(number):
    """Half of the last digit that is said; of 12,000 that is 500, as zeros at the end may be rounded."""
    whole, _, decimals = number.replace(",", "").partition(".")
    zeros = 0 if decimals else len(whole) - len(whole.rstrip("0"))
    return 0.501 * 10.0 ** (zeros - len(decimals))


def test_figures_in_sentences_are_of_rows():
    measured = rows_by_key()
    factors = {"s": 1, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9, "GB/s": 1, "%": 1e-2, "kPa": 1e3, "": 1}
    with (Path(__file__).parent / "figures_of_pages.tsv").open(newline="") as file:
        stated = list(csv.DictReader(file, delimiter="\t"))
    assert len(stated) > 5
    for one in stated:
        page = " ".join((ROOT / one["page"]).read_text().split())
        assert one["text"] in page, f"{one['page']} does not say \"{one['text']}\""
        number, unit = re.search(r"([\d.,]*\d) ?(\S*)$", one["text"]).groups()
        row = measured[one["row"]][-1]
        figure = float(number.replace(",", "")) * factors[unit]
        off = min(half_digit(number) * factors[unit], 0.05 * figure)
        assert float(row[one["column"]]) == pytest.approx(figure, abs=off), one["text"]
        behind = page[page.index(one["text"]) + len(one["text"]):]
        quartiles = re.match(r" \(([\d.,]+) to ([\d.,]+)[;)]", behind)
        if quartiles and one["column"] == "ours":
            agree_with_quartiles(row, quartiles.groups(), factors[unit])


# A run takes minutes.
FEWER = {"heat_exchange / 4,805,000 tetrahedra, ten steps, 2 ranks, shared-memory / time of a step"}


def test_times_in_sentences_are_medians_of_thirty_runs_or_say_of_what_they_are():
    measured = rows_by_key()
    with (Path(__file__).parent / "figures_of_pages.tsv").open(newline="") as file:
        stated = [(one["row"], measured[one["row"]][-1]) for one in csv.DictReader(file, delimiter="\t")]
    times = {key: row for key, row in stated if (row["kind"], row["unit"]) == ("measured", "s")}
    assert len(times) > 50 and times.keys() >= FEWER
    fewer = {key for key, row in times.items() if int(row["runs"] or 0) < 30}
    # the other ones are medians of the hundreds of sums of one run, whose number stands on the page
    assert {key for key in fewer if not key.endswith(", median")} == FEWER


def test_the_table_of_halos_is_of_rows():
    page = (ROOT / "docs/kit/exchange.md").read_text()
    table = re.findall(r"^\| ([\d,]+) \| ([\d.]+) \(([\d.]+) to ([\d.]+)\) \|$", page, re.MULTILINE)
    assert len(table) > 3
    for values, factor, *quartiles in table:
        row = rows_by_key()[f"halo / 2 ranks, {values} values / halo over plain MPI"][-1]
        assert float(row["ours"]) == pytest.approx(float(factor), abs=0.006), values
        agree_with_quartiles(row, quartiles, 1)


def test_the_table_of_meshes_that_move_is_of_rows():
    measured = {(row["case"], row["quantity"]): row
                for row in newest(ROOT / "bench/results.csv")["remesh"]}
    share = r" ([\d.]+) % \(([\d.]+) to ([\d.]+)\) \|"
    table = re.findall(r"^\| (\d+ %[^|]*) \|" + share + share,
                       (ROOT / "docs/remeshing.md").read_text(), re.MULTILINE)
    assert len(table) == 6
    for moved, *figures in table:
        for ranks, (ours, *quartiles) in zip((2, 4), (figures[:3], figures[3:]), strict=True):
            case = f"{moved.replace(',', '')}, {ranks} ranks, 250,000 vertices"
            row = measured[case, "CPU, share of the first"]
            assert float(row["ours"]) == pytest.approx(float(ours) / 100, abs=0.006), case
            agree_with_quartiles(row, quartiles, 1e-2)


def test_rows_can_be_measured_again_and_say_their_kind():
    rows = read_rows(ROOT / "bench/results.csv")
    assert all(is_reproducible(row["commit"]) for row in rows)
    counts = [row for row in rows if row["quantity"].startswith(COUNTS)]
    assert len(counts) > 500 and not [row for row in counts if row["kind"] == "measured"]
    assert {row["kind"] for row in rows} <= set(KINDS) and {row["better"] for row in rows} <= {"more", "less"}


def test_every_row_is_of_a_commit_that_is_there():
    def ask(*words: str, given: str = "") -> str:
        return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False,
                              input=given).stdout

    if ask("rev-parse", "--is-shallow-repository").strip() != "false":
        pytest.skip("needs the history of the sources: this is no clone, or not a whole one")
    commits = sorted({row["commit"] for row in read_rows(ROOT / "bench/results.csv")})
    found = ask("cat-file", "--batch-check", given="".join(f"{commit}^{{commit}}\n" for commit in commits))
    assert len(found.splitlines()) == len(commits)
    assert not [line for line in found.splitlines() if line.endswith("missing")]


def test_every_row_is_of_a_benchmark_that_is_there():
    assert set(newest(ROOT / "bench/results.csv")) <= set(NAMES)


def pictures_in(root: Path) -> set[str]:
    """Those that git has or would add, relative to `root`; without git those of the folders with pages."""
    if (root / ".git").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
        found = [Path(name) for name in listed.split("\0") if (root / name).is_file()]
    else:
        found = [path.relative_to(root) for folder in ("bench", "docs", "examples")
                 for path in (root / folder).rglob("*")]
        found = [path for path in found if not {"out", "build"} & set(path.parts)]
    return {str(path) for path in found if path.suffix.lower() in PICTURES}


def wrong_pictures(root: Path, kept: dict[str, str]) -> set[str]:
    """Pictures that are neither drawn by hand nor kept, and kept ones that are gone or not what they were."""
    found = pictures_in(root) - DRAWN_BY_HAND
    return found ^ kept.keys() | {name for name in found & kept.keys() if kept[name] != hashlib.sha256(
        (root / name).read_bytes()).hexdigest()}


def test_pictures_are_made_when_the_site_is_and_not_kept():
    with (Path(__file__).parent / "data/pictures.tsv").open(newline="") as file:
        kept = {row["picture"]: row["sha256"] for row in csv.DictReader(file, delimiter="\t")}
    assert wrong_pictures(ROOT, kept) == set(), "CONTRIBUTING.md, Figures, says what to do with pictures"
    assert pictures_in(ROOT) >= DRAWN_BY_HAND


@pytest.mark.parametrize("with_git", [True, False])
def test_a_picture_that_comes_or_changes_is_refused(tmp_path, with_git):
    names = ("same", "changed", "gone")
    kept = {f"docs/{name}.png": hashlib.sha256(name.encode()).hexdigest() for name in names}
    (tmp_path / "docs").mkdir()
    for name, content in (("same", "same"), ("changed", "other"), ("new", "new")):
        (tmp_path / f"docs/{name}.png").write_text(content)
    (tmp_path / "docs/page.md").write_text("no picture")
    if with_git:
        subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    assert wrong_pictures(tmp_path, kept) == {f"docs/{name}.png" for name in ("changed", "gone", "new")}


@pytest.mark.skipif(look_for("precice-config-doc") is None, reason="the reference needs precice-config-doc")
def test_the_site_is_built(tmp_path):
    pytest.importorskip("mkdocs")
    native("participant")  # an example is run
    pages = tmp_path / "pages"
    build = look_for("precice-config-doc").parents[2]
    subprocess.run([sys.executable, ROOT / "tools/site/site.py", pages, build], check=True, timeout=PATIENCE)
    reference = (pages / "configuration-reference.md").read_text()
    assert "## coupling-scheme:serial-implicit" in reference and "waveform-degree" in reference
    assert "Participant.read_data(mesh_name: str" in (pages / "python-reference.md").read_text()
    assert "(pictures/mapping.png)" in (pages / "performance.md").read_text()
    assert (pages / "pictures/mapping.png").is_file() and (pages / "pictures/oscillator.svg").is_file()
    assert "(pictures/10-calculix-plate.png)" in (pages / "examples.md").read_text()
    assert "(pictures/11-particles-particles.png)" in (pages / "examples.md").read_text()
    assert "void advance(double dt);" in (pages / "cpp-reference.md").read_text()
    assert "void precicec_advance(double computedTimeStepSize);" in (pages / "c-reference.md").read_text()
    assert "subroutine precicef_advance(timeStepSize)" in (pages / "fortran-reference.md").read_text()
    settings = (ROOT / "mkdocs.yml").read_text()
    settings = settings.replace("build/site/pages", str(pages))
    settings = settings.replace("build/site/html", str(tmp_path / "html"))
    (tmp_path / "mkdocs.yml").write_text(settings)
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"], cwd=tmp_path,
                          check=False, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    listed = set(re.findall(r": (?:[\w-]+/)?([\w-]+\.md)", settings))
    assert listed == {page.name for page in pages.rglob("*.md")}, "every page is in the menu"
    assert (tmp_path / "html/search/search_index.json").is_file()


WAYS_OF_SERIES = {9072: ("original", "libPstream.so", "both, predictedPCG", "all, predictedPCG",
                         "all, deflatedPCG"),
                  36288: ("original", "all, deflatedPCG")}


def test_the_strong_series_of_openfoam_are_of_rows():
    measured = rows_by_key()
    page = (ROOT / "docs/solvers/openfoam.md").read_text()
    points = 0
    for cells, ways in WAYS_OF_SERIES.items():
        table = page[page.index(f"**Strong series, {cells:,} cells"):].split("\n\n")[1]
        rows = re.findall(r"^\| (\d+), [\d,]+ \|" + len(ways) * r" ([^|]+) \|", table, re.MULTILINE)
        for ranks, *values in rows:
            for way, value in zip(ways, values, strict=True):
                if value == "–":
                    continue
                case = f"openfoam / damBreak, {cells:,} cells, {ranks} simulated ranks, {way}"
                keys = [f"{case} / simulated time of a step{calls}" for calls in ("", " without its work")]
                for key, stated in zip(keys, value.split(";"), strict=True):
                    ours = float(measured[key][-1]["ours"])
                    assert ours == pytest.approx(1e-3 * float(stated), abs=6e-6), key
                points += 1
    assert points > 20
