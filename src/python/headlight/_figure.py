# SPDX-License-Identifier: MIT
"""headlight.figure: a drawing for notebooks and papers, by headlight-cli."""
from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from typing import Any, Optional, Sequence

from . import _disk, _program
from ._errors import HeadlightError


class Figure:
    """An SVG; notebooks show it."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the SVG to a file. Where that cannot be, what was there before is as it was."""
        _disk.write_whole(os.fsdecode(path), self.svg.encode("utf-8"))


def option(name: str, value: Any) -> str:
    """An option of headlight-cli as it is spelled there: top_mass=0.9 is --top-mass=0.9."""
    if isinstance(value, bool):
        value = "yes" if value else "no"
    elif isinstance(value, (list, tuple, range)):
        value = ",".join(str(part) for part in value)
    return f"--{name.replace('_', '-')}={value}"


def check(option: str) -> None:
    """Whether it can be said to a program at all."""
    try:
        fine = b"\0" not in os.fsencode(option)
    except UnicodeEncodeError:
        fine = False
    if not fine:
        raise HeadlightError(f"an option is no text: {option!r}")


def figure(x: Any, *, view: str = "head-view", tokens: Optional[Sequence[str]] = None, **options: Any) -> Figure:
    """Draws attention as an SVG, which a notebook shows.

    x, tokens: as for show().
    view: head-view, heatmap, model-view, layers, steps, neuron, chart, picture; one that needs what is not there, as picture an
        image, raises HeadlightError.
    options: those of `headlight-cli render`, with _ for -: layer=3, heads=[0, 5], quantity="norm", top_mass=0.9.

    Raises ProgramMissing where headlight-cli is not installed, and HeadlightError with its words where it refuses;
    HEADLIGHT_CLI says where it is if it is not in PATH.
    """
    program = _program.find("headlight-cli", "HEADLIGHT_CLI")
    path, made = _program.as_file(x, tokens)
    folder = made or tempfile.mkdtemp(prefix="headlight-")
    try:
        drawing = os.path.join(folder, "figure.svg")
        given = [option(name, value) for name, value in {"view": view, **options}.items() if value is not None]
        for text in given:
            check(text)
        done = subprocess.run([program, "render", path, *given, "--output", drawing], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            raise HeadlightError(done.stderr.decode("utf-8", "replace").strip() or f"headlight-cli ended with {done.returncode}")
        with open(drawing, encoding="utf-8") as file:
            return Figure(file.read())
    finally:
        shutil.rmtree(folder, ignore_errors=True)
