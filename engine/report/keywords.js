
"use strict";
// Key words: values of the point nearest to the pointer, and search in the plot and the
// tables. Texts are only ever set as text.
(() => {
  const svg = document.querySelector("svg.scatter");
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const points = svg ? all(".point", svg).map((e) => {
    const title = e.querySelector("title");
    const text = title.textContent;
    title.remove(); // the tip says it better
    return { e, x: Number(e.getAttribute("cx")), y: Number(e.getAttribute("cy")), text, term: e.dataset.term.toLowerCase(), link: e.dataset.link };
  }) : [];
  // A link to the evidence of a key opens it.
  const reveal = (link) => {
    const place = document.getElementById(link.slice(1));
    if (!place) return;
    place.open = true;
    place.scrollIntoView();
    place.querySelector("summary").focus({ preventScroll: true });
  };
  const follow = (link) => {
    history.pushState(null, "", link);
    reveal(link);
  };
  addEventListener("click", (e) => {
    const to = e.target.closest('a[href^="#where-"], .pointname[data-link]');
    if (!to) return;
    e.preventDefault();
    follow(to.dataset.link || to.getAttribute("href"));
  });
  if (location.hash.startsWith("#where-")) reveal(location.hash);

  if (svg) {
    const tip = svg.parentElement.querySelector(".tip");
    const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    ring.setAttribute("class", "ring");
    ring.setAttribute("r", "5");
    const keys = points.filter((p) => !p.e.classList.contains("other"));
    let at = -1, shown = [];
    const hide = () => {
      shown = [];
      tip.hidden = true;
      ring.remove();
    };
    const show = (near) => {
      if (near.length === 0) return hide();
      shown = near;
      const p = near[0];
      ring.setAttribute("cx", p.x);
      ring.setAttribute("cy", p.y);
      svg.append(ring);
      tip.replaceChildren(...near.slice(0, 8).map((n) => {
        const row = document.createElement("div");
        row.textContent = n.text;
        return row;
      }));
      if (near.length > 8) {
        const more = document.createElement("div");
        more.textContent = "and " + (near.length - 8) + " more at this place";
        tip.append(more);
      }
      tip.hidden = false;
      const box = svg.getBoundingClientRect();
      const px = p.x * box.width / svg.viewBox.baseVal.width;
      const py = p.y * box.height / svg.viewBox.baseVal.height;
      const left = px < box.width / 2 ? px + 14 : px - tip.offsetWidth - 14;
      tip.style.left = Math.max(0, Math.min(box.width - tip.offsetWidth, left)) + "px";
      tip.style.top = Math.max(0, Math.min(box.height - tip.offsetHeight, py - tip.offsetHeight / 2)) + "px";
    };
    const here = (x, y) => points.filter((p) => p.x === x && p.y === y).reverse(); // keys are drawn last
    svg.setAttribute("tabindex", "0");
    svg.addEventListener("pointermove", (e) => {
      const box = svg.getBoundingClientRect();
      const x = (e.clientX - box.left) * svg.viewBox.baseVal.width / box.width;
      const y = (e.clientY - box.top) * svg.viewBox.baseVal.height / box.height;
      let nearest = null, least = 144; // 12 pixels
      for (const p of points) {
        const d = (p.x - x) * (p.x - x) + (p.y - y) * (p.y - y);
        if (d <= least) [nearest, least] = [p, d];
      }
      show(nearest ? here(nearest.x, nearest.y) : []);
    });
    svg.addEventListener("pointerleave", hide);
    svg.addEventListener("blur", hide);
    const openShown = () => {
      const key = shown.find((p) => p.link);
      if (key) follow(key.link);
    };
    svg.addEventListener("click", (e) => { if (!e.target.matches(".pointname[data-link]")) openShown(); });
    svg.addEventListener("keydown", (e) => {
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: keys.length - 1 }[e.key];
      if (e.key === "Escape") hide();
      if (e.key === "Enter") {
        e.preventDefault(); // else it would close again what gets the focus
        openShown();
      }
      if (to === undefined || keys.length === 0) return;
      e.preventDefault();
      at = Math.max(0, Math.min(keys.length - 1, to));
      show(here(keys[at].x, keys[at].y));
    });
  }

  const search = document.querySelector("[data-search]");
  if (search) {
    const found = document.querySelector("[data-search-found]");
    const rows = all("[data-keys] tbody tr").map((row) => ({ row, term: row.cells[0].textContent.toLowerCase() }));
    const filter = () => {
      const wanted = search.value.trim().toLowerCase();
      let hits = 0;
      for (const p of points) {
        const hit = wanted !== "" && p.term.includes(wanted);
        p.e.classList.toggle("hit", hit);
        if (hit) hits++;
      }
      if (svg) svg.classList.toggle("searching", wanted !== "");
      for (const r of rows) r.row.hidden = !r.term.includes(wanted);
      found.textContent = wanted === "" ? "" : hits + " of " + points.length + " terms in the plot";
    };
    search.addEventListener("input", filter);
    search.form.addEventListener("submit", (e) => e.preventDefault());
    filter(); // a browser may have kept what was typed before
  }
  // On paper the evidence of keys with a bar is open, and afterwards what was open before.
  const printed = all("#evidence .paper");
  let open = [];
  addEventListener("beforeprint", () => {
    open = printed.map((d) => d.open);
    for (const d of printed) d.open = true;
  });
  addEventListener("afterprint", () => printed.forEach((d, i) => { d.open = open[i]; }));
})();
