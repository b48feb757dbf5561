"""The measures that rank terms."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from . import _library as lib
from ._table import Table


def measures() -> Table:
    """Return the measures as a Table: what by= may be in score, rank, TermSelector, Statistics.select and others.

    name      str; by="chi" and so on, also with a combination behind a colon: "ttest:avg"
    title     str; what it is called
    needs     str; "documents", those with and without the term, or "occurrences" in them as well; "number", one of each
              document (target="number" of score, rank and TermSelector)
    combine   str; how the values of a term become one unless combine= says another way: "max", that of the
              class with the largest; "total" and "global", a value of its own for all classes at once
    classes   bool; whether each class has a value (rank and score with combine="class")
    pvalues   bool; whether its values have p-values
    formula   str; of A, B, C, D, the documents in the class with the term, outside it with the term, in it
              without the term, outside it without the term; N is all of them, df = A+B, n_c = A+C
    source    str; where the definition comes from

    score and TermSelector also take "sklearn-chi2", which is chi2 of scikit-learn.

    >>> table = measures()
    >>> list(table["name"][:8])
    ['df', 'cf', 'dia', 'mi', 'emi', 'ig', 'ece', 'chi']
    >>> table[table["name"] == "ig"]["title"][0]
    'information gain'
    """
    known = listed()
    columns = {name: [measure[name] for measure in known] for name in ("name", "title")}
    columns["needs"] = [_needs(measure) for measure in known]
    columns["combine"] = [measure["default"] for measure in known]
    columns["classes"] = [measure["classes"] for measure in known]
    columns["pvalues"] = [measure["p-values"] for measure in known]
    for name in ("formula", "source"):
        columns[name] = [measure[name] for measure in known]
    return Table(columns)


def _needs(measure: dict[str, Any]) -> str:
    """Return what a measure reads."""
    for key, needs in (("target", "number"), ("tokens", "occurrences")):
        if measure[key]:
            return needs
    return "documents"


def of_target(measures: list[str]) -> bool:
    """Report whether all measures compare terms with numbers."""
    return set(measures) <= set(_target_names())


def _target_names() -> list[str]:
    return [measure["name"] for measure in listed() if measure["target"]]


def check_target(measures: list[str], target: str | None) -> None:
    """Raise ValueError for a measure that compares terms with numbers where there are classes."""
    names = _target_names()
    for name in measures:
        if target is None and name in names:
            raise ValueError(f'{name} compares terms with a number of each document: name it, as target="number"')


@lru_cache(maxsize=1)
def listed() -> list[dict[str, Any]]:
    """Return the list of the library."""
    found: list[dict[str, Any]] = json.loads(lib.read("measures", columns=1)[0].tobytes())
    return found
