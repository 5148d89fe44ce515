# SPDX-License-Identifier: BSD-3-Clause
"""Cases of OpenFOAM as text: what is set up and undone, and fields that are compared."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from isthmus.cli import main
from isthmus.errors import IsthmusError
from isthmus.openfoam import fields
from isthmus.openfoam.case import SOLVERS, Case, set_up, undo
from isthmus.openfoam.runs import BOTH, NUMERICAL, ORIGINAL, Layer, environment_of

CONTROL = "application     icoFoam;\nendTime 1;\nendTime         0.5;\n"
SOLUTION = """solvers
{
    p
    {
        solver          PCG;
        preconditioner  DIC;
    }
    pFinal { $p; relTol 0; }
    "pcorr.*" { solver PCG; }
    U { solver PBiCGStab; }
}
"""


@pytest.fixture
def case(tmp_path: Path) -> Case:
    (tmp_path / "system").mkdir()
    (tmp_path / "system/controlDict").write_text(CONTROL)
    (tmp_path / "system/fvSolution").write_text(SOLUTION)
    return Case(tmp_path)


def test_a_case_says_its_application_and_parts(case: Case) -> None:
    assert case.application == "icoFoam"
    assert case.entry("endTime") == "0.5"  # the last one counts
    assert case.entry("deltaT") is None
    assert case.ranks == 1
    for part in ("processor0", "processor1", "processor10"):
        (case.folder / part).mkdir()
    assert case.ranks == 3
    (case.folder / "processors8").mkdir()
    assert case.ranks == 8


@pytest.mark.parametrize("solver", SOLVERS)
def test_what_is_set_up_is_undone(case: Case, solver: str) -> None:
    assert set_up(case, solver) == 2
    text = case.text("system/fvSolution")
    assert text.count(f"{solver};") == 2 and "PBiCGStab;" in text
    assert 'libs ("libisthmusSolvers.so");' in case.text("system/controlDict")
    assert set_up(case, "mergedPCG") == 2  # another one takes its place
    assert case.text("system/controlDict").count("libisthmusSolvers.so") == 1
    assert undo(case) == 2
    assert case.text("system/controlDict") == CONTROL
    assert case.text("system/fvSolution") == SOLUTION
    assert undo(case) == 0


def test_what_stands_behind_a_solver_in_its_line_stays(case: Case) -> None:
    line = "p { solver PCG; preconditioner DIC; }\n"
    (case.folder / "system/fvSolution").write_text(line)
    assert set_up(case, "mergedPCG") == 1
    without_comments = re.sub(r"/\*.*?\*/|//.*", "", case.text("system/fvSolution"))
    assert without_comments.split() == ["p", "{", "solver", "mergedPCG;", "preconditioner", "DIC;", "}"]
    undo(case)
    assert case.text("system/fvSolution") == line


def test_libraries_and_later_edits_of_the_case_stay(case: Case) -> None:
    (case.folder / "system/controlDict").write_text(CONTROL + 'libs ( "libOther.so" );\n')
    set_up(case, "PiPePCG")
    assert 'libs ("libisthmusSolvers.so" /* isthmus */  "libOther.so" );' in case.text("system/controlDict")
    edited = case.text("system/fvSolution").replace("DIC", "FDIC")
    (case.folder / "system/fvSolution").write_text(edited)
    undo(case)
    assert case.text("system/controlDict") == CONTROL + 'libs ( "libOther.so" );\n'
    assert case.text("system/fvSolution") == SOLUTION.replace("DIC", "FDIC")


@pytest.mark.parametrize("control", [
    "application interFoam;\n// the last line has no end",
    "application interFoam;\r\nendTime 1;\r\n",
    "/* libs (a); */ application interFoam ;\nfunctions { f { libs (fieldFunctionObjects); } }\n",
    "application interFoam;\n// \xe4 in Latin-1\nlibs\n(\n    \"libOther.so\"\n);\n",
])
def test_all_layers_are_undone_byte_by_byte(case: Case, control: str) -> None:
    solution = (SOLUTION + "/* solver PCG; */ // solver PCG;\nk { solver smoothSolver ; }\r\n"
                "\"(pa|pb)\" { solver PCG /* why */ ; }\n").encode("latin-1")
    (case.folder / "system/controlDict").write_bytes(control.encode("latin-1"))
    (case.folder / "system/fvSolution").write_bytes(solution)
    assert set_up(case, "predictedPCG", asymmetric=True, smoothers=True) == 4
    text = case.text("system/fvSolution")
    assert text.count("pipelinedSmoothSolver;") == 1 and text.count("mergedPBiCGStab;") == 1
    assert set_up(case, "predictedPCG", asymmetric=True, limiter=True) == 4
    assert case.application == "isthmusInterFoam"
    text = case.text("system/fvSolution")
    assert "pipelinedSmoothSolver" not in text
    assert text.count("predictedPCG;") == 2 and text.count("mergedPBiCGStab;") == 2
    assert "/* solver PCG; */ // solver PCG;" in text  # comments stay whole
    without_comments = re.sub(r"/\*.*?\*/|//[^\n]*", "", case.text("system/controlDict"), flags=re.DOTALL)
    libraries = re.findall(r"^libs\s*\(([^)]*)\)", without_comments, re.MULTILINE)
    assert len(libraries) == 1 and '"libisthmusSolvers.so"' in libraries[0], without_comments
    assert undo(case) == 5
    assert (case.folder / "system/controlDict").read_bytes() == control.encode("latin-1")
    assert (case.folder / "system/fvSolution").read_bytes() == solution


def test_layers_are_named_alone_and_together(case: Case) -> None:
    layer = Layer.of("supporting+schemes")
    assert layer.preloaded == ["libPstream.so", "libisthmusSchemes.so"] and not layer.solvers
    assert Layer.of("both") == replace(BOTH) and BOTH.pstream and BOTH.solvers
    assert Layer.of("original").preloaded == []
    with pytest.raises(IsthmusError, match="there is no layer multigrid; take supporting, numerical, "):
        Layer.of("both+multigrid")
    with pytest.raises(IsthmusError, match="no program with our limiter for icoFoam, only for interFoam and"):
        Layer.of("limiter").set_up(case, "mergedPCG")
    everything = Layer.of("all")
    assert everything.limiter and not everything.fitting(case).limiter
    assert everything.fitting(case).set_up(case, "mergedPCG") == 3
    undo(case)
    close = Layer.of("close").fitting(case)
    assert close.smoothers and not close.asymmetric and not close.limiter
    assert close.set_up(case, "PiPePCG") == 2
    undo(case)
    assert Layer.of("smoothers+limiter").fitting(case).limiter  # which then is refused
    with pytest.raises(IsthmusError, match="names PCG nowhere, nor smoothSolver, so there is no"):
        Layer.of("smoothers").set_up(case, "mergedPCG")
    (case.folder / "system/fvSolution").write_text(SOLUTION.replace("PCG;", "GAMG;"))
    assert Layer.of("asymmetric").set_up(case, "mergedPCG") == 1
    with pytest.raises(IsthmusError, match="names PCG nowhere, so there is no solver to replace"):
        Layer.of("both").set_up(case, "mergedPCG")
    assert case.text("system/controlDict") == CONTROL


def test_without_a_solver_to_replace_nothing_changes(case: Case) -> None:
    (case.folder / "system/fvSolution").write_text(SOLUTION.replace("PCG;", "GAMG;"))
    assert set_up(case, "PiPePCG") == 0
    assert case.text("system/controlDict") == CONTROL


def test_a_run_finds_the_solvers_that_its_layer_names_and_no_other_library_of_ours(
        case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/theirs")
    assert environment_of(ORIGINAL, case.folder, tmp_path)["LD_LIBRARY_PATH"] == "/theirs"
    for _ in range(2):  # of one folder
        alone, theirs = environment_of(NUMERICAL, case.folder, tmp_path)["LD_LIBRARY_PATH"].split(":")
        [link] = Path(alone).iterdir()
        assert link.readlink() == tmp_path / "libisthmusSolvers.so" and theirs == "/theirs"


def test_a_folder_that_is_no_case_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["openfoam", str(tmp_path)]) == 2
    error = capsys.readouterr().err.replace("\n", " ")
    assert "there is no system/controlDict; give the folder of a case" in error
    (tmp_path / "system").mkdir()
    (tmp_path / "system/controlDict.gz").touch()
    with pytest.raises(IsthmusError, match=r"type gunzip .*controlDict\.gz"):
        Case(tmp_path)
    (tmp_path / "system/controlDict").write_text("endTime 1;")
    (tmp_path / "system/fvSolution").touch()
    with pytest.raises(IsthmusError, match="add a line as `application interFoam;`"):
        _ = Case(tmp_path).application


def write_field(folder: Path, *values: float) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    numbers = "\n".join(map(str, values))
    (folder / "p").write_text("version 2.0;\ninternalField nonuniform List<scalar>\n"
                              f"{len(values)}\n(\n{numbers}\n)\n")


def test_fields_are_compared_at_the_last_time_of_both(tmp_path: Path) -> None:
    for name, value in (("a", 2.0), ("b", 2.5)):
        for part in ("processor0", "processor1"):
            write_field(tmp_path / name / part / "0", 7.0)
            write_field(tmp_path / name / part / "0.5", 1.0, -5.0, value if part == "processor1" else 2.0)
            write_field(tmp_path / name / part / "0.5/uniform", value)
    same = fields.compare(tmp_path / "a", tmp_path / "a")
    assert same is not None and (same.time, same.files, same.equal, same.largest) == ("0.5", 2, 2, 0)
    far = fields.compare(tmp_path / "a", tmp_path / "b")
    assert far is not None and (far.files, far.equal, far.where) == (2, 1, "processor1/0.5/p")
    assert far.largest == pytest.approx(0.1)
    write_field(tmp_path / "b/processor0/0.5", 1.0)
    shorter = fields.compare(tmp_path / "a", tmp_path / "b")
    assert shorter is not None and shorter.largest == float("inf")


def test_one_value_stands_for_a_list_of_equal_ones(tmp_path: Path) -> None:
    lists = {"a": "internalField uniform 0;\nvalue nonuniform List<vector> 2((1 0 0) (1 0 0));\n",
             "b": "internalField nonuniform List<scalar> 3(0 1e-9 0);\nvalue uniform (1 0 0);\n"}
    for name, text in lists.items():
        (tmp_path / name / "processor0/1").mkdir(parents=True)
        (tmp_path / name / "processor0/1/p").write_text("FoamFile { version 2.0; }\n" + text)
        write_field(tmp_path / name / "processor1/1", -4.0)  # the scale of both parts
    far = fields.compare(tmp_path / "a", tmp_path / "b")
    assert far is not None and far.largest == pytest.approx(2.5e-10) and far.where == "processor0/1/p"


def test_values_that_are_no_numbers_are_far(tmp_path: Path) -> None:
    for name, value in (("a", 1.0), ("b", float("nan"))):
        write_field(tmp_path / name / "processor0/1", 1.0, value)
    far = fields.compare(tmp_path / "a", tmp_path / "b")
    assert far is not None and far.largest == float("inf")


def test_sizes_of_parts_in_a_file_of_all_ranks_are_no_values(tmp_path: Path) -> None:
    for name, value in (("a", "1e-3"), ("b", "1.0e-3")):
        block = f"internalField nonuniform List<scalar> 2({value} 2);\n"
        text = "".join(f"\n// Processor{part}\n\n{len(block)}\n({block})\n" for part in range(2))
        (tmp_path / name / "processors2/1").mkdir(parents=True)
        (tmp_path / name / "processors2/1/p").write_text("FoamFile { class decomposedBlockData; }\n" + text)
    far = fields.compare(tmp_path / "a", tmp_path / "b")
    assert far is not None and (far.files, far.equal, far.largest) == (1, 1, 0)


def test_without_a_later_time_there_is_nothing_to_compare(tmp_path: Path) -> None:
    write_field(tmp_path / "a/0", 1.0)
    assert fields.last_time(tmp_path / "a") is None
    assert fields.compare(tmp_path / "a", tmp_path / "a") is None


def test_parts_that_disagree_on_their_patch_are_named(case: Case) -> None:
    for part, other, faces in ((0, 1, 20), (1, 0, 20)):
        mesh = case.folder / f"processor{part}/constant/polyMesh"
        mesh.mkdir(parents=True)
        (mesh / "boundary").write_text(f"walls {{ type wall; nFaces 7; }}\nprocBoundary{part}to{other}\n"
                                       f"{{\n type processor;\n nFaces {faces};\n startFace 3;\n}}\n")
    case.check_patches()
    text = (mesh / "boundary").read_text()
    (mesh / "boundary").write_text(text.replace("20", "19"))
    with pytest.raises(IsthmusError, match=r"20 faces to processor1, which has 19 .* decomposePar -force"):
        case.check_patches()
    (mesh / "boundary").write_text("walls { type wall; nFaces 7; }")
    with pytest.raises(IsthmusError, match="which has 0 to processor0; type decomposePar"):
        case.check_patches()
