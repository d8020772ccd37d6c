#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Two sides in a window: heads, layers and files side by side and as difference, what is linked, the heads that changed most, figures.

Usage: test-window-compare.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import json
import re
import shutil
import struct
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

from window_driver import Program, insist, is_shown_as, run_tests, wait_for

BINARY, SAMPLE, FIXTURES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
WORK = Path(tempfile.mkdtemp(prefix="headlight-compare-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

with h5py.File(SAMPLE) as file:
    MAPS = file["attention"][:].astype(float)
    TOKENS = [token.decode() for token in file["tokens"][...]]

# Another text: of the sample's tokens some are left out, and some are put in.
KEPT = [0, 1, 2, 4, 5, 6]
OTHER_TOKENS = ["[CLS]", "time", "flies", "an", "old", "arrow", "[SEP]"]
OTHER_KEPT = [0, 1, 2, 3, 5, 6]
OTHER = WORK / "other.h5"
OTHER_MAPS = np.random.default_rng(5).dirichlet(np.full(len(OTHER_TOKENS), 0.5), (6, 12, len(OTHER_TOKENS)))
with h5py.File(OTHER, "w") as file:
    file["attention"] = OTHER_MAPS.astype(np.float32)
    file["tokens"] = np.array([token.encode() for token in OTHER_TOKENS])

program = Program(BINARY, str(SAMPLE))
atexit.register(program.kill)


def divergence(p, q):
    m = (p + q) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        return (np.where(p > 0, p * np.log2(p / m), 0) + np.where(q > 0, q * np.log2(q / m), 0)).sum(-1).mean() / 2


def images(*words):
    """The pictures of the tab whose names hold all of the words."""
    nodes = [node for node in program.accessibility.walk(program.page) if node.role == "image" and "attention weight" in node.name]
    return [node for node in nodes if all(word in node.name for word in words)]


def wait_image(*words):
    return wait_for(lambda: f"a picture of {words}; there are {[node.name for node in images()]}", lambda: images(*words))[0]


def sides():
    return wait_image("· A"), wait_image("· B")


def wait_description(node, *words):
    def ask():
        return program.accessibility.read([node]) and all(word in node.description for word in words)
    wait_for(lambda: f"{node.name} to say {words}; it says “{node.description}”", ask)
    return node.description


def seek_row(query):
    """Down through the middle of a map, in steps smaller than its cells."""
    width, height = program.wait_place(program.image)[2:]
    return program.seek([(width // 2, dy) for dy in range(100, height, 7)], f"{query} → ")


def seek_cell(query, key):
    """To its row, and along that."""
    top = seek_row(query)[1] - program.point(program.image, 0, 0)[1]
    return program.seek([(dx, top) for dx in range(90, program.wait_place(program.image)[2], 7)],
                        f"{query} → {key} ")


def number(description):
    return description.rsplit(" ", 1)[1].replace("−", "-")


def choose_in_dialog(*keys):
    program.key("ctrl+d")
    program.wait_dialog("Compare With")
    program.key(*keys)
    program.wait_gone("Compare With")


def test_another_head():
    program.use_page(0)
    program.key("ctrl+2")
    program.wait_view("Heatmap")
    choose_in_dialog("Return")
    wait_image("layer 0", "head 0", "A: 0·0")
    wait_image("layer 0", "head 1", "B: 0·1")


def test_linked_cells():
    """What is under the pointer on one side is in focus on both, with the number of each; so is what the keyboard chooses, and a pin."""
    a, b = sides()
    for own, other in ((a, b), (b, a)):
        program.image = own
        program.move(*program.point_nowhere())
        program.wait_nothing_in_focus()
        left, top, said = seek_row("time")
        key = said.split(" → ")[1].split(" ")[0]
        said = wait_description(own, f"time → {key} ")
        there = wait_description(other, f"time → {key} ")
        for node, description in ((own, said), (other, there)):
            head = 0 if node is a else 1
            assert any(is_shown_as(MAPS[0, head, 1, i], number(description)) for i, token in enumerate(TOKENS) if token == key), description
    program.xdotool("click", 1)
    program.move(left, 700)
    wait_description(a, f"time → {key} ")
    wait_description(b, f"time → {key} ")
    program.key("Escape")
    for node in (a, b):
        wait_for("nothing in focus", lambda: program.accessibility.read([node]) and node.description == "")


def choose_in_bar(name, n_down):
    program.choose(program.wait("combo box", name, program.page), n_down)


def test_heads():
    """The first side leads; the second goes along where it is to be the same, and stays where it is not."""
    program.key("alt+Down", "alt+Right", "alt+Right")
    wait_image("layer 1", "head 2", "· A")
    wait_image("layer 0", "head 1", "· B")
    choose_in_bar("Layer of B", 0)
    wait_image("layer 1", "head 1", "· B")
    choose_in_bar("Head of B", 0)
    wait_image("layer 1", "head 2", "· B")
    program.key("alt+Right")
    wait_image("layer 1", "head 3", "· A")
    wait_image("layer 1", "head 3", "· B")
    choose_in_bar("Layer of B", 4)
    wait_image("layer 3", "head 3", "· B")
    wait_image("layer 1", "head 3", "· A")


def test_difference():
    program.key("ctrl+m")
    program.image = wait_image("difference B − A of attention weight", "layer 1", "head 3", "A: 1·3 · B: 3·3")
    x, y, said = program.seek([(dx, dy) for dx in range(100, 600, 20) for dy in (150, 200, 250, 300)], "flies → ")
    query, key = said.rsplit(" ", 1)[0].split(" → ")
    expected = MAPS[3, 3] - MAPS[1, 3]
    shown = number(said)
    found = [expected[i, j] for i, q in enumerate(TOKENS) for j, k in enumerate(TOKENS) if (q, k) == (query, key)]
    assert any(np.sign(value) == (-1 if "-" in shown else 1) and is_shown_as(abs(value), shown.replace("-", "").replace(">", "<"))
               for value in found), (said, found)
    program.key("ctrl+m")
    wait_image("layer 1", "head 3", "· A")
    wait_for("the difference to go", lambda: not images("difference"))


def open_changes():
    button = program.wait("button", "Heads That Changed Most", program.page)
    width, height = program.wait_place(button)[2:]
    program.click(*program.point(button, width / 2, height / 2))


def changes():
    lists = program.find_all("list", "Heads That Changed Most", program.page)
    return [node.name for node in program.accessibility.children(lists[:1]) if node.name]


def test_changes():
    """The list is that of NumPy; a row shows its head on both sides."""
    ranked = sorted(((divergence(MAPS[layer, head], MAPS[3, head]), layer, head) for layer in range(6) for head in range(12)),
                    key=lambda row: (-row[0], row[1:]))
    open_changes()

    def is_ranked():
        rows = changes()
        return len(rows) >= 7 and all(
            row.startswith(f"layer {layer} · head {head}: ") and is_shown_as(value, row.rsplit(" ", 1)[1])
            for row, (value, layer, head) in zip(rows, ranked))
    wait_for(lambda: f"the list of heads {ranked[:7]}; it is {changes()}", is_ranked)
    _, layer, head = ranked[0]
    insist("the first head of the list", lambda: program.key("Tab", "Home", "Return"),
           lambda: images(f"layer {layer} ·", f"head {head} ·", "· A"))
    wait_image("layer 3 ·", f"head {head} ·", "· B")
    program.key("Escape")


def export(path, n_down):
    program.key("ctrl+e")
    dialog, window = program.wait_dialog("Export Figure")
    # Of a heatmap the dialog proposes no more than its cells take.
    program.key("alt+a")
    if n_down > 0:
        program.choose(program.wait("combo box", "Format", dialog), n_down, "f")
    said = ("pixels", "scalable", "points")[n_down]
    wait_for(f"the size in {said}", lambda: [node for node in program.find_all("label", said, dialog) if " × " in node.name])
    program.key("alt+e")
    program.save_in_chooser("Export Figure", path, window)
    program.wait_gone("Export Figure")


def test_figures():
    a, b = sides()
    widths = [program.wait_place(node)[2] for node in (a, b)]
    export(WORK / "both.png", 0)
    width = struct.unpack(">I", (WORK / "both.png").read_bytes()[16:20])[0]
    assert abs(width - 2 * (sum(widths) + 9)) <= 2, (width, widths)
    export(WORK / "both.svg", 1)
    text = (WORK / "both.svg").read_text(encoding="utf-8")
    assert text.count("attention weight · layer") == 2, text.count("attention weight · layer")
    # Both colour bars say the same.
    ticks = [re.findall(r'font-size="10.5" fill="[^"]*"(?: text-anchor="middle")? x="[0-9.]*" y="[0-9.]*">([0-9.]+)<', part)
             for part in text.split("attention weight · layer")[1:]]
    assert ticks[0] == ticks[1] and len(ticks[0]) >= 2, ticks
    program.key("ctrl+m")
    wait_image("difference")
    export(WORK / "difference.svg", 1)
    text = (WORK / "difference.svg").read_text(encoding="utf-8")
    assert "difference B − A of attention weight" in text
    program.key("ctrl+m")
    sides()


def test_broken_file():
    """What cannot be read is told, and what was compared before still is."""
    broken = WORK / "broken.h5"
    broken.write_bytes(b"\x89HDF\r\n\x1a\n and no more")
    program.key("ctrl+d")
    dialog, window = program.wait_dialog("Compare With")
    # After another head and another layer.
    program.key("Down", "Down", "Return")
    program.answer_chooser("Compare with a File", broken, window)
    program.wait_gone("Compare With")
    program.wait("label", "it cannot be compared with “broken.h5”: ", program.main_frame())
    sides()


def test_stop():
    program.key("ctrl+shift+d")
    wait_for("the second side to go", lambda: not images("· A") and images())
    # Without a second side there is no difference.
    program.key("ctrl+m")
    program.use_page(0)
    program.wait_view("Heatmap: attention weight")


def test_other_file():
    """A tab with another text: tokens that both have are linked, others are not; in the difference they have no number."""
    program.open_again(OTHER)
    program.wait_title(OTHER.name)
    program.use_page(1)
    program.wait_view("layer 0")
    program.key("ctrl+Page_Up")
    program.wait_title(SAMPLE.name)
    program.use_page(0)
    # After the rows of this document come those of the tabs.
    choose_in_dialog("Down", "Down", "Return")
    a, b = wait_image("A: " + SAMPLE.name), wait_image("B: " + OTHER.name)
    program.key("alt+Left", "alt+Up", *["alt+Left"] * 12, *["alt+Up"] * 6)
    a, b = wait_image("layer 0", "head 0", "· A"), wait_image("layer 0", "head 0", "· B")
    program.image = a
    seek_cell("an", "flies")
    there = wait_description(b, "an → flies ")
    assert is_shown_as(OTHER_MAPS[0, 0, 3, 2], number(there)), (there, OTHER_MAPS[0, 0, 3, 2])
    seek_cell("like", "flies")
    wait_for("nothing in focus", lambda: program.accessibility.read([b]) and b.description == "")
    program.key("ctrl+m")
    program.image = wait_image("difference B − A", "A: " + SAMPLE.name, "B: " + OTHER.name)
    said = seek_cell("an", "flies")[2]
    expected = OTHER_MAPS[0, 0, 3, 2] - MAPS[0, 0, 4, 2]
    assert is_shown_as(abs(expected), number(said).replace("-", "")) and (expected < 0) == ("-" in number(said)), (said, expected)


def test_reload():
    """A file that is read again is compared as before."""
    before = seek_cell("an", "flies")[2]
    program.key("F5")
    assert seek_cell("an", "flies")[2] == before
    program.key("ctrl+shift+d")
    wait_for("the comparison to end", lambda: not images("difference") and not images("· A") and images())


def make_model():
    folder = WORK / "tiny-bert"
    folder.mkdir()
    for part in ("config.json", "model.safetensors"):
        shutil.copy(FIXTURES.parent / "model" / "checkpoints" / "bert" / part, folder)
    model = {"type": "WordLevel", "unk_token": "w0", "vocab": {f"w{number}": number for number in range(100)}}
    (folder / "tokenizer.json").write_text(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None, "model": model}))
    return folder


def type_text(text):
    program.key("ctrl+a")
    program.type(text)
    program.key("Return")


def test_texts():
    """A model on two texts, each typed under its own picture; heads of one text get the same text."""
    folder = make_model()
    program.open_again(folder)
    program.wait_title(folder.name)
    program.use_page(2)
    program.key("ctrl+l")
    type_text("w5 w6 w7 w8")
    program.wait_view("layer 0")
    program.key("Escape")
    # After another head and another layer.
    choose_in_dialog("Down", "Down", "Return")
    wait_image("· B")
    # It has the keyboard as soon as it is there.
    wait_for("the keyboard in the second text", lambda: "Text" in program.get_focused())
    type_text("w5 w9 w7 w8 w8")
    wait_image("B: … w9 w7 w8 …")
    # The words in which they differ.
    wait_image("A: … w6 w7 …")
    wait_image("B: … w9 w7 w8 …")
    program.key("Escape", "ctrl+m")
    wait_image("difference", "A: … w6 w7 …", "B: … w9 w7 w8 …")
    program.key("ctrl+l")
    type_text("w1 w2")
    wait_image("difference", "A: w1 w2 ", "B: w5 w9 w7 w8 w8")
    program.key("Escape")
    choose_in_dialog("Return")
    wait_image("A: 0·")
    program.key("ctrl+m", "ctrl+l")
    type_text("w3 w4 w5")
    program.key("Escape")
    wait_for("the newer text", lambda: "w3 w4 w5" in " ".join(node.name for node in program.find_all("label", "w3 w4", program.main_frame())))
    wait_image("difference", "B: 0·1")
    program.key("ctrl+shift+d")
    wait_for("the comparison to end", lambda: not images("difference") and not images("· A"))


def test_silent():
    assert not program.complaints(), program.complaints()
    program.key("ctrl+q")
    assert program.end() == 0


run_tests([("another-head", test_another_head), ("linked-cells", test_linked_cells), ("heads", test_heads),
           ("difference", test_difference), ("changes", test_changes), ("figures", test_figures), ("broken-file", test_broken_file),
           ("stop", test_stop),
           ("other-file", test_other_file), ("reload", test_reload),
           ("texts", test_texts), ("silent", test_silent)],
          lambda: program.key("Escape"))
