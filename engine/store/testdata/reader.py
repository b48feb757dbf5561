"""Reads the terms, margins and cells of an index or a file of statistics, from FORMAT.md alone. Prints them as JSON."""

import io
import json
import struct
import sys


def sections(data):
    """The sections of a file by their numbers. It skips the sums."""
    assert data[:8] in (b"TERMSIFT", b"TERMSSTA") and struct.unpack_from("<I", data, 8) == (5,)
    at, length = struct.unpack_from("<QQ", data, len(data) - 64)
    end, place, found = at + length, 64, {}
    while at < end:
        number, blocks, size = struct.unpack_from("<IIQ", data, at)
        sizes = [struct.unpack_from("<I", data, at + 16 + 12 * i)[0] for i in range(blocks)]
        starts = [place + sum(sizes[:i]) for i in range(blocks)]
        found[number] = [data[s : min(s + n, place + size)] for s, n in zip(starts, sizes)]
        place, at = place + sum(sizes), at + 16 + 12 * blocks
    return found


def numbers(form, data):
    return [n for (n,) in struct.iter_unpack("<" + form, data)]


def above(number, floor):
    """The true number of a byte, or of an escape."""
    return number[0] if number[1] else floor + number[0]


def names(text, lengths):
    at, n, shift = 0, 0, 0
    for byte in lengths:
        n, shift = n | (byte & 127) << shift, shift + 7
        if byte < 128:
            yield text[at : at + n]
            at, n, shift = at + n, 0, 0


def blocks(parts, classes, form, named):
    """Yields name, df, sum of values and cells of each term: class, documents, sum, sum of squares."""
    width = 1 if classes <= 256 else 2 if classes <= 65536 else 4
    for data in parts:
        terms, cells, text, escapes = struct.unpack_from("<IIII", data)
        take = io.BytesIO(data[16:]).read
        shared, text = (take(terms), take(text)) if named else (b"", b"")
        of = numbers({1: "B", 2: "H", 4: "I"}[width], take(width * cells))
        columns = [take(terms if kind == "t" else cells) for kind in "tt" * named + "ttccc"]
        true = iter(numbers("d", take(8 * escapes)))
        columns = [[(next(true), True) if b == 255 else (b, False) for b in c] for c in columns]
        suffix, df = columns[:2] if named else ([], [])
        length, over, docs, sums, squares = columns[2 * named :]
        cell, place, name = 0, 0, b""
        for t in range(terms):
            if named:
                n = int(suffix[t][0])
                name, place = name[: shared[t]] + text[place : place + n], place + n
            own = []
            for _ in range(int(length[t][0])):
                a = docs[cell][0]
                s = above(sums[cell], a)
                own.append([of[cell], a, s, above(squares[cell], s if form == "counts" else 0)])
                cell += 1
            yield name, df[t][0] if named else None, over[t], own


def read(data):
    found = sections(data)
    whole = {number: b"".join(found.get(number, [])) for number in range(19)}
    meta = json.loads(whole[18])
    classes, named = meta["classes"], 17 in found
    stored = blocks(found.get(16, []), len(classes), meta["cells"], named)
    if named:
        m = numbers("d", whole[17])
        margins = [m[0], m[1], m[6 : 6 + len(classes)]]
        terms = [[name, df, above(low, df), cells] for name, df, low, cells in stored]
    else:
        starts, labels = numbers("I", whole[3]), numbers("I", whole[4])
        of = [labels[a:b] for a, b in zip(starts, starts[1:])]
        margins = [len(of), sum(len(k) > 0 for k in of), [labels.count(c) for c in range(len(classes))]]
        df = [d for d, n in struct.iter_unpack("<II", whole[7]) for _ in range(n)]
        terms = [[None, d, above(low, d), cells] for d, (_, _, low, cells) in zip(df, stored)]
        bits = (len(of)).bit_length() - 1  # of a packed list of one document
        size, tail = (bits + 1 + (len(of) - 1 >> bits) + 7) // 8, df[len(terms) :]
        escaped, first = dict(zip(numbers("Q", whole[12]), numbers("I", whole[13]))), sum(df) - len(tail)
        for i in range(len(tail)):
            at = len(whole[9]) - size * (len(tail) - i)
            word = int.from_bytes(whole[9][at : at + size], "little")
            doc = ((word >> bits).bit_length() - 1 << bits) | (word & (1 << bits) - 1)
            n = escaped.get(first + i, whole[11][first + i])
            terms.append([None, 1, n, [[k, 1, n, n * n] for k in of[doc]]])
        for term, name in zip(terms, names(whole[5], whole[6])):
            term[0] = name
    return {"classes": classes, "margins": margins, "terms": sorted([t[0].hex(), *t[1:]] for t in terms)}


with open(sys.argv[1], "rb") as f:
    json.dump(read(f.read()), sys.stdout)
