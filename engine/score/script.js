// The measures of a page. They are computed from tables: objects with the counts A, B, C, D, N, df, n_c, S, cf, T_c, T and Q
// of a term and a class.

// tableOf returns the table of a term and a class: all and in have the documents and tokens of the corpus and of the class,
// term has its df and cf, and A, S and Q are the documents of the class with the term, its occurrences in them and the sum
// of their squares.
function tableOf(all, term, within, A, S, Q) {
  const N = all.documents, T = all.tokens, {df, cf} = term, n_c = within.documents, T_c = within.tokens;
  return {A, B: df - A, C: n_c - A, D: N - df - n_c + A, N, df, n_c, S, cf, T_c, T, Q};
}

// measureOf makes a measure of what is known of it and of the functions that its formulas are.
function measureOf(info, ofClass, own) {
  return {
    ...info,
    value: ofClass && ((t, all) => ofClass(all)(t)),
    values: ofClass && (all => all.map(ofClass(all))),
    whole: own && (all => all.length > 0 ? own(all)(all[0]) : NaN),
  };
}

// combine returns the value of a term over all classes: its measure's own by default, else the values of the classes
// combined by "max", "avg" (weighted by the shares of the classes in the documents), "sum" or "mean".
function combine(measure, all, how) {
  if (how === "" || how === "global" || how === "total") {
    if (measure.whole) return measure.whole(all);
    how = "max";
  }
  const values = measure.values(all);
  if (how === "max") return values.reduce((most, v) => v > most || most !== most ? v : most, NaN);
  let added = 0;
  all.forEach((t, c) => {
    const weight = how === "avg" ? t.n_c / t.N : 1;
    const left = measure.presentOnly && t.A === 0 && t.S === 0;
    if (weight > 0 && !left) added += weight * values[c];
  });
  return how === "mean" ? added / all.length : added;
}
