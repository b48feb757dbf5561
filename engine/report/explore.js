// The page: what is chosen, in the link and in the controls, and what follows from it.

// startPage shows the terms of the page.
async function startPage() {
  const opening = document.querySelector("[data-opening]");
  document.querySelector(".about").open = matchMedia("(min-width: 64rem)").matches;
  try {
    const data = await openData();
    opening.replaceChildren(...working("The terms are being ranked"));
    await pause();
    runPage(data);
  } catch (e) {
    opening.setAttribute("role", "alert");
    opening.textContent = e.message;
    throw e;
  }
}

// runPage shows the terms. around is empty, or what a page has that holds the texts, too: signal, which ends what listens
// to the window, and onOpen(i), which is told of the term that is open.
function runPage(data, around = {}) {
  const { signal } = around;
  const one = (selector) => document.querySelector(selector), each = (selector) => [...document.querySelectorAll(selector)];
  const values = makeValues(data), find = makeFinder(data);
  const controls = Object.fromEntries(each("main [data-state]").map((e) => [e.dataset.state, e]));
  const selected = new Set();
  const ranked = data.settings.rank.split(/[:=]/)[0]; // without a combination, or the formula of one's own
  const first = [ranked, data.settings.by, ...values.namesOf(everyClass)].find((name) => values.namesOf(everyClass).includes(name));
  const start = { by: first, cls: "", q: "", docs: "", times: "", p: "", sign: "", only: "", x: "", y: "", sort: "value", down: "1", term: "" };
  const state = { ...start };
  const classNames = distinct(data.classes.map((c) => c.name), "class ");
  classNames.forEach((name, c) => { data.classes[c].name = name; });
  const scope = () => (state.cls === "" ? everyClass : classNames.indexOf(state.cls));
  const haveP = data.terms > 0 && data.log10p(0) !== undefined;
  const word = data.sides ? "corpus" : "class";
  const wholeNames = shortNames(classNames, 30), ruler = document.createElement("canvas").getContext("2d");
  ruler.font = getComputedStyle(one(".rows table")).font;
  one(".rows").style.setProperty("--names", wholeNames.reduce((most, name) => Math.max(most, ruler.measureText(name).width), 0) + "px");
  let rows = new Uint32Array(0), openTerm = -1, call = 0;

  const list = makeList(one(".rows"), data, (i) => selected.has(i), {
    onSort: (key) => change({ sort: key, down: state.sort === key ? (state.down ? "" : "1") : (key === "term" || key === "p" ? "" : "1") }),
    onOpen: (i, byKey) => open(i, byKey),
    onSelect: (i, on) => select([i], on),
  });
  const panel = makePanel(one("#term"), data, values, {
    onClass: (c) => change({ cls: c === scope() ? "" : classNames[c] }),
    onMeasure: (name) => change({ by: name, sort: "value", down: "1" }),
  });
  const cards = makeCards(one(".cards"), data, values, {
    onClass(c) {
      change({ cls: classNames[c] });
      one("#list").scrollIntoView();
    },
    onOpen: (i, byKey) => open(i, byKey),
    filterOf: (c, sign) => (one("[data-wrong]").hidden ? filterOf(c, sign) : null),
  });
  let plot = null; // until its axes are known

  // Columns of the list. A value is computed when its row comes in sight.
  const orders = new Map();
  const counts = (of) => ({ of, cell: (i) => formatCount(of[i]) });
  function columnsOf(c, digits) {
    const by = state.by;
    const value = { key: "value", title: by, hint: measures.get(by).title, numeric: true, cell: (i) => signedValue(data, values.value(by, c, i), digits, c, i) };
    const p = { key: "p", title: "p", hint: "p-value by " + data.settings.by, numeric: true, cell: (i) => formatProbability(data.log10p(i, c)) };
    const df = { key: "df", title: "docs", hint: "documents with the term", numeric: true, ...counts(data.df) };
    const cf = { key: "cf", title: "times", hint: "occurrences of the term", numeric: true, ...counts(data.cf) };
    const rate = { key: "rate", title: "per\nmillion", hint: "occurrences per million tokens", numeric: true, of: data.cf, cell: (i) => formatRate(data.cf[i], data.tokens) };
    const columns = [
      { key: "place", title: "", sorts: false, numeric: true, cell: (_, at) => formatCount(at + 1) },
      { key: "term", title: "term", hint: "the term", cell: () => "" }, value];
    if (c !== everyClass) {
      const { A, S } = data.column(c), own = data.classes[c], rest = data.tokens - own.tokens;
      columns.push(haveP && p);
      if (data.documents > 0) columns.push({ key: "a", title: "docs\nin " + word, hint: "documents of the " + word + " with the term", numeric: true, ...counts(A) }, { ...df, title: "docs\nin all" });
      columns.push({ key: "s", title: "times\nin " + word, hint: "occurrences in the " + word, numeric: true, ...counts(S) }, { ...cf, title: "times\nin all" },
        { ...rate, of: S, cell: (i) => formatRate(S[i], own.tokens), title: "per mill.\nin " + word },
        { key: "rest", title: "per mill.\nelsewhere", hint: "occurrences per million tokens elsewhere", numeric: true, of: data.cf.map((n, i) => n - S[i]), cell: (i) => formatRate(data.cf[i] - S[i], rest) });
    } else {
      if (classNames.length > 0 && measures.get(by).combine === "max") columns.push({ key: "best", title: word, hint: "the " + word + " with the largest value", sorts: false, cell: (i) => bestCell(by, i) });
      columns.push(haveP && p);
      if (classNames.length === 2) {
        shortNames(classNames, 9).forEach((short, k) => {
          const { S } = data.column(k), name = classNames[k];
          columns.push({ key: "s" + k, title: "times in\n" + short, hint: "occurrences in " + name, numeric: true, ...counts(S) });
        });
      }
      columns.push(data.documents > 0 && df, cf, rate);
      if (classNames.length > 1 && classNames.length <= 60) columns.push({ key: "profile", title: "by " + word, hint: "occurrences per million tokens in every " + word, sorts: false, cell: profile });
    }
    return columns.filter(Boolean);
  }

  function bestCell(by, i) {
    const c = values.typical(by, i);
    if (c === everyClass) return "–";
    const less = signOf(data, c, i) < 0;
    const name = ofClass(data, c, wholeNames[c]);
    name.classList.toggle("less", less);
    name.title = classNames[c] + (less ? ": less than expected" : "");
    return name;
  }

  // profile draws a bar for each class: its occurrences per token, beside the largest.
  function profile(i) {
    const { classes, S } = data.cells(i), width = 84, step = width / classNames.length;
    const rate = (k) => S[k] / Math.max(1, data.classes[classes[k]].tokens);
    let most = 0, d = "";
    for (let k = 0; k < classes.length; k++) most = Math.max(most, rate(k));
    for (let k = 0; k < classes.length; k++) {
      const high = Math.max(.5, 16 * rate(k) / most);
      d += "M" + (classes[k] * step).toFixed(1) + " 17v" + (-high).toFixed(1) + "h" + (step * .8).toFixed(1) + "V17z";
    }
    return svg("svg", { viewBox: "0 0 " + width + " 18", "aria-hidden": "true" }, svg("path", { d })); // the panel has the numbers
  }

  // orderBy promises all terms in the order that is chosen.
  async function orderBy(c, columns, wanted) {
    const key = [state.sort, state.down, state.sort === "value" ? state.by : "", c].join(" ");
    if (orders.has(key)) return orders.get(key);
    let keys = null;
    if (state.sort === "value") keys = await values.column(state.by, c, wanted);
    else if (state.sort === "p") keys = Float64Array.from({ length: data.terms }, (_, i) => data.log10p(i, c) ?? NaN);
    else keys = (columns.find((k) => k.key === state.sort) || {}).of;
    if (!wanted()) return null;
    const order = Uint32Array.from({ length: data.terms }, (_, i) => i), sign = state.down ? 1 : -1;
    if (keys) order.sort((i, j) => compareTerms(data, keys, i, j, sign));
    else if (state.down) order.reverse(); // by name: as they are
    if (orders.size > 12) orders.delete(orders.keys().next().value);
    orders.set(key, order);
    return order;
  }

  // filterOf tells which terms the search finds, and which the filters leave; it throws what is wrong with them.
  function filterOf(c, signed = state.sign) {
    const number = (name, what) => {
      const text = state[name].trim(), v = text === "" ? NaN : Number(text.replace(",", "."));
      if (text !== "" && !(v >= 0)) throw new RangeError(what + " must be a number from 0 on, not “" + text + "”.");
      return v;
    };
    const docs = number("docs", "The least number of documents"), times = number("times", "The least number of occurrences"), p = number("p", "The largest p");
    if (p > 1) throw new RangeError("The largest p must be at most 1, not " + state.p + ".");
    const most = Math.log10(p), found = find(state.q), sign = { more: 1, less: -1 }[signed];
    const signOfTerm = (i) => {
      const k = c === everyClass ? values.typical(state.by, i) : c;
      return k === everyClass ? 0 : signOf(data, k, i);
    };
    const leaves = (i) => !(data.df[i] < docs) && !(data.cf[i] < times) &&
      (Number.isNaN(p) || data.log10p(i, c) <= most) &&
      (!state.only || selected.has(i)) && (sign === undefined || signOfTerm(i) === sign);
    return { found, leaves, keeps: found === null ? leaves : (i) => found[i] === 1 && leaves(i) };
  }

  // appear shows the page once there is something to see.
  function appear() {
    one("[data-whole]").hidden = false;
    one("[data-opening]")?.remove();
  }

  // refresh shows what the state says.
  async function refresh() {
    const mine = ++call, wanted = () => mine === call;
    fitControls();
    remember();
    const c = scope(), wrong = one("[data-wrong]");
    let filter;
    try {
      filter = filterOf(c);
      wrong.hidden = true;
    } catch (e) {
      if (!(e instanceof RangeError)) throw e;
      appear();
      wrong.textContent = e.message;
      wrong.hidden = false;
      return;
    }
    const slow = setTimeout(() => one("[data-found]").replaceChildren(...working("computing")), 200);
    let columns = columnsOf(c, undefined);
    const order = await orderBy(c, columns, wanted);
    clearTimeout(slow);
    if (!order || !wanted()) return;
    appear();
    const held = values.held(state.by, c);
    if (held) columns = columnsOf(c, digitsFor(held));
    rows = order.filter(filter.keeps);
    list.setColumns(columns, state.sort, Boolean(state.down));
    list.setRows(rows);
    tellFound(filter);
    tellChosen();
    if (openTerm >= 0) panel.show(openTerm, c, state.by);
    one("[data-cards-by]").textContent = titleOf(state.by);
    cards.show(state.by, state.sign, [state.q, state.docs, state.times, state.p, state.only ? [...selected] : ""].join("\n"));
    await fitPlot(c, filter, order, wanted);
  }

  function tellFound(filter) {
    const found = one("[data-found]");
    found.textContent = formatCount(rows.length) + " of " + formatPlural(data.terms, "term");
    if (rows.length > 0 || state.q.trim() === "" || isPattern(state.q) || filter.found.includes(1)) return;
    const near = nearestNames(data, state.q);
    if (near.length === 0) return;
    found.append(". Near: ", ...near.flatMap((i, k) => [k ? ", " : "", plainButton(element("bdi", {}, data.shown(i)), () => change({ q: data.term(i) }))]));
  }

  // The plot.
  const axes = new Map();
  async function axisOf(key, c, wanted) {
    if (key === "value") {
      const column = await values.column(state.by, c, wanted);
      return column && axisOfMeasure(state.by + (c === everyClass ? "" : " in " + classNames[c]), column);
    }
    if (!axes.has(key)) {
      const [kind, name] = [key.split(":")[0], classNames.indexOf(key.slice(key.indexOf(":") + 1))];
      axes.set(key, kind === "in" ? axisOfClass(data, name) : kind === "rest" ? axisOfRest(data, name) : kind === "docs" ? axisOfMeasure("documents", Float64Array.from(data.df)) : axisOfAll(data));
    }
    return axes.get(key);
  }

  // homes are the classes that use the terms most, beside their tokens.
  let homes = null;
  const homesOf = () => homes ??= Int32Array.from({ length: data.terms }, (_, i) => {
    const { classes, S } = data.cells(i);
    let home = everyClass, most = 0;
    for (let k = 0; k < classes.length; k++) {
      const rate = S[k] / Math.max(1, data.classes[classes[k]].tokens);
      if (rate > most) [home, most] = [classes[k], rate];
    }
    return home;
  });

  // placesOf gives what an axis can have, and its name.
  const placesOf = () => [["all", "per million"], ["docs", "documents"], ["value", state.by + (state.cls === "" ? "" : " in " + state.cls)],
    ...classNames.map((n) => ["in:" + n, "in " + n]), ...(classNames.length > 2 ? classNames.map((n) => ["rest:" + n, "outside " + n]) : [])];

  // usualAxes are those of a plot unless others are chosen.
  function usualAxes() {
    if (state.cls !== "") return data.sides || classNames.length === 2 ? ["in:" + classNames.find((n) => n !== state.cls), "in:" + state.cls] : ["rest:" + state.cls, "in:" + state.cls];
    if (classNames.length === 2) return ["in:" + classNames[1], "in:" + classNames[0]];
    return ["all", classNames.length > 0 ? "value" : "docs"];
  }

  async function fitPlot(c, filter, order, wanted) {
    const [x, y] = usualAxes().map((usual, k) => (k ? state.y : state.x) || usual);
    const across = await axisOf(x, c, wanted), up = await axisOf(y, c, wanted);
    if (!wanted() || !across || !up) return;
    const toned = c !== everyClass ? c : classNames.length === 2 ? 0 : -1;
    const look = {
      x: across, y: up, order, shown: rows.length === data.terms ? null : Uint8Array.from({ length: data.terms }, (_, i) => filter.leaves(i)),
      found: filter.found, open: openTerm, selected,
      diagonal: /^(in|rest|all)/.test(x) && /^(in|rest|all)/.test(y),
      homes: toned < 0 && classNames.length > 2 ? homesOf() : null,
      tone: toned < 0 ? new Int8Array(data.terms) : Int8Array.from({ length: data.terms }, (_, i) => signOf(data, toned, i)),
    };
    if (plot) plot.update(look);
    else plot = makePlot(one("#plot canvas"), data, { ...look, signal, onOpen: (i) => open(i, false) });
  }

  // The open term.
  function open(i, byKey) {
    openTerm = i;
    state.term = i < 0 ? "" : data.term(i);
    remember();
    one(".work").classList.toggle("opened", i >= 0);
    panel.show(i, scope(), state.by);
    list.open(i);
    if (plot) plot.update({ open: i });
    if (around.onOpen) around.onOpen(i);
    if (i < 0) return;
    one("[data-term-select]").checked = selected.has(i);
    const at = rows.indexOf(i);
    one('[data-step="-1"]').disabled = at <= 0;
    one('[data-step="1"]').disabled = at < 0 ? rows.length === 0 : at === rows.length - 1;
    one("#term").scrollTop = 0;
    if (byKey) one("[data-term-name]").focus({ preventScroll: true });
    const box = one("#term").getBoundingClientRect();
    if (box.top < 0 || box.top > innerHeight - 160) one("#term").scrollIntoView();
  }

  function close() {
    open(-1, false);
    list.focus();
  }

  for (const b of each("[data-step]")) {
    b.addEventListener("click", () => {
      const at = rows.indexOf(openTerm) + Number(b.dataset.step);
      if (at < 0 || at >= rows.length) return;
      open(rows[at], false);
      if (b.disabled) one("[data-term-name]").focus({ preventScroll: true });
    });
  }
  one("[data-close]").addEventListener("click", close);
  one("#term").addEventListener("keydown", (e) => { if (e.key === "Escape") close(); });
  one("[data-term-select]").addEventListener("input", (e) => select([openTerm], e.target.checked));

  // The selection.
  function select(terms, on) {
    for (const i of terms) {
      if (on) selected.add(i);
      else selected.delete(i);
    }
    one("[data-term-select]").checked = selected.has(openTerm);
    remember();
    tellChosen();
    if (state.only) refresh();
    else {
      list.redraw();
      if (plot) plot.update({ selected });
    }
  }

  function tellChosen() {
    one("[data-chosen]").textContent = selected.size === 0 ? "None selected" : formatCount(selected.size) + " selected";
    one("[data-select-none]").disabled = selected.size === 0;
    one("[data-copy]").textContent = "Copy " + (selected.size > 0 ? "selected" : "shown");
    one("[data-save]").textContent = "Save " + (selected.size > 0 ? "selected" : "shown");
    one("[data-save]").disabled = one("[data-copy]").disabled = selected.size + rows.length === 0;
  }

  one("[data-select-shown]").addEventListener("click", () => select(rows, true));
  one("[data-select-none]").addEventListener("click", () => select([...selected], false));

  // chosen promises the selected terms, or those that the list shows, in its order.
  async function chosen() {
    if (selected.size === 0) return rows;
    const order = await orderBy(scope(), columnsOf(scope()), () => true);
    return order.filter((i) => selected.has(i));
  }

  const done = (text) => { one("[data-done]").textContent = text; };
  one("[data-copy]").addEventListener("click", async () => {
    const terms = [...await chosen()];
    const copied = await copy(terms.map((i) => data.term(i)).join("\n"));
    done(copied ? formatPlural(terms.length, "term") + " copied." : "The browser does not let the page copy.");
  });
  one("[data-link]").addEventListener("click", async () => {
    remember();
    done(await copy(location.href) ? "Link copied." + (selected.size > 0 && !location.hash.includes("sel=") ? " The selection is too long for it." : "") : "The browser does not let the page copy.");
  });
  one("[data-save]").addEventListener("click", async () => {
    const form = one("[data-form]").value, c = scope(), terms = [...await chosen()];
    const column = await values.column(state.by, c);
    const name = "terms-" + state.by.replace(/[^\w-]/g, "") + (state.cls ? "-" + state.cls.replace(/[^\w-]+/g, "-") : "");
    const of = { data, values, classNames, by: state.by, c, column, terms };
    if (form === "features") {
      const known = terms.filter((i) => !Number.isNaN(column[i])), without = terms.length - known.length;
      if (known.length === 0) return done("No term has a value of " + state.by + ", which a features file needs.");
      save(name + "-features.tsv", "text/tab-separated-values", featuresOfTerms({ ...of, terms: known }));
      return done(formatPlural(known.length, "feature") + " saved." + (without > 0 ? " " + formatPlural(without, "term") + " without a value left out." : ""));
    }
    const { head, lines } = tableOfTerms(of);
    if (form === "tsv") save(name + ".tsv", "text/tab-separated-values", tsvOf(head, lines));
    else save(name + ".csv", "text/csv", csvOf(head, lines, form === "excel"));
    const formulas = form === "csv" ? terms.filter((i) => /^[=+\-@\t\r]/.test(data.term(i))).length : 0;
    done(formatPlural(terms.length, "term") + " saved." + (formulas > 0 ? " " + formatPlural(formulas, "term") + " may be taken for formulas by a spreadsheet: CSV for Excel prevents that." : ""));
  });

  // The state, in the controls and in the link.
  function change(by) {
    const before = state.q + state.cls + state.by;
    Object.assign(state, by);
    if (state.cls !== "" && measures.get(state.by).value === null) {
      if ("cls" in by) state.by = values.namesOf(scope()).includes(first) ? first : values.namesOf(scope())[0];
      else state.cls = "";
    }
    if (before !== state.q + state.cls + state.by || "sort" in by || "down" in by) list.toTop();
    return refresh();
  }

  function options(select, pairs) {
    const key = JSON.stringify(pairs);
    if (select.dataset.options === key) return;
    select.dataset.options = key;
    select.replaceChildren(...pairs.map(([value, text]) => element("option", { value }, text)));
  }

  function fitControls() {
    options(controls.by, values.namesOf(everyClass).map((name) => [name, titleOf(name) + (titleOf(name) === name ? "" : " (" + name + ")")]));
    options(controls.cls, [["", data.sides ? "both" : "all classes"], ...classNames.map((n) => [n, n])]);
    usualAxes().forEach((usual, k) => options(k ? controls.y : controls.x, placesOf().map(([value, text]) => [value === usual ? "" : value, text])));
    for (const [key, control] of Object.entries(controls)) {
      if (control.type === "checkbox") control.checked = state[key] !== "";
      else if (control !== document.activeElement || control.value !== state[key]) control.value = state[key];
    }
    each("[data-class-word]").forEach((e) => { e.textContent = e.closest("h2") ? word : word[0].toUpperCase() + word.slice(1); });
    one("[data-clear-filters]").disabled = ["q", "docs", "times", "p", "sign", "only"].every((k) => state[k] === start[k]);
  }

  const longest = 2000; // of a link that mail and chats leave whole
  function remember() {
    const link = new URLSearchParams();
    for (const [key, value] of Object.entries(state)) if (value !== start[key]) link.set(key, value);
    const names = selected.size < longest ? [...selected].map((i) => ["sel", data.term(i)]) : [];
    const whole = new URLSearchParams([...link, ...names]).toString();
    const hash = whole.length <= longest ? whole : link.toString();
    if (location.hash.slice(1) !== hash) history.replaceState(null, "", hash ? "#" + hash : location.href.split("#")[0]);
  }

  // recall takes the state from the link, as far as it fits the page.
  function recall() {
    const link = new URLSearchParams(location.hash.slice(1));
    if (location.hash !== "" && !location.hash.includes("=")) return false; // a place in the page
    Object.assign(state, start);
    for (const key of Object.keys(start)) if (link.has(key)) state[key] = link.get(key);
    if (!values.namesOf(everyClass).includes(state.by)) state.by = first;
    if (!classNames.includes(state.cls)) state.cls = "";
    for (const axis of ["x", "y"]) if (!placesOf().some(([key]) => key === state[axis])) state[axis] = "";
    selected.clear();
    for (const name of link.getAll("sel")) if (data.find(name) >= 0) selected.add(data.find(name));
    openTerm = state.term === "" ? -1 : data.find(state.term);
    return true;
  }

  for (const [key, control] of Object.entries(controls)) {
    control.addEventListener("input", () => change({ [key]: control.type === "checkbox" ? (control.checked ? "1" : "") : control.value }));
  }
  controls.q.addEventListener("keydown", (e) => {
    if (e.key !== "Enter" || rows.length === 0) return;
    const exact = data.find(state.q.trim());
    open(exact >= 0 ? exact : rows[0], true);
  });
  for (const form of each("main form")) form.addEventListener("submit", (e) => e.preventDefault());
  one("[data-clear-filters]").addEventListener("click", () => {
    controls.q.focus();
    change({ q: "", docs: "", times: "", p: "", sign: "", only: "" });
  });
  for (const b of each("[data-zoom]")) b.addEventListener("click", () => plot && (b.dataset.zoom === "0" ? plot.reset() : plot.zoom(Number(b.dataset.zoom))));
  one("[data-save-plot]").addEventListener("click", () => plot && save("termsift-plot.svg", "image/svg+xml", plot.svg()));
  one("[data-theme-button]").addEventListener("click", () => plot && plot.redraw(), { signal });
  addEventListener("hashchange", () => { if (recall()) showState(); }, { signal });

  // On paper there are the best rows of the list.
  const paper = one(".paper"), onPaper = 100;
  addEventListener("beforeprint", () => {
    paper.replaceChildren(element("p", { class: "note" }, rows.length > onPaper ? "The first " + onPaper + " of " + formatCount(rows.length) + " terms." : ""), list.whole(onPaper));
  }, { signal });
  addEventListener("afterprint", () => paper.replaceChildren(), { signal });

  async function showState() {
    await refresh();
    if (openTerm >= 0) open(openTerm, false);
    else if (!one("#term").hidden) open(-1, false);
  }

  const wide = matchMedia("(min-width: 64rem)");
  const unfold = () => { one("form .more").open = wide.matches || ["docs", "times", "p", "sign", "only"].some((k) => state[k] !== ""); };
  wide.addEventListener("change", () => {
    unfold();
    for (const e of each(".about")) e.open = wide.matches;
  }, { signal });
  for (const e of each("[data-needs=classes]")) e.hidden = classNames.length === 0;
  for (const e of each("[data-needs=p]")) e.hidden = !haveP;
  if (!data.settings.features) one('[data-form] [value="features"]').remove();
  recall();
  unfold();
  showState();
}
