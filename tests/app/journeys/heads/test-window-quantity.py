#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What is made of weights before they are shown: means and maxima of heads and layers, transposed, A − Aᵀ; by pointer and by keyboard.

Usage: test-window-quantity.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus
"""
import atexit
import csv
import shutil
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

import window_driver
from window_driver import Program, run_tests, wait_for

BINARY, SAMPLE = sys.argv[1:3]
WORK = Path(tempfile.mkdtemp(prefix="headlight-quantity-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)

with h5py.File(SAMPLE) as file:
    MAPS = file["attention"][()].astype(np.float64)
    TOKENS = [token.decode() if isinstance(token, bytes) else str(token) for token in file["tokens"][()]]

dump = WORK / "my dump.h5"
shutil.copy(SAMPLE, dump)
program = Program(BINARY, str(dump))
atexit.register(program.kill)


NAMES = {"b": "Combine", "v": "Over", "d": "Direction"}


def choose(mnemonic, n):
    program.choose(program.wait("combo box", NAMES[mnemonic], program.page), n, mnemonic)


def point_at(words):
    """What the view says of a token of the left column."""
    x, y = program.point(program.image, 0, 0)
    points = [(90, down) for down in range(80, 790, 9)]
    return program.seek(points, words)[2]


def leave():
    program.move(*program.point_nowhere())


def check(description, weights):
    window_driver.check_ranking(description, weights, TOKENS)


def picker_says(*words):
    wait_for(lambda: f"{words} of the picker; it says {program.picker().description}",
             lambda: all(word in program.picker().description for word in words))


def click_layer(layer, *modifiers):
    program.click(*program.point_in_picker(layer, None, MAPS.shape[1]), modifiers=modifiers)


def click_head(layer, head, *modifiers):
    program.click(*program.point_in_picker(layer, head, MAPS.shape[1]), modifiers=modifiers)


def test_mean_of_heads():
    program.use_page(0)
    choose("b", 1)
    # Who asks for a mean with one head chosen means all.
    program.wait_view("mean of all 12 heads · attention weight · layer 0")
    picker_says("12 heads combined")
    check(point_at("flies (query 2): "), MAPS[0].mean(0)[2])
    leave()


def test_other_layer():
    click_layer(3)
    program.wait_view("mean of all 12 heads · attention weight · layer 3")
    check(point_at("flies (query 2): "), MAPS[3].mean(0)[2])
    leave()


def test_some_heads():
    click_head(3, 0)
    program.wait_view("mean of head 0 ·")
    click_head(3, 2, "ctrl")
    click_head(3, 5, "ctrl")
    program.wait_view("mean of heads 0, 2, 5 · attention weight · layer 3")
    picker_says("3 heads combined")
    check(point_at("arrow (query 5): "), MAPS[3, [0, 2, 5]].mean(0)[5])
    leave()


def test_heads_by_keyboard():
    # The picker's own mnemonic, then its keys; with Shift what is chosen stays.
    program.key("alt+h", "Home")
    program.wait_view("mean of head 0 ·")
    program.key("shift+Right", "shift+Right")
    program.wait_view("mean of heads 0–2 · attention weight · layer 3")


def test_max_over_layers():
    choose("b", 2)
    program.wait_view("maximum of heads 0–2")
    choose("v", 1)
    program.wait_view("maximum of all 6 layers · attention weight · heads 0–2")
    click_layer(1)
    program.wait_view("maximum of layer 1 ·")
    click_layer(4, "ctrl")
    program.wait_view("maximum of layers 1, 4 · attention weight · heads 0–2")
    picker_says("2 layers combined")
    program.wait("label", "Layers 1, 4", program.page)
    check(point_at("flies (query 2): ").replace(" (mean of 3 heads)", ""), MAPS[[1, 4], :3].max(0).mean(0)[2])
    leave()


def test_all_layers_button():
    assert program.accessibility.activate(program.wait("button", "Combine All Layers", program.page))
    program.wait_view("maximum of all 6 layers")


def test_heatmap_of_everything():
    choose("v", 2)
    choose("b", 1)
    program.key("ctrl+2", "ctrl+a")
    program.wait_view("Heatmap: mean of all 12 heads of all 6 layers · attention weight")


def test_export():
    target = WORK / "mean.csv"
    program.key("ctrl+shift+e")
    program.save_in_chooser("Export Numbers", target)
    program.wait_gone("Export Numbers")
    with open(target, newline="", encoding="utf-8") as table:
        rows = list(csv.reader(table))
    numbers = np.array([[float(cell) for cell in row[-len(TOKENS):]] for row in rows[1:]])
    assert np.abs(numbers - MAPS.mean((0, 1))).max() < 1e-6, numbers


def test_asymmetry():
    choose("d", 2)
    program.wait_view("asymmetry A − Aᵀ, A: mean of all 12 heads of all 6 layers")
    target = WORK / "asymmetry.csv"
    program.key("ctrl+shift+e")
    program.save_in_chooser("Export Numbers", target)
    program.wait_gone("Export Numbers")
    with open(target, newline="", encoding="utf-8") as table:
        rows = list(csv.reader(table))
    numbers = np.array([[float(cell) for cell in row[-len(TOKENS):]] for row in rows[1:]])
    mean = MAPS.mean((0, 1))
    assert np.abs(numbers - (mean - mean.T)).max() < 1e-6, numbers
    # In the head view, numbers have their sign in words and in the panel.
    program.key("ctrl+1")
    program.wait_view("Head View: ", "blue above zero, orange below")
    said = point_at("[CLS] (query 0): ")
    assert "−0." in said, said
    wait_for("signs in the panel", lambda: any("−0." in row for row in program.rows()))
    leave()


def test_transposed():
    choose("b", 0)
    choose("d", 1)
    program.key("alt+h", "Home", "Page_Up")
    program.wait_view("attention weight, transposed: rows are keys · layer 0 · head 0")
    said = point_at("flies (key 2): ")
    check(said.replace("(key 2)", "(query 2)"), MAPS[0, 0, :, 2])
    leave()


def test_model_view():
    choose("d", 0)
    choose("b", 1)
    choose("v", 0)
    program.key("ctrl+a", "ctrl+3")
    program.wait_view("Model View: mean of all 12 heads · attention weight · 6 layers")
    # The keyboard goes from layer to layer; Enter opens the mean of one.
    program.click(*program.point_nowhere())
    program.key("Down", "Down", "Down")
    program.wait_view("layer 2 · mean of all 12 heads")
    program.key("Return")
    program.wait_view("Head View: mean of all 12 heads · attention weight · layer 2")


def test_steps_show_weights_being_made():
    # This file holds no queries and keys; what is said is of heads as they are.
    program.key("ctrl+4")
    program.wait_view("layer 2")
    wait_for("no mean", lambda: "mean of" not in program.view()[0])
    program.key("ctrl+1")
    program.wait_view("Head View: mean of all 12 heads")
    choose("b", 0)
    program.wait_view("Head View: attention weight · layer 2 · heads 0–11")
    assert not program.complaints(), program.complaints()


TESTS = [("mean-of-heads", test_mean_of_heads), ("other-layer", test_other_layer), ("some-heads", test_some_heads),
         ("heads-by-keyboard", test_heads_by_keyboard), ("max-over-layers", test_max_over_layers),
         ("all-layers-button", test_all_layers_button), ("heatmap-of-everything", test_heatmap_of_everything),
         ("export", test_export), ("asymmetry", test_asymmetry), ("transposed", test_transposed),
         ("model-view", test_model_view), ("steps", test_steps_show_weights_being_made)]


def recover():
    program.key("Escape", "Escape")


run_tests(TESTS, recover)
