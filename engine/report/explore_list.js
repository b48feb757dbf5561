// The list of terms: of any number of rows only those in sight are in the page.

// makeList fills a table of terms in a region that scrolls. columns are {key, title, hint, numeric,
// cell(i)}; key is a class of the style, cell gives what a cell shows of term i. events are
// onSort(key), onOpen(i, byKey), onSelect(i, on).
function makeList(region, data, isSelected, events) {
  const table = region.querySelector("table"), head = table.tHead.rows[0], body = table.tBodies[0];
  const above = element("tr", { "aria-hidden": "true", class: "space" }, element("td")), below = above.cloneNode(true);
  const drawn = new Map(); // rows by their place
  let columns = [], rows = new Uint32Array(0), active = 0, opened = -1, height = 0;
  body.append(above, below);

  function setColumns(next, sorted, down) {
    columns = next;
    head.replaceChildren(element("td", { class: "c-pick" }), ...columns.map((c) => {
      const th = element("th", { scope: "col", class: "c-" + c.key + (c.numeric ? " n" : "") });
      if (c.sorts === false) th.append(c.title);
      else {
        const lines = c.title.split("\n").flatMap((line, k) => (k ? [element("br"), line] : [line]));
        th.append(element("button", { type: "button", title: c.hint, click: () => events.onSort(c.key) }, ...lines));
        if (c.key === sorted) th.setAttribute("aria-sort", down ? "descending" : "ascending");
      }
      return th;
    }));
  }

  function setRows(next) {
    const same = rows[active];
    rows = next;
    active = Math.max(0, rows.indexOf(same));
    table.setAttribute("aria-rowcount", rows.length + 1);
    redraw();
  }

  // redraw makes the rows in sight anew.
  function redraw() {
    const focused = body.contains(document.activeElement) ? document.activeElement.className : "";
    for (const row of drawn.values()) row.remove();
    drawn.clear();
    draw();
    if (focused) focusActive(focused);
  }

  function draw() {
    if (rows.length > 0 && height === 0) height = measure();
    const top = Math.max(0, region.scrollTop), size = height || 1;
    const from = Math.max(0, Math.min(rows.length, Math.floor(top / size) - 8));
    const to = Math.min(rows.length, Math.ceil((top + region.clientHeight) / size) + 8);
    above.cells[0].style.height = from * size + "px"; // before rows go, or the region scrolls
    below.cells[0].style.height = (rows.length - to) * size + "px";
    above.hidden = from === 0;
    below.hidden = to === rows.length;
    let next = below;
    for (let at = to - 1; at >= from; at--) {
      let row = drawn.get(at);
      if (!row) {
        row = newRow(at);
        drawn.set(at, row);
        next.before(row);
      }
      next = row;
    }
    for (const [at, row] of drawn) {
      if (at >= from && at < to) continue;
      if (row.contains(document.activeElement)) region.focus({ preventScroll: true }); // it goes out of sight
      row.remove();
      drawn.delete(at);
    }
  }

  // measure returns the height of a row, 0 if the page is not shown.
  function measure() {
    const row = newRow(0);
    below.before(row);
    const tall = row.getBoundingClientRect().height;
    row.remove();
    return tall;
  }

  function newRow(at) {
    const i = rows[at], name = data.shown(i), focusable = at === active ? 0 : -1;
    const box = element("input", { type: "checkbox", tabindex: focusable, "aria-label": "Select " + name, class: "pick" });
    box.checked = isSelected(i);
    const look = (at % 2 ? "odd " : "") + (i === opened ? "open" : "");
    const row = element("tr", { "aria-rowindex": at + 2, "data-at": at, "data-term": data.term(i), class: look }, element("td", { class: "c-pick" }, box));
    for (const c of columns) {
      if (c.key === "term") {
        const marks = { title: name.length > 18 && name, "aria-current": i === opened && "true" };
        row.append(element("th", { scope: "row", class: "c-term" }, element("button", { type: "button", tabindex: focusable, class: "name", ...marks }, element("bdi", {}, name))));
      } else {
        row.append(element("td", { "data-column": c.key, class: "c-" + c.key + (c.numeric ? " n" : "") }, c.cell(i, at)));
      }
    }
    return row;
  }

  const placeOf = (e) => {
    const row = e.target.closest("tr[data-at]");
    return row ? Number(row.dataset.at) : -1;
  };

  function activate(at) {
    for (const [place, row] of drawn) for (const e of row.querySelectorAll("button, input")) e.tabIndex = place === at ? 0 : -1;
    active = at;
  }

  // reveal scrolls to a place.
  function reveal(at) {
    const top = at * height, room = region.clientHeight - head.offsetHeight;
    if (top < region.scrollTop) region.scrollTop = top;
    else if (top + height > region.scrollTop + room) region.scrollTop = top + height - room;
    draw();
  }

  function focusActive(part = "name") {
    const row = drawn.get(active);
    if (row) row.querySelector(part === "pick" ? ".pick" : ".name").focus({ preventScroll: true });
  }

  body.addEventListener("click", (e) => {
    const at = placeOf(e);
    if (at < 0) return;
    activate(at);
    if (e.target.matches(".pick")) events.onSelect(rows[at], e.target.checked);
    else events.onOpen(rows[at], e.detail === 0);
  });
  region.addEventListener("keydown", (e) => {
    if (e.target.closest("thead") || e.ctrlKey || e.metaKey || e.altKey || rows.length === 0) return;
    const page = Math.max(1, Math.floor(region.clientHeight / height) - 2);
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page, Home: 0, End: rows.length - 1 }[e.key];
    if (to !== undefined) {
      const part = e.target.matches(".pick") ? "pick" : "name";
      activate(Math.max(0, Math.min(rows.length - 1, to)));
      reveal(active);
      focusActive(part);
    } else if (e.key === " " && e.target.matches(".name")) {
      events.onSelect(rows[active], !isSelected(rows[active]));
    } else return;
    e.preventDefault();
  });
  body.addEventListener("focusin", (e) => {
    const at = placeOf(e);
    if (at >= 0 && at !== active) activate(at);
  });
  region.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(() => {
    height = 0; // letters may have another size
    draw();
  }).observe(region);

  return {
    setColumns, setRows, redraw, focus: focusActive,
    // open marks the open term, and scrolls to it if the list has it.
    open(i) {
      opened = i;
      const at = rows.indexOf(i);
      if (at >= 0) activate(at);
      redraw();
      if (at >= 0) reveal(at);
    },
    toTop() {
      active = 0;
      region.scrollTop = 0;
      redraw();
    },
    // whole gives a table of the first rows, for paper.
    whole(most) {
      const copy = table.cloneNode(false);
      copy.append(table.tHead.cloneNode(true), element("tbody", {}, ...Array.from(rows.subarray(0, most), (_, at) => newRow(at))));
      return copy;
    },
  };
}
