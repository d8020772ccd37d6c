#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A pair of tokens by the pointer: two that are clicked one after the other, or a line from one to the other.

Usage: test-window-pairs.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import re
import shutil
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

from window_driver import Program, run_tests, wait_for

BINARY = sys.argv[1]
WORK = Path(tempfile.mkdtemp(prefix="headlight-pairs-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)


class Dump:
    """Attention in which one head is far ahead for each of the pairs that are chosen below."""

    def __init__(self, name, tokens, pairs):
        n = len(tokens)
        weights = np.exp(np.random.default_rng(3).normal(0, 1, (4, 5, n, n)))
        for layer, head, query, key in pairs:
            weights[layer, head, query, key] = 20 * weights[layer, head, query].sum()
        self.path, self.tokens = WORK / name, tokens
        self.attention = (weights / weights.sum(-1, keepdims=True)).astype("f4")
        with h5py.File(self.path, "w") as file:
            file["attention"] = self.attention
            file["tokens"] = np.array(tokens, dtype=h5py.string_dtype())


dump = Dump("pairs.h5", ["a0", "b1", "c2", "d3", "e4", "f5"], ((2, 3, 1, 4), (1, 0, 3, 2), (3, 4, 5, 0)))
program = Program(BINARY, str(dump.path))
atexit.register(program.kill)
places = {}


def find_column(side):
    """From the top left of the view, a place in the middle of its height where that side's tokens are."""
    width, height = program.accessibility.get_extents(program.image)[2:]
    columns = range(int(width * 0.04), int(width * 0.35), 16)
    x, y = program.point(program.image, 0, 0)
    found = program.seek([(width - dx if side == "key" else dx, height / 2 + dy) for dx in columns for dy in (-12, 12)],
                         re.compile(rf".*\({side} \d"))
    return found[0] - x


def seek(side, index):
    """Where a token is; they stand still from test to test. Rows are spread over the height."""
    if (side, index) not in places:
        x, height = find_column(side), program.accessibility.get_extents(program.image)[3]
        places[side, index] = program.seek([(x, dy) for dy in range(40, height - 4, 12)], re.compile(rf".*\({side} {index}\b"))[:2]
    return places[side, index]


def drag(start, end, release=True):
    """Presses, and moves on in steps until the line is at its end."""
    program.move(*start)
    program.xdotool("mousedown", 1)
    for step in range(1, 11):
        program.move(*(a + (b - a) * step / 10 for a, b in zip(start, end)))
    if release:
        program.xdotool("mouseup", 1)


def leave():
    program.move(*program.point(program.image, 5, 30))


def wait_found(query, key):
    """The heads are ranked by the weight of the pair, and the pair stays in focus."""
    weights = dump.attention[:, :, query, key]
    layer, head = divmod(int(np.argmax(weights)), weights.shape[1])
    program.wait("label", f"Strongest: layer {layer} · head {head}, {weights.max():.2f}", program.page)
    leave()
    program.wait_view(f"{dump.tokens[query]} → {dump.tokens[key]} {weights.max():.2f}")
    # Other tokens are met by the pointer when none is pinned, and elsewhere, for the picture has moved under its title.
    program.key("Escape")
    program.wait_nothing_in_focus()
    places.clear()


def check_nothing_found():
    """No pair in focus and no heads that were looked for."""
    leave()
    program.wait_nothing_in_focus()
    assert not program.find_all("label", "Strongest: ", program.page)


def test_line_to_nothing():
    program.use_page(0)
    program.wait_view("Head View: ", "layer 0", "head 0")
    query, other = seek("query", 1), seek("query", 3)
    # To the room between the columns, and to a token of the same side.
    middle = (query[0] + seek("key", 4)[0]) / 2
    drag(query, (middle, query[1]))
    check_nothing_found()
    drag(query, other)
    check_nothing_found()
    # Out of the picture, where nothing is pointed at any more.
    drag(query, program.point(program.image, -60, 100))
    program.wait_nothing_in_focus()
    check_nothing_found()


def test_line_and_escape():
    drag(seek("query", 1), seek("key", 4), release=False)
    program.wait_view("b1 → e4 0.")
    # Not by program.key(), which lets go of buttons first.
    program.xdotool("key", "Escape")
    program.wait_view("e4 (key 4): ")
    program.xdotool("mouseup", 1)
    check_nothing_found()


def test_click_pins_still():
    program.click(*seek("query", 2))
    leave()
    program.wait_view("c2 (query 2): ")
    program.key("Escape")
    program.wait_nothing_in_focus()


def test_line():
    drag(seek("query", 1), seek("key", 4), release=False)
    program.wait_view("b1 → e4 0.")
    # The line can be seen: where there is none, the picture has no such colour at its end.
    x, y = seek("key", 4)

    def is_line():
        red, green, blue = program.get_colour(x, y)
        return blue > red + 60 and blue > green + 30
    wait_for("the end of the line", is_line)
    program.xdotool("mouseup", 1)
    wait_found(1, 4)


def test_line_from_key():
    drag(seek("key", 2), seek("query", 3))
    wait_found(3, 2)


def test_shift_and_click():
    query, key = seek("query", 5), seek("key", 0)
    program.click(*query)
    program.wait_view("f5 (query 5): ")
    program.move(*key)
    program.xdotool("keydown", "shift", "click", 1, "keyup", "shift")
    wait_found(5, 0)


def test_keyboard():
    """What is pinned stays; the arrows go on from it, and Enter on the other side makes the pair."""
    leave()
    program.key("ctrl+1", "ctrl+Home", "Down", "Return", "Right", "Down", "Down", "Down")
    # From the pinned query to where the keyboard is.
    program.wait_view("b1 → e4 0.")
    program.key("Left")
    program.wait_view("e4 (query 4): ")
    program.key("Right", "Return")
    wait_found(1, 4)


def test_freed_pair_is_not_told():
    """The caption does not go on about a pair that was freed."""
    program.key("ctrl+1", "ctrl+Home", "Down", "Return", "Right", "Down", "Down", "Down", "Return")
    program.wait_view("weight b1 → e4")
    program.key("Escape")
    program.wait_nothing_in_focus()
    wait_for("the caption without the pair", lambda: "b1 → e4" not in program.view()[0])


def test_replaced_pair_is_not_told():
    """Nor of one in whose place something else was pinned, in whatever way."""
    def pin_pair():
        program.key("ctrl+1", "ctrl+Home", "Left", "ctrl+Home", "Down", "Return", "Right", "Down", "Down", "Down", "Return")
        program.wait_view("weight b1 → e4")
        leave()

    pin_pair()
    program.key("ctrl+Home", "Down", "Down", "Return")
    leave()
    program.wait_view("c2 (key 2): ")
    wait_for("the caption without the pair", lambda: "b1 → e4" not in program.view()[0])
    program.key("Escape")
    program.wait_nothing_in_focus()
    assert "b1 → e4" not in program.view()[0], program.view()
    places.clear()
    # Undone.
    pin_pair()
    for _ in range(4):
        program.key("ctrl+z")
    wait_for("the caption without what was undone", lambda: "b1 → e4" not in program.view()[0])
    # And of the token of a pair that is hidden.
    pin_pair()
    program.key("h")
    program.wait_view("1 token hidden")
    wait_for("the caption without what was hidden", lambda: "weight" not in program.view()[0].replace("attention weight", ""))
    program.key("ctrl+z", "Escape", "Escape")
    program.wait_nothing_in_focus()
    places.clear()


def test_keyboard_frees():
    program.key("ctrl+1", "ctrl+Home", "Down", "Down", "Return", "Down")
    program.wait_view("d3 (query 3): ")
    program.key("Escape")
    program.wait_nothing_in_focus()


def test_repeated_among_hidden():
    """Of tokens that are there several times the one that is pointed at, however the text is shown."""
    global dump
    dump = Dump("hidden.h5", ["[CLS]", "fly", "by", "fly", "em", "##bed", "[SEP]"], ((2, 3, 3, 2), (1, 0, 4, 1)))
    program.open_again(dump.path)
    program.wait_title(dump.path.name)
    program.use_page(1)
    program.key("ctrl+shift+t")
    program.wait_view("Head View: ")
    leave()
    drag(seek("query", 3), seek("key", 2))
    wait_found(3, 2)
    program.key("ctrl+shift+w")
    program.wait_view("Head View: ")
    places.clear()
    leave()
    drag(seek("query", 4), seek("key", 1))
    program.wait("text box", "Find Heads by Two Words", program.page)
    weights = dump.attention[:, :, 4:6, 1].mean(-1)
    program.wait("label", f"Strongest: layer 1 · head 0, {weights.max():.2f}", program.page)


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


def recover():
    if program.process.poll() is None:
        program.xdotool("mouseup", 1)
        program.key("Escape", "Escape")


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], recover)
