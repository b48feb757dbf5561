"use strict";
// A page can be read without this script. It adds values under the pointer,
// switches for methods, sorting, search and the choice of colours. Texts are only ever
// set as text.

// element makes an HTML element with attributes, listeners, and children that are elements or texts. svg makes one of
// a drawing.
const element = (name, attributes, ...children) => equip(document.createElement(name), attributes, children);
const svg = (name, attributes, ...children) => equip(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

function equip(e, attributes = {}, children = []) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") e.addEventListener(key, value);
    else if (value !== false && value !== undefined && value !== null) e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children);
  return e;
}

// plainButton makes a button that looks like a link.
const plainButton = (label, click, attributes) => element("button", { type: "button", class: "plain", click, ...attributes }, label);

(() => {
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  root.classList.add("scripted");

  // Colours: as the system, light, dark.
  const themes = ["system", "light", "dark"];
  let theme = 0;
  const themeButton = document.querySelector("[data-theme-button]");
  themeButton.addEventListener("click", () => {
    theme = (theme + 1) % themes.length;
    const name = themes[theme];
    if (theme === 0) delete root.dataset.theme;
    else root.dataset.theme = name;
    themeButton.textContent = "Colours: " + name;
    themeButton.setAttribute("aria-label", "Colours: " + name + ". Change");
  });

  // Methods: a button shows or hides one in all plots, whose axes then fit what is shown.
  const plots = all("svg.curves");
  const toggles = all("[data-toggle]");
  const curvesOf = (method) => all('.curve[data-method="' + Number(method) + '"]', document.querySelector("#curves"));
  const isShown = (curve) => !curve.classList.contains("off");
  const show = (buttons, on) => {
    for (const b of buttons) {
      b.setAttribute("aria-pressed", String(on));
      for (const c of curvesOf(b.dataset.toggle)) c.classList.toggle("off", !on);
    }
    rescale();
    for (const s of plots) s.dispatchEvent(new Event("refresh"));
  };
  for (const b of toggles) b.addEventListener("click", () => show([b], b.getAttribute("aria-pressed") !== "true"));
  for (const b of all("[data-toggle-all]")) b.addEventListener("click", () => show(toggles, true));
  for (const b of all("[data-toggle-none]")) b.addEventListener("click", () => show(toggles, false));

  // Of many methods the one that is pointed at has its colour, the others are grey.
  const many = toggles.length > 5;
  let picked = null;
  const pick = (method) => {
    if (!many || method === picked) return;
    picked = method;
    for (const s of plots) if (s.dataset.metric) s.classList.toggle("picked", method !== null);
    for (const c of all("#curves .curve")) c.classList.toggle("pick", c.dataset.method === method);
    for (const s of plots) s.dispatchEvent(new Event("refresh"));
  };
  for (const b of toggles) {
    b.addEventListener("pointerenter", () => { if (b.getAttribute("aria-pressed") === "true") pick(b.dataset.toggle); });
    b.addEventListener("pointerleave", () => pick(null));
    b.addEventListener("focus", () => { if (b.matches(":focus-visible")) pick(b.dataset.toggle); });
    b.addEventListener("blur", () => pick(null));
  }

  // Axes: the values of all plots of a metric, as chart.go places them.
  function rescale() {
    for (const metric of new Set(plots.map((s) => s.dataset.metric))) {
      if (!metric) continue;
      const of = plots.filter((s) => s.dataset.metric === metric);
      let lo = 1, hi = 0;
      for (const mark of of.flatMap((s) => all(".curve:not(.off) .mark", s))) {
        const v = Number(mark.dataset.f), spread = Number(mark.dataset.s || 0);
        lo = Math.min(lo, Math.max(0, v - spread));
        hi = Math.max(hi, Math.min(1, v + spread));
      }
      if (lo > hi) continue; // none is shown
      const axis = valueAxis(lo, hi);
      for (const s of of) redraw(s, axis);
    }
  }
  function valueAxis(lo, hi) { // in thousandths
    if (hi - lo < .02) {
      lo = Math.max(0, lo - .01);
      hi = Math.min(1, hi + .01);
    }
    for (const step of [1, 2, 5, 10, 20, 50, 100, 200]) {
      const from = Math.floor(lo * 1000 / step) * step, to = Math.ceil(hi * 1000 / step) * step;
      if (to - from <= 6 * step || step === 200) return { from, to, step };
    }
  }
  const pixels = (v) => String(Math.round(v * 10) / 10);
  function redraw(plot, axis) {
    const { left, right } = plot.dataset, top = Number(plot.dataset.top), bottom = Number(plot.dataset.bottom);
    const at = (v) => bottom - (v * 1000 - axis.from) / (axis.to - axis.from) * (bottom - top);
    const grid = plot.querySelector(".values"), label = grid.querySelector("text");
    const digits = axis.step % 100 === 0 ? 1 : axis.step % 10 === 0 ? 2 : 3;
    const lines = [];
    for (let v = axis.from; v <= axis.to; v += axis.step) {
      const y = pixels(at(v / 1000)), text = label.cloneNode(false);
      text.setAttribute("y", y);
      text.textContent = (v / 1000).toFixed(digits);
      lines.push(svg("path", { d: "M" + left + " " + y + "H" + right }), text);
    }
    grid.replaceChildren(...lines);
    const ends = [];
    for (const curve of all(".curve", plot).filter(isShown)) {
      let d = "", spreads = "", x = 0, y = 0;
      for (const m of all(".mark", curve)) {
        const v = Number(m.dataset.f), s = Number(m.dataset.s || 0);
        [x, y] = [Number(m.dataset.x), at(v)];
        m.dataset.y = pixels(y);
        m.setAttribute("transform", "translate(" + x + " " + pixels(y) + ")");
        d += (d ? "L" : "M") + x + " " + pixels(y);
        if (s) spreads += "M" + pixels(x - 3) + " " + pixels(at(Math.min(1, v + s))) + "h6m-3 0V" + pixels(at(Math.max(0, v - s))) + "m-3 0h6";
      }
      curve.querySelector(".line").setAttribute("d", d);
      curve.querySelector(".spread")?.setAttribute("d", spreads);
      ends.push({ curve, x, y });
    }
    ends.sort((a, b) => a.y - b.y);
    spreadOut(ends.map((e) => e.y), 17, top, bottom).forEach((y, i) => {
      const e = ends[i];
      e.curve.querySelector(".leader").setAttribute("d", "M" + e.x + " " + pixels(e.y) + "L" + right + " " + pixels(e.y) + "L" + pixels(Number(right) + 9) + " " + pixels(y));
      e.curve.querySelector(".name").setAttribute("y", pixels(y + 4));
    });
  }
  function spreadOut(places, gap, lo, hi) {
    const own = places.map((p, i) => p - i * gap), end = hi - (places.length - 1) * gap;
    return own.map((_, i) => {
      let largest = -Infinity;
      for (let from = 0; from <= i; from++) {
        let sum = 0, least = Infinity;
        for (let to = from; to < own.length; to++) {
          sum += own[to];
          if (to >= i) least = Math.min(least, sum / (to - from + 1));
        }
        largest = Math.max(largest, least);
      }
      return Math.max(lo, Math.min(end, largest)) + i * gap;
    });
  }

  // Values beside a plot: at the number of terms nearest to the pointer, else at that of
  // the largest F1, or the largest number of terms of an overlap.
  for (const plot of plots) valuesOf(plot);
  function valuesOf(plot) {
    const readout = plot.parentElement.querySelector(".readout");
    const marks = all(".mark", plot);
    for (const m of marks) m.querySelector("title").remove(); // the values beside the plot say it better
    const places = [...new Set(marks.map((m) => Number(m.dataset.x)))].sort((a, b) => a - b);
    const cross = svg("path", { class: "cross" });
    plot.append(cross);
    let at = -1;
    plot.setAttribute("tabindex", "0");
    const shown = () => marks.filter((m) => isShown(m.parentElement));
    const rest = () => {
      at = -1;
      cross.removeAttribute("d");
      const best = shown().reduce((a, b) => (!a || Number(b.dataset.f) > Number(a.dataset.f) ? b : a), null);
      if (best && !plot.dataset.metric) list(places[places.length - 1], "");
      else if (best) list(Number(best.dataset.x), "best: ");
      else readout.replaceChildren(element("span", {}, "No method is shown."));
    };
    const move = (to) => {
      at = Math.max(0, Math.min(places.length - 1, to));
      cross.setAttribute("d", "M" + places[at] + " " + plot.dataset.top + "V" + plot.dataset.bottom);
      list(places[at], "");
    };
    const list = (x, before) => {
      const here = shown().filter((m) => Number(m.dataset.x) === x);
      here.sort((a, b) => Number(b.dataset.f) - Number(a.dataset.f));
      const k = marks.find((m) => Number(m.dataset.x) === x).dataset.k;
      readout.replaceChildren(element("strong", {}, before + k + (k === "1" ? " term" : " terms")), ...here.map(line));
    };
    const line = (mark) => {
      const curve = mark.parentElement, shape = mark.cloneNode(false);
      shape.removeAttribute("transform");
      const swatch = svg("svg", { viewBox: "-6 -6 12 12", width: 12, height: 12, class: [...curve.classList].find((c) => /^s[0-9]$/.test(c)) }, shape);
      return element("div", { class: curve.matches(".pick") && "pick" }, swatch, element("span", {}, curve.dataset.name), element("span", {}, mark.dataset.v));
    };
    plot.addEventListener("pointermove", (e) => {
      const box = plot.getBoundingClientRect(), scale = plot.viewBox.baseVal.width / box.width;
      const x = (e.clientX - box.left) * scale, y = (e.clientY - box.top) * scale;
      let nearest = 0;
      places.forEach((p, i) => { if (Math.abs(p - x) < Math.abs(places[nearest] - x)) nearest = i; });
      if (nearest !== at) move(nearest);
      const here = shown().filter((m) => Number(m.dataset.x) === places[nearest]);
      const far = (m) => Math.abs(Number(m.dataset.y) - y);
      const close = here.reduce((a, b) => (!a || far(b) < far(a) ? b : a), null);
      if (plot.dataset.metric && close) pick(close.parentElement.dataset.method);
    });
    const leave = () => {
      rest();
      pick(null);
    };
    plot.addEventListener("pointerleave", leave);
    plot.addEventListener("blur", leave);
    plot.addEventListener("focus", () => { if (at < 0 && plot.matches(":focus-visible")) move(0); });
    plot.addEventListener("refresh", () => { if (at >= 0) move(at); else rest(); });
    plot.addEventListener("keydown", (e) => {
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: places.length - 1 }[e.key];
      if (e.key === "Escape") rest();
      if (to === undefined) return;
      e.preventDefault();
      move(to);
    });
    rest();
  }

  // Tables: a column is sorted by its heading; what is no number comes last.
  for (const table of all("table.sortable")) {
    all("thead th", table).forEach((th, column) => {
      th.append(element("button", { type: "button", click: () => sort(table, th, column) }, ...th.childNodes));
    });
  }
  function sort(table, th, column) {
    const numeric = "v" in (table.tBodies[0].rows[0]?.cells[column].dataset ?? {});
    const before = th.getAttribute("aria-sort");
    const down = before ? before === "ascending" : numeric;
    for (const other of all("thead th", table)) other.removeAttribute("aria-sort");
    th.setAttribute("aria-sort", down ? "descending" : "ascending");
    const sign = down ? -1 : 1;
    const order = new Intl.Collator(undefined, { numeric: true });
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => {
      const cell = row.cells[column];
      return { row, key: numeric ? Number(cell.dataset.v) : cell.textContent };
    });
    rows.sort((a, b) => {
      if (!numeric) return sign * order.compare(a.key, b.key);
      if (Number.isNaN(a.key) || Number.isNaN(b.key)) return Number.isNaN(a.key) - Number.isNaN(b.key);
      return a.key === b.key ? 0 : sign * (a.key < b.key ? -1 : 1);
    });
    body.append(...rows.map((r) => r.row));
  }

  // Top terms: by class, measure and part of the term.
  const terms = document.querySelector("[data-terms]");
  if (terms) {
    const [cls, method, text] = ["class", "method", "text"].map((f) => document.querySelector('[data-filter="' + f + '"]'));
    const found = document.querySelector("[data-found]");
    const filter = () => {
      const wanted = text.value.trim().toLowerCase();
      let shown = 0;
      for (const row of terms.tBodies[0].rows) {
        const hit = (cls.value === "" || row.dataset.class === cls.value) &&
          (method.value === "" || row.dataset.method === method.value) &&
          row.cells[0].textContent.toLowerCase().includes(wanted);
        row.hidden = !hit;
        if (hit) shown++;
      }
      found.textContent = shown + " of " + terms.tBodies[0].rows.length;
    };
    for (const f of [cls, method, text]) f.addEventListener("input", filter);
    text.form.addEventListener("submit", (e) => e.preventDefault());
    filter(); // a browser may have kept what was chosen before

    // Cards: the ten best terms of each class by the measure that is chosen. Those of one class
    // have a measure each, and stay.
    const rows = [...terms.tBodies[0].rows];
    const wanted = document.querySelector("[data-card-method]");
    const deal = () => {
      for (const card of all("[data-card]")) {
        const own = rows.filter((r) => r.dataset.class === card.dataset.card && r.dataset.method === wanted.value)
          .sort((a, b) => Number(a.cells[3].dataset.v) - Number(b.cells[3].dataset.v)).slice(0, 10);
        card.querySelector(".note").textContent = own.length ? own[0].cells[2].textContent : "No list of this measure.";
        card.querySelector("ol").replaceChildren(...own.map((r) => element("li", {}, element("bdi", {}, r.cells[0].textContent), element("span", {}, r.cells[4].textContent))));
      }
    };
    if (wanted) wanted.addEventListener("input", deal);
    if (wanted && wanted.value !== "0") deal(); // what a browser has kept
  }

  // Keyness: all classes, or one.
  const keyness = document.querySelector("[data-keyness]");
  if (keyness) {
    const choose = () => {
      for (const f of all("[data-keyness-of]")) f.hidden = keyness.value !== "" && f.dataset.keynessOf !== keyness.value;
    };
    keyness.addEventListener("input", choose);
    choose();
  }
})();
