#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How a long text is read: tokens found, the way tokens run, the map of the whole, all layers at once.

Usage: test-window-layouts.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
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
WORK = Path(tempfile.mkdtemp(prefix="headlight-layouts-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

# A text too long for the window: a word in pieces in three places, one of them the last.
N = 300
TOKENS = [f"w{i}" for i in range(N)]
for place in (40, 150, 298):
    TOKENS[place:place + 2] = ["att", "##ention"]
LONG = WORK / "long.h5"
with h5py.File(LONG, "w") as file:
    scores = np.random.default_rng(7).normal(size=(3, 2, N, N)) * 2
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    file["attention"] = weights.astype(np.float32)
    file["tokens"] = np.array([token.encode() for token in TOKENS])

# From the edge of the view to the middle of the first token, where tokens run across.
FIRST_TOKEN = 68

program = Program(BINARY, str(LONG))
atexit.register(program.kill)


def entry():
    return program.wait("search box", "Find a Token", program.page)


def wait_count(text):
    wait_for(lambda: f"“{text}” tokens found; it says “{entry().description}”", lambda: entry().description == text)


def choose_side(name):
    node = wait_for(f"“{name}”", lambda: [node for node in program.accessibility.walk(program.page)
                                         if node.name == name and "button" in node.role])[0]
    program.click(*program.point(node, 12, 12))


def find(text):
    program.key("ctrl+f", "ctrl+a")
    program.type(text)


def test_find():
    program.use_page(0)
    top = program.wait_place(program.image)[1]
    find("ATTENTION")
    wait_for("room for the bar", lambda: program.accessibility.get_extents(program.image)[1] > top)
    wait_count("1 of 3")
    program.wait_view("att (query 40): ")
    program.key("Return")
    program.wait_view("att (query 150): ")
    wait_count("2 of 3")
    program.key("ctrl+g")
    program.wait_view("att (query 298): ")
    # After the last comes the first, and before the first the last.
    program.key("Return")
    program.wait_view("att (query 40): ")
    program.key("shift+Return")
    program.wait_view("att (query 298): ")
    program.key("ctrl+shift+g")
    program.wait_view("att (query 150): ")
    wait_count("2 of 3")
    # Keys for an empty entry do not reach the heads.
    program.key("ctrl+a", "BackSpace", "ctrl+a")
    wait_count("")
    program.take_keys(3)
    assert "layer 0 · head 0" in program.view()[0], program.view()


def test_not_found():
    find("attentions")
    wait_count("Not found")
    # What was found stays.
    program.wait_view("att (query 150): ")
    program.key("BackSpace")
    wait_count("2 of 3")


def test_escape():
    top = program.wait_place(program.image)[1]
    program.key("Escape")
    wait_for("the bar to leave its room", lambda: program.accessibility.get_extents(program.image)[1] < top)
    # The keyboard is the scene's again, and the pin is still there.
    program.wait_view("att (query 150): ")
    program.key("Down")
    program.wait_view("##ention (query 151): ")
    # The next from there, and the bar shows which it is.
    program.key("ctrl+g")
    program.wait_view("att (query 298): ")
    wait_count("3 of 3")


def test_keys():
    find("##")
    wait_count("3 of 3")
    choose_side("Keys")
    wait_count("3 found")
    program.key("ctrl+g")
    program.wait_view("##ention (key 41): ")
    # A pinned key is searched on from.
    program.key("ctrl+g")
    program.wait_view("##ention (key 151): ")


def test_heatmap():
    program.key("ctrl+2")
    program.wait_view("Heatmap: ", "##ention (key 151): ")
    program.key("ctrl+plus", "ctrl+plus", "ctrl+plus", "ctrl+plus")
    find("w299")
    wait_count("Not found")
    find("w297")
    wait_count("1 of 1")
    program.wait_view("w297 (key 297): ")
    program.key("Escape", "Escape")
    program.key("ctrl+0", "ctrl+1")


def choose(steps):
    """From the menu of the document, by keys: up from below its end to its menu of the view, and so many up in that. The
    keyboard is the scene's again after that."""
    program.click(*program.point(program.wait("button", "Document Menu", program.main_frame()), 16, 16))
    menu = wait_for("a menu", program.popups)[0]

    def read_menu():
        return program.read_picture(*program.get_geometry(menu))
    whole = program.wait_still("the menu", read_menu)
    program.key(*["Up"] * 6)
    program.wait_still("the menu", read_menu)
    program.key("Return")
    # It slides away, and nothing but its picture says when the other is there.
    wait_for("the menu of the view", lambda: read_menu() != whole)
    program.wait_still("the menu of the view", read_menu)
    program.key(*["Up"] * steps, "Return")
    wait_for("the menu to close", lambda: menu not in program.popups())
    # Over no token.
    program.move(*program.point(program.image, 6, 50))


def seek_first(x):
    """Where the pointer meets the first query, so far from the left of the view: down through its label, in steps so small
    that it does not matter if what the view says is of the point before."""
    height = program.wait_place(program.image)[3]
    program.move(*program.point(program.image, 20, 50))
    program.wait_nothing_in_focus()
    return program.seek([(x, y) for y in range(60, height, 6)], "w0 (query 0)")


def seek_next(first, step):
    """To the query beside the first, a step of a few pixels at a time."""
    x, y = program.point(program.image, 0, 0)
    return program.seek([(first[0] - x + step * i, first[1] - y) for i in range(1, 12)], "w1 (query 1)")


def test_across():
    program.key("Escape", "Escape", "ctrl+1")
    program.wait_nothing_in_focus()
    choose(5)
    program.key("ctrl+Home")
    program.wait_view("w0 (query 0): ")
    program.key("Right")
    program.wait_view("w1 (query 1): ")
    program.key("Down")
    program.wait_view("w1 (key 1): ")
    program.key("Left", "Up")
    program.wait_view("w0 (query 0): ")
    first = seek_first(FIRST_TOKEN)
    # The next is beside it; the wheel goes on along the text.
    seek_next(first, 4)
    program.xdotool("click", "--repeat", 40, "--delay", 10, 5)
    wait_for("another token", lambda: "(query " in program.view()[1] and "w1 (" not in program.view()[1])
    find("w297")
    program.wait_view("w297 (key 297): ")
    program.key("Escape", "Escape")


def test_right_to_left():
    choose(2)
    program.key("ctrl+Home")
    program.wait_view("w0 (query 0): ")
    program.key("Left")
    program.wait_view("w1 (query 1): ")
    width = program.wait_place(program.image)[2]
    first = seek_first(width - FIRST_TOKEN)
    seek_next(first, -4)
    choose(6)
    program.key("ctrl+Home")
    program.wait_view("w0 (query 0): ")
    # Keys are on the left now.
    program.key("Left")
    program.wait_view("w0 (key 0): ")
    program.key("Escape")


def maps():
    """What the maps of the text say is in view."""
    return [node.description for node in program.find_all("scroll bar", "Map of the Text", program.page)]


def find_map():
    """That which is seen."""
    return wait_for("a map", lambda: [node for node in program.find_all("scroll bar", "Map of the Text", program.page)
                                      if program.accessibility.get_extents(node)[2] > 0])[0]


def wait_in_view(first, last=None):
    def ask():
        for said in maps():
            match = re.fullmatch(r"Tokens (\d+) to (\d+) of 300", said)
            if match and (first is None or int(match[1]) == first) and (last is None or int(match[2]) == last):
                return match
        return None
    return wait_for(lambda: f"the map to say {first} to {last}; it says {maps()}", ask)


def wait_middle(token, tolerance):
    """Until what is in view is around the token."""
    def ask():
        match = wait_in_view(None)
        return abs((int(match[1]) + int(match[2])) / 2 - token) < tolerance
    wait_for(lambda: f"a view around {token}, not {maps()}", ask)


def test_map():
    program.key("Escape", "ctrl+1", "ctrl+Home")
    match = wait_in_view(1)
    n = int(match[2])
    assert 15 < n < 60, match[0]
    strip = find_map()
    height = program.wait_place(strip)[3]
    # It is a picture of all the lines, in the colour of their head, also where they are not in view.
    wait_for("the miniature", lambda: all(blue > red + 15 for red, _, blue in (
        program.get_colour(*program.point(strip, 20, height * part)) for part in (0.6, 0.7, 0.8))))
    # A click: its middle is there.
    program.click(*program.point(strip, 15, height / 2))
    wait_middle(150, 6)
    # A drag by the frame: half of the strip is half of the text.
    program.move(*program.point(strip, 15, height / 2))
    program.xdotool("mousedown", 1)
    for part in (0.4, 0.3, 0.25):
        program.move(*program.point(strip, 15, height * part))
    program.xdotool("mouseup", 1)
    wait_middle(75, 8)
    # It has the keyboard now.
    program.key("End")
    wait_in_view(None, 300)
    program.key("Home")
    wait_in_view(1)
    program.key("Page_Down")
    wait_for(lambda: f"the next page of {n}, not {maps()}", lambda: abs(int(wait_in_view(None)[1]) - 0.9 * n) < 4)


def test_map_of_all_layers():
    program.key("ctrl+6")
    program.wait_view("All Layers: ")
    wait_in_view(1)
    strip = find_map()
    height = program.wait_place(strip)[3]
    program.click(*program.point(strip, 15, height / 2))
    wait_middle(150, 6)
    program.key("Home", "ctrl+1")
    program.wait_view("Head View: ")


def test_map_of_heatmap():
    program.key("ctrl+2")
    program.wait_view("Heatmap: ")
    # All fits: there is nothing to map, and the room is the picture's.
    left, _, width, _ = program.wait_place(program.picker())
    # Between the sidebar and the panel, which is no wider than it, but for margins.
    wait_for("all the room", lambda: program.accessibility.get_extents(program.image)[2] >= 1280 - 2 * (left + width + 20))
    width = program.wait_place(program.image)[2]
    program.key(*["ctrl+plus"] * 5)
    wait_for("room for the map", lambda: program.accessibility.get_extents(program.image)[2] < width)
    program.key("ctrl+0")
    wait_for("all the room again", lambda: program.accessibility.get_extents(program.image)[2] == width)
    program.key("ctrl+1")


def test_all_layers():
    program.key("ctrl+6")
    program.wait_view("All Layers: ", "3 layers")
    program.key("ctrl+f")
    choose_side("Queries")
    find("w10")
    program.wait_view("layer 0 · w10 (query 10): ")
    # The text is still read from the right.
    program.key("Escape", "Left")
    program.wait_view("layer 1 · w10 (query 10): ")
    program.key("Right", "Right", "Down")
    program.wait_view("input · w11 (key 11): ")
    program.key("Escape", "ctrl+1")
    program.wait_view("Head View: ")


def test_model_view():
    program.key("ctrl+3")
    program.wait_view("Model View: ")
    program.key("ctrl+f")
    program.key("ctrl+1")
    program.wait_view("Head View: ")
    assert not program.complaints(), program.complaints()


TESTS = [("find", test_find), ("not-found", test_not_found), ("escape", test_escape), ("keys", test_keys),
         ("heatmap", test_heatmap),
         ("across", test_across), ("right-to-left", test_right_to_left),
         ("map", test_map), ("map-of-all-layers", test_map_of_all_layers),
         ("map-of-heatmap", test_map_of_heatmap),
         ("all-layers", test_all_layers), ("model-view", test_model_view)]


def recover():
    program.key("Escape", "Escape", "ctrl+1")


run_tests(TESTS, recover)
