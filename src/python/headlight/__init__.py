# SPDX-License-Identifier: MIT
"""Captures the attention of PyTorch models, and shows attention in Headlight.

    with headlight.capture(model, "run.h5", tokenizer=tokenizer):
        model(**tokenizer("The cat sat on the mat", return_tensors="pt"))
    headlight.show("run.h5")
"""
from ._capture import Capture, capture
from ._errors import CaptureError, HeadlightError, ProgramMissing
from ._figure import Figure, figure
from ._show import show

__all__ = ["Capture", "CaptureError", "Figure", "HeadlightError", "ProgramMissing", "capture", "figure", "show"]
