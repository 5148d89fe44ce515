# SPDX-License-Identifier: BSD-3-Clause
"""A gate of rubber, clamped at its upper end, bent by the water: beam.py CONFIGURATION [CSV [MODULUS]]

A chain of segments that keep their length and turn against springs: bending of any size, no stretch. Steps in
time are those of BDF2; each is the minimum of a potential in the angles of the segments, found by Newton.
Vertices are on both faces. Writes time, and how far the free end is off its place. The modulus is that in
plane strain, in Pa; by default that of Antoci et al. (2007), 12 MPa and Poisson's number 0.4."""

import sys
from dataclasses import dataclass

import numpy as np


@dataclass
class Strip:
    """Of one material: m, Pa and kg/m³."""

    length: float = 1.0
    thickness: float = 0.1
    modulus: float = 1.0
    density: float = 1.0


class Beam:
    """A strip that hangs down from `top`; angles count from there towards positive x."""

    def __init__(self, strip, top=(0.0, 0.0), segments=32):
        self.top, self.thickness, self.piece = np.array(top), strip.thickness, strip.length / segments
        self.spring = np.full(segments, strip.modulus * strip.thickness**3 / 12 / self.piece)
        self.spring[0] *= 2  # half a segment from the clamp
        self.mass = np.full(segments, strip.density * strip.thickness * self.piece)
        self.mass[-1] /= 2
        self.angles = np.zeros(segments)
        start = self.nodes(self.angles)
        self.places, self.speeds = [start, start], [np.zeros_like(start)] * 2

    def nodes(self, angles):
        """Below the clamp, (segments, 2)."""
        return self.top + self.piece * np.cumsum(np.stack([np.sin(angles), -np.cos(angles)], 1), 0)

    def bent(self, forces, step):
        """The angles at the end of a step, with these forces on the nodes; no step: at rest."""
        stiff = 9 / (4 * step**2) * self.mass if step else 0 * self.mass
        (before, now), (slow, speed) = self.places, self.speeds
        free = (4 * now - before) / 3 + 2 * (step or 0) / 3 * (4 * speed - slow) / 3
        below = np.tri(len(stiff)).T  # of each segment: the nodes that it carries
        angles = self.angles.copy()
        for _ in range(50):
            along = self.piece * np.stack([np.sin(angles), -np.cos(angles)], 1)
            turned = self.piece * np.stack([np.cos(angles), np.sin(angles)], 1)
            pull = below @ (stiff[:, None] * (self.nodes(angles) - free) - forces)
            bend = self.spring * np.diff(angles, prepend=0)
            slope = (turned * pull).sum(1) + bend - np.append(bend[1:], 0)
            heavy = np.minimum.outer(below @ stiff, below @ stiff)  # what both carry
            matrix = heavy * (turned @ turned.T) + np.diag(self.spring + np.append(self.spring[1:], 0)
                                                           - (along * pull).sum(1))
            matrix -= np.diag(self.spring[1:], 1) + np.diag(self.spring[1:], -1)
            change = np.linalg.solve(matrix, -slope)
            angles += change * min(1, 0.3 / max(abs(change).max(), 1e-300))
            if abs(change).max() < 1e-12:
                return angles
        raise RuntimeError("the beam has no place to rest: the forces are too large for the step")

    def move(self, angles, step):
        """The step ends with these angles."""
        (before, now), speed = self.places, self.speeds[-1]
        there = self.nodes(angles)
        self.angles, self.places = angles, [now, there]
        self.speeds = [speed, (3 * there - 4 * now + before) / (2 * step)]

    def faces(self, angles):
        """Places on both faces beside the nodes, the clamp included: (2, segments + 1, 2)."""
        middle = np.vstack([self.top, self.nodes(angles)])
        turn = np.concatenate([[0], (angles[1:] + angles[:-1]) / 2, angles[-1:]])
        aside = self.thickness / 2 * np.stack([np.cos(turn), np.sin(turn)], 1)
        return np.stack([middle - aside, middle + aside])


def main():
    import isthmus

    modulus = float(sys.argv[3]) if len(sys.argv) > 3 else 12e6 / (1 - 0.4**2)
    beam = Beam(Strip(0.079, 0.005, modulus, density=1100), top=(0.1025, 0.079))
    home = beam.faces(beam.angles)
    time, rows = 0.0, []
    with isthmus.Participant("Gate", sys.argv[1]) as participant:
        ids = participant.set_mesh_vertices("Gate-Mesh", home.reshape(-1, 2))
        participant.requires_initial_data()
        participant.initialize()
        while participant.is_coupling_ongoing():
            participant.requires_writing_checkpoint()
            step = participant.get_max_time_step_size()
            forces = participant.read_data("Gate-Mesh", "Force", ids, step).reshape(home.shape).sum(0)
            angles = beam.bent(forces[1:], step)
            moved = (beam.faces(angles) - home).reshape(-1, 2)
            participant.write_data("Gate-Mesh", "Displacement", ids, moved)
            participant.advance(step)
            if not participant.requires_reading_checkpoint():
                time += step
                beam.move(angles, step)
                rows.append((time, *(beam.places[1][-1] - beam.nodes(0 * angles)[-1])))
    if len(sys.argv) > 2:
        np.savetxt(sys.argv[2], rows, delimiter=",", header="time,x,y", comments="")
    far = max(rows, key=lambda row: row[1])
    print(f"Gate: free end furthest after {far[0]:.4f} s, {far[1]:.5f} aside and {far[2]:.5f} up; "
          f"at the end {rows[-1][1]:.15e} {rows[-1][2]:.15e}")


if __name__ == "__main__":
    main()
