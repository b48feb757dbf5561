"""Corpora and settings on which termsift.sklearn gives what scikit-learn gives.

As a program it prints the digest of each case by scikit-learn: python3 dropin_cases.py BYTES, a line of JSON a case.
"""

import csv
import gzip
import hashlib
import io
import json
import os
import random
import re
import subprocess
import sys
import tarfile
import warnings
from functools import lru_cache
from pathlib import Path

import numpy as np

STOP = ["the", "The", "of", "to", "a", "état", "和", "new york", ""]

# (class, parameters); a vocabulary of None stands for words of the corpus.
SETTINGS = [
    ("Count", {}),
    ("Count", {"binary": True}),
    ("Count", {"lowercase": False}),
    ("Count", {"strip_accents": "unicode"}),
    ("Count", {"strip_accents": "ascii"}),
    ("Count", {"stop_words": "english"}),
    ("Count", {"stop_words": STOP}),
    ("Count", {"min_df": 2}),
    ("Count", {"min_df": 0.01, "lowercase": False}),
    ("Count", {"max_df": 0.07}),
    ("Count", {"min_df": 2, "max_df": 10}),
    ("Count", {"max_features": 100}),
    ("Count", {"max_features": 1000, "min_df": 2, "binary": True}),
    ("Count", {"ngram_range": (1, 2)}),
    ("Count", {"ngram_range": (2, 3), "min_df": 2}),
    ("Count", {"ngram_range": (1, 2), "stop_words": "english", "max_features": 500}),
    ("Count", {"token_pattern": r"(?u)\b\w+\b"}),
    ("Count", {"token_pattern": r"\S+"}),
    ("Count", {"token_pattern": r"[a-z]{3,}", "ngram_range": (1, 2)}),
    ("Count", {"token_pattern": r"#?(\w\w+)"}),
    ("Count", {"token_pattern": r"(?<!\d)\w+"}),
    ("Count", {"analyzer": "char"}),
    ("Count", {"analyzer": "char", "ngram_range": (2, 3), "strip_accents": "ascii"}),
    ("Count", {"analyzer": "char", "ngram_range": (1, 4), "max_features": 2000}),
    ("Count", {"analyzer": "char_wb", "ngram_range": (3, 5)}),
    ("Count", {"analyzer": "char_wb", "ngram_range": (1, 2), "strip_accents": "unicode", "dtype": np.int32}),
    ("Count", {"analyzer": "char_wb", "ngram_range": (2, 4), "lowercase": False, "max_df": 0.8}),
    ("Count", {"dtype": np.float32, "max_features": 300}),
    ("Count", {"vocabulary": None}),
    ("Count", {"vocabulary": None, "ngram_range": (1, 2), "dtype": np.uint8}),
    ("Tfidf", {}),
    ("Tfidf", {"norm": "l1", "stop_words": "english"}),
    ("Tfidf", {"norm": None, "smooth_idf": False}),
    ("Tfidf", {"use_idf": False, "sublinear_tf": True}),
    ("Tfidf", {"sublinear_tf": True, "min_df": 2, "dtype": np.float32}),
    ("Tfidf", {"ngram_range": (1, 2), "max_features": 1000}),
    ("Tfidf", {"analyzer": "char_wb", "ngram_range": (2, 4)}),
    ("Hashing", {}),
    ("Hashing", {"n_features": 512, "alternate_sign": False, "norm": "l1"}),
    ("Hashing", {"analyzer": "char_wb", "ngram_range": (3, 4), "binary": True, "norm": None, "n_features": 2**18}),
]

DATA = os.environ.get("TERMSIFT_DATA")
ROOT = Path(__file__).resolve().parents[4]


def newsgroups():
    with tarfile.open(Path(DATA, "20news-bydate.tar.gz")) as archive:
        for member in archive:
            if member.isfile():
                yield archive.extractfile(member).read().decode("latin-1")


def reuters():
    with tarfile.open(Path(DATA, "reuters21578.tar.gz")) as archive:
        for member in archive:
            if member.name.endswith(".sgm"):
                text = archive.extractfile(member).read().decode("latin-1")
                yield from re.findall(r"<BODY>(.*?)</BODY>", text, re.DOTALL)


def fudan():
    """Yield Chinese texts, of which a program that decompresses is asked for no more than are taken."""
    with subprocess.Popen(["zstd", "-dcq", "--long=27", str(Path(DATA, "fudan-corpus.tar.zst"))], stdout=subprocess.PIPE) as process:
        try:
            with tarfile.open(fileobj=process.stdout, mode="r|") as archive:
                for member in archive:
                    if member.isfile() and member.name.endswith(".txt"):
                        yield archive.extractfile(member).read().decode("gb18030", "replace")
        finally:
            process.kill()


def reviews():
    with gzip.open(Path(DATA, "online_shopping_10_cats.csv.gz")) as file:
        for row in csv.DictReader(io.TextIOWrapper(file, "utf-8")):
            yield row["review"]


def posts():
    """Yield short posts of several scripts, with emoji and all that is hard to lower-case, to strip and to split."""
    words = (
        "the new york lol @user #NLProc İstanbul IŞIK ΟΔΟΣ ΣΑΣ ὈΔΥΣΣΕΎΣ groß STRASSE ﬁne café cafe\u0301 naïve Ångström i̇ ǅ Ŀ ß ẞ "
        "x² ½ Ⅻ ٣٤٥ ४२ नमस्ते हिन्दी ภาษาไทย 日本語 한국어 각 ﷺ don't e-mail snake_case __init__ 3.14 10,000 "
        "👍 👩‍👩‍👧 🇫🇷 ❤️ ☕ 1️⃣ ½x ªº ʼn \u00ad so\u00adft zero\u200bwidth nb\u00a0sp \ufeff tab\tbed\t\t x\u2028y a\u0000b a\u001cb \u0345 𝓕𝓪𝓷𝓬𝔂 ꙮ Ꭰꭰ ა Ა"
    ).split(" ")
    source = random.Random(38)
    while True:
        between = source.choice(["", "\n", "  "]) if source.random() < 0.2 else " "
        yield between.join(source.choices(words, k=source.randint(0, 30)))


def code():
    for folder in (ROOT / "engine", ROOT / "cmd"):
        for path in sorted(folder.rglob("*.go")):
            yield path.read_text("utf-8")


# Without TERMSIFT_DATA there are only those that need no data.
CORPORA = {**({"20ng": newsgroups, "reuters": reuters, "fudan": fudan, "reviews": reviews} if DATA else {}), "posts": posts, "code": code}


@lru_cache(maxsize=2)
def corpus(name, size):
    """Return texts of a corpus, up to a size in characters, each cut to a tenth of it."""
    texts = []
    for text in CORPORA[name]():
        texts.append(text[: size // 10])
        size_now = sum(map(len, texts)) if len(texts) % 64 == 0 else 0
        if size_now >= size:
            break
    return texts


def vocabulary_of(texts):
    return sorted({word for text in texts[:20] for word in re.findall(r"\w+", text.lower())})[::3] + ["the", "of the"]


def made(module, number, texts, **more):
    """Return the vectorizer of a setting."""
    kind, parameters = SETTINGS[number]
    if "vocabulary" in parameters:
        words = list(dict.fromkeys(vocabulary_of(texts)))
        parameters = {**parameters, "vocabulary": words if "dtype" not in parameters else {w: len(words) - 1 - i for i, w in enumerate(words)}}
    return getattr(module, f"{kind}Vectorizer")(**parameters, **more)


def digest(vectorizer, texts):
    """Return a digest of all that a vectorizer learns of the first half of texts, and of its rows of both halves."""
    half = (len(texts) + 1) // 2
    found = hashlib.sha256()
    try:
        matrices = [vectorizer.fit_transform(texts[:half]), vectorizer.transform(texts[half:]), vectorizer.transform(texts[-1:])]
    except ValueError as e:
        return str(e)
    for X in matrices:
        found.update(repr((type(X).__name__, X.shape, X.dtype.str)).encode())
        for array in (X.indptr, X.indices, X.data):
            found.update(array.dtype.str.encode() + np.ascontiguousarray(array).tobytes())
    for term, column in getattr(vectorizer, "vocabulary_", {}).items():
        found.update(repr((term, type(column).__name__, int(column))).encode("utf-8", "surrogatepass"))
    found.update(repr(sorted(getattr(vectorizer, "stop_words_", ()))).encode())
    if getattr(vectorizer, "use_idf", False):
        found.update(vectorizer.idf_.dtype.str.encode() + vectorizer.idf_.tobytes())
    return found.hexdigest()


def main(size):
    from sklearn.feature_extraction import text

    warnings.simplefilter("ignore")
    for name in CORPORA:
        texts = corpus(name, size)
        for number in range(len(SETTINGS)):
            print(json.dumps([name, number, digest(made(text, number, texts), texts)]), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
