"""Tables of columns: what rankings, keys and other long results are returned as."""

from __future__ import annotations

import importlib
import importlib.util
import keyword
import numbers
import unicodedata
from collections import namedtuple
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, overload

import numpy as np

# The rows that the text and the HTML of a table show.
_SHOWN = 10
_SHOWN_HTML = 20

# The most characters of a cell that they show, which long lines of the text make fewer, and of a line.
_WIDEST, _NARROWEST = 40, 16
_LINE = 120


class Tabular:
    """What can be seen as a table, and goes to other libraries as one."""

    def to_table(self) -> Table:
        """Return a Table with the columns of this."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """Return a pandas.DataFrame; an ImportError says how to get pandas if it is missing."""
        columns = self.to_table()._columns
        return _library("pandas").DataFrame({name: values.copy() for name, values in columns.items()})

    def to_polars(self) -> Any:
        """Return a polars.DataFrame; an ImportError says how to get polars if it is missing."""
        columns = self.to_table()._columns
        return _library("polars").DataFrame({name: _plain(values) for name, values in columns.items()})

    def to_arrow(self) -> Any:
        """Return a pyarrow.Table; an ImportError says how to get pyarrow if it is missing."""
        columns = self.to_table()._columns
        return _library("pyarrow").table({name: _plain(values) for name, values in columns.items()})

    @property
    def __arrow_c_stream__(self) -> Any:
        """Arrow's interface of streams, by which polars, duckdb and others read a table. It is there if pyarrow is."""
        if importlib.util.find_spec("pyarrow") is None:
            raise AttributeError("__arrow_c_stream__ needs pyarrow: pip install pyarrow")
        return self.to_arrow().__arrow_c_stream__

    def _repr_html_(self) -> str:
        return self.to_table()._html()

    def plot(self, top: int = 10, *, value: str | None = None, ax: Any = None) -> Any:
        """Draw the first rows of each class as horizontal bars, and return the axes of matplotlib.

        top is the number of rows of each class. value is the column that the bars show; None takes
        that of the measure. ax is where to draw; it is for tables without classes, or of a single
        one. Several classes have axes of their own, and a list of them is returned.

        A table without the columns "term" and value is a ValueError. Missing matplotlib is an
        ImportError that says how to get it.
        """
        return bars_of(self.to_table(), top, value, ax)


class Table(Tabular):
    """Columns of the same length with names. A table never changes.

    Parameters
    ----------
    columns : a dict of names to sequences. Texts are kept as str in an array of objects.
    value : the column of numbers that bars show in HTML and in plot; None is "value" if there is one.
    group : the column whose values have plots of their own; None is "class" if there is one.

    Examples
    --------
    >>> table = Table({"term": ["orbit", "bread"], "value": [4.0, 1.5], "df": [2, 3]})
    >>> table["value"]
    array([4. , 1.5])
    >>> table[0]
    Row(term='orbit', value=4.0, df=2)
    >>> [row.term for row in table]
    ['orbit', 'bread']
    >>> table[table["df"] > 2]
    term   value  df
    bread    1.5   3
    [1 row]
    """

    def __init__(self, columns: Mapping[str, Any], *, value: str | None = None, group: str | None = None) -> None:
        made = {name: _column(name, values) for name, values in columns.items()}
        lengths = {name: len(values) for name, values in made.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"columns of a table must have the same length, not {lengths}")
        self._columns = made
        self._value = value if value is not None or "value" not in made else "value"
        self._group = group if group is not None or "class" not in made else "class"
        for name in (self._value, self._group):
            if name is not None:
                self._check(name)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._columns)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return len(self), len(self._columns)

    def to_table(self) -> Table:
        """Return this table."""
        return self

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    @overload
    def __getitem__(self, key: str) -> np.ndarray: ...

    @overload
    def __getitem__(self, key: int | np.integer[Any]) -> Any: ...

    @overload
    def __getitem__(self, key: slice | list[Any] | np.ndarray) -> Table: ...

    def __getitem__(self, key: Any) -> Any:
        """Return a column by its name, a row by its number, or rows as a table: by a slice, numbers or an array of bool."""
        if isinstance(key, str):
            self._check(key)
            return self._columns[key]
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            if not -len(self) <= key < len(self):
                raise IndexError(f"there is no row {key}: the table has {len(self)}")
            return next(self[key:][:1]._rows())
        if isinstance(key, (slice, list, np.ndarray)):
            return self._with({name: values[key] for name, values in self._columns.items()})
        raise TypeError(f"a table has columns by name and rows by number, slice or mask, not by {key!r}")

    def __iter__(self) -> Iterator[Any]:
        """Yield the rows as named tuples. A name that Python reserves has an underscore behind it: row.class_."""
        return self._rows()

    def __contains__(self, key: object) -> bool:
        """Report whether there is a column of this name, or a row that equals a tuple."""
        if isinstance(key, str):
            return key in self._columns
        return any(row == key for row in self._rows())

    def __repr__(self) -> str:
        lines, left = _aligned(self[:_SHOWN]._columns)
        more = "... " if len(self) > _SHOWN else ""
        without = f", without {', '.join(left)}" if left else ""
        return "\n".join([*lines, f"{more}[{_count(len(self), 'row')}{without}]"])

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._columns, self._value, self._group)

    def _with(self, columns: Mapping[str, np.ndarray]) -> Table:
        """Return a table of other rows."""
        return Table(columns, value=self._value, group=self._group)

    def _rows(self) -> Iterator[Any]:
        fields = [name + "_" if keyword.iskeyword(name) else name for name in self._columns]
        row: Any = namedtuple("Row", fields, rename=True)  # type: ignore[misc]  # mypy wants names that it knows
        return map(row._make, zip(*(values.tolist() for values in self._columns.values())))

    def _check(self, name: str) -> None:
        """Raise KeyError unless there is a column of this name."""
        if name not in self._columns:
            raise KeyError(f"there is no column {name!r}; there are {', '.join(self._columns)}")

    def _html(self) -> str:
        shown = self[:_SHOWN_HTML]
        numeric = {name: values.dtype.kind in "biuf" for name, values in shown._columns.items()}
        head = "".join(f"<th style='text-align:{'right' if numeric[name] else 'left'}'>{escape(name)}</th>" for name in self._columns)
        cells = [_html_cells(name, values, name == self._value) for name, values in shown._columns.items()]
        body = "".join(f"<tr>{''.join(row)}</tr>" for row in zip(*cells))
        more = f", of which {len(shown)} are shown" if len(shown) < len(self) else ""
        return (
            f"<table class='dataframe'><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
            f"<p>{_count(len(self), 'row')}, {_count(len(self._columns), 'column')}{more}</p>"
        )


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _restored(columns: dict[str, np.ndarray], value: str | None, group: str | None) -> Table:
    return Table(columns, value=value, group=group)


def _column(name: str, values: Any) -> np.ndarray:
    """Return values as an array that cannot be written to."""
    if not isinstance(name, str):
        raise ValueError(f"the name of a column must be a str, not {name!r}")
    array = np.asarray(values)
    if array.dtype.kind in "US":
        array = array.astype(object)
    if array.ndim != 1:
        raise ValueError(f"the column {name!r} must have one dimension, not {array.ndim}")
    array = array.view()
    array.setflags(write=False)
    return array


def whole(column: np.ndarray) -> np.ndarray:
    """Return a column of whole numbers as int64, unless some are undefined."""
    counts: np.ndarray = column if np.isnan(column).any() else column.astype(np.int64)
    return counts


def _plain(values: np.ndarray) -> Any:
    """Return a column for a library of columns: objects as a list."""
    return values.tolist() if values.dtype == object else values


def _library(module: str) -> Any:
    """Return a module of another library."""
    name = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ImportError as e:
        raise ImportError(f"this needs {name}, which is not installed: pip install {name}") from e


def _aligned(columns: Mapping[str, np.ndarray]) -> tuple[list[str], list[str]]:
    """Return the lines of a table, and the names of the columns that do not fit. Numbers stand at the right, all else at the left."""
    sides: list[list[str]] = []
    whole_line, left, most = 0, [], _WIDEST
    while most > _NARROWEST and sum(2 + max(map(_width, _cells(name, values, most))) for name, values in columns.items()) > _LINE:
        most -= 1
    for name, values in columns.items():
        cells = _cells(name, values, most)
        width, right = max(map(_width, cells)), values.dtype.kind in "biuf" or name == "left"
        whole_line += width + 2
        if whole_line > _LINE and sides:
            left.append(name)
            continue
        padding = [" " * (width - _width(cell)) for cell in cells]
        sides.append([pad + cell if right else cell + pad for cell, pad in zip(cells, padding)])
    return ["  ".join(line).rstrip() for line in zip(*sides)], left


def _cells(name: str, values: np.ndarray, most: int) -> list[str]:
    """Return the cells of a column, its name first. What is at the left of a match is cut at its begin."""
    return [name, *(_cell(value, most, name == "left") for value in values.tolist())]


def _cell(value: Any, most: int = _WIDEST, end: bool = False) -> str:
    """Return the text of a value, on one line: as many characters of it, from its end if that is asked for."""
    text = "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    if len(text) <= most:
        return text
    return "…" + text[1 - most :] if end else text[: most - 1] + "…"


def _width(text: str) -> int:
    """Return the columns that a text takes on a terminal."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _html_cells(name: str, values: np.ndarray, with_bars: bool) -> list[str]:
    """Return the cells of a column, with bars behind the numbers if they are asked for."""
    texts = [escape(text) for text in _cells(name, values, _WIDEST)[1:]]
    if values.dtype.kind not in "biuf":
        return [f"<td style='text-align:left'><bdi>{text}</bdi></td>" for text in texts]
    if not with_bars:
        return [f"<td style='text-align:right'>{text}</td>" for text in texts]
    return [f"<td style='text-align:right;{_bar(share)}'>{text}</td>" for text, share in zip(texts, _shares(values))]


def _shares(values: np.ndarray) -> list[float]:
    """Return each value as a share of the largest, in [-1, 1]; infinity is 1, NaN 0."""
    numbers = values.astype(np.float64)
    finite = np.abs(numbers[np.isfinite(numbers)])
    largest = float(finite.max()) if len(finite) else 0.0
    with np.errstate(invalid="ignore"):
        shares = numbers / largest if largest > 0 else np.where(np.isinf(numbers), numbers, 0.0)
    clipped: list[float] = np.clip(np.nan_to_num(shares, nan=0.0), -1, 1).tolist()
    return clipped


def _bar(share: float) -> str:
    """Return the style of a bar from the right: blue, or red where the value is negative."""
    color = "rgba(214,96,77,.35)" if share < 0 else "rgba(67,147,195,.35)"
    return f"background:linear-gradient(to left,{color} {abs(share):.1%},transparent 0)"


# ---- pictures by matplotlib ----

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
            f"ax is a single place to draw, and the table has {len(groups)} classes: draw table[table[{table._group!r}] == name], or omit ax"
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
    plt = _library("matplotlib.pyplot")
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
