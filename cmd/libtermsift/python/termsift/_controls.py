"""Controls: a value of each document, within which classes are compared."""

from __future__ import annotations

from typing import Any

from ._labels import is_missing, listed

_MEASURES = ("mh", "ormh")


def strata_of(control: Any, measures: list[str]) -> list[str] | None:
    """Return the texts of the values of a control, None without one. Measures that compare within them need it."""
    if control is None:
        for measure in measures:
            if measure.split(":")[0] in _MEASURES:
                raise ValueError(f"{measure} compares classes among documents of one value: give these as control, one for each document")
        return None
    if isinstance(control, (str, bytes)):
        raise ValueError(f"control must be a sequence with a value for each document, not {control!r}")
    strata = []
    for i, value in enumerate(listed("control", control)):
        if is_missing(value) or str(value) == "":
            raise ValueError(f"control[{i}] is {value!r}: leave out the documents without a value")
        strata.append(str(value))
    return strata
