"""Writes the files of this folder that are pyarrow's: python3 write.py FOLDER."""

import json, math, sys
import pyarrow as pa, pyarrow.parquet as pq

def write(name, columns, size=None, group=None, batch=None, codec="none", keys=None, **options):
    fields = [pa.field(name, kind, nullable) for name, kind, nullable, _ in columns]
    arrays = [pa.array(cells, kind) for _, kind, _, cells in columns]
    table = pa.table(arrays, schema=pa.schema(fields, metadata=keys))
    pq.write_table(table, f"{sys.argv[1]}/{name}.parquet", compression=codec, row_group_size=group, max_rows_per_page=size,
        write_batch_size=batch or size, data_page_size=1 if batch else 64 << 20, store_schema=keys is not None, **options)

text, some, list_ = pa.string(), True, lambda kind, inner=True: pa.list_(pa.field("element", kind, inner))
def kinds(n, long=lambda i: f"text {i} " + "x" * (i % 6)):
    rows = range(n)
    every = lambda i, value: None if i % 3 == 0 else value
    return [("id", pa.uint32(), False, list(rows)), ("text", text, False, [long(i) for i in rows]),
        ("null", pa.binary(), some, [every(i, f"v{i % 5}") for i in rows]), ("n", pa.int64(), some, [every(i, i * 1000003) for i in rows]),
        ("flag", pa.bool_(), False, [i % 2 == 0 for i in rows]), ("real", pa.float64(), False, [i / 3 for i in rows]),
        ("short", pa.float32(), some, [every(i, i / 4) for i in rows]),
        ("labels", list_(text), some, [None if i % 7 == 0 else ["abcd"[j] for j in range(i % 5)] + [None] * (i % 10 == 9) for i in rows]),
        ("numbers", list_(pa.int32()), False, [[i + j for j in range(i * i % 11)] for i in rows])]

# Every kind of column in every form; the JSON lines have the same values.
plain = lambda v: int(v) if isinstance(v, float) and v == int(v) else v
with open(f"{sys.argv[1]}/kinds.jsonl", "w") as lines:
    for row in zip(*(cells for *_, cells in kinds(61))):
        lines.write(json.dumps(dict(zip([c[0] for c in kinds(1)], map(plain, row)))) + "\n")
form = 0
for codec in ["none", "snappy", "gzip", "brotli", "zstd", "lz4"]:
    for version in ["1.0", "2.0"]:
        for dictionary in ["plain", "dictionary"]:
            group, batch = [(None, None), (17, None), (None, 1), (17, 5), (40, 8)][form % 5]
            form += 1
            write(f"kinds-{codec}-v{version[0]}-{dictionary}", kinds(61), group=group, batch=batch, codec=codec,
                data_page_version=version, use_dictionary=dictionary != "plain", write_page_checksum=True)
# Small ones, which the tests damage.
for name, options in {"1": dict(codec="snappy", batch=5), "2": dict(codec="zstd", v=2, d=True), "3": dict(group=9, d=True),
        "4": dict(codec="brotli", batch=5), "5": dict(codec="lz4", v=2, d=True)}.items():
    version, dictionary = options.pop("v", 1), options.pop("d", False)
    write(f"damaged-{name}", kinds(14), data_page_version=f"{version}.0", use_dictionary=dictionary, write_page_checksum=True, **options)
for name, version, dictionary in [("plain", "1.0", False), ("dictionary", "1.0", True), ("v2", "2.0", False)]:
    write(f"edited-{name}", kinds(9), data_page_version=version, use_dictionary=dictionary, write_page_checksum=True,
        keys={"a": "b", "huggingface": "{}"})
for codec in ["brotli", "lz4"]:
    write(f"packed-{codec}", [("text", text, False, ["ab" * 5000])], codec=codec, use_dictionary=False)
for size, version in [(1, "1.0"), (5, "2.0"), (None, "1.0")]:
    write(f"long-{size or 'all'}", kinds(24, lambda i: "x" * i ** 3), size=size, data_page_version=version, use_dictionary=False)
write("page", [("text", text, some, [None if i % 3 == 0 else str(i) + "x" * 2000 for i in range(6000)])], codec="zstd", use_dictionary=False)

# For the tests of the reader. Texts are "text 0" and so on.
def texts(name, columns, **options):
    n = len(columns[0][3])
    write(name, [("text", text, some, [f"text {i}" for i in range(n)])] * (columns[0][0] != "text") + columns, **options)

def described(features): return {"huggingface": json.dumps({"info": {"features": features}})}
names, four, lists = {"names": ["neg", "pos"], "_type": "ClassLabel"}, [0, 1, None, -1], [[1, 0], [], None, [1]]
features = {"names": names, "value": {"dtype": "int64", "_type": "Value"}, "sequence": {"feature": names, "length": -1, "_type": "Sequence"},
    "list": {"feature": names, "_type": "List"}, "array": [names], "only a list's": {"feature": names, "_type": "Sequence"}, "many": names, "below": names,
    "stars": {"names": ["1 star", "2 stars"], "_type": "ClassLabel"}}
cells = {"names": four, "value": four, "sequence": lists, "list": lists, "array": lists, "only a list's": four, "many": [0, 2, 0, 0], "below": [-2, 0, 0, 0],
    "stars": [0, 1, -1, -1], "none": four}
for bits, kind in [(32, pa.int32()), (64, pa.int64())]:
    texts(f"classes-{bits}", [(name, list_(kind) if values is lists else kind, some, values) for name, values in cells.items()],
        keys=described(features))
texts("classes-broken", [("label", pa.int32(), some, [0])], keys={"huggingface": "{"})
texts("classes-odd", [("label", pa.int32(), some, [0])], keys=described({"label": {"names": 3, "_type": "ClassLabel"}}))
fill = lambda cells: cells + [None] * (9 - len(cells))
texts("labels", [(name, kind, some, fill(cells)) for name, kind, cells in [
    ("doubles", pa.float64(), [1, 0, None, math.nan, -0.0, 0.1, 1e21, 123456789.5, -2]), ("floats", pa.float32(), [1, 0.1]),
    ("list", list_(pa.float64()), [[1, 2.5], []]), ("infinite", pa.float64(), [-math.inf]), ("empty", text, ["", "a"]),
    ("list of empty", list_(text), [["", "a"]]), ("several", text, ["a, b", "b"]), ("truth", pa.bool_(), [True, False]),
    ("whole", pa.int64(), [5, None, -1, 2 ** 63 - 1]), ("number texts", text, ["5.0", "", None, " 4"]), ("no numbers", text, ["5", "1,234"]),
    ("late", pa.float64(), [5, -math.inf])]])
tokens = [["我们", "学习", "我们"], [], ["C++", "", "The"], None]
for dictionary in [False, True]:
    texts(f"tokens-{dictionary}".lower(), [("text", list_(text), some, tokens), ("numbers", list_(pa.int32()), some, [[1]] * 4)],
        batch=2, use_dictionary=dictionary)
texts("columns", [("label", pa.int32(), some, [1, 2]), ("score", pa.float64(), some, [0.5, 0.25]), ("body", text, some, [None, "b"]),
    ("split", text, some, ["train", "test"]), ("id", pa.binary(2), some, [b"ab"] * 2), ("price", pa.decimal128(5, 2), some, [1, 1]),
    ("latin", pa.binary(), some, [b"caf\xe9 \xff\xfe"] * 2)])
texts("three", [("label", text, some, ["a", "b", "a"])], codec="zstd")
texts("many", [("label", pa.int32(), some, [1] * 5000)], size=100, group=2000, use_dictionary=False, write_page_checksum=True)
long = "x" * (1 << 20)
for name, cells, options in [("dictionary", [long] * 150, dict(codec="zstd", use_dictionary=True, dictionary_pagesize_limit=2 << 20)),
        ("pages", [long] * 70, dict(codec="zstd", size=1)), ("brotli", [long] * 70, dict(codec="brotli", size=1)), ("lz4", [long] * 70, dict(codec="lz4", size=1)),
        ("tokens", [["x" * 4000] * 1000] * 40, dict(codec="zstd", use_dictionary=True)), ("nulls", [None] * (1 << 24), dict(group=1 << 24, size=1 << 24))]:
    write(f"bomb-{name}", [("text", list_(text) if name == "tokens" else text, some, cells)], **{"use_dictionary": False, "write_statistics": False, **options})
write("memory", [("text", text, some, ["some words " * 18] * 300_000)], size=5000, group=300_000, codec="zstd", use_dictionary=False)
