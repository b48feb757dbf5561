"""Python runs this as it starts: the second time that texts are counted, the worker is killed. DYING is a folder for marks."""

import os
import signal
from pathlib import Path

import termsift


def mark(name):
    """Report whether nobody has had the name."""
    try:
        Path(os.environ["DYING"], name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def dying(*args, **options):
    if not mark("first") and mark("second"):
        os.kill(os.getpid(), signal.SIGKILL)
    return of(*args, **options)


of, termsift.Statistics.of = termsift.Statistics.of, dying
