"""Each example survives the death of a worker, and its result is that of a single run."""

import csv
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import wallcrawler as wc

HERE = Path(__file__).parent
EXAMPLES = HERE.parent
SEEDS = range(0, 400)
RULE = "MaxAge * 2"


@pytest.fixture(scope="session")
def expected() -> pa.Table:
    """Returns the rows of a single run."""
    return pa.Table.from_batches([wc.survey(wc.Design.preset("keep"), SEEDS, [RULE])])


def needs(module: str):
    found = importlib.util.find_spec(module)
    return pytest.mark.skipif(found is None, reason=f"{module} is not installed")


def run(command: list, marker: Path, **more: str) -> None:
    """Runs an example on loopback; a worker must have died."""
    environment = {
        **os.environ,
        "KILL_ONCE": str(marker),
        "PYTHONPATH": str(HERE),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "RAY_USAGE_STATS_ENABLED": "0",
        **more,
    }
    done = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-6000:]
    assert marker.exists(), "no worker died"


def arguments(output: Path) -> list:
    return ["keep", "--seeds", SEEDS.start, SEEDS.stop, "--change", RULE, "--size", 50, "--output", output]


@needs("distributed")
def test_dask(tmp_path, expected):
    output = tmp_path / "keep.parquet"
    run([sys.executable, EXAMPLES / "dask_survey.py", *arguments(output)], tmp_path / "killed")
    assert pq.read_table(output).equals(expected)


@needs("ray")
def test_ray(tmp_path, expected):
    output = tmp_path / "keep.parquet"
    run([sys.executable, EXAMPLES / "ray_survey.py", *arguments(output)], tmp_path / "killed")
    assert pq.read_table(output).equals(expected)


@needs("pyspark")
@pytest.mark.skipif(shutil.which("java") is None, reason="Java is not installed")
def test_spark(tmp_path, expected):
    output = tmp_path / "keep"
    submit = Path(importlib.util.find_spec("pyspark").origin).parent / "bin" / "spark-submit"
    # Locally, Spark runs a failed task again only if the master URL allows it.
    command = [submit, "--master", "local[2,4]", EXAMPLES / "spark_survey.py", *arguments(output)]
    run(command, tmp_path / "killed")
    found = pq.read_table(output).sort_by("seed").cast(expected.schema)
    assert found.equals(expected)


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Returns a folder with a `wallcrawler` that dies once in the middle of the part with the seed 137."""
    real = os.environ.get("WALLCRAWLER_PROGRAM") or shutil.which("wallcrawler")
    if real is None:
        pytest.skip("the program is not named in WALLCRAWLER_PROGRAM")
    folder = tmp_path / "bin"
    folder.mkdir()
    fake = folder / "wallcrawler"
    fake.write_text(
        "#!/usr/bin/env bash\n"
        'all=$*; output=${all##*--output }; output=${output%% *}\n'
        'if [[ $* == *"--shard 3/8"* ]] && (set -o noclobber; : >"$KILL_ONCE") 2>/dev/null; then\n'
        f'    {real} "$@" & child=$!\n'
        '    until [ "$(wc -l <"$output" 2>/dev/null || echo 0)" -ge 5 ]; do sleep 0.01; done\n'
        "    kill -9 $child; wc -l <\"$output\" >\"$KILL_ONCE\"; kill -9 $$\n"
        "fi\n"
        f'exec {real} "$@"\n'
    )
    fake.chmod(0o755)
    return folder


def check(output: Path, marker: Path, expected: pa.Table) -> None:
    """Checks that a CSV file has the rows, and that the program died after some rows of its part."""
    rows = list(csv.DictReader(output.open()))
    assert [int(row["seed"]) for row in rows] == expected["seed"].to_pylist()
    assert [int(row["path"]) if row["path"] else None for row in rows] == expected["path"].to_pylist()
    assert [row["anomalies"] for row in rows] == expected["anomalies"].to_pylist()
    assert list(rows[0]) == expected.schema.names
    assert 5 <= int(marker.read_text()) < len(SEEDS) // 8


@pytest.mark.skipif(shutil.which("parallel") is None, reason="GNU parallel is not installed")
def test_parallel(tmp_path, program, expected):
    output, marker = tmp_path / "keep.csv", tmp_path / "killed"
    survey = ["--preset", "keep", "--seeds", f"0..{SEEDS.stop}", "--change", RULE, "--threads", "1"]
    path = f"{program}:{os.environ['PATH']}"
    run([EXAMPLES / "parallel_survey", output, 8, *survey], marker, PATH=path, HOME=str(tmp_path))
    check(output, marker, expected)
    assert not list(tmp_path.glob("*.part"))


@needs("snakemake")
def test_snakemake(tmp_path, program, expected):
    marker = tmp_path / "killed"
    config = ["design=--preset keep", f"change={RULE}", f"seeds=0..{SEEDS.stop}", "parts=8", "output=keep.csv"]
    command = [sys.executable, "-m", "snakemake", "-s", EXAMPLES / "Snakefile", "--cores", "2", "--config", *config]
    path = f"{program}:{os.environ['PATH']}"
    run([*command, "--directory", tmp_path], marker, PATH=path, HOME=str(tmp_path))
    check(tmp_path / "keep.csv", marker, expected)
