# SPDX-License-Identifier: BSD-3-Clause
"""Draws a coupling: participants as boxes with their meshes, exchanges and mappings as arrows, schemes."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from isthmus.graph import Arrow, Plan, plan
from isthmus.plot.figure import HEADING, PALETTE, STYLE, new_figure, save

# inches
MESH, PAD, LANE = 2.9, 0.22, 0.52
TITLE, LINE, GAP, MARGIN = 0.42, 0.19, 1.05, 0.3
SLOT = 0.34  # between arrows
CHARACTER, NARROW = 0.082, 1.2
PROVIDED, RECEIVED, FRAME, INK = "#e4edf6", "#ffffff", "#f7f7f5", "#333333"
MAPPING = "#666666"


def graph_picture(path: Path, described: dict, title: str) -> Path:
    picture = _Picture(described)
    with mpl.rc_context(STYLE):
        initial = any("*" in name for arrow in picture.plan.arrows for name in arrow.data)
        words = "filled: provided meshes, white: received ones" + ("; * with initial data" if initial else "")
        figure = new_figure(picture.width, picture.height + HEADING, title, words)
        figure.set_layout_engine("none")
        axes = figure.add_axes((0, 0, 1, picture.height / (picture.height + HEADING)))
        axes.set(xlim=(0, picture.width), ylim=(picture.height, 0))
        axes.set_axis_off()
        picture.draw(axes)
    return save(figure, path)


class _Picture:
    """Places in inches from the upper left corner."""

    def __init__(self, described: dict):
        self.plan: Plan = plan(described)
        self.participants = {p["name"]: p for p in described["participants"]}
        self.lines = {(p["name"], mesh): _uses(p, mesh) for p in described["participants"]
                      for mesh in _meshes(p)}
        self.bypasses = {name: self._bypasses(name) for name in self.participants}
        self._place_rows()
        self._place_columns()
        self.schemes = [_scheme_lines(scheme) for scheme in described["schemes"]]
        longest = max((len(line) for lines in self.schemes for line in lines), default=0)
        self.width = max(self.width, 7.0, longest * CHARACTER * 0.9 + 2 * MARGIN + 0.6)
        self.height = self.bottom + sum(LINE * len(lines) + 0.22 for lines in self.schemes)

    def _bypasses(self, name: str) -> list[dict]:
        """Mappings between meshes that are no neighbours in the box: each gets a lane at its side."""
        rows = self.plan.boxes[name].rows
        at = {mesh: rows.index(row) for mesh, row in self.plan.rows.items() if row in rows}
        return [m for m in self.participants[name]["mappings"]
                if m["from"] and m["to"] and abs(at[m["from"]] - at[m["to"]]) > 1]

    def _place_rows(self) -> None:
        heights = [0.0] * len(self.plan.rows)
        for (_, mesh), lines in self.lines.items():
            row = self.plan.rows[mesh]
            same = [a for a in self.plan.arrows if a.mesh == mesh]
            most = max((sum(self._overlap(a, b) for b in same) for a in same), default=0)
            heights[row] = max(heights[row], 0.36 + LINE * len(lines), SLOT * most + 0.1)
        self.row_height, self.row_top = heights, []
        top = 0.1 + TITLE
        for height in heights:
            self.row_top.append(top)
            top += height + GAP
        footers = max((len(_footer(p)) for p in self.participants.values()), default=0)
        self.bottom = top - GAP + PAD + LINE * footers + 0.35

    def _columns(self, arrow: Arrow) -> list[int]:
        return sorted(self.plan.boxes[name].column for name in (arrow.sender, arrow.receiver))

    def _overlap(self, a: Arrow, b: Arrow) -> bool:
        (first, last), (begin, end) = self._columns(a), self._columns(b)
        return first < end and begin < last

    def _place_columns(self) -> None:
        boxes = self.plan.boxes
        columns = 1 + max(box.column for box in boxes.values())
        widths = [MESH + 2 * PAD + LANE * max(len(self.bypasses[name]) for name, box in boxes.items()
                                              if box.column == k) for k in range(columns)]
        gaps = [NARROW] * columns
        for arrow in self.plan.arrows:
            gap = self._label_gap(arrow)
            gaps[gap] = max(gaps[gap], CHARACTER * len(", ".join(arrow.data)) + 0.5)
        self.left = []
        x = MARGIN
        for k in range(columns):
            self.left.append(x)
            x += widths[k] + (gaps[k] if k + 1 < columns else 0)
        self.column_width, self.width = widths, x + MARGIN

    def _label_gap(self, arrow: Arrow) -> int:
        """The gap between columns next to the sender."""
        a, b = (self.plan.boxes[name].column for name in (arrow.sender, arrow.receiver))
        return a if a < b else a - 1

    def _lanes_left(self, name: str) -> bool:
        """On the side to which fewer arrows go."""
        column = self.plan.boxes[name].column
        others = [self.plan.boxes[a.receiver if name == a.sender else a.sender].column
                  for a in self.plan.arrows if name in (a.sender, a.receiver)]
        return sum(other > column for other in others) > sum(other < column for other in others)

    def _mesh_box(self, name: str, mesh: str) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        row = self.plan.rows[mesh]
        left = self.left[self.plan.boxes[name].column] + PAD
        left += LANE * len(self.bypasses[name]) if self._lanes_left(name) else 0
        return left, self.row_top[row], left + MESH, self.row_top[row] + self.row_height[row]

    def draw(self, axes: Axes) -> None:
        for name in self.participants:
            self._draw_participant(axes, name)
        for mesh in self.plan.rows:
            same = [a for a in self.plan.arrows if a.mesh == mesh]
            for arrow in same:
                beside = [a for a in same if self._overlap(a, arrow)]
                self._draw_exchange(axes, arrow, SLOT * (beside.index(arrow) - (len(beside) - 1) / 2))
        top = self.bottom
        for k, lines in enumerate(self.schemes):
            self._draw_scheme(axes, k, lines, top)
            top += LINE * len(lines) + 0.22

    def _draw_participant(self, axes: Axes, name: str) -> None:
        box, participant = self.plan.boxes[name], self.participants[name]
        left, width = self.left[box.column], self.column_width[box.column]
        rows = box.rows or [0]
        top = self.row_top[rows[0]] - TITLE
        footer = _footer(participant)
        bottom = self.row_top[rows[-1]] + self.row_height[rows[-1]] + PAD + LINE * len(footer)
        _box(axes, (left, top, left + width, bottom), FRAME, "#999999", 1.4)
        axes.text(left + PAD, top + 0.25, name, fontsize=13, fontweight="bold", va="center", color="#111111")
        for k, line in enumerate(footer):
            axes.text(left + PAD, bottom - 0.12 - LINE * (len(footer) - 1 - k), line, fontsize=8, va="center",
                      color="#555555")
        for mesh in _meshes(participant):
            self._draw_mesh(axes, name, mesh)
        self._draw_mappings(axes, name)

    def _draw_mesh(self, axes: Axes, name: str, mesh: str) -> None:
        corners = left, top, *_ = self._mesh_box(name, mesh)
        provided = mesh in self.participants[name]["provides"]
        _box(axes, corners, PROVIDED if provided else RECEIVED, PALETTE[0] if provided else "#999999", 1.1,
             "-" if provided else "--")
        axes.text(left + 0.12, top + 0.19, mesh, fontsize=10, fontweight="bold", va="center", color=INK)
        for k, line in enumerate(self.lines[name, mesh]):
            axes.text(left + 0.12, top + 0.41 + LINE * k, line, fontsize=8.5, va="center", color=INK)

    def _draw_mappings(self, axes: Axes, name: str) -> None:
        bypasses = self.bypasses[name]
        direct: dict[tuple[str, ...], list[dict]] = {}
        for mapping in self.participants[name]["mappings"]:
            if mapping["from"] and mapping["to"] and mapping not in bypasses:
                direct.setdefault(tuple(sorted((mapping["from"], mapping["to"]))), []).append(mapping)
        for same in direct.values():
            for k, mapping in enumerate(same):
                x = self._mesh_box(name, mapping["from"])[0] + MESH * (0.06 if k == 0 else 0.06 + 0.94 * k
                                                                       / len(same))
                self._draw_direct(axes, name, mapping, x)
        for lane, mapping in enumerate(bypasses):
            self._draw_bypass(axes, name, mapping, lane)

    def _draw_direct(self, axes: Axes, name: str, mapping: dict, x: float) -> None:
        origin, target = self._mesh_box(name, mapping["from"]), self._mesh_box(name, mapping["to"])
        down = origin[1] < target[1]
        begin, end = (origin[3], target[1]) if down else (origin[1], target[3])
        _arrow(axes, [(x, begin), (x, end)], MAPPING)
        axes.text(x + 0.12, (begin + end) / 2, _mapping_words(mapping), fontsize=7.5, va="center",
                  color="#444444", linespacing=1.25)

    def _draw_bypass(self, axes: Axes, name: str, mapping: dict, lane: int) -> None:
        left = self._lanes_left(name)
        edge = self._mesh_box(name, mapping["from"])[0 if left else 2]
        x = edge - 0.14 - LANE * (lane + 1) + 0.38 if left else edge + 0.14 + LANE * lane
        begin, end = (self._docking(name, mapping, mesh) for mesh in (mapping["from"], mapping["to"]))
        _arrow(axes, [(edge, begin), (x, begin), (x, end), (edge, end)], MAPPING)
        rows = sorted((self.plan.rows[mapping["from"]], self.plan.rows[mapping["to"]]))
        above = rows[0] if mapping["direction"] == "read" else rows[1] - 1
        middle = self.row_top[above] + self.row_height[above] + GAP / 2
        axes.text(x + (-0.06 if left else 0.06), middle, _mapping_words(mapping), fontsize=7.5, va="center",
                  ha="right" if left else "left", color="#444444", rotation=90, linespacing=1.15)

    def _docking(self, name: str, mapping: dict, mesh: str) -> float:
        """Height at which a lane meets the box of a mesh."""
        there = [m for m in self.bypasses[name] if mesh in (m["from"], m["to"])]
        _, top, _, bottom = self._mesh_box(name, mesh)
        return top + (bottom - top) * (there.index(mapping) + 1) / (len(there) + 1)

    def _draw_exchange(self, axes: Axes, arrow: Arrow, offset: float) -> None:
        colour = PALETTE[arrow.scheme % len(PALETTE)]
        sender, receiver = (self._mesh_box(name, arrow.mesh) for name in (arrow.sender, arrow.receiver))
        y = (sender[1] + sender[3]) / 2 + offset
        right = sender[0] < receiver[0]
        begin, end = (sender[2], receiver[0]) if right else (sender[0], receiver[2])
        _arrow(axes, [(begin, y), (end, y)], colour, 2.0)
        gap = self._label_gap(arrow)
        middle = (self.left[gap] + self.column_width[gap] + self.left[gap + 1]) / 2
        axes.text(middle, y - 0.05, ", ".join(arrow.data), fontsize=9.5, ha="center", va="bottom",
                  color=colour, fontweight="bold")

    def _draw_scheme(self, axes: Axes, number: int, lines: list[str], top: float) -> None:
        colour = PALETTE[number % len(PALETTE)]
        axes.plot([MARGIN, MARGIN], [top, top + LINE * len(lines)], color=colour, lw=4, solid_capstyle="butt")
        for k, line in enumerate(lines):
            axes.text(MARGIN + 0.15, top + LINE * (k + 0.5), line, fontsize=9, va="center",
                      color=colour if k == 0 else INK, fontweight="bold" if k == 0 else "normal")


def _box(axes: Axes, corners: tuple[float, float, float, float], face: str, edge: str, width: float,
         style: str = "-") -> None:
    left, top, right, bottom = corners
    shape = "round,pad=0,rounding_size=0.08"
    axes.add_patch(FancyBboxPatch((left, top), right - left, bottom - top, boxstyle=shape, facecolor=face,
                                  edgecolor=edge, linewidth=width, linestyle=style))


def _arrow(axes: Axes, corners: list[tuple[float, float]], colour: str, width: float = 1.3) -> None:
    *_, before, last = corners
    axes.plot(*zip(*corners[:-1], before, strict=True), color=colour, lw=width, solid_capstyle="butt")
    axes.add_patch(FancyArrowPatch(before, last, arrowstyle="-|>,head_width=3,head_length=6", shrinkA=0,
                                   shrinkB=0, color=colour, lw=width, mutation_scale=1.5, zorder=3))


def _meshes(participant: dict) -> list[str]:
    return [*participant["provides"], *(mesh["name"] for mesh in participant["receives"])]


def _uses(participant: dict, mesh: str) -> list[str]:
    """What the participant does with the mesh, in lines."""
    lines = []
    for received in participant["receives"]:
        if received["name"] == mesh:
            lines.append(f"from {received['from']}" + (", direct access" if received["api-access"] else ""))
    for verb, key in (("writes", "writes"), ("reads", "reads")):
        if names := [use["data"] for use in participant[key] if use["mesh"] == mesh]:
            lines.append(f"{verb} {_listed(names, 36)}")
    for m in participant["mappings"]:
        if mesh in (m["from"], m["to"]) and not (m["from"] and m["to"]):
            lines.append(f"just in time: {m['kind']}, {m['constraint']}")
    return lines


def _listed(names: list[str], limit: int) -> str:
    text = ", ".join(names)
    return text if len(text) <= limit else f"{names[0]} and {len(names) - 1} more"


def _mapping_words(mapping: dict) -> str:
    return "\n".join([mapping["kind"], f"{mapping['constraint']}, {mapping['direction']}",
                      _listed(mapping["data"], 22)])


def _footer(participant: dict) -> list[str]:
    return [f"{words} {', '.join(dict.fromkeys(participant[key]))}" for words, key in
            (("actions:", "actions"), ("exports", "exports")) if participant[key]]


def _scheme_lines(scheme: dict) -> list[str]:
    joined = " → ".join(scheme["participants"]) if scheme["kind"].startswith("serial") else " + ".join(
        scheme["participants"])
    controller = f", controlled by {scheme['controller']}" if scheme["controller"] else ""
    size = scheme["time-window-size"]
    first = "set by " + scheme["participants"][0] if size is None else f"of {size:g}"
    ends = [f"{scheme['max-time-windows']} windows" if scheme["max-time-windows"] is not None else "",
            f"time {scheme['max-time']:g}" if scheme["max-time"] is not None else ""]
    lines = [f"{scheme['kind']}: {joined}{controller}",
             f"time windows {first}, until {' or '.join(end for end in ends if end)}"]
    if acceleration := scheme["acceleration"]:
        lines[1] += f"; {acceleration['kind']} of {_listed(acceleration['data'], 40)}"
    if scheme["max-iterations"] is not None:
        lines[1] += f"; at most {scheme['max-iterations']} iterations"
    for measure in scheme["measures"]:
        kind = measure["kind"].removesuffix("-convergence-measure")
        lines.append(f"converged: {measure['data']} on {measure['mesh']} changes less than "
                     f"{measure['limit']:g} ({kind})")
    return lines
