#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""F1 where Headlight is installed: the page of the view, by the desktop's program for help, or as HTML where there is none.

Usage: test-window-help.py HEADLIGHT SAMPLE INSTALL-PLAN    on a display with a window manager and an accessibility bus
"""
import atexit
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from window_driver import Program, run_tests, wait_for

BINARY, SAMPLE, PLAN = sys.argv[1], sys.argv[2], Path(sys.argv[3])
WORK = Path(tempfile.mkdtemp(prefix="headlight-help-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
HOME = Path(os.environ["XDG_DATA_HOME"])
SYSTEM = os.environ.get("XDG_DATA_DIRS", "/usr/local/share:/usr/share")
VIEWS = {"view-head-view": "Head View", "view-heatmap": "Heatmap", "view-model-view": "Model View"}


def install():
    """The help as `meson install` places it, without the rest."""
    for kind in json.loads(PLAN.read_text()).values():
        for source, entry in kind.items():
            place = entry["destination"].replace("{prefix}/", "").replace("{datadir}", "share")
            if not place.startswith("share/") or "/help/" not in place:
                continue
            target = WORK / place
            target.parent.mkdir(parents=True, exist_ok=True)
            if Path(source).is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            else:
                shutil.copy(source, target)


def set_handler(name, type_):
    """A program for files of the type that writes down what it is to show."""
    folder = HOME / "applications"
    folder.mkdir(parents=True, exist_ok=True)
    script = WORK / name
    script.write_text(f'#!/bin/sh\necho "$1" >> {WORK / name}.shown\n')
    script.chmod(0o755)
    (folder / f"{name}.desktop").write_text(
        f"[Desktop Entry]\nType=Application\nName={name}\nExec={script} %u\nMimeType={type_};\n")
    config = Path(os.environ["XDG_CONFIG_HOME"])
    config.mkdir(parents=True, exist_ok=True)
    with open(config / "mimeapps.list", "a") as file:
        file.write(f"[Default Applications]\n{type_}={name}.desktop\n")


def forget_handlers():
    shutil.rmtree(HOME / "applications", ignore_errors=True)
    (Path(os.environ["XDG_CONFIG_HOME"]) / "mimeapps.list").unlink(missing_ok=True)


def press_f1(asks):
    """In each of some views; what is asked each time."""
    program = Program(BINARY, SAMPLE)
    atexit.register(program.kill)
    try:
        program.wait_title(Path(SAMPLE).name)
        program.use_page(0)
        for number, (view, name) in enumerate(VIEWS.items(), 1):
            program.key(f"ctrl+{number}")
            program.wait_view(f"{name}: ")
            program.key("F1")
            asks(view)
        assert program.complaints() == []
    finally:
        program.kill()


def read_shown(name):
    path = WORK / f"{name}.shown"
    return path.read_text().split() if path.exists() else []


def test_pages():
    """All of the help is there, in each language, and as HTML."""
    pages = {path.stem for path in (WORK / "share/help/C/headlight").glob("*.page")}
    assert {"index", "safety", *VIEWS} <= pages, pages
    for language in ("de", "zh_CN"):
        assert pages == {path.stem for path in (WORK / "share/help" / language / "headlight").glob("*.page")}, language
    for language in ("C", "de", "zh_CN"):
        assert pages <= {path.stem for path in (WORK / "share/headlight/help" / f"html-{language}").glob("*.html")}, language


def test_handler():
    os.environ["XDG_DATA_DIRS"] = f"{WORK / 'share'}:{SYSTEM}"
    set_handler("reader", "x-scheme-handler/help")
    press_f1(lambda view: wait_for(view, lambda: read_shown("reader")[-1:] == [f"help:headlight/{view}"]))
    forget_handlers()


def test_html():
    """Nothing of the system knows help: only its types of files and its icons are there."""
    bare = WORK / "bare"
    bare.mkdir()
    for name in ("mime", "icons", "fonts", "X11"):
        if (Path("/usr/share") / name).exists():
            (bare / name).symlink_to(f"/usr/share/{name}")
    os.environ["XDG_DATA_DIRS"] = f"{WORK / 'share'}:{bare}"
    set_handler("browser", "text/html")

    def ask(view):
        """Where it was configured to be installed, if it is there, too."""
        shown = read_shown("browser")[-1:]
        return shown and shown[0].endswith(f"/headlight/help/html-C/{view}.html") and Path(shown[0].removeprefix("file://")).exists()
    press_f1(lambda view: wait_for(view, lambda: ask(view)))
    forget_handlers()
    os.environ["XDG_DATA_DIRS"] = f"{WORK / 'share'}:{SYSTEM}"


del os.environ["HEADLIGHT_DATA_DIR"]
install()
run_tests([("pages", test_pages), ("by the desktop’s program", test_handler), ("as HTML", test_html)],
          lambda: None)
