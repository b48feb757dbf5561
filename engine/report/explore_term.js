// The panel of the open term: its counts, tables, values and lines.

// makePanel fills the panel. events are onClass(c) and onMeasure(name).
function makePanel(panel, data, values, events) {
  const part = (name) => panel.querySelector("[data-term-" + name + "]");
  let i = -1, scope = everyClass, measure = "", call = 0;

  // show opens a term with the values of a class by a measure.
  function show(term, c, by) {
    [i, scope, measure] = [term, c, by];
    panel.hidden = i < 0;
    if (i < 0) return;
    part("name").replaceChildren(element("bdi", {}, data.shown(i)));
    part("facts").textContent = factsOf();
    part("classes").replaceChildren(...classTable());
    part("tables").replaceChildren(...contingencyTables());
    part("values").replaceChildren(valueTable());
    rank(++call);
    const mine = call, found = data.evidence(i);
    if (!(found instanceof Promise)) return showEvidence(found);
    part("evidence").replaceChildren(element("p", { class: "note" }, ...working("looking for lines")));
    found.then((later) => { if (mine === call) showEvidence(later); });
  }

  function showEvidence(found) {
    part("evidence").replaceChildren(...evidence(found));
    part("classes")[part("evidence").querySelector("table") ? "before" : "after"](part("evidence"));
    centre(part("evidence"));
  }

  function factsOf() {
    const facts = [data.sides || !data.documents ? "" : formatCount(data.df[i]) + " of " + formatPlural(data.documents, "document")];
    facts.push(formatPlural(data.cf[i], "occurrence"), formatRate(data.cf[i], data.tokens) + " per million");
    const p = data.log10p(i);
    if (p !== undefined) facts.push("p " + formatProbability(p) + " by " + titleOf(data.settings.by));
    return facts.filter(Boolean).join(" · ");
  }

  // classTable gives the counts of all classes, those with the largest share first.
  function classTable() {
    if (data.classes.length === 0) return [];
    const tables = values.tablesOf(i), known = measures.get(measure).value !== null;
    const own = known ? measures.get(measure).values(tables) : [];
    const rateOf = (t) => (data.tokens > 0 ? t.S / Math.max(1, t.T_c) : t.A / Math.max(1, t.n_c));
    const rates = tables.map(rateOf), most = Math.max(...rates);
    const digits = digitsFor(own);
    const order = tables.map((_, c) => c).sort((a, b) => rates[b] - rates[a] || a - b);
    const heads = [[data.sides ? "corpus" : "class"], known && [measure, 1], ["p", 1], ["docs", 1], ["share", 1], ["times", 1], ["per million", 1, "rate"]].filter(Boolean);
    const rowOf = (c) => {
      const t = tables[c], cells = [plainButton(ofClass(data, c), () => events.onClass(c))];
      if (known) cells.push(signedValue(data, own[c], digits, c, i));
      cells.push(formatProbability(data.log10p(i, c)), formatCount(t.A), formatShare(t.A, t.n_c), formatCount(t.S), formatRate(t.S, t.T_c));
      return { cells, on: c === scope, part: most > 0 ? rates[c] / most : 0 };
    };
    const without = order.filter((c) => tables[c].S === 0 && tables[c].A === 0 && c !== scope), few = without.length < 3;
    const blocks = [tableOfRows("Counts of every " + heads[0][0], heads, order.filter((c) => few || !without.includes(c)).map(rowOf), "counts")];
    if (!few) blocks.push(element("details", {}, element("summary", {}, formatCount(without.length) + " classes without it"),
      tableOfRows("Classes without it", heads, without.map(rowOf), "counts")));
    return blocks;
  }

  // contingencyTables gives the table of each class, that of the chosen one first and open.
  function contingencyTables() {
    if (data.classes.length === 0) return [];
    const tables = values.tablesOf(i), places = tables.map((_, c) => c);
    if (scope !== everyClass) places.sort((a, b) => (b === scope) - (a === scope) || a - b);
    const cut = scope === everyClass && places.length > 2 ? 0 : scope === everyClass ? 2 : 1;
    const blocks = places.slice(0, cut).map((c) => contingency(tables[c], c));
    if (cut === places.length) return blocks;
    const rest = element("details", {}, element("summary", {}, "2×2 tables of " + (cut ? "the other classes" : "every class")));
    rest.addEventListener("toggle", () => {
      if (rest.open && rest.children.length === 1) rest.append(element("div", { class: "crosses" }, ...places.slice(cut).map((c) => contingency(tables[c], c))));
    });
    return [...blocks, rest];
  }

  function contingency(t, c) {
    const name = data.classes[c].name, other = data.sides ? data.classes[1 - c].name : "other classes";
    const rows = data.documents > 0 ? [
      ["documents with it", t.A, t.B, t.A + t.B], ["documents without", t.C, t.D, t.C + t.D]] : [];
    const of = data.tokens - t.T_c;
    rows.push(["occurrences", t.S, t.cf - t.S, t.cf], ["other tokens", t.T_c - t.S, of - (t.cf - t.S), t.T - t.cf]);
    return tableOfRows("2×2 tables of " + name, [[""], [name, 1], [other, 1], ["all", 1]],
      rows.map(([label, ...counts]) => ({ cells: [label, ...counts.map(formatCount)] })), "cross");
  }

  // valueTable gives the values of all measures, whose ranks come later.
  function valueTable() {
    const rows = values.namesOf(scope).map((name) => {
      const m = measures.get(name), pick = plainButton(name, () => events.onMeasure(name), { title: m.title + ": " + m.formula });
      const v = values.value(name, scope, i);
      const rank = element("span", { "data-rank": name }, "…");
      const cells = [pick, m.title || "", element("data", { value: String(v) }, formatValue(v)), rank];
      return { cells, on: name === measure };
    });
    const of = scope === everyClass ? (data.classes.length > 0 ? "over all classes" : "") : "in " + data.classes[scope].name;
    const among = data.settings.of > data.terms ? "; ranks among the " + formatCount(data.terms) + " terms of the page" : "";
    return tableOfRows(("Values " + of).trim() + among, [["measure"], ["", 0, "title"], ["value", 1], ["rank", 1]], rows, "values");
  }

  // rank fills in the ranks among the terms of the page, while nothing else is shown.
  async function rank(mine) {
    for (const cell of [...panel.querySelectorAll("[data-rank]")]) {
      const column = await values.column(cell.dataset.rank, scope, () => mine === call && !panel.hidden);
      if (mine !== call || !column) return;
      cell.textContent = formatCount(rankOf(data, column, i));
      await pause();
    }
  }

  function evidence(found) {
    const blocks = [];
    if (!found || found.documents.length + found.lines.length === 0) {
      const how = data.settings.texts
        ? "This term has no lines in the page: it has those of the best terms."
        : "The page has no lines of context. Make it with the texts, and it shows the best terms in them:";
      blocks.push(element("p", { class: "note" }, how));
      if (!data.settings.texts) blocks.push(element("pre", { class: "command", tabindex: "0" }, element("code", {}, (data.settings.command || "termsift explore INPUT -o page.html") + " --text RAW")));
      return blocks;
    }
    if (found.lines.length > 0) {
      blocks.push(tableOfLines(found.lines.map((l) => ({ ...l, from: element("bdi", {}, [l.side, l.id].filter(Boolean).join(" ")) }))));
    }
    if (found.documents.length > 0) {
      const sides = found.documents.some((d) => d.side);
      const heads = [sides && ["corpus"], ["document"], ["labels"], ["times", 1], ["tokens", 1]].filter(Boolean);
      blocks.push(tableOfRows("Documents with the most occurrences", heads, found.documents.map((d) => ({
        cells: [...(sides ? [d.side] : []), element("bdi", {}, d.id), element("bdi", {}, d.labels), formatCount(d.tf), formatCount(d.length)],
      }))));
    }
    return blocks;
  }

  return { show };
}

// tableOfLines makes a table of lines of context, which are {left, match, right, from}.
function tableOfLines(lines) {
  const rows = lines.map((l) => element("tr", {}, element("td", { class: "left" }, element("bdi", {}, l.left)), element("td", { class: "match" }, element("bdi", {}, l.match)),
    element("td", {}, element("bdi", {}, l.right)), element("td", { class: "from" }, l.from)));
  return scrolling("Lines of context", element("table", { class: "kwic" }, element("caption", {}, "Lines of context"), element("tbody", {}, ...rows)));
}

// centre scrolls the lines of a box sideways so that their matches stand in the middle.
function centre(box) {
  const match = box.querySelector(".match");
  if (!match) return;
  const region = match.closest(".scroll");
  region.scrollLeft = match.offsetLeft - (region.clientWidth - match.offsetWidth) / 2;
}

// scrolling puts a table into a region that scrolls sideways.
const scrolling = (caption, table) => element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, table);

// tableOfRows makes a table in a region that scrolls sideways. heads are [text, numeric,
// class]; rows are {cells, on, part}, whose first cell is their head, and part the length of a bar.
function tableOfRows(caption, heads, rows, kind = "") {
  const look = (k) => ((heads[k][1] ? "n " : "") + (heads[k][2] ? "c-" + heads[k][2] : "")).trim() || null;
  const head = element("tr", {}, ...heads.map(([text], k) => element(text ? "th" : "td", { scope: text ? "col" : null, class: look(k) }, text)));
  const body = rows.map(({ cells, on, part }) => {
    const row = element("tr", { class: on ? "on" : null }, ...cells.map((cell, k) => element(k ? "td" : "th", { scope: k ? null : "row", class: look(k) }, cell)));
    if (part) row.style.setProperty("--part", 100 * part + "%");
    return row;
  });
  return scrolling(caption, element("table", { class: kind }, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, ...body)));
}
