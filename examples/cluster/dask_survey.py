"""Surveys a design on a Dask cluster and writes one Parquet file, in the order of the seeds.

    python dask_survey.py keep --seeds 0 100000 --output keep.parquet
    python dask_survey.py castle.toml --seeds 0 100000 --output castle.parquet --scheduler tcp://host:8786

If a worker dies, another one runs its task again.
"""

import argparse
from pathlib import Path

import pyarrow.parquet as pq
from dask.distributed import Client, LocalCluster

import wallcrawler as wc


def rows(design: wc.Design, seeds: range, changes: list[str]):
    """Returns the rows of one task."""
    return wc.survey(design, seeds, changes, threads=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("design", help="a design file, or the name of a preset")
    parser.add_argument("--seeds", type=int, nargs=2, default=[0, 1000], metavar=("FROM", "TO"))
    parser.add_argument("--change", action="append", default=[], metavar="RULE")
    parser.add_argument("--size", type=int, default=1000, help="number of dungeons per task")
    parser.add_argument("--scheduler", help="address of a cluster [default: processes on this machine]")
    parser.add_argument("--output", required=True)
    arguments = parser.parse_args()

    is_file = Path(arguments.design).exists()
    design = wc.Design.read(arguments.design) if is_file else wc.Design.preset(arguments.design)
    first, last = arguments.seeds
    parts = [range(start, min(start + arguments.size, last)) for start in range(first, last, arguments.size)]
    cluster = arguments.scheduler or LocalCluster(threads_per_worker=1, dashboard_address="127.0.0.1:0")
    with Client(cluster) as client:
        tasks = client.map(rows, [design] * len(parts), parts, changes=arguments.change, pure=False, retries=3)
        schema = wc.survey(design, [], arguments.change).schema
        with pq.ParquetWriter(arguments.output, schema) as writer:
            while tasks:
                # Dropping the task lets the cluster forget its rows.
                writer.write_batch(tasks.pop(0).result())


if __name__ == "__main__":
    main()
