# SPDX-License-Identifier: MIT
"""Pictures that a model looked at, and which of its tokens stand for which part of them. NumPy only."""
from __future__ import annotations

import math
import os
from typing import Any, Iterable, Iterator, Optional, Sequence

import numpy as np

from ._errors import HeadlightError

Array = Any


def to_rgb(image: Any) -> Any:
    """A picture of Pillow in three colours, on white where it is transparent, as processors see it."""
    if "A" in image.getbands() or "transparency" in image.info:
        from PIL import Image

        image = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", image.size, (255, 255, 255, 255)), image)
    return image.convert("RGB")


def to_pixels(image: Any) -> Array:
    """[height, width, 3] of bytes of a picture of Pillow or an array: of bytes, or of numbers from 0 to 1."""
    if hasattr(image, "convert") and hasattr(image, "getbands"):
        image = to_rgb(image)
    if hasattr(image, "detach"):
        image = image.detach().cpu().numpy()
    array = np.asarray(image)
    if array.ndim == 3 and array.shape[0] in (1, 3) and array.shape[2] not in (1, 3):
        array = array.transpose(1, 2, 0)
    if array.ndim == 2:
        array = array[..., None]
    if array.ndim != 3 or array.shape[2] not in (1, 3) or not array.size:
        raise HeadlightError(f"a picture is [height, width, 3], not {list(array.shape)}")
    if array.dtype.kind == "f":
        if not (np.isfinite(array).all() and array.min() >= 0 and array.max() <= 1):
            raise HeadlightError("a picture of floating-point numbers has them from 0 to 1: give the one before the processor's normalisation")
        array = np.round(array * 255)
    elif array.dtype != np.uint8:
        raise HeadlightError(f"a picture is of bytes or of numbers from 0 to 1, not of {array.dtype}")
    return np.broadcast_to(array, (*array.shape[:2], 3)).astype(np.uint8)


def load(images: Any) -> Any:
    """The same, with what is a path opened."""
    if isinstance(images, (list, tuple)):
        return [load(image) for image in images]
    if not isinstance(images, (str, os.PathLike)):
        return images
    try:
        from PIL import Image, ImageOps
    except ImportError:
        raise HeadlightError(f"a picture that is a path, as {os.fspath(images)!r}, needs Pillow; without it give [height, width, 3]") from None
    try:
        with Image.open(images) as opened:
            return np.asarray(to_rgb(ImageOps.exif_transpose(opened)))
    except FileNotFoundError:
        raise
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise HeadlightError(f"Pillow cannot read the picture {os.fspath(images)!r}: {error}") from error


def each(images: Any) -> Iterator[Any]:
    """One picture after the other, of however many lists."""
    if isinstance(images, (list, tuple)):
        for image in images:
            yield from each(image)
    elif images is not None:
        yield images


def find_odd(images: Any, sizes: Iterable[tuple[int, int]]) -> Optional[tuple[int, int]]:
    """Rows and columns of the first picture whose shape is that of none of these sizes, but for what patches and rounding take off."""
    shapes = [high / wide for high, wide in sizes if high and wide]
    for image in each(images):
        high, wide = to_pixels(image).shape[:2]
        if shapes and all(abs(high / wide / shape - 1) > 0.1 for shape in shapes):
            return high, wide
    return None


def check(images: Any) -> None:
    """Raises what is wrong with pictures before anything is computed beside them."""
    for image in each(images):
        to_pixels(image)


def of_example(images: Any, example: int, examples: int, counts: Optional[Sequence[int]] = None) -> list[Array]:
    """The pictures of one of several examples: all have the one that is given, or each its own of a list, of which the examples have so many, where that is known."""
    if images is None:
        return []
    flat = isinstance(images, (list, tuple)) and not any(isinstance(image, (list, tuple)) for image in images)
    if flat and counts is not None and len(images) == sum(counts) != examples:
        first = sum(counts[:example])
        return [to_pixels(image) for image in images[first:first + counts[example]]]
    if not isinstance(images, (list, tuple)):
        return [to_pixels(images)]
    if examples == 1 and not (len(images) == 1 and isinstance(images[0], (list, tuple))):
        return [to_pixels(image) for image in images]
    if len(images) != examples:
        raise HeadlightError(f"there are {len(images)} pictures for {examples} examples")
    own = images[example]
    return [to_pixels(image) for image in (own if isinstance(own, (list, tuple)) else [own])]


def runs(ids: Array, token: int) -> list[tuple[int, int]]:
    """Where a token number stands several times in a row: the first place, and how often."""
    there = np.concatenate([[0], np.asarray(ids) == token, [0]]).astype(np.int8)
    edges = np.diff(there)
    return [(int(a), int(b - a)) for a, b in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1))]


def pieces(found: Sequence[tuple[int, int]], sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Runs cut into so many tokens, as of pictures that nothing stands between; empty where they do not fit."""
    cut, left = [], list(found)
    for size in sizes:
        if not left or left[0][1] < size or size < 1:
            return []
        first, count = left.pop(0)
        cut.append((first, size))
        if count > size:
            left.insert(0, (first + size, count - size))
    return [] if left else cut


def count_of_texts(texts: Sequence[Array], token: int, pictures: int) -> Optional[list[int]]:
    """How many pictures each text has, of which all have as many tokens; None where they do not fit."""
    tokens = [int((np.asarray(ids) == token).sum()) for ids in texts]
    if not pictures or not sum(tokens) or sum(tokens) % pictures:
        return None
    size = sum(tokens) // pictures
    return None if any(count % size for count in tokens) else [count // size for count in tokens]


def grid_of_names(names: Sequence[str], pixels: Array, number: int) -> Array:
    """The row of `image_tokens` of a picture whose patches are named, as by patch_names(); empty where none are."""
    if "patch 1,1" not in names:
        return np.zeros((0, 9), np.int64)
    rows, columns = (int(part) for part in names[-1].split()[1].split(","))
    return np.array([[number, list(names).index("patch 1,1"), rows, columns, columns, 0, 0, pixels.shape[1], pixels.shape[0]]], np.int64)


def place(ids: Array, token: int, grids: Optional[Sequence[tuple[int, int]]], pictures: Sequence[Optional[Array]]) -> Array:
    """Rows of `image_tokens`: of each picture its number, first token, rows, columns, tokens a row, and the box it covers.

    `grids` are rows and columns of each picture, where the model was told; a number of tokens that is a square is one. Empty
    where tokens and pictures do not fit each other. A picture that is not there is of squares.
    """
    found = runs(ids, token)
    if len(found) != len(pictures) and pictures:
        known = [rows * columns for rows, columns in grids] if grids is not None and len(grids) == len(pictures) else None
        found = pieces(found, known or [sum(count for _, count in found) // len(pictures)] * len(pictures))
    if len(found) != len(pictures):
        return np.zeros((0, 9), np.int64)
    lines = []
    for number, ((first, count), pixels) in enumerate(zip(found, pictures)):
        side = math.isqrt(count)
        rows, columns = grids[number] if grids is not None and len(grids) == len(found) else (side, side)
        if rows * columns != count:
            return np.zeros((0, 9), np.int64)
        if pixels is None and count == 1:
            # More likely a placeholder than a patch.
            return np.zeros((0, 9), np.int64)
        high, wide = (rows, columns) if pixels is None else pixels.shape[:2]
        lines.append([number, first, rows, columns, columns, 0, 0, wide, high])
    return np.array(lines, np.int64).reshape(-1, 9)
