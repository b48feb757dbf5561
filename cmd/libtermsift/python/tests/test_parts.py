"""Statistics of parts of a whole, as workers count them: ids, pickles, errors that travel."""

import json
import os
import pickle
import subprocess
import warnings
from functools import reduce
from io import BytesIO
from operator import add

import numpy as np
import pytest

import termsift
from termsift import Statistics

TEXTS = ["the probe left orbit", "an orbit of the moon", "bake the bread", "Brot und Salz für alle", ""]
LABELS = [["space"], ["moon", "space"], ["food"], [], ["food"]]
IDS = ["a/1", 'b "2"', 3, np.int64(4), "fünf"]


def test_ids_give_the_bytes_of_the_command(tmp_path):
    lines = [{"id": str(name), "labels": labels, "text": text} for name, labels, text in zip(IDS, LABELS, TEXTS)]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    index = [os.environ["TERMSIFT_COMMAND"], "index", "--stats-only", "--quiet", "--tokens", "words", "x.jsonl", "-o", "x.stats"]
    subprocess.run(index, cwd=tmp_path, check=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        parts = [Statistics.of([text], [labels], ids=[name], tokens="words") for text, labels, name in zip(TEXTS, LABELS, IDS)]
    assert reduce(add, parts).to_bytes() == (tmp_path / "x.stats").read_bytes()
    assert Statistics.of(TEXTS, LABELS, ids=np.array(IDS, dtype=object), tokens="words").to_bytes() == (tmp_path / "x.stats").read_bytes()
    assert Statistics.of(TEXTS, LABELS, tokens="words").to_bytes() != (tmp_path / "x.stats").read_bytes()


def test_the_same_documents_twice():
    part, copy, other = [Statistics.of(texts, ["a", "b"], tokens="words") for texts in (TEXTS[:2], TEXTS[:2], TEXTS[1:3])]
    with pytest.warns(UserWarning, match="of the same 2 documents, which count twice"):
        assert (part + copy).documents == 4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (part + other).documents == 4


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["a"], "there are 5 texts, and 1 ids"),
        ([*IDS[:4], None], r"ids\[4\] is None: give each text a name, or leave ids out"),
        ([*IDS[:4], float("nan")], r"ids\[4\] is nan"),
        ("abcde", "ids must be a sequence with a name for each text, not 'abcde'"),
        (7, "ids"),
    ],
)
def test_bad_ids(ids, message):
    with pytest.raises(ValueError, match=message):
        Statistics.of(TEXTS, LABELS, ids=ids)


class Watching(pickle.Unpickler):
    """An unpickler that knows which modules a pickle needs."""

    def __init__(self, data):
        super().__init__(BytesIO(data))
        self.modules = set()

    def find_class(self, module, name):
        self.modules.add(module.split(".")[0])
        return super().find_class(module, name)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_are_the_bytes_of_files(protocol):
    """Every Python reads them, whatever version of numpy it has."""
    statistics = Statistics.of(TEXTS, LABELS, tokens="words")
    for made in (statistics, statistics.select("chi", 2)):
        read = Watching(pickle.dumps(made, protocol))
        assert read.load().to_bytes() == made.to_bytes()
        assert read.modules <= {"termsift", "builtins", "__builtin__", "copyreg", "copy_reg", "_codecs"}


def test_errors_pickle():
    """Engines send them from the workers."""
    for error in (termsift.CorruptFileError, termsift.ForkedError, termsift.HelperError, termsift.InternalError, termsift.NothingFoundError):
        again = pickle.loads(pickle.dumps(error("what happened")))
        assert type(again) is error and str(again) == "what happened"
    with pytest.raises(ValueError, match="is no file of statistics|TERMSSTA") as caught:
        Statistics.from_bytes(b"xx")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_parts_may_lack_classes_and_terms():
    whole = Statistics.of(TEXTS, LABELS, ids=IDS, tokens="words")
    with pytest.warns(UserWarning, match="no document has a label, so there are no classes"):
        unlabelled = Statistics.of(TEXTS[3:4], LABELS[3:4], ids=IDS[3:4], tokens="words")
    with pytest.warns(UserWarning, match="none of the 1 documents has a term"):
        empty = Statistics.of(TEXTS[4:], LABELS[4:], ids=IDS[4:], tokens="words")
    assert (Statistics.of(TEXTS[:3], LABELS[:3], ids=IDS[:3], tokens="words") + unlabelled + empty).to_bytes() == whole.to_bytes()
    for texts, labels in [(TEXTS[3:4], LABELS[3:4]), (TEXTS[4:], LABELS[4:])]:
        with pytest.raises(ValueError, match="no document has a label|has a term"):
            Statistics.of(texts, labels, tokens="words")
