"""Types of the compiled part of the package; import the names from `wallcrawler`."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal, TypeAlias, TypedDict, final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from typing_extensions import Unpack

__version__: str
"""Version of the program."""
SEED_CATALOG: int
"""Edition of the seed catalogue: versions with the same edition grow the same dungeons."""

_Path: TypeAlias = str | PathLike[str]

class _ExportOptions(TypedDict, total=False):
    by: Literal["generation", "age", "lineage", "kind"]
    on: Literal["dark", "light", "print"]
    scale: int
    grid: int
    legend: bool
    marks: Literal["none", "doors", "all"]
    paper: str
    square: str
    margin: str
    overlap: str
    seconds: float
    follow: int
    moments: str
    open_doors: bool
    generations: bool

class DesignError(ValueError):
    """A design is unusable."""

    diagnostics: list[str]
    """The errors, and the warnings and notes found with them."""

@final
class Design:
    """A design: everything that determines a dungeon. It is immutable; `change` returns a new one."""

    def __new__(cls, text: str, levels: Sequence[tuple[str, bytes]] | None = None) -> Design:
        """Parses a design from TOML, the text of a rooms file, or a dungeon code (`wc1:…`). `levels` contains the level files of its vaults, by name."""
    @staticmethod
    def read(path: _Path, stats: _Path | None = None, constants: _Path | None = None) -> Design:
        """Reads a design from a TOML file, or from a rooms file with the stats and constants files that belong to it."""
    @staticmethod
    def preset(name: str) -> Design:
        """Returns a built-in design; `presets()` lists their names."""
    def write(self, path: _Path) -> None:
        """Writes the design to a TOML file, completely or not at all. Level files are not written."""
    def to_toml(self) -> str:
        """Returns the design as TOML."""
    def to_code(self) -> str:
        """Returns the design with its seed as a dungeon code, one line of text. Fails for designs with level files, and for designs that are too large for a code."""
    def change(self, *rules: str, no_columns: bool = False) -> Design:
        """Returns the design with numbers changed by rules, as by `--change` on the command line: "MaxAge -> 3"."""
    def with_seed(self, seed: int) -> Design:
        """Returns the design with another seed."""
    def grow(self, seed: int | None = None, *, no_columns: bool = False) -> Dungeon:
        """Grows a dungeon and records its growth. Without `seed`, the design's own is used."""
    def digest(self, *, no_columns: bool = False) -> str:
        """Returns the digest that identifies the design in the rows of surveys."""
    @property
    def name(self) -> str: ...
    @property
    def notes(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def rows(self) -> int:
        """Number of rows of its dungeons, the outer wall included."""
    @property
    def columns(self) -> int:
        """Number of columns of its dungeons, the outer wall included."""
    @property
    def levels(self) -> dict[str, bytes]:
        """Level files of its vaults, by name, without the built-in ones."""
    @property
    def diagnostics(self) -> list[str]:
        """Errors, warnings and notes: those about the files that the design was read from, and those about what is changed or left out when the design grows from its own seed. A pickled copy lacks those about the files."""

@final
class Dungeon:
    """A dungeon after one turn of its growth (by default the last), with the recording of the whole growth."""

    @staticmethod
    def read(path: _Path) -> Dungeon:
        """Reads a recording (.wcr), which `save` and `wallcrawler export` write."""
    @staticmethod
    def from_recording(recording: bytes, levels: Sequence[tuple[str, bytes]] | None = None) -> Dungeon:
        """Returns the dungeon of a recording that is given as bytes. `levels` contains the name and the content of each level file that the design uses, because a recording does not contain these files. They are needed only to grow `design` again."""
    def at(self, turn: int) -> Dungeon:
        """Returns the dungeon of the same growth after turn number `turn`; 0 stands for the time before the first turn."""
    def events(self) -> pa.RecordBatch:
        """Returns every event of the growth up to this turn, one row each."""
    def export(self, kind: str, **options: Unpack[_ExportOptions]) -> bytes:
        """Returns the dungeon as one of the kinds that `export_kinds()` lists, with the options of `wallcrawler export`."""
    def save(self, path: _Path, kind: str | None = None, **options: Unpack[_ExportOptions]) -> None:
        """Writes the dungeon to a file. The file's extension determines the kind, unless `kind` is given."""
    def to_dict(self) -> dict[str, Any]:
        """Returns all data of the dungeon, as in the JSON export."""
    @property
    def tiles(self) -> npt.NDArray[np.uint8]:
        """Kind of the tile on each square: OPEN, GUARANTEED, WALL, HIGH_WALL or COLUMN."""
    @property
    def generations(self) -> npt.NDArray[np.int16]:
        """Generation of the Builder that laid the tile; -1 where none did."""
    @property
    def turn_laid(self) -> npt.NDArray[np.uint32]:
        """Turn in which the tile was laid, counted from 1; 0 where no Builder laid one."""
    @property
    def builders(self) -> npt.NDArray[np.int32]:
        """Builder that laid the tile, counted from 0 in the order of birth; -1 where none did."""
    @property
    def steps(self) -> npt.NDArray[np.int32]:
        """Number of steps from the entrance; -1 for squares that cannot be reached."""
    @property
    def entrance(self) -> tuple[int, int] | None:
        """Row and column of the entrance; None if no square is open."""
    @property
    def exit(self) -> tuple[int, int] | None:
        """Row and column of the exit; None if no square is open."""
    @property
    def path(self) -> npt.NDArray[np.int32]:
        """A shortest path from the entrance to the exit, as rows and columns; empty if there is none."""
    @property
    def metrics(self) -> dict[str, bool | int | float | str | None]:
        """Metrics at this turn. The keys are the names of the metrics' columns in a survey, such as `dead_ends`."""
    @property
    def anomalies(self) -> list[str]:
        """Anomalies at this turn, such as `no-way`. They have the same names as in the column `anomalies` of a survey."""
    @property
    def diagnostics(self) -> list[str]:
        """Warnings and notes about the design and its files, for example about values that were changed and parts that were left out. A pickled copy and a dungeon read from a recording lack some of these messages, such as those about files and changed values."""
    @property
    def design(self) -> Design:
        """Design that the dungeon grew from, with its seed. A recording does not contain the level files of its design."""
    @property
    def seed(self) -> int:
        """Seed that the dungeon grew from."""
    @property
    def turn(self) -> int:
        """Number of turns shown."""
    @property
    def turns(self) -> int:
        """Number of turns of the whole growth."""
    def _repr_png_(self) -> bytes: ...

def presets() -> list[tuple[str, str]]:
    """Returns the names of the built-in designs with one sentence about each."""

def metrics() -> list[tuple[str, str, str]]:
    """Returns the name, the unit and the meaning of every metric."""

def export_kinds() -> list[tuple[str, list[str], str]]:
    """Returns the name, the file extensions and the description of every export kind."""

def changed(design: Design, rules: list[str], *, no_columns: bool = False) -> Design:
    """Returns the design with numbers changed by rules; warnings point to the caller of the calling function."""

def grow(
    design: Design,
    seeds: Sequence[int],
    *,
    arrays: list[str] | None = None,
    no_columns: bool = False,
    threads: int | None = None,
) -> tuple[
    npt.NDArray[np.uint8] | None,
    npt.NDArray[np.int16] | None,
    npt.NDArray[np.uint32] | None,
    npt.NDArray[np.int32] | None,
]: ...
def survey(
    design: Design,
    seeds: Sequence[int],
    *,
    metrics: list[str] | None = None,
    where: str | None = None,
    sight: bool = False,
    no_columns: bool = False,
    threads: int | None = None,
) -> pa.RecordBatch: ...
