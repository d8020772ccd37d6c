#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Several tokens at once, by the pointer and by keys: what picture and panel say of them, and what is kept.

Usage: test-window-gather.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import shutil
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

from figure_driver import Figures
from window_driver import Program, is_shown_as, run_tests, wait_for

BINARY, SAMPLE = sys.argv[1], Path(sys.argv[2])
CLI = Path(BINARY).resolve().parent.parent / "cli" / "headlight-cli"

# In the head view of the sample, from the view's corner.
QUERIES_X, KEYS_X = 100, 655

with h5py.File(SAMPLE) as dump:
    WEIGHTS = dump["attention"][0, 0].astype(float)
    TOKENS = [token.decode() for token in dump["tokens"][...]]

WORK = Path(tempfile.mkdtemp(prefix="headlight-gather-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

program = Program(BINARY, str(SAMPLE))
atexit.register(program.kill)
figures = Figures(program, CLI, WORK)


# The middle of the first row of tokens and how far rows are apart, once they were measured.
rows = []


def get_row_y(index):
    if not rows:
        rows.extend(program.measure_rows(TOKENS, QUERIES_X))
    return rows[0] + index * rows[1]


def click(x, index, *modifiers):
    """A token, with keys held."""
    program.move(*program.point(program.image, x, get_row_y(index)))
    for key in modifiers:
        program.xdotool("keydown", key)
    program.xdotool("click", 1)
    for key in modifiers:
        program.xdotool("keyup", key)


def check_panel(name, row):
    """Title and first row of the panel are of all of them together, and so is what is said of the picture."""
    program.wait_view(name)
    program.wait("label", name, program.page)
    said = program.view()[1]
    best = int(np.argmax(row))
    assert said.startswith(name), said
    number = said.rsplit(": ", 1)[1].split(", ")[0].rsplit(" ", 1)[1]
    assert is_shown_as(row[best], number), (said, row[best])


def test_pointer():
    program.use_page(0)
    program.wait_view("Head View: attention weight")
    click(QUERIES_X, 1)
    program.wait_view("time (query 1)")
    click(QUERIES_X, 2, "Control_L")
    click(QUERIES_X, 4, "Control_L")
    check_panel("mean of 3 queries: time, flies (2), an", WEIGHTS[[1, 2, 4]].mean(axis=0))
    # Once more takes one out.
    click(QUERIES_X, 2, "Control_L")
    check_panel("mean of 2 queries: time, an", WEIGHTS[[1, 4]].mean(axis=0))
    # A key begins anew, and keys are added up.
    click(KEYS_X, 5, "Control_L")
    program.wait_view("arrow (key 5)")
    click(KEYS_X, 2, "Control_L")
    check_panel("sum of 2 keys: flies (2), arrow", WEIGHTS[:, [2, 5]].sum(axis=1))
    # So does a click without the key.
    click(KEYS_X, 3)
    program.wait_view("like (key 3)")
    click(KEYS_X, 4, "Control_L")
    program.wait_view("sum of 2 keys: like (3), an")
    program.key("Escape")
    program.move(*program.point_nowhere())
    program.wait_nothing_in_focus()


def test_keys():
    program.click(*program.point_nowhere())
    program.key("Down", "Down", "Return")
    program.wait_view("time (query 1)")
    program.key("shift+Down", "shift+Down")
    check_panel("mean of 3 queries: time, flies (2), like (3)", WEIGHTS[1:4].mean(axis=0))
    program.key("shift+Up")
    program.wait_view("mean of 2 queries: time, flies (2)")
    # Another is pointed at, and joins them.
    program.key("Down", "Down", "Down")
    program.wait_view("arrow (query 5)")
    program.key("ctrl+Return")
    program.wait_view("mean of 3 queries: time, flies (2), arrow")
    program.key("ctrl+Return")
    program.wait_view("arrow (query 5)")
    program.key("ctrl+space")
    check_panel("mean of 3 queries: time, flies (2), arrow", WEIGHTS[[1, 2, 5]].mean(axis=0))


def test_kept():
    """In a session, in the command that is copied, and from view to view."""
    command = figures.copy_command()
    assert "--token=1-2,5" in command, command
    figures.check_same(figures.copy_figure(), figures.run(command), command)
    session = WORK / "gathered.headlight"
    figures.save_session(session)
    wait_for("a session", session.exists)
    assert '"1-2,5"' in session.read_text(), session.read_text()
    program.key("ctrl+2")
    program.wait_view("Heatmap: ", "mean of 3 queries: time, flies (2), arrow")
    program.key("ctrl+1")
    program.wait_view("Head View: ", "mean of 3 queries: time, flies (2), arrow")
    # What was just said of a session goes with the pin.
    figures.save_session(WORK / "again.headlight")
    figures.wait_said("Saved “again.headlight”")
    program.key("Escape")
    program.wait_nothing_in_focus()
    assert not program.complaints(), program.complaints()


TESTS = [("pointer", test_pointer), ("keys", test_keys), ("kept", test_kept)]


def recover():
    program.key("Escape", "Escape")


run_tests(TESTS, recover)
