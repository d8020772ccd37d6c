# SPDX-License-Identifier: MIT
"""A file for h5py whose writing never fails before HDF5's eyes: where HDF5 cannot write what it has promised, it ends the process."""
from __future__ import annotations

import errno
import os
import secrets
from contextlib import suppress
from typing import Any, Optional


def sentence(error: OSError, path: str) -> OSError:
    """What a failure to write is called, in one sentence."""
    number = error.errno or errno.EIO
    return OSError(number, f"{os.strerror(number)}: the capture is not written", path)


def create_beside(path: str) -> str:
    """An empty file of a name of its own in the folder of a path, for whom the umask says."""
    folder, name = os.path.split(path)
    while True:
        # Names of files end at 255 bytes.
        temporary = os.path.join(folder, f".{os.fsdecode(os.fsencode(name)[:200])}.{secrets.token_hex(4)}.part")
        with suppress(FileExistsError):
            os.close(os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666))
            return temporary


class Disk:
    """What h5py asks of a file. After an error nothing is written any more, and what is read is zeros; `error` tells."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "r+b", buffering=0)
        self._place = 0
        self._end = 0
        self.error: Optional[OSError] = None

    def seek(self, place: int, whence: int = os.SEEK_SET) -> int:
        self._place = place + {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self._end}[whence]
        return self._place

    def tell(self) -> int:
        return self._place

    def write(self, data: Any) -> int:
        left = memoryview(data).cast("B")
        size = len(left)
        if self.error is None:
            try:
                self._file.seek(self._place)
                while len(left):
                    left = left[self._file.write(left):]
            except OSError as error:
                self.error = error
        self._place += size
        self._end = max(self._end, self._place)
        return size

    def read(self, size: int) -> bytes:
        data = bytearray(size)
        self.readinto(data)
        return bytes(data)

    def readinto(self, data: Any) -> int:
        left = memoryview(data).cast("B")
        size = len(left)
        if self.error is None:
            try:
                self._file.seek(self._place)
                while len(left):
                    got = self._file.readinto(left)
                    if not got:
                        break
                    left = left[got:]
            except OSError as error:
                self.error = error
        left[:] = bytes(len(left))
        self._place += size
        return size

    def truncate(self, size: Optional[int] = None) -> int:
        self._end = self._place if size is None else size
        if self.error is None:
            try:
                self._file.truncate(self._end)
            except OSError as error:
                self.error = error
        return self._end

    def flush(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        try:
            self._file.close()
        except OSError as error:
            self.error = self.error or error
