# SPDX-License-Identifier: MIT
"""What a screen reader is told: AT-SPI, asked directly over its bus.

Nothing is kept between two questions (pyatspi keeps what it heard, and GTK 4.8 does not say all that changed). In a walk over
hundreds of widgets they are asked level by level which are there; what they are comes as one answer, with all that the program offers
to be kept, which costs less than half of asking each of them.
"""
from dataclasses import dataclass

from gi.repository import Gio, GLib

ACCESSIBLE = "org.a11y.atspi.Accessible"
ACTION = "org.a11y.atspi.Action"
CACHE, CACHE_PATH = "org.a11y.atspi.Cache", "/org/a11y/atspi/cache"
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


@dataclass
class Item:
    """What the program's cache tells of an accessible: the node, whose role has a number only, and how many children are in it."""
    node: Node
    role: int
    n_children: int


class Accessibility:
    def __init__(self):
        self.role_names = {}
        session = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None,
                                    Gio.DBusCallFlags.NONE, TIMEOUT_MS, None).unpack()[0]
        self.bus = Gio.DBusConnection.new_for_address_sync(
            address, Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
            None, None)

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

    def _read_cache(self, bus_name):
        """Of every path, what the program tells of it."""
        try:
            reply = self.bus.call_sync(bus_name, CACHE_PATH, CACHE, "GetItems", None, None, Gio.DBusCallFlags.NONE, TIMEOUT_MS, None)
        except GLib.Error:
            return {}
        items, array = {}, reply.get_child_value(0)
        for i in range(array.n_children()):
            # (so) itself, (so) its application, (so) its parent, i index, i children, as interfaces, s name, u role, s description, au states
            value = array.get_child_value(i)
            path = value.get_child_value(0).get_child_value(1).get_string()
            node = Node(bus_name, path, "", value.get_child_value(6).get_string(), value.get_child_value(8).get_string())
            items[path] = Item(node, value.get_child_value(7).get_uint32(), value.get_child_value(4).get_int32())
        return items

    def _name_roles(self, items):
        unknown = {item.role: item.node for item in items if item.role not in self.role_names}
        names = self._ask([(node, ACCESSIBLE, "GetRoleName", None) for node in unknown.values()])
        self.role_names.update((role, name[0]) for role, name in zip(unknown, names) if name is not None)
        for item in items:
            item.node.role = self.role_names.get(item.role, "")

    def walk(self, node):
        """What is in a node, level by level; children of one parent in their order."""
        items = self._read_cache(node.bus_name)
        level = [node]
        while level:
            # Which children are those of a parent is asked: hidden ones and pages that are not seen name it, too. An application does
            # not say that it has any.
            parents = [parent for parent in level if parent is node or parent.path not in items or items[parent.path].n_children]
            level = [items[child.path].node if child.path in items else child
                     for children in self._list_children(parents) for child in children]
            # What nobody asked about yet is not kept.
            self._name_roles([items[child.path] for child in level if child.path in items])
            there = {child.path for child in self.read([child for child in level if child.path not in items])}
            level = [child for child in level if child.path in items or child.path in there]
            yield from level

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
