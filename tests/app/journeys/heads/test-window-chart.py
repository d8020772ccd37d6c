#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Charts of numbers of heads: each kind by its list, what the pointer and arrow keys are told, and from a point to its head.

Usage: test-window-chart.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import csv
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

from window_driver import Program, run_tests, wait_for

BINARY, SAMPLE = sys.argv[1:3]

WORK = Path(tempfile.mkdtemp(prefix="headlight-chart-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

program = Program(BINARY, SAMPLE)
atexit.register(program.kill)
program.use_page(0)

CHARTS = ("By Layer", "Shares by Layer", "Layers × Heads", "Heads by Distance", "Queries and Keys")
# Over the chart, from the left to the right.
PLACES = [(120 + 20 * column, 120 + 25 * row) for row in range(14) for column in range(28)]


def choose(name, mnemonic, n):
    program.choose(program.wait("combo box", name, program.page), n, mnemonic)


def test_layers():
    left = program.wait_place(program.image)[0]
    program.key("ctrl+7")
    program.wait_view("Chart: attention weight · mean over queries of entropy · by layer")
    # The sidebar is as wide as in other views.
    wait_for(f"the picture to begin at {left}", lambda: program.wait_place(program.image)[0] == left)
    program.seek(PLACES, "layer 2: entropy ")
    program.seek(PLACES, "layer 3: entropy ")


def test_keys_walk():
    program.move(*program.point(program.image, 5, 5))
    program.click(*program.point(program.image, 5, 5))
    program.key("Right")
    program.wait_view("layer 0: entropy ")
    program.key("Right", "Right")
    program.wait_view("layer 2: entropy ")
    program.key("Up")
    program.wait_view("layer 2 · head ")

    def read_entropy():
        said = re.search(r"entropy ([0-9.]+)", program.view()[1])
        return float(said[1]) if said else 0
    least = wait_for("its entropy", read_entropy)
    program.key("Up")
    wait_for("the next head", lambda: read_entropy() > least)


def test_other_number():
    choose("Number", "n", 2)
    program.wait_view("mean over queries of weight on the first token · by layer")


def test_shares():
    choose("Draw", "r", CHARTS.index("Shares by Layer"))
    program.wait_view("Chart: attention weight · shares by layer")
    program.seek(PLACES, "layer 0: [CLS] and the Like ")
    choose("Shares", "a", 1)
    program.seek(PLACES, "layer 1: vertical ")
    # Its numbers are those of all heads, the charted one with them.
    program.key("ctrl+shift+e")
    program.save_in_chooser("Export Numbers of All Heads", WORK / "chart.csv")
    program.wait_gone("Export Numbers of All Heads")
    with open(WORK / "chart.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 72 and {row["pattern"] for row in rows} >= {"vertical"}, rows[:2]


def test_numbers_of_a_quantity():
    """What is drawn is in the file whatever it is made of."""
    rng = np.random.default_rng(7)
    with h5py.File(WORK / "norms.h5", "w") as file:
        file["attention"] = np.full((2, 2, 4, 4), 0.25, np.float32)
        file["value_norms"] = rng.uniform(1, 2, (2, 2, 4)).astype(np.float32)
        norms = file["value_norms"][...]
        file["tokens"] = np.array(["[CLS]", "a", "b", "[SEP]"], dtype=h5py.string_dtype())
    session = WORK / "norms.headlight"
    state = {"view": "chart", "chart": "grid", "number": "mass-cls", "quantity": "norm"}
    session.write_text(json.dumps({"format": "headlight-session", "version": 1, "file": "norms.h5", "state": state}))
    program.open_again(session)
    program.wait_title("norms.headlight")
    program.key("ctrl+shift+e")
    program.save_in_chooser("Export Numbers of All Heads", WORK / "norms.csv")
    program.wait_gone("Export Numbers of All Heads")
    with open(WORK / "norms.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = np.array([float(row["mass-cls"]) for row in rows])
    assert np.abs(found - norms[..., 0].ravel() / 4).max() < 1e-5, (found, norms)
    program.key("ctrl+w")
    program.wait_title(Path(SAMPLE).name)


def test_grid_opens_a_head():
    choose("Draw", "r", CHARTS.index("Layers × Heads"))
    program.wait_view("layers × heads")
    x, y, _ = program.seek(PLACES, "layer 3 · head 5")
    program.click(x, y)
    program.wait_view("Head View: attention weight · layer 3 · head 5")
    program.key("ctrl+7")
    program.wait_view("layers × heads")


def test_scatter():
    choose("Draw", "r", CHARTS.index("Heads by Distance"))
    program.wait_view("heads by their distance")
    program.click(*program.point(program.image, 5, 5))

    def press():
        program.key("Right")
        return ": nearest " in program.view()[1]
    # Distances take a moment.
    wait_for("a head and those near it", press)


def test_plane_says_what_it_needs():
    choose("Draw", "r", CHARTS.index("Queries and Keys"))
    program.wait_view("layer 3 · head 5 · queries and keys in their plane")
    assert not program.complaints(), program.complaints()


TESTS = [("layers", test_layers), ("keys-walk", test_keys_walk), ("other-number", test_other_number),
         ("shares", test_shares), ("numbers-of-a-quantity", test_numbers_of_a_quantity), ("grid-opens-a-head", test_grid_opens_a_head), ("scatter", test_scatter),
         ("plane-says-what-it-needs", test_plane_says_what_it_needs)]


def recover():
    program.key("Escape", "Escape")


run_tests(TESTS, recover)
