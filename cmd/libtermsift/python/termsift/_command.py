"""What the command does with texts of Python: lines of context, texts with a term, and pages of key words."""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from . import _library as lib
from ._arrays import texts_of
from ._keyness import FrequencyList
from ._labels import check_lengths, classes_of
from ._options import analysis_of, threads_of
from ._statistics import Corpus, Statistics
from ._table import Table


def kwic(
    texts: Any, term: str, labels: Any = None, *, top: int = 20, width: int = 40, sort: str = "right", missing: str = "error",
    n_jobs: int | None = None, **analysis: Any,
) -> Table:
    """Return occurrences of a term in their context: a Table of text, left, match and right.

    text is the number of the text, from 0. left and right have at most width characters. With labels, one for each text,
    there is a column class. top is the most lines; they are in the order of the words to the "right" or the "left" of the
    term, or as they stand in the texts ("none"). analysis are options as of TermVectorizer, such as stem, ngrams and
    tokens; the term is one of theirs, in lower case. The table of a term that does not occur has no rows.

    The command is run for it, which counts the texts anew.
    """
    if isinstance(width, bool) or not isinstance(width, int) or width < 0:
        raise ValueError(f"width must be a number of characters, 0 or more, not {width!r}")
    columns, lines = _explained(texts, term, labels, "lines", [f"--kwic={top}", f"--kwic-sort={sort}"], missing, n_jobs, analysis)
    columns["left"] = [line["left"][-width:] if width else "" for line in lines]
    columns["match"] = [line["match"] for line in lines]
    columns["right"] = [line["right"][:width] for line in lines]
    return Table(columns)


def evidence(
    texts: Any, term: str, labels: Any = None, *, top: int = 10, missing: str = "error", n_jobs: int | None = None, **analysis: Any,
) -> Table:
    """Return the texts that have a term most often: a Table of text, tf and tokens.

    text is the number of the text, from 0, tf the occurrences of the term in it, and tokens its length in terms. With labels,
    one for each text, there is a column class. top is the most texts; of equal tf the shorter ones come first. The other
    parameters are those of kwic.

    The command is run for it, which counts the texts anew.
    """
    columns, found = _explained(texts, term, labels, "occurs_in", [f"--docs={_number(top)}"], missing, n_jobs, analysis)
    for name in ("tf", "tokens"):
        columns[name] = np.array([document[name] for document in found], dtype=np.int64)
    return Table(columns)


def _number(top: Any) -> int:
    if isinstance(top, bool) or not isinstance(top, int) or top < 1:
        raise ValueError(f"top must be a number of texts above 0, not {top!r}")
    return top


def _explained(
    texts: Any, term: str, labels: Any, what: str, flags: list[str], missing: str, n_jobs: int | None, analysis: dict[str, Any],
) -> tuple[dict[str, Any], list[Any]]:
    """Return what the command tells of a term, and the columns that say where: text and, with labels, class."""
    with tempfile.TemporaryDirectory() as folder:
        documents = Path(folder, "texts.jsonl")
        names = _write(documents, texts, labels, missing)
        options = [*flags, "--format=json", f"--threads={threads_of(n_jobs)}", *_flags(analysis_of(len(names), **analysis))]
        try:
            found = json.loads(_run(["explain", str(documents), *options, "--", term]))[what]
        except lib.NothingFoundError:
            found = []
    rows = [int(one["id"].rpartition(":")[2]) - 1 for one in found]
    columns: dict[str, Any] = {"text": np.array(rows, dtype=np.int64)}
    if labels is not None:
        columns["class"] = np.array([names[row] for row in rows], dtype=object)
    return columns, found


def keyness_page(
    target: Any, reference: Any, path: str | os.PathLike[str] | None = None, *, missing: str = "error", n_jobs: int | None = None, **options: Any,
) -> str:
    """Return the key words of a target against a reference as a page of HTML with a plot, and write it to path if given.

    target and reference are as of Keyness, and so are the options: max_p (1) and min_freq (1) are not those of the command, which
    takes 0.05 and 5. The page needs no other file and no network. The command is run for it.
    """
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        sides = [_side(Path(folder), "target", target, missing)]
        if isinstance(reference, FrequencyList):
            sides += _list(Path(folder), reference)
        else:
            sides.append(_side(Path(folder), "reference", reference, missing))
        analysis = analysis_of(0, **{"max_p": 1, "min_freq": 1, **options})
        _run(["keyness", *sides, f"--html={page}", f"--threads={threads_of(n_jobs)}", *_flags(analysis)])
        text = page.read_text(encoding="utf-8")
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return text


def _side(folder: Path, name: str, given: Any, missing: str) -> str:
    """Return the path of a side of a comparison, which is written to the folder unless it is a file."""
    if isinstance(given, Corpus):
        return os.fsdecode(given._path)
    if isinstance(given, (str, os.PathLike)):
        return os.fsdecode(given)
    if isinstance(given, Statistics):
        given.save(folder / f"{name}.stats")
        return str(folder / f"{name}.stats")
    try:
        _write(folder / f"{name}.jsonl", given, None, missing)
    except ValueError as e:
        raise type(e)(f"{name}: {e}") from e
    return str(folder / f"{name}.jsonl")


def _list(folder: Path, given: FrequencyList) -> list[str]:
    """Return the flags of a frequency list, which is written to the folder unless it is a file."""
    path = given.counts
    if not isinstance(path, str):
        path = str(folder / "list.tsv")
        with open(path, "w", encoding="utf-8", newline="\n") as out:
            for term, count in given.counts.items():
                if any(mark in term for mark in "\t\n\r"):
                    raise ValueError(f"the term {term!r} of the frequency list has a tab or an end of line in it")
                out.write("\t".join([term, *map(str, count if isinstance(count, list) else [count])]) + "\n")
    totals = {"reference-total": given.total, "reference-documents": given.documents}
    return [f"--reference-list={path}", *(f"--{name}={n}" for name, n in totals.items() if n is not None)]


def _write(path: Path, texts: Any, labels: Any, missing: str) -> list[str]:
    """Write texts as JSON lines, and return the class of each."""
    t, _ = texts_of(texts, missing)
    names = ["texts"] * t.count
    if labels is not None:
        classes = classes_of(labels)
        check_lengths(classes, t.count, f"there are {t.count} texts")
        if not classes.single:
            raise ValueError("labels must be one for each text")
        of = classes.texts()
        names = [of[number] for number in classes.of.tolist()]
    with path.open("w", encoding="utf-8") as out:
        for text, name in zip(_strings(t), names):
            out.write(json.dumps({"text": text, "label": name}, ensure_ascii=False) + "\n")
    return names


def _strings(t: lib.Texts) -> Iterator[str]:
    """Yield texts that the library could read."""
    if t.offset_type == lib.NONE:
        pointers = (ctypes.c_uint64 * t.count).from_address(t.pointers) if t.count else ()
        lengths = (ctypes.c_int64 * t.count).from_address(t.lengths) if t.count else ()
        places: Any = zip(pointers, lengths)
    else:
        kind = ctypes.c_int32 if t.offset_type == lib.INT32 else ctypes.c_int64
        offsets = (kind * (t.count + 1)).from_address(t.offsets)
        places = ((t.data + a if t.data else 0, b - a) for a, b in zip(offsets, offsets[1:]))
    for place, length in places:
        yield ctypes.string_at(place, length).decode() if length else ""


def _flags(options: dict[str, Any]) -> list[str]:
    """Return options as flags of the command. True is a flag alone; a list has commas; None and False are left out."""
    flags = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            flags.append(flag)
        elif isinstance(value, (list, tuple, set, frozenset, np.ndarray)):
            raise ValueError(f"{name} must be a text or a number here, not {value!r}")
        elif value is not None and value is not False:
            flags.append(f"{flag}={value}")
    return flags


def command() -> str:
    """Return the path of the command: that of TERMSIFT_COMMAND, or the one that was installed with this package."""
    given = os.environ.get("TERMSIFT_COMMAND")
    name = "termsift.exe" if os.name == "nt" else "termsift"
    found = given or shutil.which(name, path=os.pathsep.join([sysconfig.get_path("scripts"), str(Path(sys.executable).parent)])) or shutil.which(name)
    if found is None:
        raise FileNotFoundError("the command termsift was not found: install the wheel, which brings it, or set TERMSIFT_COMMAND to its path")
    return found


def _run(arguments: list[str]) -> str:
    """Run the command, and return what it prints. Its statuses are those of the library."""
    done = subprocess.run([command(), arguments[0], "--quiet", *arguments[1:]], capture_output=True, encoding="utf-8", errors="replace", check=False)
    lines = [re.sub("^termsift: (warning: )?", "", line) for line in done.stderr.splitlines()]
    if done.returncode:
        raise lib._exception(done.returncode, "\n".join(lines))
    for line in lines:
        warnings.warn(line, UserWarning, stacklevel=3)
    return done.stdout
