"""Why a linear model gives a text its class."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from ._table import Table


def explain(model: Any, text: str, top: int | None = None) -> Table:
    """Return the terms of a text with what each adds to the score of each class, the most first.

    model is a scikit-learn Pipeline that ends with a linear model, or a pair of a fitted vectorizer and a linear model: one
    with coef_, as LogisticRegression, LinearSVC, SGDClassifier and Ridge, or MultinomialNB and ComplementNB, whose weights are
    logarithms of probabilities, less their mean over the classes. top bounds the terms of each class.

    The Table has the columns class, term, value (of the term in the text's row), weight (of the term in the model) and
    contribution, their product. The contributions of a class add up to its decision_function without the intercept. A model
    of two classes has the rows of the second, and what is below 0 speaks for the first. A regression has no column class.
    """
    if not isinstance(text, str):
        raise ValueError(f"text must be a single str, not {type(text).__name__}: explain one text at a time")
    vectorizer, linear = _parts(model)
    weights = getattr(linear, "coef_", None)
    if weights is None and not hasattr(linear, "binarize"):  # BernoulliNB weighs the terms that a text lacks, too
        weights = _centred(getattr(linear, "feature_log_prob_", None))
    if weights is None:
        raise ValueError(f"{type(linear).__name__} has no coef_: it must be a fitted linear model, as LogisticRegression, LinearSVC or MultinomialNB")
    weights = weights.toarray() if sp.issparse(weights) else np.atleast_2d(np.asarray(weights))
    row = sp.csr_matrix(vectorizer.transform([text]))
    row.sort_indices()
    if row.shape[1] != weights.shape[1]:
        raise ValueError(f"the vectorizer gives {row.shape[1]} columns, and the model has {weights.shape[1]}")
    terms, values = np.asarray(vectorizer.get_feature_names_out(), dtype=object)[row.indices], row.data.astype(np.float64)
    return _table(_classes(linear, len(weights)), terms, values, weights[:, row.indices], top)


def _centred(logs: Any) -> np.ndarray | None:
    """Return logarithms of probabilities as the weights of a linear model: of two classes the second's less the first's."""
    if not isinstance(logs, np.ndarray):
        return None
    return logs[1:] - logs[:1] if len(logs) == 2 else np.asarray(logs - logs.mean(axis=0))


def _parts(model: Any) -> tuple[Any, Any]:
    """Return what makes rows of texts, and the model of rows."""
    if isinstance(model, (tuple, list)) and len(model) == 2:
        return model[0], model[1]
    steps = getattr(model, "steps", None)
    if not steps or len(steps) < 2:
        raise ValueError(f"model must be a Pipeline of a vectorizer and a linear model, or a pair of these, not {type(model).__name__}")
    return model[:-1], steps[-1][1]


def _classes(linear: Any, rows: int) -> list[Any] | None:
    """Return the class of each row of weights, None for a regression."""
    names = getattr(linear, "classes_", None)
    if names is None:
        return None
    return list(names[1:]) if rows == 1 and len(names) == 2 else list(names)


def _table(classes: list[Any] | None, terms: np.ndarray, values: np.ndarray, weights: np.ndarray, top: int | None) -> Table:
    parts: dict[str, list[np.ndarray]] = {"class": [], "term": [], "value": [], "weight": [], "contribution": []}
    for i, weight in enumerate(weights):
        contribution = values * weight
        order = np.argsort(-contribution, kind="stable")[:top]
        label = np.full(len(order), None if classes is None else classes[i], dtype=object)
        for name, column in zip(parts, (label, terms[order], values[order], weight[order], contribution[order])):
            parts[name].append(column)
    if classes is None:
        del parts["class"]
    return Table({name: np.concatenate(columns) for name, columns in parts.items()}, value="contribution")
