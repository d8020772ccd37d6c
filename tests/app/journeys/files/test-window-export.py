#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What leaves the window: figures in each format by the dialog, what is pinned in them, numbers, the clipboard.

Usage: test-window-export.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import base64
import csv
import json
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

import h5py
import numpy as np

from window_driver import Program, run_tests, wait_for

BINARY, SAMPLE = sys.argv[1], Path(sys.argv[2])
WORK = Path(tempfile.mkdtemp(prefix="headlight-export-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
# In the view, over no token.
NOWHERE = (372, 600)
SVG = "{http://www.w3.org/2000/svg}"

with h5py.File(SAMPLE) as file:
    HEAD = file["attention"][3, 5].astype(float)
    TOKENS = [token.decode() for token in file["tokens"][...]]

program = Program(BINARY, str(SAMPLE))
atexit.register(program.kill)


def open_dialog():
    program.key("ctrl+e")
    return program.wait_dialog("Export Figure")


def choose_format(dialog, n_down):
    """The format that lies so many steps down the list; what the dialog says of its size."""
    if n_down > 0:
        program.choose(program.wait("combo box", "Format", dialog), n_down, "f")
    said = ("pixels", "scalable", "points")[n_down]
    return read_size(dialog, said)


def read_size(dialog, said):
    label = wait_for(f"the size in {said}", lambda: [node.name for node in program.find_all("label", said, dialog)
                                                    if " × " in node.name])[0]
    return [float(number) for number in re.findall(r"\d+", label)]


def save(path, window):
    program.key("alt+e")
    program.save_in_chooser("Export Figure", path, window)
    program.wait_gone("Export Figure")


def export(path, n_down):
    dialog, window = open_dialog()
    said = choose_format(dialog, n_down)
    save(path, window)
    return said


def read_svg(path):
    """Its root, and its texts."""
    root = xml.etree.ElementTree.parse(path).getroot()
    return root, ["".join(node.itertext()) for node in root.iter(SVG + "text")]


def png_size(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n", data[:8]
    return struct.unpack(">II", data[16:24])


def test_open():
    program.use_page(0)
    program.key(*["alt+Down"] * 3, *["alt+Right"] * 5)
    program.wait_view("layer 3", "head 5")


def test_svg():
    target = WORK / "head.svg"
    width, height = export(target, 1)
    root, texts = read_svg(target)
    assert [float(number) for number in root.get("viewBox").split()] == [0, 0, width, height], root.attrib
    for token in set(TOKENS):
        assert texts.count(token) == 2 * TOKENS.count(token), (token, texts)
    assert any("layer 3" in text and "head 5" in text for text in texts), texts


def test_pdf():
    target = WORK / "head.pdf"
    width, height = export(target, 2)
    info = subprocess.run(["pdfinfo", target], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert re.search(r"^Pages: +1$", info, re.M), info
    page = re.search(r"^Page size: +([\d.]+) x ([\d.]+) pts", info, re.M)
    assert abs(float(page[1]) - width) <= 1 and abs(float(page[2]) - height) <= 1, (info, width, height)
    text = subprocess.run(["pdftotext", "-layout", target, "-"], check=True, stdout=subprocess.PIPE, text=True).stdout
    for token in set(TOKENS):
        assert text.split().count(token) == 2 * TOKENS.count(token), (token, text)
    assert "layer 3" in text and "head 5" in text, text


def test_page():
    """A page has all heads, and begins with the one that is seen."""
    target = WORK / "head.html"
    dialog, window = open_dialog()
    program.choose(program.wait("combo box", "Format", dialog), 3, "f")
    wait_for("what a page holds", lambda: program.find_all("label", "All layers and heads, for any browser", dialog))
    save(target, window)
    data = json.loads(re.search(r'class="headlight-attention">(.*?)</script>', target.read_text(encoding="utf-8"), re.S)[1])
    assert data["selected"] == [[3, 5]] and data["view"] == "head-view", (data["selected"], data["view"])
    assert data["tokens"] == TOKENS, data["tokens"]
    codes = np.frombuffer(base64.b64decode(data["layers"][3]["numbers"]), "<u2").reshape(-1, *HEAD.shape)[5]
    low, high = data["range"]
    found = low + codes * ((high - low) / data["steps"])
    assert np.abs(found - HEAD).max() <= 1 / 65535, np.abs(found - HEAD).max()


def get_heads(path):
    return sorted(int(text) for text in read_svg(path)[1] if text.isdecimal())


def test_png():
    """Cut to what is shown, unless as it is seen in the window."""
    target = WORK / "head.png"
    said = export(target, 0)
    width, height = program.wait_place(program.image)[2:]
    assert png_size(target.read_bytes()) == tuple(said), said
    assert said[0] <= 2 * width and said[1] < 2 * height, (said, width, height)
    dialog, window = open_dialog()
    program.key("alt+a")
    wait_for("the size of the view", lambda: read_size(dialog, "pixels") == [2 * width, 2 * height])
    save(WORK / "seen.png", window)
    assert png_size((WORK / "seen.png").read_bytes()) == (2 * width, 2 * height)


def test_heads():
    """Only what is seen in the window has the heads to choose from."""
    assert get_heads(WORK / "head.svg") == [5]
    dialog, window = open_dialog()
    program.key("alt+a")
    choose_format(dialog, 1)
    save(WORK / "seen.svg", window)
    assert get_heads(WORK / "seen.svg") == list(range(12))


def test_png_at_another_scale():
    target = WORK / "large.png"
    dialog, window = open_dialog()
    width, height = [size / 2 for size in read_size(dialog, "pixels")]
    # The row takes the keys to its number.
    program.key("alt+s", "ctrl+a")
    program.type("3")
    program.key("Return")
    wait_for("the larger size", lambda: read_size(dialog, "pixels") == [3 * width, 3 * height])
    save(target, window)
    assert png_size(target.read_bytes()) == (3 * width, 3 * height)


def export_pinned_lines(path):
    """With the token pinned that the keyboard goes to, like (query 3): its lines in the file, as x and y of both ends."""
    program.xdotool("mousemove", 2, 2)
    program.key("ctrl+Home", "Down", "Down", "Down", "Return")
    program.wait_view("like (query 3): ")
    export(path, 1)
    root, _ = read_svg(path)
    lines = [re.fullmatch(r"M ([\d.]+) ([\d.]+) L ([\d.]+) ([\d.]+) *", line.get("d")) for line in root.iter(SVG + "path")]
    program.key("Escape", "Escape")  # the first closes the toast
    program.wait_nothing_in_focus()
    ends = [[float(number) for number in line.groups()] for line in lines if line]
    # Those beside the tokens tell sentences apart.
    return [line for line in ends if abs(line[0] - line[2]) > 100]


def test_pin():
    lines = export_pinned_lines(WORK / "pinned.svg")
    assert len({(x, y) for x, y, _, _ in lines}) == 1, lines
    assert len({(x, y) for _, _, x, y in lines}) == len(lines) == np.count_nonzero(HEAD[3] >= HEAD[3].max() / 512), lines


def test_top_keys():
    program.key("alt+t", *["Left"] * 10)
    program.wait_view("top keys holding 90 %")
    program.click(*program.point(program.image, *NOWHERE))  # keys go to the picture again
    n = np.searchsorted(np.cumsum(np.sort(HEAD[3])[::-1]), 0.9) + 1
    lines = export_pinned_lines(WORK / "top.svg")
    assert len(lines) == n, (n, lines)
    program.key("alt+t", "End")
    wait_for("all keys", lambda: "top keys" not in program.view()[0])


def test_numbers():
    target = WORK / "head.csv"
    program.key("ctrl+shift+e")
    program.save_in_chooser("Export Numbers", target)
    program.wait_gone("Export Numbers")
    with open(target, newline="", encoding="utf-8") as table:
        rows = list(csv.reader(table))
    assert rows[0][-len(TOKENS):] == TOKENS, rows[0]
    numbers = np.array([[float(cell) for cell in row[-len(TOKENS):]] for row in rows[1:]])
    assert np.abs(numbers - HEAD).max() < 1e-6, numbers


def test_numbers_of_all_heads():
    """In the model view, a row for each head."""
    target = WORK / "heads.csv"
    program.key("ctrl+3")
    program.wait_view("Model View: ")
    program.key("ctrl+shift+e")
    program.save_in_chooser("Export Numbers of All Heads", target)
    program.wait_gone("Export Numbers of All Heads")
    program.key("ctrl+1")
    program.wait_view("Head View: ")
    with open(target, newline="", encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    assert len(rows) == 6 * 12, len(rows)
    row = rows[3 * 12 + 5]
    assert (row["layer"], row["head"]) == ("3", "5"), row
    assert abs(float(row["first"]) - HEAD[:, 0].mean()) < 1e-5, row


def test_copy_figure():
    program.key("ctrl+c")
    data = wait_for("a picture on the clipboard", lambda: program.read_clipboard("image/png"))
    width, height = program.wait_place(program.image)[2:]
    assert png_size(data)[0] * height == png_size(data)[1] * width, (png_size(data), width, height)
    wait_for("shapes on the clipboard", lambda: b"<svg" in (program.read_clipboard("image/svg+xml") or b""))


def test_ending():
    """What is made goes by the ending of the name; a name without one gets that of the format."""
    for name, target, begins in (("named.svg", "named.svg", b"<?xml"), ("plain", "plain.png", b"\x89PNG"),
                                 ("other.h5", "other.h5.png", b"\x89PNG")):
        dialog, window = open_dialog()
        program.key("alt+e")
        program.answer_chooser("Export Figure", WORK / name, window)
        program.wait_gone("Export Figure")
        assert (WORK / target).exists(), sorted(path.name for path in WORK.iterdir())
        assert (WORK / target).read_bytes().startswith(begins), (name, (WORK / target).read_bytes()[:20])


def test_open_list():
    """Whatever has the keys, and whatever list drops down: the dialog closes, and asks nothing of what has gone."""
    for n_down in range(12):
        open_dialog()
        program.key(*["Tab"] * n_down, "space")
        program.close_dialog("Export Figure")
        assert not program.complaints(), (n_down, program.complaints())


def test_refused():
    """What cannot be written is said in the dialog, which stays."""
    target = WORK / "loop.svg"
    target.symlink_to(target)
    dialog, window = open_dialog()
    choose_format(dialog, 1)
    program.key("alt+e")
    program.answer_chooser("Export Figure", target, window)
    wait_for("the question whether to replace it", lambda: program.find_all("label", "already exists"))
    program.key("alt+r")
    wait_for("a sentence", lambda: program.find_all("label", "loop.svg: "))
    program.key("Escape")
    program.wait_gone("Export Figure")


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
