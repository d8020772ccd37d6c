#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The picture view: an image whose patches are tokens, by pointer, by keys and by its panel.

Usage: test-window-picture.py HEADLIGHT    on a display with a window manager and an accessibility bus
"""
import atexit
import re
import shutil
import sys
import tempfile
from pathlib import Path

import h5py
import numpy
from window_driver import Program, run_tests, wait_for

BINARY = sys.argv[1]
SIDE = 8

WORK = Path(tempfile.mkdtemp(prefix="headlight-picture-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)


def make_dump(path):
    """Each patch looks at its right neighbour most, CLS at patch 2,3."""
    n = SIDE * SIDE + 1
    weights = numpy.full((2, 2, n, n), 0.5 / (n - 1), "float32")
    for query in range(n):
        key = 1 + SIDE + 2 if query == 0 else 1 + query % (n - 1)
        weights[:, :, query, key] = 0.5
    rows, columns = numpy.mgrid[0:64, 0:64]
    with h5py.File(path, "w") as file:
        file["attention"] = weights
        file["image"] = numpy.stack([rows * 4, columns * 4, 255 - rows * 4], -1).astype("uint8")
        file["tokens"] = ["CLS"] + [f"patch {row},{column}" for row in range(1, SIDE + 1) for column in range(1, SIDE + 1)]


make_dump(WORK / "picture.h5")
program = Program(BINARY, WORK / "picture.h5")
atexit.register(program.kill)
program.use_page(0)

# Over the patches, as wide as they are in a window of the usual size, and where what stands beside them begins.
PITCH = 68
PLACES = [(49 + PITCH * column, 123 + PITCH * row) for row in range(8) for column in range(8)]
BESIDE = [(570 + 12 * column, 99) for column in range(8)]


def test_patches():
    program.key("ctrl+8")
    program.wait_view("Picture: attention weight · layer 0 · head 0")
    program.seek(PLACES, "patch 3,2 (query 18): patch 3,3 0.50")
    x, y, _ = program.seek(BESIDE, "CLS (query 0): patch 2,3 0.50")
    program.click(x, y)
    program.move(*program.point_nowhere())
    program.wait_view("CLS (query 0): patch 2,3 0.50")
    # Where a key leads from a pin is told as a pair with it.
    program.key("Left")
    program.wait_view("CLS → patch 1,8 ")
    program.key("Escape", "Escape")


def test_keys():
    program.move(*program.point(program.image, 5, 5))
    program.click(*program.point(program.image, 5, 5))
    program.key("Right")
    program.wait_view("CLS (query 0)")
    program.key("Left")
    first = wait_for("a patch", lambda: re.search(r"^patch (\d+),8 ", program.view()[1]))
    program.key("Down")
    program.wait_view(f"patch {int(first[1]) + 1},8 (query ")
    program.key("Left")
    program.wait_view(f"patch {int(first[1]) + 1},7 (query ")


def test_panel():
    place = program.seek(PLACES, "patch 2,2 (query 10)")
    x, y, _ = program.seek(BESIDE, "CLS (query 0)")
    program.click(x, y)
    program.wait_view("CLS (query 0)")
    # Beside patch 2,3, which CLS looks at: its colour comes over where patches run into one another.
    read = lambda: program.get_colour(place[0] + 26, place[1])
    before = program.wait_still("the picture", read)
    program.key("alt+r")
    wait_for("another colour", lambda: sum(abs(a - b) for a, b in zip(read(), before)) > 40)
    program.key("alt+r")
    wait_for("the colour that it had", lambda: read() == before)
    program.key("Escape")


def pin_cls():
    """Where a patch is that CLS hardly looks at, and the one that it looks at most."""
    x, y, _ = program.seek(BESIDE, "CLS (query 0)")
    program.click(x, y)
    program.move(*program.point_nowhere())
    program.wait_view("CLS (query 0): patch 2,3 0.50")
    left, top = program.point(program.image, *PLACES[SIDE + 2])
    return (left + 2 * PITCH, top + 2 * PITCH), (left, top)


def wait_colour(place, holds):
    return wait_for(f"another colour than {program.get_colour(*place)}",
                    lambda: (colour := program.get_colour(*place)) and holds(colour) and colour)


def test_heat_by_keys():
    weak, strong = pin_cls()
    coloured = program.wait_still("the picture", lambda: (program.get_colour(*weak), program.get_colour(*strong)))
    # Dark but for what is attended to: there the image is as it is in the file.
    program.choose(program.wait("combo box", "Heat", program.page), 1, "a")
    wait_colour(weak, lambda colour: sum(colour) < sum(coloured[0]) - 60)
    row, column = 64 // SIDE * 1.5, 64 // SIDE * 2.5
    wait_colour(strong, lambda colour: all(abs(a - b) < 24 for a, b in zip(colour, (row * 4, column * 4, 255 - row * 4))))
    program.choose(program.wait("combo box", "Heat", program.page), 0, "a")
    wait_for("the colours", lambda: (program.get_colour(*weak), program.get_colour(*strong)) == coloured)
    program.key("Escape")


def test_opacity_by_keys():
    weak, strong = pin_cls()
    before = program.wait_still("the picture", lambda: program.get_colour(*strong))
    program.key("alt+y")
    program.take_keys()
    wait_for("the slider to have the keyboard", lambda: "Opacity" in program.get_focused())
    program.key("Home")
    row, column = 64 // SIDE * 1.5, 64 // SIDE * 2.5
    image = (row * 4, column * 4, 255 - row * 4)
    wait_colour(strong, lambda colour: all(abs(a - b) < 24 for a, b in zip(colour, image)))
    # Step by step more of the heat, until nothing of the image is seen.
    program.key("Right", "Right", "Right", "Right")
    part = wait_colour(strong, lambda colour: sum(abs(a - b) for a, b in zip(colour, image)) > 40)
    program.key("End")
    full = wait_colour(strong, lambda colour: sum(abs(a - b) for a, b in zip(colour, part)) > 40)
    assert full[0] > 200 and full[1] > 180 and full[2] < 90, full
    assert sum(abs(a - b) for a, b in zip(full, image)) > sum(abs(a - b) for a, b in zip(before, image)) - 12, (full, before)
    program.key("Escape")


def test_other_views_name_patches():
    program.key("ctrl+1")
    program.wait_view("Head View: attention weight · layer 0 · head 0")
    program.key("ctrl+8")
    program.wait_view("Picture: attention weight")
    assert not program.complaints(), program.complaints()


TESTS = [("patches", test_patches), ("keys", test_keys), ("panel", test_panel),
         ("heat-by-keys", test_heat_by_keys), ("opacity-by-keys", test_opacity_by_keys),
         ("other-views-name-patches", test_other_views_name_patches)]


def recover():
    program.key("Escape", "Escape")


run_tests(TESTS, recover)
