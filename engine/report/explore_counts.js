// Counts and p-values, as explore.go packs them.

// What the numbers say.
const [ofClasses, ofGap, ofDocuments, ofMore, ofSquares, ofDF, ofCF, ofFirstP, ofNextP, ofTermP, kindsOfNumbers] = Array(11).keys();

// readCounts reads the counts of n terms, which have so many cells in all.
function readCounts(r, n, cells, classes, squares) {
  const start = new Uint32Array(n + 1), df = new Uint32Array(n), cf = new Float64Array(n);
  const cellClass = new Uint32Array(cells), cellA = new Float64Array(cells), cellS = new Float64Array(cells), cellQ = new Float64Array(cells);
  for (let i = 0, j = 0; i < n; i++) {
    for (let left = classes > 0 ? r.number(ofClasses) : 0, next = 0; left > 0; left--, j++) {
      const c = next + r.number(ofGap), a = 1 + r.number(ofDocuments), s = a + r.number(ofMore);
      cellClass[j] = c;
      cellA[j] = a;
      cellS[j] = s;
      if (squares) cellQ[j] = leastSquares(a, s) + (a > 1 && s > a ? 2 * r.number(ofSquares) : 0);
      df[i] += a;
      cf[i] += s;
      next = c + 1;
    }
    start[i + 1] = j;
    df[i] += r.signed(ofDF);
    cf[i] += r.signed(ofCF);
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
