"""Pictures of tables by matplotlib."""

from __future__ import annotations

import importlib
import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._table import Table

_MORE, _LESS = "#4393c3", "#d6604d"

# The most classes whose axes stand in a row, and that are drawn at once.
_ACROSS, _MOST = 4, 60


def bars_of(table: Table, top: int, value: str | None, ax: Any) -> Any:
    """Draw the first rows of each group of a table."""
    if isinstance(top, bool) or not isinstance(top, numbers.Integral) or top < 1:
        raise ValueError(f"top must be a number of rows above 0, not {top!r}")
    value = value or table._value
    if value is None or value not in table or "term" not in table:
        raise ValueError(f'bars need a column "term" and one of numbers; there are {", ".join(table.columns)}: value= names the one to draw')
    if table[value].dtype.kind not in "biuf":
        raise ValueError(f"the column {value!r} has no numbers that bars could show")
    if len(table) == 0:
        raise ValueError("the table has no rows to draw")
    groups = _groups(table)
    if len(groups) > _MOST:
        raise ValueError(f"the table has {len(groups)} classes, and {_MOST} can be drawn at once: class_= of rank and best_terms names some")
    if len(groups) > 1 and ax is not None:
        raise ValueError(
            f"ax is a single place to draw, and the table has {len(groups)} classes: draw table[table[{table._group!r}] == name], or leave ax away"
        )
    places = [_axes(1)[0] if ax is None else ax] if len(groups) == 1 else _axes(len(groups))
    for place, (name, rows) in zip(places, groups):
        first = rows[: int(top)]
        bars(place, first["term"], first[value])
        place.set_xlabel(value)
        if name is not None:
            place.set_title(_literal(name))
    return places if len(groups) > 1 else places[0]


def bars(ax: Any, labels: Sequence[Any], values: np.ndarray) -> None:
    """Draw bars from the top down, red where the value is negative. Infinite ones reach to the largest."""
    lengths = np.nan_to_num(np.asarray(values, dtype=np.float64), nan=0.0, posinf=np.inf, neginf=-np.inf)
    finite = np.abs(lengths[np.isfinite(lengths)])
    most = float(finite.max()) if len(finite) and finite.max() > 0 else 1.0
    places = np.arange(len(lengths))
    ax.barh(places, np.clip(lengths, -most, most), color=[_LESS if v < 0 else _MORE for v in lengths])
    ax.set_yticks(places, [_literal(label) for label in labels])
    ax.invert_yaxis()
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _groups(table: Table) -> list[tuple[Any, Table]]:
    """Return the names of the groups in their order, with their rows."""
    if table._group is None:
        return [(None, table)]
    column = table[table._group]
    return [(name, table[np.array([other == name for other in column.tolist()], dtype=bool)]) for name in dict.fromkeys(column.tolist())]


def _axes(count: int) -> list[Any]:
    """Return axes for so many groups."""
    try:
        plt = importlib.import_module("matplotlib.pyplot")
    except ImportError as e:
        raise ImportError("plot needs matplotlib, which is not installed: pip install matplotlib") from e
    across = min(count, _ACROSS)
    down = -(-count // across)
    figure, axes = plt.subplots(down, across, figsize=(3.6 * across, 3.2 * down), layout="constrained", squeeze=False)
    places = list(axes.flat)
    for spare in places[count:]:
        figure.delaxes(spare)
    return places[:count]


def _literal(text: Any) -> str:
    """Return a text in which matplotlib finds no formula."""
    return str(text).replace("$", r"\$")
