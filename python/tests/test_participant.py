# SPDX-License-Identifier: BSD-3-Clause
"""The coupler for Python solvers: two participants in two threads of one process, in processes of their own,
and in one MPI job."""

import os
import pydoc
import re
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import PATIENCE, native

from isthmus.programs import mpi_environment, mpi_launcher

isthmus = native("participant")

CONFIG = """\
<precice-configuration>
  <data:vector name="Force" /><data:scalar name="Heat" />
  <mesh name="A-Mesh" dimensions="2"><use-data name="Force" /><use-data name="Heat" /></mesh>
  <mesh name="B-Mesh" dimensions="2"><use-data name="Force" /><use-data name="Heat" /></mesh>
  <participant name="A">
    <provide-mesh name="A-Mesh" />
    <write-data name="Force" mesh="A-Mesh" /><read-data name="Heat" mesh="A-Mesh" />
  </participant>
  <participant name="B">
    <provide-mesh name="B-Mesh" /><receive-mesh name="A-Mesh" from="A" api-access="true" />
    <read-data name="Force" mesh="B-Mesh" /><write-data name="Heat" mesh="B-Mesh" />
    <mapping:nearest-neighbor direction="read" from="A-Mesh" to="B-Mesh" constraint="consistent" />
    <mapping:nearest-neighbor direction="write" from="B-Mesh" to="A-Mesh" constraint="consistent"
                              parallel="true" />
  </participant>
  <m2n:sockets acceptor="A" connector="B" />
  <coupling-scheme:parallel-explicit>
    <participants first="A" second="B" />
    <time-window-size value="0.5" /><max-time-windows value="3" />
    <exchange data="Force" mesh="A-Mesh" from="A" to="B" />
    <exchange data="Heat" mesh="A-Mesh" from="B" to="A" initialize="yes" />
  </coupling-scheme:parallel-explicit>
</precice-configuration>
"""
POINTS = np.stack(np.meshgrid(np.arange(4.0), np.arange(3.0)), -1).reshape(-1, 2)


@pytest.fixture
def case(tmp_path, monkeypatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ISTHMUS_TIMEOUT", str(PATIENCE))
    Path("config.xml").write_text(CONFIG)
    return "config.xml"


def together(*solvers) -> list[BaseException | None]:
    """Runs functions in threads of their own; what each raised."""
    raised: list[BaseException | None] = [None] * len(solvers)

    def run(number: int) -> None:
        try:
            solvers[number]()
        except BaseException as error:
            raised[number] = error

    threads = [threading.Thread(target=run, args=(n,), daemon=True) for n in range(len(solvers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    return raised


def test_help_shows_the_calls_of_all_parts():
    shown = pydoc.render_doc(isthmus.Participant, renderer=pydoc.plaintext)
    for call in ("advance", "set_mesh_vertices", "get_mesh_dimensions", "read_data", "map_and_read_data"):
        assert f" {call}(self, " in shown


def force(window: int) -> np.ndarray:
    return np.stack([POINTS[:, 0] + window, 10 * POINTS[:, 1]], -1)


def solver_a(config: str, heard: list) -> None:
    with isthmus.Participant("A", Path(config)) as a:
        ids = a.set_mesh_vertices("A-Mesh", POINTS)
        a.initialize()
        window = 0
        into = np.empty(len(ids))
        while a.is_coupling_ongoing():
            assert a.read_data("A-Mesh", "Heat", ids, 0, out=into) is into
            heard.append(into.copy())
            a.write_data("A-Mesh", "Force", ids, force(window))
            a.advance(a.get_max_time_step_size())
            window += 1


def solver_b(config: str, heard: list) -> None:
    with isthmus.Participant("B", config) as b:
        assert b.get_mesh_dimensions("B-Mesh") == b.get_data_dimensions("B-Mesh", "Force") == 2
        ids = np.append(b.set_mesh_vertices("B-Mesh", POINTS[::-1].tolist()),
                        b.set_mesh_vertex("B-Mesh", (9, 9)))
        assert b.get_mesh_vertex_size("B-Mesh") == len(ids) == 13
        assert b.requires_initial_data()
        b.write_data("B-Mesh", "Heat", ids, [7] * 13)
        b.initialize()
        there, points = b.get_mesh_vertex_ids_and_coordinates("A-Mesh")
        assert len(there) == 12 and np.array_equal(points, POINTS)
        while b.is_coupling_ongoing():
            heard.append(b.read_data("B-Mesh", "Force", ids, 0.0))
            b.write_data("B-Mesh", "Heat", ids, np.arange(13.0))
            b.advance(0.5)
        assert b.get_statistics()["partners"] == {"A": 1}


def solver_b_alone(config: str) -> None:
    with isthmus.Participant("B", config) as b:
        ids = b.set_mesh_vertices("B-Mesh", POINTS)
        b.write_data("B-Mesh", "Heat", ids, np.zeros(len(ids)))
        b.requires_initial_data()
        b.initialize()
        while b.is_coupling_ongoing():
            b.advance(0.5)


def partner(script: str, **variables: str) -> subprocess.Popen:
    """A Python process that runs the script, with these environment variables."""
    path = str(Path(isthmus.__file__).parents[1])
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "PYTHONPATH": path, **variables})


def test_version_begins_with_that_of_the_interface():
    version = isthmus.get_version_information()
    assert re.fullmatch(r"3\.4\.1;no-info \[Isthmus [0-9.]+\];"
                        "PRECICE_FEATURE_MPI_COMMUNICATION=Y;PRECICE_FEATURE_PETSC_MAPPING=Y;"
                        "PRECICE_FEATURE_GINKGO_MAPPING=N;PRECICE_FEATURE_PYTHON_ACTIONS=Y;"
                        "PRECICE_BINDINGS_C=Y;PRECICE_BINDINGS_FORTRAN=Y;"
                        "CXX=(GNU|Clang);CXXFLAGS=;LDFLAGS=", version)


def test_two_participants_in_one_process(case):
    to_a, to_b = [], []
    for error in together(lambda: solver_a(case, to_a), lambda: solver_b(case, to_b)):
        if error:
            raise error
    assert np.array_equal(to_a, [np.full(12, 7), *[np.arange(11.0, -1, -1)] * 2])
    assert [values.shape for values in to_b] == [(13, 2)] * 3
    for window in (1, 2):
        assert np.array_equal(to_b[window][:12], force(window - 1)[::-1])
        assert np.array_equal(to_b[window][12], force(window - 1)[-1])


def test_an_exception_of_one_solver_reaches_the_other(case):
    def failing() -> None:
        with isthmus.Participant("A", case) as a:
            a.set_mesh_vertices("A-Mesh", POINTS)
            a.initialize()
            raise ZeroDivisionError("the pressure diverged")

    raised = together(failing, lambda: solver_b(case, []))
    assert isinstance(raised[0], ZeroDivisionError)
    assert isinstance(raised[1], isthmus.Error)
    assert 'participant "A"' in str(raised[1])
    assert "ZeroDivisionError: the pressure diverged" in str(raised[1])


def test_an_exception_that_ends_a_script_reaches_the_other(case):
    script = """
        import isthmus
        a = isthmus.Participant("A", "config.xml")
        a.set_mesh_vertices("A-Mesh", [[0, 0], [1, 1]])
        a.initialize()
        raise RuntimeError("out of fuel")
    """
    job = partner(script)
    with pytest.raises(isthmus.Error, match="RuntimeError: out of fuel"):
        solver_b_alone(case)
    assert "out of fuel" in job.communicate(timeout=PATIENCE)[1]
    assert job.returncode == 1


def test_a_process_that_is_forked_off_ends_nothing(case):
    job = partner("""
        import os, sys
        import isthmus
        a = isthmus.Participant("A", "config.xml")
        ids = a.set_mesh_vertices("A-Mesh", [[0, 0], [1, 1]])
        a.initialize()
        child = os.fork()
        if child == 0:
            sys.exit(0)
        os.waitpid(child, 0)
        while a.is_coupling_ongoing():
            a.advance(a.get_max_time_step_size())
        a.finalize()
    """)
    solver_b_alone(case)
    assert job.communicate(timeout=PATIENCE)[1].count("ERROR") == 0
    assert job.returncode == 0


def test_what_refuses_a_constructor_reaches_the_other(case):
    job = partner('import isthmus; isthmus.Participant("A", "config.xml")', ISTHMUS_THREADS="many")
    with pytest.raises(isthmus.Error, match="ISTHMUS_THREADS"):
        solver_b_alone(case)
    assert "ISTHMUS_THREADS" in job.communicate(timeout=PATIENCE)[1]


def test_wrong_arrays_are_refused_with_names(case):
    a = isthmus.Participant("A", case)
    with pytest.raises(isthmus.Error, match='rows of 3 coordinates for mesh "A-Mesh", which has 2'):
        a.set_mesh_vertices("A-Mesh", np.zeros((4, 3)))
    ids = a.set_mesh_vertices("A-Mesh", np.zeros((4, 2)))
    with pytest.raises(isthmus.Error, match='data "Force"'):
        a.write_data("A-Mesh", "Force", ids, np.zeros(3))
    with pytest.raises(isthmus.Error, match="Heat"):
        a.read_data("A-Mesh", "Heat", ids, 0, out=np.zeros(4, np.float32))
    with pytest.raises(isthmus.Error, match="No-Mesh"):
        a.set_mesh_vertices("No-Mesh", np.zeros((4, 2)))
    with pytest.raises(isthmus.Error, match="must be one of mpi4py"):
        isthmus.Participant("A", case, 0, 1, object())


def test_what_ends_the_constructor_is_on_the_console(capfd):
    with pytest.raises(isthmus.Error, match="cannot be opened") as ended:
        isthmus.Participant("A", "nowhere.xml")
    assert f"A:0 ERROR: {ended.value}\n" in capfd.readouterr().out


def test_errors_name_the_methods_of_this_class(case):
    a = isthmus.Participant("A", case)
    for name, arguments in (
            ("get_mesh_dimensions", ["No-Mesh"]), ("get_data_dimensions", ["No-Mesh", "Heat"]),
            ("get_mesh_vertex_size", ["No-Mesh"]), ("requires_mesh_connectivity_for", ["No-Mesh"]),
            ("requires_gradient_data_for", ["No-Mesh", "Heat"]), ("set_mesh_edges", ["No-Mesh", [0, 1]]),
            ("set_mesh_triangles", ["No-Mesh", [0, 1, 2]]), ("set_mesh_quads", ["No-Mesh", [0, 1, 2, 3]]),
            ("set_mesh_tetrahedra", ["No-Mesh", [0, 1, 2, 3]]),
            ("set_mesh_access_region", ["No-Mesh", [0, 1]]),
            ("reset_mesh", ["A-Mesh"]), ("save_restart", []), ("get_max_time_step_size", []),
            ("is_coupling_ongoing", []), ("is_time_window_complete", []),
            ("requires_writing_checkpoint", []), ("requires_reading_checkpoint", []),
            ("write_data", ["No-Mesh", "Force", [], []]), ("stop_last_profiling_section", [])):
        with pytest.raises(isthmus.Error, match=rf"^{name}\(\)"):
            getattr(a, name)(*arguments)
    a.give_up("enough")


@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_communicators_of_mpi4py(case, ranks):
    """Participant A on the first half of one MPI job, B on the rest."""
    pytest.importorskip("mpi4py")
    script = textwrap.dedent("""
        import numpy as np
        from mpi4py import MPI
        import isthmus
        world = MPI.COMM_WORLD
        in_a = world.rank < world.size // 2
        comm = world.Split(in_a, world.rank)
        name = "A" if in_a else "B"
        mesh = name + "-Mesh"
        points = np.stack([np.arange(6.0), np.zeros(6)], -1)[comm.rank::comm.size]
        with isthmus.Participant(name, "config.xml", communicator=comm) as it:
            ids = it.set_mesh_vertices(mesh, points)
            if it.requires_initial_data():
                it.write_data(mesh, "Heat", ids, points[:, 0])
            it.initialize()
            while it.is_coupling_ongoing():
                if in_a:
                    assert np.array_equal(it.read_data(mesh, "Heat", ids, 0), points[:, 0])
                    it.write_data(mesh, "Force", ids, 2 * points)
                else:
                    it.write_data(mesh, "Heat", ids, points[:, 0])
                it.advance(0.5)
            if not in_a:
                assert np.array_equal(it.read_data(mesh, "Force", ids, 0), 2 * points)
        print("finished", comm.rank, comm.size, name)
    """)
    path = str(Path(isthmus.__file__).parents[1])
    job = subprocess.run([*mpi_launcher(), "-n", str(ranks), sys.executable, "-c", script], check=False,
                         capture_output=True, text=True, timeout=PATIENCE,
                         env={**os.environ, **mpi_environment(), "PYTHONPATH": path})
    assert job.returncode == 0, job.stderr
    assert job.stdout.count("finished") == ranks, job.stdout
