// The panels of texts: what was read, frequent words, contexts, collocates, the spread of a word, and what people keep.

// visibleName returns a name in which characters that nobody sees can be seen.
const visibleName = (name) => (name === "" ? "(empty)" : name.replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd"));

// named shows a name, which may be in any direction.
const named = (name) => element("bdi", {}, visibleName(name));

const note = (...text) => element("p", { class: "note" }, ...text);

// button makes a button.
const button = (text, click) => element("button", { type: "button", click }, text);

// columnsOf shows rows as a table, which can be kept as CSV. columns are [title, value(row, place), show(value)]: numbers have
// a show.
function columnsOf(name, columns, rows) {
  const values = rows.map((row, k) => columns.map(([, value]) => value(row, k)));
  const cells = values.map((of) => ({ cells: of.map((v, k) => (columns[k][2] ? columns[k][2](v) : named(v))) }));
  return [tableOfRows(name, columns.map(([title, , show]) => [title, show ? 1 : 0]), cells), keptAsCSV(name, columns.map(([title]) => title), values)];
}

const keptAsCSV = (name, head, values) => element("p", { class: "bar" }, button("Save as CSV", () => save("termsift-" + name.replace(/[^\p{L}\p{N}]+/gu, "-") + ".csv", "text/csv", csvOf(head, values, true))));

const place = ["rank", (_, k) => k + 1, String];
const formatOr = (v) => (v === null ? "–" : formatValue(v, 2));

// makePanels shows the panels of texts that were counted. page has answer(request), which promises what the engine says,
// cancel(), again(counted, request), which shows other terms, and showText(title, text).
function makePanels(counted, page) {
  const main = document.querySelector("main"), one = (selector, from = main) => from.querySelector(selector);
  main.append(document.querySelector("template[data-panels]").content.cloneNode(true));
  const wrong = (e) => element("p", { class: "note", role: "alert" }, e.message);

  // Places of the page are buttons, since the link has what is chosen.
  const places = [["list", "List and plot"], ["classes", "Classes"], ["texts", "Texts"], ["words", "Frequent words"], ["contexts", "Contexts"], ["collocates", "Collocates"], ["spread", "Spread"], ["keep", "Keep"]];
  const top = one("[data-top]");
  one("nav", top).append(...places.filter(([id]) => !one("#" + id).hidden).map(([id, name]) => plainButton(name, () => one("#" + id).scrollIntoView())));
  main.prepend(top);

  // asked has a form asked of the engine, and its answer shown: show(answer, pattern) returns elements.
  const inputs = [];
  function asked(id, request, show) {
    const section = one("#" + id), form = one("form", section), out = one("[data-out]", section), input = one("[data-pattern]", form);
    let call = 0;
    const run = async () => {
      const pattern = input ? input.value.trim() : "", mine = ++call;
      if (input && pattern === "") return;
      out.replaceChildren(note(...working("Looking"), " ", button("Cancel", page.cancel)));
      const asking = page.answer({ ...request((name) => one("[data-" + name + "]", form).value), pattern });
      const shown = await asking.then((answer) => show(answer, pattern), (e) => [wrong(e)]);
      if (mine !== call) return;
      out.replaceChildren(...shown);
      centre(out);
    };
    if (input) inputs.push(input);
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      run();
    });
    return run;
  }

  // The texts, of which some are ticked as set A and some as set B: those of two classes are at first.
  const { texts } = counted, listed = 500, classes = new Set(texts.map((t) => t.class));
  const sets = counted.sets ??= [0, 1].map((k) => new Set(classes.size === 2 ? texts.filter((t) => t.class === [...classes][k]) : []));
  const longest = texts.reduce((most, t) => (t.tokens > most.tokens ? t : most), texts[0]);
  one("[data-facts]").replaceChildren(...[
    ["texts", counted.documents], ["words", counted.tokens], ["different words", counted.terms], ["words a text", Math.round(counted.tokens / counted.documents)],
    ["the longest text", visibleName(longest.name) + ", " + formatPlural(longest.tokens, "word")], ["counted", counted.analysis],
  ].map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, typeof value === "number" ? formatCount(value) : value))));
  one("[data-notes]").replaceChildren(...counted.notes.map((text) => note(text)));

  // found returns the texts that are looked for.
  function found() {
    const wanted = one("[data-named]").value.toLowerCase();
    return texts.filter((t) => t.name.toLowerCase().includes(wanted) || t.class.toLowerCase().includes(wanted));
  }

  function tick(some, k, on) {
    for (const t of some) {
      if (on) sets[k].add(t);
      else sets[k].delete(t);
      sets[1 - k].delete(t);
    }
    showTexts();
  }

  function showTexts() {
    const shown = found();
    one(".texts tbody").replaceChildren(...shown.slice(0, listed).map((t) => {
      const boxes = ["A", "B"].map((name, k) => {
        const box = element("input", { type: "checkbox", "aria-label": name + ": " + t.name });
        box.checked = sets[k].has(t);
        box.addEventListener("input", () => tick([t], k, box.checked));
        return element("td", {}, box);
      });
      return element("tr", {}, ...boxes, element("th", { scope: "row" }, plainButton(named(t.name), () => openText(t.name))), element("td", {}, named(t.class || "–")), element("td", { class: "n" }, formatCount(t.tokens)));
    }));
    one("[data-of-texts]").textContent = shown.length > listed ? "The first " + listed + " of " + formatCount(shown.length) + " texts." : "";
    const compare = one("[data-compare]");
    compare.disabled = sets.some((s) => s.size === 0);
    compare.textContent = "Compare A (" + formatCount(sets[0].size) + ") with B (" + formatCount(sets[1].size) + ")";
  }

  one("[data-named]").addEventListener("input", showTexts);
  one("[data-all-a]").addEventListener("click", () => tick(found(), 0, true));
  one("[data-all-b]").addEventListener("click", () => tick(found(), 1, true));
  one("[data-none]").addEventListener("click", () => tick(texts, 0, false));
  const numbers = new Map(texts.map((t, k) => [t, k]));
  one("[data-compare]").addEventListener("click", () => page.again(counted, { op: "compare", a: [...sets[0]].map((t) => numbers.get(t)), b: [...sets[1]].map((t) => numbers.get(t)) }));
  one("[data-all-again]").hidden = !counted.compared;
  one("[data-all-again]").addEventListener("click", () => page.again(counted, { op: "whole" }));

  async function openText(name) {
    try {
      const { text, cut } = await page.answer({ op: "text", name });
      page.showText(name, text + (cut ? "\n…" : ""));
    } catch (e) {
      one("[data-notes]").replaceChildren(wrong(e));
    }
  }

  // The questions.
  const showWords = asked("words", (of) => ({ op: "words", stop: of("stop"), most: Number(of("most")) }), ({ words }) => columnsOf("Frequent words", [
    place, ["word", (w) => w.term], ["times", (w) => w.tf, formatCount], ["per million", (w) => w.per_million, (v) => formatRate(v, 1e6)], ["texts", (w) => w.df, formatCount], ["DPnorm", (w) => w.dpnorm, formatOr],
  ], words));

  asked("contexts", (of) => ({ op: "lines", order: of("order"), most: Number(of("most")) }), (answer, pattern) => {
    const lines = answer.Lines.map((l) => ({ left: l.Left, match: l.Match, right: l.Right, from: plainButton(named(l.ID), () => openText(l.ID)) }));
    const drawn = lines.length < answer.Occurrences ? ", " + formatCount(lines.length) + " of them drawn at random" : "";
    return [
      note(formatPlural(answer.Occurrences, "occurrence") + " of " + pattern + " in " + formatPlural(answer.Documents, "text") + drawn),
      tableOfLines(lines),
      keptAsCSV("lines of " + pattern, ["text", "before", "word", "behind"], answer.Lines.map((l) => [l.ID, l.Left, l.Match, l.Right])),
    ];
  });

  asked("collocates", (of) => ({ op: "collocates", by: of("by"), left: Number(of("left")), right: Number(of("right")), least: Number(of("least")), most: 50 }), (answer) => [
    note(answer.Node + " occurs " + formatPlural(answer.Frequency, "time") + "; " + formatPlural(answer.Types, "word") + " near it."),
    ...columnsOf("Collocates of " + answer.Node, [
      place, ["word", (c) => c.Term], ["near", (c) => c.Frequency, formatCount], ["expected", (c) => c.Expected, formatValue], ["texts", (c) => c.Documents, formatCount], ["value", (c) => c.Value, formatValue],
    ], answer.Collocates || []),
  ]);

  one("[data-over]").append(...texts.slice(0, 200).map((t) => element("option", { value: t.name }, "the parts of " + visibleName(t.name))));
  if (texts.length === 1) one("[data-over]").value = longest.name;
  asked("spread", (of) => ({ op: "spread", name: of("over"), parts: 100 }), ({ stretches, dpnorm, d }, word) => {
    const rates = stretches.map((s) => (s.tokens > 0 ? 1e6 * s.times / s.tokens : 0)), most = Math.max(...rates), width = 900, high = 180, step = width / rates.length;
    const bars = rates.map((r, k) => "M" + (k * step).toFixed(1) + " " + high + "v" + (most > 0 ? -high * r / most : 0).toFixed(1) + "h" + (step * .9).toFixed(1) + "V" + high + "z").join("");
    const picture = svg("svg", { class: "spreadplot", viewBox: "0 -16 " + width + " " + (high + 32), role: "img", "aria-label": word + " over " + formatPlural(rates.length, "stretch") },
      svg("line", { x1: 0, y1: high, x2: width, y2: high }), svg("path", { d: bars }), svg("text", { x: 0, y: -4 }, formatRate(most, 1e6) + " per million"));
    const even = dpnorm === null ? "" : "Dispersion: DPnorm " + formatValue(dpnorm) + " (0 is even, 1 is in few texts), Juilland’s D " + formatOr(d) + " (1 is even).";
    return [picture, note(even), element("details", {}, element("summary", {}, "Table"), ...columnsOf("Occurrences of " + word, [
      ["text", (s) => (s.first === s.last ? s.first : s.first + " … " + s.last)], ["times", (s) => s.times, formatCount], ["words", (s) => s.tokens, formatCount], ["per million", (_, k) => rates[k], (v) => formatRate(v, 1e6)],
    ], stretches))];
  });

  // What people keep.
  const kept = (text) => { one("[data-kept]").textContent = text; };
  one("[data-command]").textContent = counted.command;
  one("[data-copy-command]").addEventListener("click", async () => kept(await copy(counted.command) ? "Copied." : "The browser does not let the page copy."));
  one("[data-save-page]").addEventListener("click", async () => {
    kept("Packing …");
    try {
      const { parts } = await page.answer({ op: "save", most: one("[data-with-lines]").checked ? 500 : 0 });
      save("termsift-terms.html", "text/html", parts.page);
      kept("Saved: " + (parts.page.length / 1e6).toFixed(1) + " MB.");
    } catch (e) {
      kept(e.message);
    }
  });

  showTexts();
  showWords();
  return {
    // open puts a term that is opened into the forms.
    open(term) { for (const input of inputs) input.value = term; },
    // evidence gives the explorer the documents and lines of a term.
    evidence: (data) => (i) => page.answer({ op: "evidence", pattern: data.term(i), most: 10 }).then(({ 0: of }) => ({ documents: of.Documents ?? [], lines: of.Lines ?? [] }), () => null),
  };
}
