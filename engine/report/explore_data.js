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
  const text = (bytes) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), json = (bytes) => JSON.parse(text(bytes));
  const head = json(parts.head);
  const n = head.terms;
  const counts = readCounts(numbersOf(parts.counts), n, head.cells, head.classes.length, head.squares);
  const names = namesOf(text(parts.names)), odd = json(parts.odd); // odd ones are not shown as they are
  const bytes = (i) => odd[i]?.bytes && bytesOf(odd[i].bytes);
  for (const i of Object.keys(odd)) if (bytes(i)) names[i] = text(bytes(i));
  const { terms: termP, cells: cellP } = parts.p ? readP(numbersOf(parts.p), n, head.cell_p, counts) : {};
  const columns = new Map();
  let evidence = null, places = null;
  const { start, cellClass, cellA, cellS, cellQ } = counts;
  return {
    settings: head, classes: head.classes, documents: head.documents, tokens: head.tokens, sides: head.sides,
    terms: n, ...counts,
    term: (i) => names[i],
    // name gives the name of a term, as bytes if it is not UTF-8.
    name: (i) => bytes(i) || names[i],
    shown: (i) => odd[i]?.shown ?? names[i],
    // find returns the number of a term, or -1.
    find(name) {
      places ??= new Map(names.map((of, i) => [of, i]).filter(([of, i]) => !odd[i]?.bytes || !of.includes("\ufffd")));
      return places.get(name) ?? -1;
    },
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
    log10p(i, c = everyClass) {
      if (c === everyClass) return termP ? termP[i] : undefined;
      if (!cellP) return undefined;
      for (let j = start[i]; j < start[i + 1]; j++) if (cellClass[j] === c) return cellP[j];
      return undefined;
    },
    // evidence returns the documents and lines of a term, or null.
    evidence(i) {
      evidence ??= json(parts.evidence);
      return evidence[i] ?? null;
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

  signed() {
    const twice = this.next();
    return twice % 2 ? -(twice + 1) / 2 : twice / 2;
  }
}

// namesOf returns the terms of lines: the first says how many characters each shares with the one before it.
function namesOf(lines) {
  const [shared, ...rests] = lines.split("\n");
  let before = "";
  return rests.map((rest, i) => {
    before = before.slice(0, shared.charCodeAt(i) - 48) + rest;
    return before;
  });
}

// What the numbers say.
const [ofClasses, ofGap, ofDocuments, ofMore, ofSquares, ofDF, ofCF, ofFirstP, ofNextP, ofTermP, kindsOfNumbers] = Array(11).keys();

// numbersOf returns the readers of the numbers, by what they say.
function numbersOf(bytes) {
  const lengths = new NumberReader(bytes), of = Array.from({ length: kindsOfNumbers }, () => lengths.next());
  let at = lengths.at;
  return of.map((length) => new NumberReader(bytes.subarray(at, at += length)));
}

// readCounts reads the counts of n terms, which have so many cells in all.
function readCounts(r, n, cells, classes, squares) {
  const start = new Uint32Array(n + 1), df = new Uint32Array(n), cf = new Float64Array(n);
  const cellClass = new Uint32Array(cells), cellA = new Float64Array(cells), cellS = new Float64Array(cells), cellQ = new Float64Array(cells);
  for (let i = 0, j = 0; i < n; i++) {
    for (let left = classes > 0 ? r[ofClasses].next() : 0, next = 0; left > 0; left--, j++) {
      const c = next + r[ofGap].next(), a = 1 + r[ofDocuments].next(), s = a + r[ofMore].next();
      cellClass[j] = c;
      cellA[j] = a;
      cellS[j] = s;
      if (squares) cellQ[j] = leastSquares(a, s) + (a > 1 && s > a ? 2 * r[ofSquares].next() : 0);
      df[i] += a;
      cf[i] += s;
      next = c + 1;
    }
    start[i + 1] = j;
    df[i] += r[ofDF].signed();
    cf[i] += r[ofCF].signed();
  }
  return { start, df, cf, cellClass, cellA, cellS, cellQ };
}

// leastSquares returns the least sum of squares of a whole numbers whose sum is s.
function leastSquares(a, s) {
  const each = Math.floor(s / a), more = s - a * each;
  return more * (each + 1) * (each + 1) + (a - more) * each * each;
}

// perDecade is how many steps a decade of p-values has.
const perDecade = 100;

// readP reads log10 of the p-values of terms, and of cells if they are there.
function readP(r, n, haveCells, { start, cellClass, cellA, cellS, cellQ, df, cf }) {
  const terms = new Float64Array(n), cells = haveCells ? new Float64Array(cellA.length) : null;
  const kind = r[ofTermP].next();
  const seen = new Map(), near = new Map();
  // A number for small counts, since texts as keys take several times as long.
  const pairOf = (a, b) => (a < 65536 && b < 65536 ? a * 65536 + b : a + " " + b);
  const keyOf = [
    (i, j) => pairOf(cellA[j], df[i]),
    (i, j) => pairOf(cellS[j], cf[i]),
    (i, j) => cellA[j] + " " + cellS[j] + " " + cellQ[j] + " " + df[i] + " " + cf[i],
    (i, j) => cellA[j] + " " + cellS[j] + " " + cellQ[j] + " " + df[i] + " " + cf[i],
  ][kind];
  const inClass = (key, c) => (typeof key === "number" && c < 1048576 ? key * 1048576 + c : key + " " + c);
  for (let i = 0; i < n; i++) {
    let largest = 0;
    for (let j = start[i]; haveCells && j < start[i + 1]; j++) {
      const key = keyOf(i, j), own = inClass(key, cellClass[j]);
      let p = kind < 3 ? seen.get(own) : undefined;
      if (p === undefined) {
        const before = near.get(key);
        p = before === undefined ? r[ofFirstP].next() : before + r[ofNextP].signed();
        near.set(key, p);
        if (kind < 3) seen.set(own, p);
      }
      cells[j] = -p / perDecade;
      largest = Math.max(largest, p);
    }
    terms[i] = -(largest + r[ofTermP].signed()) / perDecade;
  }
  return { terms, cells };
}
