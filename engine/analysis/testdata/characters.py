"""Prints a digest of what this Python makes of every character, for TestCharactersOfEachVersionOfUnicode: as words, in lower case,
without accents, and as characters of \\w, \\d and \\s. Usage: python3 characters.py"""

import hashlib
import re
import unicodedata

# What Unicode 15.1 added to 15.0, which Go's tables do not know.
UNKNOWN = set(range(0x2EBF0, 0x2EE5E)) | set(range(0x2FFC, 0x3000)) | {0x31EF} if unicodedata.unidata_version == "15.1.0" else set()
# A mark that may stand within a word in Unicode 13 only.
UNKNOWN |= {0x1734} if unicodedata.unidata_version == "13.0.0" else set()


def known(c):
    """Whether a character of any version is told; those that newer versions have are no matter of the older."""
    return not 0xD800 <= c < 0xE000 and c not in UNKNOWN and not (unicodedata.unidata_version == "15.1.0" and unicodedata.category(chr(c)) == "Cn")


def stripped(text):
    """scikit-learn's strip_accents_unicode."""
    return text if text.isascii() else "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def main():
    digest = hashlib.sha256()
    for first in [*range(0, 0x40000, 256), *range(0xE0000, 0xE1000, 256)]:  # elsewhere is nothing
        text = " ".join(f"x{c}Y A\u03a3{c} A\u03a3{c}A {c}" for c in map(chr, filter(known, range(first, first + 256))))
        lower = text.lower()
        accents = stripped(lower)
        plain = unicodedata.normalize("NFKD", lower).encode("ascii", "ignore").decode()
        for terms in (
            re.findall(r"(?u)\b\w\w+\b", lower), re.findall(r"(?u)\b\w\w+\b", accents), [lower], [accents], [plain],
            re.findall(r"\w+", text), re.findall(r"\d", text), re.findall(r"\S+", text), re.findall(r"\W\b", text),
        ):
            digest.update("\n".join(terms).encode() + b"\0")
    print(unicodedata.unidata_version, digest.hexdigest())


main()
