#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes planes.json beside it: queries and keys, and their first two principal components by NumPy's SVD in float64.

No number in there was taken from Headlight.
"""

import json
import pathlib

import numpy as np


def make_case(queries, keys):
    """Vectors, and where they are in their plane; each direction's largest component is above zero."""
    points = np.concatenate((queries, keys)).astype(np.float32).astype(np.float64)
    centred = points - points.mean(0)
    _, sizes, directions = np.linalg.svd(centred, full_matrices=False)
    places = np.zeros((len(points), 2))
    shares = np.zeros(2)
    for axis in range(min(2, len(sizes))):
        direction = directions[axis] * np.sign(directions[axis][np.abs(directions[axis]).argmax()])
        places[:, axis] = centred @ direction
        shares[axis] = sizes[axis] ** 2 / max((sizes**2).sum(), 1e-300)
    return {
        "features": points.shape[1],
        "queries": np.asarray(queries, np.float32).ravel().tolist(),
        "keys": np.asarray(keys, np.float32).ravel().tolist(),
        "places": [places[: len(queries)].ravel().tolist(), places[len(queries) :].ravel().tolist()],
        "shares": shares.tolist(),
    }


def main():
    random = np.random.default_rng(12)
    cases = [
        make_case(random.standard_normal((7, 5)) * [4, 1, 2, 1, 0.5], random.standard_normal((6, 5)) + 2),
        # More features than points.
        make_case(random.standard_normal((4, 16)), random.standard_normal((3, 16)) * 3),
        make_case(random.standard_normal((9, 2)) * [1, 5] + 100, random.standard_normal((2, 2))),
        # A line.
        make_case(random.standard_normal((5, 1)), random.standard_normal((4, 1))),
        make_case(random.standard_normal((1, 3)), random.standard_normal((1, 3))),
    ]
    path = pathlib.Path(__file__).with_name("planes.json")
    path.write_text(json.dumps(cases, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
