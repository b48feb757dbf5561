"""The options of the library's functions, from what users of Python and scikit-learn pass."""

from __future__ import annotations

import json
import numbers
import os
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Any

from . import _library as lib
from ._arrays import names_of

# The most threads of a call, as the library has it.
MOST_THREADS = 1024


def options_of(**options: Any) -> bytes:
    """Return options as JSON, without those that are None. Underscores stand for hyphens."""
    given = {name.replace("_", "-"): value for name, value in options.items() if value is not None}
    return json.dumps(given, default=_plain).encode()


def _plain(value: Any) -> Any:
    if isinstance(value, AbstractSet):  # of words
        return sorted(value, key=str)
    if hasattr(value, "tolist"):  # a number, an array or a column
        return value.tolist()
    raise ValueError(f"{value!r} is no option: a text, a number, true, false or a list is")


@lru_cache
def declared(operation: str) -> tuple[str, ...]:
    """Return the names of the options that an operation of the library declares."""
    operations, starts, names, offsets = lib.read("options", columns=4)
    rows = zip(names_of(operations, starts), names_of(names, offsets))
    return tuple(name.replace("-", "_") for of, name in rows if of == operation)


def analysis_of(documents: int | None, **analysis: Any) -> dict[str, Any]:
    """Return the options that say how texts become terms, as the library has them, or, without a number of documents, the command."""
    readers = {"ngrams": _ngrams, "min_df": _min_df, "max_df": _max_df}
    return {name: readers[name](value, documents) if name in readers and value is not None else value for name, value in analysis.items()}


def _ngrams(value: Any, _: int | None) -> str:
    """Return "1-2" for (1, 2), and "2" for 2."""
    if isinstance(value, str):
        return value
    ends = value if isinstance(value, (tuple, list)) else [value]
    if not 1 <= len(ends) <= 2 or not all(isinstance(n, numbers.Integral) for n in ends):
        raise ValueError(f'ngrams must be a text such as "1-2", or the least and the largest number of words such as (1, 2), not {value!r}')
    return "-".join(str(int(n)) for n in ends)


def _min_df(value: Any, documents: int | None) -> float:
    share = _bound("min_df", value)
    return documents if documents is not None and isinstance(share, float) and share == 1 else share


def _max_df(value: Any, _: int | None) -> float:
    share = _bound("max_df", value)
    if isinstance(share, float) and share == 0:
        raise ValueError("max_df=0.0 is a share of no documents, so that no term is left: the int 0 is no bound")
    return 0 if isinstance(share, float) and share == 1 else share  # 0 is no bound


def _bound(name: str, value: Any) -> float:
    """Return a number of documents as an int, or a share of them as a float in [0, 1]."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise ValueError(f"{name} must be an int, a number of documents, or a float from 0.0 to 1.0, a share of them, not {value!r}")
    if isinstance(value, numbers.Integral):
        return int(value)
    share = float(value)
    if not 0 <= share <= 1:
        raise ValueError(f"{name} is the float {value!r}, a share of the documents, and must be from 0.0 to 1.0: a number of documents is an int")
    return share


# What scikit-learn's functions are here.
_OF_SKLEARN = {
    "f_classif": '"anova" is its F value, of counts or weights',
    "chi2": '"chi" is chi-square of the table of documents with and without a term; scikit-learn\'s, of sums of values, '
    'is "sklearn-chi2" of score and TermSelector',
    "mutual_info_classif": '"ig" is the mutual information of the class and of whether a document has the term, in nats: '
    "mutual_info_classif(X > 0, y, discrete_features=True)",
}


def measure_of(by: Any) -> str:
    """Return the name of a measure. A name or a function of scikit-learn is a ValueError that says what to use."""
    name = getattr(by, "__name__", by)
    if isinstance(name, str) and name in _OF_SKLEARN:
        raise ValueError(f"by={name} is a function of scikit-learn, and measures have other names here: {_OF_SKLEARN[name]}")
    if not isinstance(by, str):
        raise ValueError(f"by must be the name of a measure, not {by!r}")
    return by


def measures_of(by: Any) -> list[str]:
    """Return the names of a measure, or of a list of them."""
    return [measure_of(name) for name in by] if isinstance(by, (list, tuple)) else [measure_of(by)]


def top_of(top: Any) -> int | str:
    """Return the option top: all for None."""
    if top is None:
        return "all"
    if isinstance(top, bool) or not isinstance(top, numbers.Integral) or top < 1:
        raise ValueError(f"top must be a number of terms above 0, or None for all, not {top!r}")
    return int(top)


def threads_of(n_jobs: Any) -> int:
    """Return the option threads: n_jobs, 1 for None, all CPUs for -1, one less for each number below."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, numbers.Integral):
        raise ValueError(f"n_jobs must be a whole number or None, not {n_jobs!r}")
    n = int(n_jobs)
    if n == 0 or n > MOST_THREADS:
        raise ValueError(f"n_jobs must not be 0, and be at most {MOST_THREADS}, not {n}")
    return n if n > 0 else min(max((os.cpu_count() or 1) + 1 + n, 1), MOST_THREADS)


def names_of_columns(feature_names: Any, columns: int) -> list[str]:
    """Return the names of columns: those of a fitted vectorizer, a list of them, or a dict of names to columns."""
    if hasattr(feature_names, "get_feature_names_out"):
        feature_names = feature_names.get_feature_names_out()
    if isinstance(feature_names, AbstractSet):
        raise ValueError("feature_names is a set, which has no order: give a list of the names by column")
    if isinstance(feature_names, Mapping):
        if sorted(feature_names.values()) != list(range(columns)):
            raise ValueError(f"feature_names is a dict, and its values are not the numbers of the {columns} columns of X")
        feature_names = sorted(feature_names, key=feature_names.__getitem__)
    names = [str(name) for name in ([feature_names] if isinstance(feature_names, str) else feature_names)]
    if len(names) != columns:
        raise ValueError(f"there are {len(names)} feature_names, and X has {columns} columns")
    return names


def check_k(k: Any) -> None:
    """Raise ValueError unless k is a number of terms."""
    if isinstance(k, bool) or not (isinstance(k, str) and k == "all" or isinstance(k, numbers.Integral) and int(k) > 0):
        raise ValueError(f'k must be a number above 0 or "all", not {k!r}')


def path_of(path: str | bytes | os.PathLike[Any]) -> bytes:
    """Return a path for the library, where it ends with a null byte."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise ValueError(f"embedded null byte in the path {path!r}")
    return name
