"""scikit-learn's own names, with what termsift does for them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ._options import threads_of

_lock = threading.Lock()
_for_good = False  # by patch_sklearn
_blocks = 0  # of patched that have not ended
_replaced: list[tuple[Any, str, Any]] = []  # the owners, names and values that scikit-learn had
_NONE = object()


def patch_sklearn(n_jobs: int | None = None) -> None:
    """Have scikit-learn's CountVectorizer, TfidfVectorizer, HashingVectorizer, chi2, f_classif and mutual_info_classif done by termsift.

    The classes stay scikit-learn's and get the methods of termsift.sklearn, so that it does not matter who has imported
    them before, nor which objects there are already, and pickles need no termsift. Their property path_ says who counted.
    The functions are replaced in sklearn.feature_selection: a module that has done `from sklearn.feature_selection import
    chi2` before keeps scikit-learn's, and so does SelectKBest() with its default.

    n_jobs are the threads of the vectorizers: None is one, -1 all CPUs. A second call only sets n_jobs. unpatch_sklearn
    undoes it. Any thread may call both at any time; what other threads count meanwhile is the same.
    """
    global _for_good
    with _lock:
        _for_good = True
        _apply(n_jobs)


def unpatch_sklearn() -> None:
    """Undo patch_sklearn. Within `with patched()`, it is undone at the end of the block."""
    global _for_good
    with _lock:
        _for_good = False
        _restore()


@contextmanager
def patched(n_jobs: int | None = None) -> Iterator[None]:
    """Have scikit-learn patched, as patch_sklearn does, in a block.

    The patch holds for all threads of the process. It ends with the last block, unless patch_sklearn was called.
    """
    global _blocks
    with _lock:
        before = _apply(n_jobs)
        _blocks += 1
    try:
        yield
    finally:
        with _lock:
            _blocks -= 1
            _restore()
            _apply_jobs(before)


@contextmanager
def needing_sklearn(what: str) -> Iterator[None]:
    """Say what to install where an import in the block finds no scikit-learn."""
    try:
        yield
    except ModuleNotFoundError as e:
        if (e.name or "").partition(".")[0] != "sklearn":
            raise
        raise ImportError(f"{what} needs scikit-learn, which is not installed: pip install 'termsift[sklearn]'") from e


def _apply(n_jobs: int | None) -> int | None:
    """Patch, and return the n_jobs that held before."""
    with needing_sklearn("the patch"):
        import sklearn.feature_selection
        from sklearn.feature_extraction import text
    from . import _counting, _univariate

    before = _apply_jobs(n_jobs)
    if _replaced:
        return before
    for owner, source in (
        (text.CountVectorizer, {**vars(_counting.Path), **vars(_counting.Counting)}),
        (text.HashingVectorizer, {**vars(_counting.Path), **vars(_counting.Hashing)}),
        (sklearn.feature_selection, {name: getattr(_univariate, name) for name in ("chi2", "f_classif", "mutual_info_classif")}),
    ):
        for name, value in source.items():
            if not name.startswith("__") or name in ("__copy__", "__dir__", "__setstate__"):
                _replaced.append((owner, name, vars(owner).get(name, _NONE)))
                setattr(owner, name, value)
    return before


def _apply_jobs(n_jobs: int | None) -> int | None:
    """Set the n_jobs of vectorizers that have none, and return what it was."""
    from . import _counting

    threads_of(n_jobs)  # which raises for what is none
    before, _counting.default_jobs = _counting.default_jobs, n_jobs
    return before


def _restore() -> None:
    """Give scikit-learn what it had, unless a patch goes on."""
    if _for_good or _blocks:
        return
    while _replaced:
        owner, name, value = _replaced.pop()
        if value is _NONE:
            delattr(owner, name)
        else:
            setattr(owner, name, value)
