"""Files are written and refused as by the program; exceptions name the file."""

import errno
import os
import stat
import sys
import threading

import pytest

import wallcrawler as wc

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, modes and pipes of POSIX")


@pytest.fixture(scope="module")
def dungeon():
    return wc.Design.preset("keep").grow(5)


@posix
def test_a_link_is_followed_and_the_mode_is_kept(dungeon, tmp_path):
    file, link = tmp_path / "file.svg", tmp_path / "link.svg"
    file.write_text("before")
    file.chmod(0o600)
    link.symlink_to(file.name)
    dungeon.save(link)
    assert link.is_symlink() and file.read_bytes() == dungeon.export("svg")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    dungeon.design.write(link)
    assert link.is_symlink() and wc.Design.read(file) == dungeon.design
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file.svg", "link.svg"]


@posix
def test_other_names_of_a_file_have_its_new_contents(dungeon, tmp_path):
    one, other = tmp_path / "one.svg", tmp_path / "other.svg"
    one.write_text("before")
    other.hardlink_to(one)
    dungeon.save(one)
    assert other.read_bytes() == dungeon.export("svg")


@posix
def test_pipes_and_devices_are_written_directly(dungeon, tmp_path):
    pipe, received = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()), daemon=True)
    reader.start()
    dungeon.save(pipe, kind="png")
    reader.join(timeout=60)
    assert received == [dungeon.export("png")] and pipe.is_fifo()
    # A link in another folder, so that a regression cannot replace the device itself.
    device = tmp_path / "device"
    device.symlink_to("/dev/null")
    dungeon.save(device, kind="png")
    dungeon.design.write(device)
    assert device.is_symlink() and device.is_char_device()
    with pytest.raises(ValueError, match="tmx needs a companion file"):
        dungeon.save(device, kind="tmx")


@posix
def test_a_design_is_read_from_a_pipe(tmp_path):
    pipe, text = tmp_path / "pipe", wc.Design.preset("keep").to_toml()
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(text, encoding="utf-8"), daemon=True)
    writer.start()
    assert wc.Design.read(pipe) == wc.Design.preset("keep")


def test_exceptions_have_the_number_and_the_name_of_the_file(dungeon, tmp_path):
    missing = tmp_path / "none" / "a.toml"
    for work in (
        lambda: wc.Design.read(missing),
        lambda: wc.Dungeon.read(missing),
        lambda: dungeon.design.write(missing),
        lambda: dungeon.save(missing, kind="png"),
    ):
        with pytest.raises(FileNotFoundError) as caught:
            work()
        assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, str(missing))
        assert caught.value.strerror and "os error" not in str(caught.value)
    with pytest.raises(IsADirectoryError) as caught:
        dungeon.save(tmp_path, kind="png")
    assert (caught.value.errno, caught.value.filename) == (errno.EISDIR, str(tmp_path))
    read_only = tmp_path / "read-only.svg"
    read_only.write_text("before")
    read_only.chmod(0o400)
    with pytest.raises(PermissionError, match="make it writable") as caught:
        dungeon.save(read_only)
    assert caught.value.errno == errno.EACCES
    assert read_only.read_text() == "before"
