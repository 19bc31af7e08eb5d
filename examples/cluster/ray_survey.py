"""Surveys a design on a Ray cluster and writes one Parquet file, in the order of the seeds.

    python ray_survey.py keep --seeds 0 100000 --output keep.parquet
    python ray_survey.py castle.toml --seeds 0 100000 --output castle.parquet --address auto

If a worker dies, another one runs its task again.
"""

import argparse
from pathlib import Path

import pyarrow.parquet as pq
import ray

import wallcrawler as wc


@ray.remote(max_retries=3)
def rows(design: wc.Design, seeds: range, changes: list[str]):
    """Returns the rows of one task."""
    return wc.survey(design, seeds, changes, threads=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("design", help="a design file, or the name of a preset")
    parser.add_argument("--seeds", type=int, nargs=2, default=[0, 1000], metavar=("FROM", "TO"))
    parser.add_argument("--change", action="append", default=[], metavar="RULE")
    parser.add_argument("--size", type=int, default=1000, help="number of dungeons per task")
    parser.add_argument("--address", help="address of a cluster [default: processes on this machine]")
    parser.add_argument("--output", required=True)
    arguments = parser.parse_args()

    is_file = Path(arguments.design).exists()
    design = wc.Design.read(arguments.design) if is_file else wc.Design.preset(arguments.design)
    first, last = arguments.seeds
    parts = [range(start, min(start + arguments.size, last)) for start in range(first, last, arguments.size)]
    if arguments.address:
        ray.init(address=arguments.address)
    else:
        ray.init(include_dashboard=False, _node_ip_address="127.0.0.1")
    shared = ray.put(design)
    tasks = [rows.remote(shared, seeds, arguments.change) for seeds in parts]
    schema = wc.survey(design, [], arguments.change).schema
    with pq.ParquetWriter(arguments.output, schema) as writer:
        while tasks:
            # Dropping the task lets the cluster forget its rows.
            writer.write_batch(ray.get(tasks.pop(0)))
    ray.shutdown()


if __name__ == "__main__":
    main()
