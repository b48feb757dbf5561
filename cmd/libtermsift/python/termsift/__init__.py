"""Feature selection for text: scores of terms, selectors for scikit-learn, statistics, corpora, key words.

The work is done by libtermsift, a library with a C interface that is loaded at first use. scikit-learn is
imported with the first estimator, and nothing else needs it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._command import collocations, evidence, explore_page, kwic, stability, words
from ._explain import explain
from ._features import Features
from ._keyness import FrequencyList, Keyness
from ._library import CorruptFileError, ForkedError, HelperError, InternalError, NothingFoundError, library_version
from ._measures import measures
from ._patch import needing_sklearn, patch_sklearn, patched, unpatch_sklearn
from ._rank import rank
from ._score import chi2, score
from ._statistics import Corpus, Statistics
from ._table import Table

if TYPE_CHECKING:
    from ._ctfidf import ClassTfidf
    from ._selector import TermSelector
    from ._vectorizer import TermVectorizer

__version__ = "0.2.0"

__all__ = [
    "ClassTfidf",
    "Corpus",
    "CorruptFileError",
    "Features",
    "ForkedError",
    "FrequencyList",
    "HelperError",
    "InternalError",
    "Keyness",
    "NothingFoundError",
    "Statistics",
    "Table",
    "TermSelector",
    "TermVectorizer",
    "chi2",
    "collocations",
    "evidence",
    "explain",
    "explore_page",
    "kwic",
    "library_version",
    "measures",
    "patch_sklearn",
    "patched",
    "rank",
    "score",
    "stability",
    "unpatch_sklearn",
    "words",
]

# The modules of what needs scikit-learn.
_ESTIMATORS = {
    "ClassTfidf": "._ctfidf",
    "TermSelector": "._selector",
    "TermVectorizer": "._vectorizer",
}

# Names of 0.1 that went, and what to do instead.
_GONE = {
    "keyness_page": "Keyness(A, B) is the table, and explore_page(A, B) the page",
}


def __getattr__(name: str) -> Any:
    """Import an estimator at its first use."""
    if name in _GONE:
        raise AttributeError(f"{name} went in 0.2.0: {_GONE[name]}")
    if name not in _ESTIMATORS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    with needing_sklearn(name):
        module = import_module(_ESTIMATORS[name], __name__)
    globals()[name] = value = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_ESTIMATORS})
