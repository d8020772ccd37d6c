# SPDX-License-Identifier: MIT
"""Runs of several processes: a file a rank."""
from __future__ import annotations

import os


def find() -> tuple[int, int]:
    """This process's rank, and how many there are."""
    import torch.distributed as distributed

    if distributed.is_available() and distributed.is_initialized():
        return distributed.get_rank(), distributed.get_world_size()
    return 0, 1


def path_of(path: str, rank: int) -> str:
    """`run.h5` of rank 1 is `run.rank1.h5`."""
    base, suffix = os.path.splitext(path)
    return f"{base}.rank{rank}{suffix}"
