# SPDX-License-Identifier: BSD-3-Clause
"""The kind that a page names for a figure, as measured or counted, is that of its row."""

import csv
import re
from collections.abc import Sequence

from conftest import ROOT, rows_by_key

from isthmus.bench.measurement import KINDS

# In a sentence, or in a cell of a table.
KIND = re.compile(rf"\*({'|'.join(KINDS)})\*|\| ({'|'.join(KINDS)}) (?=\|)", re.IGNORECASE)


def joined(text: str) -> str:
    return " ".join(text.split())


def part_with(text: str, parts: Sequence[str]) -> int | None:
    return next((i for i, part in enumerate(parts) if text in joined(part)), None)


def kinds_beside(page: str, text: str) -> set[str]:
    """The kinds that a page names nearest to this figure: in its sentence or row of a table, else in its
    point of a list, else in the last paragraph, list or table before that has any, below the same heading."""
    sections = re.split(r"^(?=#+ )", re.sub(r"^```.*?^```$", "", page, flags=re.DOTALL | re.MULTILINE),
                        flags=re.MULTILINE)
    at = part_with(text, sections)
    blocks = sections[at].split("\n\n") if at is not None else []
    at = part_with(text, blocks)
    assert at is not None, f"no paragraph says \"{text}\""
    items = re.split(r"\n(?=[-*|] |\d+\. )", blocks[at])
    item = items[part_with(text, items) or 0]
    sentences = re.split(r"(?<=[.:])\s+(?=[A-Z*`])", joined(item))
    sentence = sentences[part_with(text, sentences) or 0]
    for scope in (sentence, item, items[0] if items[0][0] not in "-*|" else "", *reversed(blocks[:at])):
        found = {(word or cell).lower() for word, cell in KIND.findall(scope)}
        if found:
            return found
    return set()


def test_the_kinds_of_figures_in_sentences_are_those_of_rows():
    measured = rows_by_key()
    with (ROOT / "python/tests/figures_of_pages.tsv").open(newline="") as file:
        stated = list(csv.DictReader(file, delimiter="\t"))
    wrong = []
    for one in stated:
        kind = measured[one["row"]][-1]["kind"]
        found = kinds_beside((ROOT / one["page"]).read_text(), one["text"])
        if kind not in found:
            wrong.append(f"{one['page']}: \"{one['text']}\" is {kind}, the page says {sorted(found)}")
    assert len(stated) > 400 and not wrong, "\n".join(wrong)


def test_the_nearest_kind_of_a_figure_counts():
    page = """# A page

The first is 1 s (*measured*). The second is 2 (*counted*). The third is 3.

| what | kind | time |
|---|---|---|
| one | simulated | 4 s |
| two | | 5 s |

*Modelled* is this:

- the fourth, 6 s
- the fifth, 7 s (*measured*)

## Another

The last is 8 s."""
    expected = {"is 1 s": {"measured"}, "is 2": {"counted"}, "is 3": {"measured", "counted"},
                "4 s": {"simulated"}, "5 s": {"measured", "counted"}, "6 s": {"modelled"},
                "7 s": {"measured"}, "8 s": set()}
    assert {text: kinds_beside(page, text) for text in expected} == expected
