// The panels of texts: what was read, contexts, collocates, the spread of a word, and what people keep.

// visibleName returns a name in which characters that nobody sees can be seen.
const visibleName = (name) => (name === "" ? "(empty)" : name.replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd"));

// named shows a name, which may be in any direction.
const named = (name) => element("bdi", {}, visibleName(name));

// makePanels shows the panels of texts that were counted by an engine. events.reopen(counted, engine) shows other terms.
function makePanels(counted, engine, events) {
  const main = document.querySelector("main"), one = (selector, from = main) => from.querySelector(selector);
  main.append(document.querySelector("template[data-panels]").content.cloneNode(true));
  const report = (out, e) => out.replaceChildren(element("p", { class: "note", role: "alert" }, e.message));

  // Places of the page are buttons, since the link has what is chosen.
  const places = [["list", "List and plot"], ["classes", "Classes"], ["texts", "Texts"], ["words", "Frequent words"], ["contexts", "Contexts"], ["collocates", "Collocates"], ["spread", "Spread"], ["keep", "Keep"]];
  main.prepend(element("nav", { class: "places", "aria-label": "Parts of the page" }, ...places.map(([id, name]) => {
    const button = element("button", { type: "button", class: "plain" }, name);
    button.addEventListener("click", () => one("#" + id).scrollIntoView());
    return button;
  })));

  // asked has a form asked of the engine, and its answer shown.
  function asked(id, request, show) {
    const section = one("#" + id), form = one("form", section), out = one("[data-out]", section), input = one("[data-pattern]", form);
    const run = async () => {
      const pattern = input ? input.value.trim() : "";
      if (input && pattern === "") return;
      out.replaceChildren(element("p", { class: "note" }, ...working("looking")));
      try {
        show(out, await engine.ask({ ...request(form), pattern }), pattern);
      } catch (e) {
        report(out, e);
      }
    };
    form.addEventListener("submit", (e) => {
      e.preventDefault();
      run();
    });
    return input;
  }
  const valueOf = (form, name) => one("[data-" + name + "]", form).value;

  // The texts.
  const a = new Set(), b = new Set(), listed = 500;
  function showTexts() {
    one("[data-facts]").replaceChildren(...[
      ["texts", counted.documents], ["words", counted.tokens], ["different words", counted.terms], ["words a text", counted.documents ? Math.round(counted.tokens / counted.documents) : 0],
      ["the longest text", longest ? longest.name + ", " + formatPlural(longest.tokens, "word") : "–"], ["counted", counted.analysis],
    ].map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, typeof value === "number" ? formatCount(value) : value))));
    one("[data-notes]").replaceChildren(...counted.notes.map((note) => element("p", { class: "note" }, note)));
    const wanted = one("[data-named]").value.toLowerCase();
    const found = counted.texts.filter((t) => t.name.toLowerCase().includes(wanted) || t.class.toLowerCase().includes(wanted));
    one(".texts tbody").replaceChildren(...found.slice(0, listed).map((t) => {
      const tick = (set, other, label) => {
        const box = element("input", { type: "checkbox", "aria-label": label + ": " + t.name });
        box.checked = set.has(t.name);
        box.addEventListener("input", () => {
          if (box.checked) set.add(t.name);
          else set.delete(t.name);
          other.delete(t.name);
          showTexts();
        });
        return element("td", {}, box);
      };
      const name = element("button", { type: "button", class: "plain" }, named(t.name));
      name.addEventListener("click", () => openText(t.name));
      return element("tr", {}, tick(a, b, "A"), tick(b, a, "B"), element("th", { scope: "row" }, name), element("td", {}, named(t.class || "–")), element("td", { class: "n" }, formatCount(t.tokens)));
    }));
    one("[data-of-texts]").textContent = found.length > listed ? "The first " + listed + " of " + formatCount(found.length) + " texts." : "";
    one("[data-compare]").disabled = a.size === 0 || b.size === 0;
    one("[data-compare]").textContent = "Compare A (" + a.size + ") with B (" + b.size + ")";
    return found;
  }
  const longest = counted.texts.reduce((most, t) => (!most || t.tokens > most.tokens ? t : most), null);
  one("[data-named]").addEventListener("input", showTexts);
  for (const [name, set, other] of [["a", a, b], ["b", b, a]]) {
    one("[data-all-" + name + "]").addEventListener("click", () => {
      for (const t of showTexts()) {
        set.add(t.name);
        other.delete(t.name);
      }
      showTexts();
    });
  }
  one("[data-none]").addEventListener("click", () => {
    a.clear();
    b.clear();
    showTexts();
  });
  const again = async (button, request) => {
    button.disabled = true;
    try {
      events.reopen({ ...counted, ...await engine.ask(request) }, engine);
    } catch (e) {
      report(one("[data-notes]"), e);
      button.disabled = false;
    }
  };
  one("[data-compare]").addEventListener("click", (e) => again(e.target, { op: "compare", a: [...a], b: [...b] }));
  one("[data-all-again]").hidden = !counted.compared;
  one("[data-all-again]").addEventListener("click", (e) => again(e.target, { op: "whole" }));

  const dialog = one("[data-text]");
  one("[data-close-text]").addEventListener("click", () => dialog.close());
  async function openText(name) {
    const { text, cut } = await engine.ask({ op: "text", name });
    one("#text-title").textContent = name;
    one("pre", dialog).textContent = text + (cut ? "\n…" : "");
    dialog.showModal();
  }

  // Frequent words.
  asked("words", (form) => ({ op: "words", stop: valueOf(form, "stop"), most: Number(valueOf(form, "most")) }), (out, { words }) => {
    const heads = [["rank", 1], ["word"], ["times", 1], ["per million", 1], ["texts", 1], ["DPnorm", 1]];
    out.replaceChildren(tableOfRows("Frequent words", heads, words.map((w, i) => ({ cells: [String(i + 1), named(w.term), formatCount(w.tf), formatRate(w.per_million, 1e6), formatCount(w.df), w.dpnorm === null ? "–" : formatValue(w.dpnorm, 2)] }))));
  });

  // Contexts.
  const linesOf = (lines) => element("table", { class: "kwic" }, element("caption", {}, "Lines of context"), element("tbody", {}, ...lines.map((l) => {
    const from = element("button", { type: "button", class: "plain" }, named(l.ID));
    from.addEventListener("click", () => openText(l.ID));
    return element("tr", {}, element("td", { class: "left" }, element("bdi", {}, l.Left)), element("td", { class: "match" }, element("bdi", {}, l.Match)),
      element("td", {}, element("bdi", {}, l.Right)), element("td", { class: "from" }, from));
  })));
  const contexts = asked("contexts", (form) => ({ op: "lines", order: valueOf(form, "order"), most: Number(valueOf(form, "most")) }), (out, found, pattern) => {
    const head = formatPlural(found.Occurrences, "occurrence") + " of " + pattern + " in " + formatPlural(found.Documents, "text") + (found.Lines.length < found.Occurrences ? ", " + found.Lines.length + " of them drawn at random" : "");
    out.replaceChildren(element("p", { class: "note" }, head), element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Lines of context" }, linesOf(found.Lines)));
  });

  // Collocates.
  const collocates = asked("collocates", (form) => ({ op: "collocates", by: valueOf(form, "by"), left: Number(valueOf(form, "left")), right: Number(valueOf(form, "right")), most: 50 }), (out, found) => {
    const rows = (found.Collocates || []).map((c, i) => ({ cells: [String(i + 1), named(c.Term), formatCount(c.Frequency), formatValue(c.Expected), formatCount(c.Documents), formatValue(c.Value)] }));
    const heads = [["rank", 1], ["word"], ["near", 1], ["expected", 1], ["texts", 1], ["value", 1]];
    out.replaceChildren(element("p", { class: "note" }, found.Node + " occurs " + formatPlural(found.Frequency, "time") + "; " + formatPlural(found.Types, "word") + " stand near it."), tableOfRows("Collocates of " + found.Node, heads, rows));
  });

  // Spread.
  one("[data-over]").append(...counted.texts.slice(0, 200).map((t) => element("option", { value: t.name }, "the parts of " + visibleName(t.name))));
  if (counted.documents === 1) one("[data-over]").value = counted.texts[0].name;
  const spread = asked("spread", (form) => ({ op: "spread", name: valueOf(form, "over"), parts: 100 }), (out, found, word) => {
    const rates = found.stretches.map((s) => (s.tokens > 0 ? 1e6 * s.times / s.tokens : 0)), most = Math.max(...rates), width = 900, high = 180, step = width / rates.length;
    const bars = rates.map((r, i) => "M" + (i * step).toFixed(1) + " " + high + "v" + (most > 0 ? -high * r / most : 0).toFixed(1) + "h" + (step * .9).toFixed(1) + "V" + high + "z").join("");
    const picture = svg("svg", { class: "spreadplot", viewBox: "0 -16 " + width + " " + (high + 32), role: "img", "aria-label": word + " over " + formatPlural(rates.length, "stretch") },
      svg("line", { x1: 0, y1: high, x2: width, y2: high }), svg("path", { d: bars }), svg("text", { x: 0, y: -4 }, formatRate(most, 1e6) + " per million"));
    const rows = found.stretches.map((s) => ({ cells: [named(s.first === s.last ? s.first : s.first + " … " + s.last), formatCount(s.times), formatCount(s.tokens), formatRate(s.times, s.tokens)] }));
    const details = element("details", {}, element("summary", {}, "Table"), tableOfRows("Occurrences of " + word, [["text"], ["times", 1], ["words", 1], ["per million", 1]], rows));
    const even = found.dpnorm === null ? "" : "Dispersion: DPnorm " + formatValue(found.dpnorm) + " (0 is even, 1 is in few texts), Juilland’s D " + formatValue(found.d) + " (1 is even).";
    out.replaceChildren(picture, element("p", { class: "note" }, even), details);
  });

  // What people keep.
  const kept = (text) => { one("[data-kept]").textContent = text; };
  one("[data-command]").textContent = counted.command;
  one("[data-copy-command]").addEventListener("click", async () => kept(await copy(counted.command) ? "Copied." : "The browser does not let the page copy."));
  one("[data-save-page]").addEventListener("click", async () => {
    try {
      const { parts } = await engine.ask({ op: "save", most: one("[data-with-lines]").checked ? 500 : 0 });
      save("termsift-terms.html", "text/html", parts.page);
      kept("Saved: " + (parts.page.length / 1e6).toFixed(1) + " MB.");
    } catch (e) {
      kept(e.message);
    }
  });

  showTexts();
  return {
    // open puts a term that is opened into the forms.
    open(term) { for (const input of [contexts, collocates, spread]) input.value = term; },
    // evidence gives the explorer the lines of a term.
    evidence: (data) => async (i) => {
      try {
        const found = await engine.ask({ op: "evidence", pattern: data.term(i), most: 10 });
        return { documents: found.documents, lines: found.lines };
      } catch {
        return null;
      }
    },
  };
}
