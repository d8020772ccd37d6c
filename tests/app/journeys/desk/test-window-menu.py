#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The menu of the picture: by the right button at a token, by key for the token in focus, and what it does.

Usage: test-window-menu.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import sys
from pathlib import Path

import h5py

from window_driver import Program, run_tests, wait_for

BINARY, SAMPLE = sys.argv[1], Path(sys.argv[2])
with h5py.File(SAMPLE) as dump:
    TOKENS = [token.decode() for token in dump["tokens"][...]]

# In the head view of the sample, from the view's corner.
QUERIES_X, KEYS_X = 100, 620
FIGURE = ["Copy Figure", "Export…"]

program = Program(BINARY, str(SAMPLE))
atexit.register(program.kill)


def items():
    return [node.name for node in program.find_all("menu item", "", program.image)]


def wait_menu(*names):
    wait_for(lambda: f"a menu of {names}; there is {items()}", lambda: program.popups() and items() == [*names, *FIGURE])


def wait_closed():
    wait_for("the menu to close", lambda: not program.popups())


def get_window(menu):
    """The X window that has room for the menu: a tooltip may be seen as well."""
    width, height = program.wait_place(menu)[2:]

    def ask():
        for x_window in program.popups():
            x_width, x_height = program.get_geometry(x_window)[2:]
            if x_width >= width and x_height >= height:
                return x_window
        return None
    return wait_for("a window with room for the menu", ask)


def press_item(name):
    """By the pointer, which is over other tokens then."""
    menu = program.wait("menu", "", program.image)
    item = wait_for(f"“{name}”", lambda: [node for node in program.find_all("menu item", "", menu) if node.name == name])[0]
    program.click_in(get_window(menu), menu, item)


def click_item(name):
    press_item(name)
    wait_closed()


# The middle of the first row of tokens and how far rows are apart, once they were measured.
rows = []


def get_row_y(index):
    if not rows:
        rows.extend(program.measure_rows(TOKENS, QUERIES_X))
    return rows[0] + index * rows[1]


def open_at(x, index, words):
    """The menu of a token, by the right button."""
    y = get_row_y(index)
    program.seek([(x, y), *[(x, down) for down in range(90, 790, 7)]], words)
    program.xdotool("click", 3)


def open_by_key(key):
    """The menu of the third query, wherever the keyboard was."""
    program.click(*program.point_nowhere())
    program.key("Escape")
    program.wait_nothing_in_focus()
    program.key("Down", "Down", "Down")
    program.wait_view("flies (query 2)")
    program.key(key)


def test_pin():
    program.use_page(0)
    program.wait_view("Head View: attention weight")
    open_at(QUERIES_X, 2, "flies (query 2)")
    wait_menu("Pin", "Hide the Token")
    click_item("Pin")
    # Pinned, it stays in focus wherever the pointer goes.
    program.move(*program.point_nowhere())
    program.wait("button", "Free the Pinned Token", program.page)
    program.wait_view("flies (query 2)")
    program.move(*program.point(program.image, QUERIES_X, get_row_y(2)))
    program.xdotool("click", 3)
    wait_menu("Free the Pin", "Hide the Token")
    click_item("Free the Pin")
    program.move(*program.point_nowhere())
    program.wait_nothing_in_focus()


def test_slow_hand():
    """The button is held as long as a hand does, and goes up elsewhere: the menu is that of the token where it went down."""
    y = get_row_y(2)
    program.seek([(QUERIES_X, y)], "flies (query 2)")
    program.xdotool("mousedown", 3, "sleep", 0.3, "mousemove_relative", "--", 20, 30, "sleep", 0.3, "mouseup", 3)
    wait_menu("Pin", "Hide the Token")
    program.wait("menu", "flies", program.image)
    program.key("Escape")
    wait_closed()
    assert not program.complaints(), program.complaints()


def test_hide():
    """What is hidden is the token that the menu was opened at, not the one under the item."""
    open_at(QUERIES_X, 2, "flies (query 2)")
    wait_menu("Pin", "Hide the Token")
    click_item("Hide the Token")
    program.wait_view("1 token hidden")
    program.wait("label", "flies (2)", program.page)
    # Over nothing, too, there is a menu.
    program.move(*program.point_nowhere())
    program.wait_nothing_in_focus()
    program.xdotool("click", 3)
    wait_menu("Show All Tokens")
    click_item("Show All Tokens")
    wait_for("all tokens", lambda: "hidden" not in program.view()[0])


def test_escape():
    """Where nothing is chosen nothing changes, and the keyboard is back at the token."""
    open_by_key("Menu")
    wait_menu("Pin", "Hide the Token")
    program.key("Escape")
    wait_closed()
    program.wait_view("flies (query 2)")
    program.key("Down")
    program.wait_view("like (query 3)")
    program.key("Escape")


def test_elsewhere():
    """Who closes it by a click elsewhere is no longer at the token, without moving once more."""
    for open_it in (lambda: open_at(QUERIES_X, 2, "flies (query 2)"), lambda: open_by_key("Menu")):
        open_it()
        wait_menu("Pin", "Hide the Token")
        x, y = program.point_nowhere()
        program.click(x + 2, y + 2)
        wait_closed()
        program.wait_nothing_in_focus()


def test_keys():
    open_by_key("shift+F10")
    wait_menu("Pin", "Hide the Token")
    program.key("Down", "Return")
    wait_closed()
    program.wait_view("1 token hidden")
    program.key("Menu")
    wait_for(lambda: f"a way back; there is {items()}", lambda: program.popups() and "Show All Tokens" in items())
    # The focus goes round: before the first item are the last ones.
    program.key("Up", "Up", "Up", "Return")
    wait_closed()
    wait_for("all tokens", lambda: "hidden" not in program.view()[0])
    program.key("Escape")


def test_pair():
    """With a query pinned, the menu of a key finds the heads that link the two."""
    open_by_key("Menu")
    wait_menu("Pin", "Hide the Token")
    click_item("Pin")
    x, y = program.point(program.image, KEYS_X, get_row_y(1))
    program.move(x, y)
    program.xdotool("click", 3)
    wait_menu("Pin", "Hide the Token", "Find Heads That Link a Pair")
    click_item("Find Heads That Link a Pair")
    program.wait_view("flies → time")
    program.wait("text box", "Find Heads by Two Words", program.page)
    program.key("Escape", "ctrl+shift+h")


def test_export():
    open_by_key("Menu")
    wait_menu("Pin", "Hide the Token")
    press_item("Export…")
    program.wait_dialog("Export Figure")
    program.close_dialog("Export Figure")
    assert not program.complaints(), program.complaints()


def test_model_view():
    """A head has no pin; it stays in focus."""
    program.key("ctrl+3")
    program.wait_view("Model View: ")
    program.click(*program.point(program.image, 5, 5))
    program.key("Right")
    said = program.wait_view("layer ")[1]
    program.key("Menu")
    wait_menu()
    program.key("Escape")
    wait_closed()
    wait_for(lambda: f"“{said}”, not {program.view()}", lambda: program.view()[1] == said)
    assert not program.complaints(), program.complaints()


TESTS = [("pin", test_pin), ("slow-hand", test_slow_hand), ("hide", test_hide), ("escape", test_escape), ("elsewhere", test_elsewhere),
         ("keys", test_keys), ("pair", test_pair),
         ("export", test_export), ("model-view", test_model_view)]


def recover():
    program.key("Escape", "Escape", "Escape")


run_tests(TESTS, recover)
