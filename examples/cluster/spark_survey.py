"""Surveys a design with Spark and writes a folder of Parquet files, one for each task.

    spark-submit spark_survey.py keep --seeds 0 100000 --output keep
    spark-submit --master spark://host:7077 spark_survey.py castle.toml --seeds 0 100000 --output castle

If a worker dies, another one runs its task again. Spark has no unsigned numbers, so seeds must be below 2^63.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

import wallcrawler as wc

SIGNED = {pa.uint64(): pa.int64(), pa.uint32(): pa.int32()}


def signed(schema: pa.Schema) -> pa.Schema:
    """Returns a schema with the types that Spark has."""
    return pa.schema([field.with_type(SIGNED.get(field.type, field.type)) for field in schema])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("design", help="a design file, or the name of a preset")
    parser.add_argument("--seeds", type=int, nargs=2, default=[0, 1000], metavar=("FROM", "TO"))
    parser.add_argument("--change", action="append", default=[], metavar="RULE")
    parser.add_argument("--size", type=int, default=1000, help="number of dungeons per task")
    parser.add_argument("--output", required=True)
    arguments = parser.parse_args()

    is_file = Path(arguments.design).exists()
    design = wc.Design.read(arguments.design) if is_file else wc.Design.preset(arguments.design)
    first, last = arguments.seeds
    changes = arguments.change
    schema = signed(wc.survey(design, [], changes).schema)

    def rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Returns the rows of the seeds in each batch."""
        for batch in batches:
            yield wc.survey(design, batch["id"].to_pylist(), changes, threads=1).cast(schema)

    spark = SparkSession.builder.getOrCreate()
    tasks = -(-(last - first) // arguments.size)
    seeds = spark.range(first, last, numPartitions=tasks)
    seeds.mapInArrow(rows, from_arrow_schema(schema)).write.mode("overwrite").parquet(arguments.output)
    spark.stop()


if __name__ == "__main__":
    main()
