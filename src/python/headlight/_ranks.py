# SPDX-License-Identifier: MIT
"""Runs of several processes: a file a rank."""
from __future__ import annotations

import os
import secrets
from collections import Counter
from typing import Any, Optional

from ._errors import CaptureError

_written: Counter[tuple[str, str]] = Counter()  # of each job and path, captures that this process began


def find() -> tuple[int, int]:
    """This process's rank, and how many there are."""
    import torch.distributed as distributed

    if distributed.is_available() and distributed.is_initialized():
        return distributed.get_rank(), distributed.get_world_size()
    return 0, 1


def name_run(path: str) -> Optional[str]:
    """What the processes that write this path have in common, and those of another job, or of another turn in this one, have not; None where
    they have nothing to agree on it by.

    Nobody waits for anybody: a process that captures nothing, or has failed, would never come. So each counts its turns by itself.
    """
    from torch.distributed import distributed_c10d

    own = secrets.token_hex(8)
    try:
        # Of the first that asks, for all.
        found = distributed_c10d._get_default_store().compare_set("headlight_run", "", own)
    except (AttributeError, NotImplementedError, RuntimeError, ValueError):
        return None
    job = found.decode() if isinstance(found, bytes) else str(found)
    turn = (job, os.path.abspath(path))
    _written[turn] += 1
    return f"{job}-{_written[turn]}"


def heads_beside(model: Any, rank: int, ranks: int, seen: int, expected: int) -> int:
    """How many ranks one after another share out the heads of the same examples, where each sees some of those expected."""
    if not 0 < seen < expected:
        return 1
    beside = expected // seen
    if expected % seen or ranks % beside:
        raise CaptureError(f"{ranks} ranks that see {seen} of {expected} heads each are no equal parts: capture() joins files of ranks that are")
    first = rank // beside * beside
    for parameter in model.parameters():
        mesh = getattr(parameter, "device_mesh", None)
        if mesh is None:
            continue
        rows = mesh.mesh.reshape(-1, mesh.mesh.shape[-1]).tolist()
        own: list[int] = next((row for row in rows if rank in row), [])
        if len(own) == beside and own != list(range(first, first + beside)):
            raise CaptureError(f"ranks {', '.join(map(str, own))} share out heads: capture() joins files of ranks that follow one another, "
                               "as they do where tensor parallelism is the last axis of the mesh")
    return beside


def path_of(path: str, rank: int) -> str:
    """`run.h5` of rank 1 is `run.rank1.h5`."""
    base, suffix = os.path.splitext(path)
    return f"{base}.rank{rank}{suffix}"
