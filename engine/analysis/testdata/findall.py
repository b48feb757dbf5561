"""Writes what Python's re.findall makes of patterns and texts, one JSON array a line: pattern, text, tokens, or null for a pattern
that is none. Usage: python3 findall.py LINES SEED > findall.jsonl"""

import json
import random
import re
import sys
import warnings

GIVEN = [
    r"(?u)\b\w\w+\b", r"\b\w+\b", r"\w+", r"[a-z]{3,}", r"\S+", r"[^\s]+", r"\b[a-zA-Z]+\b", r"\b[a-zA-Z]{3,}\b", r"(?u)\b[a-zA-Z]\w+\b", r"\b[^\d\W]+\b",
    r"[^\W\d_]+", r"\d+", r"\b\d\d+\b", r"\w+['’]\w+|\w+", r"(?:\w+-)*\w+", r"#\w+", r"@?\w[\w.]*\w", r"(\w)\w*", r"\b(\w\w+)\b", r"(\w+)=", r"\b[а-яё]+\b", r"[一-鿿]", r".", r"(?s).+",
    r"[\w-]+", r"\w+(?:'\w+)?", r"^\w+", r"\w+\Z", r"\b\w{3,5}\b", r"\w{2,4}", r"\w+?\b", r"\B\w+", r"\b\W+\b", r"(?:(a)|b)+", r"(a)?b", r"[\u00e9\u00e8]+", r"\x41+", r"[]a]+", r"[^]a]+",
    r"(?i)[a-zé]+", r"(?iu)\bk\w*", r"(?i)[^a-z\s]+", r"(?i)straße|οδος", r"(?i)\w*I\w*", r"(?is).[A-C].",
    r"\.\w+", r"a{2}", r"[ab]{,2}c", r"é", r"[é-ÿ]\w", r"\s+", r"\S", r"[\s\d]+", r"[^\S\n]+", r"\b\S+\b", r"(?P<word>\w+)", r"\D+", r"\W",
]
REFUSED = [
    r"", r"\w*", r"a|", r"(a)(b)", r"(?=a)a", r"(?!a)b", r"(?<=a)b", r"(?<!a)b", r"(\w)\1", r"(?a)\w+", r"(?x) a", r"(?m)^a", r"a$", r"a(?#x)", r"(?P=a)", r"a++", r"a**", r"(?:a?)*b",
    r"[[a]", r"[a--b]", r"[a&&b]", r"\b+a", r"^*a", r"a{1001}", r"a{", r"{a", r"[a", r"(a", r"a)", r"\q", r"\1", r"\07", r"\N{DIGIT ONE}", r"[z-a]", r"[a-\d]", r"*a", "a\\", r"\b", r"(?>a)", r"x{2,1}", r"(?P<a-b>x)",
]
TEXTS = ["", "ab-cd_e 12 x", "don't stop", "Éa éÀ ñ", "x٣٤5 ½ Ⅻ", "привет мир ёж", "日本語 テスト", "a\u0301b", "e\u0301", "a\nb", "aaaabbb", "\u00a0a\u2003b\u200bc", "#tag @you a.b.c", "😀a", "a=b,c=d", "\x00a\x1fb", "A_1",
         "h\u00e9llo w\u00f6rld \u00e9", "१२३ कि", "aab abc bbc c", "ſTRASSE STRAẞE straße K\u212a k\u0130\u0131Ii ΟΔΟΣ οδος ΟΔΟσ Éé"]
PIECES = ["a", "b", "c", "1", "_", " ", "-", ".", "é", "Ж", "٣", "½", "\n", "\u0301", "中", "'", "\u00a0", "ab", "😀", "\x1c", "²"]
ATOMS = [r"\w", r"\d", r"\s", r"\S", r"\W", r"\D", "a", "b", ".", r"[ab]", r"[^a]", r"[a-c1]", r"[\w.]", r"[^\W_]", r"[é-я]", r"\.", "-", r"[^\s-]", "é", r"[\d_]", "中"]
QUANTIFIERS = ["", "", "", "", "+", "+", "*", "?", "{2}", "{1,2}", "{2,}", "+?", "*?", "??"]
PLACES = [r"\b", r"\b", r"\B", "^", r"\A", r"\Z"]


def pattern(r, depth=2):
    """A pattern by chance."""
    parts = []
    for _ in range(r.randint(1, 3)):
        kind = r.random()
        if kind < 0.15:
            parts.append(r.choice(PLACES))
        elif kind < 0.3 and depth:
            opening = r.choice(["(?:", "(?:", "("])
            parts.append(opening + pattern(r, depth - 1) + ")" + r.choice(QUANTIFIERS))
        else:
            parts.append(r.choice(ATOMS) + r.choice(QUANTIFIERS))
    made = "".join(parts)
    return made + "|" + pattern(r, depth - 1) if depth and r.random() < 0.15 else made


def main():
    warnings.simplefilter("ignore")
    lines, r = int(sys.argv[1]), random.Random(int(sys.argv[2]))
    cases = [(p, t) for p in GIVEN for t in TEXTS]
    while len(cases) < lines:
        p = pattern(r)
        cases += [(p, "".join(r.choices(PIECES, k=r.randint(1, 12)))) for _ in range(3)]
    for p, t in cases:
        print(json.dumps([p, t, re.findall(p, t)], ensure_ascii=True))
    for p in REFUSED:
        print(json.dumps([p, "", None]))


main()
