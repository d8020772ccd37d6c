#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Every view and dialog by the keyboard: all that can have it has a name, and a dialog fits a screen of 360 pixels.

Usage: test-window-actions.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import re
import sys

from window_driver import Program, run_tests, wait_for

WIDTH, HEIGHT = 360, 640
VIEWS = ["Head View", "Heatmap", "Model View", "Steps", "Neuron View", "All Layers", "Chart"]
# By which keys, what it is called.
DIALOGS = {
    "ctrl+e": "Export Figure",
    "ctrl+i": "Details",
    "ctrl+comma": "Preferences",
    "ctrl+shift+l": "Models on This Computer",
    "ctrl+shift+n": "Several Texts",
    "ctrl+d": "Compare",
    "ctrl+shift+x": "Axes",
}
# What one acts by; the keyboard goes on through groups, lists and their rows to what is in them.
ACTED = ("button", "toggle button", "push button", "check box", "switch", "combo box", "text box", "search box", "slider",
         "spin button", "radio button", "menu button", "entry")

program = Program(sys.argv[1], sys.argv[2])
atexit.register(program.kill)


def check_names(root, what):
    """GTK calls what has no name by its class."""
    all_nodes = list(program.accessibility.walk(root))
    nodes = program.accessibility.find_focusable(all_nodes)
    assert nodes, what
    # The keyboard is on the button in it; a screen reader names the list.
    nodes += [node for node in all_nodes if node.role == "combo box"]
    # A tab's button to close it, and the search of preferences, which is off, are libadwaita's.
    nameless = [(node.role, node.name) for node in nodes if node.name not in ("GtkImage", "GtkSearchEntry") and node.role in ACTED and
                (node.name == "" or re.fullmatch("(Gtk|Adw|Hl)[A-Z][A-Za-z]+", node.name))]
    assert not nameless, f"{what}: {nameless}"


def test_views():
    program.use_page(0)
    for number, name in enumerate(VIEWS, 1):
        program.key(f"ctrl+{number}")
        program.wait_view(f"{name}: ")
        check_names(program.main_frame(), name)
    program.key("ctrl+1")


def make_dialog_test(key, title):
    def test():
        program.key(key)
        frame, window = program.wait_dialog(title)
        check_names(frame, title)
        program.xdotool("windowsize", window, WIDTH, HEIGHT)

        def measure():
            """Without the border that is drawn where there is room for one."""
            return program.accessibility.get_extents(frame)[2:]
        wait_for(lambda: f"a dialog of {WIDTH} × {HEIGHT}; it has {measure()}",
                 lambda: 0 < measure()[0] <= WIDTH and 0 < measure()[1] <= HEIGHT)
        program.close_dialog(title)
    return test


def test_sidebar_by_tab():
    """As it is read: the buttons of the heading, the grid of heads, and what is below."""
    program.key("ctrl+1")
    program.click(*program.point(program.picker(), 60, 40))
    wait_for("the grid to have the keyboard", lambda: "Heads" in program.get_focused())
    program.key("shift+Tab", "shift+Tab")
    met = []
    for _ in range(8):
        program.take_keys(2)
        met += program.get_focused()[-1:]
        program.key("Tab")
    assert met == ["All", "None", "Heads", "Colour Heads By", "Quantity", "Combine", "Direction", "Whole Words"], met


def test_undo():
    """What is hidden comes back, and goes again."""
    program.key("ctrl+1", "Escape", "Escape")
    program.click(*program.point(program.image, 12, 12))
    program.key("Escape", "ctrl+Home", "Down", "h")
    program.wait_view("1 token hidden")
    program.wait("label", "Hid ", program.main_frame())
    program.key("ctrl+z")
    wait_for("the token to be back", lambda: "hidden" not in program.view()[0])
    program.key("ctrl+shift+z")
    program.wait_view("1 token hidden")
    program.key("ctrl+z")


def has_undo():
    """Whether it is offered to take something back."""
    return any((program.accessibility.get_extents(node) or (0, 0, 0))[2] > 0
               for node in program.find_all("button", "Undo", program.main_frame()))


def test_undo_of_what_was_hidden():
    """What is offered with a token is about that alone: it goes with the step, and with the next one."""
    program.key("ctrl+Home", "Down", "h")
    wait_for("an offer", has_undo)
    program.key("ctrl+z")
    program.wait_view("Head View: ")
    wait_for("the offer to go with its step", lambda: not has_undo())
    program.key("ctrl+Home", "Down", "h")
    wait_for("an offer", has_undo)
    program.key("ctrl+2")
    program.wait_view("Heatmap: ", "1 token hidden")
    wait_for("the offer to go where there is another choice", lambda: not has_undo())
    program.key("ctrl+z")
    program.wait_view("Head View: ", "1 token hidden")
    program.key("ctrl+z")
    wait_for("the token to be back", lambda: "hidden" not in program.view()[0])
    # By its button, which is no other step.
    program.key("ctrl+2", "ctrl+1", "ctrl+Home", "Down", "h")
    wait_for("an offer", has_undo)
    wait_for("“Undo” to be pressed",
             lambda: any(map(program.accessibility.activate, program.find_all("button", "Undo", program.main_frame()))))
    wait_for("the token to be back", lambda: "hidden" not in program.view()[0])
    program.wait_view("Head View: ")
    wait_for("the offer to be taken", lambda: not has_undo())


def test_shortcuts():
    """On one screen, however long the titles are in another language: they wrap."""
    program.key("ctrl+question")
    frame, window = program.wait_dialog("Shortcuts")
    wait_for(lambda: f"a dialog of a screen's width, not {program.get_geometry(window)}", lambda: program.get_geometry(window)[2] <= 1000)
    program.close_dialog("Shortcuts")


def test_complaints():
    assert not program.complaints(), program.complaints()


def recover():
    for title in DIALOGS.values():
        if program.process.poll() is None and program.find_frame(title) is not None:
            program.close_dialog(title)


TESTS = [("views", test_views), ("buttons", test_sidebar_by_tab), ("undo", test_undo),
         ("undo-of-what-was-hidden", test_undo_of_what_was_hidden)]
TESTS += [(title.lower().replace(" ", "-"), make_dialog_test(key, title)) for key, title in DIALOGS.items()]
run_tests(TESTS + [("shortcuts", test_shortcuts), ("complaints", test_complaints)], recover)
