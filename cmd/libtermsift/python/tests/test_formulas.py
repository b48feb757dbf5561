"""Formulas of one's own, where measures are named."""

import numpy as np
import pytest
import scipy.sparse as sp

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


def test_the_caret_stands_below_its_place(data):
    for call in (lambda: score(*data, by="mine=A*D/(B*Cc)"), lambda: TermSelector(by="mine=A*D/(B*Cc)", k=1).fit(*data), lambda: rank(*data, by="mine=A*D/(B*Cc)")):
        with pytest.raises(ValueError, match='unknown name "Cc"; did you mean C?') as e:
            call()
        assert str(e.value).split("\n")[1:] == ["  mine=A*D/(B*Cc)", " " * 14 + "^"]
