#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Files as other programs write them, dropped on the window or opened from outside: each shows the numbers that its makers' tools read in it.

Usage: test-window-foreign.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import json
import shutil
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

from window_driver import Program, insist, is_shown_as, run_tests, wait_for

BINARY, SAMPLE, FIXTURES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
WORK = Path(tempfile.mkdtemp(prefix="headlight-foreign-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

with h5py.File(SAMPLE) as file:
    ATTENTION = file["attention"][...].astype(float)
    TOKENS = [token.decode() for token in file["tokens"][...]]

program = Program(BINARY, str(SAMPLE))
atexit.register(lambda: program.kill())

# One of each kind.
KINDS = {
    "foreign": ["tuple.pt", "legacy-tuple.pt", "model-output.pt", "list-of-dictionaries.pkl", "layers.npy",
                "stored.npz", "layers.safetensors"],
    "pages": ["bertviz-head.html", "bertviz-model.html", "bertviz-neuron.html", "bertviz-2019.html", "notebook.ipynb",
              "inspectus.html", "circuitsvis-heads.html"],
    "nested": ["attention-scores.json"],
    "generation": ["lists.pkl"],
    ".": ["f16-gzip.h5"],
}
EXPECTED = {folder: json.loads((FIXTURES / folder / "expected.json").read_text(encoding="utf-8")) for folder in KINDS}


def check_numbers(block):
    """The row that is in expected.json, as the view names its strongest keys and the token panel lists all."""
    row = block["rows"][0]
    weights = np.array([float(value) for value in row["values"]])
    # SentencePiece's sign of a space is not shown.
    labels = [label.lstrip("▁") for label in block["key_tokens"] or map(str, range(block["keys"]))]
    program.wait_view("layer 0", "head 0")
    program.key(*["alt+Down"] * row["layer"], *["alt+Right"] * row["head"])
    program.wait_view(f"layer {row['layer']}", f"head {row['head']}")
    program.key("ctrl+Home", *["Down"] * row["query"])
    _, description = program.wait_view(f"(query {row['query']}): ")
    named = [pair.rsplit(" ", 1) for pair in description.split("): ", 1)[1].split(", ")]
    assert named, description
    for (token, text), index in zip(named, np.argsort(-weights, kind="stable")):
        assert is_shown_as(weights[index], text), (description, weights)
        assert token in [labels[i] for i in range(len(labels)) if is_shown_as(weights[i], text)], (description, labels)
    wait_for("the token panel", lambda: len(program.rows()) > 0)


def close(name):
    program.key("ctrl+w")
    wait_for("the tab to close", lambda: name not in program.title())
    program.wait_title(SAMPLE.name)


def make_test(folder, name):
    def test():
        # From there on a drop is as any other opening; the window to drag from is a program that starts.
        if name == KINDS[folder][0]:
            program.drop(FIXTURES / folder / name)
        else:
            program.open_again(FIXTURES / folder / name)
        program.wait_title(name)
        program.use_page(1)
        check_numbers(EXPECTED[folder][name]["examples"][0]["blocks"][0])
        close(name)
    return test


def test_several():
    """All at once, each in a tab, the first of them on top."""
    names = ["tuple.pt", "layers.npy", "stored.npz"]
    program.drop(*[FIXTURES / "foreign" / name for name in names])
    # The keyboard goes to a picture that came below another when it is first on top, so all are to be there before.
    for number in range(1, len(names) + 1):
        program.use_page(number, is_on_top=False)
    program.wait_title(names[0])
    for name in names[1:]:
        program.key("ctrl+Page_Down")
        program.wait_title(name)
    for number, name in reversed(list(enumerate(names, 1))):
        program.wait_title(name)
        program.use_page(number)
        check_numbers(EXPECTED["foreign"][name]["examples"][0]["blocks"][0])
        program.key("ctrl+w")
        wait_for("the tab to close", lambda: name not in program.title())
    program.wait_title(SAMPLE.name)


def test_dialog():
    """The open dialog lists a file without being told to show all."""
    program.key("ctrl+o")
    program.answer_chooser("Open Attention", FIXTURES / "foreign" / "heads.pth")
    program.wait_title("heads.pth")
    program.use_page(1)
    check_numbers(EXPECTED["foreign"]["heads.pth"]["examples"][0]["blocks"][0])
    close("heads.pth")


def choose_example(index):
    program.choose(program.wait("combo box", "Example", program.page), index, "x")


def check_first_query(token, weights, labels):
    """The first query of the first head, which the key goes to from wherever it is pressed."""
    words = f"{token} (query 0): "
    # Over no token.
    program.click(*program.point_nowhere())
    program.xdotool("mousemove", 2, 2)

    insist(lambda: f"the view to say {words}; it says {program.view()}", lambda: program.key("ctrl+Home"),
           lambda: program.view()[1].startswith(words))
    description = program.view()[1]
    named = [pair.rsplit(" ", 1) for pair in description.split("): ", 1)[1].split(", ")]
    for (key, text), index in zip(named, np.argsort(-weights, kind="stable")):
        assert is_shown_as(weights[index], text), (description, weights)
        assert key in [labels[i] for i in range(len(labels)) if is_shown_as(weights[i], text)], (description, labels)


def open_examples(path):
    program.drop(path)
    program.wait_title(path.name)
    program.use_page(1)
    program.wait_view("layer 0", "head 0")


def test_examples():
    path = FIXTURES / "nested" / "list-of-objects.json"
    example = json.loads(path.read_text())[2]
    open_examples(path)
    choose_example(2)
    check_first_query(example["tokens"][0], np.array(example["attns"][0][0][0]), example["tokens"])
    close(path.name)


def test_steps():
    """A generation: all of it, then a step, whose queries are those of that step alone."""
    path = FIXTURES / "generation" / "lists.json"
    content = json.loads(path.read_text())
    steps, tokens = content["attentions"], content["tokens"]
    open_examples(path)
    check_first_query(tokens[0], np.array(steps[0][0][0][0][0] + [0] * 3), tokens)
    choose_example(3)
    check_first_query(tokens[5], np.array(steps[2][0][0][0][0]), tokens[:6])
    close(path.name)


def test_refused():
    """One sentence about a pickle that would run something; what is open stays, and nothing is run."""
    program.wait_title(SAMPLE.name)
    program.use_page(0)
    program.wait_view("layer 0", "head 0")
    trap = FIXTURES.parent / "malformed" / "pickle-os-system.pkl"
    program.drop(trap)
    label = program.wait("label", trap.name, program.main_frame())
    assert "system" in label.name and label.name.count("\n") == 0, label.name
    program.wait_title(SAMPLE.name)
    program.wait_view("layer 0", "head 0")
    check_first_query(TOKENS[0], ATTENTION[0, 0, 0], TOKENS)


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


def recover():
    """After a test that failed: the sample alone."""
    if program.process.poll() is None:
        program.key("Escape", "Escape", "Escape")
        for _ in range(4):
            if SAMPLE.name not in program.title():
                program.key("ctrl+w")
        program.open_again(SAMPLE)
        program.use_page(0)


def test_open():
    program.use_page(0)
    program.wait_view("layer 0", "head 0")


TESTS = [("open", test_open)]
TESTS += [(name, make_test(folder, name)) for folder, names in KINDS.items() for name in names]
TESTS += [(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
          if name.startswith("test_") and name not in ("test_open", "test_end")] + [("end", test_end)]
run_tests(TESTS, recover)
