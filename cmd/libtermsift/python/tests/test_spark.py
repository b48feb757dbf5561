"""termsift.spark on a small cluster. The tests named gate are those of every change; the others take minutes."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("needs java", allow_module_level=True)

from pyspark import TaskContext
from pyspark.ml.classification import NaiveBayes
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import termsift
import termsift.spark
from termsift._command import _run

SCHEMA = "id string, labels array<string>, text string"
COLUMNS = {"text": "text", "label": "labels", "ids": "id"}
MAX_RESULT = 16 << 20


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    java = f"-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djava.io.tmpdir={tmp_path_factory.mktemp('java')}"
    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable, JAVA_TOOL_OPTIONS=java)
    os.environ.pop("JAVA_HOME", None)  # the java in PATH was looked for
    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.maxResultSize": MAX_RESULT}
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config(map=settings)
    with builder.getOrCreate() as session:
        session.sparkContext.setLogLevel("OFF")
        yield session


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    """A folder with 5 MB of documents in 8 files of very different sizes, two of them without a row or a term."""
    folder, draw = tmp_path_factory.mktemp("shards"), random.Random(1)
    for shard, documents in enumerate([6000, 3000, 1500, 800, 400, 200, 3, 0]):
        with Path(folder, f"{shard}.jsonl").open("w") as out:
            for i in range(documents):
                text = " ".join(f"w{int(draw.paretovariate(0.4)) % 50000}" for _ in range(70)) if documents > 3 else "..."
                labels = draw.sample(["bread", "moon", "tax"], draw.choice([0, 1, 1, 2]))
                out.write(json.dumps({"id": f"{shard}-{i}", "labels": labels, "text": text}) + "\n")
    return folder


def command(*arguments):
    _run([str(argument) for argument in arguments])


def without_hash(features):
    """Return a features file without the hash of its input, and the seal, which depends on it."""
    return re.sub(rb'"(input_hash|sum)":"[0-9a-f]{16}"', b"", features)


def check(got, want):
    """Compare statistics in all that they count, and in what is selected from them."""
    assert (got.documents, got.classes.tolist(), got.class_documents.tolist()) == (want.documents, want.classes.tolist(), want.class_documents.tolist())
    assert got.terms.tolist() == want.terms.tolist()
    a, b = np.frombuffer(got.to_bytes(), np.uint8), np.frombuffer(want.to_bytes(), np.uint8)
    assert len(a) == len(b) and np.count_nonzero(a != b) <= 24  # the hash of the input in letters, and a checksum of it
    for measure in ("chi", "ig", "ttest"):
        assert without_hash(got.select(measure, 1000).to_bytes()) == without_hash(want.select(measure, 1000).to_bytes())


def test_gate_counts_and_vectors_are_those_of_the_command(spark, shards, tmp_path):
    rows = spark.read.json(str(shards), schema=SCHEMA)
    total = termsift.spark.statistics(rows, **COLUMNS)
    total.save(tmp_path / "all.stats")
    assert os.listdir(tmp_path) == ["all.stats"] and repr(total) == f"<termsift.spark.Sum: {(tmp_path / 'all.stats').stat().st_size} bytes of statistics>"
    inputs = sorted(shards.glob("[0-6].jsonl"))
    command("index", "--stats-only", "--tokens=words", "-o", tmp_path / "one.stats", *inputs)
    check(termsift.Statistics.load(tmp_path / "all.stats"), termsift.Statistics.load(tmp_path / "one.stats"))

    command("select", "--by=chi", "-k", "500", "-o", tmp_path / "f.tsv", tmp_path / "one.stats")
    command("transform", "--features", tmp_path / "f.tsv", "--weight=tfidf", "--to=jsonl", "-o", tmp_path / "vectors.jsonl", *inputs)
    features = termsift.Features.load(tmp_path / "f.tsv")
    column = {term: i for i, term in enumerate(features.terms)}
    want = {}
    for line in (tmp_path / "vectors.jsonl").read_text().splitlines():
        row = json.loads(line)
        want[row["id"]] = {column[term]: float(np.float32(value)) for term, value in row["features"].items()}
    vectors = termsift.spark.transform(rows, tmp_path / "f.tsv", text="text", weight="tfidf").select("id", "features").collect()
    assert {row.id: dict(zip(row.features.indices.tolist(), row.features.values.tolist())) for row in vectors} == want
    assert {row.features.size for row in vectors} == {500}


@pytest.mark.parametrize("partitions", ["1", "3", "300", "skew"])
def test_any_partitioning(spark, shards, tmp_path, partitions):
    rows = spark.read.json(str(shards), schema=SCHEMA)
    one = F.when(F.col("id") == "0-0", 1).otherwise(2)  # all but a row in one of 40 partitions, and 38 empty ones
    rows = rows.repartition(40, one) if partitions == "skew" else rows.repartition(int(partitions))
    command("index", "--stats-only", "--tokens=words", "--ngrams=1-2", "-o", tmp_path / "one.stats", *sorted(shards.glob("[0-6].jsonl")))
    check(termsift.spark.statistics(rows, **COLUMNS, ngrams=(1, 2)).load(), termsift.Statistics.load(tmp_path / "one.stats"))


def test_more_than_the_driver_may_collect(spark, tmp_path):
    words = F.expr("transform(sequence(0, 24), i -> hex(xxhash64(id * 25 + i)))")  # which Spark cannot compress
    rows = spark.range(0, 60_000, 1, 12).select(F.concat_ws(" ", words).alias("text"), (F.col("id") % 3).alias("label"))
    total = termsift.spark.statistics(rows, text="text", label="label")
    assert total.size > MAX_RESULT
    with pytest.raises(Exception, match="spark.driver.maxResultSize"):
        total._blocks.collect()
    total.save(tmp_path / "all.stats")
    got = termsift.Statistics.load(tmp_path / "all.stats")
    assert (got.documents, len(got.terms), got.classes.tolist()) == (60_000, 1_500_000, ["0", "1", "2"])


ADDS = """
import resource, sys
from pathlib import Path
import pyarrow as pa
from termsift.spark import _add, _blocks_of
def batches():
    for part in range(200):
        yield from _blocks_of(part, Path(sys.argv[1]))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
size = sum(len(batch["data"][0].as_py()) for batch in _add(batches()))
print(size, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_memory_of_a_merge(tmp_path):
    with Path(tmp_path, "d.jsonl").open("w") as out:
        for i in range(5000):
            out.write(json.dumps({"labels": ["a"], "text": " ".join(f"word{40 * i + j}" for j in range(40))}) + "\n")
    command("index", "--stats-only", "--tokens=words", "-o", tmp_path / "s.stats", tmp_path / "d.jsonl")
    assert (tmp_path / "s.stats").stat().st_size > 1_500_000  # of which 200 come
    done = subprocess.run([sys.executable, "-c", ADDS, tmp_path / "s.stats"], capture_output=True, text=True, check=True)
    size, grown, of_command = map(int, done.stdout.split())  # the last one is no less than Python's own memory, 150 MB
    assert size > 1_500_000 and grown < 40_000 and of_command < 200_000, done.stdout


def test_failed_rows(spark):
    rows = spark.range(0, 40, 1, 4).select(F.col("id").alias("n"), F.when(F.col("id") != 25, "some text").alias("text"), F.lit("a").alias("label"))
    failed = 'partition 2, row 6: the document is not understood: its "text" is null; skip_bad=True leaves such rows out'
    with pytest.raises(Exception, match=re.escape(failed)):
        termsift.spark.statistics(rows, text="text", label="label")
    assert termsift.spark.statistics(rows, text="text", label="label", skip_bad=True).load().documents == 39
    features = termsift.Statistics.of(["some text", "other"], ["a", "b"]).select("chi", 2)
    with pytest.raises(Exception, match="partition 2, row 6: the text is null; give such rows one by DataFrame.fillna, or leave them out"):
        termsift.spark.transform(rows, features, text="text").collect()


def dying(folder, process, times):
    """Return a function that kills the Python worker, or the executor, of the first tasks that call it."""

    def pass_on(batches):
        number = TaskContext.get().partitionId()
        mark = Path(folder, str(number))
        if number in times and not mark.exists():
            mark.touch()
            victim = os.getpid()
            while Path(f"/proc/{victim}/comm").read_text().strip() != process and process == "java":
                victim = int(Path(f"/proc/{victim}/stat").read_text().rpartition(")")[2].split()[1])
            os.kill(victim, signal.SIGKILL)
        yield from batches

    return pass_on


@pytest.mark.parametrize("process", ["java", "python"])
def test_killed_while_it_counts(spark, shards, tmp_path, process):
    rows = spark.read.json(str(shards), schema=SCHEMA).repartition(8)
    killed = rows.mapInArrow(dying(tmp_path, process, [1, 5]), SCHEMA)
    got = termsift.spark.statistics(killed, **COLUMNS).load()
    assert sorted(os.listdir(tmp_path)) == ["1", "5"]
    check(got, termsift.spark.statistics(rows, **COLUMNS).load())


def test_killed_before_the_sum_is_saved(spark, shards, tmp_path):
    rows = spark.read.json(str(shards), schema=SCHEMA).repartition(8)
    total = termsift.spark.statistics(rows, **COLUMNS)
    want = total.load()
    total._blocks.mapInArrow(dying(tmp_path, "java", [0]), total._blocks.schema).count()  # where they are
    assert os.listdir(tmp_path) == ["0"]
    check(total.load(), want)


def test_labels(spark):
    rows = spark.createDataFrame([("to bake bread", 1, True, ["a", "b"]), ("to orbit", None, False, [])], "text string, n int, yes boolean, names array<string>")
    for label, want in {"n": {"1": 1}, "yes": {"false": 1, "true": 1}, "names": {"a": 1, "b": 1}, None: {}}.items():
        got = termsift.spark.statistics(rows, text="text", label=label).load()
        assert dict(zip(got.classes.tolist(), got.class_documents.tolist())) == want
    got = termsift.spark.statistics(rows, text=F.upper("text"), label="yes", keep_case=True, local_min_df=2).load()
    assert got.documents == 2 and set(got.terms.tolist()) <= {"TO"}


def test_vectors_are_those_of_pyspark_ml(spark):
    rows = spark.createDataFrame([("to bake bread", 0.0), ("bread and salt", 0.0), ("to orbit", 1.0), ("", 1.0)], "text string, y double")
    features = termsift.spark.statistics(rows, text="text", label=F.col("y").cast("int")).load().select("chi", k=3)
    vectors = termsift.spark.transform(rows, features, text="text", output="v")
    assert NaiveBayes(featuresCol="v", labelCol="y").fit(vectors).numFeatures == 3
    with pytest.raises(ValueError, match="text is a column of double, and must be one of strings"):
        termsift.spark.transform(rows, features, text="y")
    with pytest.raises(ValueError, match="there is a column 'text': give the column of vectors another name by output"):
        termsift.spark.transform(rows, features, text="text", output="text")


BAD = [
    ({"text": "n"}, "text is a column of int, and must be one of strings"),
    ({"label": "x"}, "label is a column of double, and must be one of strings, whole numbers, booleans, or arrays of them: cast it"),
    ({"text": "tekst"}, "tekst"),
    ({"min_df": 2}, "min_df needs the documents of all partitions"),
    ({"dedupe": True}, "dedupe needs the documents of all partitions"),
    ({"tokens": "auto"}, 'each partition decides by its own texts: name them, as tokens="words"'),
    ({"ngram": 2}, "unknown flag: --ngram; did you mean --ngrams?"),
    ({"local_min_df": -1}, "-1"),
]


@pytest.mark.parametrize(("options", "says"), BAD)
def test_bad_input(spark, options, says):
    rows = spark.createDataFrame([("text", 1, 0.5, "a")], "text string, n int, x double, label string")
    with pytest.raises(Exception, match=re.escape(says)):
        termsift.spark.statistics(rows, **{"text": "text", "label": "label", **options})


def test_no_rows(spark, tmp_path):
    rows = spark.createDataFrame([], SCHEMA)
    with pytest.raises(ValueError, match="the DataFrame has no rows: nothing to count"):
        termsift.spark.statistics(rows, **COLUMNS)
    total = termsift.spark.statistics(spark.createDataFrame([("a", ["b"], "")], SCHEMA), **COLUMNS)
    with pytest.raises(OSError):
        total.save(tmp_path / "missing" / "all.stats")
    assert len(total.load().terms) == 0
    total.unpersist()
    assert total.load().documents == 1


def test_the_page(spark, shards, tmp_path, monkeypatch):
    """What the page of recipes has the user type gives the features of one select."""
    page = Path(__file__).parents[3] / "termsift" / "recipes" / "python.md"
    program = re.search(r"## Spark\n.*?```python\n(.*?)```", page.read_text(), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    Path("shards").symlink_to(shards)
    exec(re.sub('"(shards|vectors)"', rf'"{tmp_path}/\1"', program[1]), {})  # Java stays in its folder
    command("select", "--by=chi", "-k", "1000", "--tokens=words", "-o", "one.tsv", *sorted(Path("shards").glob("[0-6].jsonl")))
    assert without_hash(Path("features.tsv").read_bytes()) == without_hash(Path("one.tsv").read_bytes())
    assert spark.read.parquet(str(tmp_path / "vectors")).count() == 11_903
