// Values of measures, computed when they are asked for. The number of a class is its place
// in data.classes; everyClass stands for all classes together.

const everyClass = -1;

// titleOf returns what people call a measure.
const titleOf = (name) => measures.get(name)?.title || name;

// pause lets the browser answer the user.
const pause = () => new Promise((resolve) => setTimeout(resolve));

// makeValues returns the values of the terms of a page.
function makeValues(data) {
  const whole = { documents: data.documents, tokens: data.tokens };
  const unclassed = { df: data.df, cf: data.cf };
  const kept = new Map(); // the columns that were used last, by measure and class
  const mostKept = Math.max(8, Math.floor(8e6 / Math.max(1, data.terms)));

  // tablesOf returns the tables of a term of all classes.
  function tablesOf(i) {
    const cells = data.cells(i), term = { df: data.df[i], cf: data.cf[i] }, tables = new Array(data.classes.length);
    for (let k = 0; k < cells.classes.length; k++) {
      const c = cells.classes[k];
      tables[c] = tableOf(whole, term, data.classes[c], cells.A[k], cells.S[k], cells.Q[k]);
    }
    for (let c = 0; c < tables.length; c++) tables[c] ??= tableOf(whole, term, data.classes[c], 0, 0, 0);
    return tables;
  }

  // tableIn returns the table of a term of one class.
  function tableIn(i, c) {
    const column = data.column(c), term = { df: data.df[i], cf: data.cf[i] };
    return tableOf(whole, term, data.classes[c], column.A[i], column.S[i], column.Q[i]);
  }

  // countsOf returns a text for the counts of a term that is in one class, null for others.
  function countsOf(i) {
    const { classes, A, S, Q } = data.cells(i);
    return classes.length === 1 ? classes[0] + " " + A[0] + " " + S[0] + " " + Q[0] + " " + data.df[i] + " " + data.cf[i] : null;
  }

  // isKnown reports whether a measure has values of a class, or of every class.
  const isKnown = (m, c) => (data.classes.length === 0 ? c === everyClass && m.name in unclassed :
    (!m.squares || data.settings.squares !== false) && (c === everyClass || m.value !== null));

  const namesOf = (c) => [...measures.values()].filter((m) => isKnown(m, c)).map((m) => m.name);

  // value returns that of a term.
  function value(name, c, i) {
    const held = kept.get(name + " " + c);
    if (held) return held[i];
    if (data.classes.length === 0) return unclassed[name][i];
    const m = measures.get(name);
    if (c === everyClass) return combine(m, tablesOf(i), "");
    return m.across ? m.value(tablesOf(i)[c], tablesOf(i)) : m.value(tableIn(i, c));
  }

  // best returns the class with the largest value of a term: of equal ones a class that has the
  // term, then the first. It is everyClass if the value over all classes is not that of one.
  function best(name, i) {
    const m = measures.get(name);
    if (data.classes.length === 0 || m.combine !== "max") return everyClass;
    const tables = tablesOf(i), own = m.values(tables);
    const largest = own.reduce((a, v) => (v > a || Number.isNaN(a) ? v : a), NaN);
    const first = (is) => (data.sides ? own.findLastIndex(is) : own.findIndex(is)); // the reference comes before the target
    const at = first((v, c) => v === largest && tables[c].A > 0);
    return at >= 0 ? at : first((v) => v === largest);
  }

  // typical is best, but of classes with the same value the first that has more of the term.
  function typical(name, i) {
    const first = best(name, i);
    if (first === everyClass || signOf(data, first, i) >= 0) return first;
    const own = measures.get(name).values(tablesOf(i));
    const other = own.findIndex((v, c) => v >= own[first] - 1e-9 * Math.abs(own[first]) && signOf(data, c, i) > 0);
    return other < 0 ? first : other;
  }

  // column promises the values of all terms. It pauses now and then, and ends with undefined
  // if wanted says that nobody waits any more.
  async function column(name, c, wanted = () => true) {
    const key = name + " " + c;
    let values = kept.get(key);
    if (values) kept.delete(key); // and is the last one again
    else if (data.classes.length === 0) values = Float64Array.from(unclassed[name]);
    else {
      values = new Float64Array(data.terms);
      const same = new Map(); // many terms are in one class, with the same counts there
      let until = performance.now() + 24;
      for (let i = 0; i < data.terms; i++) {
        const counts = countsOf(i);
        let v = counts === null ? undefined : same.get(counts);
        if (v === undefined) {
          v = value(name, c, i);
          if (counts !== null) same.set(counts, v);
        }
        values[i] = v;
        if (i % 64 === 63 && performance.now() > until) {
          await pause();
          if (!wanted()) return undefined;
          until = performance.now() + 24;
        }
      }
    }
    kept.set(key, values);
    if (kept.size > mostKept) kept.delete(kept.keys().next().value);
    return values;
  }

  return { namesOf, value, best, typical, column, tablesOf, held: (name, c) => kept.get(name + " " + c) };
}

// compareTerms is negative if term i stands before term j in a ranking: by value, the largest first, or with sign -1 the
// smallest, then by documents, then by name. Terms without a value come last.
function compareTerms(data, values, i, j, sign = 1) {
  const v = values[i], w = values[j], more = data.df[j] - data.df[i] || i - j;
  if (v === w) return more;
  if (Number.isNaN(v) || Number.isNaN(w)) return Number.isNaN(v) - Number.isNaN(w) || more;
  return v > w ? -sign : sign;
}

// rankOf returns the rank of term i among all terms, from 1; NaN if it has no value.
function rankOf(data, values, i) {
  if (Number.isNaN(values[i])) return NaN;
  let rank = 1;
  for (let j = 0; j < values.length; j++) if (compareTerms(data, values, j, i) < 0) rank++;
  return rank;
}

// signOf is 1 if a class has more documents with a term than its size lets expect, -1 if it
// has fewer, 0 if it has as many. Without documents of the classes their occurrences count.
function signOf(data, c, i) {
  const { A, S } = data.column(c), k = data.classes[c];
  if (data.sides || k.documents === 0) return Math.sign(S[i] * data.tokens - data.cf[i] * k.tokens);
  return Math.sign(A[i] * data.documents - data.df[i] * k.documents);
}

// signedValue gives a value in a class, with a mark if that has less of the term than all documents.
function signedValue(data, v, digits, c, i) {
  const text = formatValue(v, digits);
  return c !== everyClass && signOf(data, c, i) < 0 ? element("span", { class: "less", title: "less than expected" }, text) : text;
}
