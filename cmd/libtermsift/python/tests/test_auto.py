"""tokens="auto": the texts decide once, it is said, and all doors decide alike."""

import pickle
import warnings

import numpy as np
import pytest

from termsift import Keyness, Statistics, TermVectorizer, _library

CHINESE = ["今天月亮很圆", "月亮上有兔子", "面包很好吃", "我爱吃面包"]
ENGLISH = ["the moon is round", "a hare on the moon", "bread is good", "I like bread"]
LABELS = ["space", "space", "food", "food"]
HAN = "most letters at the beginning are Han: tokens are zh-bigrams"


@pytest.fixture(autouse=True)
def told_nothing():
    """A process tells a note once: each test is one."""
    _library._told.clear()


def test_a_note_is_told_once_at_the_callers_line():
    model_selection = pytest.importorskip("sklearn.model_selection")
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    model = make_pipeline(TermVectorizer(k=2), LogisticRegression())
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model_selection.GridSearchCV(model, {"termvectorizer__k": [1, 2, 3]}, cv=2).fit(CHINESE * 3, LABELS * 3)
        Statistics.of(CHINESE, LABELS)
    notes = [w for w in told if HAN in str(w.message)]
    assert [w.filename for w in notes] == [__file__] and "to name tokens silences this" in str(notes[0].message)
    with warnings.catch_warnings(record=True) as told:  # what a call says of its data is told again
        warnings.simplefilter("always")
        for _ in range(2):
            Statistics.of(CHINESE[:2], [1, None], target="stars", tokens="zh-bigrams")
    assert len(told) == 2 and {w.filename for w in told} == {__file__}


def counted(texts, labels=LABELS, **options):
    """Return Statistics without a warning of what was decided."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return Statistics.of(texts, labels, **options)


def test_texts_decide_and_that_is_said():
    with pytest.warns(UserWarning, match=HAN):
        s = Statistics.of(CHINESE, LABELS)
    assert s.analysis["tokens"] == "zh-bigrams" and "月亮" in s.terms
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Statistics.of(CHINESE, LABELS, tokens="words").analysis["tokens"] == "words"
        assert Statistics.of(ENGLISH, LABELS).analysis["tokens"] == "words"
        assert Statistics.of(["12 .", "!"], ["a", "b"]).analysis["tokens"] == "words"


def test_parts_are_alike_by_like():
    whole, part = counted(CHINESE), counted(ENGLISH)
    with pytest.raises(ValueError, match=r"tokens of the first is \"zh-bigrams\", that of the other \"words\".*by name.*like=other\) takes"):
        whole + part
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        both = whole + Statistics.of(ENGLISH, LABELS, like=whole)
    assert both.documents == 8 and {"月亮", "moon"} <= set(both.terms)
    options = {"stop": ["the", "月亮"], "ngrams": (1, 2), "strip_accents": "unicode", "keep_case": True, "tokens": "words", "max_token": 9}
    other = counted(ENGLISH, **options)
    same = Statistics.of(["The cafe\u0301"], ["food"], like=other)
    assert same.analysis == other.analysis and list((same + other).terms).count("cafe") == 1
    assert "The" not in same.terms, "stop words match in any case"
    again = Statistics.from_bytes(whole.to_bytes())
    assert again.analysis == whole.analysis == pickle.loads(pickle.dumps(whole)).analysis


def test_bad_like():
    with pytest.raises(ValueError, match="like is the analysis of other texts, and tokens says another one"):
        Statistics.of(ENGLISH, LABELS, like=counted(ENGLISH), tokens="words")
    with pytest.raises(ValueError, match="like must be Statistics or a Corpus, not str"):
        Statistics.of(ENGLISH, LABELS, like="words")


def test_keyness_counts_both_sides_alike():
    with pytest.warns(UserWarning, match=HAN):
        k = Keyness(CHINESE, ENGLISH, top="all", max_p=1, min_freq=1)
    assert {"月亮", "moon"} <= set(k.terms_)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="most letters")
        warnings.filterwarnings("ignore", message="the reference is statistics")
        assert "今天月亮很圆" in Keyness(ENGLISH, CHINESE, top="all", max_p=1, min_freq=1).terms_
        assert "月亮" in Keyness(ENGLISH, counted(CHINESE), top="all", max_p=1, min_freq=1).terms_
    with pytest.raises(ValueError, match="tokens of the target.*by name"):
        Keyness(ENGLISH, counted(CHINESE), tokens="words")


def test_options_of_characters():
    s = Statistics.of(["Ab c"], ["x"], tokens="char_wb", ngrams=(2, 3), keep_case=True)
    assert set(s.terms) == {" A", "Ab", "b ", " Ab", "Ab ", " c", "c ", " c "}
    s = Statistics.of(["a.b @c-d"], ["x"], tokens=r"pattern:@(\S+)")
    assert list(s.terms) == ["c-d"]
    with pytest.raises(ValueError, match="no look-around"):
        Statistics.of(["a"], ["x"], tokens="pattern:(?=a)")


def test_vectorizer_decides_once():
    with pytest.warns(UserWarning, match=HAN):
        v = TermVectorizer(k="all").fit(CHINESE, LABELS)
    assert v.tokens == "auto" and v.tokens_ == "zh-bigrams" and "月亮" in v.terms_
    assert pickle.loads(pickle.dumps(v)).tokens_ == "zh-bigrams"
    np.testing.assert_array_equal(v.transform(["moon月亮"]).sum(), 1)
    _library._told.clear()
    with pytest.warns(UserWarning, match=HAN):
        v = TermVectorizer(k="all").partial_fit(CHINESE, LABELS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        v.partial_fit(ENGLISH, LABELS)
    assert v.tokens_ == "zh-bigrams" and {"月亮", "moon"} <= set(v.terms_)
    v = TermVectorizer(k="all", tokens="char", ngrams=(1, 1), keep_case=True, strip_accents="unicode").fit(["Éa"], ["x"])
    assert set(v.terms_) == {"E", "a"} and v.tokens_ == "char"
