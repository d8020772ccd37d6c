#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The whole way of a person through the window: open, choose a head, hover, read, pin, reopen, fail, recover.

Usage: test-window.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import re
import shutil
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

import window_driver
from window_driver import Program, is_shown_as, run_tests, wait_for

BINARY, SAMPLE, FIXTURES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
WORK = Path(tempfile.mkdtemp(prefix="headlight-window-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

with h5py.File(SAMPLE) as file:
    ATTENTION = file["attention"][...].astype(float)
    TOKENS = [token.decode() for token in file["tokens"][...]]
    B_START = int(file.attrs["sentence_b_start"])
HEAD = ATTENTION[3, 5]

# In the head view of the sample at its first size, from the view's corner.
QUERIES_X, KEYS_X = 100, 620
# The row of swatches is in the middle.
SWATCHES_Y, SWATCH_WIDTH = 46, 28
# In the model view of the sample, likewise: the middle of the first thumbnail, and from one to the next.
FIRST_MAP_X, FIRST_MAP_Y, MAP_WIDTH, MAP_HEIGHT = 85, 262, 53, 53

dump = WORK / "my dump.h5"
shutil.copy(SAMPLE, dump)
program = Program(BINARY, str(dump))
atexit.register(program.kill)


def check_ranking(description, weights):
    window_driver.check_ranking(description, weights, TOKENS)


def wait_panel(weights):
    """The panel's rows: a thread tells it, after the picture, which until then are those of a token before."""
    order = np.argsort(-weights, kind="stable")

    def is_right(rows):
        return len(rows) == len(TOKENS) and all(
            len(row) == 2 and row[0] == TOKENS[index] and is_shown_as(weights[index], row[1]) for row, index in zip(rows, order))
    wait_for(lambda: f"rows of {weights[order]} in the panel; they are {program.rows()}",
             lambda: is_right([row.rsplit(" ", 1) for row in program.rows()]))


# The middle of the first row of tokens and how far rows are apart, once they were measured.
rows = []


def seek_token(x, index, words):
    """Has the pointer over a token of a column: first where it should be, then, as fonts differ, everywhere."""
    if not rows:
        rows.extend(program.measure_rows(TOKENS, QUERIES_X))
    y = rows[0] + index * rows[1]
    return program.seek([(x, y), *[(x, down) for down in range(90, 790, 7)]], words)


def leave():
    """The pointer over nothing."""
    program.move(*program.point_nowhere())


def seek_nothing():
    leave()
    program.wait_nothing_in_focus()


def test_open():
    program.use_page(0)
    name, _ = program.wait_view("layer 0", "head 0")
    assert name.startswith("Head View"), name
    program.wait_title("my dump.h5")


def test_head_by_keyboard():
    program.key(*["alt+Down"] * 3, *["alt+Right"] * 5)
    program.wait_view("layer 3", "head 5")
    program.key(*["alt+Right"] * 9)  # stops at the last
    program.wait_view("layer 3", "head 11")
    program.key(*["alt+Left"] * 6)
    program.wait_view("layer 3", "head 5")
    wait_for(lambda: f"the picker to say the same; it says {program.picker().description}",
             lambda: program.picker().description.startswith("Layer 3, head 5 of 12; 1 head shown; "))


def test_head_by_picker():
    def click(layer, head):
        program.click(*program.point_in_picker(layer, head, ATTENTION.shape[1]))

    click(1, 7)
    program.wait_view("layer 1", "head 7")
    click(3, 5)
    program.wait_view("layer 3", "head 5")


def test_query_under_pointer():
    _, _, description = seek_token(QUERIES_X, 2, "flies (query 2): ")
    check_ranking(description, HEAD[2])

    wait_panel(HEAD[2])


def test_key_under_pointer():
    _, _, description = seek_token(KEYS_X, 11, "banana (key 11): ")
    check_ranking(description, HEAD[:, 11])


def test_copy_panel():
    seek_token(QUERIES_X, 2, "flies (query 2): ")
    wait_panel(HEAD[2])
    program.key("ctrl+shift+c")
    text = wait_for("text on the clipboard", lambda: program.read_clipboard("UTF8_STRING"))
    rows = [line.split("\t") for line in text.decode().splitlines()]
    assert [int(row[1]) for row in rows] == list(np.argsort(-HEAD[2], kind="stable")), rows
    for token, index, weight in rows:
        assert token == TOKENS[int(index)] and abs(float(weight) - HEAD[2, int(index)]) < 1e-7, rows


def test_pin():
    x, y, _ = seek_token(QUERIES_X, 3, "like (query 3): ")
    program.click(x, y)
    leave()
    program.wait_view("like (query 3): ")
    program.move(x, y + 2 * rows[1])  # over another token
    program.wait_view("like (query 3): ")
    program.key("Escape")
    seek_nothing()
    program.click(x, y)
    leave()
    program.wait_view("like (query 3): ")
    program.click(x, y)
    seek_nothing()


def test_swatches():
    def click(head, n=1):
        middle = program.accessibility.get_extents(program.image)[2] / 2
        program.click(*program.point(program.image, middle + (head - (ATTENTION.shape[1] - 1) / 2) * SWATCH_WIDTH, SWATCHES_Y), n)

    click(0)
    wait_for("two heads", lambda: "2 heads shown" in program.picker().description)
    program.wait_view("heads 0, 5")
    # Later than a double click would be.
    leave()
    program.xdotool("sleep", 0.6)
    click(0)
    program.wait_view("· head 5")
    wait_for("one head", lambda: "1 head shown" in program.picker().description)
    click(8, 2)  # at once: the click elsewhere does not count
    program.wait_view("· head 8")
    program.key(*["alt+Left"] * 3)
    program.wait_view("· head 5")


def test_all_and_none():
    program.key("ctrl+a")
    program.wait_view("heads 0–11")
    program.key("ctrl+shift+a")
    program.wait_view("no heads")
    wait_for("“All” to be pressed", lambda: program.accessibility.activate(program.wait("button", "All", program.page)))
    program.wait_view("heads 0–11")
    program.key("alt+Right", *["alt+Left"] * 12, *["alt+Right"] * 5)
    program.wait_view("layer 3", "· head 5")


def test_threshold():
    seek_nothing()
    program.key("alt+w", "Right", "Right", "Right")
    name, _ = program.wait_view("weights from 0.0")
    assert float(re.search(r"weights from ([\d.]+)", name)[1]) > 0, name
    program.key("Home")
    wait_for("no threshold", lambda: "weights from" not in program.view()[0])


def choose_sentences(n):
    # Where there is no room below, it opens above the box.
    program.choose(program.wait("combo box", "Sentences", program.page), n)


def test_sentences():
    choose_sentences(3)
    program.wait_view("A → B")
    _, _, description = seek_token(QUERIES_X, 2, "flies (query 2): ")
    weights = np.zeros(len(TOKENS))
    weights[B_START:] = HEAD[2, B_START:]
    check_ranking(description, weights)
    wait_for("as many rows as the second text has tokens", lambda: len(program.rows()) == len(TOKENS) - B_START)
    choose_sentences(0)
    wait_for("both sentences", lambda: "→" not in program.view()[0])


def cell_at(dx, dy):
    """Which cell the heatmap says it has there, by the tokens."""
    x, y = program.point(program.image, 0, 0)
    # Over no cell first, so that what is said then is of this one.
    program.move(x + 4, y + 4)
    program.wait_nothing_in_focus()
    program.move(x + dx, y + dy)
    return wait_for("a cell", lambda: program.view()[1] if "→" in program.view()[1] else None)


def test_heatmap():
    program.key("ctrl+2")
    program.wait_view("Heatmap: ", "layer 3", "head 5")
    for place in ((220, 250), (350, 400), (480, 180), (300, 320)):
        description = cell_at(*place)
        query, key, text = re.fullmatch(r"(.+) → (.+) (<?[\d.]+)", description).groups()
        assert any(is_shown_as(HEAD[i, j], text) for i, a in enumerate(TOKENS) for j, b in enumerate(TOKENS)
                   if (a, b) == (query, key)), description


def test_zoom():
    seen = cell_at(200, 200)
    # It grows around the cell that is pointed at.
    cell_at(400, 350)
    program.key(*["ctrl+plus"] * 4)
    wait_for("a larger picture", lambda: cell_at(200, 200) != seen)
    program.key(*["ctrl+minus"] * 4)
    program.key("ctrl+0")
    wait_for("the picture as it was", lambda: cell_at(200, 200) == seen)
    program.key("ctrl+1")
    program.wait_view("Head View: ", "layer 3", "head 5")
    seek_nothing()


def over_map(layer, head):
    """Has the pointer over a thumbnail of the model view: where that is."""
    likely = (FIRST_MAP_X + head * MAP_WIDTH, FIRST_MAP_Y + layer * MAP_HEIGHT)
    anywhere = [(x, y) for y in range(100, 790, 45) for x in range(60, 730, 28)]
    return program.seek([likely, *anywhere], f"layer {layer} · head {head}")[:2]


def test_model_view():
    """All heads: what is said of one under the pointer is NumPy's, a click opens it, Ctrl+click and Enter open several."""
    program.key("ctrl+3")
    program.wait_view("Model View: ", "6 layers × 12 heads")
    over_map(2, 7)
    _, description = program.wait_view("entropy", "on the first token")
    weights = ATTENTION[2, 7]
    entropy = -(weights * np.log(np.where(weights > 0, weights, 1))).sum(-1).mean()
    found = dict(re.fullmatch(r"(.+) ([\d.]+)(?: %)?", part).groups() for part in description.split(": ", 1)[1].split(", "))
    assert abs(float(found["entropy"]) - entropy) < 0.006, description
    assert abs(float(found["on the first token"]) - 100 * weights[:, 0].mean()) < 0.51, description
    program.click(*over_map(4, 9))
    program.wait_view("Head View: ", "layer 4", "head 9")

    program.key("ctrl+3")
    program.wait_view("Model View: ")
    # The last takes away what was chosen before.
    for layer, head in ((1, 1), (1, 4), (4, 9)):
        place = over_map(layer, head)
        program.click(*place, modifiers=["Control_L"])
    over_map(1, 4)
    program.key("Return")
    program.wait_view("Head View: ", "layer 1", "heads 1, 4")

    program.key("ctrl+2", "ctrl+3")
    program.wait_view("Model View: ")
    over_map(1, 1)
    program.key("Right", "Down")
    program.wait_view("layer 2 · head 2")
    program.key("Return")
    program.wait_view("Heatmap: ", "layer 2", "head 2")
    program.key("ctrl+1", "alt+Down")
    for head in (3, 4, 5):
        program.key("alt+Right")
    program.wait_view("Head View: ", "layer 3", "head 5")
    seek_nothing()


def test_steps():
    """The sample has what they need. What a file without it says is a test of sessions."""
    program.key("ctrl+4")
    program.wait_view("Steps: ", "layer 3", "head 5")
    wait_for(lambda: f"queries and keys, not {program.view()}", lambda: "no queries and keys" not in str(program.view()))
    program.key("ctrl+5")
    program.wait_view("Neuron View: ", "layer 3", "head 5")
    program.key("ctrl+1")
    program.wait_view("Head View: ", "layer 3", "head 5")


def test_second_file():
    program.open_again(FIXTURES / "encoder-decoder.h5")
    program.wait_title("encoder-decoder.h5")
    program.use_page(1)
    program.wait_view("layer 0", "head 0")
    program.open_again(dump)  # shown where it is, as it was left
    program.wait_title("my dump.h5")
    program.use_page(0)
    program.wait_view("layer 3", "head 5")


def test_broken_file():
    broken = WORK / "broken.h5"
    broken.write_bytes(SAMPLE.read_bytes()[:3000])
    program.open_again(broken)
    sentences = wait_for("a sentence on the file", lambda: program.find_all("label", "broken.h5: "))
    assert len({node.name for node in sentences}) == 1 and len(sentences[0].name) > 20, sentences
    program.wait_title("my dump.h5")
    program.wait_view("layer 3", "head 5")


def test_reload():
    json_dump = WORK / "again.json"
    json_dump.write_text('{"attention": [[[[1, 0], [0.25, 0.75]]]], "tokens": ["wieder", "da"]}')
    program.open_again(json_dump)
    program.wait_title("again.json")
    program.use_page(2)
    _, _, description = seek_token(QUERIES_X, 1, "da (query 1): ")
    assert description.endswith("da 0.75, wieder 0.25"), description
    json_dump.write_text('{"attention": [[[[1, 0], [0.5, 0.5]]]], "tokens": ["noch", "neuer"]}')
    program.key("F5")

    def ask():
        program.use_page(2)
        return seek_token(QUERIES_X, 1, "neuer (query 1): ")
    _, _, description = ask()
    assert "noch 0.50" in description, description


def test_close_tab():
    program.click(*program.point_nowhere())
    wait_for("the picture to have the keyboard", lambda: program.accessibility.find_focused([program.image]))
    program.key("ctrl+w")
    wait_for("the tab to close", lambda: "again.json" not in program.title())
    program.use_page(1)
    wait_for(lambda: f"the picture that comes on top to have the keyboard, not {program.get_focused()}",
             lambda: program.accessibility.find_focused([program.image]))
    program.open_again(dump)
    program.wait_title("my dump.h5")
    program.use_page(0)


def test_long_input():
    n = 200
    long_dump = WORK / "long.h5"
    with h5py.File(long_dump, "w") as file:
        file["attention"] = np.eye(n, dtype="f4")[None, None]
        file["tokens"] = [f"t{i}" for i in range(n)]
    program.open_again(long_dump)
    program.wait_title("long.h5")
    program.use_page(2)
    x, y, _ = seek_token(QUERIES_X, 2, "t2 (query 2): ")
    wait_for(lambda: f"its only weight, not {program.view()}", lambda: program.view()[1] == "t2 (query 2): t2 1.00")
    program.xdotool("click", "--repeat", 30, "--delay", 20, 5)
    wait_for("a later token under the pointer", lambda: (
        lambda match: match and int(match[1]) > 20)(re.fullmatch(r"t(\d+) \(query \1\): t\1 1.00", program.view()[1])))
    # The keyboard goes to the end, and the end comes into view.
    program.click(x, y)
    program.key("ctrl+End")
    program.wait_view("t199")
    program.key("Escape", "ctrl+w")
    wait_for("the tab to close", lambda: "long.h5" not in program.title())
    program.open_again(dump)
    program.wait_title("my dump.h5")
    program.use_page(0)


def test_drop():
    program.drop(FIXTURES / "causal.h5")
    program.wait_title("causal.h5")
    program.xdotool("windowactivate", "--sync", program.x_window)
    program.key("ctrl+w")
    wait_for("the tab to close", lambda: "causal.h5" not in program.title())
    program.open_again(dump)
    program.wait_title("my dump.h5")
    program.use_page(0)


def test_dark():
    x, y = program.point(program.image, 0, 0)
    paper = program.point_nowhere()
    wait_for(lambda: f"light paper, not {program.get_colour(*paper)}", lambda: min(program.get_colour(*paper)) > 230)
    height = program.wait_place(program.image)[3]
    program.key("ctrl+comma")
    dialog, _ = program.wait_dialog("Preferences")
    program.choose(program.wait("combo box", "Style", dialog), 2, "s")
    wait_for("a dark view", lambda: max(program.get_colour(x + 20, y + height - 20)) < 60)
    program.close_dialog("Preferences")
    seek_nothing()
    wait_for("dark paper", lambda: max(program.get_colour(*paper)) < 60)


def test_shortcuts():
    program.key("ctrl+question")
    program.wait_dialog("Shortcuts")
    program.key("Escape")
    program.wait_gone("Shortcuts")


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


def recover():
    """After a test that failed: no dialog, the first tab on top."""
    if program.process.poll() is not None:
        return
    program.key("Escape", "Escape", "Escape")
    program.open_again(dump)
    program.use_page(0)
    program.key("ctrl+1")


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], recover)
