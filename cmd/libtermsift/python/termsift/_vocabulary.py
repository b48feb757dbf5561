"""The vocabularies of scikit-learn's vectorizers, as the library has learned them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from . import _library as lib
from ._bag import Bag, analysis_options, split, vocabulary_of

# The types of documents and of terms that the library has.
STRINGS = {str, np.str_}


class Refused(Exception):
    """The library does not count this as scikit-learn does. The text says why."""


class Known:
    """A vocabulary as the library has it, for an analysis. by_column returns its terms in the order of their columns."""

    def __init__(self, bag: Bag, by_column: Callable[[], list[str]], analysis: tuple[Any, ...]) -> None:
        self.bag = bag.made_by(lambda: vocabulary_of(by_column(), analysis_options(*analysis)))
        self.analysis = analysis


class Vocabulary(dict[Any, Any]):
    """A dict of terms and columns that the library has learned, until it is changed. Its copies and pickles are plain dicts."""

    known: Known | None = None

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return dict, (dict(self),)


def _changing(name: str) -> Any:
    """Return the method of dict that changes one, for a Vocabulary."""
    method = getattr(dict, name)

    @wraps(method)
    def change(self: Vocabulary, *arguments: Any, **more: Any) -> Any:
        self.known = None
        return method(self, *arguments, **more)

    return change


for _name in ("__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault", "update"):
    setattr(Vocabulary, _name, _changing(_name))


class Learned:
    """The terms of texts as the library spells them, in the order in which they first occurred, and their columns."""

    def __init__(self, bag: Bag, plain: bool) -> None:
        self._spelled, self._columns, self._plain = bag.spelled(), bag.counts()[0], plain

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return the terms with their columns: plain ints, or NumPy's."""
        return zip(split(*self._spelled), self._columns.tolist() if self._plain else self._columns.astype(np.int64))

    def by_column(self) -> list[str]:
        """Return the terms in the order of their columns."""
        terms = split(*self._spelled)
        return [terms[i] for i in np.argsort(self._columns).tolist()]


class Unread:
    """What a vectorizer has for vocabulary_ before anybody looks at it.

    To make a dict of a million terms takes as long as to count their texts, and few programs look at it.
    """

    def __init__(self, learned: Learned, known: Known) -> None:
        self.known = known
        self._learned = learned
        self._read: list[Vocabulary] = []

    def read(self) -> Vocabulary:
        """Return the vocabulary, the same at each call."""
        if not self._read:
            vocabulary = Vocabulary(self._learned.items())
            vocabulary.known = self.known
            self._read.append(vocabulary)
        return self._read[0]  # of two threads that read at once the first


class Reading:
    """The property vocabulary_ of a vectorizer, which makes the dict when it is first looked at."""

    @property
    def vocabulary_(self) -> dict[str, Any]:
        """The terms and their columns, in the order in which the terms first occurred."""
        try:
            held: Any = self.__dict__["vocabulary_"]
        except KeyError:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute 'vocabulary_'") from None
        if isinstance(held, Unread):
            held = self.__dict__["vocabulary_"] = held.read()
        return held  # type: ignore[no-any-return]

    @vocabulary_.setter
    def vocabulary_(self, vocabulary: Any) -> None:
        self.__dict__["vocabulary_"] = vocabulary

    @vocabulary_.deleter
    def vocabulary_(self) -> None:
        if self.__dict__.pop("vocabulary_", None) is None:
            raise AttributeError("vocabulary_")

    def __getstate__(self) -> Any:
        getattr(self, "vocabulary_", None)  # so that it is a dict
        return super().__getstate__()

    def _check_vocabulary(self) -> None:
        if not isinstance(self.__dict__.get("vocabulary_"), Unread):
            super()._check_vocabulary()  # type: ignore[misc]


def watch(v: Any) -> None:
    """Make a Vocabulary of a dict that nobody else has yet."""
    if type(v.__dict__.get("vocabulary_")) is dict:
        v.vocabulary_ = Vocabulary(v.vocabulary_)


# The vocabularies that were set by hand, as plain dicts, with what they were. They are not in the pickle.
_by_hand: WeakKeyDictionary[Any, tuple[dict[Any, Any], dict[Any, Any], Known]] = WeakKeyDictionary()

# The bytes of texts that scikit-learn has counted meanwhile.
_waiting: WeakKeyDictionary[Any, int] = WeakKeyDictionary()

# To learn a term takes as long as to count so many bytes as scikit-learn does; to see whether it was changed, as half a byte.
_LEARN = 6


def known_of(v: Any, held: Any, analysis: tuple[Any, ...], size: int) -> Known:
    """Return what the library has learned, or raise Refused where scikit-learn counts texts of a size sooner."""
    known: Known | None
    if isinstance(held, Unread) and held.known.analysis == analysis:
        return held.known
    vocabulary: dict[Any, Any] = v.vocabulary_
    watched = isinstance(vocabulary, Vocabulary)
    if watched:
        known = vocabulary.known  # type: ignore[attr-defined]
    else:
        of, was, known = _by_hand.get(v, (None, None, None))
        if of is not vocabulary:
            known = None
        elif 2 * size < len(vocabulary):
            raise Refused("to see whether vocabulary_, which was set by hand, has changed takes longer than to count so few texts")
        elif was != vocabulary:
            known = None
    if known is not None and known.analysis == analysis:
        return known
    _waiting[v] = _waiting.get(v, 0) + size
    if _waiting[v] < _LEARN * len(vocabulary):
        raise Refused("to learn vocabulary_ takes longer than to count so few texts")
    terms = _by_column(vocabulary)
    known = Known(Bag(lib.Handle(vocabulary_of(terms, analysis_options(*analysis)))), lambda: terms, analysis)
    if watched:
        vocabulary.known = known  # type: ignore[attr-defined]
    else:
        _by_hand[v] = vocabulary, dict(vocabulary), known
    return known


def _by_column(vocabulary: dict[Any, Any]) -> list[str]:
    """Return the terms in the order of their columns."""
    terms = list(vocabulary)
    if not set(map(type, terms)) <= STRINGS:
        raise Refused("a term of vocabulary_ is no str")
    columns = _numbers(vocabulary.values())
    at = np.full(len(terms), -1)
    if len(columns) and 0 <= columns.min() and columns.max() < len(terms):
        at[columns] = np.arange(len(terms))
    if (at < 0).any():
        raise Refused("the columns of vocabulary_ are not 0, 1, ... in some order")
    return [terms[i] for i in at.tolist()]


def _numbers(columns: Any) -> np.ndarray:
    """Return columns as an array."""
    try:
        return np.array(array("q", columns), dtype=np.int64)
    except (TypeError, OverflowError) as e:
        raise Refused("a column of vocabulary_ is no whole number") from e
