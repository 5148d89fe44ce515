# SPDX-License-Identifier: BSD-3-Clause
"""site.py FOLDER BUILD: the pages of the documentation site, those of docs/ and those made of the sources.

Pictures of the benchmarks are drawn from the newest rows of bench/results.csv, which performance.md gets as
tables, too; the picture of a configuration is drawn from an example, and two examples are run to draw theirs.
configuration-reference.md comes from the reader's own tables, the references of the interfaces from the
comments of their functions, examples.md from examples/."""

from __future__ import annotations

import ast
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import reference

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "bench/results.csv"


def write_pages(folder: Path, build: Path) -> list[Path]:
    """All pages and their pictures; what was in the folder is gone."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder)
    draw_pictures(folder / "pictures")
    draw_examples(folder / "pictures", build)
    for page in folder.rglob("*.md"):
        text = page.read_text().replace("../examples/README.md", "examples.md")
        page.write_text(without_links_out(text, len(page.relative_to(folder).parts)))
    made = {
        "examples": examples(folder / "pictures"),
        "configuration-reference": configuration_reference(build),
        "cpp-reference": cpp_reference(),
        "c-reference": c_reference(),
        "fortran-reference": fortran_reference(),
        "python-reference": python_reference(),
        "performance": performance(folder / "pictures"),
    }
    for name, text in made.items():
        (folder / f"{name}.md").write_text(text)
    return sorted(folder.rglob("*.md"))


def draw_pictures(folder: Path) -> None:
    """Those that are made of data: of the benchmarks, and of a configuration."""
    from isthmus.check import describe  # all three take a while
    from isthmus.plot.benchmarks import draw_all
    from isthmus.plot.graph import graph_picture

    draw_all(RESULTS, folder)
    config = ROOT / "examples/03-oscillator/config.xml"
    graph_picture(folder / "oscillator.svg", describe(config), config.name)


def draw_examples(folder: Path, build: Path) -> None:
    """Those of coupled runs of seconds: of particles in a flow, and of a wave on two membranes where its
    programs in C and Fortran were built. The runs have a folder of their own, as tests may run them, too."""
    with tempfile.TemporaryDirectory() as scratch:
        particles = shutil.copytree(ROOT / "examples/11-particles", Path(scratch) / "11-particles")
        _run(particles / "run.sh")
        shutil.copy(particles / "out/particles.png", folder / "11-particles-particles.png")
        built = build / "tests/examples/programs/12-c-fortran"
        if all((built / name).is_file() for name in ("left", "right")):
            membranes = shutil.copytree(ROOT / "examples/12-c-fortran", Path(scratch) / "12-c-fortran")
            for name in ("left", "right"):
                shutil.copy(built / name, membranes)
            _run(membranes / "run.sh", membranes)
            _run(sys.executable, membranes / "picture.py", membranes)
            shutil.copy(membranes / "refraction.png", folder / "12-c-fortran-refraction.png")


def _run(*command: str | Path) -> None:
    settings = os.environ | {"PYTHON": sys.executable, "MPLBACKEND": "agg"}
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode:
        raise SystemExit(f"{command[0]} failed:\n{done.stdout}{done.stderr}")


def without_links_out(text: str, depth: int) -> str:
    """Links to files that are no pages become words; `depth`: folders up from a page until it is out."""
    return re.sub(rf"\[([^\]]+)\]\((?:\.\./){{{depth}}}[^)]+\)", r"\1", text)


def picture_or_words(pictures: Path, name: str, words: str) -> str:
    """Where the site has drawn none, as its programs were not built: what it would show."""
    return f"![{words}](pictures/{name})" if (pictures / name).is_file() else words


def examples(pictures: Path) -> str:
    """The table of the examples and the page of each; their pictures go to `pictures`."""
    pages = [(ROOT / "examples/README.md").read_text()]
    for page in sorted((ROOT / "examples").glob("*/README.md")):
        name = page.parent.name
        for picture in page.parent.glob("*.png"):
            shutil.copy(picture, pictures / f"{name}-{picture.name}")
        text = re.sub(r"\]\(([\w-]+\.png)\)", rf"](pictures/{name}-\1)", page.read_text())
        for mark, drawn, words in re.findall(r"(<!-- picture ([\w-]+\.png): (.+) -->)", text):
            text = text.replace(mark, picture_or_words(pictures, f"{name}-{drawn}", words))
        pages.append(re.sub("^#", "##", text, flags=re.MULTILINE))
    return without_links_out("\n".join(pages), 1)


def configuration_reference(build: Path) -> str:
    program = build / "api" / "precice" / "precice-config-doc"
    done = subprocess.run([program, "md"], capture_output=True, text=True, check=True, timeout=30)
    return done.stdout


def cpp_reference() -> str:
    header = (ROOT / reference.NATIVE).read_text()
    vertex_id = (ROOT / reference.VERTEX_ID).read_text().split("\n\n")[-2]
    types = vertex_id + "\n\n" + header[header.index("/// How a process"):header.index("/// One participant")]
    bases = [line for name, path in reference.NATIVE_BASES.items()
             for line in (f"### {name}", "", _about((ROOT / path).read_text(), "///", f"class {name}"), "",
                          *_functions(reference.cpp(path), "cpp"))]
    tooling = "api/precice/include/precice/Tooling.hpp"
    return "\n".join([
        "# C++", "", "## Isthmus", "", "Link `isthmus::coupler`, include `<isthmus/isthmus.hpp>`.", "",
        _block("cpp", types.strip()), "", _about(header, "///", "class Participant"), "",
        *_functions(reference.cpp(reference.NATIVE), "cpp"), *bases,
        "## The drop-in", "", "Link `precice::precice`, include `<precice/precice.hpp>`.", "",
        _about((ROOT / reference.DROP_IN).read_text(), "///", "class PRECICE_API Participant"), "",
        *_functions([*reference.cpp(reference.DROP_IN), *reference.cpp(tooling)], "cpp")])


def c_reference() -> str:
    about = _about((ROOT / reference.C).read_text(), "*", "#include")
    return "\n".join(["# C", "", about, "", *_functions(reference.c(), "c")])


def fortran_reference() -> str:
    about = _about((ROOT / reference.FORTRAN).read_text(), "!", "module precice")
    return "\n".join(["# Fortran", "", about, "", *_functions(reference.fortran(), "fortran")])


def python_reference() -> str:
    lines = ["# Python", ""]
    for module in ("participant", "kit"):
        path = f"python/isthmus/{module}.py"
        about = ast.get_docstring(ast.parse((ROOT / path).read_text())) or ""
        lines += [f"## isthmus.{module}", "", about, "", *_functions(reference.python(path), "python")]
    return "\n".join(lines)


def _functions(functions: list[reference.Function], language: str) -> list[str]:
    return [line for function in functions
            for line in (_block(language, function.signature), "", function.text, "")]


def _block(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"


def _about(source: str, mark: str, before: str) -> str:
    """The comment that stands before something; its lines that are indented more are code."""
    lines = source[:source.index("\n" + before)].rstrip().removesuffix("*/").rstrip().split("\n")
    comment = list(itertools.takewhile(lambda line: line.startswith((mark, "/*", " *")), reversed(lines)))
    words = [re.sub(rf"^ ?/?{re.escape(mark)} ?", "", line) for line in reversed(comment)]
    return "\n".join("    " + word.strip() if word.startswith("  ") else word for word in words
                     if "SPDX" not in word)


def performance(pictures: Path) -> str:
    """The page, and a table per benchmark, of the newest row of each case and quantity."""
    from isthmus.bench.measurement import newest

    found = newest(RESULTS)
    page = without_links_out((ROOT / "docs/performance.md").read_text(), 1)
    lines = [with_origins(page, itertools.chain.from_iterable(found.values())), "## All results", ""]
    for bench, rows in sorted(found.items()):
        lines += [f"### {bench}", ""]
        lines += [f"![{bench}](pictures/{bench}.png)", ""] * (pictures / f"{bench}.png").is_file()
        lines += ["| case | quantity | kind | ours | quartiles | runs | reference | source | date |",
                  "|---|---|---|---:|---:|---:|---:|---|---|"]
        lines += _rows(rows)
        lines.append("")
    return "\n".join(lines)


def with_origins(page: str, rows: Iterable[dict[str, str]]) -> str:
    """Tables whose last column names rows get the day and the commit of these."""
    by_key = {f"{row['bench']} / {row['case']} / {row['quantity']}": row for row in rows}

    def origin(line: str) -> str:
        if line.startswith("|") and line.endswith("| row |"):
            return f"{line} of |"
        found = re.fullmatch(r"\|.*\| `(\w+ / .* / .*)` \|", line)
        if not found:
            return line
        row = by_key[found[1]]
        return f"{line} {row['date'][:10]}, `{row['commit']}` |"

    lines = [origin(line) for line in page.split("\n")]
    for number, line in enumerate(lines):
        if line.endswith("| row | of |"):
            lines[number + 1] += "---|"
    return "\n".join(lines)


def _rows(rows: Iterable[dict[str, str]]) -> Iterator[str]:
    for row in rows:
        quartiles = f"{row['low']} to {row['high']}" if row["low"] else ""
        cells = (row["case"], row["quantity"], row["kind"], f"{row['ours']} {row['unit']}", quartiles,
                 row["runs"], row["reference"], row["source"], row["date"][:10])
        yield "| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |"


if __name__ == "__main__":
    pages = write_pages(Path(sys.argv[1]), Path(sys.argv[2]))
    print(f"{len(pages)} pages in {sys.argv[1]}")
