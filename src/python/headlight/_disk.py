# SPDX-License-Identifier: MIT
"""Files that appear whole or not at all, and one for h5py whose writing never fails before HDF5's eyes: where HDF5 cannot write what it has
promised, it ends the process."""
from __future__ import annotations

import errno
import fcntl
import os
import re
import secrets
import stat
from contextlib import contextmanager, suppress
from typing import Any, Iterator, Optional


# Everybody may put files there, and nobody may take those of others away.
SHARED = stat.S_ISVTX | stat.S_IWOTH


def sentence(error: OSError, path: str, what: str = "the capture") -> OSError:
    """What a failure to write is called, in one sentence."""
    number = error.errno or errno.EIO
    return OSError(number, f"{os.strerror(number)}: {what} is not written", path)


def _remove_left(folder: str, start: str) -> None:
    """What processes that were killed left of files that begin so: who writes one holds a lock on it."""
    for name in os.listdir(folder or os.curdir):
        if not (name.startswith(start) and re.fullmatch(r"[0-9a-f]{8}\.part", name[len(start):])):
            continue
        path = os.path.join(folder, name)
        with suppress(OSError):
            lock = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                found = os.fstat(lock)
                if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and found.st_nlink == 1:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os.remove(path)
            finally:
                os.close(lock)


def _keep_mode(file: int, path: str, more: int = 0) -> None:
    """Who may read what replaces a file are those who may read that; a group that a file cannot be given gets nothing."""
    with suppress(FileNotFoundError):
        was = os.stat(path)
        mode = stat.S_IMODE(was.st_mode) & 0o777 | more
        with suppress(OSError):
            os.chown(file, -1, was.st_gid)
        if os.fstat(file).st_gid != was.st_gid:
            mode &= ~stat.S_IRWXG
        # Where modes are what a mount says, nobody sets them, and they are the same already.
        if stat.S_IMODE(os.fstat(file).st_mode) != mode:
            os.chmod(file, mode)


def create_beside(path: str) -> tuple[str, int]:
    """An empty file of a name of its own in the folder of a path, for whom the umask says, or for whom the file that is there is, and a descriptor
    of it; until that is closed, nobody takes it for one that was left."""
    folder, name = os.path.split(path)
    # The folder alone would let it be replaced.
    if os.path.exists(path) and not os.access(path, os.W_OK, effective_ids=True):
        raise PermissionError(errno.EACCES, "the file that is there may not be written to", path)
    # Names of files end at 255 bytes.
    start = f".{os.fsdecode(os.fsencode(name)[:200])}."
    with suppress(OSError):
        _remove_left(folder, start)
    while True:
        temporary = os.path.join(folder, f"{start}{secrets.token_hex(4)}.part")
        with suppress(FileExistsError):
            try:
                lock = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
            except FileExistsError:
                raise
            except OSError as error:
                # Nobody has heard of the name of the temporary file.
                raise OSError(error.errno, f"{error.strerror}: nothing can be written in the folder {folder or os.curdir}", path) from None
            # Where there are no locks, nothing is left over for sure.
            with suppress(OSError):
                fcntl.flock(lock, fcntl.LOCK_EX)
            if os.fstat(lock).st_nlink > 0:
                try:
                    _keep_mode(lock, path, stat.S_IRUSR | stat.S_IWUSR)
                except BaseException:
                    os.remove(temporary)
                    os.close(lock)
                    raise
                return temporary, lock
            # Before the lock, somebody else took it for a leftover.
            os.close(lock)


def put(temporary: str, lock: int, path: str) -> None:
    """To its place, once all of it is on the disk: what fails only then, as where there is a quota, leaves what was there."""
    _keep_mode(lock, path)
    os.fsync(lock)
    os.replace(temporary, path)


def follow(path: str) -> str:
    """Where a path leads. In a folder where everybody may put files, as /tmp, a link that somebody else put there leads nowhere: whoever guesses
    the name of a file could otherwise have it written over another of its user's."""
    at = path
    for _ in range(40):
        folder = os.path.dirname(at)
        try:
            link, place = os.lstat(at), os.stat(folder or os.curdir)
        except OSError:
            break
        if not stat.S_ISLNK(link.st_mode):
            break
        if place.st_mode & SHARED == SHARED and link.st_uid not in (os.geteuid(), place.st_uid):
            raise PermissionError(errno.EACCES, "this is a link that somebody else put there", at)
        at = os.path.join(folder, os.readlink(at))
    return os.path.realpath(path)


def write_whole(path: str, data: bytes) -> None:
    """Writes a file that replaces what was there, or where that cannot be leaves it as it was. A link stays one."""
    target = follow(path)
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(errno.EINVAL, "this is not a regular file", path)
    temporary, lock = create_beside(target)
    try:
        left = memoryview(data)
        while len(left):
            left = left[os.write(lock, left):]
        put(temporary, lock, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.remove(temporary)
        raise
    finally:
        os.close(lock)


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

    @contextmanager
    def room(self, path: str, what: str = "the capture") -> Iterator[None]:
        """What cannot be written is said afterwards, whatever has come of it meanwhile."""
        try:
            yield
        finally:
            if self.error is not None:
                raise sentence(self.error, path, what) from self.error
