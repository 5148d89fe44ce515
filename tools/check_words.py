#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""One word for one idea: finds words that were retired, in sources, tests, pages and names of files.

    tools/check_words.py [ROOT]

Prints file:line for each word of RETIRED, with the word that stands for it. Exits 1 if there is any. The
words in use are in the glossary of DESIGN.md. A word is retired in the commit that renames it everywhere.

A word that has a meaning of its own outside of the library is looked for in parts of the tree only: copies of
files, drift of a flow, figures that are counted, tell() of a stream, places to look at. Left out is tools/,
which names the words.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PROGRAMS = ("solvers", "python", "openfoam", "examples")  # what is built on the library
FOLDERS = ("src", "api", "apps", "bench", "cli", "docs", "tests", *PROGRAMS)
PAGES = ("DESIGN.md", "CONTRIBUTING.md", "README.md")
SUFFIXES = {".hpp", ".h", ".H", ".cpp", ".C", ".c", ".f90", ".py", ".sh", ".md", ".txt", ".cmake"}
NUMERICS = tuple(f"src/isthmus/{module}" for module in (
    "geometry", "mapping", "radial", "exchange", "la", "discrete", "time", "acceleration", "fields"))
SELF = "check_words_test.py"  # names what it looks for


class Retired(NamedTuple):
    word: str  # regular expression, for a part of an identifier as well as for a word of a comment
    instead: str
    where: tuple[str, ...] = FOLDERS + PAGES  # beginnings of paths; elsewhere the word means something else


RETIRED = (
    Retired(r"\b[Dd]rift|drift_of|_drift", "say displacement", ("src", "api", "DESIGN.md")),
    Retired(r"heed", "say check: check_alarm(), check_other_ranks()"),
    Retired(r"transfer/notice", "say transfer/mesh_bits; a notice is a message of fields/"),
    Retired(r"\bNotice\b|\bnotice_",
            "say opening: how ranks learn that a round is open; a notice is a message of fields/",
            ("src/isthmus/comm", "src/isthmus/exchange", "tests/comm", "tests/exchange", "bench",
             "docs/kit/discovery.md")),
    Retired(r"planning/choice", "say automatic mapping"),
    Retired(r"(?<!target_)[Cc]lones|CLONES", "say multiversion, as compilers do",
            ("src", "tests", "bench", *PROGRAMS)),
    Retired(r"[Bb]aseline", "say centralized",
            ("src/isthmus/rendezvous", "src/isthmus/partner", "tests/rendezvous")),
    Retired(r"[Bb]ackbone", "say proxy: the rank of the receiver that speaks for one of the provider"),
    Retired(r"\b[Mm]ail\b|[Mm]ails|has_mail|\bmail_|\bLetters?\b|letters_", "say message, bundle or parcel",
            ("src", "api", "tests", "openfoam")),
    Retired(r"(?<!ISTHMUS_)PATIENCE|[Pp]atien(ce|t)", "say progress timeout",
            ("src", "api", "tests", "openfoam", "DESIGN.md")),
    Retired(r"has_heard", "say has_received", ("src", "tests", "openfoam")),
    Retired(r"places_of", "say coordinates_of", ("src", "api", "tests")),
    Retired(r"[Tt]wins?\b|_twins?", "say duplicate",
            ("src", "tests", *PROGRAMS)),
    Retired(r"[Bb]lob", "say state array", ("src", "tests/acceleration", "docs", *PROGRAMS)),
    Retired(r"Counted\b|counted_\b|/counted\.", "say unknowns",
            ("src/isthmus/acceleration", "src/isthmus/iteration", "src/isthmus/coupling")),
    Retired(r"(?<!num_)[Cc]opies|copy_of", "say ghosts",
            ("src/isthmus/planning", "src/isthmus/protocol", "src/isthmus/transfer",
             "src/isthmus/rendezvous", "tests/exchange", "tests/planning", "tests/protocol",
             "tests/transfer", "tests/rendezvous")),
    Retired(r"\bplaces\b", "say coordinates",
            ("src/isthmus/protocol", "src/isthmus/transfer", "src/isthmus/rendezvous")),
    Retired(r"\bplaces(?=[;,)\[(]|\.\w)|\bplaces_\b",
            "say points, the coordinates of a mesh, or positions in a list",
            (*NUMERICS, "src/isthmus/transport", "src/isthmus/coupling/remeshing", "src/isthmus/io",
             "src/isthmus/mesh", "src/isthmus/outputs", "src/isthmus/participant",
             "src/isthmus/partition")),
    Retired(r"[Ss]hared_?[Pp]laces?", "say shared points", ("src", "tests")),
    Retired(r"\b[Ss]ettle[sd]?\b|\bsettle_|_settled\b",
            "say await, decide or keep; only claims of ranks have that end",
            (*NUMERICS, "src/isthmus/coupling", "src/isthmus/transport", "src/isthmus/outputs",
             "src/isthmus/comm", "src/isthmus/partition", "tests/transport", "tests/outputs")),
    Retired(r"\bholds?\(", "say contains; a channel keeps bytes for a partner that way",
            (*NUMERICS, "src/isthmus/coupling")),
    Retired(r"FindMesh|MakeMapping", "say OwnMeshes, MappingFactory"),
    Retired(r"rendezvous::Relation|rendezvous/discovery",
            "say Rendezvous; a relation is protocol::MeshRelation"),
    Retired(r"ToldList|\bTell\b|\bHear\b|\bHeard\b|heard_|\.heard|hear_|\btell_|\btell\(|_told\b|told_|untold"
            r"|\btold(?=\[|\.\w| =)",
            "say send, receive, sent, received or notify", ("src", "api", "tests", "openfoam", "DESIGN.md")),
    Retired(r"(?i)\b(hears?|heard|tells?|told|untold|heed(s|ed)?)\b",
            "say send, receive, notify, report, learn or say; of what differs, distinguish",
            ("src/isthmus/", "api/", "solvers/", "bench/", "tests/planning/", "tests/protocol/",
             "tests/transport/", "tests/connect/", "tests/comm/", "tests/coupling/", "tests/partner/",
             "tests/rendezvous/", "tests/fields/", "tests/exchange/", "tests/transfer/", "openfoam/",
             "DESIGN.md")),
)


def texts(root: Path) -> Iterator[Path]:
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix in SUFFIXES and path.name != SELF:
                yield path.relative_to(root)
    for page in PAGES:
        if (root / page).exists():
            yield Path(page)


def problems(root: Path, retired: tuple[Retired, ...] = RETIRED) -> Iterator[str]:
    for path in texts(root):
        name = path.as_posix()
        words = [(re.compile(one.word), one) for one in retired if name.startswith(one.where)]
        lines = (root / path).read_text(encoding="utf-8").splitlines()
        for number, line in enumerate([name, *lines]):  # line 0 is the name of the file
            for pattern, one in words:
                if found := pattern.search(line):
                    yield f"{name}:{number}: \"{found[0]}\" is retired: {one.instead}"


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    found = list(problems(root))
    print("\n".join(found) or "no retired word has come back")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
