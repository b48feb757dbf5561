"""What each term of a text adds to the scores of linear models."""


import numpy as np
import scipy.sparse as sp
from common import Refusing
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.linear_model import LogisticRegression, Ridge, SGDClassifier
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

import termsift

TEXTS = ["to orbit the moon", "the orbit of the moon", "bake bread with salt", "bread and salt", "a goal in the match", "the match had no goal"] * 2
LABELS = ["space", "space", "food", "food", "sport", "sport"] * 2
TEXT = "the match on the moon had salt salt and no unknownword"


class Explain(Refusing):
    def test_contributions_add_up(self):
        for several in [True, False]:
            texts, labels = (TEXTS, LABELS) if several else (TEXTS[:4] * 2, LABELS[:4] * 2)
            for steps in [
                [termsift.TermVectorizer(k=8, weight="ltc")], [CountVectorizer(), TfidfTransformer(), SelectKBest(chi2, k=6)],
                [CountVectorizer(), termsift.TermSelector(k=5)],
            ]:
                for linear in [LogisticRegression(), LinearSVC(), SGDClassifier(random_state=0)]:
                    model = make_pipeline(*steps, linear).fit(texts, labels)
                    for same in [model, (model[:-1], model[-1])]:
                        table = termsift.explain(same, TEXT)
                        got = np.array([table["contribution"][table["class"] == name].sum() for name in (linear.classes_ if several else linear.classes_[1:])])
                        np.testing.assert_allclose(got, np.atleast_2d(model.decision_function([TEXT]))[0] - linear.intercept_, atol=1e-5)
                    np.testing.assert_array_equal(table["contribution"], table["value"] * table["weight"])

    def test_order_and_top(self):
        model = make_pipeline(termsift.TermVectorizer(k="all"), LogisticRegression()).fit(TEXTS, LABELS)
        table, short = termsift.explain(model, TEXT), termsift.explain(model, TEXT, top=2)
        self.assertEqual(table.columns, ("class", "term", "value", "weight", "contribution"))
        self.assertEqual(table[0].term, "salt")
        self.assertEqual(table[0].value, 2)
        for name in ["food", "space", "sport"]:
            of = table[table["class"] == name]["contribution"]
            self.assertTrue((np.diff(of) <= 0).all())
            np.testing.assert_array_equal(short[short["class"] == name]["contribution"], of[:2])
        self.assertNotIn("unknownword", set(table["term"]))
        self.assertEqual(len(termsift.explain(model, "unknownword")), 0)

    def test_naive_bayes(self):
        for bayes in [MultinomialNB(fit_prior=False), ComplementNB(norm=True)]:
            for classes in (2, 3):
                model = make_pipeline(CountVectorizer(), bayes).fit(TEXTS[: 2 * classes], LABELS[: 2 * classes])
                table, logs = termsift.explain(model, TEXT), model[1].predict_joint_log_proba(model[0].transform([TEXT]))[0]
                got = np.array([table["contribution"][table["class"] == name].sum() for name in bayes.classes_[-classes if classes > 2 else -1 :]])
                np.testing.assert_allclose(got, logs[1:] - logs[0] if classes == 2 else logs - logs.mean(), atol=1e-12)

    def test_regression_and_sparse_weights(self):
        model = make_pipeline(CountVectorizer(), Ridge()).fit(TEXTS, np.arange(12))
        table = termsift.explain(model, TEXT)
        self.assertEqual(table.columns, ("term", "value", "weight", "contribution"))
        np.testing.assert_allclose(table["contribution"].sum(), model.predict([TEXT])[0] - model[-1].intercept_)
        model = make_pipeline(CountVectorizer(), SGDClassifier(random_state=0)).fit(TEXTS, LABELS)
        before = termsift.explain(model, TEXT)
        model[-1].sparsify()
        self.assertTrue(sp.issparse(model[-1].coef_))
        np.testing.assert_array_equal(termsift.explain(model, TEXT)["contribution"], before["contribution"])

    def test_refused(self):
        model = make_pipeline(CountVectorizer(), LinearSVC()).fit(TEXTS, LABELS)
        self.refused([
            ("text must be a single str, not list", lambda: termsift.explain(model, [TEXT])),
            ("BernoulliNB has no coef_", lambda: termsift.explain(make_pipeline(CountVectorizer(), BernoulliNB()).fit(TEXTS, LABELS), TEXT)),
            ("LinearSVC has no coef_", lambda: termsift.explain((model[0], LinearSVC()), TEXT)),
            ("must be a Pipeline of a vectorizer and a linear model, or a pair of these, not LinearSVC", lambda: termsift.explain(model[-1], TEXT)),
            ("the vectorizer gives 2 columns, and the model has", lambda: termsift.explain((CountVectorizer().fit(["a1 b1"]), model[-1]), TEXT)),
        ])


class PartialFit(Refusing):
    def test_parts_are_as_the_whole(self):
        texts, labels = TEXTS + ["new words of a later part"], LABELS + ["later"]
        for options in [{}, {"by": "ig", "k": 5}, {"weight": "ltc", "combine": "avg"}, {"ngrams": (1, 2), "stop": ["the"], "k": 20}, {"weight": "tfidf", "stem": "porter2"}]:
            options = {"k": 6, **options}
            whole, parts = termsift.TermVectorizer(**options).fit(texts, labels), termsift.TermVectorizer(**options)
            for a, b in [(0, 5), (5, 6), (6, 13)]:
                self.assertIs(parts.partial_fit(texts[a:b], labels[a:b]), parts)
            self.assertEqual(parts.terms_.tolist(), whole.terms_.tolist())
            np.testing.assert_array_equal(parts.scores_, whole.scores_)
            np.testing.assert_array_equal(parts.df_, whole.df_)
            np.testing.assert_array_equal(parts.transform(texts).toarray(), whole.transform(texts).toarray())
            self.assertEqual(parts.statistics_.documents, 13)

    def test_terms_are_chosen_anew(self):
        v = termsift.TermVectorizer(k=1).partial_fit(["orbit moon", "orbit", "bread", "bread salt"], ["a", "a", "b", "b"])
        self.assertEqual(v.terms_.tolist(), ["bread"])
        v.partial_fit(["moon", "stars"] * 9, ["c", "d"] * 9)
        self.assertEqual(v.terms_.tolist(), ["stars"])

    def test_refused_parts_are_not_counted(self):
        v = termsift.TermVectorizer(k=3).partial_fit(TEXTS, LABELS)
        self.refused([
            ("there are 12 texts, and y has 1", lambda: v.partial_fit(TEXTS, ["a"])), ("y is None", lambda: v.partial_fit(TEXTS)),
            ("text 0 is not a str", lambda: v.partial_fit([None], ["a"])), ("unknown method", lambda: v.set_params(by="chy").partial_fit(TEXTS, LABELS)),
        ])
        self.assertEqual(v.statistics_.documents, 12)

    def test_refused(self):
        self.refused([
            ("partial_fit takes no min_df and no max_df", lambda: termsift.TermVectorizer(min_df=2).partial_fit(TEXTS, LABELS)),
            ("weight='tf-rf' needs the documents", lambda: termsift.TermVectorizer(weight="tf-rf").partial_fit(TEXTS, LABELS)),
            ("statistics", lambda: termsift.TermVectorizer(by="mrmr").partial_fit(TEXTS, LABELS)),
        ])
        again = termsift.TermVectorizer(k=3).partial_fit(TEXTS, LABELS).fit(TEXTS[:4], LABELS[:4])
        self.assertFalse(hasattr(again, "statistics_"))
        with self.assertWarnsRegex(UserWarning, "fit keeps no statistics"):
            again.partial_fit(TEXTS, LABELS)
        self.assertEqual(again.statistics_.documents, 12)
