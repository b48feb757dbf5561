"""What the command does with texts of Python: lines of context, lists of words and of collocations, and pages."""

from __future__ import annotations

import builtins
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
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import _library as lib
from ._arrays import texts_of
from ._labels import check_lengths, classes_of
from ._options import analysis_of, threads_of
from ._statistics import Corpus, Statistics
from ._table import Table


def kwic(
    texts: Any, pattern: str | Sequence[str], labels: Any = None, *, sample: int = 50, seed: int = 1, all: bool = False,
    width: int = 40, sort: str = "right", top: int | None = None, missing: str = "error", n_jobs: int | None = None, **analysis: Any,
) -> Table:
    """Return occurrences of words and phrases in their context: a Table of text, left, match and right.

    pattern is a word, or several with spaces, or a list of these. In a word, * stands for any characters and ? for one; * alone is
    any word. It is analysed as the texts are, so that case does not matter and stems match; a word with * or ? is not stemmed, and
    matches words as the analysis gives them. Of several patterns that match at one word, the longest counts.

    text is the number of the text, from 0. left and right have at most width characters. With labels, one for each text,
    there is a column class. If there are more occurrences than sample, so many are drawn at random, the same ones for the same
    seed; all=True returns all, up to a million. They are in the order of the words to the "right" or the "left" of the match, as
    they stand in the texts ("document"), by "class", or by up to three of these and places, as "1R,2R,1L". top is the former name
    of sample. analysis are options as of TermVectorizer, such as stem and tokens. The table of a pattern that does not occur has no
    rows. A pattern that matches every word, or has no word, is a ValueError.

    The command is run for it.
    """
    if isinstance(width, bool) or not isinstance(width, int) or width < 0:
        raise ValueError(f"width must be a number of characters, 0 or more, not {width!r}")
    patterns = [pattern] if isinstance(pattern, str) else list(pattern)
    if not patterns or not builtins.all(isinstance(p, str) for p in patterns):
        raise ValueError(f"pattern must be a text, or a list of texts, not {pattern!r}")
    lines_of = ["--all"] if all else [f"--sample={_number(sample if top is None else top, 'sample' if top is None else 'top', 'lines')}"]
    flags = [*lines_of, f"--seed={seed}", f"--sort={'document' if sort == 'none' else sort}", f"--width={max(width, 1)}"]
    with tempfile.TemporaryDirectory() as folder:
        documents = Path(folder, "texts.jsonl")
        names = _write(documents, texts, labels, missing)
        options = [*flags, "--format=json", f"--threads={threads_of(n_jobs)}", *_flags(analysis_of(len(names), **analysis))]
        try:
            lines = json.loads(_run(["kwic", *options, "--", str(documents), *patterns]))["rows"]
        except lib.NothingFoundError:
            lines = []
    columns = _places(lines, names if labels is not None else None)
    columns["left"] = [line["left"][-width:] if width else "" for line in lines]
    columns["match"] = [line["match"] for line in lines]
    columns["right"] = [line["right"][:width] for line in lines]
    return Table(columns)


def evidence(
    texts: Any, term: str, labels: Any = None, *, top: int = 10, missing: str = "error", n_jobs: int | None = None, **analysis: Any,
) -> Table:
    """Return the texts that have a term most often: a Table of text, tf and tokens.

    term is one term, of which * is no wildcard: kwic takes patterns. text is the number of the text, from 0, tf the occurrences of
    the term in it, and tokens its length in terms. With labels, one for each text, there is a column class. top is the most texts;
    of equal tf the shorter ones come first. The other parameters are those of kwic.

    The command is run for it, which counts the texts anew.
    """
    with tempfile.TemporaryDirectory() as folder:
        documents = Path(folder, "texts.jsonl")
        names = _write(documents, texts, labels, missing)
        options = [f"--docs={_number(top, 'top', 'texts')}", "--format=json", f"--threads={threads_of(n_jobs)}"]
        options += _flags(analysis_of(len(names), **analysis))
        try:
            found = json.loads(_run(["explain", str(documents), *options, "--", term]))["occurs_in"]
        except lib.NothingFoundError:
            found = []
    columns = _places(found, names if labels is not None else None)
    for name in ("tf", "tokens"):
        columns[name] = np.array([document[name] for document in found], dtype=np.int64)
    return Table(columns)


def _number(given: Any, name: str, what: str) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise ValueError(f"{name} must be a number of {what} above 0, not {given!r}")
    return given


def _places(found: list[Any], classes: list[str] | None) -> dict[str, Any]:
    """Return the columns that say where something was found: text and, with classes of the texts, class."""
    rows = [int(one["id"].rpartition(":")[2]) - 1 for one in found]
    columns: dict[str, Any] = {"text": np.array(rows, dtype=np.int64)}
    if classes is not None:
        columns["class"] = np.array([classes[row] for row in rows], dtype=object)
    return columns


def explore_page(
    target: Any, reference: Any = None, path: str | os.PathLike[str] | None = None, *, labels: Any = None,
    missing: str = "error", n_jobs: int | None = None, **options: Any,
) -> str | None:
    """Write a page of HTML to look at all terms, or at the best, to path; return it if no path is given.

    The page plots the terms, searches and lists them, and opens each with its counts and the values of all measures; of texts it
    also has lines of context. It needs no other file and no network. target is texts, a Corpus, Statistics, or the path of what
    the command explore takes; labels are the classes of texts, one for each. With a reference, which is as the target, the page
    holds one against the other. options are those of the command, such as by, top, max_size and text, and of the analysis as of
    TermVectorizer. The command is run for it.
    """
    if isinstance(reference, (str, os.PathLike)) and os.fsdecode(reference).lower().endswith((".html", ".htm")):
        raise ValueError(f"the reference {os.fsdecode(reference)!r} is the name of a page: say path={os.fsdecode(reference)!r} to write it")
    if reference is not None and labels is not None:
        raise ValueError("labels are the classes of one collection, and there are two: omit labels or reference")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        sides = [_side(Path(folder), "target", target, missing, labels)]
        if reference is not None:
            sides.append(_side(Path(folder), "reference", reference, missing))
        flags = [f"--output={page}", f"--threads={threads_of(n_jobs)}", *_flags(analysis_of(None, **options))]
        _run(["explore", *flags, "--", *sides])
        text = page.read_text(encoding="utf-8")
    if path is None:
        return text
    Path(path).write_text(text, encoding="utf-8")
    return None


def words(
    target: Any, labels: Any = None, *, top: int | None = 50, missing: str = "error", n_jobs: int | None = None, **options: Any,
) -> Table:
    """Return the words of texts by their frequency, with their dispersion: a Table with a row for each.

    Columns are rank, term, tf (occurrences), per_million, df (documents), share (of all documents), and dp, dpnorm and d, measures
    of dispersion. target is texts, a Corpus, Statistics, or the path of what the command words takes; labels are the classes of
    texts, one for each. top is the number of rows, None for all. options are those of the command, such as sort="df", min_freq=5
    and by_class=True, and of the analysis as of TermVectorizer. What is not defined is NaN; if no word passes, the error is a
    NothingFoundError. The command is run for it.
    """
    columns = ("rank", "term", "tf", "per_million", "df", "share", "dp", "dpnorm", "d")
    return _listed("words", columns, target, labels, _rows_of(top), missing, n_jobs, options)


def collocations(
    target: Any, labels: Any = None, *, top: int | None = 20, missing: str = "error", n_jobs: int | None = None, **options: Any,
) -> Table:
    """Return pairs of words that stand beside each other more often than chance lets expect: a Table with a row for each.

    Columns are words (how many a term has), rank, term, tf (occurrences), df (documents), f1 and f2 (occurrences of its words),
    expected, and the measures of the command collocations, such as ll and pmi. target is texts, a Corpus or Statistics that were
    counted with ngrams="1-2", or the path of what the command takes; labels are the classes of texts, one for each. top is the
    number of rows of each list, None for all. options are those of the command, such as by="logdice", min_freq=5, ngrams="2-3",
    marginals="words" and each_class=True, which adds the column class, and of the analysis as of TermVectorizer. With node="moon"
    the rows are the words at most window=5 words away from it, and near has how often. What is not defined is NaN; if nothing
    passes, the error is a NothingFoundError. The command is run for it.
    """
    return _listed("collocations", ("rank", "term"), target, labels, _rows_of(top), missing, n_jobs, options)


def stability(
    target: Any, labels: Any = None, k: int = 1000, *, top: int | None = None, missing: str = "error", n_jobs: int | None = None, **options: Any,
) -> Table:
    """Return how often each term is among the k best of 100 samples of the documents: a Table with a row for each that ever is.

    Columns are term, selected (of the samples), share (of them), mean_rank (where it was selected), rank (in the whole) and df. target
    is texts, a Corpus, or the path of what the command stability takes; labels are the classes of texts, one for each. top is the number
    of rows, None for all. options are those of the command, such as by="ig", folds=10, subsample=200 and seed=7, and of the analysis
    as of TermVectorizer. The command is run for it.
    """
    options = {"number": _number(k, "k", "terms"), "top": None if top is None else _number(top, "top", "rows"), **options}
    return _listed("stability", ("term",), target, labels, [], missing, n_jobs, options)


def _rows_of(top: int | None) -> list[str]:
    return ["--all"] if top is None else [f"--top={_number(top, 'top', 'rows')}"]


def _listed(
    name: str, columns: tuple[str, ...], target: Any, labels: Any, rows_of: list[str], missing: str, n_jobs: int | None,
    options: dict[str, Any],
) -> Table:
    """Return the rows that a command prints of a collection. columns are those that there are in any case."""
    with tempfile.TemporaryDirectory() as folder:
        side = _side(Path(folder), "target", target, missing, labels)
        flags = [*rows_of, "--format=json", f"--threads={threads_of(n_jobs)}", *_flags(analysis_of(None, **options))]
        return _table_of(json.loads(_run([name, *flags, "--", side]))["rows"], columns)


def _table_of(rows: list[dict[str, Any]], known: tuple[str, ...]) -> Table:
    """Return a table of objects of JSON, with these columns at least. A number that is missing is NaN, and a text is None."""
    columns: dict[str, Any] = {}
    for name in dict.fromkeys([*(name for row in rows for name in row), *known]):
        values = [row.get(name) for row in rows]
        if name in _TEXTS:
            columns[name] = np.array(values, dtype=object)
        elif builtins.all(isinstance(value, int) for value in values):
            columns[name] = np.array(values, dtype=np.int64)
        else:  # infinities are texts
            columns[name] = np.array([np.nan if value is None else float(value) for value in values], dtype=np.float64)
    return Table(columns)


# The columns of lists that have texts; all others have numbers.
_TEXTS = ("class", "node", "term")


def _side(folder: Path, name: str, given: Any, missing: str, labels: Any = None) -> str:
    """Return the path of a collection, which is written to the folder unless it is a file. labels are those of texts."""
    if labels is not None and isinstance(given, (Corpus, str, os.PathLike, Statistics)):
        raise ValueError(f"labels are the classes of texts, and the {name} is none: omit labels")
    if isinstance(given, Corpus):
        return os.fsdecode(given._path)
    if isinstance(given, (str, os.PathLike)):
        return os.fsdecode(given)
    if isinstance(given, Statistics):
        given.save(folder / f"{name}.stats")
        return str(folder / f"{name}.stats")
    try:
        _write(folder / f"{name}.jsonl", given, labels, missing)
    except ValueError as e:
        raise type(e)(f"{name}: {e}") from e
    return str(folder / f"{name}.jsonl")


def _write(path: Path, texts: Any, labels: Any, missing: str) -> list[str]:
    """Write texts as JSON lines, and return the class of each, "" without labels."""
    t, _ = texts_of(texts, missing)
    if t.count == 0:
        raise ValueError("there are no texts")
    names = [""] * t.count
    if labels is not None:
        classes = classes_of(labels)
        check_lengths(classes, t.count, f"there are {t.count} texts")
        if not classes.single:
            raise ValueError("labels must be one for each text")
        of = classes.texts()
        names = [of[number] for number in classes.of.tolist()]
    with path.open("w", encoding="utf-8") as out:
        for text, name in zip(_strings(t), names):
            document = {"text": text, "label": name} if name else {"text": text}
            out.write(json.dumps(document, ensure_ascii=False) + "\n")
    return names


def _strings(t: lib.Texts) -> Iterator[str]:
    """Yield texts that the library could read."""
    pointers, lengths, _ = t.kept
    for place, length in zip(pointers.tolist(), lengths.tolist()):
        yield ctypes.string_at(place, length).decode() if length else ""


def _flags(options: dict[str, Any]) -> list[str]:
    """Return options as flags of the command. None and False are left out; what says where the result goes, and how, is refused."""
    flags = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if name in ("bom", "format", "help", "list", "output"):
            raise ValueError(f"{name} is a flag of the command that has no use here, where the result is returned: omit it")
        if value is True:
            flags.append(f"{flag}=true")
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


def _run(arguments: list[str], folder: str | None = None) -> str:
    """Run the command, in a folder if one is given, and return what it prints. Its statuses are those of the library."""
    program = [command(), arguments[0], "--quiet", *arguments[1:]]
    done = subprocess.run(program, cwd=folder, capture_output=True, encoding="utf-8", errors="replace", check=False)
    lines = [re.sub("^termsift: (warning: )?", "", line) for line in done.stderr.splitlines()]
    if done.returncode:
        raise lib._exception(done.returncode, "\n".join(lines))
    for line in lines:
        warnings.warn(line, UserWarning, stacklevel=lib.callers_level())
    return done.stdout
