#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Where the views are: in the header where there is room for them, in a bar below it, and at the bottom of a narrow window.

Usage: test-window-wide.py HEADLIGHT SAMPLE FIXTURES    on a display of 2400 pixels with a window manager and an accessibility bus
"""
import atexit
import sys

from window_driver import Program, run_tests, wait_for

BINARY, SAMPLE = sys.argv[1], sys.argv[2]

program = Program(BINARY, SAMPLE)
atexit.register(program.kill)


def find_seen(name, role):
    """Where in the window those of its bars are that are seen."""
    nodes = [node for node in program.accessibility.walk(program.main_frame()) if node.name == name and role in node.role]
    return [place for place in map(program.accessibility.get_extents, nodes) if place is not None and place[2] > 0]


def find_room():
    """Of the views, and whether they are within it; None where they are not seen once."""
    menu, switches = find_seen("Main Menu", "button"), find_seen("Views", "group")
    frame_width, frame_height = program.accessibility.get_extents(program.main_frame())[2:]
    if not menu or len(switches) != 1:
        return None
    (x, y, width, height), middle = switches[0], menu[0][1] + menu[0][3] / 2
    if y < middle < y + height:
        is_within = all(0 < left and left + across < menu[0][0] for left, _, across, _ in
                        (switches[0], *find_seen("Find Heads", "button"), *find_seen("Export the Figure", "button")))
        return "header" if is_within else None
    if x < 0 or x + width > frame_width:
        return None
    return "bottom" if y > frame_height / 2 else "bar"


def test_room():
    program.use_page(0)
    for width, room in ((2300, "header"), (1280, "bar"), (1920, "header"), (360, "bottom"), (1920, "header"), (1280, "bar")):
        program.resize(width, 860)
        wait_for(lambda: f"the views in the {room} of {width} pixels, not {find_room()}", lambda: find_room() == room)


def test_buttons():
    """They do what they do wherever they are."""
    for width in (1920, 1280):
        program.resize(width, 860)
        for name in ("Heatmap", "Model View", "Head View"):
            x, y, *_ = wait_for(name, lambda: find_seen(name, "button"))[0]
            frame = program.main_frame()
            left, top, *_ = program.accessibility.get_extents(frame)
            program.click(*program.point(frame, x - left + 12, y - top + 12))
            program.wait_view(f"{name}: ")


def test_from_which_width_on():
    """They come once and go once, however slowly the window grows and shrinks."""
    for widths, ends in ((range(1680, 1921, 40), ["bar", "header"]), (range(1920, 1679, -40), ["header", "bar"])):
        rooms = []
        for width in widths:
            program.resize(width, 860)
            rooms.append(wait_for("the views to be somewhere", find_room))
        changes = [room for room, before in zip(rooms, [None, *rooms]) if room != before]
        assert changes == ends, rooms


def test_end():
    assert not program.complaints(), "\n".join(program.complaints())
    program.key("ctrl+q")
    assert program.end() == 0


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], lambda: None)
