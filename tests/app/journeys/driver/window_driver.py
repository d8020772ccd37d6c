# SPDX-License-Identifier: MIT
"""The real program on a private display: pointer and keyboard in by xdotool, what it says out by AT-SPI."""
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

import numpy as np

from accessibility import FOCUSED, Accessibility


class Failure(Exception):
    pass


class Gone(Failure):
    """What was asked about is not there any more, or not yet."""


def wait_for(what, ask, seconds=30):
    """The first answer of ask() that is neither None nor False nor empty. What goes while it is asked about is no answer."""
    end = time.monotonic() + seconds
    while True:
        try:
            answer = ask()
        except Gone:
            answer = None
        if answer is not None and answer is not False and answer != []:
            return answer
        if time.monotonic() > end:
            raise Failure(f"waited {seconds} s for {what() if callable(what) else what}")
        time.sleep(0.03)


def find_one(what, nodes):
    """The first of them."""
    for node in nodes:
        return node
    raise Gone(what)


def insist(what, act, ask, patience=3):
    """Does something until ask() has an answer, and again only where nothing came of it for a while: what is done twice before a
    busy program gets to it may do something else the second time."""
    acted = None

    def try_it():
        nonlocal acted
        answer = ask()
        if not answer and (acted is None or time.monotonic() > acted + patience):
            act()
            acted = time.monotonic()
        return answer
    return wait_for(what, try_it)


def get_state_folder():
    """Where the program keeps what is open; of a display of its own alone."""
    home = Path(os.environ["HOME"])
    assert home.is_relative_to(tempfile.gettempdir()), "the home is somebody's"
    return Path(os.environ.get("XDG_STATE_HOME") or home / ".local" / "state") / "headlight"


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


# Of the border that GTK draws around a window.
MAX_BORDER = 60
# A program that gets a core now and then, or that is made to stand still, does so for less.
STILL_SECONDS = 0.5
# Between two letters, longer than the program waits for the next one.
SLOW_MS = 600


class Program:
    started = []

    def __init__(self, binary, *arguments, size=(1280, 860), after_crash=False):
        """With a size, the window gets it, in the display's corner. What tests before it left open when they ended the program is
        offered after a crash only."""
        if not after_crash:
            shutil.rmtree(get_state_folder(), ignore_errors=True)
        self.binary = binary
        self.errors = tempfile.TemporaryFile()
        self.accessibility = Accessibility()
        self.settled = set()
        self.x_window = None
        crash = os.environ.get("HEADLIGHT_TEST_CRASH")
        environment = os.environ if crash is None else os.environ | {"LD_PRELOAD": crash}
        self.process = subprocess.Popen([binary, *arguments], stderr=self.errors, env=environment)
        Program.started.append(self)
        try:
            self._wait_window(size)
        except BaseException:
            tell_state("start")
            raise

    def _wait_window(self, size):
        self.application = wait_for("the program on the accessibility bus", self._find_application, 60)
        self.x_window = wait_for("a window", self._find_x_window, 60)
        self.xdotool("windowactivate", "--sync", self.x_window)
        if size is not None:
            self.xdotool("windowmove", self.x_window, 0, 0)
            self.resize(*size)
        if os.environ.get("HEADLIGHT_TEST_STUTTER"):
            threading.Thread(target=self._stutter, daemon=True).start()

    def _stutter(self):
        """Lets it run for moments only, as on a computer that has more to do."""
        while self.process.poll() is None:
            self.process.send_signal(signal.SIGSTOP)
            time.sleep(random.uniform(0.1, 0.3))
            self.process.send_signal(signal.SIGCONT)
            time.sleep(random.uniform(0.01, 0.05))

    # The display

    def xdotool(self, *arguments):
        return subprocess.run(["xdotool", *map(str, arguments)], check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, timeout=60).stdout

    def _find_x_window(self):
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.split()
        return found[-1] if found else None

    def get_geometry(self, x_window):
        if x_window is None:
            raise Gone("the X window")
        try:
            text = self.xdotool("getwindowgeometry", "--shell", x_window)
        except subprocess.CalledProcessError:
            raise Gone(f"the X window {x_window}") from None
        pairs = dict(line.split("=") for line in text.split())
        return tuple(int(pairs[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))

    def resize(self, width, height):
        """Waits until the window has the size on the display and in the program, whose border is as wide as high."""
        self.xdotool("windowsize", self.x_window, width, height)

        def has_size():
            frame_width, frame_height = self.accessibility.get_extents(self.main_frame())[2:]
            return (self.get_geometry(self.x_window)[2:] == (width, height) and
                    0 <= width - frame_width == height - frame_height < MAX_BORDER)
        wait_for(lambda: f"a window of {width} × {height}; it has {self.get_geometry(self.x_window)}, and in the program "
                         f"{self.accessibility.get_extents(self.main_frame())}", has_size)

    def popups(self):
        """The X windows of the program that are seen besides the main one: menus, lists, dialogs."""
        for _ in range(5):
            search = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)],
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60)
            # One that goes meanwhile ends the search before the others are found.
            if search.returncode == 0:
                break
        found = search.stdout.split()
        return [x_window for x_window in found if x_window != self.x_window]

    def key(self, *keys):
        for key in keys:
            self.xdotool("key", "--clearmodifiers", key)

    def take_keys(self, n=1):
        """Until the program has taken so many keys that were pressed: before each of its answers it takes one of the display's events,
        of which a key with two modifiers is six."""
        for _ in range(6 * n + 6):
            self.accessibility.read([self.application])

    def type(self, text):
        delay = ("--delay", SLOW_MS) if os.environ.get("HEADLIGHT_TEST_SLOW_HAND") else ()
        self.xdotool("type", "--clearmodifiers", *delay, text)

    def move(self, x, y):
        self.xdotool("mousemove", round(x), round(y))

    def click(self, x, y, n=1, modifiers=()):
        """With keys held, where some are named."""
        self.move(x, y)
        self.xdotool(*(word for key in modifiers for word in ("keydown", key)), "click", "--repeat", n, "--delay", 10, 1,
                     *(word for key in modifiers for word in ("keyup", key)))

    def read_clipboard(self, target):
        """What is on the clipboard as that type, or None."""
        return subprocess.run(["xclip", "-selection", "clipboard", "-o", "-t", target], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=30).stdout or None

    def write_clipboard(self, content, target="UTF8_STRING"):
        """Puts bytes there, until whoever asks gets them: before the display has another owner of the clipboard, what is pasted is
        what was there before, or nothing at all."""
        subprocess.run(["xclip", "-selection", "clipboard", "-t", target, "-i"], input=content, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=True, timeout=30)
        wait_for("it on the clipboard", lambda: self.read_clipboard(target) == content)

    def get_colour(self, x, y):
        """Red, green and blue of a pixel of the display."""
        text = subprocess.run(["import", "-window", "root", "-crop", f"1x1+{round(x)}+{round(y)}", "-depth", "8",
                               "rgb:-"], check=True, stdout=subprocess.PIPE).stdout
        return tuple(text[:3])

    def read_picture(self, x, y, width, height):
        """The display's pixels there, three bytes each."""
        return subprocess.run(["import", "-window", "root", "-crop", f"{width}x{height}+{round(x)}+{round(y)}", "-depth", "8",
                               "rgb:-"], check=True, stdout=subprocess.PIPE).stdout

    def wait_still(self, what, read):
        """Until a picture, of which something moves that nothing tells of, has been the same for longer than the program may pause."""
        seen, since = None, time.monotonic()

        def is_still():
            nonlocal seen, since
            before, seen = seen, None
            seen = read()
            if seen != before:
                since = time.monotonic()
            return time.monotonic() > since + STILL_SECONDS
        wait_for(f"{what} to stand still", is_still)
        return seen

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

    def wait_place(self, node):
        """x, y, width and height in the window, once the node has room and stays there."""
        place = None

        def ask():
            nonlocal place
            before, place = place, self.accessibility.get_extents(node)
            return place if place == before and min(place[2:]) > 0 else None
        return wait_for(lambda: f"{node.role} “{node.name}” to have a place; it is {place}", ask)

    def point(self, node, dx, dy):
        """Where a place in a widget of the main window is on the display."""
        left, top = self.wait_place(node)[:2]
        x, y, width, height = self.get_geometry(self.x_window)
        frame_width, frame_height = self.accessibility.get_extents(self.main_frame())[2:]
        # GTK counts from inside the border it draws, X from outside.
        return (x + (width - frame_width) / 2 + left + dx,
                y + (height - frame_height) / 2 + top + dy)

    def click_in(self, x_window, root, node):
        """The middle of a widget in an X window over the main one, of which an accessible is known that fills it."""
        geometry = None

        def ask():
            # A busy program has not yet placed it when it is there.
            nonlocal geometry
            before, geometry = geometry, self.get_geometry(x_window)
            return before == geometry
        left, top, width, height = self.wait_place(node)
        wait_for("a window to stay where it is", ask)
        root_left, root_top, root_width, root_height = self.wait_place(root)
        x, y, x_width, x_height = geometry
        self.click(x + (x_width - root_width) / 2 + left - root_left + width / 2,
                   y + (x_height - root_height) / 2 + top - root_top + height / 2)

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

    # GTK's file chooser. While it reads a folder it may replace what was typed: what stands there is looked at before it is taken.

    def _type_in_chooser(self, title, text):
        def find_entry():
            # The dialog that asked for it may have the same title.
            nodes = [node for frame in self.frames() if title in frame.name for node in self.accessibility.walk(frame)
                     if node.role in ("text", "text box", "entry")]
            return next(iter(self.accessibility.find_focused(nodes)), None)

        def write():
            # Files that are looked at have the keyboard at first; what is typed there searches.
            if find_entry() is None:
                self.key("ctrl+l")
                wait_for("an entry with the keyboard", find_entry)
            self.key("ctrl+a")
            self.type(text)

        def has_text():
            entry = find_entry()
            return entry is not None and self.accessibility.get_text(entry) == text
        insist(f"{text} in the entry", write, has_text, 5)
        top = self.get_top()
        # It does nothing either, where it still reads the folder that was typed.
        insist(f"{text} to be taken", lambda: self.key("Return"), lambda: self.get_top() != top, 5)

    def answer_chooser(self, title, path, *others):
        """A path, or a name where the chooser is, is typed and taken, whatever that leads to."""
        self.wait_dialog(title, *others)
        self._type_in_chooser(title, str(path))

    def save_in_chooser(self, title, path, *others, folder=None):
        """What is typed replaces the name it suggests. A name without a folder goes where the chooser is, which is to be that folder."""
        self.wait_dialog(title, *others)
        self._type_in_chooser(title, str(path))
        target = path if folder is None else folder / path
        wait_for(f"{target} to be written", lambda: target.exists() and target.stat().st_size > 0)

    def wait_gone(self, title):
        wait_for(f"“{title}” to close", lambda: self.find_frame(title) is None)
        wait_for("the main window to be on top", lambda: self.get_top() == self.x_window)

    def close_dialog(self, title):
        """By Escape, which a list that still drops down takes for itself."""
        insist(f"“{title}” to close", lambda: self.key("Escape"), lambda: self.find_frame(title) is None)
        self.wait_gone(title)

    # A list that drops down

    def choose(self, box, n, mnemonic=None):
        """The nth of what it offers, by a click or by its mnemonic. Keys are about the list only once it has dropped down, and about
        the window again, like the pointer, once the display has it no more: what is chosen is told of before."""
        def find_rows():
            return [node for node in self.accessibility.walk(box) if node.role == "list item"]

        def count():
            return sum(self.accessibility.get_extents(label)[2] > 0 for label in self.find_all("label", "", box))
        # What says what is chosen is there before, once the dialog is laid out.
        self.wait_place(box)
        n_before, others, shown = count(), self.popups(), {row.path for row in find_rows()}

        def find_list():
            return count() > n_before and [x_window for x_window in self.popups() if x_window not in others]

        def find_row():
            """Which row has the keyboard, or -1: at first it may be what is searched with that has it."""
            places = {row.path: self.accessibility.get_extents(row) for row in find_rows() if row.path not in shown}
            rows = [row for row in find_rows() if row.path in places and places[row.path][3] > 0]
            if not rows:
                raise Gone("the rows, which are not laid out")
            rows.sort(key=lambda row: places[row.path][1])
            return next((index for index, has in enumerate(self.accessibility.have_state(rows, FOCUSED)) if has), -1)
        if mnemonic is None:
            width, height = self.wait_place(box)[2:]
            self.click(*self.point(box, width / 2, height / 2))
        else:
            self.key(f"alt+{mnemonic}")
        lists = wait_for(f"the list of “{box.name}”", find_list)
        # The row that has the keyboard at first need not be the one that is chosen; from here on it is.
        self.key("Home")
        self.take_keys()
        for _ in range(3 * n + 30):
            row = wait_for("rows", find_row)
            if row == n:
                break
            self.key("Down" if row < n else "Up")
            self.take_keys()
        assert row == n, f"the keyboard is at row {row} of the list of “{box.name}” instead of {n}"
        self.key("Return")
        wait_for(f"the list of “{box.name}” to close", lambda: count() <= n_before and not set(lists) & set(self.popups()))

    # A tab

    def use_page(self, index, from_first_head=True, is_on_top=True):
        """The tab, in the order of opening, that view() and rows() speak of."""
        def ask():
            pages = [node for node in self.accessibility.walk(self.main_frame()) if node.name == "HlDocumentPage"]
            if len(pages) <= index:
                return None
            images = [node for node in self.accessibility.walk(pages[index])
                      if node.role == "image" and ": attention weight" in node.name]
            return (pages[index], images[0]) if images else None
        self.page, self.image = wait_for(f"tab {index} with a view", ask)
        if not is_on_top:
            return
        wait_for(f"tab {index} on top", lambda: self.accessibility.get_extents(self.image)[2] > 0)
        # The button of a tab that never was on top cannot be pressed.
        if from_first_head and self.page.path not in self.settled:
            self.settled.add(self.page.path)
            self._leave_chosen_head()

    def _leave_chosen_head(self):
        """A file begins with a head that is worth seeing; tests begin with the first of all, where the button beside the notice goes."""
        buttons = [node for node in self.find_all("button", "Show ", self.page) if re.fullmatch(r"Show \d+·0", node.name)]
        if not buttons or not re.search(r"layer \d+ · head \d+", self.view()[0]):
            return
        first = "layer {} · head 0".format(buttons[0].name.split()[1].partition("·")[0])
        insist("the first head", lambda: self.accessibility.activate(buttons[0]), lambda: first in self.view()[0])

    def view(self):
        """The drawn view's name and what it says of the token in focus."""
        if not self.accessibility.read([self.image]):
            raise Gone("the view is gone")
        return self.image.name, self.image.description

    def wait_view(self, *words, seconds=30):
        def ask():
            view = self.view()
            return view if all(word in " — ".join(view) for word in words) else None
        return wait_for(lambda: f"the view to say {words}; it says {self.view()}", ask, seconds)

    def wait_nothing_in_focus(self):
        wait_for(lambda: f"no token to be in focus; it is {self.view()}", lambda: self.view()[1] == "")

    def get_focused(self, root=None):
        """The names of what has the keyboard."""
        return [node.name for node in self.accessibility.find_focused(list(self.accessibility.walk(root or self.page)))]

    def go_by_tab(self, name, key="Tab", root=None):
        """From wherever the keyboard is, to what has the name. Each step is looked at once the program has taken it."""
        nodes = []
        for _ in range(100):
            # What is on the way may be made anew.
            if not nodes or len(self.accessibility.read(nodes)) < len(nodes):
                nodes = wait_for(f"“{name}”", lambda: [node for node in self.accessibility.walk(root or self.page) if node.name == name])
            if self.accessibility.find_focused(nodes):
                return
            self.key(key)
            self.take_keys()
        raise Failure(f"{key} does not come to “{name}”; it is at {self.get_focused(root)}")

    def rows(self):
        """The rows of the token panel, "flies 0.41", without what tells a token from its like."""
        lists = self.find_all("list", "Weights", self.page)
        names = [node.name for node in self.accessibility.children(lists[:1])] if lists else []
        return [re.sub(r", position \d+, ", " ", name) for name in names]

    def picker(self):
        return self.wait("group", "Heads", self.page)

    def point_in_picker(self, layer, head, n_heads):
        """Where the cell of a head is on the display, in a picker of so many columns; with None, the layer's number."""
        picker = self.picker()
        width = self.wait_place(picker)[2]
        labels, header = 16, 19
        cell = min(max((width - labels) // n_heads, 12), 32)
        return self.point(picker, labels / 2 if head is None else labels + (head + 0.5) * cell, header + (layer + 0.5) * cell)

    def point_nowhere(self):
        """Where there is no token and no line in a picture: its corner."""
        return self.point(self.image, 6, 6)

    def seek(self, points, words):
        """Moves the pointer over points of the view, across and down from its corner, until it says the words, or what a
        pattern matches. Where a busy program said so late, it was of a point before: what counts is said when the pointer comes
        from nowhere."""
        begins = words.match if isinstance(words, re.Pattern) else lambda description: description.startswith(words)

        def ask(holds, patience):
            end = time.monotonic() + patience
            while not holds(self.view()[1]):
                if time.monotonic() > end:
                    return False
                # What is asked all the time has the less time to draw.
                time.sleep(0.005)
            return True

        points = list(points)
        for patience in (0.08, 0.3, 1):
            x, y = self.point(self.image, 0, 0)
            for dx, dy in points:
                self.move(x + dx, y + dy)
                if not ask(begins, patience):
                    continue
                self.move(*self.point_nowhere())
                # What is pinned may say the same wherever the pointer is.
                ask(lambda description: not begins(description), 3)
                self.move(x + dx, y + dy)
                if ask(begins, 3):
                    return x + dx, y + dy, self.view()[1]
        raise Failure(f"the pointer met no “{words}”; at last the view said {self.view()}")

    def measure_rows(self, tokens, x):
        """The middle of the first row of query tokens, from the top of the view, and how far rows are apart: asks what the
        pointer is over, from above and from below."""
        height = self.wait_place(self.image)[3]
        top = self.point(self.image, 0, 0)[1]
        last = len(tokens) - 1
        first = self.seek([(x, y) for y in range(60, height, 6)], f"{tokens[0]} (query 0)")[1] - top
        end = self.seek([(x, y) for y in range(height - 3, 60, -6)], f"{tokens[last]} (query {last})")[1] - top
        row = (end - first + 6) / len(tokens)
        return first - 3 + row / 2, row

    # From elsewhere

    def drop(self, *paths, at=None, options=()):
        """Drags files from another window to a point of this one, which lies left above that: into its middle."""
        source = subprocess.Popen(["/usr/bin/python3", str(Path(__file__).with_name("drag-source.py")), *options, *map(str, paths)],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
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
            end = at or (x + width // 2 - 330, y + height // 2 - 165)
            for step in range(1, 12):
                self.xdotool("mousemove", *(int(start + (stop - start) * step / 11)
                                            for start, stop in zip((x + width / 2, y + height / 2), end)), "sleep", 0.02)

            def is_welcome():
                self.xdotool("mousemove_relative", "--", -1, 0)
                return self.get_colour(*edge) != plain
            wait_for("the drop to be welcome", is_welcome)
            # It falls where the other window said last that it is, which says so at a motion, and not before it got an answer.
            for _ in range(3):
                self.xdotool("mousemove_relative", "--", -1, 0)
                print(file=source.stdin, flush=True)
                source.stdout.readline()
                self.frames()
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

    def read_errors(self):
        """The lines of its standard error, whose place it shares: nothing is sought in it."""
        return os.pread(self.errors.fileno(), os.fstat(self.errors.fileno()).st_size, 0).decode(errors="replace").splitlines()

    def complaints(self):
        """What the program wrote of faults."""
        return [line for line in self.read_errors()
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


def tell_state(name):
    """To a test that failed: how the programs are, what they wrote last, and a picture of the display."""
    for program in Program.started:
        status = program.process.poll()
        state = "runs" if status is None else f"ended with {status}"
        windows = [] if status is not None else program.popups()
        print("\n".join([f"# {Path(program.binary).name} {state}; its X windows are {[program.x_window, *windows]}; "
                         "the last lines of its standard error:",
                         *(f"#   {line}" for line in program.read_errors()[-75:])]), file=sys.stderr, flush=True)
    folder = os.environ.get("HEADLIGHT_TEST_PICTURES", os.environ.get("HEADLIGHT_TEST_LOGS", tempfile.gettempdir()))
    words = re.sub(r"[^a-z0-9]+", "-", name.lower())
    picture = Path(folder) / f"failed-{Path(sys.argv[0]).stem.removeprefix('test-')}-{words}-{os.getpid()}.png"
    try:
        subprocess.run(["import", "-window", "root", picture], check=True, timeout=60)
        print(f"# the display: {picture}", file=sys.stderr, flush=True)
    except subprocess.SubprocessError as error:
        print(f"# no picture of the display: {error}", file=sys.stderr, flush=True)


def check_complaints():
    found = [line for program in Program.started for line in program.complaints()]
    assert not found, "\n".join(found)


def run_tests(tests, recover):
    """TAP. A test that fails does not stop the others. The last is about what any of the programs wrote of faults, of which GTK finds
    many."""
    tests = [*tests, ("complaints", check_complaints)]
    # Whoever waits no longer asks for the end; the program, which may stand still, ends along.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
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
            tell_state(name)
            recover()
        print(f"# {time.monotonic() - start:.1f} s", flush=True)
    sys.exit(1 if n_failed else 0)
