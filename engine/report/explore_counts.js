// Counts and p-values, as explorecounts.go packs them.

// What the numbers say.
const [ofTotal, ofClasses, ofGap, ofDocuments, ofMore, ofShare, ofSquares, ofDF, ofCF, ofFirstP, ofNextP, ofTermP, kindsOfNumbers] = Array(13).keys();

// readCounts reads the counts of n terms.
function readCounts(r, n, classes, squares) {
  const start = new Uint32Array(n + 1), df = new Uint32Array(n), cf = new Float64Array(n);
  let room = 4 * n + 16;
  let cellClass = new Uint32Array(room), cellA = new Float64Array(room), cellS = new Float64Array(room), cellQ = new Float64Array(room);
  const longer = (column) => {
    const other = new column.constructor(room);
    other.set(column);
    return other;
  };
  for (let i = 0, j = 0; i < n; i++) {
    let total = 0, more = 0, cells = 0;
    if (classes > 0) {
      total = r.number(ofTotal);
      cells = total > 1 && classes > 1 ? r.number(ofClasses) + 1 : Math.min(total, 1);
      if (total > 0) more = r.number(ofMore);
    }
    if (j + cells > room) {
      room = 2 * (j + cells);
      [cellClass, cellA, cellS, cellQ] = [cellClass, cellA, cellS, cellQ].map(longer);
    }
    let next = 0, docs = total, rest = more;
    for (let left = cells; left > 0; left--, j++) {
      const c = next + (left < classes - next ? r.number(ofGap) : 0);
      let a = docs, s = rest;
      if (left > 1) {
        a = 1 + (docs > left ? r.number(ofDocuments) : 0);
        s = rest > 0 ? r.number(ofShare) : 0;
      }
      cellClass[j] = c;
      cellA[j] = a;
      cellS[j] = a + s;
      if (squares) cellQ[j] = leastSquares(a, a + s) + (a > 1 && s > 0 ? 2 * r.number(ofSquares) : 0);
      next = c + 1;
      docs -= a;
      rest -= s;
    }
    start[i + 1] = j;
    df[i] = total + r.signed(ofDF);
    cf[i] = total + more + r.signed(ofCF);
  }
  const end = start[n];
  return { start, df, cf, cellClass: cellClass.slice(0, end), cellA: cellA.slice(0, end), cellS: cellS.slice(0, end), cellQ: cellQ.slice(0, end) };
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
  const kind = r.number(ofTermP);
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
        p = before === undefined ? r.number(ofFirstP) : before + r.signed(ofNextP);
        near.set(key, p);
        if (kind < 3) seen.set(own, p);
      }
      cells[j] = -p / perDecade;
      largest = Math.max(largest, p);
    }
    terms[i] = -(largest + r.signed(ofTermP)) / perDecade;
  }
  return { terms, cells };
}
