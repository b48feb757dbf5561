// Numbers, names and classes as the page shows them.

// ofClass shows a text about a class in the colour that the class has in the plot, if there are more than two.
function ofClass(data, c, text = data.classes[c].name) {
  const e = element("bdi", {}, text);
  if (data.classes.length > 2) {
    e.className = "hue";
    e.style.setProperty("--hue", 360 * c / data.classes.length);
  }
  return e;
}

// distinct numbers names that are alike.
function distinct(names, mark = "") {
  const met = new Set();
  return names.map((name, k) => {
    const own = met.has(name) ? name + " (" + mark + (k + 1) + ")" : name;
    met.add(own);
    return own;
  });
}

// shortNames cuts names in the middle, for parts of one tree differ at their ends.
function shortNames(names, most) {
  const half = Math.floor(most / 2);
  return distinct(names.map((name) => {
    const letters = [...name];
    return letters.length > most ? letters.slice(0, half).join("") + "…" + letters.slice(half + 1 - most).join("") : name;
  }));
}

// working tells that something takes its time.
const working = (text) => [text + " … ", element("progress", { "aria-label": text })];

const formatCount = (n) => (Number.isInteger(n) ? n.toLocaleString("en-US") : formatValue(n)).replace("-", "−");

// formatPlural gives a number with a noun: "1 term", "2 terms".
const formatPlural = (n, noun) => formatCount(n) + " " + noun + (n === 1 ? "" : "s");

// digitsFor returns the number of decimals that a column of values has: none if they are whole, else two to four.
function digitsFor(values) {
  let most = 0, whole = true;
  for (const v of values) {
    if (!Number.isFinite(v)) continue;
    most = Math.max(most, Math.abs(v));
    whole = whole && Number.isInteger(v);
  }
  return whole ? 0 : digitsUpTo(most);
}

// digitsUpTo returns the number of decimals of values up to a size.
const digitsUpTo = (size) => Math.max(2, Math.min(4, 3 - Math.floor(Math.log10(size))));

// formatValue gives a value with so many decimals, or as many as show four digits.
function formatValue(v, digits) {
  if (Number.isNaN(v)) return "–";
  if (!Number.isFinite(v)) return v > 0 ? "∞" : "−∞";
  const size = Math.abs(v);
  digits ??= Number.isInteger(v) ? 0 : digitsUpTo(size);
  if (size >= 1e15 || (size > 0 && size < .5 * 10 ** -digits)) return v.toExponential(2).replaceAll("-", "−");
  return v.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace("-", "−");
}

// formatRate gives occurrences per million tokens.
function formatRate(count, tokens) {
  const rate = tokens > 0 ? 1e6 * count / tokens : NaN;
  if (Number.isNaN(rate)) return "–";
  return rate >= 100 ? formatCount(Math.round(rate)) : rate.toFixed(rate >= 10 ? 1 : 2);
}

// formatProbability gives a probability by its log10, which may be too small for a number.
function formatProbability(log10) {
  if (log10 === undefined || Number.isNaN(log10)) return "–";
  if (log10 >= -3) return String(Number((10 ** log10).toPrecision(2)));
  const [digits, carried] = (10 ** (log10 - Math.floor(log10))).toExponential(1).split("e");
  return digits + "e−" + -(Math.floor(log10) + Number(carried));
}

const formatShare = (part, all) => (all > 0 ? (100 * part / all).toFixed(1) + " %" : "–");
