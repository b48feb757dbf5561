package report

import (
	"fmt"
	"slices"
	"testing"

	"github.com/termsift/termsift/bench/testkit"
	"github.com/termsift/termsift/engine/report/browsertest"
)

// plotted returns a page of terms whose places in the plot are known: term i of 0 to 99 has i+1 documents
// in the first class, and 100-i in the second, but the first and the last are in one class alone.
func plotted() *Explore {
	e := &Explore{Title: "plot", Documents: 400, Tokens: 2_000_000, Of: 100, Formulas: testFormulas, Rank: "df"}
	e.Classes = []ExploreClass{{"a", 200, 1_000_000}, {"b", 200, 1_000_000}}
	t := &e.Terms
	t.Start = []int{0}
	for i := range uint64(100) {
		t.Names = append(t.Names, fmt.Sprintf("term%02d", i))
		counts := []uint64{i + 1, 100 - i}
		if i == 0 {
			counts[0] = 0
		}
		if i == 99 {
			counts[1] = 0
		}
		df := uint64(0)
		for class, n := range counts {
			if df += n; n > 0 {
				t.Class, t.A, t.S, t.Q = append(t.Class, uint32(class)), append(t.A, n), append(t.S, n), append(t.Q, n)
			}
		}
		t.DF, t.CF, t.Start = append(t.DF, df), append(t.CF, df), append(t.Start, len(t.Class))
	}
	return e
}

// openPlot opens a page and puts a plot of its two classes in place of its own.
func openPlot(t *testing.T, width, height int, scheme string) *browsertest.Browser {
	t.Helper()
	b := browsertest.New(t)
	b.Show(pageOf(t, plotted()), width, height, scheme)
	b.Eval(`openData().then((d) => {
		window.d = d;
		window.log = [];
		const box = document.createElement("div"), canvas = document.createElement("canvas");
		canvas.id = "tried";
		box.style.cssText = "position: fixed; inset: 0; z-index: 9; background: Canvas";
		canvas.style.cssText = "display: block; width: 100%; height: 100%";
		box.append(canvas);
		document.body.append(box);
		window.plot = makePlot(canvas, d, { order: Uint32Array.from(d.df, (_, i) => i).sort((i, j) => d.df[j] - d.df[i]), x: axisOfClass(d, 0), y: axisOfClass(d, 1), diagonal: true,
			onOpen: (i) => log.push("open " + d.term(i)) });
	})`)
	b.Wait(`document.querySelector("#tried").dataset.drawn === "1"`)
	return b
}

// The plot can be used by keys alone, and tells what it shows.
func TestBrowserPlotByKeys(t *testing.T) {
	b := openPlot(t, 900, 700, "light")
	b.Expect(`document.querySelector("#tried").getAttribute("aria-label").startsWith("Plot of 100 terms. Across: in a, per million from 0 to 100. Up: in b, per million from 0 to 100.")`, true)
	b.Focus("#tried")
	said := `document.querySelector("#tried").parentElement.querySelector("[role=status]").textContent`
	b.Press("Home") // all have 101 documents but two: the first of these is the best
	b.Expect(said, "term01: 2 in a, per million; 99 in b, per million")
	b.Press("ArrowRight")
	b.Expect(said+`.startsWith("term02: ")`, true)
	b.Press("ArrowLeft")
	b.Press("ArrowLeft")
	b.Expect(said+`.startsWith("term00: 0 in a")`, true)
	b.Expect(`document.querySelector("#tried ~ .tip").hidden`, false)
	b.Press("Enter")
	b.Expect(`log.at(-1)`, "open term00")
	b.Press("+")
	b.Expect(`plot.view().x1 - plot.view().x0 < 0.7`, true)
	b.Press("-")
	b.Press("0")
	b.Expect(`JSON.stringify(plot.view())`, `{"x0":0,"x1":1,"y0":0,"y1":1}`)
	b.Press("Escape")
	b.Expect(`document.querySelector("#tried ~ .tip").hidden`, true)
	b.NoComplaints()
}

// Names in the plot do not cover one another, points are drawn in their colours, and only those shown.
func TestBrowserPlotDraws(t *testing.T) {
	for _, scheme := range []string{"light", "dark"} {
		b := openPlot(t, 900, 700, scheme)
		b.Expect(`document.querySelector("#tried").dataset.points`, "100")
		b.Expect(`Number(document.querySelector("#tried").dataset.labels) > 20`, true)
		b.Eval(`window.names = [...document.querySelectorAll("#tried ~ .layer text:not([stroke])")].map((e) => e.getBoundingClientRect())`)
		b.Expect(`names.length === Number(document.querySelector("#tried").dataset.labels) && names.every((n) => n.width > 30)`, true)
		b.Expect(`names.some((a, i) => names.some((b, j) => j < i && a.left < b.right && b.left < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom))`, false)
		coloured := `((r, g, b) => { const c = document.querySelector("#tried"), copy = new OffscreenCanvas(c.width, c.height).getContext("2d", { willReadFrequently: true });
			copy.drawImage(c, 0, 0); const p = copy.getImageData(0, 0, c.width, c.height).data; let n = 0;
			for (let i = 0; i < p.length; i += 4) if (p[i] === r && p[i + 1] === g && p[i + 2] === b) n++; return n; })`
		more := `(() => { const s = document.createElement("span"); s.style.color = "var(--s0)"; document.body.append(s); return getComputedStyle(s).color.match(/\d+/g).map(Number); })()`
		b.Expect(coloured+`(...`+more+`)`, 0)
		b.Eval(`plot.update({ tone: new Int8Array(100).fill(1, 0, 50) })`)
		b.Wait(coloured + `(...` + more + `) > 50 * 9`)
		b.Eval(`plot.update({ shown: new Uint8Array(100).fill(1, 0, 10) })`)
		b.Wait(`document.querySelector("#tried").dataset.points === "10"`)
		b.Expect(`document.querySelector("#tried").getAttribute("aria-label").startsWith("Plot of 10 terms.")`, true)

		// The file has the same: points, names, axes, and rings of what is open and selected.
		b.Eval(`plot.update({ open: 3, selected: new Set([4]) })`)
		b.Expect(`(() => { const d = new DOMParser().parseFromString(plot.svg(), "image/svg+xml"), all = (of) => [...d.querySelectorAll(of)];
			return [d.documentElement.getAttribute("viewBox"), all("path[stroke-linecap]").flatMap((e) => e.getAttribute("d").match(/M/g)).length, all("path[fill=none]").length, all("text:not([stroke])").filter((e) => e.textContent === "term03").length, all("text").at(-1).textContent.startsWith("term"), all("[transform^=rotate]")[0].textContent].join("; "); })()`,
			"0 0 900 700; 10; 4; 1; true; in b, per million")
		b.NoComplaints()
	}
}

// The pointer tells terms, opens them, draws rectangles to zoom to, and moves the view.
func TestBrowserPlotByPointer(t *testing.T) {
	b := openPlot(t, 900, 700, "light")
	at := func(i int) (x, y float64) {
		place := b.Eval(fmt.Sprintf(`(() => { const v = plot.view(), c = document.querySelector("#tried").getBoundingClientRect();
			const x = placesOn(axisOfClass(d, 0)).places[%[1]d], y = placesOn(axisOfClass(d, 1)).places[%[1]d];
			return [66 + (x - v.x0) / (v.x1 - v.x0) * (c.width - 78), 10 + (c.height - 56) * (1 - (y - v.y0) / (v.y1 - v.y0))]; })()`, i)).([]any)
		return place[0].(float64), place[1].(float64)
	}
	x, y := at(3)
	b.MoveTo(x+2, y+1)
	b.Expect(`document.querySelector("#tried ~ .tip").textContent.startsWith("term03: ")`, true)
	b.Expect(`(() => { const tip = document.querySelector("#tried ~ .tip"), box = tip.getBoundingClientRect(); tip.style.pointerEvents = "auto";
		return tip.contains(document.elementFromPoint(box.left + 5, box.top + 5)) && box.width < 300; })()`, true) // nothing is above it
	b.Eval(`document.querySelector("#tried ~ .tip").style.pointerEvents = ""`)
	b.Expect(`document.querySelector("#tried ~ .tip").textContent`, "term03: 4 in a, per million; 97 in b, per million")
	b.ClickAt(x, y)
	b.Expect(`log.at(-1)`, "open term03")
	b.Eval(`document.activeElement.blur()`)
	b.Wheel(x, y, -200) // without the focus the page scrolls
	b.Expect(`plot.view().x1 - plot.view().x0`, 1)
	b.Focus("#tried")
	b.Wheel(x, y, -200)
	b.Wait(`plot.view().x1 - plot.view().x0 < 0.9`)
	x2, y2 := at(3)
	if dx, dy := x2-x, y2-y; dx*dx+dy*dy > 4 {
		t.Errorf("what is under the pointer went from %v %v to %v %v", x, y, x2, y2)
	}
	b.Eval(`plot.zoom(4); plot.focus(70)`)
	b.Expect(`(() => { const v = plot.view(), x = placesOn(axisOfClass(d, 0)).places[70]; return x > v.x0 && x < v.x1; })()`, true)

	b.Eval(`plot.reset(); window.send = (type, x, y) => document.querySelector("#tried").dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, pointerId: 7, pointerType: "mouse" }));
		document.querySelector("#tried").setPointerCapture = () => {}; send("pointerdown", 200, 200); send("pointermove", 611, 400)`)
	b.Wait(`document.querySelector("#tried ~ .layer rect").getBBox().width === 411`)
	b.Eval(`send("pointerup", 611, 400)`)
	b.Expect(`Math.round(1000 * (plot.view().x1 - plot.view().x0)) / 1000`, .5) // of 822 pixels
	b.Wait(`document.querySelector("#tried ~ .layer rect").getBBox().width === 0`)
	b.NoComplaints()
}

// Axes name values where they are: powers on a logarithmic one, zero and infinity at the edges, both signs.
func TestBrowserPlotAxes(t *testing.T) {
	b := openPlot(t, 900, 700, "light")
	ticks := func(values, scale string) string {
		text, _ := b.Eval(`(() => { const axis = { title: "", values: Float64Array.of(` + values + `), scale: "` + scale + `" }; return ticksOf(axis, placesOn(axis), 0, 1).map((t) => t.text).join(" "); })()`).(string)
		return text
	}
	for _, c := range [][3]string{
		{"0, 1.75, 900", "log", "0 2 5 10 20 50 100 200 500 1,000"},
		{"1, 10, 1e6, Infinity", "log", "1 10 100 1,000 10,000 100,000 1e6 ∞"},
		{"0, 2.5, 10", "linear", "0 2 4 6 8 10"},
		{"-Infinity, -50, 0, 50", "linear", "−∞ −40 −20 0 20 40"},
		{"7, 7", "linear", "7"},
		{"NaN", "log", "1 1.5 2 3 4 5 6 7 8 9 10"},
	} {
		testkit.Equal(t, ticks(c[0], c[1]), c[2], c[1], "of", c[0])
	}
	b.Expect(`[[1, 2, 3], [0.001, 5, 1000], [-0.001, 5, 1000], [NaN, Infinity]].map((v) => axisOfMeasure("", Float64Array.from(v)).scale).join()`, "linear,log,symlog,linear")
	places := b.Eval(`[...placesOn({ title: "", scale: "symlog", values: Float64Array.of(-1000, -1, 0, 1, 1000, NaN) }).places].map((v) => Number.isNaN(v) ? -1 : v)`).([]any)
	var order []float64
	for _, p := range places[:5] {
		order = append(order, p.(float64))
	}
	if !slices.IsSorted(order) || order[0] < 0 || order[4] > 1 || places[5] != -1. {
		t.Errorf("places %v", places)
	}
}
