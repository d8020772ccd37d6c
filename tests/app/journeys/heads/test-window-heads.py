#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Somebody with 12 × 12 heads finds the one that links “her” to “Sarah”: by typing and by a list; in the table, the model view,
a figure and a file of numbers.

Usage: test-window-heads.py HEADLIGHT    on a display with a window manager and an accessibility bus
"""
import atexit
import csv
import math
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np

from window_driver import Failure, Program, find_one, insist, run_tests, wait_for

BINARY = sys.argv[1]
WORK = Path(tempfile.mkdtemp(prefix="headlight-heads-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

TOKENS = ["[CLS]", "sarah", "lost", "her", "keys", "because", "she", "was", "in", "a", "hurry", ".", "tom", "found", "her",
          "##self", "a", "hat", "[SEP]"]
HER, SARAH, TOM, FOUND, HAT = 3, 1, 12, 13, 17


def make_dump(path):
    """Random attention in which one head looks from “her” to “sarah”, and another from “found” to “hat”."""
    rng = np.random.default_rng(12)
    weights = np.exp(rng.normal(0, 1, (12, 12, len(TOKENS), len(TOKENS))))
    for layer, head, query, key in ((7, 4, HER, SARAH), (10, 2, FOUND, HAT)):
        weights[layer, head, query, key] = 15 * weights[layer, head, query].sum()
    weights /= weights.sum(-1, keepdims=True)
    with h5py.File(path, "w") as file:
        file["attention"] = weights.astype("f4")
        file["tokens"] = np.array(TOKENS, dtype=h5py.string_dtype())
    return weights.astype("f4").astype(float)


dump = WORK / "heads.h5"
ATTENTION = make_dump(dump)
program = Program(BINARY, str(dump))
atexit.register(program.kill)
known = {}


def get_known(name):
    """What is looked for among all cells of the table only where it is not there any more from before."""
    if name not in known or not program.accessibility.read([known[name]]):
        known[name] = find_one(name, (node for node in program.accessibility.walk(program.page) if node.name == name))
    return known[name]


def get_grid():
    return get_known("Table of Heads")


def wait_entry():
    return wait_for("the entry", lambda: get_known("Find Heads by Two Words"))


def get_rows(n):
    """The titles of the table and its first rows."""
    parts = program.accessibility.children([get_grid()])
    lists = [part for part in parts if part.role == "list"]
    return [part for part in parts if part.role == "row"] + program.accessibility.children(lists)[:n]


def get_cells(row):
    """Layer and head, then the others: GTK 4.8 tells cells in the order in which they were made."""
    return [node for node in program.accessibility.walk(row) if node.role == "label"]


def table(n=5):
    """What is written in the titles and in the first rows."""
    return [[cell.name for cell in get_cells(row)] for row in get_rows(n)]


def wait_row(layer, head, *numbers, at=1):
    """The table once its row at that place is of this head and holds the numbers."""
    words = [str(layer), str(head), *map(str, numbers)]

    def ask():
        lines = table()
        there = len(lines) > at and lines[at][:2] == words[:2] and not set(words) - set(lines[at])
        return lines if there else None
    return wait_for(lambda: f"{words} in row {at}; the table begins with {table()[:4]}", ask)


def find_title(title):
    """Its middle, and how far that is to the right of what is seen of the table; less than 0 if it is to the left."""
    label = find_one(title, (node for row in get_rows(0)[:1] for node in get_cells(row) if node.name == title))
    left, _, whole, _ = program.wait_place(get_grid())
    x, _, width, height = program.wait_place(label)
    middle = x + width / 2
    return program.point(label, width / 2, height / 2), min(0, middle - left) or max(0, middle - left - whole)


def click_title(title):
    """The table is as wide as the panel, and scrolled to what is beside."""
    for _ in range(60):
        place, beyond = wait_for(f"the title {title}", lambda: find_title(title))
        if beyond == 0:
            program.click(*place)
            return
        program.move(*program.point(get_grid(), 60, 100))
        program.xdotool("click", 7 if beyond > 0 else 6)
        # Where it is to be clicked, it has come to stand.
        wait_for("the table to scroll", lambda: find_title(title)[1] != beyond)
    raise Failure(f"the title {title} does not come into view")


def click_row(layer, head, n=1):
    """Clicks a row that is in view."""
    def find():
        rows = ([node for node in get_cells(row)] for row in get_rows(40))
        return find_one(f"a row of layer {layer}, head {head}",
                        (cells[0] for cells in rows if [cell.name for cell in cells[:2]] == [str(layer), str(head)]))
    program.click(*program.point(wait_for(f"a row of layer {layer}, head {head}", find), 10, 8), n)


def entropy(layer, head):
    rows = ATTENTION[layer, head]
    return float(-(rows * np.log(rows)).sum(-1).mean())


def test_table():
    program.use_page(0)
    program.wait_view("Head View: ", "layer 0", "head 0")
    program.key("ctrl+shift+h")
    lines = wait_row(0, 0, f"{entropy(0, 0):.2f}")
    assert lines[0] == ["Layer", "Head", "Name", "Entropy", "Distance", "First", "Special", "Previous", "Next", "Self", "Sink"], lines[0]
    distance = np.abs(np.subtract.outer(np.arange(len(TOKENS)), np.arange(len(TOKENS))))
    expected = [entropy(0, 0), (ATTENTION[0, 0] * distance).sum(-1).mean(), ATTENTION[0, 0, :, 0].mean()]
    for text, number, digits in zip(lines[1][3:], expected, (2, 2, 3)):
        assert abs(float(text) - number) <= 0.51 * 10 ** -digits, (lines[1], expected)


def test_sort():
    order = sorted(((entropy(layer, head), layer, head) for layer in range(12) for head in range(12)))
    click_title("Entropy")
    wait_row(*order[0][1:])
    # Later than a double click would be.
    program.xdotool("sleep", 0.6)
    click_title("Entropy")
    wait_row(*order[-1][1:])
    wait_row(*order[-2][1:], at=2)
    click_title("Layer")
    wait_row(0, 0)


def test_linked():
    click_row(1, 2)
    program.wait_view("layer 1", "head 2")
    program.key("Down")
    program.wait_view("layer 1", "head 3")
    program.key("shift+Down")
    program.wait_view("layer 1", "heads 3, 4")
    program.key("alt+Down")
    program.wait_view("layer 2", "heads 3, 4")
    click_row(0, 7, 2)
    program.wait_view("Head View: ", "layer 0", "head 7")
    # From the model view, a double click opens the head.
    program.key("ctrl+3")
    program.wait_view("Model View: ")
    click_row(0, 5)
    program.key("Return")
    program.wait_view("Head View: ", "layer 0", "head 5")


def type_pair(text):
    program.key("ctrl+shift+f")
    program.type(text)
    program.key("Return")


def test_wrong_words():
    type_pair("her -> nobody")
    program.wait("label", "no “nobody” among the keys", program.page)
    program.wait_view("layer 0", "head 5")


def test_find_by_words():
    """The goal of all this: in a few keys from the words to the head, which the title tells."""
    type_pair("Her -> Sarah")
    program.wait_view("layer 7", "head 4", "weight Her → Sarah 0.94 · rank 1 of 144")
    weights = ATTENTION[:, :, HER, SARAH]
    for rank, index in enumerate(np.argsort(-weights, axis=None)[:4], 1):
        layer, head = divmod(int(index), 12)
        lines = wait_row(layer, head, rank, f"{weights[layer, head]:.3f}", at=rank)
    assert {"Weight", "Rank"} < set(lines[0]), lines[0]
    program.wait("label", "Strongest: layer 7 · head 4, 0.94", program.page)


def click_entry():
    entry = wait_entry()
    program.click(*program.point(entry, 60, 12))
    # A pointer that rests there would have the entry explained, in a window that is not the list.
    program.move(*program.point_nowhere())
    program.key("ctrl+a")


def find_list():
    """The X window of the words that go on from what is typed."""
    return next(iter(program.popups()), None)


def wait_no_list():
    wait_for("the list to close", lambda: find_list() is None)


def click_list():
    """Once it is drawn: a busy program has not yet placed it when it is there, and knows nothing of a click in it."""
    wait_for("the list", find_list)
    program.wait_still("the list", lambda: program.read_picture(*program.get_geometry(find_list())))

    def click():
        left, top, width, height = program.get_geometry(find_list())
        program.click(left + width / 2, top + height / 2)
    insist("the list to close", click, lambda: find_list() is None)


def test_list_of_words():
    """It opens while a word is typed, and goes by a click in it, a click elsewhere, Escape and Enter."""
    click_entry()
    program.type("fou")
    click_list()
    entry = wait_entry()
    wait_for("the word", lambda: "found" in (program.accessibility.get_text(entry) or ""))
    for leave in (lambda: program.click(*program.point_nowhere()), lambda: program.key("Escape"),
                  lambda: program.key("Return")):
        click_entry()
        program.type("sa")
        wait_for("the list", find_list)
        leave()
        wait_no_list()


def test_error_goes():
    """What was wrong is said until the text is another."""
    def is_said():
        return [node for node in program.find_all("label", "among the", program.page)
                if program.accessibility.get_extents(node)[3] > 0]
    click_entry()
    program.type("her -> nobody")
    program.key("Return")
    wait_for("what is wrong", is_said)
    program.key("BackSpace")
    wait_for("nothing to be wrong", lambda: not is_said())
    click_entry()
    program.type("Her -> Sarah")
    program.key("Return")
    program.wait_view("layer 7", "head 4", "rank 1 of 144")
    wait_no_list()


def test_figure_names_the_head():
    # In the entry, the key copies words.
    program.click(*program.point(program.image, 8, 400))
    program.key("ctrl+c")
    data = wait_for("a figure on the clipboard", lambda: program.read_clipboard("image/svg+xml"))
    words = " ".join(re.sub(r"<[^>]+>", " ", data.decode()).split())
    assert "layer 7 · head 4 · weight Her → Sarah 0.94 · rank 1 of 144" in words, words[:400]


def test_numbers_as_csv():
    target = WORK / "table.csv"
    program.key("ctrl+shift+e")
    program.save_in_chooser("Export Numbers of All Heads", target)
    program.wait_gone("Export Numbers of All Heads")
    with open(target, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 144, len(rows)
    assert list(rows[0])[-2:] == ["weight", "rank"], list(rows[0])
    row = rows[7 * 12 + 4]
    assert math.isclose(float(row["weight"]), ATTENTION[7, 4, HER, SARAH], abs_tol=1e-5), row
    assert math.isclose(float(row["entropy"]), entropy(7, 4), abs_tol=1e-4), row


def test_model_view_sorted():
    program.key("ctrl+3")
    program.wait_view("Model View: ")
    program.choose(program.wait("combo box", "Sort by", program.page), 1)
    program.wait_view("sorted by weight Her → Sarah")
    # On a busy display the pointer sometimes stays with a list that has closed, until the next click.
    program.click(*program.point(program.image, 4, 4))
    # The first thumbnail is the head; its name stands over it.
    _, _, description = program.seek([(x, y) for y in range(60, 130, 6) for x in range(20, 90, 8)], "layer 7 · head 4")
    assert description.startswith("layer 7 · head 4: "), description
    # By keys from head to head in this order.
    program.click(*program.point(program.image, 4, 4))
    program.wait_nothing_in_focus()
    order = [divmod(int(index), 12) for index in np.argsort(-ATTENTION[:, :, HER, SARAH], axis=None)]

    def step():
        before = program.view()[1]
        program.key("Right")
        return wait_for("the next head", lambda: program.view()[1] != before and program.view()[1])
    def settled():
        """What is in focus, once it stays: a pointer that still comes to rest may take the first one back."""
        said = program.view()[1]
        time.sleep(0.3)
        return said if said and program.view()[1] == said else None
    seen = [insist("a head in focus", lambda: program.key("Right"), settled), step(), step()]
    assert [text.split(":")[0] for text in seen] == [f"layer {layer} · head {head}" for layer, head in order[:3]], seen
    # Its numbers have the columns of the table.
    target = WORK / "model.csv"
    program.key("ctrl+shift+e")
    program.save_in_chooser("Export Numbers of All Heads", target)
    program.wait_gone("Export Numbers of All Heads")
    assert target.read_bytes() == (WORK / "table.csv").read_bytes(), target.read_text()[:400]
    program.key("ctrl+1")
    program.wait_view("Head View: ")


def test_list():
    program.key("ctrl+shift+f")
    program.key("Tab", "space")
    program.wait("text box", "Pairs, One a Line", program.page)
    program.key("ctrl+a")
    for line in ("her -> sarah", "found -> hat", "herself -> tom"):
        program.type(line)
        program.key("Return")
    program.key("alt+f")
    program.wait_view("mean weight of 3 pairs")
    weights = np.stack([ATTENTION[:, :, HER, SARAH], ATTENTION[:, :, FOUND, HAT], ATTENTION[:, :, 14:16, TOM].mean(-1)], -1)
    layer, head = divmod(int(weights.mean(-1).argmax()), 12)
    program.wait_view(f"layer {layer}", f"head {head}", "rank 1 of 144")
    wait_row(layer, head, f"{weights.mean(-1).max():.3f}", 1)


def test_clear():
    entry = wait_entry()
    width, height = program.accessibility.get_extents(entry)[2:]
    program.click(*program.point(entry, width - 8, height / 2))
    wait_for("a title without a rank", lambda: "rank" not in program.view()[0])
    wait_for("no weights", lambda: table() and "Weight" not in table()[0])


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
