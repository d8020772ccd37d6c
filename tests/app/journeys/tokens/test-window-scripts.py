#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A text that runs from right to left: layers begin on the right, for the pointer and for the keyboard, and a word in a
sentence turns nothing else over.

Usage: test-window-scripts.py HEADLIGHT    on a display with a window manager and an accessibility bus
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
WORK = Path(tempfile.mkdtemp(prefix="headlight-scripts-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

TOKENS = ["[CLS]", "שלום", "עולם", "##ים", "C++", "\u202eabc", "؟", "[SEP]"]
N_LAYERS = 3
DUMP = WORK / "hebrew.h5"
with h5py.File(DUMP, "w") as file:
    scores = np.random.default_rng(3).normal(size=(N_LAYERS, 2, len(TOKENS), len(TOKENS)))
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    file["attention"] = weights.astype(np.float32)
    file["tokens"] = np.array(TOKENS, dtype=h5py.string_dtype())

program = Program(BINARY, str(DUMP))
atexit.register(program.kill)


def isolated(word):
    return f"\u200e\u2068{word}\u2069"


def test_keys():
    program.use_page(0)
    program.key("ctrl+6")
    program.wait_view("All Layers: ")
    # Where the pointer is, the keyboard goes on.
    program.move(*program.point_nowhere())
    program.wait_nothing_in_focus()
    program.key("ctrl+Home", "Down")
    program.wait_view(f"layer 0 · {isolated('שלום')} (query 1): ")
    # To the left, as the text is read, are the higher layers.
    program.key("Left")
    program.wait_view(f"layer 1 · {isolated('שלום')} (query 1): ")
    program.key("Right", "Right", "Right", "Down")
    program.wait_view(f"input · {isolated('עולם')} (key 2): ")
    program.key("Escape")


def test_pointer():
    width, height = program.accessibility.get_extents(program.image)[2:]
    down = range(70, height, 12)
    program.seek([(width - 70, y) for y in down], "input · ")
    program.seek([(70, y) for y in down], f"layer {N_LAYERS - 1} · ")


def test_other_reading():
    # The direction is chosen for all views.
    program.key("ctrl+1")
    program.wait_view("Head View: ")
    x, y, description = program.seek([(620, y) for y in range(90, 500, 12)], isolated("שלום"))
    assert " (query 1): " in description, description


def test_rows():
    program.click(*program.seek([(620, y) for y in range(90, 500, 12)], isolated("שלום"))[:2])
    rows = wait_for("the weights of the token", lambda: program.rows() if len(program.rows()) == len(TOKENS) else None)
    words = {row.rsplit(" ", 1)[0] for row in rows}
    wanted = {"[CLS]", isolated("שלום"), isolated("עולם"), isolated("##ים"), "C++", "⟨202E⟩abc", isolated("؟"), "[SEP]"}
    assert words == wanted, (words, wanted)


def test_pair():
    program.key("Escape", "ctrl+2")
    program.wait_view("Heatmap: ")
    program.key("ctrl+Home", "Down", "Left", "Left", "Return")
    pair = f"{isolated('שלום')} → {isolated('עולם')}"
    program.wait_view(pair + " 0.")
    program.key("ctrl+shift+f")
    program.wait_view(f"weight {pair} 0.", "rank 1 of 6")
    # In the entry too, the arrow points from the query to the key, and what stands there is found again.
    program.key("ctrl+a", "ctrl+c")
    wait_for("the pair on the clipboard", lambda: program.read_clipboard("UTF8_STRING") == pair.encode())
    program.key("Return")
    program.wait_view(f"weight {pair} 0.", "rank 1 of 6")
    assert not program.complaints(), program.complaints()


TESTS = [("keys", test_keys), ("pointer", test_pointer), ("other-views", test_other_reading), ("rows", test_rows),
         ("pair", test_pair)]


def recover():
    program.key("Escape", "Escape", "ctrl+1")


run_tests(TESTS, recover)
