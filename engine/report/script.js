"use strict";
// The page can be read without this script. It adds values under the pointer,
// switches for methods, sorting, search and the choice of colours. Texts are only ever
// set as text.
(() => {
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const make = (name, text) => {
    const e = document.createElement(name);
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const svgNS = "http://www.w3.org/2000/svg";
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

  // Methods: a button shows or hides one in all plots.
  const toggles = all("[data-toggle]");
  const show = (button, on) => {
    button.setAttribute("aria-pressed", String(on));
    for (const c of all('.curve[data-method="' + Number(button.dataset.toggle) + '"]')) c.classList.toggle("off", !on);
    for (const s of all("svg.curves")) s.dispatchEvent(new Event("refresh"));
  };
  for (const b of toggles) b.addEventListener("click", () => show(b, b.getAttribute("aria-pressed") !== "true"));
  for (const b of all("[data-toggle-all]")) b.addEventListener("click", () => toggles.forEach((t) => show(t, true)));
  for (const b of all("[data-toggle-none]")) b.addEventListener("click", () => toggles.forEach((t) => show(t, false)));

  // Values of a plot at the number of terms nearest to the pointer.
  for (const svg of all("svg.curves")) valuesOf(svg);
  function valuesOf(svg) {
    const tip = svg.parentElement.querySelector(".tip");
    const marks = all(".mark", svg);
    for (const m of marks) m.querySelector("title").remove(); // the tip says it better
    const places = [...new Set(marks.map((m) => Number(m.dataset.x)))].sort((a, b) => a - b);
    const cross = document.createElementNS(svgNS, "path");
    cross.setAttribute("class", "cross");
    svg.append(cross);
    let at = -1;
    svg.setAttribute("tabindex", "0");
    const hide = () => {
      at = -1;
      tip.hidden = true;
      cross.removeAttribute("d");
    };
    const move = (to) => {
      at = Math.max(0, Math.min(places.length - 1, to));
      const x = places[at];
      const here = marks.filter((m) => Number(m.dataset.x) === x && !m.parentElement.classList.contains("off"));
      here.sort((a, b) => Number(a.dataset.y) - Number(b.dataset.y));
      cross.setAttribute("d", "M" + x + " " + svg.dataset.top + "V" + svg.dataset.bottom);
      const k = marks.find((m) => Number(m.dataset.x) === x).dataset.k;
      tip.replaceChildren(make("strong", k + (k === "1" ? " term" : " terms")), ...here.map(line));
      tip.hidden = false;
      place(x);
    };
    const line = (mark) => {
      const row = make("div");
      const swatch = document.createElementNS(svgNS, "svg");
      const shape = mark.cloneNode(false);
      swatch.setAttribute("viewBox", (mark.dataset.x - 6) + " " + (mark.dataset.y - 6) + " 12 12");
      swatch.setAttribute("width", "12");
      swatch.setAttribute("height", "12");
      swatch.setAttribute("class", mark.parentElement.getAttribute("class"));
      swatch.append(shape);
      row.append(swatch, make("span", mark.parentElement.dataset.name), make("span", mark.dataset.v));
      return row;
    };
    const place = (x) => {
      const box = svg.getBoundingClientRect();
      const px = x * box.width / svg.viewBox.baseVal.width;
      const left = px < box.width / 2 ? px + 14 : px - tip.offsetWidth - 14;
      tip.style.left = Math.max(0, Math.min(box.width - tip.offsetWidth, left)) + "px";
      tip.style.top = Math.max(0, (box.height - tip.offsetHeight) / 2 - 10) + "px";
    };
    svg.addEventListener("pointermove", (e) => {
      const box = svg.getBoundingClientRect();
      const x = (e.clientX - box.left) * svg.viewBox.baseVal.width / box.width;
      let nearest = 0;
      places.forEach((p, i) => { if (Math.abs(p - x) < Math.abs(places[nearest] - x)) nearest = i; });
      if (nearest !== at) move(nearest);
    });
    svg.addEventListener("pointerleave", hide);
    svg.addEventListener("blur", hide);
    svg.addEventListener("focus", () => { if (at < 0 && svg.matches(":focus-visible")) move(0); });
    svg.addEventListener("refresh", () => { if (at >= 0) move(at); });
    svg.addEventListener("keydown", (e) => {
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: places.length - 1 }[e.key];
      if (e.key === "Escape") hide();
      if (to === undefined) return;
      e.preventDefault();
      move(to);
    });
  }

  // Tables: a column is sorted by its heading; what is no number comes last.
  for (const table of all("table.sortable")) {
    all("thead th", table).forEach((th, column) => {
      const button = make("button");
      button.type = "button";
      button.append(...th.childNodes);
      th.append(button);
      button.addEventListener("click", () => sort(table, th, column));
    });
  }
  function sort(table, th, column) {
    const numeric = th.classList.contains("n");
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
  }

  // Keyness: one class at a time.
  const keyness = document.querySelector("[data-keyness]");
  if (keyness) {
    const choose = () => {
      for (const f of all("[data-keyness-of]")) f.hidden = keyness.value !== "" && f.dataset.keynessOf !== keyness.value;
    };
    keyness.addEventListener("input", choose);
    choose();
  }
})();
