#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""How a file of attention is read, chosen in the window: guessed axes and others, datasets, scores, tokens.

Usage: test-window-axes.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np

from window_driver import Program, check_ranking, is_shown_as, run_tests, wait_for

BINARY, FIXTURES = sys.argv[1], Path(sys.argv[3])
WORK = Path(tempfile.mkdtemp(prefix="headlight-axes-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
# In the order of the list.
NAMES = ["layer", "example", "head", "query", "key", "step", "one"]
N_LAYERS, N_HEADS, N = 3, 2, 5
GUESS = "The axes were guessed: layer × head × query × key"
CHANGED = "changed after it was read"

random = np.random.default_rng(20)
weights = random.random((N_LAYERS, N_HEADS, N, N)) ** 4 + 0.001
weights /= weights.sum(-1, keepdims=True)
scores = random.normal(0, 2, (N_LAYERS, N_HEADS, N, N))
softmax = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)

# Nothing in it says that its axes are head × layer × key × query.
ambiguous = WORK / "ambiguous.npy"
np.save(ambiguous, weights.transpose(1, 0, 3, 2).astype("f4"))
several = WORK / "several.npz"
np.savez(several, attention=weights.astype("f4"), runs=np.stack([weights, scores]).astype("f4"),
         **{f"other_{i}": random.random((4, 4)).astype("f4") for i in range(9)})
nameless = WORK / "nameless.npz"
np.savez(nameless, first=random.random((N, 8)).astype("f4"), second=weights.transpose(0, 1, 3, 2).astype("f4"))
raw = WORK / "raw.npy"
np.save(raw, scores.astype("f4"))

program = Program(BINARY, str(ambiguous))
atexit.register(lambda: program.kill())


def is_shown(node):
    extents = program.accessibility.get_extents(node)
    return extents is not None and extents[2] > 0 and extents[3] > 0


def find_label(words, root=None):
    """A label that is shown; GTK 4.8 also tells of those that are hidden."""
    return [node for node in program.find_all("label", words, root or program.page) if is_shown(node)]


def wait_label(words, root=None):
    return wait_for(f"“{words}”", lambda: find_label(words, root))[0]


def wait_no_label(words, root=None):
    wait_for(f"no “{words}”", lambda: not find_label(words, root))


def open_file(path, index=0):
    program.open_again(path)
    program.wait_title(path.name)
    program.use_page(index)


def check_view(maps, layer, head, tokens=None):
    """What the view says of the first query, under that layer and head, is of these weights."""
    program.wait_view(f"layer {layer}", f"head {head}")
    tokens = tokens or [str(i) for i in range(maps.shape[-1])]
    program.key("ctrl+Home")
    _, description = program.wait_view(f"{tokens[0]} (query 0): ")
    check_ranking(description, maps[layer, head, 0], tokens)
    program.key("Escape")
    program.wait_nothing_in_focus()


def open_dialog():
    program.key("ctrl+shift+x")
    return program.wait_dialog("Axes")[0]


def choose(axis, name):
    program.choose(program.wait("combo box", f"Axis {axis}"), NAMES.index(name), axis)


def choose_tokens(n):
    program.choose(program.wait("combo box", "Tokens"), n, "o")


def activate(words, root):
    wait_for(f"“{words}” to be pressed", lambda: any(program.accessibility.activate(node)
                                                     for node in program.find_all("button", words, root) if is_shown(node)))


def apply():
    program.key("alt+a")
    program.wait_gone("Axes")


def reload(path):
    """The same content, written once more, so that something is seen to go when it is read."""
    path.write_bytes(path.read_bytes())
    wait_label(CHANGED)
    program.key("F5")
    wait_no_label(CHANGED)


def wait_strongest(dialog, head):
    """The dialog says where the strongest weight of the first head is, and that is so."""
    query, key = np.unravel_index(np.argmax(head), head.shape)
    wait_for(lambda: f"{head.max()} of query {query}, key {key}; it says "
                     f"{[node.name for node in program.find_all('label', root=dialog) if is_shown(node)]}",
             lambda: [node for node in find_label(f": query {query}, key {key}", dialog)
                      if is_shown_as(head.max(), re.search(r"weight is (\S+):", node.name)[1])])


def test_guess_is_said():
    program.use_page(0)
    program.wait_view("layer 0", "head 0")
    wait_label(GUESS)
    stored = np.load(ambiguous)
    check_view(stored, 0, 0)
    program.wait("button", "Axes…", program.page)


def test_choose_axes():
    dialog = open_dialog()
    stored = np.load(ambiguous)
    wait_strongest(dialog, stored[0, 0])
    choose(0, "head")
    wait_label("The axis “head” is there twice", dialog)
    # There is nothing to apply.
    program.key("alt+a")
    choose(1, "layer")
    wait_strongest(dialog, stored[0, 0])
    choose(2, "key")
    wait_label("“key” is there twice", dialog)
    assert program.find_frame("Axes") is not None
    choose(3, "query")
    wait_strongest(dialog, weights[0, 0])
    wait_label(f"{N_LAYERS} layers × {N_HEADS} heads × {N} queries × {N} keys", dialog)
    apply()
    check_view(weights, 0, 0)
    wait_no_label(GUESS)
    program.key(*["alt+Down"] * 2, "alt+Right")
    check_view(weights, 2, 1)


def test_reload_keeps_the_choice():
    reload(ambiguous)
    check_view(weights, 2, 1)
    wait_no_label(GUESS)
    # The dialog begins with what was chosen.
    dialog = open_dialog()
    wait_strongest(dialog, weights[0, 0])
    program.close_dialog("Axes")


def test_without_query():
    dialog = open_dialog()
    wait_strongest(dialog, weights[0, 0])
    choose(3, "step")
    wait_label("One axis must be query and one key", dialog)
    program.close_dialog("Axes")
    check_view(weights, 2, 1)


def test_example_axis():
    """Layers as examples, which the sidebar then lists."""
    dialog = open_dialog()
    choose(1, "example")
    wait_label(f"{N_LAYERS} examples of 1 layer × {N_HEADS} heads", dialog)
    apply()
    program.wait_view("layer 0", "head 1")
    check_view(weights[:1], 0, 1)


def test_opened_afresh():
    program.key("ctrl+w")
    wait_for("the welcome page", lambda: program.title() == "Headlight")
    open_file(ambiguous)
    wait_label(GUESS)
    activate("Dismiss", program.page)
    wait_no_label(GUESS)


def test_escape_from_search():
    """It takes away what is searched for, and then the dialog."""
    open_file(several, 1)
    check_view(weights, 0, 0)
    dialog = open_dialog()
    wait_strongest(dialog, weights[0, 0])
    program.type("run")
    wait_no_label("other_0", dialog)
    program.key("Escape")
    wait_label("other_0", dialog)
    program.key("Escape")
    program.wait_gone("Axes")


def test_dataset_and_index():
    """Found by the search; of its first axis one index is taken."""
    dialog = open_dialog()
    wait_strongest(dialog, weights[0, 0])
    program.type("run")
    wait_no_label("other_0", dialog)
    program.key("Down", "Down")
    wait_label("2 × 3 × 2 × 5 × 5", dialog)
    choose(0, "one")
    choose(1, "layer")
    wait_strongest(dialog, weights[0, 0])
    apply()
    check_view(weights, 0, 0)


def test_scores_are_offered():
    open_file(raw, 2)
    wait_label("look like scores before the softmax")
    activate("Show Softmax", program.page)
    program.wait_view("softmax of the scores in the file", "layer 0", "head 0")
    check_view(softmax, 0, 0)
    wait_no_label("look like scores")
    wait_label(GUESS)


def test_scores_in_the_dialog():
    """The numbers say by themselves that they are scores; what was chosen wins."""
    program.key("ctrl+w")
    program.wait_title(several.name)
    open_file(raw, 2)
    dialog = open_dialog()
    wait_strongest(dialog, softmax[0, 0])
    program.key("alt+s")
    wait_strongest(dialog, scores[0, 0])
    wait_label("Some weights are negative", dialog)
    apply()
    program.wait_view("attention weight")
    program.key("ctrl+Home")
    _, description = program.wait_view("0 (query 0): ")
    named = dict(pair.rsplit(" ", 1) for pair in description.split(": ", 1)[1].split(", "))
    assert is_shown_as(scores[0, 0, 0].max(), named[str(np.argmax(scores[0, 0, 0]))]), description
    program.key("Escape")
    dialog = open_dialog()
    wait_label("Some weights are negative", dialog)
    wait_strongest(dialog, scores[0, 0])
    program.key("alt+s")
    wait_strongest(dialog, softmax[0, 0])
    apply()
    program.wait_view("softmax of the scores in the file")


def test_tokens():
    words = ["the", "[SEP]", "##s", "naïve", "日本"]
    dialog = open_dialog()
    choose_tokens(1)
    wait_label("Tokens: there is no token in it", dialog)
    program.key("Tab")
    for word in words[:3]:
        program.type(word)
        program.key("Return")
    wait_label("fewer “tokens” (3) than positions (5)", dialog)
    program.write_clipboard("\n".join(words[3:]).encode())
    program.key("ctrl+v")
    wait_no_label("fewer “tokens”", dialog)
    wait_strongest(dialog, softmax[0, 0])
    apply()
    check_view(softmax, 0, 0, words)
    reload(raw)
    check_view(softmax, 0, 0, words)


def test_tokens_of_a_file():
    words = ["a", "##b", "", "[", "日本"]
    path = WORK / "words.json"
    path.write_text(json.dumps(words))
    dialog, window = open_dialog(), program.get_top()
    wait_strongest(dialog, softmax[0, 0])
    activate("From a File…", dialog)
    program.answer_chooser("Open Tokens", path.name, window)
    wait_for("the dialog to be on top", lambda: program.get_top() == window)
    wait_strongest(dialog, softmax[0, 0])
    apply()
    check_view(softmax, 0, 0, [word or "∅" for word in words])


def test_tokens_of_a_tokenizer():
    folder = WORK / "tiny-bert"
    shutil.copytree(FIXTURES.parent / "model/checkpoints/bert", folder)
    (folder / "vocab.txt").write_text("".join(f"{word}\n" for word in "[PAD] [UNK] [CLS] [SEP] time flies like".split()))
    dialog, window = open_dialog(), program.get_top()
    wait_strongest(dialog, softmax[0, 0])
    choose_tokens(2)
    wait_label("choose the folder or the file of a tokenizer", dialog)
    activate("Choose a File", dialog)
    program.answer_chooser("Open Tokenizer File", folder / "vocab.txt", window)
    wait_label("there is no text to make tokens of", dialog)
    wait_label("vocab.txt", dialog)
    wait_for("the dialog to be on top", lambda: program.get_top() == window)
    activate("Choose…", dialog)
    program.answer_chooser("Open Tokenizer Folder", folder, window)
    wait_label("there is no text to make tokens of", dialog)
    wait_for("the dialog to be on top", lambda: program.get_top() == window)
    program.type("Time flies")
    wait_label("fewer “tokens” (4) than positions (5)", dialog)
    program.key("Tab")
    program.type("x")
    wait_label("more “tokens” (6) than positions (5)", dialog)
    program.key("ctrl+a", "BackSpace", "shift+Tab", "End")
    program.type(" like")
    wait_strongest(dialog, softmax[0, 0])
    apply()
    check_view(softmax, 0, 0, ["[CLS]", "time", "flies", "like", "[SEP]"])


def test_nothing_found():
    """Two tensors, none of which is called attention: what cannot be opened by itself can be chosen from."""
    program.open_again(nameless)
    # It is said for some seconds only.
    wait_for("an offer to be taken", lambda: find_label("nameless.npz: there is no", program.main_frame()) and any(
        map(program.accessibility.activate, program.find_all("button", "Choose…", program.main_frame()))))
    dialog, window = program.wait_dialog("Axes")
    wait_label("1 layer × 1 head × 5 queries × 8 keys", dialog)
    program.click_in(window, dialog, wait_label("second", dialog))
    wait_strongest(dialog, weights.transpose(0, 1, 3, 2)[0, 0])
    wait_label("Columns sum to 1 and rows do not", dialog)
    choose(2, "key")
    choose(3, "query")
    wait_strongest(dialog, weights[0, 0])
    apply()
    program.wait_title(nameless.name)
    program.use_page(3)
    check_view(weights, 0, 0)


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
