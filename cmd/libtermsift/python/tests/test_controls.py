"""Classes compared within the values of a control."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from termsift import Statistics, rank, score

TEXTS = ["slow phone", "slow and dear phone", "fine phone", "slow heater", "dear heater", "fine heater", "fine and slow heater", "good heater"]
LABELS = ["bad", "bad", "good", "bad", "bad", "good", "good", "good"]
MAKERS = ["x", "x", "x", "y", "y", "y", "y", "y"]


def exact(has, is_class, strata):
    """The chi-square of Mantel and Haenszel, and the common odds ratio."""
    delta = variance = r = s = 0.0
    for h in set(strata):
        rows = [i for i, v in enumerate(strata) if v == h]
        n = len(rows)
        a = sum(has[i] and is_class[i] for i in rows)
        b, c = sum(has[i] for i in rows) - a, sum(is_class[i] for i in rows) - a
        d = n - a - b - c
        r, s = r + a * d / n, s + b * c / n
        if n > 1:
            delta += a - (a + b) * (a + c) / n
            variance += (a + b) * (c + d) * (a + c) * (b + d) / (n * n * (n - 1))
    return delta * delta / variance if variance else 0.0, r / s if s else (math.inf if r else math.nan)


def counted(seed, documents=60, terms=12, classes=3):
    r = np.random.default_rng(seed)
    X = csr_matrix(r.poisson(0.6, (documents, terms)))
    return X, r.integers(0, classes, documents), [f"h{i}" for i in r.integers(0, 4, documents)]


@pytest.mark.parametrize("classes", [2, 3, 14])
def test_score_is_exact(classes):
    X, y, strata = counted(classes, classes=classes)
    values = score(X, y, by=["mh", "ormh", "chi"], combine="class", control=strata)
    plain = score(X, y, by="chi", combine="class")
    for k, label in enumerate(np.unique(y)):
        for t in range(X.shape[1]):
            want = exact((X[:, [t]].toarray().ravel() > 0).tolist(), (y == label).tolist(), strata)
            np.testing.assert_allclose([values["mh"][k, t], values["ormh"][k, t]], want, rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(values["chi"], plain)
    largest = score(X, y, by="mh", control=strata, n_jobs=2)
    np.testing.assert_array_equal(largest, values["mh"].max(axis=0))
    assert (score(X, y, by="mh", control=strata, continuity=True) <= largest).all()


def test_rank_of_texts_and_matrices():
    table = rank(TEXTS, LABELS, by="mh", control=MAKERS, pvalues=True)
    by_term = {(row["class"], row["term"]): row for row in (dict(zip(table.columns, r)) for r in zip(*(table[c] for c in table.columns)))}
    for term in ["slow", "fine", "heater"]:
        want = exact([term in text.split() for text in TEXTS], [label == "bad" for label in LABELS], MAKERS)[0]
        assert by_term["bad", term]["value"] == pytest.approx(want, rel=1e-12, abs=1e-15)
    assert by_term["bad", "fine"]["sign"] == -1 and by_term["bad", "heater"]["p"] == 1
    X, y, strata = counted(1)
    again = rank(X, y, by="ormh", control=strata)
    assert sorted(set(np.asarray(again["class"]).tolist())) == [0, 1, 2]


def test_statistics_add_up():
    whole = Statistics.of(TEXTS, LABELS, control=MAKERS, tokens="words")
    parts = Statistics.of(TEXTS[:4], LABELS[:4], control=MAKERS[:4], tokens="words") + Statistics.of(TEXTS[4:], LABELS[4:], control=MAKERS[4:], tokens="words")
    one, both = whole.rank("mh"), parts.rank("mh")
    assert [list(one[c]) for c in one.columns] == [list(both[c]) for c in both.columns]
    with pytest.raises(ValueError, match="the control of the first is"):
        whole + Statistics.of(TEXTS, LABELS, tokens="words")


@pytest.mark.parametrize(
    ("control", "message"),
    [
        (None, "mh compares classes among documents of one value: give these as control"),
        (["x"], "has 1 texts for 8 documents"),
        ([*MAKERS[:7], None], r"control\[7\] is None: leave out the documents without a value"),
        ([*MAKERS[:7], float("nan")], r"control\[7\] is nan"),
        ("maker", "control must be a sequence"),
        (range(8), "no two of the 8 documents have the same value of the control"),
        ([*MAKERS[:7], "a\x1fb"], "has the character|stands between a class and a stratum"),
    ],
)
def test_bad_controls(control, message):
    with pytest.raises(ValueError, match=message):
        rank(TEXTS, LABELS, by="mh", control=control)
