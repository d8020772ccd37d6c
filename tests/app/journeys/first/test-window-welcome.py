#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The first minute: a window without a file, its picture, a sentence that is typed, Python's lines, recent files, and that nothing moves.

Usage: test-window-welcome.py HEADLIGHT SAMPLE FIXTURES    on a display with a window manager and an accessibility bus

The lines are run by the Python in HEADLIGHT_BENCH_PYTHON, which has torch and transformers, otherwise against stub_torch.py.
"""
import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from window_driver import Program, insist, run_tests, wait_for

BINARY, SAMPLE, FIXTURES = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
WORK = Path(tempfile.mkdtemp(prefix="headlight-welcome-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
REAL_PYTHON = os.environ.get("HEADLIGHT_BENCH_PYTHON")
MODEL = "all-MiniLM-L6-v2"
PYTHON_BUTTON = "Copy the Python Lines That Save Attention"

# A caret that blinks is the desktop's choice; all else is to stay where it is.
settings = Path(os.environ["XDG_CONFIG_HOME"]) / "gtk-4.0" / "settings.ini"
settings.parent.mkdir(parents=True, exist_ok=True)
settings.write_text("[Settings]\ngtk-cursor-blink=false\n")

dump = WORK / "an own_dump.h5"
shutil.copy(SAMPLE, dump)
program = Program(BINARY)
atexit.register(lambda: program.kill())


def wait_welcome():
    wait_for(lambda: f"the welcome page; the title is “{program.title()}”", lambda: program.title() == "Headlight")


def page():
    return wait_for("the welcome page", lambda: [node for node in program.accessibility.walk(program.main_frame())
                                                 if node.name == "HlWelcomePage"])[0]


def press(name):
    wait_for(f"“{name}” to be pressed", lambda: any(map(program.accessibility.activate, program.find_all("button", name, page()))))


def find_picture():
    return wait_for("a picture", lambda: [node for node in program.find_all("image", "Head View: ", page())])[0]


def test_picture():
    """It is the scene itself: what is pointed at says what it attends to."""
    wait_welcome()
    program.image = find_picture()
    program.wait_view("layer 2 · head 9")
    width, height = program.wait_place(program.image)[2:]
    assert width > 400 and height > 200, (width, height)
    x = width * 0.18
    _, _, description = program.seek([(x, y) for y in range(80, height, 6)], "flies (query 2): ")
    assert description.startswith("flies (query 2): flies "), description
    program.move(3, 3)


def test_names():
    """Whatever can be pressed has a name."""
    def find_buttons():
        return [node.name for node in program.find_all("button", "", page())]
    names = {"Explore the Sample", "Look at It", "Open…", "Models…", PYTHON_BUTTON}
    wait_for(lambda: f"{names}, not {find_buttons()}", lambda: names <= set(find_buttons()) and "GtkButton" not in find_buttons())
    program.wait("text box", "Type a sentence", page())


def test_sentence():
    """The keyboard is there from the beginning: it is typed, and Enter has it read."""
    program.type("  my dog chased your cat ")
    program.key("Return")
    program.wait_title(MODEL)
    program.use_page(0)
    wait_for("the tokens", lambda: program.accessibility.read([program.image]) and
             any("my dog chased your cat" in node.name for node in program.find_all("label", "", program.main_frame())))
    width, height = program.wait_place(program.image)[2:]
    program.seek([(x, y) for x in (90, 110, 130, 150) for y in range(80, min(height, 600), 8)], "chased (query 3): ")
    program.move(3, 3)
    # Whoever looks at the picture has the keyboard in it: no key is typed.
    program.key("ctrl+Home", "Down", "h")
    program.wait_view("1 token hidden")
    wait_for("the sentence in the field", lambda: "my dog chased your cat" in [
        (program.accessibility.get_text(node) or "").strip() for node in program.find_all("text box", "Text", program.page)])
    program.key("ctrl+w")
    wait_welcome()


def test_explore():
    """The sentences of the picture, in the model: typed again, they are where the model is open already."""
    press("Explore the Sample")
    program.wait_title(MODEL)
    program.use_page(0)
    wait_for("both sentences", lambda: any("time flies like an arrow" in node.name and "banana" in node.name
                                           for node in program.find_all("label", "", program.main_frame())))
    # A figure of it goes among one's own files, not where the program is installed.
    program.key("ctrl+e")
    _, window = program.wait_dialog("Export Figure")
    program.key("alt+e")
    program.save_in_chooser("Export Figure", Path("explored.png"), window, folder=Path.home())
    program.wait_gone("Export Figure")
    program.key("ctrl+w")
    wait_welcome()


def make_tiny_model(folder):
    subprocess.run([REAL_PYTHON, "-c", """
import sys, pathlib, torch, transformers
folder = pathlib.Path(sys.argv[1])
folder.mkdir()
words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"time flies like an arrow".split()]
(folder / "vocab.txt").write_text("\\n".join(words))
torch.manual_seed(0)
config = transformers.BertConfig(vocab_size=len(words), hidden_size=16, num_hidden_layers=3, num_attention_heads=2,
                                 intermediate_size=16)
transformers.BertModel(config).save_pretrained(folder)
transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
""", folder], check=True, timeout=300, capture_output=True)


def test_python_lines():
    """What is copied is run as it is, and what it wrote is opened."""
    press(PYTHON_BUTTON)
    lines = wait_for("the lines on the clipboard", lambda: (program.read_clipboard("UTF8_STRING") or b"").decode() or None)
    assert 'attn_implementation="eager"' in lines, lines
    # What is said of it belongs to this page.
    program.wait("label", "attention.pt", program.main_frame())
    program.open_again(dump)
    program.wait_title(dump.name)
    wait_for("nothing to be said over another page",
             lambda: not program.find_all("label", "They need PyTorch", program.main_frame()))
    program.key("ctrl+w")
    wait_welcome()
    folder = WORK / "script"
    folder.mkdir()
    script = folder / "save.py"
    if REAL_PYTHON:
        # A folder that is called like the model is taken for it.
        make_tiny_model(folder / "bert-base-uncased")
        script.write_text(lines)
        command, environment = [REAL_PYTHON, script], {**os.environ, "HF_HUB_OFFLINE": "1"}
    else:
        script.write_text("import stub_torch; stub_torch.install()\n" + lines)
        command, environment = [sys.executable, script], dict(os.environ)
    subprocess.run(command, cwd=folder, env=environment, check=True, timeout=300, capture_output=True)
    program.open_again(folder / "attention.pt")
    program.wait_title("attention.pt")
    program.use_page(0)
    wait_for("model and text", lambda: any("time flies like an arrow" in node.name for node in
                                           program.find_all("label", "bert-base-uncased", program.main_frame())))
    width, height = program.wait_place(program.image)[2:]
    program.seek([(x, y) for x in (90, 110, 130) for y in range(80, min(height, 600), 8)], "flies (query 2): ")
    program.move(3, 3)
    program.key("ctrl+w")
    wait_welcome()


def show_recent():
    lists = program.find_all("list", "Recent", page())
    return [row.name for row in program.accessibility.children(lists)] if lists else []


def test_drop():
    program.drop(dump)
    program.wait_title(dump.name)
    program.key("ctrl+w")
    wait_welcome()


def remove(words, n_left):
    """GTK reads its list of files anew when it is written, and makes rows of it: a button may be gone when it is pressed."""
    insist(f"{n_left} recent files",
           lambda: any(map(program.accessibility.activate, program.find_all("button", words, page()))),
           lambda: len(show_recent()) == n_left)


def test_recent():
    """With place and time, the last first; taken out of the list one by one, which leaves the file where it is."""
    wait_for(lambda: f"three recent files, {dump.name} first; there are {show_recent()}",
             lambda: len(show_recent()) == 3 and show_recent()[0].startswith(dump.name))
    wait_for("its place and time", lambda: any(node.name.startswith(str(WORK)) for node in
                                               program.find_all("label", " · today, ", page())))
    remove(f"Remove “{dump.name}” from the List", 2)
    assert dump.exists()
    remove("from the List", 1)
    remove("from the List", 0)


def test_sizes():
    """Nothing sticks out to the side, and the field to type in is there without scrolling."""
    for width, height in ((1280, 860), (800, 600)):
        program.resize(width, height)
        entry = program.wait("text box", "Type a sentence", page())
        picture = find_picture()

        def fits():
            left, top, wide, high = program.accessibility.get_extents(entry)
            x, y, across, down = program.accessibility.get_extents(picture)
            return wide > 100 and left >= 0 and left + wide <= width and top + high <= height and x >= 0 and \
                x + across <= width and down >= 200
        wait_for(f"field and picture in {width} × {height}", fits)
    program.resize(1280, 860)


def read_picture():
    """The display's pixels."""
    size = subprocess.run(["import", "-window", "root", "-format", "%w %h", "info:-"], check=True, capture_output=True,
                          text=True).stdout.split()
    data = subprocess.run(["import", "-window", "root", "-depth", "8", "rgb:-"], check=True, capture_output=True).stdout
    return np.frombuffer(data, np.uint8).reshape(int(size[1]), int(size[0]), 3)


def has_lines():
    """Whether they are drawn: in the middle of the picture there is colour."""
    width, height = program.wait_place(program.image)[2:]
    pixels = np.frombuffer(program.read_picture(*program.point(program.image, width / 2 - 10, height / 4), 20, height // 2), np.uint8)
    pixels = pixels.reshape(-1, 3).astype(int)
    return bool((pixels.max(axis=1) - pixels.min(axis=1) > 20).any())


def check_still(words):
    """From the moment on that the picture is drawn, for a second."""
    program.wait_view(*words)
    wait_for("its lines", has_lines)
    first = read_picture()
    time.sleep(1)
    ys, xs = np.nonzero((first != read_picture()).any(axis=2))
    assert len(ys) == 0, f"{len(ys)} pixels changed, in {xs.min()}…{xs.max()} × {ys.min()}…{ys.max()}"


def start_again(*arguments):
    global program
    program.key("ctrl+q")
    assert program.end() == 0
    # The pointer over nothing that answers to it.
    program.move(2, 2)
    program = Program(BINARY, *arguments)


def test_still_welcome():
    start_again()
    program.image = find_picture()
    check_still(["layer 2 · head 9"])


def test_still_sample():
    start_again(str(SAMPLE))
    program.use_page(0)
    check_still(["Head View"])


def test_still_sentence():
    start_again()
    find_picture()
    program.type("my dog chased your cat")
    program.key("Return")
    program.wait_title(MODEL)
    program.use_page(0)
    check_still(["Head View"])


def test_without_model():
    """A package may leave it out: three texts are prepared, and the page says so."""
    folder = WORK / "data" / "samples"
    folder.mkdir(parents=True)
    for path in SAMPLE.parent.glob("*.h5"):
        shutil.copy(path, folder)
    before = os.environ["HEADLIGHT_DATA_DIR"]
    os.environ["HEADLIGHT_DATA_DIR"] = str(folder.parent)
    try:
        start_again()
    finally:
        os.environ["HEADLIGHT_DATA_DIR"] = before
    program.wait("label", "not installed", page())
    texts = ["time flies like an arrow", "the animal did not cross", "she poured water from"]

    def find_rows():
        return program.accessibility.children(program.find_all("list", "not installed", page()))
    wait_for(lambda: f"rows of {texts}, not {find_rows()}",
             lambda: [row.name.split(",")[0][:20] for row in find_rows()] == [text[:20] for text in texts])
    label = program.wait("label", "the animal did not cross the street", page())
    program.click(*program.point(label, 5, 5))
    program.wait_title("minilm-street.h5")
    program.key("ctrl+w")
    wait_welcome()
    press("Explore the Sample")
    program.wait_title(SAMPLE.name)


def test_end():
    program.key("ctrl+q")
    assert program.end() == 0
    assert program.complaints() == []


def recover():
    """After a test that failed: the page again."""
    for _ in range(4):
        program.key("Escape")
        program.take_keys()
        if program.title() == "Headlight":
            break
        program.key("ctrl+w")
        program.take_keys()


run_tests([
    ("the picture answers to the pointer", test_picture),
    ("names for a screen reader", test_names),
    ("a sentence is typed", test_sentence),
    ("the sample is explored", test_explore),
    ("python's lines are run", test_python_lines),
    ("a file is dropped", test_drop),
    ("recent files", test_recent),
    ("sizes", test_sizes),
    ("nothing moves on the welcome page", test_still_welcome),
    ("nothing moves after a file", test_still_sample),
    ("nothing moves after a sentence", test_still_sentence),
    ("without the model", test_without_model),
    ("end", test_end),
], recover)
