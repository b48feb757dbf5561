"""scikit-learn's vectorizers and scores with their own results, sooner.

CountVectorizer, TfidfVectorizer and HashingVectorizer are subclasses of scikit-learn's that give the same
matrices, to the bit and to the order of the elements, with the same parameters, attributes, warnings and errors.
What the library does not count in the same way is left to scikit-learn: functions as tokenizer, preprocessor or
analyzer, patterns that RE2 does not have, texts without UTF-8, subclasses with an analyzer of their own. The
property path_ says who counted. The dict vocabulary_ is made when it is first looked at.

All documents of a call are in memory at once, also those of a generator or of files.

>>> vectorizer = CountVectorizer()
>>> vectorizer.fit_transform(["to orbit", "to bake bread"]).toarray()
array([[0, 0, 1, 1],
       [1, 1, 0, 1]])
>>> vectorizer.path_
'termsift'
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from numbers import Integral
from typing import Any

from ._patch import needing_sklearn

with needing_sklearn(__name__):
    from sklearn.feature_extraction import text

from ._counting import Counting, Hashing
from ._univariate import chi2, f_classif, mutual_info_classif
from ._vocabulary import Reading

__all__ = ["CountVectorizer", "HashingVectorizer", "TfidfVectorizer", "chi2", "f_classif", "mutual_info_classif"]


def _init_of(theirs: type) -> Callable[..., None]:
    """Return the __init__ of a subclass that has the parameters of scikit-learn's class and n_jobs."""

    def __init__(self: Any, *, n_jobs: int | None = None, **parameters: Any) -> None:
        theirs.__init__(self, **parameters)  # type: ignore[misc]
        self.n_jobs = n_jobs

    signature = inspect.signature(theirs.__init__)  # type: ignore[misc]
    jobs = inspect.Parameter("n_jobs", inspect.Parameter.KEYWORD_ONLY, default=None, annotation="int | None")
    __init__.__signature__ = signature.replace(parameters=[*signature.parameters.values(), jobs])  # type: ignore[attr-defined]
    return __init__


_JOBS = {"n_jobs": [Integral, None]}

# What the descriptions of all classes have.
_DOC = """

    Parameters
    ----------
    n_jobs : int or None, the threads; None is one, -1 all CPUs. Results do not depend on it.
    The others are those of scikit-learn's class.

    Attributes
    ----------
    path_ : "termsift", or "scikit-learn: " and the reason, of the last fit or transform; None before the first.
    The others are those of scikit-learn's class.
    """


class CountVectorizer(Reading, Counting, text.CountVectorizer):
    __doc__ = f"Counts of terms, shape (documents, terms): scikit-learn's CountVectorizer, to the bit.{_DOC}"
    _parameter_constraints = {**text.CountVectorizer._parameter_constraints, **_JOBS}
    __init__ = _init_of(text.CountVectorizer)


class TfidfVectorizer(CountVectorizer, text.TfidfVectorizer):
    __doc__ = f"Weights of terms, shape (documents, terms): scikit-learn's TfidfVectorizer, to the bit.{_DOC}"
    _parameter_constraints = {**text.TfidfVectorizer._parameter_constraints, **_JOBS}
    __init__ = _init_of(text.TfidfVectorizer)


class HashingVectorizer(Hashing, text.HashingVectorizer, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    __doc__ = f"Sums of the terms of a hash, shape (documents, n_features): scikit-learn's HashingVectorizer, to the bit.{_DOC}"
    _parameter_constraints = {**text.HashingVectorizer._parameter_constraints, **_JOBS}
    __init__ = _init_of(text.HashingVectorizer)
