# SPDX-License-Identifier: BSD-3-Clause
"""Asks isthmus-config-check what a configuration means, and explains the answer."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.tree import Tree

from isthmus import programs
from isthmus.console import print_warning, table
from isthmus.errors import FAILED, IsthmusError

PROGRAM = "isthmus-config-check"
TIME_LIMIT = 60  # seconds


def describe(path: Path, participant: str | None = None, size: int | None = None) -> dict:
    """The coupled run as the program describes it; raises IsthmusError with its words if it is wrong."""
    if not path.is_file():
        raise IsthmusError(f"{path}: there is no such file")
    argv = [str(programs.find(PROGRAM)), str(path)]
    argv += [participant] if participant else []
    argv += [str(size)] if participant and size else []
    try:
        answer = subprocess.run(argv, capture_output=True, text=True, timeout=TIME_LIMIT, check=False)
    except subprocess.TimeoutExpired as error:
        raise IsthmusError(f"{PROGRAM} gave no answer within {TIME_LIMIT} s") from error
    words = answer.stderr.strip()
    if answer.returncode != 0:
        raise IsthmusError(words or f"{PROGRAM} ended with code {answer.returncode}", FAILED)
    for line in words.splitlines():
        print_warning(line.removeprefix("note: "))
    try:
        return json.loads(answer.stdout)
    except json.JSONDecodeError as error:
        raise IsthmusError(f"{PROGRAM} did not answer in JSON: {error}") from error


def explain(described: dict) -> RenderableType:
    """Meshes and data as tables, participants and schemes as trees."""
    return Group(_meshes(described), _data(described), *(_participant(p) for p in described["participants"]),
                 _connections(described), *(_scheme(s) for s in described["schemes"]))


def _words(names: list[str]) -> str:
    return escape(", ".join(names)) if names else "–"


def _meshes(described: dict):
    result = table("meshes", "mesh", "dimensions", "data", "provided by", "received by")
    for mesh in described["meshes"]:
        provider = mesh["provided-by"]
        result.add_row(f"[bold]{escape(mesh['name'])}[/]", str(mesh["dimensions"]), _words(mesh["data"]),
                       escape(provider) if provider else "[red]nobody[/]", _words(mesh["received-by"]))
    return result


def _data(described: dict):
    result = table("data", "data", "kind", "waveform degree", "goes")
    ways: dict[str, list[str]] = {}
    for scheme in described["schemes"]:
        for exchange in scheme["exchanges"]:
            ways.setdefault(exchange["data"], []).append(f"{exchange['from']} → {exchange['to']}")
    for data in described["data"]:
        result.add_row(f"[bold]{escape(data['name'])}[/]", "vector" if data["vector"] else "scalar",
                       str(data["waveform-degree"]), _words(ways.get(data["name"], [])))
    return result


def _participant(participant: dict) -> Tree:
    tree = Tree(f"[bold cyan]{escape(participant['name'])}[/]")
    for mesh in participant["provides"]:
        tree.add(f"provides [bold]{escape(mesh)}[/]")
    for mesh in participant["receives"]:
        direct = ", with direct access" if mesh["api-access"] else ""
        tree.add(f"receives [bold]{escape(mesh['name'])}[/] from {escape(mesh['from'])}{direct}")
    for verb, key in (("writes", "writes"), ("reads", "reads")):
        for use in participant[key]:
            tree.add(f"{verb} [bold]{escape(use['data'])}[/] on {escape(use['mesh'])}")
    for mapping in participant["mappings"]:
        origin, target = mapping["from"] or "just in time", mapping["to"] or "just in time"
        when = "after receiving" if mapping["direction"] == "read" else "before sending"
        branch = tree.add(f"maps {escape(origin)} → {escape(target)}: [bold]{escape(mapping['kind'])}[/], "
                          f"{escape(mapping['constraint'])}, {when}")
        branch.add(f"data {_words(mapping['data'])}")
    for key, verb in (("actions", "acts"), ("exports", "exports")):
        if participant[key]:
            tree.add(f"{verb}: {_words(participant[key])}")
    return tree


def _connections(described: dict):
    result = table("connections", "acceptor", "connector", "over", "partners found by", "exchange directory")
    for m2n in described["m2ns"]:
        result.add_row(escape(m2n["acceptor"]), escape(m2n["connector"]), escape(m2n["kind"]),
                       escape(m2n["initialization"]), escape(m2n["exchange-directory"]))
    return result


def _scheme(scheme: dict) -> Tree:
    controller = f", controlled by {escape(scheme['controller'])}" if scheme["controller"] else ""
    tree = Tree(f"[bold magenta]{escape(scheme['kind'])}[/] of {_words(scheme['participants'])}{controller}")
    size = scheme["time-window-size"]
    first = f"set by {escape(scheme['participants'][0])}" if size is None else f"of {size:g}"
    ends = [f"{scheme['max-time-windows']} windows" if scheme["max-time-windows"] is not None else "",
            f"time {scheme['max-time']:g}" if scheme["max-time"] is not None else ""]
    tree.add(f"time windows {first}, until {' or '.join(end for end in ends if end)}")
    for exchange in scheme["exchanges"]:
        extras = [word for word, key in (("initial data", "initialize"), ("all substeps", "substeps"))
                  if exchange[key]]
        more = f" ({', '.join(extras)})" if extras else ""
        tree.add(f"[bold]{escape(exchange['data'])}[/] on {escape(exchange['mesh'])}: "
                 f"{escape(exchange['from'])} → {escape(exchange['to'])}{more}")
    if scheme["max-iterations"] is not None:
        tree.add(f"at most {scheme['max-iterations']} iterations per window")
    for measure in scheme["measures"]:
        kind = measure["kind"].removesuffix("-convergence-measure")
        tree.add(f"converged when {escape(measure['data'])} on {escape(measure['mesh'])} changes less than "
                 f"{measure['limit']:g} ({escape(kind)})")
    if acceleration := scheme["acceleration"]:
        tree.add(f"accelerated by [bold]{escape(acceleration['kind'])}[/] of {_words(acceleration['data'])}, "
                 f"relaxation {acceleration['relaxation']:g}")
    return tree
