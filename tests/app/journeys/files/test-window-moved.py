#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A tab that is dragged to another window.

Usage: test-window-moved.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import shutil
import sys
import tempfile
from pathlib import Path

from window_driver import Program, insist, run_tests, wait_for

BINARY, SAMPLE = sys.argv[1], Path(sys.argv[2])

WORK = Path(tempfile.mkdtemp(prefix="headlight-moved-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
STAYS, GOES = (Path(shutil.copy(SAMPLE, WORK / name)) for name in ("stays.h5", "goes.h5"))
# Windows that show panels beside the picture; the second is lower, and farther right by 400.
SIZE, PLACE = (800, 560), (400, 260)

program = Program(BINARY, str(STAYS), str(GOES))
atexit.register(program.kill)
second = None


def shows_panel(path):
    """Whether the panel in the window that is called like a file stands in it, and not beyond its edge."""
    frame = program.find_frame(path.name)
    places = [program.accessibility.get_extents(node) for node in program.find_all("tab", "Details", frame)]
    return any(place is not None and place[2] > 0 and place[0] < SIZE[0] for place in places)


def test_dragged():
    global second
    program.use_page(0)
    program.wait_title(STAYS.name)
    program.key("ctrl+n")
    wait_for("two windows", lambda: len(program.frames()) == 2 and program.popups())
    (second,) = program.popups()
    for window, place in ((second, PLACE), (program.x_window, (0, 0))):
        program.xdotool("windowsize", window, *SIZE)
        program.xdotool("windowmove", window, *place)
        program.xdotool("windowactivate", "--sync", window)
        wait_for("its size", lambda: program.get_geometry(window)[2:] == SIZE)
    frame = program.find_frame(STAYS.name)

    def place_tab():
        return next((place for node in program.find_all("label", GOES.name, frame)
                     if (place := program.accessibility.get_extents(node)) and place[0] > 0 and place[1] < 120), None)

    wait_for("both tabs in the smaller window", lambda: (place := place_tab()) and place[0] < SIZE[0])

    def drag():
        left, top, width, height = place_tab()
        start, end = (left + width // 2, top + height // 2), (PLACE[0] + SIZE[0] - 120, PLACE[1] + top + height // 2)
        program.move(*start)
        program.xdotool("mousedown", 1)
        # First out of its bar, which follows the pointer for a while.
        for step in range(1, 11):
            program.xdotool("mousemove", start[0], start[1] + step * 10, "sleep", 0.04)
        for step in range(1, 21):
            program.xdotool("mousemove", *(int(a + (b - a) * step / 20) for a, b in zip((start[0], start[1] + 100), end)), "sleep", 0.04)
        for step in range(12):
            program.xdotool("mousemove", end[0] + step, end[1], "sleep", 0.05)
        program.xdotool("mouseup", 1)

    insist("the tab to go", drag, lambda: {frame.name.split(" ")[0] for frame in program.frames()} == {STAYS.name, GOES.name})


def test_own_panels():
    """Each window shows its panels or not; the tab has those of the window in which it is."""
    program.xdotool("windowactivate", "--sync", program.x_window)
    if not shows_panel(STAYS):
        program.key("ctrl+F9")
    wait_for("the panel of the first", lambda: shows_panel(STAYS))
    program.xdotool("windowactivate", "--sync", second)
    before = shows_panel(GOES)
    for _ in range(2):
        program.xdotool("key", "ctrl+F9")
        before = not before
        wait_for("the panel of the second", lambda: shows_panel(GOES) == before)
        assert shows_panel(STAYS), "the panel of the window that the tab left went with it"


def test_end():
    program.xdotool("windowactivate", "--sync", program.x_window)
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


run_tests([("dragged", test_dragged), ("own-panels", test_own_panels), ("end", test_end)], lambda: None)
