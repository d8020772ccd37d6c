# SPDX-License-Identifier: MIT
"""All commands of the window, each in one part of the walk through them: how it is done, and what is seen of it."""
import json
import os
import shutil
import time
from pathlib import Path

import numpy as np

from command_walk import ELSEWHERE, PAUSE, Row, Walk
from window_driver import Program, get_state_folder, insist, wait_for

DOCUMENT, MAIN, RECENT = ("Document Menu",), ("Main Menu",), ("Recent Files",)
VIEW_IN_DOCUMENT = (*DOCUMENT, "View")
# In that menu, the one of the view.
VIEW_MENU = ("Return", PAUSE, "v", PAUSE)


# What is looked at

def state(action):
    return lambda walk: walk.describe(action)[1]


def is_possible(action):
    return lambda walk: walk.describe(action)[0]


def is_shown(role, name):
    return lambda walk: any(node.name == name and walk.is_seen(node) for node in walk.program.find_all(role, name))


def is_selected(role, name):
    return lambda walk: walk.are_selected(walk.program.find_all(role, name))


def has_keyboard(name):
    """Whether it is there that keys go: what else has the keyboard does not matter."""
    return lambda walk: any(name in focused for _, focused in walk.focus())


def opened_elsewhere(walk):
    """What other programs were asked to show."""
    path = walk.work / "shown"
    return path.read_text() if path.exists() else ""


def typed_text(walk):
    texts = walk.program.find_all("text box", "Text", walk.program.page)
    return [walk.program.accessibility.get_text(node) for node in texts]


# Where the rows of a context begin

def write_viewer(walk):
    """A program of the desktop that shows folders and pages, and writes down which."""
    script = walk.work / "viewer"
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >>"{walk.work}/shown"\n')
    script.chmod(0o755)
    folder = Path(os.environ["XDG_DATA_HOME"]) / "applications"
    folder.mkdir(parents=True, exist_ok=True)
    kinds = ("x-scheme-handler/file", "x-scheme-handler/help", "inode/directory", "text/html")
    (folder / "viewer.desktop").write_text(
        f"[Desktop Entry]\nType=Application\nName=Viewer\nExec={script} %u\nMimeType={';'.join(kinds)};\n")
    (folder / "mimeapps.list").write_text(
        "[Default Applications]\n" + "".join(f"{kind}=viewer.desktop\n" for kind in kinds))


def write_help(walk):
    """A page for each of the sources, where the program that is not installed looks for help; the rest is as it was."""
    data, own = Path(os.environ["HEADLIGHT_DATA_DIR"]), walk.work / "data"
    pages = own / "help" / "html-C"
    pages.mkdir(parents=True)
    for source in (data / "help" / "C").glob("*.page"):
        (pages / source.with_suffix(".html").name).write_text("<html></html>")
    for path in data.iterdir():
        if path.name != "help":
            (own / path.name).symlink_to(path.resolve())
    os.environ["HEADLIGHT_DATA_DIR"] = str(own)


def open_sample_with_help(walk):
    write_viewer(walk)
    write_help(walk)
    open_sample(walk)


def open_sample_and_folders(walk):
    write_viewer(walk)
    open_sample(walk)


def open_sample(walk):
    walk.start(walk.sample)
    walk.to_picture()


def open_copies(walk):
    """Two files of one's own."""
    shutil.copy(walk.sample, walk.work / "own.h5")
    shutil.copy(walk.sample, walk.work / "other.h5")
    walk.start(walk.work / "own.h5", walk.work / "other.h5")


def open_welcome(walk):
    """The first page of a program that has opened something before."""
    open_copies(walk)
    to_welcome(walk)


def open_nothing(walk):
    walk.start(with_view=False)


def open_scores(walk):
    walk.start(walk.fixtures / "raw-logits.h5")


def open_letters(walk):
    """A model that knows single letters."""
    folder = walk.work / "protein"
    shutil.copytree(walk.models / "checkpoints" / "bert", folder, dirs_exist_ok=True)
    write_tokenizer(folder, ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *"MKTAYIQRS"], "[UNK]")
    walk.start(folder)


def open_masking(walk):
    """A model that guesses what is masked."""
    folder = walk.work / "masked"
    shutil.copytree(walk.models / "checkpoints" / "bert-prefixed", folder, dirs_exist_ok=True)
    write_tokenizer(folder, [f"w{number}" for number in range(100)], "w0")
    (folder / "special_tokens_map.json").write_text('{"mask_token": "w59"}')
    walk.start(folder)


def open_adapter(walk):
    base = shutil.copytree(walk.models / "checkpoints" / "llama", walk.work / "tiny-llama", dirs_exist_ok=True)
    adapter = shutil.copytree(walk.models / "folders" / "lora", walk.work / "my-adapter", dirs_exist_ok=True)
    path = adapter / "adapter_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"base_model_name_or_path": "../tiny-llama"}))
    write_tokenizer(base, [f"w{number}" for number in range(60)], "w0")
    walk.start(adapter)


def open_pixels(walk):
    walk.start(walk.models / "vision" / "vit", with_view=False)


def open_images(walk):
    """Two images side by side."""
    model, images = walk.models / "vision" / "vit", walk.models / "images"
    saved = {"format": "headlight-session", "version": 1, "uri": model.as_uri(), "image": (images / "picture.png").as_uri(),
             "other": {"uri": model.as_uri(), "image": (images / "other.png").as_uri()}}
    (walk.work / "images.headlight").write_text(json.dumps(saved))
    walk.start(walk.work / "images.headlight")


def write_tokenizer(folder, tokens, unknown):
    model = {"type": "WordLevel", "unk_token": unknown, "vocab": {token: number for number, token in enumerate(tokens)}}
    (folder / "tokenizer.json").write_text(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": None, "decoder": None, "model": model}))


# Where a row begins

def compare(walk):
    if walk.describe("stop-comparing")[0]:
        return
    walk.to_picture()
    walk.program.key("ctrl+d")
    walk.program.wait_dialog("Compare With")
    walk.program.key("Down", "Return")
    walk.program.wait_gone("Compare With")


def compare_texts_narrow(walk):
    """Two texts, of which one is seen at a time."""
    if walk.describe("stop-comparing")[0]:
        return
    walk.program.resize(360, 640)
    walk.program.key("ctrl+d")
    walk.program.wait_dialog("Compare With")
    walk.program.key("alt+t")
    walk.program.wait_gone("Compare With")
    wait_for("the second side", lambda: walk.describe("side")[1] == ["b"])


def show_second_side(walk):
    compare_texts_narrow(walk)
    if walk.describe("side")[1] != ["b"]:
        walk.program.key("F6")
    wait_for("the second side", lambda: walk.describe("side")[1] == ["b"])


def show_sums(walk):
    """Something is hidden, so that rows can be summed anew."""
    if not walk.describe("hide-special")[1][0]:
        walk.program.key("ctrl+shift+t")


def leave_gaps(walk):
    """The rows of the head table go, where they are shown: a walk through them takes long."""
    if walk.describe("head-table")[1][0]:
        walk.program.key("ctrl+shift+h")
    walk.to_picture()


def to_head_table(walk):
    if not walk.describe("head-table")[1][0]:
        walk.program.key("ctrl+shift+h")


def save(walk):
    """A file is saved, which is said."""
    target = walk.work / f"saved-{time.monotonic_ns()}.h5"
    walk.program.key("ctrl+shift+s")
    walk.program.save_in_chooser("Save Attention", target)
    walk.program.wait_gone("Save Attention")
    wait_for("what is said of it", lambda: walk.find_controls("Open Folder"))


def use_own(walk):
    """The copy's tab, whose file is another from now on."""
    walk.program.use_page(0)
    fixture = walk.fixtures / "causal.h5"
    path = walk.work / "own.h5"
    shutil.copy(fixture if path.stat().st_size != fixture.stat().st_size else walk.sample, path)
    insist("the copy on top", lambda: walk.program.key("ctrl+Tab"), lambda: "own.h5" in walk.title())


def open_both(walk):
    for name in ("own.h5", "other.h5"):
        walk.program.open_again(walk.work / name)
    wait_for("two tabs", lambda: len(walk.tabs()) == 2)


def to_welcome(walk):
    # Of a window without a tab, the key would be the end.
    for n_tabs in range(len(walk.tabs()), 0, -1):
        walk.program.key("ctrl+w")
        wait_for("a tab to close", lambda: len(walk.tabs()) < n_tabs)


def type_sentence(walk):
    to_welcome(walk)
    walk.go_by_tab("Type a sentence")
    walk.program.key("ctrl+a")
    walk.program.type("time flies")


def open_again(walk):
    """It is on the list of recent files, and on the first page."""
    walk.program.open_again(walk.work / "own.h5")
    wait_for("its tab", walk.tabs)
    to_welcome(walk)


def open_without_attention(walk):
    numbers = np.random.default_rng(20)
    path = walk.work / "nothing.npz"
    np.savez(path, first=numbers.random((5, 8)).astype("f4"), second=numbers.random((3, 2, 5, 5)).astype("f4"))
    walk.program.open_again(path)
    wait_for("an offer", lambda: walk.find_controls("Choose…"))


def type_text(text):
    def type_it(walk):
        walk.program.key("ctrl+l", "ctrl+a")
        walk.program.type(text)
        wait_for(f"“{text}” in the title", lambda: any(f"“{text}" in name for name in walk.labels()))
    return type_it


def has_spaced_letters(walk):
    """A button that a key presses does what it does a quarter of a second later, and other words change at once."""
    return any("“M K T A Y" in name for name in walk.labels())


def type_protein(walk):
    type_text("MKTAYIAKQR")(walk)
    wait_for("the offer of letters", lambda: walk.find_controls("Use Single Letters"))


def to_second_token(walk):
    type_text("w5 w6 w7")(walk)
    walk.program.key("Escape", "Home", "Down")
    walk.program.wait_view("w6 (query 1)")


def lose(walk):
    """A program that was killed with a file open, and the next."""
    walk.start(walk.fixtures / "causal.h5")
    wait_for("what is open to be kept", lambda: any("causal.h5" in path.read_text(errors="replace")
                                                    for path in get_state_folder().glob("windows/*/window-*") if path.is_file()))
    walk.program.kill()
    walk.program = Program(walk.binary, after_crash=True)
    wait_for("an offer", lambda: any(walk.is_seen(node) for node in walk.program.find_all("label", "ended unexpectedly")))


def start_again(walk):
    if not walk.is_alive():
        open_nothing(walk)


# In this order, each as those before it leave what is shown.
HEADS = [
    Row("next-head", ("alt+Right",), Walk.view),
    Row("previous-head", ("alt+Left",), Walk.view),
    Row("next-layer", ("alt+Down",), Walk.view),
    Row("previous-layer", ("alt+Up",), Walk.view),
    Row("first-head", ("alt+Home",), Walk.view, before=("alt+Right",)),
    Row("all-heads", ("ctrl+a",), Walk.caption, "All", prepare=Walk.to_picture, before=("ctrl+shift+a",)),
    Row("no-heads", ("ctrl+shift+a",), Walk.caption, "None", before=("ctrl+a",)),
    Row("Add the Next Head or Layer, in the Picker", ("shift+Right",), Walk.caption, by_keys_alone=True, tab="Heads",
        before=("alt+Home",)),
    Row("find-heads", ("ctrl+shift+f",), has_keyboard("Find Heads by Two Words"), "Find Heads…", DOCUMENT,
        prepare=leave_gaps, after=("Escape",)),
    Row("several-texts", ("ctrl+shift+n",), Walk.frames, "Several Texts…", DOCUMENT, prepare=leave_gaps),
    Row("head-table", ("ctrl+shift+h",), state("head-table"), "Head Table", DOCUMENT),
    Row("find-heads-of-pin", ("Return",), Walk.caption, of_picture="scene.find-heads", prepare=leave_gaps,
        before=("ctrl+Home", "Down", "Return", "Right", "Down"), after=("Escape", "Escape")),
]
VIEW = [
    Row("view", ("ctrl+2",), state("view"), "Heatmap", after=("ctrl+1",)),
    Row("zoom-in", ("ctrl+plus",), Walk.picture, "Zoom In", VIEW_IN_DOCUMENT, before=("ctrl+2", "ctrl+0")),
    Row("zoom-out", ("ctrl+minus",), Walk.picture, "Zoom Out", VIEW_IN_DOCUMENT, before=("ctrl+plus", "ctrl+plus")),
    Row("zoom-fit", ("ctrl+0",), Walk.picture, "Fit to Window", VIEW_IN_DOCUMENT, before=("ctrl+plus", "ctrl+plus")),
    Row("sidebar", ("F9",), state("sidebar"), "Layers, Heads and Filters", before=("ctrl+1",)),
    Row("token-panel", ("ctrl+F9",), state("token-panel"), "Side Panel"),
    Row("fullscreen", ("F11",), state("fullscreen"), "Fullscreen", VIEW_IN_DOCUMENT),
    Row("orientation", (*VIEW_MENU, "a"), state("orientation"), "Tokens Run Down", VIEW_IN_DOCUMENT, tab=DOCUMENT[0],
        before=("ctrl+1",)),
    Row("reading", (*VIEW_MENU, "r"), state("reading"), "Left to Right", VIEW_IN_DOCUMENT, tab=DOCUMENT[0]),
    Row("Main Menu", ("F10",), Walk.popups, "Main Menu"),
    Row("show-help-overlay", ("ctrl+question",), Walk.frames, "Keyboard Shortcuts", MAIN),
    Row("app.preferences", ("ctrl+comma",), Walk.frames, "Preferences", MAIN),
    Row("app.about", ("F10", PAUSE, "a"), Walk.frames, "About Headlight", MAIN),
    Row("app.new-window", ("ctrl+n",), Walk.frames, "New Window", MAIN, after=(ELSEWHERE, "alt+F4")),
    Row("help", ("F1",), opened_elsewhere, "Help", MAIN),
]
PICTURE = [
    Row("undo", ("ctrl+z",), Walk.view, prepare=Walk.to_picture, before=("alt+Right",)),
    Row("redo", ("ctrl+shift+z",), Walk.view, before=("alt+Right", "ctrl+z")),
    Row("find", ("ctrl+f",), has_keyboard("Find a Token"), "Find Token…", DOCUMENT, prepare=Walk.to_picture,
        after=("Escape",)),
    Row("find-next", ("ctrl+g",), Walk.view, "Next Token Found", before=("ctrl+f", "ctrl+a", "=l")),
    Row("find-previous", ("ctrl+shift+g",), Walk.view, "Previous Token Found", before=("ctrl+f", "ctrl+a", "=l")),
    Row("Next or Previous Token, or Cell", ("Down",), Walk.view, by_keys_alone=True, prepare=Walk.to_picture),
    Row("Queries or Keys; in Matrices, the Next Cell", ("Right",), Walk.view, by_keys_alone=True,
        prepare=Walk.to_picture, before=("Down",)),
    Row("Ten Tokens on", ("Page_Down",), Walk.view, by_keys_alone=True, prepare=Walk.to_picture, before=("ctrl+Home",)),
    Row("First or Last Token, or Cell of the Row", ("End",), Walk.view, by_keys_alone=True, prepare=Walk.to_picture,
        before=("Down",)),
    Row("First or Last Token, or Cell", ("ctrl+End",), Walk.view, by_keys_alone=True, prepare=Walk.to_picture,
        before=("Down",)),
    Row("Pin, Free, or Find the Heads of a Pair", ("Return",), Walk.picture,
        of_picture="scene.pin", prepare=Walk.to_picture, before=("Down",)),
    Row("Pin the Next Token as Well", ("shift+Down",), Walk.view, by_keys_alone=True, prepare=Walk.to_picture,
        before=("Down",)),
    Row("Pin the Token Pointed at as Well, or Free It", ("ctrl+Return",), Walk.view, of_picture="scene.gather",
        prepare=Walk.to_picture, before=("Down", "Return", "Down")),
    Row("free-pin", ("Escape",), Walk.picture, "Free the Pinned Token",
        prepare=Walk.to_picture, before=("Down", "Return")),
    Row("Menu of the Token", ("Menu",), Walk.popups, by_keys_alone=True, prepare=Walk.to_picture, before=("Down",)),
    Row("hide-token", ("h",), Walk.caption, prepare=Walk.to_picture, before=("Down",), after=("ctrl+z",)),
    Row("show-all-tokens", ("Menu", PAUSE, "Up", "Up", "Up", "Return"), Walk.caption, prepare=Walk.to_picture,
        before=("Down", "h")),
    Row("hide-special", ("ctrl+shift+t",), state("hide-special"), "Hide Special Tokens"),
    Row("words", ("ctrl+shift+w",), state("words"), "Whole Words"),
    Row("hide-first", ("space",), state("hide-first"), "Hide First Token", tab="Hide First Token"),
    Row("renormalise", ("space",), state("renormalise"), "Rows Sum to One", tab="Rows Sum to One", prepare=show_sums),
    Row("compare", ("ctrl+d",), Walk.frames, "Compare…", DOCUMENT),
    Row("difference", ("ctrl+m",), state("difference"), "Difference B − A", prepare=compare),
    Row("show-changes", ("Return", PAUSE, "alt+a"), state("head-table"), tab="Heads That Changed Most",
        prepare=compare, after=("Escape", "ctrl+shift+h")),
    Row("stop-comparing", ("ctrl+shift+d",), is_possible("stop-comparing"), "Stop Comparing", prepare=compare),
]
FILES = [
    Row("open", ("ctrl+o",), Walk.frames, "Open"),
    Row("open-model", ("ctrl+shift+o",), Walk.frames, "Open Model Folder…", RECENT),
    Row("models", ("ctrl+shift+l",), Walk.frames, "Models on This Computer…", RECENT),
    Row("axes", ("ctrl+shift+x",), Walk.frames, "Axes…", DOCUMENT),
    Row("details", ("ctrl+i",), Walk.frames, "Details", DOCUMENT),
    Row("save-session", ("ctrl+s",), Walk.frames, "Save Session…", DOCUMENT),
    Row("save-as", ("ctrl+shift+s",), Walk.frames, "Save As…", DOCUMENT),
    Row("open-folder", ("alt+f",), opened_elsewhere, "Open Folder", prepare=save),
    Row("export", ("ctrl+e",), Walk.frames, "Export…"),
    Row("export-csv", ("ctrl+shift+e",), Walk.frames, "Export Numbers…", DOCUMENT),
    Row("copy-figure", ("ctrl+c",), Walk.clipboard, "Copy Figure", DOCUMENT,
        prepare=lambda walk: (walk.to_picture(), walk.mark_clipboard())),
    Row("copy-command", ("ctrl+shift+k",), Walk.clipboard, "Copy as Command", DOCUMENT, prepare=Walk.mark_clipboard),
    Row("Copy the Token Panel", ("ctrl+shift+c",), Walk.clipboard, "Copy as Text",
        prepare=lambda walk: (walk.to_picture(), walk.mark_clipboard()), before=("Down",)),
]
TABS = [
    Row("Next or Previous Tab", ("ctrl+Tab",), Walk.title, by_keys_alone=True),
    Row("reload", ("F5",), Walk.labels, "Reload", DOCUMENT, prepare=use_own),
    Row("close-tab", ("ctrl+w",), Walk.tabs, prepare=open_both),
]
WELCOME = [
    Row("copy-python", ("Return",), Walk.clipboard, "Copy the Python Lines That Save Attention",
        tab="Copy the Python Lines That Save Attention", prepare=Walk.mark_clipboard),
    Row("open-sentence", ("=a b c", "Return"), Walk.tabs, "Look at It", tab="Type a sentence", prepare=type_sentence),
    Row("open-recent", ("Return", PAUSE, "Return"), Walk.tabs, "own.h5", RECENT, tab=RECENT[0], prepare=to_welcome),
    Row("open-sample", ("Return",), Walk.tabs, "Explore the Sample", tab="Explore the Sample", prepare=to_welcome),
    Row("forget-recent", ("Return",), is_shown("button", "Remove “own.h5” from the List"),
        "Remove “own.h5” from the List", tab="Remove “own.h5” from the List", prepare=open_again),
    Row("axes-of", ("alt+c",), Walk.frames, "Choose…", prepare=open_without_attention),
]
TEXT = [
    Row("edit-text", ("ctrl+l",), Walk.focus, prepare=Walk.to_picture),
    Row("Back to the Picture", ("Escape",), Walk.focus, by_keys_alone=True, before=("ctrl+l",)),
    Row("Compute at Once", ("=w8 w9", "Return"), Walk.labels, by_keys_alone=True, before=("ctrl+l", "ctrl+a")),
    Row("New Line", ("shift+Return",), typed_text, by_keys_alone=True, before=("ctrl+l", "ctrl+End"), after=("BackSpace",)),
    Row("adapter", ("ctrl+b",), state("adapter"), "Adapter"),
    Row("ask-model", ("ctrl+shift+m",), is_selected("tab", "Model"), prepare=to_head_table),
    Row("generate", ("ctrl+j",), Walk.labels),
    Row("other-side", ("F6",), state("side"), prepare=compare_texts_narrow),
    Row("side", ("space",), state("side"), "Show Side A", tab="Show Side A", prepare=show_second_side),
]
LOST = [
    Row("open-lost", ("alt+a",), Walk.tabs, "Open Again", prepare=lose),
    Row("drop-lost", ("Return",), Walk.labels, "Dismiss", tab="Dismiss", prepare=lose),
]
# What opens the program, and the rows from there on.
PARTS = {
    "heads": [(open_sample, HEADS)],
    "view": [(open_sample_with_help, VIEW)],
    "picture": [(open_sample, PICTURE)],
    "files": [(open_sample_and_folders, FILES)],
    "tabs": [(open_copies, TABS), (open_welcome, WELCOME), (Walk.end, LOST)],
    "models": [
        (Walk.end, [Row("softmax", ("Return",), Walk.labels, "Show Softmax", tab="Show Softmax", prepare=open_scores)]),
        (open_letters, [Row("space-letters", ("alt+r",), has_spaced_letters, "Use Single Letters", prepare=type_protein)]),
        (open_masking, [Row("mask-token", ("m",), Walk.labels, prepare=to_second_token)]),
        (open_pixels, [Row("open-image", ("ctrl+shift+p",), Walk.frames, "Open Image…"),
                       Row("paste-image", ("ctrl+v",), is_shown("label", "There is no image on the clipboard"))]),
        (open_images, [Row("open-other-image", ("ctrl+alt+p",), Walk.frames, "Open Image for B")]),
        (open_adapter, TEXT),
        (open_nothing, [Row("app.quit", ("ctrl+q",), Walk.is_alive, "Close", prepare=start_again)]),
    ],
}
