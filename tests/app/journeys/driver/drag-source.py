#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A small window from which files can be dragged, as from a file manager; or, as from a page of the web, an image, beside which there is
an address; or a text. A line on standard input is answered once all that was asked of the window before is done.
Usage: drag-source.py FILE… | --image FILE | --text TEXT"""
import sys

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")

from gi.repository import Gdk, Gio, GLib, Gtk

loop = GLib.MainLoop()
window = Gtk.Window(title="Drag Source", default_width=120, default_height=60, child=Gtk.Label(label="Drag me"))
if sys.argv[1] == "--image":
    parts = {"text/uri-list": b"https://example.invalid/picture.png\r\n", "image/png": open(sys.argv[2], "rb").read()}
elif sys.argv[1] == "--text":
    parts = {"text/plain;charset=utf-8": sys.argv[2].encode()}
else:
    parts = {"text/uri-list": "".join(Gio.File.new_for_path(path).get_uri() + "\r\n" for path in sys.argv[1:]).encode()}
source = Gtk.DragSource(content=Gdk.ContentProvider.new_union(
    [Gdk.ContentProvider.new_for_bytes(kind, GLib.Bytes.new(content)) for kind, content in parts.items()]))
source.connect("drag-end", lambda *_: loop.quit())
window.add_controller(source)


def answer():
    print(flush=True)


def on_line(*_):
    sys.stdin.readline()
    GLib.idle_add(answer, priority=GLib.PRIORITY_LOW)
    return True


GLib.io_add_watch(sys.stdin, GLib.IO_IN, on_line)
window.present()
loop.run()
