#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Two texts compared: how far each head changed, in the table of heads, in its file of numbers and in the model view.

Usage: test-window-changes.py HEADLIGHT    on a display with a window manager and an accessibility bus
"""
import atexit
import csv
import math
import shutil
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

from window_driver import Program, run_tests, wait_for

BINARY = sys.argv[1]
WORK = Path(tempfile.mkdtemp(prefix="headlight-changes-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

TOKENS = ["[CLS]", "time", "flies", "like", "an", "arrow", "[SEP]"]
OTHER_TOKENS = ["[CLS]", "time", "flies", "an", "old", "arrow", "[SEP]"]
# The tokens of each that the other has too.
KEPT, OTHER_KEPT = [0, 1, 2, 4, 5, 6], [0, 1, 2, 3, 5, 6]
N_LAYERS, N_HEADS = 3, 4


def make_dump(name, tokens, seed):
    maps = np.random.default_rng(seed).dirichlet(np.full(len(tokens), 0.4), (N_LAYERS, N_HEADS, len(tokens))).astype(np.float32)
    with h5py.File(WORK / name, "w") as file:
        file["attention"] = maps
        file["tokens"] = np.array(tokens, dtype=h5py.string_dtype())
    return maps.astype(float)


MAPS, OTHER_MAPS = make_dump("one.h5", TOKENS, 1), make_dump("two.h5", OTHER_TOKENS, 2)


def divergence(a, b):
    """The mean over rows of the Jensen–Shannon divergence in bits, of what both texts have, each row made to sum to 1."""
    p, q = a / a.sum(-1, keepdims=True), b / b.sum(-1, keepdims=True)
    m = (p + q) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p > 0, p * np.log2(p / m), 0) + np.where(q > 0, q * np.log2(q / m), 0)
    return float((terms.sum(-1) / 2).mean())


def change(layer, head):
    return divergence(MAPS[layer, head][np.ix_(KEPT, KEPT)], OTHER_MAPS[layer, head][np.ix_(OTHER_KEPT, OTHER_KEPT)])


HEADS = [(layer, head) for layer in range(N_LAYERS) for head in range(N_HEADS)]
RANKED = sorted(HEADS, key=lambda head: (-change(*head), head))

program = Program(BINARY, str(WORK / "one.h5"))
atexit.register(program.kill)


def table(n=N_LAYERS * N_HEADS):
    """What is written in the titles and in the first rows."""
    grid = next((node for node in program.accessibility.walk(program.page) if node.name == "Table of Heads"), None)
    parts = program.accessibility.children([grid]) if grid else []
    lists = [part for part in parts if part.role == "list"]
    rows = [part for part in parts if part.role == "row"] + program.accessibility.children(lists)[:n]
    return [[node.name for node in program.accessibility.walk(row) if node.role == "label"] for row in rows]


def wait_table(words, ask):
    def check():
        lines = table()
        return lines if lines and ask(lines) else None
    return wait_for(lambda: f"{words}; the table begins with {table()[:4]}", check)


def images(*words):
    nodes = [node for node in program.accessibility.walk(program.page) if node.role == "image" and "attention weight" in node.name]
    return [node for node in nodes if all(word in node.name for word in words)]


def wait_image(*words):
    return wait_for(lambda: f"a picture of {words}; there are {[node.name for node in images()]}", lambda: images(*words))[0]


def is_shown(line, layer, head):
    return line[:2] == [str(layer), str(head)] and any(abs(float(text) - change(layer, head)) <= 0.00051 for text in line[3:])


def start():
    program.key("ctrl+d")
    program.wait_dialog("Compare With")
    # After another head and another layer, the other tab.
    program.key("Down", "Down", "Return")
    program.wait_gone("Compare With")
    wait_image("A: one.h5")
    wait_image("B: two.h5")


def test_column():
    """It is there while two sides are compared; the numbers are NumPy's, and its title says what they are."""
    program.open_again(WORK / "two.h5")
    program.wait_title("two.h5")
    program.key("ctrl+Page_Up")
    program.wait_title("one.h5")
    program.use_page(0)
    program.wait_view("layer 0")
    program.key("ctrl+shift+h")
    lines = wait_table("a table", lambda lines: len(lines) > 12 and len(lines[12]) == 11)
    assert "Change" not in lines[0], lines[0]
    start()
    wait_table(f"changes {[change(*head) for head in HEADS]}",
               lambda lines: "Change" in lines[0] and all(len(line) == 12 and "" not in line for line in lines[:13])
               and all(is_shown(line, *head) for line, head in zip(lines[1:], HEADS)))

    def find_titles():
        return [node.name for node in program.accessibility.walk(program.page) if node.name.startswith("Change: ")]
    wait_for(lambda: f"what the numbers are, not {find_titles()}",
             lambda: find_titles() == ["Change: mean Jensen–Shannon divergence of the rows, in bits, 0 to 1"])


def get_button(name):
    return program.wait("button", name, program.page)


def click(node):
    width, height = program.wait_place(node)[2:]
    program.click(*program.point(node, width / 2, height / 2))


def test_list():
    """The short list holds the ten that changed most; from there it is one click to all of them, sorted."""
    click(get_button("Heads That Changed Most"))

    def ask():
        lists = program.find_all("list", "Heads That Changed Most", program.page)
        return [node.name for node in program.accessibility.children(lists[:1]) if node.name]
    names = ["layer {} · head {}: {:.3f}".format(*head, change(*head)) for head in RANKED[:10]]
    wait_for(lambda: f"{names}, not {ask()}", lambda: ask() == names)
    program.key("alt+a")

    def is_sorted(lines):
        return [tuple(map(int, line[:2])) for line in lines[1:13]] == RANKED
    wait_table("the heads that changed most first", is_sorted)
    wait_for("the list to go", lambda: not any(program.accessibility.get_extents(node)[2] > 0
                                               for node in program.find_all("button", "All in the Table of Heads", program.page)))


def test_csv():
    target = WORK / "table.csv"
    program.key("ctrl+shift+e")
    program.save_in_chooser("Export Numbers of All Heads", target)
    program.wait_gone("Export Numbers of All Heads")
    wait_for("the file", target.exists)
    with open(target, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(int(row["layer"]), int(row["head"])) for row in rows] == HEADS, rows
    for row, head in zip(rows, HEADS):
        assert math.isclose(float(row["change"]), change(*head), abs_tol=1e-5), (row, change(*head))


def entropy(maps):
    """Of each head, the mean over rows, in nats."""
    return -np.where(maps > 0, maps * np.log(np.where(maps > 0, maps, 1)), 0).sum(-1).mean(-1).ravel()


def test_numbers_of_a_difference():
    """Those that the chart draws, with what they are the difference of; the table of heads has those of A, and its file says so."""
    program.key("ctrl+7", "ctrl+m")
    wait_image("Chart: ", "B − A")
    program.key("ctrl+shift+e")
    program.save_in_chooser("Export Numbers of All Heads of A", WORK / "a.csv")
    program.wait_gone("Export Numbers of All Heads of A")
    program.key("ctrl+shift+h", "ctrl+shift+e")
    target = WORK / "difference.csv"
    program.save_in_chooser("Export Numbers of All Heads, B − A", target)
    program.wait_gone("Export Numbers of All Heads, B − A")
    with open(target, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["block", "layer", "head", "entropy-a", "entropy-b", "entropy-difference"], rows[0]
    found = np.array([row[3:] for row in rows[1:]], float)
    a, b = entropy(MAPS), entropy(OTHER_MAPS)
    assert np.abs(found - np.stack([a, b, b - a], -1)).max() < 1e-5, found
    program.key("ctrl+shift+h", "ctrl+m")


def test_model_view():
    """Sorted by it, both sides have the same order."""
    program.key("ctrl+3")
    program.wait_view("Model View: ")
    program.choose(program.wait("combo box", "Sort by", program.page), 2)
    sides = [wait_image(f"{side}: ", "sorted by change (Jensen–Shannon)") for side in "AB"]
    for side in sides:
        program.image = side
        width, height = program.wait_place(side)[2:]
        program.seek([(x, y) for y in range(40, height // 2, 12) for x in range(16, width, 16)],
                     "layer {} · head {}".format(*RANKED[0]))


def test_another_layer():
    """Other partners, other numbers: those of the comparison before are gone."""
    program.key("ctrl+1")
    program.wait_view("Head View: ")
    program.choose(program.wait("combo box", "Layer of B", program.page), N_LAYERS)
    wait_image("layer 2", "B: two.h5")

    def partner(layer, head):
        return divergence(MAPS[layer, head][np.ix_(KEPT, KEPT)], OTHER_MAPS[2, head][np.ix_(OTHER_KEPT, OTHER_KEPT)])
    ranked = sorted(HEADS, key=lambda head: (-partner(*head), head))
    wait_table("other numbers", lambda lines: [tuple(map(int, line[:2])) for line in lines[1:13]] == ranked)


def test_stop():
    program.key("ctrl+shift+d")
    wait_table("no changes", lambda lines: "Change" not in lines[0] and len(lines) > 12 and all(len(line) == 11 for line in lines[:13]))
    program.key("ctrl+3")
    wait_image("3 layers × 4 heads")
    wait_for("an order of its own", lambda: not images("sorted"))


def test_end():
    assert not program.complaints(), "\n".join(program.complaints())
    program.key("ctrl+q")
    assert program.end() == 0


def recover():
    """After a test that failed: no dialog."""
    if program.process.poll() is None:
        program.key("Escape", "Escape")


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], recover)
