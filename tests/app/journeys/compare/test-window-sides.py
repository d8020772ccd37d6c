#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Two texts compared: what the token in focus attends to on both sides, side by side and as difference.

Usage: test-window-sides.py HEADLIGHT    on a display with a window manager and an accessibility bus
"""
import atexit
import shutil
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np

from window_driver import Program, is_shown_as, run_tests, wait_for

BINARY = sys.argv[1]
WORK = Path(tempfile.mkdtemp(prefix="headlight-sides-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

TOKENS = ["one", "time", "flies", "like", "arrow"]
OTHER_TOKENS = ["one", "time", "old", "flies", "arrow"]
# Those of both in their order, each with its index in the one text and in the other.
BOTH = [("one", 0, 0), ("time", 1, 1), ("old", None, 2), ("flies", 2, 3), ("like", 3, None), ("arrow", 4, 4)]


def make_dump(name, tokens, seed, n_heads=2):
    maps = np.random.default_rng(seed).dirichlet(np.full(len(tokens), 2), (2, n_heads, len(tokens))).astype(np.float32)
    with h5py.File(WORK / name, "w") as file:
        file["attention"] = maps
        file["tokens"] = np.array(tokens, dtype=h5py.string_dtype())
    return maps.astype(float)


MAPS, OTHER_MAPS = make_dump("one.h5", TOKENS, 1), make_dump("two.h5", OTHER_TOKENS, 2)
program = Program(BINARY, str(WORK / "one.h5"))
atexit.register(program.kill)


def images(*words):
    nodes = [node for node in program.accessibility.walk(program.page) if node.role == "image" and "attention weight" in node.name]
    return [node for node in nodes if all(word in node.name for word in words)]


def wait_image(*words):
    return wait_for(lambda: f"a picture of {words}; there are {[node.name for node in images()]}", lambda: images(*words))[0]


def rows():
    lists = program.find_all("list", "Weights", program.page)
    names = [node.name for node in program.accessibility.children(lists[:1])]
    return [name for name in names if name]


def parse(text):
    return None if text == "–" else text


def matches(shown, value):
    if value is None or shown is None:
        return shown is None and value is None
    sign = "-" if value < 0 else ""
    shown = shown.replace("−", "-")
    return ("-" in shown) == (sign == "-") and is_shown_as(abs(value), shown.replace("-", "").replace(">", "<"))


def wait_rows(words, is_right):
    """The rows of the panel once they are those."""
    return wait_for(lambda: f"{words}; the panel has {rows()}", lambda: is_right(rows()))


def weights(query, column=False):
    """What the token gives to each on both sides; or gets, column by column."""
    name, own, other = query
    a = None if own is None else MAPS[0, 0][:, own] if column else MAPS[0, 0][own]
    b = None if other is None else OTHER_MAPS[0, 0][:, other] if column else OTHER_MAPS[0, 0][other]
    return [(token, None if a is None or i is None else a[i], None if b is None or j is None else b[j]) for token, i, j in BOTH]


def is_list_of(expected):
    def check(names):
        if len(names) != len(expected):
            return False
        for name, (token, a, b, *difference) in zip(names, expected):
            head, _, tail = name.partition(": ")
            parts = tail.replace("other side ", "").replace("difference ", "").split(", ")
            if head != token or len(parts) != 2 + len(difference):
                return False
            if not all(matches(parse(part), value) for part, value in zip(parts, (a, b, *difference))):
                return False
        return True
    return check


def point_at(image, token, step=9):
    """At the first cell of a query: its row is sought down through the middle of the map, or upwards with a step below zero."""
    program.image = image
    width, height = program.wait_place(image)[2:]
    downwards = range(100, height, abs(step))
    middle = [(width // 2, y) for y in (downwards if step > 0 else reversed(downwards))]
    y = program.seek(middle, f"{token} → ")[1] - program.point(image, 0, 0)[1]
    program.seek([(x, y) for x in range(60, width, 7)], f"{token} → ")


def by_larger(entries):
    listed = [entry for entry in entries if entry[1] is not None or entry[2] is not None]
    return sorted(listed, key=lambda entry: -max(entry[1] or 0, entry[2] or 0))


def test_side_by_side():
    program.open_again(WORK / "two.h5")
    program.wait_title("two.h5")
    program.key("ctrl+Page_Up")
    program.wait_title("one.h5")
    program.use_page(0)
    program.key("ctrl+2")
    program.wait_view("Heatmap")
    program.key("ctrl+d")
    program.wait_dialog("Compare With")
    # After another head and another layer, the other tab.
    program.key("Down", "Down", "Return")
    program.wait_gone("Compare With")
    a, b = wait_image("A: one.h5"), wait_image("B: two.h5")
    expected = by_larger(weights(BOTH[1]))
    for image in (a, b):
        point_at(image, "time")
        wait_rows(expected, is_list_of(expected))
    program.wait("label", ", A head 0, B head 0", program.page)
    program.wait("label", "row sum A 1.000, B 1.000", program.page)
    # Each side has an order of its own.
    wait_for("no ranks", lambda: not program.find_all("label", "rank ", program.page))


def test_one_side_only():
    """A token of one side only, whichever it is."""
    a, b = wait_image("A: one.h5"), wait_image("B: two.h5")
    for image, token in ((a, BOTH[4]), (b, BOTH[2])):
        expected = by_larger(weights(token))
        point_at(image, token[0])
        wait_rows(expected, is_list_of(expected))


def test_copy():
    point_at(wait_image("A: one.h5"), "flies")
    expected = by_larger(weights(BOTH[3]))
    wait_rows(expected, is_list_of(expected))
    program.key("ctrl+shift+c")

    def ask():
        text = program.read_clipboard("text/plain;charset=utf-8")
        lines = [line.split("\t") for line in text.decode().splitlines()] if text else []
        return lines if [line[0] for line in lines] == [entry[0] for entry in expected] else None
    for line, (token, a, b) in zip(wait_for("the table on the clipboard", ask), expected):
        for text, value in zip(line[2:], (a, b, None if a is None or b is None else b - a)):
            assert (text == "") == (value is None) and (value is None or abs(float(text) - value) < 1e-6), (line, a, b)


def test_difference():
    program.key("ctrl+m")
    image = wait_image("difference B − A")
    point_at(image, "arrow", -9)
    expected = [(token, a, b, b - a) for token, a, b in weights(BOTH[5]) if a is not None and b is not None]
    expected.sort(key=lambda entry: -abs(entry[3]))
    # What only one side has does not differ by any number.
    wait_rows(expected, lambda names: is_list_of(expected)(names[:len(expected)]) and len(names) > len(expected) and
              all(name.endswith("difference –") for name in names[len(expected):]))
    program.key("ctrl+m")
    wait_image("A: one.h5")


def test_stop():
    program.key("ctrl+shift+d")
    wait_for("one side", lambda: not images("· A") and images())
    point_at(wait_image("layer 0"), "time")
    wait_rows("plain rows", lambda names: names and not any("other side" in name for name in names))


def find_first_row(image):
    """How far the first token is below the top of a picture, to the pixel."""
    program.image = image
    width, height = program.wait_place(image)[2:]
    # Of queries there is one column, in the left half; a row is at least 28 pixels high.
    x, y, _ = program.seek([(x, y) for y in range(6, height, 12) for x in range(width // 24, width // 2, width // 24)], "one (query 0)")
    while True:
        program.move(x, y - 1)
        time.sleep(0.15)
        if not program.view()[1].startswith("one (query 0)"):
            return y - program.point(image, 0, 0)[1]
        y -= 1


def check_room(a, b):
    """Beside the table of heads both keep room for their lines, and where there is too little of it the panel goes."""
    def measure():
        return [program.accessibility.get_extents(image)[2] for image in (a, b)]

    def is_halved(least):
        widths = measure()
        return min(widths) >= least and abs(widths[0] - widths[1]) <= 8
    program.key("ctrl+shift+h")
    program.wait("text box", "Find Heads by Two Words", program.page)
    wait_for(lambda: f"room for two pictures, not {measure()}", lambda: is_halved(330))
    program.resize(800, 600)
    wait_for(lambda: f"half of a smaller window, not {measure()}", lambda: is_halved(305))
    program.key("Escape", "F6")
    program.resize(1280, 860)
    wait_for(lambda: f"half of the window, not {measure()}", lambda: is_halved(330))


def test_rows_level():
    """Two pictures of a pixel's difference in width begin as high, also where the chips of one have no room in one line."""
    make_dump("wide.h5", TOKENS, 3, 12)
    program.open_again(WORK / "wide.h5")
    program.wait_title("wide.h5")
    program.use_page(2)
    program.key("ctrl+d")
    program.wait_dialog("Compare With")
    program.key("Return")
    program.wait_gone("Compare With")
    a, b = wait_image("A: 0·0"), wait_image("B: 0·1")

    def are_level():
        (_, top, _, height), (_, other_top, _, other_height) = map(program.wait_place, (a, b))
        return top == other_top and height == other_height
    wait_for(lambda: f"both as high, not {[program.wait_place(image) for image in (a, b)]}", are_level)
    assert find_first_row(a) == find_first_row(b)
    program.wait("label", "0·0 | 0·1")
    check_room(a, b)
    program.key("ctrl+shift+d")
    wait_for("the tab to have its name again", lambda: not program.find_all("label", "0·0 | 0·1"))


def test_room():
    """The sidebar, which has no room beside two pictures, is there in a tab that shows one."""
    def stands(name, there):
        program.wait_title(name)
        program.use_page(("one.h5", "two.h5", "wide.h5").index(name))

        def is_so():
            places = [program.accessibility.get_extents(node) for node in images()]
            return places and (min(place[0] for place in places if place) > 100) == there
        wait_for(lambda: f"{'the' if there else 'no'} sidebar beside {name}", is_so)
    program.resize(900, 600)
    program.open_again(WORK / "two.h5")
    stands("two.h5", True)
    program.key("ctrl+d")
    program.wait_dialog("Compare With")
    program.key("Return")
    program.wait_gone("Compare With")
    stands("two.h5", False)
    program.key("ctrl+Tab")
    stands("wide.h5", True)
    program.key("ctrl+shift+Tab")
    stands("two.h5", False)
    program.key("ctrl+Tab")
    stands("wide.h5", True)


def test_end():
    assert not program.complaints(), "\n".join(program.complaints())
    program.key("ctrl+q")
    assert program.end() == 0


def recover():
    """After a test that failed: no dialog."""
    if program.process.poll() is None:
        program.key("Escape", "Escape")


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], recover)
