"""The designer in the terminal core of Ghostty: shows the map in pixels, and checks what the terminal has stored.

Usage: ghostty.py PROGRAM HOME [FOLDER]. With FOLDER, the screens are written there as PNG, with letters in DejaVu Sans Mono.
Needs pyghostty, cffi and Pillow.
"""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont
from pyghostty._ffi import check, ffi, lib
from pyghostty.core import Terminal, init_sized

COLUMNS, ROWS = 120, 40
CELL = (8, 16)
# The first combining characters of the protocol's table.
NUMBERS = [0x305, 0x30D, 0x30E, 0x310, 0x312, 0x33D, 0x33E, 0x33F, 0x346, 0x34A, 0x34B, 0x34C, 0x350, 0x351, 0x352, 0x357]


@ffi.callback("GhosttySysDecodePngFn")
def decode(_user, allocator, data, length, out):
    image = Image.open(BytesIO(ffi.buffer(data, length)[:])).convert("RGBA")
    pixels = image.tobytes()
    memory = lib.ghostty_alloc(allocator, len(pixels))
    ffi.memmove(memory, pixels, len(pixels))
    out.width, out.height, out.data, out.data_len = image.width, image.height, memory, len(pixels)
    return True


NAME = ffi.new("uint8_t[]", b"ghostty 1.2.3")


@ffi.callback("GhosttyTerminalXtversionFn")
def name(_terminal, _user):
    return ffi.new("GhosttyString*", {"ptr": NAME, "len": len(NAME) - 1})[0]


@ffi.callback("GhosttyTerminalSizeFn")
def size(_terminal, _user, out):
    out.rows, out.columns, out.cell_width, out.cell_height = ROWS, COLUMNS, *CELL
    return True


@ffi.callback("GhosttyTerminalDeviceAttributesFn")
def attributes(_terminal, _user, out):
    out.primary.conformance_level, out.primary.features[0], out.primary.num_features = 62, 22, 1
    return True


class Session:
    """The program on a pseudo-terminal that the terminal core reads."""

    def __init__(self, program, home, arguments):
        check(lib.ghostty_sys_set(lib.GHOSTTY_SYS_OPT_DECODE_PNG, ffi.cast("void*", decode)), "decode")
        self.terminal = Terminal(COLUMNS, ROWS, fg=(204, 204, 204), bg=(16, 16, 16))
        handle = self.terminal._t[0]
        for option, value in [
            (lib.GHOSTTY_TERMINAL_OPT_XTVERSION, ffi.cast("void*", name)),
            (lib.GHOSTTY_TERMINAL_OPT_SIZE, ffi.cast("void*", size)),
            (lib.GHOSTTY_TERMINAL_OPT_DEVICE_ATTRIBUTES, ffi.cast("void*", attributes)),
            (lib.GHOSTTY_TERMINAL_OPT_KITTY_IMAGE_STORAGE_LIMIT, ffi.new("uint64_t*", 64 << 20)),
        ]:
            check(lib.ghostty_terminal_set(handle, option, value), "set")
        self.terminal.resize(COLUMNS, ROWS, *CELL)
        self.bytes = 0
        self.child, self.line = pty.fork()
        if self.child == 0:
            environment = {"TERM": "xterm-ghostty", "COLORTERM": "truecolor", "HOME": home, "XDG_STATE_HOME": home + "/state"}
            os.execve(program, [program, *arguments], environment)
        fcntl.ioctl(self.line, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.terminal.on_reply(self.reply)

    def reply(self, text):
        os.write(self.line, text)

    def read(self, seconds):
        """Shows what the program writes within some time; returns whether it wrote anything."""
        ready, _, _ = select.select([self.line], [], [], seconds)
        if not ready:
            return False
        try:
            output = os.read(self.line, 65536)
        except OSError:
            return False
        self.bytes += len(output)
        self.terminal.feed(output)
        return bool(output)

    def wait_for(self, text):
        """Waits for a text on the screen."""
        end = time.monotonic() + 120
        while text not in self.terminal.text():
            assert time.monotonic() < end, f"{text} never came:\n{self.terminal.text()}"
            self.read(1)

    def wait_until_quiet(self):
        while self.read(0.4):
            pass

    def press(self, keys):
        os.write(self.line, keys.encode())

    def graphics(self):
        return self.terminal.get("kitty_graphics", "GhosttyKittyGraphics")

    def image(self, number):
        """Returns a stored picture and its size in characters; None if there is none."""
        image = lib.ghostty_kitty_graphics_image(self.graphics(), number)
        if image == ffi.NULL:
            return None

        def get(key, kind):
            out = ffi.new(kind + "*")
            check(lib.ghostty_kitty_graphics_image_get(image, key, out), "image")
            return out[0]

        width = get(lib.GHOSTTY_KITTY_IMAGE_DATA_WIDTH, "uint32_t")
        height = get(lib.GHOSTTY_KITTY_IMAGE_DATA_HEIGHT, "uint32_t")
        data = get(lib.GHOSTTY_KITTY_IMAGE_DATA_DATA_PTR, "const uint8_t*")
        length = get(lib.GHOSTTY_KITTY_IMAGE_DATA_DATA_LEN, "size_t")
        assert length == width * height * 4, "decoded to RGBA"
        return Image.frombytes("RGBA", (width, height), ffi.buffer(data, length)[:])

    def placements(self):
        """Returns the columns and rows of each virtual placement, by the number of its picture."""
        iterator = ffi.new("GhosttyKittyGraphicsPlacementIterator*")
        check(lib.ghostty_kitty_graphics_placement_iterator_new(ffi.NULL, iterator), "iterator")
        key = lib.GHOSTTY_KITTY_GRAPHICS_DATA_PLACEMENT_ITERATOR
        check(lib.ghostty_kitty_graphics_get(self.graphics(), key, iterator), "placements")
        found = {}

        def get(suffix, kind="uint32_t"):
            out = ffi.new(kind + "*")
            key = getattr(lib, "GHOSTTY_KITTY_GRAPHICS_PLACEMENT_DATA_" + suffix)
            check(lib.ghostty_kitty_graphics_placement_get(iterator[0], key, out), suffix)
            return out[0]

        while lib.ghostty_kitty_graphics_placement_next(iterator[0]):
            assert get("IS_VIRTUAL", "bool"), "every placement is virtual"
            found[get("IMAGE_ID")] = (get("COLUMNS"), get("ROWS"))
        lib.ghostty_kitty_graphics_placement_iterator_free(iterator[0])
        return found

    def cell(self, column, row):
        buffer, length = ffi.new("uint32_t[8]"), ffi.new("size_t*")
        check(lib.ghostty_grid_ref_graphemes(self.terminal.ref(column, row), buffer, 8, length), "cell")
        return [buffer[i] for i in range(length[0])]

    def compose(self):
        """Returns the screen as a picture, and the number of placeholders; every one must have its part of a picture."""
        screen = Image.new("RGB", (COLUMNS * CELL[0], ROWS * CELL[1]), (16, 16, 16))
        draw = ImageDraw.Draw(screen)
        try:
            font = ImageFont.truetype("DejaVuSansMono.ttf", 13)
        except OSError:
            font = ImageFont.load_default(13)
        placements, images, shown = self.placements(), {}, 0
        for row in range(ROWS):
            for column in range(COLUMNS):
                letters, style = self.cell(column, row), self.terminal.style(column, row)
                at = (column * CELL[0], row * CELL[1])
                ink = style["fg"][1] if style["fg"] else (204, 204, 204)
                ground = style["bg"][1] if style["bg"] else (16, 16, 16)
                if letters and letters[0] == 0x10EEEE:
                    shown += 1
                    number = ink[0] << 16 | ink[1] << 8 | ink[2]
                    down, right = (NUMBERS.index(mark) for mark in letters[1:3])
                    if number not in images:
                        images[number] = self.image(number)
                        assert images[number] is not None, f"picture {number} is missing"
                        columns, rows = placements[number]
                        assert images[number].size == (columns * CELL[0], rows * CELL[1]), "no picture is scaled"
                    corner = (right * CELL[0], down * CELL[1])
                    part = images[number].crop((*corner, corner[0] + CELL[0], corner[1] + CELL[1]))
                    tile = Image.new("RGB", CELL, ground)
                    tile.paste(part, (0, 0), part)
                    screen.paste(tile, at)
                    continue
                if style["inverse"]:
                    ink, ground = ground, ink
                draw.rectangle((*at, at[0] + CELL[0] - 1, at[1] + CELL[1] - 1), fill=ground)
                if letters:
                    draw.text(at, "".join(map(chr, letters)), fill=ink, font=font)
        return screen, shown


def main():
    program, home, *folder = sys.argv[1:]
    # On a busy machine the terminal may answer too late, so that the map has characters.
    for _ in range(20):
        session = Session(program, home, ["--preset", "keep"])
        session.wait_for(" per ")
        if "pixels per square" in session.terminal.text():
            break
        session.press("q")
        session.wait_until_quiet()
    session.wait_until_quiet()
    session.press("G")
    end = time.monotonic() + 120
    while not re.search(r"turn ([0-9,]+) of \1 ", session.terminal.text()):
        assert time.monotonic() < end, session.terminal.text()
        session.read(1)
    session.wait_until_quiet()

    def keep(label, screen):
        if folder:
            screen.save(os.path.join(folder[0], label + ".png"))

    first, shown = session.compose()
    keep("ghostty", first)
    assert shown > 1000, f"the map is a picture: {shown} characters"
    assert len(first.getcolors(1 << 16)) > 8, "in the colours of its generations"
    before = session.bytes
    session.press("l")
    session.wait_until_quiet()
    moved, _ = session.compose()
    assert moved.tobytes() != first.tobytes(), "the cursor is part of the picture"
    print(f"{shown} characters of pictures, {session.bytes - before} bytes for a step of the cursor")
    session.press(":")
    session.wait_for("type part of a name")
    session.wait_until_quiet()
    covered, fewer = session.compose()
    keep("ghostty-palette", covered)
    assert fewer < shown, "the palette covers the picture"
    session.press("\x1b")
    session.wait_until_quiet()
    session.press("h")
    session.wait_until_quiet()
    assert session.compose()[0].tobytes() == first.tobytes(), "the picture is as it was"
    session.press("q")
    session.wait_until_quiet()
    os.waitpid(session.child, 0)
    assert not session.placements(), "the pictures are removed"


main()
