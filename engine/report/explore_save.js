// Files of terms: tables as TSV and CSV, and features files, which have a seal.

const utf8 = new TextEncoder();

// formatField gives a number as termsift's files have it.
function formatField(v) {
  if (v === undefined || Number.isNaN(v)) return "null";
  if (!Number.isFinite(v)) return v > 0 ? "inf" : "-inf";
  const [digits, exponent] = v.toExponential().split("e");
  if (exponent >= -4 && exponent < 6) return Object.is(v, -0) ? "-0" : String(v);
  return digits + "e" + exponent[0] + exponent.slice(1).padStart(2, "0");
}

// joinBytes joins texts and bytes.
function joinBytes(parts) {
  const bytes = parts.map((p) => (typeof p === "string" ? utf8.encode(p) : p));
  const joined = new Uint8Array(bytes.reduce((n, b) => n + b.length, 0));
  let at = 0;
  for (const b of bytes) {
    joined.set(b, at);
    at += b.length;
  }
  return joined;
}

// fieldBy returns what makes a cell a field: quote does so with a text, and with bytes as if each were a letter.
const fieldBy = (quote) => (cell) => {
  if (typeof cell === "number" || cell === undefined) return formatField(cell);
  if (typeof cell === "string") return quote(cell);
  return Uint8Array.from(quote(String.fromCharCode(...cell)), (c) => c.charCodeAt(0));
};

// tsvOf returns the bytes of a table, whose cells are texts, bytes or numbers. Tab, newline, carriage return and backslash
// are \t, \n, \r and \\.
function tsvOf(head, rows) {
  const escapes = { "\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\" };
  return linesOf([head, ...rows], "\t", "\n", fieldBy((text) => text.replace(/[\t\n\r\\]/g, (c) => escapes[c])));
}

// csvOf is tsvOf with commas and quotes. For Excel it has a mark of UTF-8, and ' before
// cells that Excel would take for formulas.
function csvOf(head, rows, excel) {
  const lines = linesOf([head, ...rows], ",", "\r\n", fieldBy((text) => {
    const guard = excel && /^[=+\-@\t\r]/.test(text) ? "'" : "";
    return guard || /[",\n\r]/.test(text) ? '"' + guard + text.replaceAll('"', '""') + '"' : text;
  }));
  return joinBytes([excel ? "\ufeff" : "", lines]);
}

// linesOf joins the fields of rows. Rows of texts alone, as nearly all are, are one text.
function linesOf(rows, between, end, field) {
  const parts = [];
  let text = "";
  for (const row of rows) {
    const fields = row.map(field);
    if (fields.every((f) => typeof f === "string")) {
      text += fields.join(between) + end;
      continue;
    }
    parts.push(text, ...fields.flatMap((f, k) => (k ? [between, f] : [f])), end);
    text = "";
  }
  return joinBytes([...parts, text]);
}

// jsonOf gives a value as Go's encoding/json does.
const jsonOf = (value) => JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));

// tableOfTerms gives terms as rows of a table. of has the data, the values of all terms by the
// measure by in class c as column, the names of the classes, and the terms in order.
function tableOfTerms(of) {
  const { data, values, classNames, by, c, column } = of;
  const own = c === everyClass ? null : data.column(c), haveP = data.terms > 0 && data.log10p(0) !== undefined;
  const head = ["rank", "term", by, "df", "cf", ...(classNames.length > 0 ? ["class", "a", "s"] : []), ...(haveP ? ["log10p"] : [])];
  const lines = of.terms.map((i, k) => {
    const at = c === everyClass && classNames.length > 0 ? values.best(by, i) : c;
    const counted = own || (at === everyClass ? null : data.column(at));
    const ofClass = classNames.length === 0 ? [] : counted ? [classNames[at], String(counted.A[i]), String(counted.S[i])] : ["", "", ""];
    return [String(k + 1), data.name(i), column[i], String(data.df[i]), String(data.cf[i]), ...ofClass, ...(haveP ? [data.log10p(i, c)] : [])];
  });
  return { head, lines };
}

// featuresOfTerms gives terms, which have values, as a features file. Its classes are in the
// order of their bytes, as those of the page are, but for two corpora, of which the page has the
// target first.
function featuresOfTerms(of) {
  const { data, values, by, c, column, terms } = of;
  const m = measures.get(by), { classes, provenance } = data.settings.features, raw = JSON.parse(classes);
  const rows = terms.map((i, k) => {
    const at = c === everyClass ? values.best(by, i) : c, a = at === everyClass ? 0 : data.column(at).A[i];
    const ofClass = at === everyClass ? ["", "", ""] : [raw[data.sides ? raw.length - 1 - at : at], String(a), String(data.df[i] - a)];
    return [String(k + 1), data.name(i), column[i], String(data.df[i]), ...ofClass];
  });
  const combined = c === everyClass ? m.combine : "class";
  const stage = { measure: by, ...(m.own ? { formula: m.formula } : {}), combine: combined, criterion: "chosen " + terms.length, ...(c === everyClass ? {} : { quota: "per-class" }), candidates: data.terms, terms: terms.length };
  const records = { measure: jsonOf(by), combine: jsonOf(combined), documents: data.documents, classes, provenance, stages: jsonOf([stage]) };
  const head = utf8.encode("#termsift features 2\n" + Object.entries(records).map(([name, json]) => "#" + name + " " + json + "\n").join(""));
  const table = tsvOf(["rank", "term", "score", "df", "class", "a", "b"], rows);
  const sum = xxh3(joinBytes([head, table])).toString(16).padStart(16, "0");
  return joinBytes([head, '#seal {"rows":' + terms.length + ',"sum":"' + sum + '"}\n', table]);
}

// xxh3 returns the XXH3-64 of more than 240 bytes, as its specification has it (Collet,
// github.com/Cyan4973/xxHash, doc/xxhash_spec.md).
function xxh3(bytes) {
  if (bytes.length <= 240) throw new RangeError("xxh3 of few bytes");
  const mask = (1n << 64n) - 1n, low = 0xffffffffn;
  const secret = new DataView(Uint8Array.from(
    ("b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f" +
     "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c" +
     "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8" +
     "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364" +
     "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e" +
     "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e").match(/../g), (h) => parseInt(h, 16)).buffer);
  const p32 = [0x9e3779b1n, 0x85ebca77n, 0xc2b2ae3dn];
  const p64 = [0x9e3779b185ebca87n, 0xc2b2ae3d27d4eb4fn, 0x165667b19e3779f9n, 0x85ebca77c2b2ae63n, 0x27d4eb2f165667c5n];
  const key = (at) => secret.getBigUint64(at, true);
  const keys = Array.from({ length: 16 }, (_, stripe) => Array.from({ length: 8 }, (_, lane) => key(8 * (stripe + lane))));
  const input = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const acc = [p32[2], p64[0], p64[1], p64[2], p64[3], p32[1], p64[4], p32[0]];
  const accumulate = (at, by) => {
    for (let lane = 0; lane < 8; lane++) {
      const value = input.getBigUint64(at + 8 * lane, true), mixed = value ^ by[lane];
      acc[lane ^ 1] = (acc[lane ^ 1] + value) & mask;
      acc[lane] = (acc[lane] + (mixed & low) * (mixed >> 32n)) & mask;
    }
  };
  const stripes = Math.floor((bytes.length - 1) / 64); // all but the last, which may overlap
  for (let s = 0; s < stripes; s++) {
    accumulate(64 * s, keys[s % 16]);
    if (s % 16 < 15) continue;
    for (let lane = 0; lane < 8; lane++) acc[lane] = ((acc[lane] ^ (acc[lane] >> 47n) ^ key(128 + 8 * lane)) * p32[0]) & mask;
  }
  accumulate(bytes.length - 64, Array.from({ length: 8 }, (_, lane) => key(121 + 8 * lane)));
  let sum = BigInt(bytes.length) * p64[0];
  for (let pair = 0; pair < 4; pair++) {
    const product = (acc[2 * pair] ^ key(11 + 16 * pair)) * (acc[2 * pair + 1] ^ key(19 + 16 * pair));
    sum += (product & mask) ^ (product >> 64n);
  }
  sum &= mask;
  sum = ((sum ^ (sum >> 37n)) * 0x165667919e3779f9n) & mask;
  return sum ^ (sum >> 32n);
}

// save lets the user keep bytes as a file.
function save(name, type, bytes) {
  const link = element("a", { download: name, href: URL.createObjectURL(new Blob([bytes], { type })) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// copy puts a text where it can be pasted from, and promises whether it could.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { // an older browser, or one that forbids it on a page from a file
    const area = element("textarea", { class: "hidden", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
