"""Python runs this as it starts: the second time that texts are counted, the worker is killed. DYING is a folder for marks."""

import os
import signal
from pathlib import Path

import termsift


def worker():
    """Return this process, or the executor of Spark that it works for."""
    process = os.getpid()
    while os.environ.get("DYING_PROCESS") and Path(f"/proc/{process}/comm").read_text() != os.environ["DYING_PROCESS"] + "\n":
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return process


def mark(name):
    """Report whether nobody has had the name."""
    try:
        Path(os.environ["DYING"], name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def dying(*args, **options):
    if not mark("first") and mark("second"):
        os.kill(worker(), signal.SIGKILL)
    return of(*args, **options)


of, termsift.Statistics.of = termsift.Statistics.of, dying
