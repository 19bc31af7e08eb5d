"""Reads the exports of a folder with third-party readers, and prints what they read as JSON.

Called by tests/exports/readers.rs, which compares it with the dungeon.
"""

import base64
import io
import json
import pathlib
import sys

import jsonschema
import pypdfium2
import pytiled_parser
import pytmx
from ldtkpy import api as ldtk
from PIL import Image

folder = pathlib.Path(sys.argv[1])
report = {}


def rgb(image, scale, size):
    """The colour in the middle of each square, row by row."""
    image = image.convert("RGB")
    columns, rows = size
    middle = scale // 2
    return [list(image.getpixel((y * scale + middle, x * scale + middle))) for x in range(rows) for y in range(columns)]


# pytmx: the class of each tile, and whether it has shapes to collide with.
tmx = pytmx.TiledMap(str(folder / "map.tmx"))
size = [tmx.width, tmx.height]
layer = next(layer for layer in tmx.layers if layer.name == "Dungeon")
tiles = {}
for row in layer.data:
    for gid in row:
        if gid not in tiles:
            of = tmx.get_tile_properties_by_gid(gid)
            tiles[gid] = [of["type"], of["solid"], len(of.get("colliders", []))]
report["pytmx"] = {
    "size": size,
    "seed": tmx.properties["seed"],
    "squares": [tiles[gid] for row in layer.data for gid in row],
    "objects": {
        group.name: [[each.name, each.type, each.x, each.y, each.width, each.height] for each in group]
        for group in tmx.objectgroups
        if group.name
    },
}

# pytiled-parser: both formats of Tiled, tile numbers and objects.
report["pytiled_parser"] = {}
for name in ["map.tmx", "map.tmj"]:
    tiled = pytiled_parser.parse_map(folder / name)
    layers = {layer.name: layer for layer in tiled.layers}
    report["pytiled_parser"][name] = {
        "size": list(tiled.map_size),
        "squares": [gid for row in layers["Dungeon"].data for gid in row],
        "objects": {
            name: [[each.name, each.class_, each.coordinates.x, each.coordinates.y] for each in layer.tiled_objects]
            for name, layer in layers.items()
            if name != "Dungeon"
        },
        "solid": sorted(
            number for tileset in tiled.tilesets.values() for number, tile in tileset.tiles.items() if tile.objects
        ),
    }

# jsonschema: everything, by our own schema.
schema = json.loads((folder / "schema.json").read_text())
jsonschema.validators.validator_for(schema).check_schema(schema)
everything = json.loads((folder / "map.json").read_text())
jsonschema.validate(everything, schema)
report["jsonschema"] = everything["tiles"]

# ldtkpy: types generated from LDtk's own schema.
project = ldtk.LdtkJSON.from_dict(json.loads((folder / "map.ldtk").read_text()))
level = project.levels[0]
numbers = next(layer for layer in project.defs.layers if layer.identifier == "Squares")
names = {value.value: value.identifier for value in numbers.int_grid_values}
squares = next(layer for layer in level.layer_instances if layer.identifier == "Squares")
report["ldtkpy"] = {
    "size": [squares.c_wid, squares.c_hei],
    "squares": [names[value] for value in squares.int_grid_csv],
    "entities": sorted(
        entity.identifier for layer in level.layer_instances for entity in layer.entity_instances
    ),
}

# Pillow: pictures, and the last frame of animations.
scale = 4
report["pillow"] = {}
for name in ["map.png", "map.gif", "map.apng"]:
    image = Image.open(folder / name)
    frames = getattr(image, "n_frames", 1)
    image.seek(frames - 1)
    report["pillow"][name] = {
        "size": list(image.size),
        "frames": frames,
        "squares": rgb(image, scale, size),
    }
table = json.loads((folder / "map.uvtt").read_text())
image = Image.open(io.BytesIO(base64.b64decode(table["image"], validate=True)))
report["pillow"]["map.uvtt"] = {"size": list(image.size), "frames": 1, "squares": rgb(image, scale, size)}

# PDFium, the PDF reader of Chromium: names, text, and the middle of each square of each page.
pdf = pypdfium2.PdfDocument(folder / "map.pdf")
report["pdfium"] = []
square = float(sys.argv[2])
for number in range(len(pdf)):
    page = pdf[number]
    width, height = page.get_size()
    left, foot, right, top = page.get_trimbox()
    page_scale = 2
    image = page.render(scale=page_scale).to_pil().convert("L")
    columns, rows = round((right - left) / square), round((top - foot) / square)
    shades = []
    # The first page has no trim box.
    if number > 0:
        for x in range(rows):
            across = [(left + (y + 0.5) * square) * page_scale for y in range(columns)]
            down = (height - top + (x + 0.5) * square) * page_scale
            shades.append([image.getpixel((int(at), int(down))) for at in across])
    report["pdfium"].append(
        {
            "label": pdf.get_page_label(number),
            "size": [width, height],
            "text": page.get_textpage().get_text_range(),
            "shades": shades,
        }
    )

json.dump(report, sys.stdout)
