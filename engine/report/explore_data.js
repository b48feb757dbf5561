"use strict";
// The terms of the page and their counts, as explore.go packs them.

let opened = null;

// openData unpacks the data of the page, once. It throws an Error that says what is wrong.
function openData() {
  return opened ??= unpackParts().then(dataOf);
}

// unpackParts promises the data of the scripts of the page, by name.
async function unpackParts() {
  if (typeof DecompressionStream !== "function") {
    throw new Error("This browser is too old to unpack the page: take one of 2023 or later.");
  }
  const parts = {};
  await Promise.all([...document.querySelectorAll("script[data-part]")].map(async (e) => {
    parts[e.dataset.part] = await unpack(bytesOf(e.textContent));
    e.textContent = ""; // its memory
  }));
  return parts;
}

// dataOf returns the terms of parts.
function dataOf(parts) {
  const json = (bytes) => JSON.parse(new TextDecoder().decode(bytes));
  const head = json(parts.head);
  const n = head.terms;
  const counts = readCounts(new KindReader(parts.counts), n, head.cells, head.classes.length, head.squares);
  const names = readNames(new NumberReader(parts.names), n, head.utf8);
  const shown = new Map((json(parts.shown) ?? []).map((of) => [of.term, of.name])); // of those with characters that nobody sees
  const { terms: termP, cells: cellP } = parts.p ? readP(new KindReader(parts.p), n, head.cell_p, counts) : {};
  const columns = new Map();
  let evidence = null;
  const { start, cellClass, cellA, cellS, cellQ } = counts;
  return {
    settings: { title: head.title, rank: head.rank, by: head.by, test: head.test, terms: head.of, squares: head.squares, notes: head.notes, texts: head.texts, command: head.command, features: head.features },
    classes: head.classes, documents: head.documents, tokens: head.tokens, sides: head.sides,
    terms: n, df: counts.df, cf: counts.cf, start, cellClass, cellA, cellS, cellQ,
    term: names.term,
    bytes: names.bytes,
    find: names.find,
    shown: (i) => shown.get(i) ?? names.term(i),
    // cells returns the classes that have a term, and its counts there.
    cells(i) {
      const from = start[i], to = start[i + 1];
      return { classes: cellClass.subarray(from, to), A: cellA.subarray(from, to), S: cellS.subarray(from, to), Q: cellQ.subarray(from, to) };
    },
    // column returns the counts of all terms in a class.
    column(c) {
      let column = columns.get(c);
      if (column) return column;
      column = { A: new Float64Array(n), S: new Float64Array(n), Q: new Float64Array(n) };
      for (let i = 0; i < n; i++) {
        for (let j = start[i]; j < start[i + 1]; j++) {
          if (cellClass[j] === c) {
            column.A[i] = cellA[j];
            column.S[i] = cellS[j];
            column.Q[i] = cellQ[j];
          }
        }
      }
      columns.set(c, column);
      return column;
    },
    // log10p returns log10 of the p-value of a term, or of the term in a class, if it is known.
    log10p(i, c) {
      if (c === undefined) return termP ? termP[i] : undefined;
      if (!cellP) return undefined;
      for (let j = start[i]; j < start[i + 1]; j++) if (cellClass[j] === c) return cellP[j];
      return undefined;
    },
    // evidence returns the documents and lines of a term, or null.
    evidence(i) {
      if (!evidence) {
        evidence = new Map();
        if (parts.evidence) for (const of of json(parts.evidence)) evidence.set(of.term, of);
      }
      return evidence.get(i) || null;
    },
  };
}

// bytesOf returns the bytes of a text in base64.
function bytesOf(base64) {
  const text = atob(base64.trim().replace(/-/g, "+").replace(/_/g, "/"));
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// unpack returns the bytes that gzip has packed.
async function unpack(packed) {
  try {
    return new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  } catch (e) {
    throw new Error("The data of the page are damaged: " + e.message);
  }
}

// A NumberReader reads numbers of seven bits a byte, the lowest first.
class NumberReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  next() {
    const bytes = this.bytes;
    let b = bytes[this.at++];
    if (b < 128) return b;
    let value = b & 127;
    for (let unit = 128; ; unit *= 128) {
      b = bytes[this.at++];
      if (b === undefined) throw new Error("The data of the page are damaged: they end too early.");
      value += (b & 127) * unit;
      if (b < 128) return value;
    }
  }
}

// A KindReader reads numbers by what they say.
class KindReader {
  constructor(bytes) {
    const lengths = new NumberReader(bytes);
    const ends = Array.from({ length: kindsOfNumbers }, () => lengths.next());
    let at = lengths.at;
    this.kinds = ends.map((length) => new NumberReader(bytes.subarray(at, at += length)));
  }

  number(of) {
    return this.kinds[of].next();
  }

  signed(of) {
    const twice = this.number(of);
    return twice % 2 ? -(twice + 1) / 2 : twice / 2;
  }
}

// readNames reads n terms. Names that are UTF-8 throughout are decoded in one piece.
function readNames(r, n, utf8) {
  const shared = new Uint32Array(n), start = new Uint32Array(n + 1);
  for (let i = 0; i < n; i++) shared[i] = r.next();
  for (let i = 0; i < n; i++) start[i + 1] = start[i] + shared[i] + r.next();
  const all = new Uint8Array(start[n]);
  for (let i = 0, at = r.at; i < n; i++) {
    if (i > 0) all.copyWithin(start[i], start[i - 1], start[i - 1] + shared[i]);
    const more = start[i + 1] - start[i] - shared[i];
    all.set(r.bytes.subarray(at, at + more), start[i] + shared[i]);
    at += more;
  }
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const bytes = (i) => all.subarray(start[i], start[i + 1]);
  let term = (i) => decoder.decode(bytes(i));
  if (utf8) {
    const text = decoder.decode(all), from = new Uint32Array(n + 1);
    for (let i = 0, at = 0; i < n; i++) {
      from[i] = at;
      for (let j = start[i]; j < start[i + 1]; j++) {
        if ((all[j] & 0xc0) !== 0x80) at += all[j] >= 0xf0 ? 2 : 1;
      }
      from[i + 1] = at;
    }
    term = (i) => text.slice(from[i], from[i + 1]);
  }
  const encoder = new TextEncoder();
  const find = (name) => {
    const wanted = encoder.encode(name);
    let lo = 0, hi = n;
    while (lo < hi) {
      const middle = (lo + hi) >> 1;
      if (compareBytes(bytes(middle), wanted) < 0) lo = middle + 1;
      else hi = middle;
    }
    return lo < n && compareBytes(bytes(lo), wanted) === 0 ? lo : -1;
  };
  return { term, bytes, find };
}

function compareBytes(a, b) {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}
