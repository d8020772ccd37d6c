#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Heads of several layers are chosen in the model view, the picker and the table, and seen together in the head view.

Usage: test-window-guests.py HEADLIGHT    on a display with a window manager and an accessibility bus
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
WORK = Path(tempfile.mkdtemp(prefix="headlight-guests-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

TOKENS = ["[CLS]", "the", "cat", "sat", "on", "the", "mat", "[SEP]"]
N_LAYERS, N_HEADS = 4, 4


def make_dump(path):
    rng = np.random.default_rng(4)
    weights = np.exp(rng.normal(0, 2, (N_LAYERS, N_HEADS, len(TOKENS), len(TOKENS))))
    weights /= weights.sum(-1, keepdims=True)
    with h5py.File(path, "w") as file:
        file["attention"] = weights.astype("f4")
        file["tokens"] = np.array(TOKENS, dtype=h5py.string_dtype())
    return weights


dump = WORK / "guests.h5"
ATTENTION = make_dump(dump)
program = Program(BINARY, str(dump))
atexit.register(program.kill)


def find_map(layer, head):
    """A point of the view where the head's thumbnail is."""
    _, _, width, height = program.wait_place(program.image)
    points = [(60 + (head + 0.5) * (width - 70) / N_HEADS + dx, 60 + (layer + 0.5) * (height - 70) / N_LAYERS + dy)
              for dx in (0, -25, 25) for dy in (0, -25, 25)]
    return program.seek(points, f"layer {layer} · head {head}")[:2]


def toggle(layer, head):
    program.click(*find_map(layer, head), modifiers=["ctrl"])


def test_choose_in_model_view():
    program.use_page(0)
    program.key("ctrl+3")
    program.wait_view("Model View: ")
    toggle(2, 1)
    toggle(3, 3)
    # It was chosen from the start.
    toggle(0, 0)
    x, y = find_map(2, 1)
    program.click(x, y)
    program.wait_view("Head View: ", "heads 2.1, 3.3 (layer.head)")


def test_enter_opens_chosen():
    """Also with the pointer elsewhere."""
    program.key("ctrl+3")
    program.wait_view("Model View: ")
    program.move(5, 5)
    program.wait_nothing_in_focus()
    program.key("Return")
    program.wait_view("Head View: ", "heads 2.1, 3.3 (layer.head)")


def test_mean_of_all():
    _, _, description = program.seek([(x, y) for y in range(80, 500, 8) for x in (90, 140, 200, 260)], "cat (query 2)")
    mean = (ATTENTION[2, 1] + ATTENTION[3, 3])[2] / 2
    best = int(mean.argmax())
    assert f"{TOKENS[best]} {mean[best]:.2f}" in description and "mean of 2 heads" in description, (description, mean)


def test_swatch_takes_away():
    wait_for("two heads in the picker", lambda: "2 heads shown" in program.picker().name + program.picker().description)
    # The last swatch of the strip is the guest's: from the right, what is met first.
    _, _, width, _ = program.wait_place(program.image)
    x, y, _ = program.seek([(x, y) for x in range(width // 2 + 140, width // 2, -6) for y in (40, 50, 60)], "layer 3 · head 3")
    program.click(x, y)
    program.wait_view("layer 2 · head 1")


def test_keyboard():
    """In the model view, arrows go from head to head and Space chooses."""
    program.key("ctrl+3")
    program.wait_view("Model View: ")
    program.click(*program.point(program.image, 4, 4))
    program.wait_nothing_in_focus()
    program.key("Right")
    program.wait_view("layer 2 · head 1")
    program.key("Down")
    program.wait_view("layer 3 · head 1")
    program.key("space", "Up", "Up", "Left")
    program.wait_view("layer 1 · head 0")
    program.key("space", "Return")
    program.wait_view("Head View: ", "heads 2.1, 3.1, 1.0 (layer.head)")


def test_layers_change_and_guests_stay():
    program.key("alt+Down")
    program.wait_view("heads 3.1, 1.0 (layer.head)")
    program.key("alt+Up")
    program.wait_view("heads 2.1, 3.1, 1.0 (layer.head)")


def test_table():
    """Rows of several layers, and of more than can be shown together only those that are."""
    program.key("ctrl+shift+h")
    grid = wait_for("the table", lambda: [node for node in program.accessibility.walk(program.page)
                                          if node.name == "Table of Heads"])[0]

    def find_row(layer, head):
        """Its first cell."""
        for row in program.accessibility.children([part for part in program.accessibility.children([grid])
                                                   if part.role == "list"]):
            cells = [node for node in program.accessibility.walk(row) if node.role == "label"]
            if [cell.name for cell in cells[:2]] == [str(layer), str(head)]:
                return cells[0]
        return None

    def click_row(layer, head, *modifiers):
        cell = wait_for(f"a row of layer {layer}, head {head}", lambda: find_row(layer, head))
        program.click(*program.point(cell, 10, 8), modifiers=modifiers)
    click_row(0, 2)
    program.wait_view("layer 0 · head 2")
    click_row(1, 1, "ctrl")
    click_row(3, 0, "ctrl")
    program.wait_view("heads 0.2, 1.1, 3.0 (layer.head)")
    # Taken away one by one; the last stays.
    for layer, head in ((3, 0), (0, 2), (1, 1)):
        click_row(layer, head, "ctrl")
    program.wait_view("layer 1 · head 1")
    click_row(0, 2)
    program.wait_view("layer 0 · head 2")
    program.key("Escape")


def test_copy_as_command():
    """What is copied draws the heads of both layers."""
    program.key("ctrl+3")
    program.wait_view("Model View: ")
    toggle(2, 3)
    program.key("ctrl+1")
    program.wait_view("heads 0.2, 2.3 (layer.head)")
    program.key("ctrl+shift+k")
    command = wait_for("a command", lambda: (lambda text: text if "render" in text else None)(
        (program.read_clipboard("UTF8_STRING") or b"").decode()))
    assert "2,2.3" in command, command


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


def recover():
    """After a test that failed: no dialog."""
    if program.process.poll() is None:
        program.key("Escape", "Escape", "Escape")


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], recover)
