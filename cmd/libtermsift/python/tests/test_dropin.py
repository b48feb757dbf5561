"""Tests of termsift.sklearn beside scikit-learn: parameters, ways, errors, pickles."""

import copy
import io
import json
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction import text

import termsift
import termsift.sklearn as ours

KINDS = ["CountVectorizer", "TfidfVectorizer", "HashingVectorizer"]
DOCUMENTS = ["to the Orbit", "to bake bread, to bake", "", "orbit ORBIT the day"]


def same(a, b):
    """Fail unless two matrices are the same to the order of their elements."""
    assert (type(a), a.shape, a.dtype) == (type(b), b.shape, b.dtype)
    for name in ("indptr", "indices", "data"):
        left, right = getattr(a, name), getattr(b, name)
        assert left.dtype == right.dtype, name
        np.testing.assert_array_equal(left, right, name)


def outcome(call):
    """Return what a call returns or raises, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = call()
        except Exception as e:
            result = type(e), str(e)
    return result, [(w.category, str(w.message)) for w in caught]


def check(kind, documents, *transformed, n_jobs=None, **parameters):
    """Fail unless both vectorizers learn, return, warn and raise the same of documents(), and of others. Return ours."""
    a, b = getattr(text, kind)(**parameters), getattr(ours, kind)(**parameters, n_jobs=n_jobs)
    for method, of in (("fit_transform", documents), *(("transform", of) for of in transformed or [documents])):
        (left, warned), (right, warned_too) = (outcome(lambda v=v, m=method, of=of: getattr(v, m)(of())) for v in (a, b))
        assert warned == warned_too
        if isinstance(left, tuple):
            assert left == right
            break
        same(left, right)
    for name in ("vocabulary_", "stop_words_", "idf_", "fixed_vocabulary_"):
        left, right = getattr(a, name, None), getattr(b, name, None)
        assert hasattr(a, name) == hasattr(b, name), name
        if name == "vocabulary_" and left is not None:
            assert [(t, type(t), c, type(c)) for t, c in left.items()] == [(t, type(t), c, type(c)) for t, c in right.items()]
        elif left is not None:
            np.testing.assert_equal(left, right)
    return b


# ---- parameters ----

@pytest.mark.parametrize("kind", KINDS)
def test_parameters_are_those_of_scikit_learn_and_n_jobs(kind):
    theirs, v = getattr(text, kind)(), getattr(ours, kind)()
    assert isinstance(v, getattr(text, kind))
    assert v.get_params() == {**theirs.get_params(), "n_jobs": None}
    copied = clone(v.set_params(n_jobs=2, ngram_range=(1, 2)))
    assert type(copied) is type(v) and copied.get_params() == v.get_params()
    assert repr(getattr(ours, kind)(n_jobs=2)) == f"{kind}(n_jobs=2)"
    with pytest.raises(TypeError, match="unexpected keyword argument 'n_job'"):
        getattr(ours, kind)(n_job=2)
    with pytest.raises(ValueError, match="The 'n_jobs' parameter of"):
        getattr(ours, kind)(n_jobs="2").fit(DOCUMENTS)
    with pytest.raises(ValueError, match="n_jobs must not be 0"):
        getattr(ours, kind)(n_jobs=0).fit_transform(DOCUMENTS)


def test_a_tfidf_vectorizer_is_a_count_vectorizer_of_both():
    assert issubclass(ours.TfidfVectorizer, (ours.CountVectorizer, text.TfidfVectorizer))


@pytest.mark.parametrize("kind", KINDS)
def test_threads_do_not_change_the_matrix(kind):
    documents = [f"{DOCUMENTS[i % 4]} w{i * 7919 % 1000} x{i}" * 9 for i in range(3000)]  # more than one thread takes alone
    same(*(getattr(ours, kind)(n_jobs=n).fit_transform(documents) for n in (1, 3)))


def test_the_matrices_of_the_configuration():
    try:
        context = config_context(sparse_interface="sparray")
    except TypeError:
        pytest.skip("needs scikit-learn from 1.9")
    with context:
        for kind in KINDS:
            assert check(kind, lambda: DOCUMENTS).path_ == "termsift"


# ---- ways ----

class Own(ours.CountVectorizer):
    def build_analyzer(self):
        return str.split


ELSEWHERE = {
    "analyzer is a function": {"analyzer": str.split},
    "preprocessor is a function": {"preprocessor": str.upper},
    "tokenizer is a function": {"tokenizer": str.split, "token_pattern": None},
    "strip_accents is a function": {"strip_accents": str.upper},
    "token_pattern": {"token_pattern": r"(?<=t)\w+"},
    "ngram_range is (0, 1)": {"ngram_range": (0, 1)},
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reason", ELSEWHERE)
def test_what_scikit_learn_does_is_told(kind, reason):
    v = check(kind, lambda: DOCUMENTS, **ELSEWHERE[reason])
    assert v.path_.startswith("scikit-learn: ")
    assert reason == "token_pattern" or v.path_ == f"scikit-learn: {reason}"


@pytest.mark.parametrize("kind", KINDS)
def test_the_way_is_that_of_the_last_call(kind):
    v = getattr(ours, kind)()
    assert v.path_ is None
    v.fit_transform(DOCUMENTS)
    assert v.path_ == "termsift"
    v.transform(["a lone \udc80"])
    assert v.path_.startswith("scikit-learn: text 0 is no Unicode text: ")
    v.transform(DOCUMENTS)
    assert v.path_ == "termsift"


def test_a_changed_analyzer_is_asked():
    v = Own()
    assert v.fit_transform(["a b,c"]).shape == (1, 2)
    assert v.path_ == "scikit-learn: the vectorizer has a build_analyzer of its own"
    v = ours.CountVectorizer()
    v.build_tokenizer = lambda: str.split
    assert v.fit_transform(["aa bb,cc"]).shape == (1, 2)
    assert v.path_ == "scikit-learn: the vectorizer has a build_tokenizer of its own"
    v = ours.HashingVectorizer()
    v.decode = lambda document: "orbit"
    same(v.transform(["x"]), text.HashingVectorizer().transform(["orbit"]))


def test_parameters_may_change_between_fit_and_transform():
    a, b = (kind().fit(DOCUMENTS) for kind in (text.CountVectorizer, ours.CountVectorizer))
    for parameters in ({"lowercase": False}, {"ngram_range": (2, 2)}, {"binary": True}, {"stop_words": ["bake"]}, {"dtype": np.float32}):
        same(*(v.set_params(**parameters).transform(DOCUMENTS * 90) for v in (a, b)))


# ---- documents ----

FORMS = {
    "list": lambda: DOCUMENTS,
    "tuple": lambda: tuple(DOCUMENTS),
    "generator": lambda: (d for d in DOCUMENTS),
    "array": lambda: np.array(DOCUMENTS),
    "objects": lambda: np.array(DOCUMENTS, dtype=object),
    "dict": lambda: dict.fromkeys(DOCUMENTS),
    "bytes": lambda: [d.encode() for d in DOCUMENTS],
    "mixed": lambda: ["orbit", b"day", np.str_("bread")],
    "one text": lambda: "orbit",
    "bytes of one text": lambda: b"orbit",
    "number": lambda: 3,
    "None": lambda: None,
    "numbers": lambda: [1, 2],
    "nan": lambda: ["orbit", np.nan],
    "None in it": lambda: ["orbit", None],
    "lists": lambda: [["orbit"], ["day"]],
    "nothing": list,
    "empty texts": lambda: ["", " "],
    "no UTF-8": lambda: ["orbit \ud800", "x\udfffyz orbit"],
    "bad bytes": lambda: [b"orbit", b"\xff\xfe day"],
    "subclass": lambda: [Loud("orbit")],
}


class Loud(str):
    def lower(self):
        return "loud"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("parameters", [{}, {"preprocessor": str.upper}])
def test_columns_of_arrow(kind, parameters):
    pyarrow = pytest.importorskip("pyarrow")
    want = getattr(ours, kind)(**parameters).fit(DOCUMENTS).transform(DOCUMENTS)
    for column in [pyarrow.array(DOCUMENTS), pyarrow.chunked_array([DOCUMENTS[:2], DOCUMENTS[2:]]), pyarrow.array(DOCUMENTS).dictionary_encode()]:
        vectorizer = getattr(ours, kind)(**parameters).fit(column)
        assert (vectorizer.transform(column) != want).nnz == 0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", FORMS)
def test_documents_of_all_forms(kind, form):
    check(kind, FORMS[form])


@pytest.mark.parametrize("kind", KINDS)
def test_encodings(kind):
    check(kind, lambda: ["größe".encode("latin-1")], encoding="latin-1")
    check(kind, lambda: [b"gr\xf6\xdfe tag"], decode_error="ignore")
    check(kind, lambda: [b"gr\xf6\xdfe tag"], decode_error="replace", strip_accents="unicode")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("analyzer", ["word", str.split])
def test_files(kind, analyzer, tmp_path):
    names = []
    for i, document in enumerate(DOCUMENTS):
        names.append(str(tmp_path / f"{i}.txt"))
        (tmp_path / f"{i}.txt").write_text(document)
    v = check(kind, lambda: names, input="filename", analyzer=analyzer)
    assert v.path_ == ("termsift" if analyzer == "word" else "scikit-learn: analyzer is a function")
    check(kind, lambda: [*names, str(tmp_path / "none")], input="filename", analyzer=analyzer)
    check(kind, lambda: [io.BytesIO(d.encode()) for d in DOCUMENTS], input="file", analyzer=analyzer)
    check(kind, lambda: [io.StringIO(d) for d in DOCUMENTS], input="file", analyzer=analyzer)
    check(kind, lambda: [io.StringIO("orbit"), io.StringIO("no UTF-8 \udc80")], input="file", analyzer=analyzer)  # read once
    check(kind, lambda: DOCUMENTS, input="file", analyzer=analyzer)


# ---- errors and warnings ----

@pytest.mark.parametrize("kind", KINDS[:2])
@pytest.mark.parametrize("parameters", [
    {"min_df": 4}, {"max_df": 1, "min_df": 2}, {"max_df": 0.0, "min_df": 0.0}, {"max_df": 0.0}, {"min_df": 1.0}, {"min_df": 0.5, "max_df": 0.5},
    {"max_df": 0.07}, {"min_df": 0}, {"max_features": 0}, {"max_features": 2}, {"max_features": 100}, {"max_features": 2, "min_df": 2},
    {"max_features": 3, "binary": True}, {"max_features": 3, "dtype": np.uint8}, {"max_features": 3, "dtype": np.float32}, {"max_df": 2, "max_features": 1},
    {"vocabulary": []}, {"vocabulary": ["a", "a"]}, {"vocabulary": {"to": 0, "bake": 2}}, {"vocabulary": {"to": 0, "bake": 0}}, {"vocabulary": {"To", "bake"}},
    {"vocabulary": ["to", "Orbit", "bake"]}, {"vocabulary": {"bake": 1, "to": 0, 7: 2}}, {"vocabulary": {"bake": np.int64(1), "to": True, "x": 2, "y": 0}.copy()},
    {"vocabulary": ["to", "lone \udc80"]},
    {"stop_words": "german"}, {"stop_words": ["don't", "To"]}, {"stop_words": {"to", "bake"}}, {"stop_words": ["to", 3, None, "\udc80"]}, {"stop_words": []},
    {"stop_words": DOCUMENTS[1].replace(",", "").split() + DOCUMENTS[3].split() + ["orbit", "the"]},
    {"analyzer": "char", "stop_words": ["to"]}, {"analyzer": "char", "token_pattern": r"\w"}, {"analyzer": "char_wb", "tokenizer": str.split},
    {"analyzer": "words"}, {"token_pattern": "("}, {"token_pattern": "(a)(b)"}, {"token_pattern": None}, {"token_pattern": ""}, {"token_pattern": "x*"},
    {"ngram_range": (2, 1)}, {"ngram_range": (1, 40)}, {"ngram_range": (9, 12)}, {"ngram_range": [1, 2]}, {"analyzer": "char", "ngram_range": (30, 40)},
    {"dtype": bool}, {"dtype": "float32"}, {"dtype": np.int8}, {"dtype": object}, {"dtype": "nonsense"}, {"strip_accents": "latin"}, {"lowercase": "no"}, {"input": "texts"},
])
def test_errors_and_warnings(kind, parameters):
    check(kind, lambda: DOCUMENTS, **parameters)


@pytest.mark.parametrize("parameters", [
    {"n_features": 0}, {"n_features": 1}, {"n_features": 3}, {"n_features": 2**31 - 1}, {"n_features": 2**31}, {"n_features": 5.0}, {"norm": "l3"}, {"norm": None},
    {"dtype": np.float32}, {"dtype": np.int64, "norm": None}, {"dtype": np.uint8, "norm": None}, {"alternate_sign": False}, {"binary": True, "norm": None, "n_features": 2},
    {"stop_words": ["To"]}, {"ngram_range": (2, 1)}, {"analyzer": "char", "tokenizer": str.split},
])
def test_errors_and_warnings_of_hashing(parameters):
    check("HashingVectorizer", lambda: DOCUMENTS, **parameters)


@pytest.mark.parametrize("kind", KINDS[:2])
def test_not_fitted(kind):
    for method in ("transform", "inverse_transform"):
        with pytest.raises(NotFittedError):
            getattr(getattr(ours, kind)(), method)(DOCUMENTS)
    v = getattr(ours, kind)()
    assert not hasattr(v, "vocabulary_")
    with pytest.raises(AttributeError, match=f"'{kind}' object has no attribute 'vocabulary_'"):
        v.vocabulary_  # noqa: B018
    with pytest.raises(AttributeError):
        del v.vocabulary_


def test_max_features_tied_as_numpy_leaves_them():
    """Of terms of one count, numpy's sort decides, which is not stable beyond 16 elements."""
    documents = [" ".join(f"w{(i * 37 + j) % 400:03d}" for j in range(20)) for i in range(60)]
    for limit in (1, 17, 40, 111, 399):
        for dtype in (np.int32, np.int64, np.float32, np.float64):
            assert check("CountVectorizer", lambda: documents, max_features=limit, dtype=dtype).path_ == "termsift"


# ---- vocabularies that change ----

@pytest.mark.parametrize("many", [1, 500])
def test_a_vocabulary_changed_in_place(many):
    documents = DOCUMENTS * many
    a, b = (kind().fit(DOCUMENTS) for kind in (text.CountVectorizer, ours.CountVectorizer))

    def swap(v):
        v["to"], v["bake"] = v["bake"], v["to"]

    def rename(v):
        v["bread,"] = v.pop("bread")
        v["orbit the"] = len(v)

    def put(v):
        v["orbit"] = v.pop("orbit the")
        del v["bread,"]

    def collide(v):
        v["to"] = v["bake"]

    for change in (swap, rename, put, collide):
        for v in (a, b):
            v.transform(documents)
            change(v.vocabulary_)
        assert a.vocabulary_ == b.vocabulary_
        left, right = (outcome(lambda v=v: v.transform(documents))[0] for v in (a, b))
        if isinstance(left, tuple):
            assert left == right
        else:
            same(left, right)
    for v in (a, b):
        v.vocabulary_ = {"the": 0, "day": 1}
    same(a.transform(documents), b.transform(documents))
    shallow = copy.copy(b)
    shallow.vocabulary_["the"], shallow.vocabulary_["day"] = 1, 0
    a.vocabulary_ = {"the": 1, "day": 0}
    same(a.transform(documents), b.transform(documents))


def test_columns_that_are_none():
    for columns in ({"to": 0, "bake": 5}, {"to": -1, "bake": 0}, {"to": 0.0, "bake": 1.0}, {"to": "0", "bake": 1}):
        for documents in (DOCUMENTS, DOCUMENTS * 500):
            results = []
            for kind in (text.CountVectorizer, ours.CountVectorizer):
                v = kind().fit(DOCUMENTS)
                v.vocabulary_ = dict(columns)
                results.append(outcome(lambda v=v, d=documents: v.transform(d))[0])
            if isinstance(results[0], tuple):
                assert results[0] == results[1]
            else:
                same(*results)


def test_all_ways_to_change_a_vocabulary():
    changes = {
        "set": lambda d: d.__setitem__("the", d["day"]), "delete": lambda d: d.__delitem__("the"), "or": lambda d: d.__ior__({"the": 1}),
        "clear": lambda d: d.clear(), "pop": lambda d: d.pop("the"), "popitem": lambda d: d.popitem(), "setdefault": lambda d: d.setdefault("x y", 1),
        "update": lambda d: d.update(the=1),
    }
    documents = DOCUMENTS * 50
    for name, change in changes.items():
        vectorizers = [kind(ngram_range=(1, 2)).fit(DOCUMENTS) for kind in (text.CountVectorizer, ours.CountVectorizer)]
        results = []
        for v in vectorizers:
            v.transform(documents)
            change(v.vocabulary_)
            results.append(outcome(lambda v=v: v.transform(documents))[0])
        if isinstance(results[0], tuple):
            assert results[0] == results[1], name
        else:
            same(*results)


def test_a_vocabulary_is_a_dict():
    vocabulary = ours.CountVectorizer().fit(DOCUMENTS).vocabulary_
    plain = dict(vocabulary)
    assert vocabulary == plain and repr(vocabulary) == repr(plain) and json.dumps(vocabulary) == json.dumps(plain)
    for copied in (pickle.loads(pickle.dumps(vocabulary)), copy.copy(vocabulary), copy.deepcopy(vocabulary), vocabulary.copy()):
        assert type(copied) is dict and list(copied.items()) == list(plain.items())


def test_few_texts_wait_until_a_vocabulary_is_learned():
    words = [f"w{i}" for i in range(1000)]
    v = ours.CountVectorizer(vocabulary=words).fit(["w1 w2"])
    assert v.path_ == "scikit-learn: to learn vocabulary_ takes longer than to count so few texts"
    for _ in range(10):
        assert v.transform(["w1 w2 w2 " * 80]).sum() == 240
    assert v.path_ == "termsift"
    v.vocabulary_ = {"w2": 0}
    assert v.transform(["w1 w2"]).toarray().tolist() == [[1]]


# ---- pickles ----

@pytest.mark.parametrize("kind", KINDS)
def test_pickles(kind):
    v = getattr(ours, kind)(ngram_range=(1, 2), n_jobs=2)
    X = v.fit(DOCUMENTS).transform(DOCUMENTS)
    for again in (pickle.loads(pickle.dumps(v)), copy.deepcopy(v), copy.copy(v)):
        assert type(again) is type(v) and again.get_params() == v.get_params() and again.path_ is None
        again.transform(DOCUMENTS * 300)
        assert again.path_ == "termsift"
        same(again.transform(DOCUMENTS), X)
    theirs = getattr(text, kind).__new__(getattr(text, kind))  # what scikit-learn's own class makes of the state
    theirs.__dict__.update(v.__getstate__())
    same(theirs.transform(DOCUMENTS), X)


READ = """
import pickle, sys
v = pickle.loads(sys.stdin.buffer.read())
assert type(v).__module__ == "sklearn.feature_extraction.text" and not hasattr(v, "path_"), type(v)
print(v.transform(["to bake bread, to bake"]).sum())
assert not any(name.startswith("termsift") for name in sys.modules)
"""


@pytest.mark.parametrize("kind", KINDS)
def test_pickles_of_the_patch_need_no_termsift(kind):
    with termsift.patched():
        v = getattr(text, kind)().fit(DOCUMENTS)
        data, total = pickle.dumps(v), v.transform([DOCUMENTS[1]]).sum()
        assert v.path_ == "termsift"
    out = subprocess.run([sys.executable, "-c", READ], input=data, capture_output=True, check=True).stdout
    assert float(out) == total
    with termsift.patched():
        assert pickle.loads(data).transform([DOCUMENTS[1]]).sum() == total


# ---- what scikit-learn does with them ----

def test_names_and_inverse():
    a, b = (kind(min_df=1).fit(DOCUMENTS) for kind in (text.CountVectorizer, ours.CountVectorizer))
    np.testing.assert_array_equal(a.get_feature_names_out(), b.get_feature_names_out())
    X = a.transform(DOCUMENTS)
    for left, right in zip(a.inverse_transform(X), b.inverse_transform(X)):
        np.testing.assert_array_equal(left, right)


def test_idf_may_be_set():
    vectorizers = [kind().fit(DOCUMENTS) for kind in (text.TfidfVectorizer, ours.TfidfVectorizer)]
    for v in vectorizers:
        v.idf_ = np.arange(len(v.vocabulary_)) + 0.5
    same(*(v.transform(DOCUMENTS) for v in vectorizers))
