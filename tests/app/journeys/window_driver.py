# SPDX-License-Identifier: MIT
"""The real program on a private display: pointer and keyboard in by xdotool, what it says out by AT-SPI."""
import os
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

import numpy as np

from accessibility import Accessibility


class Failure(Exception):
    pass


def wait_for(what, ask, seconds=30):
    """The first answer of ask() that is neither None nor False nor empty."""
    end = time.monotonic() + seconds
    while True:
        answer = ask()
        if answer is not None and answer is not False and answer != []:
            return answer
        if time.monotonic() > end:
            raise Failure(f"waited {seconds} s for {what() if callable(what) else what}")
        time.sleep(0.03)


def is_shown_as(weight, text):
    """Whether the text is the weight with the digits that the program shows."""
    if text == "<0.001":
        return weight < 0.00101
    digits = len(text.split(".")[1]) if "." in text else 0
    return abs(weight - float(text)) <= 0.501 * 10.0 ** -digits


def check_ranking(description, weights, tokens):
    """“flies (query 2): [CLS] 0.24, an 0.16” names the strongest of the weights of the tokens, in order."""
    named = [pair.rsplit(" ", 1) for pair in description.split(": ", 1)[1].split(", ")]
    order = np.argsort(-weights, kind="stable")
    assert len(named) == min(5, len(tokens)), description
    for (token, text), index in zip(named, order):
        assert is_shown_as(weights[index], text), (description, weights[order])
        assert token in [tokens[i] for i in range(len(tokens)) if is_shown_as(weights[i], text)], description


class Program:
    def __init__(self, binary, *arguments, size=(1280, 860)):
        """With a size, the window gets it, in the display's corner."""
        self.binary = binary
        self.errors = tempfile.TemporaryFile("w+")
        self.accessibility = Accessibility()
        self.process = subprocess.Popen([binary, *arguments], stderr=self.errors)
        self.application = wait_for("the program on the accessibility bus", self._find_application, 60)
        self.x_window = wait_for("a window", self._find_x_window, 60)
        self.xdotool("windowactivate", "--sync", self.x_window)
        if size is not None:
            self.xdotool("windowmove", self.x_window, 0, 0)
            self.resize(*size)

    # The display

    def xdotool(self, *arguments):
        return subprocess.run(["xdotool", *map(str, arguments)], check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, timeout=60).stdout

    def _find_x_window(self):
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.split()
        return found[-1] if found else None

    def get_geometry(self, x_window):
        pairs = dict(line.split("=") for line in self.xdotool("getwindowgeometry", "--shell", x_window).split())
        return tuple(int(pairs[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))

    def resize(self, width, height):
        """Waits until the window has the size on the display and in the program."""
        self.xdotool("windowsize", self.x_window, width, height)
        wait_for(f"a window of {width} × {height}; it has {self.get_geometry(self.x_window)}",
                 lambda: self.get_geometry(self.x_window)[2:] == (width, height))

    def key(self, *keys):
        for key in keys:
            self.xdotool("key", "--clearmodifiers", key)

    def type(self, text):
        self.xdotool("type", "--clearmodifiers", text)

    def move(self, x, y):
        self.xdotool("mousemove", round(x), round(y))

    def click(self, x, y, n=1):
        self.move(x, y)
        self.xdotool("click", "--repeat", n, "--delay", 40, 1)

    def read_clipboard(self, target):
        """What is on the clipboard as that type, or None."""
        return subprocess.run(["xclip", "-selection", "clipboard", "-o", "-t", target], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=30).stdout or None

    def get_colour(self, x, y):
        """Red, green and blue of a pixel of the display."""
        text = subprocess.run(["import", "-window", "root", "-crop", f"1x1+{round(x)}+{round(y)}", "-depth", "8",
                               "rgb:-"], check=True, stdout=subprocess.PIPE).stdout
        return tuple(text[:3])

    # What the program says

    def _find_application(self):
        assert self.process.poll() is None, "the program ended"
        for application in self.accessibility.applications():
            if application.name == "headlight":
                return application
        return None

    def frames(self):
        """The windows' accessibles."""
        return self.accessibility.children([self.application])

    def find_frame(self, title):
        return next((frame for frame in self.frames() if title in frame.name), None)

    def wait_frame(self, title):
        return wait_for(f"a window “{title}”", lambda: self.find_frame(title))

    def main_frame(self):
        return wait_for("the main window", lambda: self.find_frame("Headlight"))

    def title(self):
        return self.main_frame().name

    def wait_title(self, words):
        wait_for(lambda: f"“{words}” in the title “{self.title()}”", lambda: words in self.title())

    def find_all(self, role, words="", root=None):
        """The accessibles of a role whose names hold the words. GTK 4.8 does not say what is hidden."""
        return [node for node in self.accessibility.walk(root or self.application)
                if node.role == role and words in node.name]

    def wait(self, role, words="", root=None):
        return wait_for(f"{role} “{words}”", lambda: self.find_all(role, words, root))[0]

    def point(self, node, dx, dy):
        """Where a place in a widget of the main window is on the display."""
        x, y, width, height = self.get_geometry(self.x_window)
        frame_width, frame_height = self.accessibility.get_extents(self.main_frame())[2:]
        left, top = self.accessibility.get_extents(node)[:2]
        # GTK counts from inside the border it draws, X from outside.
        return (x + (width - frame_width) / 2 + left + dx,
                y + (height - frame_height) / 2 + top + dy)

    def get_top(self):
        """The X window that keys go to."""
        try:
            return self.xdotool("getactivewindow").strip()
        except subprocess.CalledProcessError:  # between two windows there is none
            return None

    def _find_dialog(self, *others):
        top = self.get_top()
        return top if top not in (self.x_window, *others) else None

    def wait_dialog(self, title, *others):
        """A dialog over the main window and over other X windows, that keys go to from now on, and its X window."""
        frame = self.wait_frame(title)
        return frame, wait_for(f"“{title}” to be on top", lambda: self._find_dialog(*others))

    def save_in_chooser(self, title, path, *others):
        """GTK's file chooser: what is typed replaces the name it suggests."""
        self.wait_dialog(title, *others)
        self.key("ctrl+a")
        self.type(str(path))
        self.key("Return")
        wait_for(f"{path.name} to be written", lambda: path.exists() and path.stat().st_size > 0)

    def wait_gone(self, title):
        wait_for(f"“{title}” to close", lambda: self.find_frame(title) is None)
        wait_for("the main window to be on top", lambda: self.get_top() == self.x_window)

    def close_dialog(self, title):
        """By Escape, which a list that still drops down takes for itself."""
        def ask():
            if self.find_frame(title) is None:
                return True
            self.key("Escape")
            return False
        wait_for(f"“{title}” to close", ask)
        self.wait_gone(title)

    # A tab

    def use_page(self, index):
        """The tab, in the order of opening, that view() and rows() speak of."""
        def ask():
            pages = [node for node in self.accessibility.walk(self.main_frame()) if node.name == "HlDocumentPage"]
            if len(pages) <= index:
                return None
            images = [node for node in self.accessibility.walk(pages[index])
                      if node.role == "image" and ": attention weight" in node.name]
            return (pages[index], images[0]) if images else None
        self.page, self.image = wait_for(f"tab {index} with a view", ask)

    def view(self):
        """The drawn view's name and what it says of the token in focus."""
        if not self.accessibility.read([self.image]):
            raise Failure("the view is gone")
        return self.image.name, self.image.description

    def wait_view(self, *words, seconds=30):
        def ask():
            view = self.view()
            return view if all(word in " — ".join(view) for word in words) else None
        return wait_for(lambda: f"the view to say {words}; it says {self.view()}", ask, seconds)

    def wait_nothing_in_focus(self):
        wait_for(lambda: f"no token to be in focus; it is {self.view()}", lambda: self.view()[1] == "")

    def rows(self):
        """The rows of the token panel."""
        lists = self.find_all("list", "Weights", self.page)
        return [node.name for node in self.accessibility.children(lists[:1])] if lists else []

    def picker(self):
        return self.wait("group", "Layer and Head", self.page)

    def seek(self, points, words):
        """Moves the pointer over points of the view, across and down from its corner, until it says the words."""
        x, y = self.point(self.image, 0, 0)
        for patience in (0.08, 0.3, 1):
            for dx, dy in points:
                self.move(x + dx, y + dy)
                end = time.monotonic() + patience
                while True:
                    description = self.view()[1]
                    if description.startswith(words):
                        return x + dx, y + dy, description
                    if time.monotonic() > end:
                        break
        raise Failure(f"the pointer met no “{words}”; at last the view said {self.view()}")

    # From elsewhere

    def drop(self, *paths):
        """Drags files from another window into the middle of this one."""
        source = subprocess.Popen(["/usr/bin/python3", str(Path(__file__).with_name("drag-source.py")), *map(str, paths)])
        try:
            window = wait_for("the window to drag from", lambda: subprocess.run(
                ["xdotool", "search", "--onlyvisible", "--name", "^Drag Source$"], stdout=subprocess.PIPE,
                text=True).stdout.split())[-1]
            self.xdotool("windowmove", "--sync", window, 900, 600)
            self.xdotool("windowraise", window)
            x, y, width, height = self.get_geometry(window)
            # What would take the drop has a frame then.
            edge = (7, y)
            plain = self.get_colour(*edge)
            self.move(x + width / 2, y + height / 2)
            self.xdotool("mousedown", 1)
            for step in range(1, 12):
                self.xdotool("mousemove", x + width // 2 - step * 30, y + height // 2 - step * 15, "sleep", 0.02)

            def is_welcome():
                self.xdotool("mousemove_relative", "--", -1, 0)
                return self.get_colour(*edge) != plain
            wait_for("the drop to be welcome", is_welcome)
            self.xdotool("mouseup", 1)
            wait_for("the drag to end", lambda: source.poll() is not None)
        finally:
            source.kill()
            source.wait()
        self.xdotool("windowactivate", "--sync", self.x_window)
        # Over no token.
        self.xdotool("mousemove", 2, 2)

    # The process

    def open_again(self, *arguments):
        """A second start hands its files to the first and ends."""
        subprocess.run([self.binary, *map(str, arguments)], check=True, timeout=60)

    def complaints(self):
        self.errors.seek(0)
        return [line for line in self.errors.read().splitlines()
                if "WARNING" in line or "CRITICAL" in line or "ERROR" in line]

    def end(self, seconds=30):
        """Waits until it has ended by itself and returns its exit status."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Failure("the program does not end") from None

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def run_tests(tests, recover):
    """TAP. A test that fails does not stop the others."""
    print("TAP version 13", flush=True)
    print(f"1..{len(tests)}", flush=True)
    n_failed = 0
    for number, (name, test) in enumerate(tests, 1):
        start = time.monotonic()
        try:
            test()
            print(f"ok {number} {name}", flush=True)
        except Exception:
            n_failed += 1
            print(f"not ok {number} {name}", flush=True)
            # Of a program that speaks TAP, meson shows only the errors.
            print(f"{name}: {traceback.format_exc()}", file=sys.stderr, flush=True)
            folder = os.environ.get("HEADLIGHT_TEST_PICTURES")
            if folder:
                subprocess.run(["import", "-window", "root", f"{folder}/failed-{name}.png"], check=False)
            recover()
        print(f"# {time.monotonic() - start:.1f} s", flush=True)
    sys.exit(1 if n_failed else 0)
