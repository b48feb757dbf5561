"""Formulas of one's own, where measures are named."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

import termsift
from termsift import Features, Statistics, TermSelector, TermVectorizer, rank, score

CHI = "mine=N*(A*D-B*C)^2/((A+B)*(C+D)*(A+C)*(B+D))"
TEXTS = ["moon orbit moon", "orbit launch moon", "god faith moon", "faith god god launch"]
LABELS = ["a", "a", "b", "b"]


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(39)
    x = sp.csr_matrix(random.poisson(0.4, (200, 300)))
    return x, random.choice(["a", "b", "c"], 200)


@pytest.mark.parametrize("combine", [None, "max", "avg", "sum", "mean", "class"])
def test_chi_written_as_a_formula_has_the_values_of_chi(data, combine):
    x, y = data
    np.testing.assert_allclose(score(x, y, by=CHI, combine=combine), score(x, y, by="chi", combine=combine), rtol=1e-12, atol=1e-12)


def test_tokens(data):
    x, y = data
    formula = "mine=T*(S*(T-cf-T_c+S)-(cf-S)*(T_c-S))^2/(cf*(T-cf)*T_c*(T-T_c))"
    np.testing.assert_allclose(score(x, y, by=formula), score(x, y, by="chitf"), rtol=1e-9)


def test_names_of_a_list_are_the_texts(data):
    x, y = data
    found = score(x, y, by=["chi", CHI, "most=max(A, B):sum"])
    assert list(found) == ["chi", CHI, "most=max(A, B):sum"]


def test_every_door():
    s = Statistics.of(TEXTS, LABELS)
    table = s.rank(by=CHI, top=2)
    assert list(table["term"]) == list(s.rank(by="chi", top=2)["term"])
    assert list(rank(TEXTS, LABELS, by=CHI, top=2)["term"]) == list(table["term"])
    assert list(s.select(CHI, k=2)) == list(s.select("chi", k=2))
    assert list(s.score(CHI)) == list(s.score("chi"))
    assert list(TermVectorizer(by=CHI, k=2).fit(TEXTS, LABELS).get_feature_names_out()) == list(
        TermVectorizer(by="chi", k=2).fit(TEXTS, LABELS).get_feature_names_out()
    )
    x = sp.csr_matrix([[1, 0, 2], [0, 1, 1], [3, 0, 0], [0, 2, 0]])
    selector = TermSelector(by="mine=A*D/(B*C)", k=1).fit(x, LABELS)
    assert list(selector.get_support()) == [False, False, True]
    assert selector.pvalues_ is None


def test_features_are_saved_with_the_formula(tmp_path):
    chosen = Statistics.of(TEXTS, LABELS).select("mine=A*D/(B*C)", k=2)
    chosen.save(tmp_path / "features.tsv")
    assert '"formula":"A*D/(B*C)"' in (tmp_path / "features.tsv").read_text()
    assert list(Features.load(tmp_path / "features.tsv")) == list(chosen)


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("mine=A*D/(B*Cc)", 'unknown name "Cc"; did you mean C?'),
        ("mine=A*/B", "a value is missing before /"),
        ("mine=", "the formula is empty"),
        ("chi=A", "chi is a measure already"),
        ("=A", "a formula has a name"),
        ("mine=A\u2212B", "write - for"),
        ("mine:avg=A", "the combination stands behind a formula: mine=A:avg"),
        ("mine=" + "(" * 2000 + "A" + ")" * 2000, "nested 100 levels deep at most"),
        ("mine=" + "(" * 10_000 + "A" + ")" * 10_000, "a formula has 10000 bytes at most"),
    ],
)
def test_errors(data, by, message):
    x, y = data
    for call in (lambda: score(x, y, by=by), lambda: TermSelector(by=by, k=1).fit(x, y), lambda: rank(x, y, by=by)):
        with pytest.raises(ValueError) as e:
            call()
        assert message in str(e.value)


def test_the_caret_stands_below_its_place(data):
    with pytest.raises(ValueError) as e:
        score(*data, by="mine=A*D/(B*Cc)")
    lines = str(e.value).split("\n")
    assert lines[1:] == ["  mine=A*D/(B*Cc)", " " * 14 + "^"]


def test_p_values_are_refused(data):
    with pytest.raises(ValueError, match="no p-values of the formula mine"):
        Statistics.of(TEXTS, LABELS).rank(by="mine=A", pvalues=True)


@pytest.mark.parametrize(("by", "message"), [("mine=1/0", "same value for all terms, inf"), ("mine=1/0-1/0", "300 terms have an undefined value")])
def test_what_orders_nothing_is_told(data, by, message):
    x, y = data
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        values = score(x, y, by=by)
    assert any(message in str(w.message) for w in told)
    assert np.isinf(values).all() or np.isnan(values).all()
    assert termsift.measures()["name"][0] == "df"
