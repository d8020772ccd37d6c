#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Whole words, and tokens hidden: by switch, by shortcut, by key, and back again.

Usage: test-window-words.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import json
import sys
from pathlib import Path

import numpy as np

import window_driver
from window_driver import Program, run_tests, wait_for

BINARY, WORDS = sys.argv[1], Path(sys.argv[3]) / "words"
CASES = json.loads((WORDS / "expected.json").read_text(encoding="utf-8"))

program = Program(BINARY, str(WORDS / "bert.h5"))
atexit.register(program.kill)


def expected(**wanted):
    """What NumPy made of the same file with the same choices."""
    names = ("words", "hide_special", "hide_first", "renormalise")
    return next(case for case in CASES if case["file"] == "bert.h5" and case["hidden"] == wanted.get("hidden", "")
                and all(case[name] == wanted.get(name, False) for name in names))


def focus(n):
    """Takes the keyboard to the nth query, wherever it was."""
    program.click(*program.point(program.image, 20, 700))
    program.key("Escape")
    program.wait_nothing_in_focus()
    program.key("Down", *["Down"] * n)


def check(query, case, head=0):
    program.wait_view(f"{case['queries'][query]} (query ")
    found = wait_for("weights", lambda: ": " in program.view()[1] and program.view()[1])
    window_driver.check_ranking(found, np.array(case["weights"][0][head][query]), case["keys"])


def test_words():
    program.use_page(0)
    program.wait_view("Head View: attention weight · layer 0 · head 0")
    program.key("ctrl+shift+w")
    program.wait_view("· whole words")
    focus(2)
    program.wait_view("unbelievable (query 2): ")
    check(2, expected(words=True))
    wait_for("the word in the panel", lambda: any(row.startswith("herself ") for row in program.rows()))


def test_pin_survives():
    focus(2)
    program.wait_view("unbelievable (query 2): ")
    program.key("Return")
    # What is pinned stays in focus when the pointer goes.
    program.move(*program.point(program.image, 40, 720))
    program.wait_view("unbelievable (query 2): ")
    program.key("ctrl+shift+w")
    # The first piece of the word.
    program.wait_view("un (query 2): ")
    check(2, expected())
    program.key("ctrl+shift+w")
    program.wait_view("unbelievable (query 2): ", "whole words")
    program.key("ctrl+shift+w", "Escape")
    wait_for("pieces", lambda: "whole words" not in program.view()[0])


def test_special_tokens():
    program.key("ctrl+shift+t")
    program.wait_view("special tokens hidden")
    focus(0)
    # Positions are those in the text.
    program.wait_view("the (query 1): ")
    check(0, expected(hide_special=True))
    program.key("alt+n")
    program.wait_view("attention weight, rows renormalised · layer 0")
    focus(0)
    check(0, expected(hide_special=True, renormalise=True))
    program.key("alt+n")
    wait_for("rows as they are", lambda: "renormalised" not in program.view()[0])
    program.key("ctrl+shift+t")
    wait_for("all tokens", lambda: "hidden" not in program.view()[0])


def test_first_token():
    program.key("alt+k")
    program.wait_view("first token hidden")
    focus(0)
    check(0, expected(hide_first=True))
    program.key("alt+k")
    wait_for("all tokens", lambda: "hidden" not in program.view()[0])


def test_hide_by_key():
    focus(3)
    program.wait_view("##believ (query 3)")
    program.key("h")
    program.wait_view("1 token hidden")
    focus(9)
    program.wait_view("told (query 10)")
    program.key("Delete")
    program.wait_view("2 tokens hidden")
    focus(0)
    case = expected(hidden="q3,q10,k3,k10")
    check(0, case)
    program.wait("label", "##believ (3)", program.page)


def test_show_again():
    """A hidden token comes back by its button, all by theirs."""
    button = program.wait("button", "Show ##believ (3) Again", program.page)
    program.click(*program.point(button, 8, 8))
    program.wait_view("1 token hidden")
    button = program.wait("button", "Show All Tokens", program.page)
    program.click(*program.point(button, 12, 8))
    wait_for("all tokens", lambda: "hidden" not in program.view()[0])


def test_heatmap():
    program.key("ctrl+2", "ctrl+shift+w", "ctrl+shift+t")
    program.wait_view("Heatmap: ", "whole words · special tokens hidden")
    focus(1)
    program.key("Right")
    program.wait_view("unbelievable → unbelievable 0.")
    program.key("ctrl+1", "ctrl+shift+w", "ctrl+shift+t")
    wait_for("everything", lambda: "words" not in program.view()[0] and "hidden" not in program.view()[0])
    assert not program.complaints(), program.complaints()


TESTS = [("words", test_words), ("pin", test_pin_survives), ("special-tokens", test_special_tokens),
         ("first-token", test_first_token), ("hide-by-key", test_hide_by_key), ("show-again", test_show_again),
         ("heatmap", test_heatmap)]


def recover():
    program.key("Escape", "Escape")


run_tests(TESTS, recover)
