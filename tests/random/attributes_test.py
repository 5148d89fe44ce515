# SPDX-License-Identifier: BSD-3-Clause
"""Every attribute of the configuration, and every option of one, stands in some random case, or in
left_out.tsv with the reason why it does not. attributes_test.py --list prints those that no case has."""

import sys
from fnmatch import fnmatchcase
from pathlib import Path
from xml.parsers import expat

from configuration import xml
from generate import Generator
from reference import Stuck

HERE = Path(__file__).resolve().parent
CASES = 10000  # not played; the rarest choices come several times


def rows(file):
    return [line.split("\t") for line in file.read_text().splitlines()[1:]]


def known():
    """(tag, attribute), and (tag, attribute=option)."""
    for name in ("attributes.tsv", "own_attributes.tsv"):
        for tag, attribute, *_, options in rows(HERE.parent / "config" / name):
            if attribute:
                yield tag, attribute
                for option in filter(None, options.split(", ")):
                    yield tag, f"{attribute}={option}"


def written_in(text, found):
    path = []

    def start(tag, attributes):
        path.append(tag)
        place = "/".join(path[1:]) or tag
        for name, value in attributes.items():
            found.update([(place, name), (place, f"{name}={value}")])

    parser = expat.ParserCreate()  # without name spaces
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: path.pop()
    parser.Parse(text, True)


def never_written():
    found = set()
    for seed in range(CASES):
        try:
            written_in(xml(Generator(seed, 0).case()), found)
        except Stuck:
            continue
    return [one for one in known() if one not in found]


def main():
    missing = never_written()
    if "--list" in sys.argv:
        print(*("\t".join(one) for one in missing), sep="\n")
        return
    table, wrong, used = rows(HERE / "left_out.tsv"), [], set()
    for tag, attribute in missing:
        fits = (
            k for k, row in enumerate(table) if fnmatchcase(tag, row[0]) and fnmatchcase(attribute, row[1])
        )
        reason = next(fits, None)
        used.add(reason)
        if reason is None:
            wrong.append(f"no random case has <{tag} {attribute}>, and left_out.tsv does not say why")
    wrong += [f"left_out.tsv: {row[:2]} is in random cases" for k, row in enumerate(table) if k not in used]
    print(*wrong, sep="\n")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
