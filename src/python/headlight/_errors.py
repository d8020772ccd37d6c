# SPDX-License-Identifier: MIT
"""What goes wrong, each with one sentence for people."""


class HeadlightError(Exception):
    """Any error of this package."""


class CaptureError(HeadlightError):
    """What a model does cannot be captured, or not so that weights follow from what a file can say."""


class ProgramMissing(HeadlightError):
    """The program that is to show or to draw is not installed."""


def too_large(name: str) -> CaptureError:
    return CaptureError(f"numbers of {name} do not fit into float16: use capture(…, dtype=\"float32\")")
