"""Run a program whose scikit-learn is patched: python -m termsift.patch [--n-jobs N] (script.py | -m module) [argument ...]"""

from __future__ import annotations

import argparse
import os
import runpy
import sys

from ._patch import patch_sklearn


def main() -> None:
    """Patch scikit-learn and run the program of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m termsift.patch", description="Run a program whose scikit-learn is patched by termsift.",
        usage="%(prog)s [--n-jobs N] (script.py | -m module) [argument ...]",
    )
    parser.add_argument("--n-jobs", type=int, help="threads of the vectorizers: one if not given, -1 all CPUs")
    parser.add_argument("-m", dest="module", action="store_true", help="the program is a module")
    parser.add_argument("program", help="the file of a script, or the name of a module")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    try:
        patch_sklearn(options.n_jobs)
    except ValueError as e:
        parser.error(str(e))
    sys.argv = [options.program, *options.arguments]
    if options.module:
        runpy.run_module(options.program, run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = os.path.dirname(os.path.abspath(options.program))  # as if Python had run it
        runpy.run_path(options.program, run_name="__main__")


if __name__ == "__main__":
    main()
