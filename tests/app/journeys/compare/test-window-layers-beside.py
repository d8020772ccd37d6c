#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""All layers of two texts side by side, one with longer words: both begin where their labels do, and scroll together.

Usage: test-window-layers-beside.py HEADLIGHT    on a display with a window manager and an accessibility bus
"""
import atexit
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

from figure_driver import Figures
from window_driver import Program, run_tests, wait_for

BINARY = sys.argv[1]
CLI = Path(BINARY).resolve().parents[1] / "cli" / "headlight-cli"
WORK = Path(tempfile.mkdtemp(prefix="headlight-beside-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

N_LAYERS = 9
SHORT = ["she", "read", "it"]
LONG = ["yesterday", "evening", "she", "patiently", "read", "it"]


def write(name, tokens):
    scores = np.random.default_rng(len(tokens)).normal(size=(N_LAYERS, 2, len(tokens), len(tokens)))
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    with h5py.File(WORK / name, "w") as file:
        file["attention"] = weights.astype(np.float32)
        file["tokens"] = np.array([token.encode() for token in tokens])
    return WORK / name


program = Program(BINARY, str(write("short.h5", SHORT)), str(write("long.h5", LONG)))
atexit.register(lambda: program.kill())
shown = Figures(program, CLI, WORK)


def get_scrolls():
    """How far each side is scrolled, as the copied command says."""
    words = dict(word.lstrip("-").split("=", 1) for word in shlex.split(shown.copy_command()) if "=" in word)
    scroll = words.get("scroll", "0,0")
    return [float(text.split(",")[0]) for text in (scroll, words.get("other-scroll", scroll))]


def test_begin():
    program.wait_title("short.h5")
    program.use_page(0)
    program.key("ctrl+6")
    program.wait_view("All Layers: ")
    # After another head and another layer, the other tab.
    shown.compare("Down", "Down", "Return")
    program.wait("image", "A: short.h5", program.page)
    program.wait("image", "B: long.h5", program.page)
    assert get_scrolls() == [0, 0], get_scrolls()


def test_together():
    program.image = program.wait("image", "A: short.h5", program.page)
    x, y = program.point(program.image, 150, 300)
    program.move(x, y)
    program.xdotool("keydown", "shift", "click", "5", "click", "5", "keyup", "shift")

    def ask():
        a, b = get_scrolls()
        return a == b > 0
    wait_for("both to have moved", ask)


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], lambda: program.process.poll() is None and program.key("Escape"))
