# SPDX-License-Identifier: MIT
"""The programs of Headlight, and what is handed to them."""
from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any, Optional, Sequence

import h5py
import numpy as np

from ._errors import HeadlightError, ProgramMissing
from ._file import FORMAT
from ._text import to_utf8


def find(name: str, variable: str) -> str:
    """The path of a program: what the environment says, or else what stands in PATH."""
    told = os.environ.get(variable)
    if told and not os.path.exists(told):
        raise ProgramMissing(f"{variable} is {told}, where there is no program")
    found = told or shutil.which(name)
    if not found:
        raise ProgramMissing(f"the program {name} is not installed, or not in PATH; {variable} can say where it is")
    return found


def to_array(x: Any) -> Any:
    """An array of NumPy of a tensor or of what NumPy makes one of."""
    if hasattr(x, "detach"):
        x = x.detach().cpu()
        if str(x.dtype) == "torch.bfloat16":
            x = x.float()
        x = x.numpy()
    array = np.asarray(x)
    if array.dtype.kind not in "fiub":
        raise HeadlightError(f"attention is numbers, not {array.dtype}")
    return array if array.dtype.kind == "f" else array.astype(np.float32)


def stack_layers(x: Any) -> Any:
    """[layers, batch, heads, queries, keys], or with fewer axes before the last two, of one array or of one a layer."""
    if not isinstance(x, (tuple, list)):
        return to_array(x)
    if not x:
        raise HeadlightError("there is no attention in it: it is empty")
    arrays = [to_array(layer) for layer in x if layer is not None]
    if not arrays:
        raise HeadlightError("there is no attention in it: all its layers are None")
    if len({array.shape for array in arrays}) != 1:
        raise HeadlightError(f"layers differ in shape: {', '.join(str(array.shape) for array in arrays[:4])}")
    return np.stack(arrays)


def attention_of(x: Any) -> dict[str, Any]:
    """Arrays by the names of data/dump-format.md, each with an axis of layers and of heads, perhaps one of a batch."""
    if hasattr(x, "keys"):
        names = {"attentions": "attention", "encoder_attentions": "encoder_attention", "decoder_attentions": "decoder_attention",
                 "cross_attentions": "cross_attention"}
        found = {new: stack_layers(x[old]) for old, new in names.items() if old in x and x[old] is not None}
        if not found:
            raise HeadlightError("there is no attention in it: was the model called with output_attentions=True?")
    else:
        found = {"attention": stack_layers(x)}
    for name, array in found.items():
        if not 2 <= array.ndim <= 5:
            raise HeadlightError(f"attention has axes of layers, a batch, heads, queries and keys; this has {array.ndim} axes")
        # [queries, keys], heads before them, layers before those.
        found[name] = array.reshape((1,) * max(4 - array.ndim, 0) + array.shape)
    return found


def write_dump(x: Any, tokens: Optional[Sequence[str]], folder: str) -> str:
    """A dump in a folder of attention that is in memory; its path."""
    arrays = attention_of(x)
    path = os.path.join(folder, "attention.h5")
    with h5py.File(path, "w") as file:
        file.attrs["format"], file.attrs["version"] = FORMAT, 1
        for name, array in arrays.items():
            file[name] = array
        if tokens is not None:
            words = [str(word) for word in tokens]
            if "attention" in arrays and len(words) != arrays["attention"].shape[-1]:
                raise HeadlightError(f"there are {len(words)} tokens for {arrays['attention'].shape[-1]} keys")
            name = "tokens" if "attention" in arrays else "decoder_tokens"
            file.create_dataset(name, data=np.array([to_utf8(word) for word in words], object), dtype=h5py.string_dtype())
    return path


def as_file(x: Any, tokens: Optional[Sequence[str]]) -> tuple[str, Optional[str]]:
    """The path of what is to be shown, and the folder to remove afterwards, if one was made."""
    if isinstance(x, (str, os.PathLike)):
        path = os.fspath(x)
        if not os.path.exists(path):
            raise HeadlightError(f"there is no file {path}")
        # What begins with a dash would be an option of the program.
        return os.path.join(os.curdir, os.fsdecode(path)) if os.fsdecode(path).startswith("-") else path, None
    # What stays in memory is no reason to leave an empty folder behind.
    folder = tempfile.mkdtemp(prefix="headlight-")
    try:
        return write_dump(x, tokens, folder), folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
