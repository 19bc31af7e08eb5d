"""Designs are read, written and changed as by the program."""

import pickle
import re

import numpy as np
import pytest
from conftest import ROOT

import wallcrawler as wc

CELL = "NAME: cell\nORIENT: float\nMAP\nxxxxx\nx...x\nx.@.x\nxx+xx\nENDMAP\n"


@pytest.fixture
def with_vault(tmp_path):
    """Writes a design with a level file beside it; returns its path."""
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "cell.des").write_text(CELL)
    design = wc.Design.preset("first-steps").to_toml()
    entry = '\n[[vault]]\ndiv = 2\nxdiv = 1\nydiv = 1\nfile = "levels/cell.des"\nmap = "cell"\n'
    path = tmp_path / "own.toml"
    path.write_text(design + entry)
    return path


def test_every_preset_is_the_file_of_the_program():
    for name, summary in wc.presets():
        design = wc.Design.preset(name)
        assert design == wc.Design.read(ROOT / "presets" / f"{name}.toml")
        assert design.notes.startswith(summary) and summary
        assert wc.Design(design.to_toml()) == design
        assert pickle.loads(pickle.dumps(design)) == design
    with pytest.raises(ValueError, match="unknown preset `castle`; use one of ammonite"):
        wc.Design.preset("castle")


def test_a_written_design_is_read_by_the_program(run, tmp_path):
    path = tmp_path / "changed.toml"
    design = wc.Design.preset("keep").change("MaxAge * 2", "dimX -> 60").with_seed(9)
    design.write(path)
    assert wc.Design.read(path) == design
    assert (design.rows, design.seed) == (60, 9)
    assert run("grow", path, "--format", "plain").decode() == str(design.grow())
    with pytest.raises(FileNotFoundError, match="nowhere"):
        design.write(tmp_path / "nowhere" / "a.toml")


def test_files_of_dungeonmaker_are_read_with_their_companions(run, tmp_path):
    run("convert", "presets/keep.toml", "--rooms", tmp_path / "rooms4", "--stats", tmp_path / "stats4")
    for path in (tmp_path / "rooms4", ROOT / "presets" / "keep.toml"):
        design = wc.Design.read(path)
        expected = run("grow", path, "--seed", 5, "--format", "plain").decode()
        assert str(design.grow(5)) == expected
    alone = tmp_path / "alone"
    (tmp_path / "rooms4").rename(alone)
    assert wc.Design.read(alone) != design
    assert wc.Design.read(alone, stats=tmp_path / "stats4").digest() == wc.Design.preset("keep").digest()
    with pytest.raises(ValueError, match="not a whole design"):
        wc.Design.read(tmp_path / "stats4")


@pytest.mark.parametrize("other", ["constants4", "rooms4", "letter"])
def test_a_file_of_another_format_is_refused(run, tmp_path, other):
    rooms, stats, constants = (tmp_path / f"{name}4" for name in ("rooms", "stats", "constants"))
    run("convert", "presets/keep.toml", "--rooms", rooms, "--stats", stats, "--constants", constants)
    (tmp_path / "letter").write_text("Dear Sir")
    with pytest.raises(wc.DesignError, match="this is not a stats file"):
        wc.Design.read(rooms, stats=tmp_path / other)
    with pytest.raises(wc.DesignError, match="stats4"):
        wc.Design.read(rooms, stats=stats, constants=stats)
    assert wc.Design.read(rooms, stats, constants) == wc.Design.read(rooms)


def test_level_files_are_read_from_the_folder_of_the_design(run, with_vault):
    design = wc.Design.read(with_vault)
    assert list(design.levels) == ["levels/cell.des"]
    copy = pickle.loads(pickle.dumps(design))
    assert copy == design
    for one in (design, copy):
        assert str(one.grow(4)) == run("grow", with_vault, "--seed", 4, "--format", "plain").decode()
        table = wc.survey(one, range(5))
        assert table["vault_1_map"].to_pylist() == ["cell"] * 5
    printed = run("design-digest", with_vault).decode().strip()
    assert design.digest() == printed
    more = wc.Design(with_vault.read_text(), [("levels/cell.des", CELL.encode()), ("unused.des", b"x")])
    assert (more.digest(), list(more.levels)) == (printed, ["levels/cell.des"])
    without = wc.Design(with_vault.read_text())
    with pytest.raises(wc.DesignError, match="the level file `levels/cell.des` was not given") as caught:
        without.grow(4)
    assert "`levels`" in str(caught.value) and "LevelFiles" not in str(caught.value)
    assert any("was not given" in diagnostic for diagnostic in without.diagnostics)
    with pytest.raises(wc.DesignError, match="was not given"):
        wc.survey(without, range(100))
    (with_vault.parent / "levels" / "cell.des").unlink()
    with pytest.raises(FileNotFoundError, match="cell.des"):
        wc.Design.read(with_vault)


def test_errors_are_those_of_the_program(run, tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text("[layout]\ndim_x = ten\ndim_y = 60\n")
    printed = run("check", path, status=1, text=True)
    with pytest.raises(wc.DesignError, match=r"bad.toml:2:9: error:") as caught:
        wc.Design.read(path)
    place, message = caught.value.diagnostics[0].split(" error: ")
    assert place == f"{path}:2:9:" and message.split(": `")[0] in printed
    path.write_text("[layout]\ndim_x = 5\n")
    with pytest.raises(wc.DesignError, match="at least 20 rows and columns"):
        wc.Design.read(path).grow()
    with pytest.raises(FileNotFoundError, match="none.toml"):
        wc.Design.read(tmp_path / "none.toml")
    with pytest.raises(wc.DesignError):
        wc.Design("not a design")


def test_rules_change_a_copy():
    design = wc.Design.preset("keep")
    changed = design.change("MaxAge -> 3 in 2-4")
    assert changed != design and design == wc.Design.preset("keep")
    assert hash(design) == hash(wc.Design.preset("keep")) != hash(changed)
    assert not (changed.grow(5).tiles == design.grow(5).tiles).all()
    with pytest.raises(ValueError, match="unknown parameter `MaxAgee`; did you mean `MaxAge`"):
        design.change("MaxAgee -> 3")
    with pytest.raises(ValueError, match="no room 99|there is no room 99"):
        design.change("width -> 3 in room 99")
    with pytest.raises(ValueError, match="use `with_seed`"):
        design.change("seed -> 5")
    with pytest.warns(UserWarning, match="it changes no value") as caught:
        design.change("MaxAge * 1")
    assert caught[0].filename == __file__


def test_diagnostics_name_what_is_out_of_range():
    text = wc.Design.preset("keep").to_toml()
    assert not wc.Design(text).diagnostics
    design = wc.Design(text.replace("dim_x = 55", "dim_x = 10"))
    assert any("rows" in diagnostic for diagnostic in design.diagnostics)


def without_place(printed: str) -> list[str]:
    """Returns the messages of warnings and notes, without their positions, records, excerpts and help."""
    pattern = r"^(?:\S+:\d+:\d+: )?(?:warning|note): (?:\w[\w ]* \d+: )?(.*?)(?:: `.*`)?$"
    return sorted(re.findall(pattern, printed, re.MULTILINE))


def test_diagnostics_name_what_is_left_out(run, tmp_path):
    design = wc.Design.preset("keep").change("dimX -> 20")
    path = tmp_path / "small.toml"
    design.write(path)
    printed = without_place(run("check", path, text=True))
    assert sum("is left out" in line for line in printed) > 5
    dungeon = design.grow()
    for found in (design.diagnostics, dungeon.diagnostics, dungeon.at(5).diagnostics):
        assert without_place("\n".join(found)) == printed
    copy = wc.Dungeon.from_recording(dungeon.export("recording"))
    assert sum("is left out" in line for line in copy.diagnostics) > 5
    assert pickle.loads(pickle.dumps(design)).diagnostics == design.diagnostics


@pytest.mark.parametrize(
    ("value", "other", "message"),
    [("max_age =", "max_agee =", "max_agee"), ("seed = 26", "seed = -1", "seed")],
)
def test_diagnostics_name_what_is_ignored_in_a_text(run, tmp_path, value, other, message):
    text = wc.Design.preset("keep").to_toml().replace(value, other, 1)
    path = tmp_path / "wrong.toml"
    path.write_text(text, encoding="utf-8")
    printed = without_place(run("check", path, text=True))
    assert printed
    for design in (wc.Design(text), wc.Design.read(path), wc.Design.read(path).change("MaxAge + 1")):
        assert any(message in line for line in design.diagnostics)
        assert any(message in line for line in design.grow(1).diagnostics)
    assert without_place("\n".join(wc.Design.read(path).diagnostics)) == printed
    assert wc.Design(text) == wc.Design(wc.Design(text).to_toml())


def test_a_missing_stats_file_is_reported(run, tmp_path):
    rooms, stats = tmp_path / "rooms4", tmp_path / "stats4"
    run("convert", "presets/keep.toml", "--rooms", rooms, "--stats", stats)
    assert not wc.Design.read(rooms).diagnostics
    stats.unlink()
    assert any("no stats file found" in line for line in wc.Design.read(rooms).diagnostics)


def test_the_design_of_a_dungeon_has_its_level_files(with_vault):
    design = wc.Design.read(with_vault)
    dungeon = design.grow(5)
    recording = dungeon.export("recording")
    for one in (dungeon, dungeon.at(3), pickle.loads(pickle.dumps(dungeon))):
        assert one.design == design.with_seed(5)
        assert one.design.levels == design.levels
        assert (one.design.grow().tiles == dungeon.tiles).all()
    levels = list(design.levels.items())
    assert wc.Dungeon.from_recording(recording, levels).design == design.with_seed(5)
    assert not wc.Dungeon.from_recording(recording).design.levels


def test_an_array_belongs_to_the_caller():
    dungeon = wc.Design.preset("keep").grow(1)
    tiles = dungeon.tiles
    tiles[:] = wc.OPEN
    assert (dungeon.tiles == wc.WALL).any()
    assert isinstance(tiles, np.ndarray) and tiles.flags.writeable
