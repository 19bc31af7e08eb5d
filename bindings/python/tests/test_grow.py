"""Dungeons are those of the command line, square by square."""

import csv
import io
import pickle

import numpy as np
import pyarrow.compute as pc
import pytest
from conftest import PRESETS

import wallcrawler as wc

TILES = ["open", "guaranteed", "wall", "high_wall", "column"]


def of_program(run, preset: str, seed: int, *args) -> dict[str, np.ndarray]:
    """Returns the arrays of a dungeon from the table that the program exports."""
    text = run("export", "--preset", preset, "--seed", seed, "--as", "csv", "--to", "-", *args).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    shape = int(rows[-1]["x"]) + 1, int(rows[-1]["y"]) + 1

    def array(name, missing, dtype):
        return np.array([int(row[name] or missing) for row in rows], dtype=dtype).reshape(shape)

    return {
        "tiles": np.array([TILES.index(row["tile"]) for row in rows], dtype=np.uint8).reshape(shape),
        "generations": array("generation", -1, np.int16),
        "turn_laid": array("turn", 0, np.uint32),
        "builders": array("builder", -1, np.int32),
        "steps": array("steps", -1, np.int32),
    }


@pytest.mark.parametrize("preset", PRESETS)
def test_every_square_is_that_of_the_program(run, preset):
    design = wc.Design.preset(preset)
    seeds = [0, 7, 2**64 - 1]
    batch = wc.grow(design, seeds)
    assert batch.tiles.shape == (3, design.rows, design.columns)
    assert batch.seeds.tolist() == seeds
    for index, seed in enumerate(seeds):
        expected = of_program(run, preset, seed)
        dungeon = design.grow(seed)
        for name, array in expected.items():
            one = getattr(dungeon, name)
            assert one.dtype == array.dtype
            np.testing.assert_array_equal(one, array, err_msg=name)
            if name != "builders":
                many = getattr(batch, name)
                assert many.dtype == array.dtype
                np.testing.assert_array_equal(many[index], array, err_msg=name)
        assert (dungeon.generations >= 0).sum() > 100


def test_an_earlier_turn_is_that_of_the_program(run):
    dungeon = wc.Design.preset("keep").grow(5).at(300)
    for name, array in of_program(run, "keep", 5, "--turn", "300").items():
        np.testing.assert_array_equal(getattr(dungeon, name), array, err_msg=name)
    assert (dungeon.turn, dungeon.turns) == (300, dungeon.at(10**9).turn)
    assert dungeon.at(0).turn_laid.max() == 0


def test_only_the_arrays_that_are_named_are_made():
    design = wc.Design.preset("keep")
    whole = wc.grow(design, range(8))
    part = wc.grow(design, range(8), arrays=["turn_laid", "steps"])
    assert part.tiles is None and part.generations is None
    np.testing.assert_array_equal(part.turn_laid, whole.turn_laid)
    np.testing.assert_array_equal(part.steps, whole.steps)
    tiles = wc.grow(design, range(8), arrays="tiles")
    assert tiles.turn_laid is None
    np.testing.assert_array_equal(tiles.tiles, whole.tiles)
    with pytest.raises(ValueError, match="unknown array `tile`"):
        wc.grow(design, [1], arrays=["tile"])


def test_batches_are_all_dungeons_in_parts():
    design = wc.Design.preset("pilgrimage")
    parts = list(wc.grow_batches(design, range(10), size=4, threads=3, arrays=["tiles"]))
    assert [len(part.seeds) for part in parts] == [4, 4, 2]
    whole = wc.grow(design, range(10), threads=1)
    np.testing.assert_array_equal(np.concatenate([part.tiles for part in parts]), whole.tiles)
    with pytest.raises(ValueError, match="size"):
        wc.grow_batches(design, range(10), size=0).__next__()


def test_seeds_may_come_in_any_form():
    design = wc.Design.preset("keep")
    expected = wc.grow(design, [1, 2, 3]).tiles
    for seeds in (range(1, 4), (1, 2, 3), np.arange(1, 4, dtype=np.uint64), np.arange(1, 4), iter([1, 2, 3])):
        np.testing.assert_array_equal(wc.grow(design, seeds).tiles, expected)
    assert wc.grow(design, []).tiles.shape == (0, design.rows, design.columns)


@pytest.mark.parametrize(("rows", "columns"), [(2 * 10**9, 2 * 10**9), (5, -40)])
def test_a_size_out_of_range_is_an_error_of_the_design(rows, columns):
    design = wc.Design(f"format = 1\n[layout]\ndim_x = {rows}\ndim_y = {columns}\n")
    for seeds in ([], [1]):
        with pytest.raises(wc.DesignError, match="dimX"):
            wc.grow(design, seeds)


def test_arrays_that_do_not_fit_into_memory_are_refused():
    design = wc.Design.preset("keep").change("dimX, dimY -> 32767")
    with pytest.raises(MemoryError, match="grow_batches"):
        wc.grow(design, range(10**6))


@pytest.mark.parametrize("count", [10**14, 2**62, 2**64])
def test_seeds_that_do_not_fit_into_memory_are_refused(count):
    design = wc.Design.preset("first-steps")
    for work in (wc.grow, wc.survey):
        with pytest.raises(MemoryError, match="grow_batches or survey_batches"):
            work(design, range(count))
    part = next(wc.grow_batches(design, range(count), size=2, arrays="tiles"))
    assert part.seeds.tolist() == [0, 1]
    batch = wc.survey_batches(design, range(count), metrics="path", size=3).read_next_batch()
    assert batch["seed"].to_pylist() == [0, 1, 2]


def test_metrics_and_anomalies_are_those_of_a_survey():
    for preset in ("keep", "pilgrimage"):
        design = wc.Design.preset(preset)
        row = wc.survey(design, [9]).to_pylist()[0]
        dungeon = design.grow(9)
        first, last = ("seed", "design", "version", "seed_catalog"), "anomalies"
        assert dungeon.metrics == {name: row[name] for name in row if name not in (*first, last)}
        assert " ".join(dungeon.anomalies) == row[last]


def test_the_path_leads_from_the_entrance_to_the_exit():
    dungeon = wc.Design.preset("keep").grow(5)
    path = dungeon.path
    assert tuple(path[0]) == dungeon.entrance and tuple(path[-1]) == dungeon.exit
    assert dungeon.steps[tuple(path.T)].tolist() == list(range(len(path)))
    assert len(path) - 1 == dungeon.metrics["path"]
    assert (abs(np.diff(path, axis=0)).sum(axis=1) == 1).all()


def test_a_dungeon_survives_pickling_and_its_recording(run, tmp_path):
    dungeon = wc.Design.preset("pilgrimage").grow(7)
    for copy in (pickle.loads(pickle.dumps(dungeon)), wc.Dungeon.from_recording(dungeon.export("recording"))):
        np.testing.assert_array_equal(copy.turn_laid, dungeon.turn_laid)
        assert copy.events().equals(dungeon.events())
        assert str(copy) == str(dungeon)
    assert pickle.loads(pickle.dumps(dungeon.at(10))).turn == 10
    path = tmp_path / "a.wcr"
    run("export", "--preset", "pilgrimage", "--seed", 7, "--to", path)
    np.testing.assert_array_equal(wc.Dungeon.read(path).steps, dungeon.steps)
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ValueError, match="a.wcr: the recording ends early"):
        wc.Dungeon.read(path)
    with pytest.raises(FileNotFoundError, match="none.wcr"):
        wc.Dungeon.read(tmp_path / "none.wcr")


@pytest.mark.parametrize(
    ("kind", "options", "arguments"),
    [
        ("text", {}, []),
        ("digits", {"generations": False}, ["--no-generations"]),
        ("json", {}, []),
        ("png", {"by": "age", "scale": 3, "legend": True}, ["--by", "age", "--scale", "3", "--legend"]),
        ("svg", {"on": "print", "grid": 5}, ["--on", "print", "--grid=5"]),
        ("svg", {"marks": "all"}, ["--marks", "all"]),
        ("pdf", {"paper": "a3", "square": "4mm"}, ["--paper", "a3", "--square", "4mm"]),
        ("gif", {"seconds": 3}, ["--seconds", "3"]),
        ("gif", {"follow": 1}, ["--follow", "1"]),
        ("gif", {"moments": "0,300:2,end:1"}, ["--moments", "0,300:2,end:1"]),
        ("uvtt", {"open_doors": True}, ["--open-doors"]),
    ],
)
def test_exports_are_those_of_the_program(run, kind, options, arguments):
    expected = run("export", "--preset", "keep", "--seed", 5, "--as", kind, "--to", "-", *arguments)
    exported = wc.Design.preset("keep").grow(5).export(kind, **options)
    if kind == "json":
        # The program also names the files that the design was read from.
        without = [line for line in expected.splitlines() if b'"sources"' not in line]
        assert without == [line for line in exported.splitlines() if b'"sources"' not in line]
    else:
        assert exported == expected


def test_files_are_written_with_their_companions(tmp_path):
    dungeon = wc.Design.preset("keep").grow(5)
    dungeon.save(tmp_path / "keep.tmx")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["keep.tiles.png", "keep.tmx"]
    dungeon.save(tmp_path / "keep", kind="svg")
    assert (tmp_path / "keep").read_bytes() == dungeon.export("svg")
    with pytest.raises(ValueError, match="cannot infer the format"):
        dungeon.save(tmp_path / "keep.xyz")
    with pytest.raises(FileNotFoundError, match="no-folder"):
        dungeon.save(tmp_path / "no-folder" / "keep.png")


def test_options_without_an_effect_are_refused():
    dungeon = wc.Design.preset("keep").grow(5)
    with pytest.raises(ValueError, match="scale has no effect on csv; it applies to png"):
        dungeon.export("csv", scale=3)
    with pytest.raises(ValueError, match="unknown option `size`"):
        dungeon.export("png", size=3)
    with pytest.raises(ValueError, match="unknown value `old`; use one of generation, age"):
        dungeon.export("png", by="old")
    for scale in (0, -1, 2**40):
        with pytest.raises(ValueError, match="scale must be from 1 to 4096"):
            dungeon.export("png", scale=scale)
    with pytest.raises(TypeError):
        dungeon.export("png", scale="2")
    with pytest.raises(ValueError, match="too small to print; use at least 0.1mm"):
        dungeon.export("pdf", square="0mm")
    with pytest.raises(ValueError, match="follow must be from 1"):
        dungeon.export("gif", follow=0)
    with pytest.raises(ValueError, match="Builder #999,999 was never born"):
        dungeon.export("gif", follow=999999)
    with pytest.raises(ValueError, match="`300` has no number of seconds"):
        dungeon.export("gif", moments="0,300")
    with pytest.raises(ValueError, match="seconds cannot be used with moments"):
        dungeon.export("gif", moments="0,end:3", seconds=3)
    with pytest.raises(ValueError, match="moments has no effect on png; it applies to gif"):
        dungeon.export("png", moments="0,end:3")
    with pytest.raises(ValueError, match="unknown kind of export `jpeg`"):
        dungeon.export("jpeg")


def test_notebooks_show_a_picture():
    dungeon = wc.Design.preset("keep").grow(5)
    assert dungeon._repr_png_() == dungeon.export("png")
    assert dungeon._repr_png_().startswith(b"\x89PNG")
    assert len(str(dungeon).splitlines()) == dungeon.design.rows
    assert repr(dungeon).startswith("<wallcrawler.Dungeon")
    assert dungeon.to_dict()["seed"] == "5"


def test_events_replay_the_dungeon():
    dungeon = wc.Design.preset("hypostyle").grow(3)
    events = dungeon.events()
    tiles, laid = dungeon.at(0).tiles, np.zeros_like(dungeon.turn_laid)
    generation = np.full(tiles.shape, -1, dtype=np.int16)
    born = {}
    for row in events.to_pylist():
        if row["event"] == "born":
            born[row["builder"]] = row["generation"]
            assert row["parent"] is None or row["parent"] in born
        elif row["event"] == "laid":
            at = row["row"], row["column"]
            assert TILES[tiles[at]] == row["before"]
            tiles[at], laid[at] = TILES.index(row["tile"]), row["turn"]
            generation[at] = born[row["builder"]]
    np.testing.assert_array_equal(tiles, dungeon.tiles)
    np.testing.assert_array_equal(laid, dungeon.turn_laid)
    np.testing.assert_array_equal(generation, dungeon.generations)
    turns, iterations = events["turn"].to_numpy(), events["iteration"].to_numpy()
    assert (np.diff(turns) >= 0).all() and (np.diff(iterations.astype(int)) >= 0).all()
    assert turns[-1] == dungeon.turns
    deaths = events.filter(pc.equal(events["event"].cast("string"), "died"))
    assert len(deaths) == len(born) and not deaths["reason"].null_count
    assert dungeon.at(50).events().num_rows == (turns <= 50).sum()

