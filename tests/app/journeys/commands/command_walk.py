# SPDX-License-Identifier: MIT
"""Commands of the window done in two ways: by the keyboard alone, and through AT-SPI."""
from dataclasses import dataclass
from typing import Callable

from gi.repository import Gio, GLib

from window_driver import Program, insist, wait_for

NAME, OBJECT = "org.headlight.Headlight", "/org/headlight/Headlight"
SELECTED, SENSITIVE = 23, 24
CONTROLS = ("button", "menu item", "switch", "check box", "tab")
# Between two keys, until what dropped down is there and one menu has slid away: of two, letters lead to nothing.
PAUSE = ""
# Until keys go to another window.
ELSEWHERE = "elsewhere"
MARK = "nothing was copied"


@dataclass
class Row:
    """A command: how it is done, and what is seen of it. What is given as keys can have "=text", which is typed."""
    name: str                     # of its action, or what the window of shortcuts calls keys that are no action
    keys: tuple                   # a shortcut, or what is pressed one after the other
    sees: Callable                # what differs afterwards
    control: str = ""             # its button or menu item
    menu: tuple = ()              # the button whose menu has it, and the item of a menu in that
    of_picture: str = ""          # its name among the actions that the picture offers
    by_keys_alone: bool = False   # keys in a text or a list, which a screen reader has as its own commands
    tab: str = ""                 # what Tab goes to before the keys
    prepare: Callable = None
    before: tuple = ()            # keys that make it possible
    after: tuple = ()             # keys that take it back


class Walk:
    def __init__(self, binary, work):
        self.binary, self.work = binary, work
        self.program = None
        self.session_bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)

    def start(self, *arguments, with_view=True):
        self.end()
        self.program = Program(self.binary, *map(str, arguments))
        if with_view:
            self.program.use_page(0)

    def end(self):
        if self.program is not None:
            self.program.kill()

    # What the program says

    def _ask_actions(self, path, method, signature):
        return self.session_bus.call_sync(NAME, path, "org.gtk.Actions", method, None, GLib.VariantType(signature),
                                          Gio.DBusCallFlags.NONE, 20000, None).unpack()[0]

    def list_actions(self):
        return set(self._ask_actions(f"{OBJECT}/window/1", "List", "(as)")) | \
            {f"app.{name}" for name in self._ask_actions(OBJECT, "List", "(as)")}

    def describe(self, action):
        """Whether it is enabled, and where it stands."""
        group, _, name = action.rpartition(".")
        path = OBJECT if group == "app" else f"{OBJECT}/window/1"
        enabled, _, states = self._ask_actions(path, "DescribeAll", "(a{s(bgav)})")[name]
        return enabled, states

    def are_selected(self, nodes):
        return self.program.accessibility.have_state(nodes, SELECTED)

    def is_seen(self, node):
        extents = self.program.accessibility.get_extents(node)
        return extents is not None and extents[2] > 0

    # What a command is seen by

    def frames(self):
        return sorted(frame.name for frame in self.program.frames())

    def view(self):
        return self.program.view()

    def caption(self):
        return self.program.view()[0]

    def title(self):
        return self.program.title()

    def focus(self):
        """What has the keyboard in any window."""
        nodes = list(self.program.accessibility.walk(self.program.application))
        return [(node.role, node.name) for node in self.program.accessibility.find_focused(nodes)]

    def clipboard(self):
        return self.program.read_clipboard("TARGETS")

    def popups(self):
        return self.program.popups()

    def tabs(self):
        return [node.path for node in self.program.accessibility.walk(self.program.main_frame())
                if node.name == "HlDocumentPage"]

    def labels(self):
        return [node.name for node in self.program.find_all("label") if self.is_seen(node)]

    def picture(self):
        """As it is drawn, below the chips of its heads."""
        width, height = self.program.wait_place(self.program.image)[2:]
        return self.program.read_picture(*self.program.point(self.program.image, 0, 40), width, height - 60)

    def is_alive(self):
        return self.program.process.poll() is None

    # How a command is done

    def press(self, keys):
        for key in keys:
            if key == PAUSE:
                self._wait_menu()
            elif key == ELSEWHERE:
                wait_for("another window on top", lambda: self.program.get_top() not in (self.program.x_window, None))
            elif key.startswith("="):
                self.program.type(key[1:])
            else:
                self.program.key(key)
        self.program.take_keys(sum(max(len(key) - 1, 1) for key in keys))

    def _wait_menu(self):
        def read():
            popups = self.popups()
            return popups and self.program.read_picture(*self.program.get_geometry(popups[-1]))
        self.program.take_keys()
        wait_for("a menu", self.popups)
        self.program.wait_still("a menu", read)

    def go_by_tab(self, name):
        """From wherever the keyboard is, to what has the name."""
        self.program.go_by_tab(name, root=self.program.main_frame())

    def find_controls(self, name):
        """Those that can be used now. The button of what is said for a while has its name twice, once with a mark."""
        found = [node for node in self.program.accessibility.walk(self.program.application)
                 if node.name.replace("_", "") in (name, f"{name} {name}") and any(role in node.role for role in CONTROLS)]
        usable = self.program.accessibility.have_state(found, SENSITIVE)
        return [node for node, can_be_used in zip(found, usable) if can_be_used and self.is_seen(node)]

    def activate(self, name):
        """The first of those that have an action: of a menu's button, its outer half has none."""
        def ask():
            return any(self.program.accessibility.activate(node) for node in self.find_controls(name))
        wait_for(f"“{name}” to be activated", ask)

    def _do_offered(self, node, name):
        names = self.program.accessibility.list_actions(node)
        assert name in names, f"{name} is not among {names}"
        assert self.program.accessibility.activate(node, names.index(name)), name

    def do_by_keys(self, row):
        if row.tab != "":
            self.go_by_tab(row.tab)
        self.press(row.keys)

    def do_by_accessibility(self, row):
        """At its button or menu item where it has one, and otherwise where the picture or the window offers it by its name."""
        if row.of_picture != "":
            self._do_offered(self.program.image, row.of_picture)
        elif row.control == "":
            window = next(node for node in self.program.frames() if "Headlight" in node.name)
            self._do_offered(window, row.name if "." in row.name else f"win.{row.name}")
        else:
            for opens in row.menu:
                self.activate(opens)
                wait_for(f"the menu of “{opens}”", self.popups)
            self.activate(row.control)

    def run(self, row, actions):
        for do in (self.do_by_keys,) if row.by_keys_alone else (self.do_by_keys, self.do_by_accessibility):
            if row.prepare is not None:
                row.prepare(self)
            self.press(row.before)
            if row.name in actions:
                wait_for(f"{row.name} to be possible ({do.__name__})", lambda: self.describe(row.name)[0])
            before = self._settle(row.sees)
            do(row)
            wait_for(lambda: f"{row.name} to do something ({do.__name__}); it is still {str(before)[:2000]}",
                     lambda: row.sees(self) != before)
            if self.is_alive():
                self.press(row.after)
                self.close_others()

    def _settle(self, sees):
        """What is seen once it stays as it is: what the keys before did may come a little later."""
        return self.program.wait_still("what is seen", lambda: sees(self))

    def close_others(self):
        """Dialogs and menus that a row opened."""
        def is_done():
            return self.program.get_top() in (self.program.x_window, None) and not self.popups() and len(self.frames()) == 1
        insist(lambda: f"only the window; there are {self.frames()}", lambda: self.program.key("Escape"), is_done, 1)

    # Where rows begin

    def to_picture(self):
        """The keyboard is in the picture, and nothing is pinned."""
        self.program.click(*self.program.point(self.program.image, 5, 5))
        self.press(("Escape", "Escape"))

    def mark_clipboard(self):
        self.program.write_clipboard(MARK.encode())
