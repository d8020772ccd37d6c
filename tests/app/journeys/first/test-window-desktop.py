#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The program among others on a desktop: started without a file, its panels, preferences, and what it remembers.

Usage: test-window-desktop.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

from window_driver import Program, run_tests, wait_for

BINARY, SAMPLE, FIXTURES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
# What the model that comes along calls itself.
MODEL = "all-MiniLM-L6-v2"
WORK = Path(tempfile.mkdtemp(prefix="headlight-desktop-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
# Settings that outlive the program, in the test's own home.
os.environ["GSETTINGS_BACKEND"] = "keyfile"

dump = WORK / "an_own dump.h5"
shutil.copy(SAMPLE, dump)
program = Program(BINARY)
atexit.register(lambda: program.kill())


def activate(role, words, root=None):
    wait_for(f"“{words}” to be pressed", lambda: any(map(program.accessibility.activate, program.find_all(role, words, root))))


def wait_welcome():
    wait_for(lambda: f"the welcome page; the title is “{program.title()}”", lambda: program.title() == "Headlight")


def show_recent():
    """The names on the welcome page, the latest first."""
    lists = program.find_all("list", "Recent", program.main_frame())
    rows = [row for row in program.accessibility.walk(lists[0]) if row.role == "label"] if lists else []
    return [row.name for row in rows if row.name.endswith((".h5", ".gguf"))]


def test_welcome():
    wait_welcome()
    assert show_recent() == []
    activate("button", "Explore the Sample")
    program.wait_title(MODEL)
    program.use_page(0)
    program.wait_view("layer 0", "head 0")
    program.key("ctrl+w")
    wait_welcome()


def test_open_button():
    activate("button", "Open…")
    program.answer_chooser("Open Attention", dump)
    program.wait_title(dump.name)
    program.use_page(0)
    program.wait_view("layer 0", "head 0")
    program.key("ctrl+w")
    wait_welcome()


def test_recent():
    wait_for("two recent files", lambda: show_recent() == [dump.name, "minilm-l6-v2.gguf"])
    label = wait_for("its name", lambda: [node for node in program.find_all("label", dump.name, program.main_frame())
                                          if program.accessibility.get_extents(node)[2] > 0])[0]
    program.click(*program.point(label, 5, 5))
    program.wait_title(dump.name)
    program.use_page(0)
    program.wait_view("layer 0", "head 0")


def check_first_query(attention, tokens):
    """What the view says of the first query, once it has the focus, is of these weights."""
    program.key("ctrl+Home")
    token = tokens[0][0]
    _, description = program.wait_view(f"{token} (query 0): ")
    program.key("Escape")
    program.wait_nothing_in_focus()
    key, text = description.split(": ", 1)[1].split(", ")[0].rsplit(" ", 1)
    best = int(np.argmax(attention[0]))
    assert key == tokens[1][best] and abs(float(text) - attention[0, best]) < 0.01, (description, attention[0])


def test_blocks():
    path = FIXTURES / "encoder-decoder.h5"
    with h5py.File(path) as file:
        blocks = {name: file[f"{name}_attention"][...] for name in ("encoder", "decoder", "cross")}
        tokens = {name: [token.decode() for token in file[f"{name}_tokens"][...]] for name in ("encoder", "decoder")}
    program.open_again(path)
    program.wait_title(path.name)
    program.use_page(1)
    program.wait_view("Encoder", "layer 0", "head 0")
    program.xdotool("mousemove", 2, 2)
    check_first_query(blocks["encoder"][0, 0], (tokens["encoder"], tokens["encoder"]))
    for name, sides in (("Cross", ("decoder", "encoder")), ("Decoder", ("decoder", "decoder"))):
        activate("button", name, program.page)
        program.wait_view(name, "layer 0", "head 0")
        check_first_query(blocks[name.lower()][0, 0], [tokens[side] for side in sides])
    program.key("ctrl+w")
    program.wait_title(dump.name)
    program.use_page(0)


def image_extents():
    x, _, width, _ = program.wait_place(program.image)
    return x, x + width


def test_side_panels():
    left, right = image_extents()
    assert left > 100, left
    program.key("F9")
    wait_for("no sidebar", lambda: image_extents() == (0, right))
    program.key("F9")
    wait_for("the sidebar", lambda: image_extents() == (left, right))
    program.key("ctrl+F9")
    wait_for("no token panel", lambda: image_extents()[0] == left and image_extents()[1] > right + 100)
    program.key("ctrl+F9")
    wait_for("the token panel", lambda: image_extents() == (left, right))


def test_colour_map():
    """Of no weight, the paper's map is white and viridis, the first, is dark."""
    program.key("ctrl+2", *["alt+Down"] * 2)
    program.wait_view("Heatmap: ", "layer 2")
    x, y = program.point(program.image, 350, 300)
    program.xdotool("mousemove", 2, 2)
    wait_for("a dark picture", lambda: sum(program.get_colour(x, y)) < 450)
    program.key("ctrl+comma")
    dialog, _ = program.wait_dialog("Preferences")
    program.choose(program.wait("combo box", "Colours of Heatmaps", dialog), 0, "c")
    wait_for("a light picture", lambda: sum(program.get_colour(x, y)) > 600)
    program.close_dialog("Preferences")


def test_fullscreen():
    program.resize(1000, 700)
    program.key("F11")
    wait_for("the window to fill the display", lambda: program.get_geometry(program.x_window)[2:] == (1280, 860))
    program.key("F11")
    wait_for("the window as it was", lambda: program.get_geometry(program.x_window)[2:] == (1000, 700))


def test_remembered():
    """Size, panels, view and colours outlive the program."""
    global program
    program.key("F9")
    wait_for("no sidebar", lambda: image_extents()[0] == 0)
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())

    program = Program(BINARY, size=None)
    wait_welcome()
    wait_for(lambda: f"the size it had, not {program.get_geometry(program.x_window)}",
             lambda: program.get_geometry(program.x_window)[2:] == (1000, 700))
    wait_for(lambda: f"the recent file, not {show_recent()}", lambda: dump.name in show_recent())
    program.open_again(dump)
    program.use_page(0)
    program.wait_view("Heatmap: ")
    wait_for("no sidebar", lambda: image_extents()[0] == 0)
    x, y = program.point(program.image, 300, 300)
    wait_for("a light picture", lambda: sum(program.get_colour(x, y)) > 600)


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


def recover():
    """After a test that failed: no dialog, the dump in the first tab."""
    if program.process.poll() is None:
        program.key("Escape", "Escape", "Escape")
        program.open_again(dump)
        program.use_page(0)


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], recover)
