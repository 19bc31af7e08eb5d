"""Surveys are those of the command line."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import PRESETS

import wallcrawler as wc


def of_program(run, *args) -> pa.Table:
    """Returns the table of a survey of the command line."""
    stream = run("survey", *args, "--format", "arrow", "--output", "-")
    return pa.ipc.open_stream(stream).read_all()


@pytest.mark.parametrize("preset", PRESETS)
def test_rows_and_metadata_are_those_of_the_program(run, preset):
    expected = of_program(run, "--preset", preset, "--seeds", "3..40")
    table = pa.Table.from_batches([wc.survey(wc.Design.preset(preset), range(3, 40))])
    assert table.schema.equals(expected.schema, check_metadata=True)
    assert table.equals(expected)


def test_changes_conditions_and_sight_are_those_of_the_program(run):
    rules = ["MaxAge -> 3", "CorridorWidth + 1 in 1-4"]
    changes = [part for rule in rules for part in ("--change", rule)]
    condition = "path > 120 and dead-ends < 60"
    expected = of_program(run, "--preset", "keep", "--seeds", "30", *changes, "--sight", "--where", condition)
    design = wc.Design.preset("keep")
    batch = wc.survey(design, range(30), rules, where=condition, sight=True)
    assert 0 < batch.num_rows < 30
    assert pa.Table.from_batches([batch]).equals(expected)
    assert wc.survey(design.change(*rules), range(30), where=condition, sight=True).equals(batch)


def test_builders_of_columns_are_those_of_the_program(run):
    expected = of_program(run, "--preset", "standing-stones", "--seeds", "10", "--no-columns")
    design = wc.Design.preset("standing-stones")
    batch = wc.survey(design, range(10), no_columns=True)
    assert pa.Table.from_batches([batch]).equals(expected)
    assert not batch.equals(wc.survey(design, range(10)))


def test_metrics_select_columns_and_seeds_keep_their_order():
    design = wc.Design.preset("keep")
    whole = wc.survey(design, range(20))
    part = wc.survey(design, [7, 3, 19, 3], metrics=["dead-ends", "path", "room_1"])
    names = ["seed", "design", "version", "seed_catalog", "path", "dead_ends", "room_1", "anomalies"]
    assert part.schema.names == names
    assert part["seed"].to_pylist() == [7, 3, 19, 3]
    assert part.to_pylist() == [{name: whole[name][seed].as_py() for name in names} for seed in [7, 3, 19, 3]]
    seen = wc.survey(design, range(2), metrics="visible-area")
    assert "visible_area" in seen.schema.names


def test_batches_are_the_survey_in_parts(tmp_path):
    design = wc.Design.preset("pilgrimage")
    reader = wc.survey_batches(design, range(50), ["MaxAge * 2"], size=16)
    with pq.ParquetWriter(tmp_path / "all.parquet", reader.schema) as writer:
        sizes = [writer.write_batch(batch) or batch.num_rows for batch in reader]
    assert sizes == [16, 16, 16, 2]
    whole = pa.Table.from_batches([wc.survey(design, range(50), ["MaxAge * 2"])])
    assert pq.read_table(tmp_path / "all.parquet").equals(whole)
    assert wc.survey(design, []).num_rows == 0


def test_rows_are_the_same_on_any_number_of_threads():
    design = wc.Design.preset("pilgrimage")
    one, many = (wc.survey(design, range(40), threads=threads) for threads in (1, 5))
    assert one.equals(many)


def test_the_digest_is_that_of_the_program(run, tmp_path):
    design = wc.Design.preset("keep").change("MaxAge * 2")
    printed = run("design-digest", "--preset", "keep", "--change", "MaxAge * 2")
    assert design.digest() == printed.decode().strip()
    assert design.digest() == wc.survey(design, [1])["design"][0].as_py()
    assert design.digest(no_columns=True) != design.digest()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"metrics": ["paht"]}, "unknown metric `paht`; choose from .*visible-area"),
        ({"metrics": ["paht", "path", "fil"]}, "unknown metrics `paht`, `fil`"),
        ({"where": "path >"}, "where"),
        ({"where": "crosses room 99"}, "room 99"),
        ({"changes": ["MaxAgee -> 3"]}, "did you mean `MaxAge`"),
        ({"changes": ["MaxAge - 9999999"]}, "MaxAge"),
        ({"threads": 0}, "threads"),
        ({"seeds": [-1]}, "-1 is not a seed"),
        ({"seeds": [1 << 64]}, "is not a seed"),
        ({"seeds": ["a"]}, "is not a seed"),
    ],
)
def test_wrong_arguments_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        wc.survey(wc.Design.preset("keep"), **{"seeds": [1], **arguments})


@pytest.mark.parametrize("seeds", [5, "0..5"])
def test_a_number_is_not_a_list_of_seeds(seeds):
    with pytest.raises(TypeError, match="range"):
        wc.survey(wc.Design.preset("keep"), seeds)


def test_a_change_without_an_effect_is_warned_about():
    design, rules = wc.Design.preset("keep"), ["MaxAge * 1"]
    with pytest.warns(UserWarning, match="has no effect") as one:
        wc.survey(design, [1], rules)
    with pytest.warns(UserWarning, match="has no effect") as many:
        reader = wc.survey_batches(design, range(10), rules, size=2)
        assert sum(batch.num_rows for batch in reader) == 10
    assert [warning.filename for warning in [*one, *many]] == [__file__] * 2
