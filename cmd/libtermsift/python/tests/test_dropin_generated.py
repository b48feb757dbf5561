"""termsift.sklearn against scikit-learn on generated texts and settings."""

import os

import numpy as np
import pytest

hypothesis = pytest.importorskip("hypothesis")

from hypothesis import strategies as st  # noqa: E402
from test_dropin import check  # noqa: E402

EXAMPLES = 20_000 if os.environ.get("TERMSIFT_HEAVY") == "1" else 250

# What is hard to lower-case, to strip of accents, to split or to join.
HARD = (
    "aAbBzZ019_ .,'-#@\t\n\r\x0b\x0c\x1c\x1f\x85\xa0\u2003\u2028\u3000\u200b\ufeff\xad\0éÉß\u1e9eİıΣσςΑάὈ\u0301\u0345\u034f\u0300\u093f"
    "ﬁǅĿŉ½²Ⅻ٣四日本한각🙂\u200d👩\U0001d4d5\U00010330\u0b71\u30fb\ufdfa\u0130\u2160\u24b6\ua64a\u10a0\u13a0\uab70"
)
WORDS = st.sampled_from(["to", "The", "orbit", "bread", "ΟΔΟΣ", "İstanbul", "café", "x2", "a", "日本語", "_", "don't"])
TEXT = st.one_of(
    st.text(st.sampled_from(HARD), max_size=40),
    st.lists(WORDS, max_size=20).map(" ".join),
    st.text(st.one_of(st.sampled_from(HARD), st.characters()), max_size=20),
)
DOCUMENTS = st.lists(TEXT, min_size=0, max_size=12)
NUMBER_OR_SHARE = st.one_of(st.integers(1, 4), st.sampled_from([0.0, 0.07, 0.25, 0.5, 1 / 3, 0.9, 1.0]))


@st.composite
def ranges(draw):
    low = draw(st.integers(1, 4))
    return low, low + draw(st.integers(0, 3))


COMMON = {
    "analyzer": st.sampled_from(["word", "word", "char", "char_wb"]),
    "ngram_range": st.one_of(st.just((1, 1)), ranges()),
    "lowercase": st.booleans(),
    "strip_accents": st.sampled_from([None, None, "unicode", "ascii"]),
    "stop_words": st.one_of(st.none(), st.just("english"), st.lists(WORDS)),
    "token_pattern": st.sampled_from([r"(?u)\b\w\w+\b"] * 4 + [r"(?u)\b\w+\b", r"\w+|[^\w\s]", r"\S+", r"[^\W\d_]+", r"(\w)\w*", r"\d+", r"(?i)[a-z]+"]),
    "binary": st.booleans(),
    "dtype": st.sampled_from([np.float64, np.float64, np.int64, np.float32, np.int32, np.uint8]),
}
FITTED = {
    **COMMON,
    "min_df": st.one_of(st.just(1), NUMBER_OR_SHARE),
    "max_df": st.one_of(st.just(1.0), NUMBER_OR_SHARE),
    "max_features": st.one_of(st.none(), st.integers(1, 30)),
    "vocabulary": st.one_of(st.none(), st.none(), st.lists(WORDS, unique=True, max_size=6)),
}
SETTINGS = {
    "CountVectorizer": FITTED,
    "TfidfVectorizer": {
        **FITTED, "norm": st.sampled_from(["l2", "l1", None]), "use_idf": st.booleans(), "smooth_idf": st.booleans(), "sublinear_tf": st.booleans(),
    },
    "HashingVectorizer": {
        **COMMON, "norm": st.sampled_from(["l2", "l1", None]), "alternate_sign": st.booleans(), "n_features": st.sampled_from([1, 2, 7, 2**10, 2**20]),
    },
}


@pytest.mark.parametrize("kind", SETTINGS)
@hypothesis.settings(max_examples=EXAMPLES, deadline=None, derandomize=EXAMPLES < 1000, suppress_health_check=list(hypothesis.HealthCheck), database=None)
@hypothesis.given(data=st.data())
def test_generated(kind, data):
    parameters = data.draw(st.fixed_dictionaries({}, optional=SETTINGS[kind]))
    fitted, counted = data.draw(DOCUMENTS), data.draw(DOCUMENTS)
    n_jobs = data.draw(st.sampled_from([None, 2]))
    with np.errstate(all="ignore"):
        check(kind, lambda: fitted, lambda: counted, lambda: counted * 60, n_jobs=n_jobs, **parameters)
