#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Several at once: examples of which each has its steps as one map, and files that come together.

Usage: test-window-several.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import json
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np

from window_driver import Program, check_ranking, insist, run_tests, wait_for

BINARY, SAMPLE, FIXTURES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
SEVERAL = FIXTURES / "several"
# In the order of the list.
NAMES = ["layer", "example", "head", "query", "key", "step", "one"]

# NumPy 2, which wrote the file, calls its core otherwise than NumPy 1 of Debian 12, which reads it here.
if "numpy._core" not in sys.modules and not hasattr(np, "_core"):
    sys.modules.update({"numpy._core": np.core, "numpy._core.multiarray": np.core.multiarray})

# [step, layer] of [example, head, query, key], and the tokens of each example.
STEPS, TOKENS = (np.load(SEVERAL / "objects.npz", allow_pickle=True)[name] for name in ("attentions", "tokens"))

WORK = Path(tempfile.mkdtemp(prefix="headlight-several-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)


def copy(name):
    """A file that is read at once."""
    return Path(shutil.copy(SEVERAL / "prompts.json", WORK / name))


# JSON is read to its end before it is shown.
SLOW = WORK / "slow.json"
SLOW.write_text(json.dumps({"attention": np.full((4, 4, 300, 300), 1 / 300).round(6).tolist()}))
QUICK = [copy("first.json"), copy("second.json")]

program = Program(BINARY, str(SEVERAL / "objects.npz"))
atexit.register(program.kill)


def is_shown(node):
    extents = program.accessibility.get_extents(node)
    return extents is not None and extents[2] > 0 and extents[3] > 0


def find_label(words, root=None):
    """A label that is shown; GTK 4.8 also tells of those that are hidden."""
    return [node for node in program.find_all("label", words, root or program.page) if is_shown(node)]


def choose_example(index):
    """Of two examples, each with all of its steps and each of them."""
    program.choose(program.wait("combo box", "Example", program.page), index, "x")
    name = [f"[{i}] · {what}" for i in range(2) for what in ("All steps", "Step 0 (prompt)", "Step 1", "Step 2", "Step 3")][index]
    wait_for(f"“{name}”", lambda: find_label(name))


def get_row(example, layer, head, query):
    """The weights of a query among all of the generation, from the step that has it."""
    for step in STEPS:
        if query < step[layer].shape[2]:
            return step[layer][example, head, query]
        query -= step[layer].shape[2]
    raise AssertionError(query)


def check_query(token, place, weights, labels):
    """Of the first head; keys count once the view has the keyboard and its example."""
    words = f"{token} (query {place}): "

    insist(lambda: f"the view to say {words}; it says {program.view()}", lambda: program.key("ctrl+Home", *["Down"] * place),
           lambda: program.view()[1].startswith(words))
    description = program.view()[1]
    # Later keys are masked and not named.
    n = np.count_nonzero(weights)
    check_ranking(description, weights[:n], labels[:n])
    program.key("Escape")
    program.wait_nothing_in_focus()


def focus_view():
    """The view gets the keyboard, with the pointer over no token."""
    program.click(*program.point_nowhere())
    program.xdotool("mousemove", 2, 2)


def test_first():
    program.use_page(0)
    program.wait_view("layer 0", "head 0")
    focus_view()
    for query in (0, 6):
        check_query(TOKENS[0][query], query, get_row(0, 0, 0, query), list(TOKENS[0]))


def test_another_example():
    choose_example(5)
    focus_view()
    for query in (0, 5):
        check_query(TOKENS[1][query], query, get_row(1, 0, 0, query), list(TOKENS[1]))


def test_its_step():
    choose_example(8)
    focus_view()
    check_query(TOKENS[1][5], 0, STEPS[2][0][1, 0, 0], list(TOKENS[1][:6]))


def choose(axis, name):
    program.choose(program.wait("combo box", f"Axis {axis}"), NAMES.index(name), axis)


def test_axes():
    """Of one tensor, steps and examples are both axes that can be named."""
    program.open_again(SEVERAL / "dense.pt")
    program.wait_title("dense.pt")
    program.use_page(1)
    wait_for("what was guessed",
             lambda: find_label("The axes were guessed: step × layer × example × head × query × key"))
    program.key("ctrl+shift+x")
    dialog = program.wait_dialog("Axes")[0]
    wait_for("examples", lambda: find_label("2 examples of 2 layers × 3 heads × 3 queries × 7 keys", dialog))
    choose(0, "example")
    wait_for("their number", lambda: find_label("6 examples of 2 layers × 3 heads", dialog))
    choose(0, "one")
    wait_for("one step", lambda: find_label("2 examples of 2 layers × 3 heads", dialog))
    choose(0, "step")
    choose(2, "one")
    wait_for("one example", lambda: find_label("3 steps, together 2 layers × 3 heads × 3 queries × 7 keys", dialog))
    program.key("alt+a")
    program.wait_gone("Axes")
    program.wait_view("layer 0", "head 0")
    focus_view()
    check_query(TOKENS[0][6], 2, STEPS[3][0][0, 0, 0], list(TOKENS[0]))


def count_tabs():
    return sum(node.name == "HlDocumentPage" for node in program.accessibility.walk(program.main_frame()))


def test_files_together():
    """The first is on top though it takes longer to read than the others, in the order in which they came."""
    n_before = count_tabs()
    program.open_again(SLOW, *QUICK)
    program.use_page(n_before + 2, is_on_top=False)
    program.wait_title(SLOW.name)
    program.use_page(n_before)
    program.wait_view("layer 0", "head 0")
    for path in QUICK:
        program.key("ctrl+Page_Down")
        program.wait_title(path.name)
    # What is read again stays where it is, and so does what is on top.
    program.key("F5")
    program.wait_title(QUICK[-1].name)


def test_first_is_no_attention():
    """What comes behind it is on top then; what is open already counts as well."""
    n_before = count_tabs()
    broken = WORK / "broken.json"
    broken.write_text("{")
    others = [copy("third.json"), copy("fourth.json")]
    program.open_again(broken, *others)
    # It is said for some seconds.
    wait_for("what is wrong with it", lambda: find_label("broken.json: ", program.main_frame()))
    program.use_page(n_before + 1, is_on_top=False)
    program.wait_title(others[0].name)
    program.open_again(QUICK[0], copy("fifth.json"))
    program.use_page(n_before + 2, is_on_top=False)
    program.wait_title(QUICK[0].name)


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert not program.complaints(), "\n".join(program.complaints())


def recover():
    if program.process.poll() is None:
        program.key("Escape", "Escape")


run_tests([(name[5:].replace("_", "-"), value) for name, value in list(globals().items())
           if name.startswith("test_")], recover)
