#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The commands of a part of the walk, by the keyboard alone and through AT-SPI: each does what its row says.

Usage: test-window-commands.py HEADLIGHT SAMPLE FIXTURES COMMANDS PART PARTS…
on a display with a window manager and an accessibility bus; COMMANDS is the program's table of commands.

Which there are is asked of the program, and of keys that are no action, its table: one without a row fails in every part.
"""
import atexit
import re
import shutil
import sys
import tempfile
from pathlib import Path

from command_rows import PARTS
from command_walk import Walk
from window_driver import run_tests

BINARY, TABLE, PART = sys.argv[1], Path(sys.argv[4]).read_text(), sys.argv[5]
WORK = Path(tempfile.mkdtemp(prefix="headlight-commands-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
walk = Walk(BINARY, WORK)
walk.sample, walk.fixtures = Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()
walk.models = walk.fixtures.parent / "model"
atexit.register(walk.end)
actions = set()


def test_known():
    """Every command of the program has one row in one of the parts, and all of them are run."""
    walk.start(walk.sample, with_view=False)
    walk.program.use_page(0, from_first_head=False)
    actions.update(walk.list_actions())
    shown = re.findall(r'\{\s*\.group = \w+,\s*\.title = N_ \("([^"]*)"\)', TABLE)
    assert shown, "the table of commands has no keys that are no action"
    rows = sorted(row.name for part in PARTS.values() for _, rows in part for row in rows)
    assert rows == sorted([*actions, *shown]), set(rows) ^ {*actions, *shown} or "one has two rows"
    assert sorted(PARTS) == sorted(sys.argv[6:]), (sorted(PARTS), sys.argv[6:])
    assert not walk.describe("undo")[0], "the head that the program chose can be undone"


def make_test(open_context, row, is_first):
    def test():
        if is_first:
            open_context(walk)
        walk.run(row, actions)
    return test


def test_complaints():
    assert not walk.program.complaints(), walk.program.complaints()


def recover():
    if walk.program is not None and walk.is_alive():
        walk.program.xdotool("windowactivate", walk.program.x_window)
        walk.program.key("Escape", "Escape", "Escape")


TESTS = [(row.name, make_test(open_context, row, row is rows[0]))
         for open_context, rows in PARTS[PART] for row in rows]
run_tests([("known", test_known), *TESTS, ("complaints", test_complaints)], recover)
