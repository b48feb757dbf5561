"""Counting and transforming on a cluster of Spark: pip install 'termsift[spark]'.

statistics adds up the counts of a DataFrame of any size, and transform gives each of its rows a vector. The texts stay on the executors,
which need this package, too.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyspark import StorageLevel, TaskContext
    from pyspark.ml.linalg import VectorUDT
    from pyspark.sql import functions as F
    from pyspark.sql import types as T
    from pyspark.sql.pandas.functions import arrow_udf
except ImportError as e:
    raise ImportError(f"termsift.spark needs PySpark 4.1 or later ({e}): pip install 'termsift[spark]'") from e

from ._command import _flags, _run
from ._features import Features
from ._options import analysis_of, path_of
from ._statistics import Statistics

__all__ = ["Sum", "statistics", "transform"]

# A file travels in blocks: rows with the number of the file, the place of the block in it, and its bytes.
_BLOCKS = "part bigint, place bigint, data binary"
_BLOCK = 256 << 10

# The bytes that the driver fetches at once, on average: blocks fall into partitions by chance.
_FETCHED = 4 << 20

# The tasks that first add up the statistics of the partitions. One more adds up theirs.
_ADDING = 16


# ---- statistics ----


def statistics(
    dataframe: Any, *, text: Any, label: Any = None, ids: Any = None, local_min_df: int | None = None, tokens: str = "words", **options: Any,
) -> Sum:
    """Count the terms of a DataFrame's rows in each class. This runs the job; Sum.save brings the result to a file.

    text, label and ids are names of columns, or columns. Texts are strings; labels are strings, whole numbers, booleans, or arrays
    of them for rows of several classes, and a row whose label is null, or an empty array, has no class. With ids, a name for each
    row, the file has the bytes that the command writes of the same rows, whatever the partitions are, but for the hash of its input.

    local_min_df leaves out the terms in fewer documents of a partition; the sum knows how many documents of a term that can miss.
    tokens, and options such as ngrams="1-2", stop="glasgow" and skip_bad=True, are flags of the command index. Those that need all
    documents (min_df, max_df, dedupe, tokens="auto") are a ValueError.

    >>> total = statistics(dataframe, text="body", label="topic")  # doctest: +SKIP
    >>> total.save("all.stats")  # doctest: +SKIP
    """
    flags = _checked_flags({"tokens": tokens, "local_min_df": local_min_df, **options})
    counted = _rows(dataframe, text, label, ids).mapInArrow(partial(_count, flags), _BLOCKS)
    for tasks in (_ADDING, 1):
        counted = counted.repartition(tasks, "part").mapInArrow(_add, _BLOCKS)
    return Sum(counted)


class Sum:
    """The statistics of a DataFrame. An executor holds them on its disk until unpersist, or the end of the session."""

    def __init__(self, blocks: Any) -> None:
        self._blocks = blocks.persist(StorageLevel.DISK_ONLY)
        size = self._blocks.agg(F.sum(F.length("data"))).first()[0]
        if size is None:
            raise ValueError("the DataFrame has no rows: nothing to count")
        self.size: int = size

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the file of the statistics, which Statistics.load and the program termsift read.

        The driver fetches a few megabytes at a time. The file appears whole or not at all.
        """
        to = Path(os.fsdecode(path_of(path)))
        with tempfile.TemporaryDirectory(prefix=f".{to.name}-", dir=to.parent) as folder:
            made = Path(folder, "sum.stats")
            with made.open("wb") as out:
                for block in self._blocks.repartition(self.size // _FETCHED + 1, "place").toLocalIterator():
                    out.seek(block.place)
                    out.write(block.data)
            _run(["verify", str(made)])  # an executor that died may have counted other rows than those that were fetched before
            made.replace(to)

    def load(self) -> Statistics:
        """Return the statistics in the memory of this process."""
        with tempfile.TemporaryDirectory() as folder:
            self.save(Path(folder, "sum.stats"))
            return Statistics.load(Path(folder, "sum.stats"))

    def unpersist(self) -> None:
        """Have the executor remove what it holds. Who saves once more counts once more."""
        self._blocks.unpersist()

    def __repr__(self) -> str:
        return f"<termsift.spark.Sum: {self.size} bytes of statistics>"


def _checked_flags(options: dict[str, Any]) -> list[str]:
    """Return options as flags of the command index, which has taken them for a row."""
    for name in ("dedupe", "max_df", "min_df"):
        if options.get(name) is not None:
            raise ValueError(f"{name} needs the documents of all partitions: bound terms by local_min_df, or where they are selected")
    if options["tokens"] == "auto":
        raise ValueError('with tokens="auto" each partition decides by its own texts: name them, as tokens="words" or "zh-bigrams"')
    flags = _flags(analysis_of(None, **options))
    with tempfile.TemporaryDirectory() as folder:
        trial = pa.RecordBatch.from_pydict({"text": ["trial"], "label": ["trial"], "id": ["trial"]})
        _spool([trial], Path(folder, "trial.parquet"))
        _run(["index", *flags, "--stats-only", "--output=trial.stats", "trial.parquet"], folder)
    return flags


def _rows(dataframe: Any, text: Any, label: Any, ids: Any) -> Any:
    """Return the columns that are counted, under the names by which the command knows them."""
    given = {"text": text, "label": label, "id": ids}
    columns = {name: F.col(column) if isinstance(column, str) else column for name, column in given.items() if column is not None}
    if ids is not None:
        columns["id"] = columns["id"].cast("string")
    rows = dataframe.select(*(column.alias(name) for name, column in columns.items()))
    names = T.StringType, T.IntegralType, T.BooleanType
    for name, kinds in (("text", (T.StringType,)), ("label", names)):
        if name not in columns:
            continue
        kind = rows.schema[name].dataType
        if not isinstance(kind.elementType if name == "label" and isinstance(kind, T.ArrayType) else kind, kinds):
            wanted = "strings" if name == "text" else "strings, whole numbers, booleans, or arrays of them: cast it"
            raise ValueError(f"{name} is a column of {kind.simpleString()}, and must be one of {wanted}")
    return rows


# ---- on executors ----


def _count(flags: list[str], batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the blocks of the statistics of a partition; none if it has no rows."""
    number = _partition()
    with _folder() as folder:
        rows = Path(folder, f"partition-{number}.parquet")
        if not _spool(batches, rows):
            return
        try:
            _run(["index", *flags, "--stats-only", "--threads=1", "--output=part.stats", rows.name], folder)
        except ValueError as e:
            raise type(e)(_placed(str(e))) from None
        rows.unlink()
        yield from _blocks_of(number, Path(folder, "part.stats"))


def _spool(batches: Iterable[pa.RecordBatch], path: Path) -> bool:
    """Write batches to a file that the command reads, and report whether they have a row."""
    writer, found = None, False
    try:
        for batch in batches:
            if writer is None:  # a page holds one text at least: the command reads pages of 64 MiB
                writer = pq.ParquetWriter(path, batch.schema, compression="none", use_dictionary=False, write_statistics=False, write_batch_size=1)
            writer.write_batch(batch)
            found = found or batch.num_rows > 0
    finally:
        if writer is not None:
            writer.close()
    return found


def _placed(message: str) -> str:
    """Return a message of the command with the partition and the row in place of the file."""
    message = re.sub(r"; --skip-bad .*", "; skip_bad=True leaves such rows out", message)
    return re.sub(r"partition-(\d+)\.parquet(?::(\d+))?", lambda at: f"partition {at[1]}" + (f", row {at[2]}" if at[2] else ""), message)


def _add(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the blocks of the sum of files whose blocks come in any order; none if there are no files."""
    with _folder() as folder:
        parts = set()
        for batch in batches:
            for part, place, data in zip(*batch.columns):
                path = Path(folder, f"{part.as_py():010}.stats")
                with path.open("r+b" if path in parts else "wb") as file:
                    file.seek(place.as_py())
                    file.write(data.as_buffer())
                parts.add(path)
        total = min(parts, default=None)
        if len(parts) > 1:  # rows count as often as they come
            total = Path(folder, "sum.stats")
            _run(["merge", "--allow-repeats", f"--temp-dir={folder}", f"--output={total.name}", *sorted(path.name for path in parts)], folder)
        if total is not None:
            yield from _blocks_of(_partition(), total)


def _blocks_of(part: int, path: Path) -> Iterator[pa.RecordBatch]:
    with path.open("rb") as file:
        for place in range(0, path.stat().st_size, _BLOCK):
            yield pa.RecordBatch.from_pydict({"part": [part], "place": [place], "data": [file.read(_BLOCK)]})


def _partition() -> int:
    """Return the number of the partition that this task has, from 0."""
    context = TaskContext.get()
    return 0 if context is None else context.partitionId()


def _folder() -> tempfile.TemporaryDirectory[str]:
    """Return a temporary folder on one of the disks that Spark clears where a worker was killed."""
    disks = [disk for disk in os.environ.get("SPARK_LOCAL_DIRS", "").split(",") if disk]
    return tempfile.TemporaryDirectory(prefix="termsift-", dir=disks[_partition() % len(disks)] if disks else None)


# ---- vectors ----

# What a column of pyspark.ml's vectors is of; type 0 is a sparse one.
_VECTOR = pa.struct([("type", pa.int8()), ("size", pa.int32()), ("indices", pa.list_(pa.int32())), ("values", pa.list_(pa.float64()))])


def transform(dataframe: Any, features: Features | str | os.PathLike[str], *, text: Any, weight: str = "tf", output: str = "features") -> Any:
    """Return the DataFrame with a column of vectors: those that the command transform writes for the texts.

    features are Features, or the path of a features file. The column has the type of pyspark.ml's vectors, all of them sparse, so
    that its estimators take it as it is. A text that is null fails the job, and the error has its partition and its row.
    """
    if output in dataframe.columns:
        raise ValueError(f"there is a column {output!r}: give the column of vectors another name by output")
    _rows(dataframe, text, None, None)  # to refuse what is no column of strings
    chosen = features if isinstance(features, Features) else Features.load(features)
    chosen.transform(["trial"], weight)

    def vectors(texts: Iterator[pa.Array]) -> Iterator[pa.Array]:
        return _vectors(chosen, weight, texts)

    udf: Any = arrow_udf  # its types know no vectors
    return dataframe.withColumn(output, udf(vectors, VectorUDT())(text))


def _vectors(features: Features, weight: str, batches: Iterator[pa.Array]) -> Iterator[pa.Array]:
    """Yield an array of vectors for each array of texts."""
    before = 0
    for texts in batches:
        if texts.null_count:
            row = before + texts.is_null().index(True).as_py() + 1
            raise ValueError(f"partition {_partition()}, row {row}: the text is null; give such rows one by DataFrame.fillna, or leave them out")
        rows, count = features.transform(texts, weight), len(texts)
        start = pa.array(rows.indptr, pa.int32())
        values = [
            pa.repeat(pa.scalar(0, pa.int8()), count),
            pa.repeat(pa.scalar(rows.shape[1], pa.int32()), count),
            pa.ListArray.from_arrays(start, pa.array(rows.indices, pa.int32())),
            pa.ListArray.from_arrays(start, pa.array(rows.data.astype("float64"))),
        ]
        yield pa.StructArray.from_arrays(values, fields=list(_VECTOR))
        before += count
