#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How many clicks it is from the start to what people come for; names of files are typed.

Usage: test-window-clicks.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import re
import shutil
import sys
import tempfile
from pathlib import Path

import h5py

from window_driver import Program, run_tests, wait_for

BINARY, SAMPLE = sys.argv[1], Path(sys.argv[2]).resolve()
WORK = Path(tempfile.mkdtemp())
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

program = None
clicks = 0


def start():
    global program, clicks
    program, clicks = Program(BINARY), 0
    atexit.register(program.kill)


def finish():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


def click(x, y):
    global clicks
    clicks += 1
    program.click(x, y)


def drag(start, end):
    """Counts as a click."""
    global clicks
    clicks += 1
    program.move(*start)
    program.xdotool("mousedown", 1)
    for step in range(1, 11):
        program.move(*(a + (b - a) * step / 10 for a, b in zip(start, end)))
    program.xdotool("mouseup", 1)


def is_seen(node):
    return program.accessibility.get_extents(node)[2] > 0


def find_seen(name, role, root):
    return next((node for node in program.accessibility.walk(root)
                 if node.name == name and role in node.role and is_seen(node)), None)


def click_button(name):
    node = wait_for(f"the button “{name}”", lambda: find_seen(name, "button", program.main_frame()))
    click(*program.point(node, 12, 12))


def click_in_window(x_window, root, name, role):
    global clicks
    clicks += 1
    program.click_in(x_window, root, wait_for(f"“{name}”", lambda: find_seen(name, role, root)))


def seek_token(side, words):
    """Where a token of the picture is: its side's column first, from outside to the middle, then down it. Pointing is no click."""
    width, height = program.wait_place(program.image)[2:]
    columns = [width - dx if side == "key" else dx for dx in range(width // 25, width // 2, 16)]
    left, top = program.point(program.image, 0, 0)
    x = program.seek([(dx, height / 2 + dy) for dx in columns for dy in (-12, 12)], re.compile(rf".*\({side} \d"))[0]
    x, y, _ = program.seek([(x - left, dy) for dy in range(40, height, 10)], words)
    return x, y + 4


def test_head_as_svg():
    """Head 5 of layer 3 of one's own file."""
    start()
    target = WORK / "head.svg"
    click_button("Open")
    program.answer_chooser("Open Attention", SAMPLE)
    program.wait_title(SAMPLE.name)
    program.use_page(0, from_first_head=False)
    click(*program.point_in_picker(3, 5, 12))
    program.wait_view("Head View: ", "layer 3", "head 5")
    click_button("Export…")
    dialog, window = program.wait_dialog("Export Figure")
    program.choose(program.wait("combo box", "Format", dialog), 1, "f")
    wait_for("the size of shapes", lambda: program.find_all("label", "scalable", dialog))
    program.key("alt+e")
    program.save_in_chooser("Export Figure", target, window)
    program.wait_gone("Export Figure")
    assert clicks <= 6, clicks
    finish()


def test_head_of_words():
    """The head that links two words of the sample: a line from one to the other."""
    start()
    click_button("Explore the Sample")
    program.use_page(0, from_first_head=False)
    drag(seek_token("query", "flies (query 2)"), seek_token("key", "like (key 3)"))
    with h5py.File(SAMPLE) as file:
        weights = file["attention"][:, :, 2, 3]
    layer, head = divmod(int(weights.argmax()), weights.shape[1])
    program.wait("label", f"Strongest: layer {layer} · head {head}, {weights.max():.2f}", program.page)
    assert clicks <= 2, clicks
    finish()


def test_two_texts():
    """One typed on the first page, and one beside it."""
    start()
    wait_for("the field", lambda: find_seen("Type a sentence", "", program.main_frame()))
    program.type("the cat sat on the mat")
    program.key("Return")
    program.use_page(0, from_first_head=False)
    click_button("Document Menu")
    popup = wait_for("a menu", program.popups)[0]
    menu = wait_for("the menu", lambda: next((node for node in program.find_all("menu") if is_seen(node)), None))
    click_in_window(popup, menu, "Compare…", "menu item")
    frame, window = program.wait_dialog("Compare With")
    click_in_window(window, frame, "Another Text", "")
    program.wait_gone("Compare With")
    wait_for("the second picture",
             lambda: len(program.find_all("image", "Head View: ", program.page)) == 2)
    wait_for("the keyboard in the second text", lambda: "Text" in program.get_focused())
    program.key("ctrl+a")
    program.type("the dog sat on the mat")

    def is_named(side, word):
        return any(f" {side}: " in image.name and word in image.name for image in program.find_all("image", "", program.page))
    wait_for("two names that say what differs", lambda: is_named("A", "cat") and is_named("B", "dog"))
    assert clicks <= 4, clicks
    finish()


def recover():
    """What one test leaves is nothing that the next would start in."""
    program.kill()


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], recover)
