# SPDX-License-Identifier: MIT
"""headlight.show: opens the program."""
from __future__ import annotations

import atexit
import shutil
import subprocess
from typing import Any, Optional, Sequence

from . import _program


def show(x: Any, *, tokens: Optional[Sequence[str]] = None) -> "subprocess.Popen[bytes]":
    """Opens Headlight on attention, and comes back at once.

    x: the path of a file; an array or tensor with up to five axes (layers, batch, heads, queries and keys); a list or
        tuple of them, one a layer, None for a layer without attention, as `outputs.attentions`; or the outputs of a model
        themselves. Of generate() with output_attentions=True and return_dict_in_generate=True all steps are one map.
    tokens: what the keys are, for attention that is no file; of generate() those of the prompt and the answer; of an encoder and a decoder
        those of the decoder, or of both, one after the other.

    What is no file is written to a temporary one, which goes when Python ends. Raises ProgramMissing where Headlight is
    not installed; HEADLIGHT says where it is if it is not in PATH. Gives the process.
    """
    program = _program.find("headlight", "HEADLIGHT")
    path, folder = _program.as_file(x, tokens)
    if folder is not None:
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return subprocess.Popen([program, path], stdin=subprocess.DEVNULL, start_new_session=True)
