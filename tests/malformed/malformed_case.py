# SPDX-License-Identifier: MIT
"""The list of bad and odd files: what each is called, and what opening it must come to."""

import dataclasses

OUTCOMES = ("error", "error-on-read", "opens-with-warning", "opens", "any")


@dataclasses.dataclass
class Case:
    outcome: str
    contains: str
    why: str
    make: callable


CASES = {}
BIG = {}


def case(name, outcome, contains, why, table=CASES):
    """Registers a function (path) that writes the file."""
    assert outcome in OUTCOMES, outcome
    assert name not in table, name
    assert "\t" not in contains + why

    def register(function):
        table[name] = Case(outcome, contains, why, function)
        return function

    return register
