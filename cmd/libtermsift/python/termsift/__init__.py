"""Feature selection for text: scores of terms, selectors for scikit-learn, statistics, corpora, key words.

The work is done by libtermsift, a library with a C interface that is loaded at first use.
"""

from ._keyness import Keyness
from ._library import CorruptFileError, ForkedError, InternalError, NothingFoundError, library_version
from ._score import chi2, score
from ._selector import TermSelector
from ._statistics import Corpus, Features, Statistics
from ._vectorizer import TermVectorizer

__version__ = "0.2.0"

__all__ = [
    "Corpus",
    "CorruptFileError",
    "Features",
    "ForkedError",
    "InternalError",
    "Keyness",
    "NothingFoundError",
    "Statistics",
    "TermSelector",
    "TermVectorizer",
    "chi2",
    "library_version",
    "score",
]
