"""The program that the package is compared with."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

#: Presets with rooms, columns, vaults, and expectations; each has another size.
PRESETS = ["keep", "hypostyle", "pilgrimage", "whirlpool", "two-ways"]


def program() -> Path:
    """Returns the path of the program: the one that WALLCRAWLER_PROGRAM names, or the newest that was built."""
    if named := os.environ.get("WALLCRAWLER_PROGRAM"):
        return Path(named)
    built = [ROOT / "target" / profile / "wallcrawler" for profile in ("release", "debug")]
    built = [path for path in built if path.exists()]
    if not built:
        pytest.exit("the program is not built; run `cargo build` first, or name it in WALLCRAWLER_PROGRAM")
    return max(built, key=lambda path: path.stat().st_mtime)


@pytest.fixture(scope="session")
def run():
    """Runs the program and returns its standard output; fails if it does not end as expected."""
    path = program()

    def run(*args, status=0, text=False):
        done = subprocess.run([path, *map(str, args)], capture_output=True, cwd=ROOT)
        assert done.returncode == status, done.stderr.decode()
        return (done.stdout + done.stderr).decode() if text else done.stdout

    return run
