# SPDX-License-Identifier: MIT
"""What a screen reader is told: AT-SPI, asked directly over its bus.

Nothing is kept between two questions (pyatspi keeps what it heard, and GTK 4.8 does not say all that changed). Walks over hundreds of
widgets are walk-accessibles', a program beside this one that HEADLIGHT_TEST_WALK names.
"""
import atexit
import json
import os
import subprocess
from dataclasses import dataclass

from gi.repository import Gio, GLib

ACCESSIBLE = "org.a11y.atspi.Accessible"
ACTION = "org.a11y.atspi.Action"
WINDOW_COORDINATES = 1
FOCUSABLE, FOCUSED = 11, 12
TIMEOUT_MS = 20000


@dataclass
class Node:
    """An accessible as it was when it was read."""
    bus_name: str
    path: str
    role: str = ""
    name: str = ""
    description: str = ""


class Accessibility:
    def __init__(self):
        session = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None,
                                    Gio.DBusCallFlags.NONE, TIMEOUT_MS, None).unpack()[0]
        self.bus = Gio.DBusConnection.new_for_address_sync(
            address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
            None, None)
        self.walker = subprocess.Popen([os.environ["HEADLIGHT_TEST_WALK"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       encoding="utf-8")
        atexit.register(self.walker.kill)

    def _ask(self, questions):
        """Answers to (node, interface, method, arguments), in order; None where there is none, as of what is gone."""
        answers = [None] * len(questions)
        left = len(questions)

        def take(bus, result, index):
            nonlocal left
            left -= 1
            try:
                answers[index] = bus.call_finish(result).unpack()
            except GLib.Error:
                pass

        for index, (node, interface, method, arguments) in enumerate(questions):
            self.bus.call(node.bus_name, node.path, interface, method, arguments, None, Gio.DBusCallFlags.NONE,
                          TIMEOUT_MS, None, take, index)
        while left > 0:
            GLib.MainContext.default().iteration(True)
        return answers

    def _list_children(self, nodes):
        """Of each, its children, not yet read."""
        answers = self._ask([(node, ACCESSIBLE, "GetChildren", None) for node in nodes])
        return [[] if answer is None else [Node(bus_name, path) for bus_name, path in answer[0]] for answer in answers]

    def read(self, nodes):
        """Fills in what the nodes are now, and returns those that are there."""
        roles = self._ask([(node, ACCESSIBLE, "GetRoleName", None) for node in nodes])
        names = self._ask([(node, "org.freedesktop.DBus.Properties", "GetAll", GLib.Variant("(s)", (ACCESSIBLE,)))
                           for node in nodes])
        there = []
        for node, role, properties in zip(nodes, roles, names):
            if role is None or properties is None:
                continue
            node.role, node.name, node.description = role[0], properties[0]["Name"], properties[0]["Description"]
            there.append(node)
        return there

    def applications(self):
        return self.children([Node("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")])

    def walk(self, node):
        """What is in a node, level by level; children of one parent in their order."""
        print(node.bus_name, node.path, file=self.walker.stdin, flush=True)
        return [Node(node.bus_name, *words) for words in json.loads(self.walker.stdout.readline())]

    def children(self, nodes):
        """The children of every node."""
        return self.read([child for children in self._list_children(nodes) for child in children])

    def get_extents(self, node):
        """x, y, width and height in the window; nothing of what is gone."""
        answer, = self._ask([(node, "org.a11y.atspi.Component", "GetExtents",
                              GLib.Variant("(u)", (WINDOW_COORDINATES,)))])
        return answer[0] if answer is not None else (0, 0, 0, 0)

    def have_state(self, nodes, state):
        """Of each, whether it is so."""
        answers = self._ask([(node, ACCESSIBLE, "GetState", None) for node in nodes])
        return [answer is not None and bool(answer[0][state // 32] & 1 << state % 32) for answer in answers]

    def find_focusable(self, nodes):
        """Those that can have the keyboard."""
        return [node for node, focusable in zip(nodes, self.have_state(nodes, FOCUSABLE)) if focusable]

    def find_focused(self, nodes):
        """Those that have the keyboard."""
        return [node for node, focused in zip(nodes, self.have_state(nodes, FOCUSED)) if focused]

    def list_actions(self, node):
        """The names of what it offers to do."""
        answer, = self._ask([(node, ACTION, "GetActions", None)])
        return [entry[0] for entry in answer[0]] if answer is not None else []

    def get_text(self, node):
        """What stands in a text."""
        answer, = self._ask([(node, "org.a11y.atspi.Text", "GetText", GLib.Variant("(ii)", (0, 1 << 20)))])
        return answer[0] if answer is not None else None

    def activate(self, node, index=0):
        """Does what a button does, or another one of the actions that are offered."""
        answer, = self._ask([(node, ACTION, "DoAction", GLib.Variant("(i)", (index,)))])
        return answer is not None and answer[0]
