"use strict";
// The plot of all terms: a canvas with a point for each, drawn into memory once for each view.

// Axes. A place is a number from 0 to 1. Zero on a logarithmic axis, and what is infinite, have places at
// the edges.

// perMillion returns the axis of occurrences per million tokens.
function perMillion(title, counts, tokens) {
  return { title, values: counts.map((n) => (tokens > 0 ? n / tokens * 1e6 : NaN)), scale: "log" };
}

// axisOfClass, axisOfRest and axisOfAll are those of the occurrences in a class, outside it, and in all documents.
const axisOfClass = (data, c) => perMillion("in " + data.classes[c].name + ", per million", data.column(c).S, data.classes[c].tokens);
const axisOfRest = (data, c) => perMillion("elsewhere, per million", data.cf.map((cf, i) => Math.max(0, cf - data.column(c).S[i])), Math.max(0, data.tokens - data.classes[c].tokens));
const axisOfAll = (data) => perMillion("per million", data.cf, data.tokens);

// axisOfMeasure returns an axis of values, logarithmic if none is negative and they are far apart.
function axisOfMeasure(title, values) {
  let least = Infinity, most = 0, negative = false;
  for (const v of values) {
    if (v < 0) negative = true;
    const size = Math.abs(v);
    if (size > 0 && size < least) least = size;
    if (size > most && size < Infinity) most = size;
  }
  const far = most / least > 1000;
  return { title, values, scale: !far ? "linear" : negative ? "symlog" : "log" };
}

const edge = 0.05; // the part of an axis that zero or infinity has

// placesOn returns the places of an axis: of terms, NaN for those without one, and of its values.
function placesOn(axis) {
  const { values, scale } = axis;
  let lo = Infinity, hi = -Infinity, zero = false, above = false, below = false, least = Infinity;
  for (const v of values) {
    if (v === Infinity) above = true;
    else if (v === -Infinity) below = true;
    else if (scale === "log" && v <= 0) zero = true;
    else if (v === v) {
      if (v < lo) lo = v;
      if (v > hi) hi = v;
      if (v !== 0 && Math.abs(v) < least) least = Math.abs(v);
    }
  }
  if (lo > hi) [lo, hi] = scale === "log" ? [1, 10] : [0, 1];
  const unit = Math.max(least, Math.max(Math.abs(lo), Math.abs(hi)) / 1e5) || 1;
  const bend = {
    linear: (v) => v,
    log: (v) => Math.log10(v),
    symlog: (v) => Math.asinh(v / unit / 2),
  }[scale];
  const from = bend(lo), to = bend(hi);
  const margin = to > from ? 0.02 : 0.5;
  const start = (zero || below ? edge : 0) + margin, end = 1 - (above ? edge : 0) - margin;
  const slope = to > from ? (end - start) / (to - from) : 0;
  const place = (v) => {
    if (v === Infinity) return 1 - edge / 2;
    if (v === -Infinity || scale === "log" && v <= 0) return edge / 2;
    return start + (bend(v) - from) * slope;
  };
  const places = new Float32Array(values.length);
  for (let i = 0; i < places.length; i++) places[i] = place(values[i]);
  return { places, place, lo, hi, zero, above, below, unit, start, end };
}

// ticksOf returns the values that an axis names between two places.
function ticksOf(axis, p, from, to) {
  const ticks = [];
  const add = (v, text) => {
    const at = p.place(v);
    const beside = !text && (at < p.start - 0.02 || at > p.end + 0.02); // where the edges are
    if (at >= from && at <= to && !beside) ticks.push({ at, text: text || tickText(v) });
  };
  if (p.zero) add(0, "0");
  if (p.below) add(-Infinity, "−∞");
  if (p.above) add(Infinity, "∞");
  const inside = (at) => p.lo + (p.hi - p.lo) * Math.min(1, Math.max(0, (at - p.start) / (p.end - p.start)));
  if (p.lo === p.hi) {
    add(p.lo);
  } else if (axis.scale === "linear") {
    const lo = inside(from), hi = inside(to), step = niceStep((hi - lo) / 5);
    for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + step * 1e-9; k++) add(k * step + 0);
  } else {
    const sizes = [];
    const least = axis.scale === "log" ? p.lo : p.unit, most = Math.max(Math.abs(p.lo), p.hi);
    const wide = Math.abs(p.place(10 * least) - p.place(least)) / (to - from); // of a decade in the view
    const factors = wide > 0.5 ? [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9] : wide > 0.25 ? [1, 2, 5] : [1];
    for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power++) {
      for (const f of factors) sizes.push(Number(f + "e" + power));
    }
    const signs = axis.scale === "symlog" ? [-1, 1] : [1];
    if (axis.scale === "symlog" && p.lo <= 0 && p.hi >= 0) add(0);
    for (const sign of signs) for (const size of sizes) if (sign * size >= p.lo * (sign < 0 ? 1.2 : 0.5) && sign * size <= p.hi * (sign > 0 ? 2 : 0.5)) add(sign * size);
  }
  return ticks.sort((a, b) => a.at - b.at);
}

function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((f) => f * power).find((step) => step >= least * 0.999) || power;
}

const plainNumber = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

function tickText(v) {
  const size = Math.abs(v);
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) return v.toExponential(0).replace("e+", "e").replace(/-/g, "−");
  return plainNumber.format(v).replace("-", "−");
}

const fixed = (v) => String(Math.round(10 * v) / 10);

// makePlot draws the terms of data: their points on a canvas, the axes on a drawing below it, and names on one above it. The interface of options and methods is that of the functions at its end.
function makePlot(canvas, data, options) {
  const o = {
    tone: null, homes: null, shown: null, selected: new Set(), open: -1, found: null, diagonal: false, onOpen() {}, ...options,
  };
  const box = canvas.parentElement, context = canvas.getContext("2d", { willReadFrequently: true });
  const ruler = document.createElement("canvas").getContext("2d", { willReadFrequently: true }); // measures texts and colours
  const below = svg("svg", { class: "layer", "aria-hidden": "true" });
  const pointed = svg("g"), named = svg("g"), frame = svg("rect", { fill: "none", "stroke-dasharray": "4 3" });
  const above = svg("svg", { class: "layer", "aria-hidden": "true" }, pointed, named, frame); // rings hide no letters
  const tip = element("div", { class: "tip", hidden: true }), live = element("div", { class: "hidden", role: "status" });
  canvas.before(below);
  canvas.after(above, tip, live);
  equip(canvas, { tabindex: 0, role: "application", "aria-roledescription": "scatter plot" });

  const n = data.terms;
  const rankOf = new Uint32Array(n);
  const whole = { x0: 0, x1: 1, y0: 0, y1: 1 };
  let view = { ...whole };
  let x, y; // what placesOn returned
  let grid = null;
  let width = 0, height = 0, scale = 1, radius = 0;
  let area = { left: 0, top: 0, width: 1, height: 1 };
  let colours = null, printing = false;
  let wanted = 0, stale = true;
  let cursor = -1; // the term under the pointer, or that keys have reached
  let band = null; // the rectangle that is being drawn
  const widths = new Map();
  const paperSize = { width: 860, height: 620 }; // in which the plot is drawn to print; the style makes it fit

  const isShown = (i) => x.places[i] === x.places[i] && y.places[i] === y.places[i] && (!o.shown || o.shown[i] === 1);
  const inView = (i) => x.places[i] >= view.x0 && x.places[i] <= view.x1 && y.places[i] >= view.y0 && y.places[i] <= view.y1;
  const isSeen = (i) => isShown(i) && inView(i);

  // Axes and the grid of places, which tells what is near the pointer.
  function setAxes() {
    x = placesOn(o.x);
    y = placesOn(o.y);
    grid = null;
  }
  const cells = 256;
  const cellOf = (at) => Math.max(0, Math.min(cells - 1, Math.floor(at * cells)));
  function gridOfPlaces() {
    const start = new Uint32Array(cells * cells + 1), terms = new Uint32Array(n);
    const of = (i) => cellOf(y.places[i]) * cells + cellOf(x.places[i]);
    for (let i = 0; i < n; i++) if (isShown(i)) start[of(i) + 1]++;
    for (let c = 0; c < cells * cells; c++) start[c + 1] += start[c];
    const next = start.slice();
    for (let i = 0; i < n; i++) if (isShown(i)) terms[next[of(i)]++] = i;
    return { start, terms };
  }
  function setOrder() {
    rankOf.fill(n);
    for (let at = 0; at < o.order.length; at++) rankOf[o.order[at]] = at;
  }

  // Places in the view, in pixels of the page.
  const pixelX = (at) => area.left + (at - view.x0) / (view.x1 - view.x0) * area.width;
  const pixelY = (at) => area.top + area.height - (at - view.y0) / (view.y1 - view.y0) * area.height;
  const placeX = (px) => view.x0 + (px - area.left) / area.width * (view.x1 - view.x0);
  const placeY = (py) => view.y0 + (area.top + area.height - py) / area.height * (view.y1 - view.y0);
  const pixelsOf = (i) => [pixelX(x.places[i]), pixelY(y.places[i])];

  // nearest returns the best term of the place nearest to a pixel, or -1.
  function nearest(px, py, within) {
    grid ??= gridOfPlaces();
    const reachX = within / area.width * (view.x1 - view.x0), reachY = within / area.height * (view.y1 - view.y0);
    const atX = placeX(px), atY = placeY(py);
    let best = -1, least = within * within + 1e-9;
    for (let row = cellOf(atY - reachY); row <= cellOf(atY + reachY); row++) {
      for (let column = cellOf(atX - reachX); column <= cellOf(atX + reachX); column++) {
        for (let k = grid.start[row * cells + column]; k < grid.start[row * cells + column + 1]; k++) {
          const i = grid.terms[k], d = (pixelX(x.places[i]) - px) ** 2 + (pixelY(y.places[i]) - py) ** 2;
          if (d < least - 1e-9 || d < least + 1e-9 && best >= 0 && rankOf[i] < rankOf[best]) [best, least] = [i, Math.min(d, least)];
        }
      }
    }
    return best;
  }
  // together returns the terms at the place of a term, the best first.
  function together(i) {
    grid ??= gridOfPlaces();
    const c = cellOf(y.places[i]) * cells + cellOf(x.places[i]), near = [...grid.terms.subarray(grid.start[c], grid.start[c + 1])];
    return near.filter((j) => x.places[j] === x.places[i] && y.places[j] === y.places[i]).sort((a, b) => rankOf[a] - rankOf[b] || a - b);
  }

  // Colours.
  function setColours() {
    const probe = element("span", { class: "hue" });
    if (printing) probe.style.colorScheme = "light";
    box.append(probe);
    const read = (name) => {
      probe.style.color = "var(--" + name + ")";
      return getComputedStyle(probe).color;
    };
    colours = Object.fromEntries(["ink", "soft", "rule", "more", "less", "other", "select", "link"].map((name) => [name, read(name)]));
    colours.paper = printing ? "#ffffff" : read("panel");
    colours.of = [colours.less, colours.other, colours.more];
    for (let c = 0; o.homes && c < data.classes.length; c++) {
      probe.style.setProperty("--hue", 360 * c / data.classes.length);
      colours.of.push(read("tone"));
    }
    colours.words = new Uint32Array(colours.of.length * (most + 1));
    probe.remove();
  }
  const most = 5; // of crowds, as drawPoints counts them
  // toneOf returns the place in colours.of of the colour of a term: that of its class, or of its sign.
  const toneOf = (i) => (o.homes?.[i] >= 0 ? o.homes[i] + 3 : o.tone ? o.tone[i] + 1 : 1);
  // word returns a colour as the word of a pixel.
  function word(colour, alpha) {
    ruler.fillStyle = colour;
    ruler.fillRect(0, 0, 1, 1);
    const pixel = ruler.getImageData(0, 0, 1, 1);
    pixel.data[3] = alpha;
    return new Uint32Array(pixel.data.buffer)[0];
  }
  // shade returns the word of a colour in a crowd: the more there are, the nearer to the ink.
  function shade(tone, crowd) {
    const own = colours.of[tone];
    return colours.words[tone * (most + 1) + crowd] ||= word(crowd ? `color-mix(in oklab, ${colours.ink} ${11 * crowd}%, ${own})` : own, 255);
  }

  // drawPoints draws the points of the view, pixel by pixel: the best last, and those of found terms above all.
  function drawPoints() {
    const w = Math.round(area.width * scale), h = Math.round(area.height * scale);
    const image = new ImageData(w, h), pixels = new Uint32Array(image.data.buffer);
    const kx = w / (view.x1 - view.x0), ky = h / (view.y1 - view.y0);
    const atX = (i) => Math.min(w - 1, Math.round((x.places[i] - view.x0) * kx)), atY = (i) => Math.min(h - 1, Math.round(h - (y.places[i] - view.y0) * ky));
    // A crowd is counted in squares, with those around: 0 is one in which points can be told apart.
    const side = 6 * scale, across = Math.ceil(w / side) + 2, squares = new Uint32Array(across * (Math.ceil(h / side) + 2));
    const squareOf = (i) => across * (1 + Math.floor(atY(i) / side)) + 1 + Math.floor(atX(i) / side);
    let count = 0;
    for (let i = 0; i < n; i++) {
      if (!isSeen(i)) continue;
      count++;
      squares[squareOf(i)]++;
    }
    const crowds = squares.map((_, s) => {
      let sum = 0;
      for (let row = s - across; row <= s + across; row += across) for (let k = row - 1; k <= row + 1; k++) sum += squares[k] || 0;
      return Math.max(0, Math.min(most, Math.floor(Math.log2(sum / 20))));
    });
    radius = count > 20000 ? 1.5 : count > 3000 ? 2 : count > 300 ? 2.8 : 3.6;
    const disc = (r) => {
      const rows = [];
      for (let dy = -Math.floor(r); dy <= r; dy++) rows.push([dy, Math.floor(Math.sqrt(r * r - dy * dy))]);
      return rows;
    };
    const small = disc(radius * scale), large = disc((radius + 1.2) * scale);
    const paint = (i, rows, colour) => {
      const cx = atX(i), cy = atY(i);
      if (pixels[cy * w + cx] === colour && rows === small && count > 20000) return;
      for (const [dy, half] of rows) {
        const py = cy + dy;
        if (py < 0 || py >= h) continue;
        pixels.fill(colour, py * w + Math.max(0, cx - half), py * w + Math.min(w, cx + half + 1));
      }
    };
    const faint = word(colours.other, 90);
    for (const hit of o.found ? [0, 1] : [1]) {
      for (let at = o.order.length - 1; at >= 0; at--) {
        const i = o.order[at];
        if (!isSeen(i) || o.found && o.found[i] !== hit) continue;
        paint(i, o.found && hit ? large : small, hit ? shade(toneOf(i), o.found ? 0 : crowds[squareOf(i)]) : faint);
      }
    }
    const size = [Math.round(width * scale), Math.round(height * scale)];
    if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.putImageData(image, Math.round(area.left * scale), Math.round(area.top * scale));
    canvas.dataset.points = count;
  }

  const textAt = (text, px, py, look) => svg("text", { x: fixed(px), y: fixed(py), "dominant-baseline": "central", ...look }, text);
  const widthOf = (text) => ruler.measureText(text).width;

  // axes returns the lines and texts of both axes.
  function axes() {
    const bottom = area.top + area.height, right = area.left + area.width, parts = [];
    const crisp = (v) => Math.round(v) + 0.5;
    const line = (x1, y1, x2, y2, stroke) => parts.push(svg("line", { x1: crisp(x1), y1: crisp(y1), x2: crisp(x2), y2: crisp(y2), stroke }));
    let free = -Infinity;
    for (const t of ticksOf(o.x, x, view.x0, view.x1)) {
      const px = pixelX(t.at), half = widthOf(t.text) / 2;
      line(px, area.top, px, bottom, colours.rule);
      if (px - half < free || px + half > width) continue;
      parts.push(textAt(t.text, px, bottom + 14, { fill: colours.soft, "text-anchor": "middle" }));
      free = px + half + 6;
    }
    free = Infinity;
    for (const t of ticksOf(o.y, y, view.y0, view.y1)) {
      const py = pixelY(t.at);
      line(area.left, py, right, py, colours.rule);
      if (py + 7 > free) continue;
      parts.push(textAt(t.text, area.left - 6, py, { fill: colours.soft, "text-anchor": "end" }));
      free = py - 8;
    }
    const lo = Math.max(x.lo, y.lo), hi = Math.min(x.hi, y.hi);
    if (o.diagonal && o.x.scale === "log" && o.y.scale === "log" && hi > lo) {
      const ends = { x1: pixelX(x.place(lo)), y1: pixelY(y.place(lo)), x2: pixelX(x.place(hi)), y2: pixelY(y.place(hi)) };
      const clip = { x: area.left, y: area.top, width: area.width, height: area.height }; // a drawing in a drawing is clipped
      parts.push(svg("svg", { ...clip, viewBox: Object.values(clip).join(" ") }, svg("line", { ...ends, stroke: colours.soft, "stroke-dasharray": "5 5" })));
    }
    line(area.left, area.top, area.left, bottom, colours.soft);
    line(area.left, bottom, right, bottom, colours.soft);
    const title = { fill: colours.ink, "text-anchor": "middle" }, middle = area.top + area.height / 2;
    parts.push(textAt(fitText(o.x.title, area.width), area.left + area.width / 2, bottom + 33, title));
    parts.push(textAt(fitText(o.y.title, area.height), 13, middle, { ...title, transform: "rotate(-90 13 " + fixed(middle) + ")" }));
    return parts;
  }

  function fitText(text, most) {
    if (widthOf(text) <= most) return text;
    let length = text.length;
    while (length > 1 && widthOf(text.slice(0, length) + "…") > most) length--;
    return text.slice(0, length) + "…";
  }

  const labelText = (i) => {
    const name = [...data.shown(i)];
    return name.length > 24 ? name.slice(0, 23).join("") + "…" : name.join("");
  };

  // labels returns the names of the best terms of the view that have room.
  function labels() {
    const most = Math.round(area.width * area.height / 9000), boxes = [], parts = [];
    const right = area.left + area.width, bottom = area.top + area.height;
    const place = (i, forced) => {
      const text = labelText(i), [px, py] = pixelsOf(i);
      if (!widths.has(i)) widths.set(i, widthOf(text));
      const w = widths.get(i), ring = i === o.open ? 11 : o.selected.has(i) ? radius + 5 : radius, gap = ring + 3;
      const spots = [[px + gap, py], [px - gap - w, py], [px - w / 2, py - gap - 7], [px - w / 2, py + gap + 7]];
      if (y.places[i] < y.start) spots.unshift([px - w / 2, py - gap - 7]); // beside it others stand in a row
      for (const [left, middle] of spots) {
        if (left - 2 < area.left || left + w + 2 > right || middle - 8 < area.top || middle + 8 > bottom) continue;
        const b = { left: Math.min(left - 2, px - ring), right: Math.max(left + w + 2, px + ring), top: Math.min(middle - 8, py - ring), bottom: Math.max(middle + 8, py + ring) };
        if (boxes.some((t) => b.left < t.right && t.left < b.right && b.top < t.bottom && t.top < b.bottom)) continue;
        boxes.push(b);
        parts.push(textAt(text, left, middle, { fill: "none", stroke: colours.paper, "stroke-width": 3, "stroke-linejoin": "round" }));
        parts.push(textAt(text, left, middle, { fill: forced || toneOf(i) === 1 ? colours.ink : colours.of[toneOf(i)] }));
        return;
      }
    };
    if (o.open >= 0 && isSeen(o.open)) place(o.open, true);
    for (const i of o.selected) if (boxes.length < most && isSeen(i)) place(i, true);
    let tried = 0;
    for (let at = 0; at < o.order.length && boxes.length < most && tried < 40 * most; at++) {
      const i = o.order[at];
      if (!isSeen(i) || o.found && o.found[i] === 0 || o.selected.has(i) || i === o.open) continue;
      tried++;
      place(i, false);
    }
    canvas.dataset.labels = boxes.length;
    return parts;
  }

  // ring returns the paths of a circle around a term that is in view.
  function ring(i, colour, r, thick) {
    if (i < 0 || !isSeen(i)) return [];
    const [px, py] = pixelsOf(i), half = "a" + r + " " + r + " 0 1 0 ";
    const d = "M" + fixed(px - r) + " " + fixed(py) + half + 2 * r + " 0" + half + -2 * r + " 0";
    return [[thick + 2, colours.paper], [thick, colour]].map(([wide, stroke]) => ({ d, fill: "none", stroke, "stroke-width": wide }));
  }
  const ringsOfSelected = () => [...o.selected].flatMap((i) => ring(i, colours.select, radius + 3, 2));
  const ringOfOpen = () => ring(o.open, colours.link, 8, 3);

  function draw() {
    wanted = 0;
    const size = printing ? paperSize : canvas.getBoundingClientRect();
    if (size.width < 1 || size.height < 1) return;
    const ratio = printing ? 3 : Math.min(3, devicePixelRatio || 1);
    if (size.width !== width || size.height !== height || ratio !== scale) {
      [width, height, scale] = [size.width, size.height, ratio];
      stale = true;
    }
    if (stale) {
      const left = width < 500 ? 56 : 66, top = 10;
      area = { left, top, width: Math.max(10, width - left - 12), height: Math.max(10, height - top - 46) };
      if (!colours) setColours();
      ruler.font = "12px " + (getComputedStyle(canvas).fontFamily || "sans-serif");
      drawPoints();
      for (const layer of [below, above]) layer.setAttribute("viewBox", "0 0 " + width + " " + height);
      below.replaceChildren(...axes());
      for (const look of ringsOfSelected()) { // here, since there may be one around each term
        [context.strokeStyle, context.lineWidth] = [look.stroke, look["stroke-width"]];
        context.stroke(new Path2D(look.d));
      }
      named.replaceChildren(...labels());
      stale = false;
    }
    pointed.replaceChildren(...[...ringOfOpen(), ...(cursor === o.open ? [] : ring(cursor, colours.ink, 6, 2))].map((look) => svg("path", look)));
    equip(frame, { ...(band ?? { x: 0, y: 0, width: 0, height: 0 }), stroke: colours.ink }); // one without a width is not drawn
    if (canvas.dataset.drawn) return;
    performance.mark("plot drawn");
    canvas.dataset.drawn = "1";
  }
  function redraw(all = true) {
    stale ||= all;
    wanted ||= requestAnimationFrame(draw);
  }

  // The tip beside the term under the pointer or reached by keys.
  const describe = (i) => data.shown(i) + ": " + tickText(o.x.values[i]) + " " + o.x.title + "; " + tickText(o.y.values[i]) + " " + o.y.title +
    (o.homes?.[i] >= 0 ? "; most in " + data.classes[o.homes[i]].name : "");
  function point(i, say) {
    if (i === cursor && !say) return;
    cursor = i;
    tip.hidden = i < 0;
    redraw(false);
    if (i < 0) return;
    const all = together(i), most = 8;
    tip.replaceChildren(...all.slice(0, most).map((j) => element("div", {}, describe(j))));
    if (all.length > most) tip.append(element("div", {}, "and " + formatCount(all.length - most) + " more at this place"));
    const [px, py] = pixelsOf(i);
    tip.style.left = Math.max(0, Math.min(width - tip.offsetWidth, px < width / 2 ? px + 14 : px - tip.offsetWidth - 14)) + canvas.offsetLeft + "px";
    tip.style.top = Math.max(0, Math.min(height - tip.offsetHeight, py - tip.offsetHeight / 2)) + canvas.offsetTop + "px";
    if (say) live.textContent = describe(i) + (all.length > 1 ? ", and " + formatCount(all.length - 1) + " more at this place" : "");
  }

  // Views.
  const leastSpan = 1e-4;
  function setView(v) {
    const spanX = Math.min(1, Math.max(leastSpan, v.x1 - v.x0)), spanY = Math.min(1, Math.max(leastSpan, v.y1 - v.y0));
    const x0 = Math.min(1 - spanX, Math.max(0, v.x0)), y0 = Math.min(1 - spanY, Math.max(0, v.y0));
    view = { x0, x1: x0 + spanX, y0, y1: y0 + spanY };
    canvas.style.touchAction = isWhole() ? "pan-y" : "none";
    redraw();
  }
  const isWhole = () => view.x1 - view.x0 > 0.9999 && view.y1 - view.y0 > 0.9999;
  // zoom makes the view smaller by a factor, around a pixel that stays where it is.
  function zoom(factor, px = area.left + area.width / 2, py = area.top + area.height / 2) {
    const atX = placeX(px), atY = placeY(py);
    setView({
      x0: atX - (atX - view.x0) / factor, x1: atX + (view.x1 - atX) / factor,
      y0: atY - (atY - view.y0) / factor, y1: atY + (view.y1 - atY) / factor,
    });
  }
  // reveal moves the view to a term, if it is not there.
  function reveal(i) {
    if (inView(i) || !isShown(i)) return;
    const halfX = (view.x1 - view.x0) / 2, halfY = (view.y1 - view.y0) / 2;
    setView({ x0: x.places[i] - halfX, x1: x.places[i] + halfX, y0: y.places[i] - halfY, y1: y.places[i] + halfY });
  }

  // The pointer: one moves the view or draws a rectangle, two zoom, a click opens.
  const pointers = new Map();
  let drag = null, pinch = null;
  const at = (e) => {
    const size = canvas.getBoundingClientRect();
    return { x: e.clientX - size.left, y: e.clientY - size.top };
  };
  canvas.addEventListener("pointerdown", (e) => {
    if (e.button !== 0) return;
    const here = at(e);
    pointers.set(e.pointerId, here);
    canvas.setPointerCapture(e.pointerId);
    if (pointers.size === 1) {
      drag = { from: here, view: { ...view }, moved: false, draws: e.pointerType !== "touch" && (e.shiftKey || isWhole()) };
    } else if (pointers.size === 2) {
      drag = band = null;
      pinch = pinchOf();
    }
  });
  const pinchOf = () => {
    const [a, b] = [...pointers.values()];
    return { apart: Math.max(10, Math.hypot(a.x - b.x, a.y - b.y)), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };
  canvas.addEventListener("pointermove", (e) => {
    const here = at(e);
    if (pointers.has(e.pointerId)) pointers.set(e.pointerId, here);
    if (pinch && pointers.size === 2) {
      const now = pinchOf();
      zoom(now.apart / pinch.apart, now.x, now.y);
      pinch = now;
    } else if (drag) {
      if (!drag.moved && Math.hypot(here.x - drag.from.x, here.y - drag.from.y) < 4) return;
      drag.moved = true;
      point(-1);
      if (drag.draws) {
        band = {
          x: Math.min(here.x, drag.from.x), y: Math.min(here.y, drag.from.y),
          width: Math.abs(here.x - drag.from.x), height: Math.abs(here.y - drag.from.y),
        };
        redraw(false);
      } else if (e.pointerType !== "touch" || !isWhole()) {
        const dx = (here.x - drag.from.x) / area.width * (view.x1 - view.x0), dy = (here.y - drag.from.y) / area.height * (view.y1 - view.y0);
        const v = drag.view;
        setView({ x0: v.x0 - dx, x1: v.x1 - dx, y0: v.y0 + dy, y1: v.y1 + dy });
      }
    } else {
      point(nearest(here.x, here.y, 12));
    }
  });
  const release = (e) => {
    if (!pointers.delete(e.pointerId)) return;
    if (pinch) {
      if (pointers.size < 2) pinch = null;
      return;
    }
    const done = drag, b = band;
    drag = band = null;
    redraw(false);
    if (!done || e.type === "pointercancel") return;
    if (b?.width > 8 && b.height > 8) setView({ x0: placeX(b.x), x1: placeX(b.x + b.width), y0: placeY(b.y + b.height), y1: placeY(b.y) });
    else if (!done.moved) {
      const here = at(e), i = nearest(here.x, here.y, e.pointerType === "touch" ? 20 : 12);
      if (i >= 0) {
        point(i);
        o.onOpen(i);
      }
    }
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => { if (!drag) point(-1); });
  canvas.addEventListener("dblclick", (e) => zoom(2, at(e).x, at(e).y));
  // The wheel zooms where the plot has the focus, or with Ctrl, as pinching on a pad sends it: else the page
  // could not be scrolled past the plot.
  canvas.addEventListener("wheel", (e) => {
    if (!e.ctrlKey && !e.metaKey && document.activeElement !== canvas) return;
    const out = e.deltaY > 0 && isWhole();
    if (out && !e.ctrlKey) return; // the page scrolls on
    e.preventDefault();
    const lines = e.deltaMode === 1 ? 20 : 1;
    zoom(Math.exp(-Math.max(-300, Math.min(300, e.deltaY * lines)) / (e.ctrlKey ? 100 : 400)), at(e).x, at(e).y);
  }, { passive: false });

  // Keys.
  canvas.addEventListener("keydown", (e) => {
    if (e.altKey || e.ctrlKey || e.metaKey) return;
    const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (direction) go(direction);
    else if (e.key === "+" || e.key === "=") zoomAtCursor(1.5);
    else if (e.key === "-" || e.key === "_") zoomAtCursor(1 / 1.5);
    else if (e.key === "0") setView(whole);
    else if (e.key === "Home") goTo(first());
    else if (cursor >= 0 && (e.key === "Enter" || e.key === " ")) o.onOpen(cursor);
    else if (cursor >= 0 && e.key === "Escape") point(-1);
    else return;
    e.preventDefault();
  });
  function zoomAtCursor(factor) {
    if (cursor >= 0 && inView(cursor)) zoom(factor, ...pixelsOf(cursor));
    else zoom(factor);
    if (cursor >= 0) point(cursor, true);
  }
  // first returns the best term of the view.
  const first = () => o.order.find(isSeen) ?? -1;
  function goTo(i) {
    if (i >= 0) {
      reveal(i);
      point(i, true);
    }
  }
  // go moves to the nearest place in a direction; what is beside counts twice.
  function go([right, down]) {
    if (cursor < 0) return goTo(first());
    const [px, py] = pixelsOf(cursor);
    let best = -1, least = Infinity;
    for (let i = 0; i < n; i++) {
      if (!isShown(i)) continue;
      const dx = pixelX(x.places[i]) - px, dy = pixelY(y.places[i]) - py;
      const ahead = dx * right + dy * down, beside = Math.abs(dx * down + dy * right);
      if (ahead < 3 || beside > 2 * ahead) continue;
      const d = ahead + 2 * beside;
      if (d < least || d === least && rankOf[i] < rankOf[best]) [best, least] = [i, d];
    }
    goTo(best);
  }
  canvas.addEventListener("blur", () => point(-1));

  function describePlot() {
    const all = o.order.filter(isShown), names = [...all.subarray(0, 5)].map(labelText);
    const range = (axis, p) => axis.title + " from " + tickText(p.zero ? 0 : p.lo) + " to " + (p.above ? "infinity" : tickText(p.hi));
    canvas.setAttribute("aria-label", "Plot of " + formatPlural(all.length, "term") + ". Across: " + range(o.x, x) + ". Up: " + range(o.y, y) + ". " +
      (names.length ? "The best: " + names.join(", ") + ". " : "") + "Arrow keys go from term to term, plus and minus zoom, 0 shows all, Enter opens a term.");
  }

  // What changes outside.
  new ResizeObserver(() => redraw()).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => api.redraw(), { signal: o.signal });
  addEventListener("beforeprint", () => {
    printing = true;
    setColours();
    stale = true;
    draw();
  }, { signal: o.signal });
  addEventListener("afterprint", () => {
    printing = false;
    api.redraw();
  }, { signal: o.signal });

  const api = {
    // update changes options.
    update(changes) {
      Object.assign(o, changes);
      if (changes.x || changes.y) setAxes();
      if ("shown" in changes) grid = null;
      if (changes.order) setOrder();
      if ("homes" in changes) setColours();
      if (changes.x || changes.y || "shown" in changes || changes.order) describePlot();
      if (cursor >= 0 && !isShown(cursor)) point(-1);
      redraw();
    },
    view: () => ({ ...view }),
    zoom,
    reset: () => setView(whole),
    // svg returns what is in view as a file.
    svg() {
      draw();
      const dots = new Map(); // by colour
      for (const i of o.order.slice().reverse()) {
        if (!isSeen(i)) continue;
        const tone = o.found && !o.found[i] ? 1 : toneOf(i);
        if (!dots.has(tone)) dots.set(tone, new Set()); // of equal places one
        dots.get(tone).add("M" + pixelsOf(i).map(fixed).join(" ") + "h0");
      }
      const paths = [...dots].map(([tone, places]) => svg("path", { d: [...places].join(""), stroke: colours.of[tone], "stroke-width": 2 * radius, "stroke-linecap": "round" }));
      const look = { viewBox: "0 0 " + width + " " + height, width, height, "font-family": "sans-serif", "font-size": 12 };
      const file = svg("svg", look, svg("rect", { width: "100%", height: "100%", fill: colours.paper }), ...below.cloneNode(true).children, ...paths);
      for (const look of [...ringsOfSelected(), ...ringOfOpen()]) file.append(svg("path", look));
      file.append(named.cloneNode(true));
      return new XMLSerializer().serializeToString(file);
    },
    // focus moves the cursor to a term.
    focus: goTo,
    // redraw draws all anew, in the colours of now.
    redraw() {
      setColours();
      redraw();
    },
  };
  setAxes();
  setOrder();
  describePlot();
  canvas.style.touchAction = "pan-y";
  redraw();
  return api;
}
