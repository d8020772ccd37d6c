# SPDX-License-Identifier: MIT
"""Arrays that wait on the disk until their file can be laid out."""
from __future__ import annotations

import tempfile
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from . import _disk


@dataclass
class Block:
    """An array in a spool."""

    place: int
    shape: tuple[int, ...]
    dtype: Any


def _bytes(array: Any) -> memoryview:
    return memoryview(array.reshape(-1).view(np.uint8))


class Spool:
    """A nameless file of arrays beside the file that is written, so that both are on one disk with room for them."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._file = tempfile.TemporaryFile(dir=folder, buffering=0)
        self._end = 0

    def put(self, array: Any) -> Block:
        array = np.ascontiguousarray(array)
        block = Block(self._end, array.shape, array.dtype)
        self._file.seek(self._end)
        left = _bytes(array)
        try:
            while len(left):
                left = left[self._file.write(left):]
        except OSError as error:
            raise _disk.sentence(error, self._folder) from error
        self._end += array.nbytes
        return block

    def get(self, block: Block, item: Optional[int] = None) -> Any:
        """The array, or only its number `item` along the first axis."""
        shape = block.shape if item is None else block.shape[1:]
        array = np.empty(shape, block.dtype)
        self._file.seek(block.place + (item or 0) * array.nbytes)
        left = _bytes(array)
        while len(left):
            got = self._file.readinto(left)
            if not got:
                raise OSError("a temporary file is shorter than what was written to it")
            left = left[got:]
        return array

    def clear(self) -> None:
        """Forgets all arrays."""
        self._file.truncate(0)
        self._end = 0

    def close(self) -> None:
        self._file.close()
