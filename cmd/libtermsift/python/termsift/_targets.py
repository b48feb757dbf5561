"""Targets: a number of each document, in place of classes."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from ._labels import Classes, classes_of, is_missing, listed


class Numbers(Classes):
    """The numbers of documents as their classes: names are float64, ascending, each once."""


def target_of(y: Any, target: str | None) -> Classes:
    """Return the classes of y, or with target="number" its numbers, one for each document."""
    if target is None:
        return classes_of(y)
    if target != "number":
        raise ValueError(f'target must be None, for a y of classes, or "number", not {target!r}')
    classes = numbers_of(y)
    if (classes.of < 0).any():
        raise ValueError(f"Input y contains NaN: y[{int(np.argmin(classes.of))}] is no number, leave out the documents without one")
    dtype = getattr(y, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind in "iuf":
        values = np.asarray(y, dtype=np.float64).ravel()
    else:
        values = _floats(classes.names)[classes.of]
    names, of = np.unique(values + 0.0, return_inverse=True)
    return Numbers(names, of)


def _floats(names: Any) -> np.ndarray:
    values = np.empty(len(names))
    for i, name in enumerate(names):
        try:
            values[i] = float(name)
        except ValueError:
            raise ValueError(f"y has {name!r}, which is no number") from None
    if not np.isfinite(values).all():
        raise ValueError(f"y has {names[int(np.argmin(np.isfinite(values)))]}: a target is a finite number")
    return values


def numbers_of(y: Any) -> Classes:
    """Return the numbers of y as classes whose names are their texts: those of documents without one are -1.

    y has an int, a float, a Decimal or the text of one for each document; None, NaN, NA and an empty text are none.
    """
    if isinstance(y, Classes):
        return y
    if y is None or isinstance(y, (str, bytes, Mapping, AbstractSet)):
        raise ValueError(f"y must have a number of each document, not {y!r}")
    values = _array(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"a target is one number a document: y must have one dimension, not {values.ndim}")
    classes = _of_floats(values) if values.dtype.kind in "iuf" else _of_objects(values.tolist())
    if classes.documents and not len(classes.names):
        raise ValueError(f"none of the {classes.documents} documents has a number in y")
    return classes


def _array(y: Any) -> np.ndarray:
    if np.ma.isMaskedArray(y):
        return np.ma.filled(y.astype(float), np.nan)
    return np.asarray(y) if hasattr(y, "__array__") else _objects(listed("y", y))


def _objects(values: list[Any]) -> np.ndarray:
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def _of_floats(values: np.ndarray) -> Classes:
    infinite = np.isinf(values)
    if infinite.any():
        place = int(np.argmax(infinite))
        raise ValueError(f"y[{place}] is {values[place]}: a target is a finite number")
    valid = ~np.isnan(values)
    names, of = np.unique(values[valid], return_inverse=True)
    all_of = np.full(len(values), -1, dtype=np.int32)
    all_of[valid] = of
    return Classes([str(name) for name in names], all_of)


def _of_objects(values: list[Any]) -> Classes:
    place: dict[str, int] = {}
    of = np.full(len(values), -1, dtype=np.int32)
    for i, value in enumerate(values):
        text = _text(i, value)
        if text:
            of[i] = place.setdefault(text, len(place))
    return Classes(list(place), of)


def _text(i: int, value: Any) -> str:
    """Return the text of a number, "" for none."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, (list, tuple, bool, np.bool_, np.ndarray)):
        raise ValueError(f"y[{i}] is {value!r}: a target is one number a document")
    if is_missing(value):
        return ""
    if not isinstance(value, numbers.Number):
        raise ValueError(f"y[{i}] is {value!r}, which is no number")
    return str(value)
