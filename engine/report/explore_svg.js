// The plot as SVG: what draws on a canvas draws on a Drawing, too.

class Drawing {
  constructor(width, height, context) {
    Object.assign(this, { width, height, context, elements: [], path: "", dash: "", turn: "", kept: [] });
  }

  add(name, attributes, text = "") {
    const escape = (v) => String(v).replace(/[&<>"]/g, (c) => "&#" + c.charCodeAt(0) + ";");
    this.elements.push("<" + name + Object.entries(attributes).map(([key, value]) => (value === "" ? "" : " " + key + '="' + escape(value) + '"')).join("") + (text ? ">" + escape(text) + "</" + name + ">" : "/>"));
  }

  beginPath() { this.path = ""; }
  moveTo(x, y) { this.path += "M" + fixed(x) + " " + fixed(y); }
  lineTo(x, y) { this.path += "L" + fixed(x) + " " + fixed(y); }
  arc(x, y, r) { this.path += "M" + fixed(x - r) + " " + fixed(y) + ("a" + fixed(r) + " " + fixed(r) + " 0 1 0 " + fixed(2 * r) + " 0") + ("a" + fixed(r) + " " + fixed(r) + " 0 1 0 " + fixed(-2 * r) + " 0"); }
  rect() { this.path = ""; } // of a clip, which a drawing does not need
  clip() { this.path = ""; }
  setLineDash(dash) { this.dash = dash.join(" "); }
  save() { this.kept.push([this.dash, this.turn]); }
  restore() { [this.dash, this.turn] = this.kept.pop(); }
  translate(x, y) { this.turn += "translate(" + fixed(x) + " " + fixed(y) + ")"; }
  rotate(angle) { this.turn += "rotate(" + fixed(180 * angle / Math.PI) + ")"; }
  stroke() { this.add("path", { d: this.path, fill: "none", stroke: this.strokeStyle, "stroke-width": this.lineWidth, "stroke-dasharray": this.dash }); }

  measureText(text) {
    this.context.font = this.font;
    return this.context.measureText(text);
  }

  text(text, x, y, look) {
    const anchor = { center: "middle", right: "end" }[this.textAlign] ?? "start";
    this.add("text", { x: fixed(x), y: fixed(y), "text-anchor": anchor, "dominant-baseline": "central", transform: this.turn, ...look }, text);
  }

  fillText(text, x, y) { this.text(text, x, y, { fill: this.fillStyle }); }
  strokeText(text, x, y) { this.text(text, x, y, { fill: "none", stroke: this.strokeStyle, "stroke-width": this.lineWidth, "stroke-linejoin": "round" }); }

  // dots draws discs at places of one colour.
  dots(places, radius, colour) {
    this.add("path", { d: places.map(([x, y]) => "M" + fixed(x) + " " + fixed(y) + "h0").join(""), stroke: colour, "stroke-width": 2 * radius, "stroke-linecap": "round" });
  }

  // markup returns the file.
  markup(paper) {
    return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ' + this.width + " " + this.height + '" width="' + this.width + '" height="' + this.height + '" font-family="sans-serif" font-size="12">' +
      '<rect width="100%" height="100%" fill="' + paper + '"/>' + this.elements.join("\n") + "</svg>\n";
  }
}

const fixed = (v) => String(Math.round(10 * v) / 10);
