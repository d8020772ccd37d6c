#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Two long texts that differ, which are aligned in a worker: side by side, as difference, in words, without tokens that are hidden.

Usage: test-window-align.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import shutil
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

from window_driver import Program, run_tests, wait_for

BINARY = sys.argv[1]
WORK = Path(tempfile.mkdtemp(prefix="headlight-align-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

# The second text begins with two tokens more, and of the others every tenth is another; pieces of words among them.
N = 5000
PLACE = 2003
RANDOM = np.random.default_rng(11)
FIRST = [f"w{number}" if number % 3 else f"##w{number}" for number in RANDOM.integers(1, 200, N)]
FIRST[PLACE - 1:PLACE + 2] = ["before", "landmark", "after"]
SECOND = ["more", "tokens"] + [f"x{i}" if i % 10 == 0 else token for i, token in enumerate(FIRST)]


def write(name, tokens):
    path = WORK / name
    with h5py.File(path, "w") as file:
        for part in ("queries", "keys"):
            file[part] = RANDOM.normal(size=(2, 2, len(tokens), 4)).astype(np.float32)
        file["tokens"] = np.array([token.encode() for token in tokens])
    return path


A, B = write("first.h5", FIRST), write("second.h5", SECOND)

program = Program(BINARY, str(A))
atexit.register(program.kill)


def images(*words):
    nodes = [node for node in program.accessibility.walk(program.page) if node.role == "image" and "attention weight" in node.name]
    return [node for node in nodes if all(word in node.name for word in words)]


def wait_image(*words):
    return wait_for(lambda: f"a picture of {words}; there are {[node.name for node in images()]}", lambda: images(*words))[0]


def wait_description(node, *words):
    def ask():
        return program.accessibility.read([node]) and all(word in node.description for word in words)
    wait_for(lambda: f"{node.name} to say {words}; it says “{node.description}”", ask)


def find(text):
    program.key("ctrl+f", "ctrl+a")
    program.type(text)


def test_side_by_side():
    """What is pinned on one side is pinned on the other as soon as the texts are aligned."""
    program.use_page(0)
    program.key("ctrl+2")
    program.wait_view("Heatmap")
    program.open_again(B)
    program.wait_title(B.name)
    program.use_page(1)
    program.wait_view("layer 0")
    program.key("ctrl+Page_Up")
    program.wait_title(A.name)
    program.use_page(0)
    find("landmark")
    program.wait_view(f"landmark (query {PLACE})")
    program.key("Escape", "ctrl+d")
    program.wait_dialog("Compare With")
    # After another head and another layer.
    program.key("Down", "Down", "Return")
    program.wait_gone("Compare With")
    wait_description(wait_image("A: " + A.name), f"landmark (query {PLACE})")
    wait_description(wait_image("B: " + B.name), f"landmark (query {PLACE + 2})")


def test_another_token():
    find("after")
    wait_description(wait_image("· B"), f"after (query {PLACE + 3})")
    find("landmark")
    wait_description(wait_image("· B"), f"landmark (query {PLACE + 2})")
    program.key("Escape")


def test_difference():
    program.key("ctrl+m")
    program.image = wait_image("difference B − A", "A: " + A.name, "B: " + B.name)
    wait_description(program.image, "landmark")


def test_words():
    """Words are other tokens, which must be aligned again while the difference is shown."""
    program.key("ctrl+shift+w")
    program.image = wait_image("difference B − A", "whole words")
    wait_description(program.image, "landmark")
    program.key("ctrl+m")
    wait_image("whole words", "· A")
    wait_description(wait_image("whole words", "· B"), "landmark")
    program.key("ctrl+shift+w")
    wait_for("the pieces", lambda: not images("whole words") and images("· B"))
    wait_description(wait_image("· B"), f"landmark (query {PLACE + 2})")


def test_stop():
    program.key("ctrl+shift+d")
    wait_for("the second side to go", lambda: not images("· A") and images())


def test_silent():
    """All this without one warning, and the program goes when it is told to."""
    assert not program.complaints(), program.complaints()
    program.key("ctrl+q")
    assert program.end() == 0


run_tests([("side-by-side", test_side_by_side), ("another-token", test_another_token), ("difference", test_difference),
           ("words", test_words), ("stop", test_stop), ("silent", test_silent)],
          lambda: program.key("Escape"))
