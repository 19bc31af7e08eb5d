"""Grows dungeons by artificial life.

>>> import wallcrawler as wc
>>> design = wc.Design.preset("keep")
>>> dungeon = design.grow(42)
>>> dungeon.tiles.shape
(55, 110)
>>> table = wc.survey(design, range(100), metrics=["path", "dead-ends"])
>>> table.num_rows
100

A square is given by its row, from the top, and its column, from the left, both from 0. The same design and seed make the
same dungeon everywhere, and the same survey rows as the command line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, takewhile
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from . import _wallcrawler
from ._wallcrawler import SEED_CATALOG, Design, DesignError, Dungeon, __version__, export_kinds, metrics, presets

__all__ = [
    "COLUMN",
    "GUARANTEED",
    "HIGH_WALL",
    "OPEN",
    "SEED_CATALOG",
    "WALL",
    "Design",
    "DesignError",
    "Dungeon",
    "Dungeons",
    "__version__",
    "export_kinds",
    "grow",
    "grow_batches",
    "metrics",
    "presets",
    "survey",
    "survey_batches",
]

#: Kinds of tile in arrays. The first two are walkable.
OPEN, GUARANTEED, WALL, HIGH_WALL, COLUMN = range(5)


class Dungeons(NamedTuple):
    """Dungeons of one design as arrays; an array that was not requested is None.

    The first axis of an array is the seed, the second the row, the third the column.
    """

    seeds: npt.NDArray[np.uint64]
    """Seeds, one for each dungeon (uint64)."""
    tiles: npt.NDArray[np.uint8] | None
    """Kind of the tile on each square: OPEN, GUARANTEED, WALL, HIGH_WALL or COLUMN (uint8)."""
    generations: npt.NDArray[np.int16] | None
    """Generation of the Builder (a Crawler or a Jumper) that laid the tile; -1 where none did (int16)."""
    turn_laid: npt.NDArray[np.uint32] | None
    """Turn in which the tile was laid, counted from 1; 0 where no Builder laid one (uint32)."""
    steps: npt.NDArray[np.int32] | None
    """Steps from the entrance; -1 for squares that cannot be reached (int32)."""


def grow(
    design: Design,
    seeds: Iterable[int],
    *,
    arrays: Iterable[str] | None = None,
    no_columns: bool = False,
    threads: int | None = None,
) -> Dungeons:
    """Grows the dungeons of a design from several seeds, on all cores.

    ``arrays`` names the arrays to return: "tiles", "generations", "turn_laid", "steps" (default: all). ``no_columns``
    spawns Crawlers instead of Jumpers, which leave single columns. All dungeons are in memory at the same time, with 11
    bytes per square for all arrays: use :func:`grow_batches` for more dungeons than fit.

    Raises DesignError if the design cannot be grown, MemoryError if the seeds or the arrays do not fit into memory.
    """
    seeds = _sequence(seeds)
    names = None if arrays is None else _names(arrays)
    grown = _wallcrawler.grow(design, seeds, arrays=names, no_columns=no_columns, threads=threads)
    return Dungeons(np.fromiter(seeds, dtype=np.uint64, count=len(seeds)), *grown)


def grow_batches(design: Design, seeds: Iterable[int], size: int = 256, **options: Any) -> Iterator[Dungeons]:
    """Grows dungeons as :func:`grow` does, ``size`` at a time: for more dungeons than fit into memory."""
    for part in _parts(seeds, size):
        yield grow(design, part, **options)


def survey(
    design: Design,
    seeds: Iterable[int],
    changes: Iterable[str] = (),
    metrics: Iterable[str] | None = None,
    *,
    where: str | None = None,
    sight: bool = False,
    no_columns: bool = False,
    threads: int | None = None,
) -> pa.RecordBatch:
    """Grows the dungeons of a design from several seeds, on all cores, and measures them: a row for each.

    The columns are those of ``wallcrawler survey``: seed, digest of the design, version, seed catalogue, metrics, anomalies.
    ``changes`` are rules as in ``--change``, such as "MaxAge -> 3". ``metrics`` names the metrics to keep. ``where`` keeps
    only the rows of dungeons that satisfy a condition, such as "path > 250 and dead-ends < 30". ``sight`` adds the metrics
    of sight and explorers, which take longer than all others.

    Raises DesignError if the design cannot be grown, ValueError for an invalid rule, metric or condition, MemoryError if
    the seeds do not fit into memory. A rule without an effect causes a warning.
    """
    return _wallcrawler.survey(
        _wallcrawler.changed(design, _names(changes), no_columns=no_columns),
        _sequence(seeds),
        metrics=None if metrics is None else _names(metrics),
        where=where,
        sight=sight,
        no_columns=no_columns,
        threads=threads,
    )


def survey_batches(
    design: Design,
    seeds: Iterable[int],
    changes: Iterable[str] = (),
    metrics: Iterable[str] | None = None,
    *,
    size: int = 4096,
    no_columns: bool = False,
    **options: Any,
) -> pa.RecordBatchReader:
    """Surveys as :func:`survey` does, ``size`` seeds at a time: for tables that do not fit into memory.

    The reader grows dungeons as it is read, so a file can be written while they grow::

        with pq.ParquetWriter("keep.parquet", reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)
    """
    # Once and here, so that each warning is issued once, for the caller's line.
    design = _wallcrawler.changed(design, _names(changes), no_columns=no_columns)
    names = None if metrics is None else _names(metrics)
    schema = survey(design, (), (), names, no_columns=no_columns, **options).schema
    parts = _parts(seeds, size)
    batches = (survey(design, part, (), names, no_columns=no_columns, **options) for part in parts)
    return pa.RecordBatchReader.from_batches(schema, batches)


def _parts(seeds: Iterable[int], size: int) -> Iterator[Sequence[int]]:
    """Returns the seeds in parts of this size, the last of which may be shorter."""
    if size < 1:
        raise ValueError("size must be at least 1")
    all_seeds = _sequence(seeds)
    # Up to the first empty part, because `len` of a range fails above 2**63.
    return takewhile(len, (all_seeds[start : start + size] for start in count(0, size)))


def _names(given: Iterable[str]) -> list[str]:
    """Returns texts as a list; a text alone is one of them."""
    return [given] if isinstance(given, str) else list(given)


def _sequence(seeds: Iterable[int]) -> Sequence[int]:
    """Returns the seeds as a sequence."""
    if isinstance(seeds, (int, str)):
        raise TypeError("seeds must be a sequence of whole numbers, such as range(1000)")
    if hasattr(seeds, "__len__") and hasattr(seeds, "__getitem__"):
        # Ranges, lists, tuples, and NumPy arrays, which do not register as Sequence.
        return cast("Sequence[int]", seeds)
    return list(seeds)


def _dungeon(recording: bytes, turn: int, levels: Sequence[tuple[str, bytes]] = ()) -> Dungeon:
    """Returns a pickled dungeon."""
    return Dungeon.from_recording(recording, levels).at(turn)
