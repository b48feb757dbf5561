// Search by a part of a name, or by a pattern in which * stands for any characters and ? for one.

// globOf returns a function that tells whether a whole text matches a pattern.
function globOf(pattern) {
  const wanted = [...pattern];
  return (text) => {
    const has = [...text];
    let w = 0, h = 0, star = -1, from = 0;
    while (h < has.length) {
      if (w < wanted.length && wanted[w] === "*") [star, from] = [w++, h];
      else if (w < wanted.length && (wanted[w] === "?" || wanted[w] === has[h])) w++, h++;
      else if (star >= 0) [w, h] = [star + 1, ++from]; // the star takes one more
      else return false;
    }
    while (wanted[w] === "*") w++;
    return w === wanted.length;
  };
}

const isPattern = (text) => /[*?]/.test(text);

// makeFinder returns a function that marks the terms that a search finds; null finds all.
function makeFinder(data) {
  let names = null; // in small letters, when first needed
  return (text) => {
    const wanted = text.trim().toLowerCase();
    if (wanted === "") return null;
    names ??= Array.from({ length: data.terms }, (_, i) => data.term(i).toLowerCase());
    const glob = globOf(wanted), plain = wanted.split(/[*?]/).reduce((a, b) => (b.length > a.length ? b : a), "");
    const matches = isPattern(wanted) ? (name) => name.includes(plain) && glob(name) : (name) => name.includes(wanted);
    const found = new Uint8Array(data.terms);
    for (let i = 0; i < names.length; i++) if (matches(names[i])) found[i] = 1;
    return found;
  };
}

// nearestNames returns up to five terms of which a text is at most two edits away, nearest first.
function nearestNames(data, text) {
  const wanted = [...text.trim().toLowerCase()], most = Math.min(2, Math.floor(wanted.length / 3));
  const near = [];
  for (let i = 0; i < data.terms && most > 0; i++) {
    const name = data.term(i).toLowerCase();
    if (Math.abs(name.length - wanted.length) > most) continue;
    const edits = editsBetween(wanted, [...name], most);
    if (edits <= most) near.push({ i, edits });
  }
  return near.sort((a, b) => a.edits - b.edits || data.df[b.i] - data.df[a.i]).slice(0, 5).map((n) => n.i);
}

// editsBetween returns the number of letters to insert, delete or change, or more than most.
function editsBetween(a, b, most) {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    if (Math.min(...next) > most) return most + 1;
    row = next;
  }
  return row[b.length];
}
