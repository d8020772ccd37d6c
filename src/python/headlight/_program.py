# SPDX-License-Identifier: MIT
"""The programs of Headlight, and what is handed to them."""
from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from contextlib import closing
from typing import Any, Optional, Sequence

import h5py
import numpy as np

from . import _disk
from ._errors import HeadlightError, ProgramMissing
from ._file import FORMAT, VERSION
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


def stack_layers(x: Any, is_cross: bool = False) -> Any:
    """[layers, batch, heads, queries, keys], or with fewer axes before the last two, of one array or of one a layer."""
    if not isinstance(x, (tuple, list)):
        return to_array(x)
    if not x:
        raise HeadlightError("there is no attention in it: it is empty")
    if are_steps(x):
        return join_steps([stack_layers(step) for step in x], is_cross)
    arrays = [to_array(layer) for layer in x if layer is not None]
    if not arrays:
        raise HeadlightError("there is no attention in it: all its layers are None")
    if len({array.shape for array in arrays}) != 1:
        raise HeadlightError(f"layers differ in shape: {', '.join(str(array.shape) for array in arrays[:4])}")
    return np.stack(arrays)


def are_steps(x: Any) -> bool:
    """Whether this has the layers of each step, as generate() of transformers gives them."""
    return isinstance(x, (tuple, list)) and any(isinstance(step, (tuple, list)) and any(hasattr(layer, "shape") for layer in step) for step in x)


def is_generation(x: Any) -> bool:
    return any(are_steps(x.get(name)) for name in ("attentions", "decoder_attentions")) if hasattr(x, "keys") else are_steps(x)


def join_steps(steps: Sequence[Any], is_cross: bool) -> Any:
    """The layers of all steps of a generation, [layers, batch, heads, queries, keys] of each: queries below one another, keys of the last.

    Keys are as many in all steps of cross attention, and where a static cache has room for more.
    """
    first, last = steps[0].shape, steps[-1].shape
    if any(step.ndim != 5 or step.shape[:3] != first[:3] for step in steps):
        raise HeadlightError(f"steps of a generation differ in shape: {', '.join(str(step.shape) for step in steps[:4])}")
    grows = all(after.shape[3] == before.shape[3] + 1 for before, after in zip(steps, steps[1:]))
    if len(steps) > 1 and grows and (is_cross or all(step.shape[3] == step.shape[4] for step in steps)):
        # Without a cache each step reads all of the text once more.
        return steps[-1]
    queries = sum(step.shape[3] for step in steps)
    # The cache of a window as large has moved where it holds fewer keys than were read, or its last key is seen in the first step: by its last
    # query, as padding before a text, which sees nothing, has the same weight for all keys.
    has_room = first[3] < first[4] and queries <= last[4] and not steps[0][..., -1, -1].any()
    is_static = len({step.shape[4] for step in steps}) == 1 and (is_cross or has_room)
    if not is_static:
        seen = first[4] - first[3]
        for number, step in enumerate(steps):
            seen += step.shape[3]
            if step.shape[4] != seen:
                raise HeadlightError(f"step {number} of the generation has {step.shape[4]} keys where {seen} have been: its cache forgets keys, or is cut; "
                                     "headlight.capture follows it")
    joined = np.zeros((*first[:3], queries, last[4]), steps[0].dtype)
    at = 0
    for step in steps:
        joined[..., at:at + step.shape[3], :step.shape[4]] = step
        at += step.shape[3]
    return joined


def cut_unwritten(joined: Any) -> Any:
    """The same without the room that a static cache has for more than was written."""
    queries = joined.shape[3]
    return joined if joined[..., -1, queries:].any() else joined[..., :queries]


def layers_of(x: Any) -> dict[str, Any]:
    """What is given as the layers of each attention, by the names of data/dump-format.md."""
    if not hasattr(x, "keys"):
        return {"attention": x}
    names = {"attentions": "attention", "encoder_attentions": "encoder_attention", "decoder_attentions": "decoder_attention",
             "cross_attentions": "cross_attention"}
    # Of a model without cross attention transformers gives an empty tuple.
    there = {new: x[old] for old, new in names.items() if old in x and x[old] is not None and len(x[old])}
    if not there:
        raise HeadlightError("there is no attention in it: was the model called with output_attentions=True?")
    if "beam_indices" in x and x["beam_indices"] is not None:
        raise HeadlightError("beam search reorders its texts while it runs, so its steps are no map: use greedy search or sampling (num_beams=1)")
    return there


def attention_of(x: Any) -> dict[str, Any]:
    """Arrays by the names of data/dump-format.md, each with an axis of layers and of heads, perhaps one of a batch.

    Layers without attention are none of them, places_of().
    """
    there = layers_of(x)
    if hasattr(x, "keys"):
        found = {new: stack_layers(layers, new == "cross_attention") for new, layers in there.items()}
        found.update({new: cut_unwritten(found[new]) for new, layers in there.items() if are_steps(layers) and new != "cross_attention"})
        # An encoder sees a text once of which several sequences are generated.
        batches = [array.shape[1] for array in found.values() if array.ndim == 5]
        for name, array in found.items():
            if array.ndim == 5 and array.shape[1] < max(batches) and max(batches) % array.shape[1] == 0:
                found[name] = array.repeat(max(batches) // array.shape[1], 1)
    else:
        found = {"attention": cut_unwritten(stack_layers(x)) if are_steps(x) else stack_layers(x)}
    for name, array in found.items():
        if not 2 <= array.ndim <= 5:
            raise HeadlightError(f"attention has axes of layers, a batch, heads, queries and keys; this has {array.ndim} axes")
        # [queries, keys], heads before them, layers before those.
        found[name] = array.reshape((1,) * max(4 - array.ndim, 0) + array.shape)
    return found


def places_of(layers: Any) -> Optional[tuple[int, list[int]]]:
    """How many layers there are, and the numbers of those that have attention; None where all have."""
    if are_steps(layers):
        of_steps = [places_of(step) for step in layers]
        if any(places != of_steps[0] for places in of_steps):
            raise HeadlightError("steps of a generation differ in which layers have attention")
        return of_steps[0]
    if not isinstance(layers, (tuple, list)) or all(layer is not None for layer in layers):
        return None
    numbers = [number for number, layer in enumerate(layers) if layer is not None]
    if any(np.ndim(layers[number]) < 3 for number in numbers):
        raise HeadlightError("a list of [queries, keys] is the heads of one layer, none of which can be None")
    return len(layers), numbers


def words_of_sides(words: Sequence[str], arrays: dict[str, Any], generated: bool) -> dict[str, Sequence[str]]:
    """Which words are the tokens of which side: those of the last one, or of an encoder and then of its decoder."""
    counts: dict[str, int] = {}
    for name, side, axis in (("attention", "tokens", -1), ("encoder_attention", "encoder_tokens", -1), ("cross_attention", "encoder_tokens", -1),
                             ("decoder_attention", "decoder_tokens", -1), ("cross_attention", "decoder_tokens", -2)):
        if name in arrays and (side == "tokens" or "attention" not in arrays):
            counts.setdefault(side, arrays[name].shape[axis])
    for sides in (list(counts)[-1:], list(counts)):
        ends = list(itertools.accumulate(counts[side] for side in sides))
        # The last token that is generated is not read any more.
        if len(words) - ends[-1] in (0, int(generated)):
            return {side: words[end - counts[side]:end] for side, end in zip(sides, ends)}
    there = [f"{count} {side.replace('tokens', '').replace('_', ' ')}keys" for side, count in counts.items()]
    raise HeadlightError(f"there are {len(words)} tokens for {' and '.join(there)}")


def write_dump(x: Any, tokens: Optional[Sequence[str]], folder: str) -> str:
    """A dump in a folder of attention that is in memory; its path."""
    arrays = attention_of(x)
    places = {name: places_of(layers) for name, layers in layers_of(x).items()}
    path = os.path.join(folder, "attention.h5")
    open(path, "wb").close()
    disk = _disk.Disk(path)
    with disk.room(folder, "the attention"), closing(disk), h5py.File(disk, "w") as file:
        file.attrs["format"], file.attrs["version"] = FORMAT, VERSION
        for name, array in arrays.items():
            place = places[name]
            if place is None:
                file[name] = array
                continue
            file.attrs[name.removesuffix("attention") + "layers"] = place[0]
            for number, layer in zip(place[1], array):
                file[f"{name}/{number}"] = layer
        if tokens is not None:
            words = [word.decode("utf-8", "surrogateescape") if isinstance(word, bytes) else str(word) for word in tokens]
            for name, of_side in words_of_sides(words, arrays, is_generation(x)).items():
                file.create_dataset(name, data=np.array([to_utf8(word) for word in of_side], object), dtype=h5py.string_dtype())
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
