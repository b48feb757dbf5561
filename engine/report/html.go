package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

var (
	//go:embed style.css
	style string
	//go:embed script.js
	script string
)

// markup is HTML in the making. What stands in a [literal] is markup, and all else is text.
type markup struct{ strings.Builder }

// A literal is markup. A constant becomes one by itself; no other text does.
type literal string

// add adds a format, in which arguments that are no literals are escaped. Package html/template would escape them, too,
// but it calls methods by their names, for which the linker keeps all methods of all types.
func (m *markup) add(format literal, arguments ...any) {
	for i, of := range arguments {
		if _, is := of.(literal); !is {
			arguments[i] = html.EscapeString(fmt.Sprint(of))
		}
	}
	fmt.Fprintf(m, string(format), arguments...)
}

// when returns markup if a condition holds.
func when(holds bool, then literal) literal {
	if holds {
		return then
	}
	return ""
}

// made returns what a function writes, as markup.
func made(write func(m *markup)) literal {
	var m markup
	write(&m)
	return literal(m.String())
}

// open begins a page up to its heading. Its policy permits its one style and one script, and more than that where
// there is an engine in the page.
func (m *markup) open(title, style, script, engine string, body, skip literal) {
	policy := fmt.Sprintf("default-src 'none'; style-src '%s'; base-uri 'none'; form-action 'none'; ", policyHash(style))
	policy += cmp.Or(engine, "script-src") + fmt.Sprintf(" '%s'", policyHash(script))
	m.add(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<style>%s</style>
</head>
<body%s>
<a class="skip" href="#main">%s</a>
<header>
<div class="head"><h1><bdi>%s</bdi></h1>
<button type="button" class="needs-script" data-theme-button aria-label="Colours: system. Change">Colours: system</button></div>
`, policy, title, literal(style), body, skip, title)
}

// close ends a page and writes it.
func (m *markup) close(w io.Writer, script string) error {
	m.add("<script>%s</script>\n</body>\n</html>\n", literal(script))
	_, err := io.WriteString(w, m.String())
	return err
}

// facts adds the lines at the head of a page.
func (m *markup) facts(facts []Fact) {
	if len(facts) == 0 {
		return
	}
	m.add(`<dl class="facts">`)
	for _, f := range facts {
		m.add("<div><dt><bdi>%s</bdi></dt><dd><bdi>%s</bdi></dd></div>", visible(f.Name), visibleText(f.Value))
	}
	m.add("</dl>\n")
}

// policyHash returns the hash by which the page's policy permits a style or script.
func policyHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// A part is a section of the page; it has no content if it is not there.
type part struct {
	id, name string
	content  literal
}

// WriteHTML writes the report as one page that loads nothing. Its curves and tables are
// shown without scripts; the script adds values under the pointer, switches, sorting and
// search. The page's policy lets a browser run that script and no other.
func (r *Report) WriteHTML(w io.Writer) error {
	var m markup
	parts := r.parts()
	m.open(visible(cmp.Or(r.Title, "Feature selection")), style, script, "", "", "Skip to the results")
	r.head(&m, parts)
	m.add("</header>\n<main id=\"main\">\n")
	if len(parts) == 0 {
		m.add(`<p class="nothing">This report has no results: no point was measured, and no terms were listed.</p>`)
	}
	for _, p := range parts {
		m.add("<section id=\"%s\"%s>\n%s</section>\n", p.id, when(p.id == "tables", ` class="tables"`), p.content)
	}
	m.add("</main>\n")
	return m.close(w, script)
}

// head adds what stands above the parts.
func (r *Report) head(m *markup, parts []part) {
	if r.Headline != "" {
		m.add("<p class=\"headline\"><bdi>%s</bdi></p>\n", visibleText(r.Headline))
	}
	m.list("findings", "further findings", "", r.Findings, 5)
	if r.Command != "" {
		m.add("<pre class=\"command\" tabindex=\"0\" aria-label=\"The command that made this report\"><code>%s</code></pre>\n", visibleText(r.Command))
	}
	m.facts(r.Facts)
	m.list("warnings", "warnings", "Warning: ", r.Warnings, 3)
	if len(parts) > 1 {
		m.add(`<nav aria-label="Parts of the report">`)
		for _, p := range parts {
			m.add(`<a href="#%s">%s</a>`, p.id, p.name)
		}
		m.add("</nav>\n")
	}
}

// list adds texts, folded up if they are more than a few.
func (m *markup) list(class, several, before literal, texts []string, few int) {
	if len(texts) == 0 {
		return
	}
	if len(texts) > few {
		m.add(`<details class="%s"><summary>%s %s</summary>`, class, len(texts), several)
	}
	m.add(`<ul class="%s">`, class)
	for _, text := range texts {
		m.add("<li>%s<bdi>%s</bdi></li>", before, visibleText(text))
	}
	m.add("</ul>%s\n", when(len(texts) > few, "</details>"))
}

// parts returns the parts that are there.
func (r *Report) parts() []part {
	tables, name := r.textTables(), "Tables"
	if len(tables) == 1 {
		name = tables[0].Caption
	}
	all := []part{
		{"tables", name, titled(tables)},
		{"curves", "Curves", made(r.writeCurves)},
		{"terms", "Top terms", made(r.writeTerms)},
		{"overlap", "Overlap", made(r.writeOverlaps)},
		{"keyness", "Keyness", made(r.writeKeyness)},
		{"timings", "Times", made(r.writeTimes)},
	}
	return slices.DeleteFunc(all, func(p part) bool { return p.content == "" })
}

// titled returns the tables of the caller.
func titled(tables []*table) literal {
	return made(func(m *markup) {
		for _, t := range tables {
			if !t.Bare {
				m.add("<h2>%s</h2>\n", t.Caption)
			}
			if t.Rows == nil {
				m.add(`<p class="note">No rows.</p>`)
			} else {
				m.table(t)
			}
			m.add("\n")
		}
	})
}

// table adds a table that can be sorted.
func (m *markup) table(t *table) {
	m.add("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table class=\"sortable\">\n<caption>%s</caption>\n<thead><tr>", t.Caption, t.Caption)
	for _, c := range t.Columns {
		m.add(`<th scope="col"%s><bdi>%s</bdi></th>`, when(c.Number, ` class="n"`), c.Name)
	}
	m.add("</tr></thead>\n<tbody>")
	for _, row := range t.Rows {
		m.add("<tr>")
		for k, c := range row {
			m.add("<td%s", when(k < len(t.Columns) && t.Columns[k].Number, ` class="n"`))
			if c.Exact != "" {
				m.add(` data-v="%s"`, c.Exact)
			}
			m.add("><bdi>%s</bdi></td>", c.Text)
		}
		m.add("</tr>\n")
	}
	m.add("</tbody></table></div>")
}

// tableBelow adds a table that is folded up under a figure.
func (m *markup) tableBelow(t *table) {
	m.add(`<details><summary>Table<span class="hidden"> of %s</span></summary>`, t.Caption)
	m.table(t)
	m.add("</details>")
}

// writeCurves adds the legend and the plots.
func (r *Report) writeCurves(m *markup) {
	if !slices.ContainsFunc(r.Points, func(p Point) bool { return !math.IsNaN(p.MicroF1) || !math.IsNaN(p.MacroF1) }) {
		return
	}
	m.add(`<h2>F1 by number of terms</h2>
<p class="note">Micro-F1 counts every decision alike, macro-F1 every class. The plots of a metric have the same axis, from the least to the greatest value that is shown.<span class="needs-script"> Point at a plot, or focus it and use the arrow keys, for its values.</span></p>
`)
	if best := r.bestTable(); best.Rows != nil {
		m.table(best)
	}
	m.add(`<div class="legend" role="group" aria-label="Methods to show in all plots">`)
	for i, name := range r.methods() {
		l := light.lookOf(i)
		m.add(`<button type="button" aria-pressed="true" data-toggle="%s"><svg class="%s" viewBox="0 0 34 14" width="34" height="14" aria-hidden="true">`, i, l.Class)
		m.add(`<path class="line" d="M0 7H34" fill="none" stroke-width="1.8"%s/>`, l.dashes())
		m.add("<path class=\"mark%s\" transform=\"translate(17 7)\" d=\"%s\"/></svg><bdi>%s</bdi></button>\n", when(l.Hollow, " hollow"), l.Marker, visible(name))
	}
	m.add(`<button type="button" class="needs-script plain" data-toggle-all>all</button><button type="button" class="needs-script plain" data-toggle-none>none</button>
</div>
<div class="plots">
`)
	for _, classifier := range r.classifiers() {
		for _, metric := range metrics {
			r.writePlot(m, classifier, metric)
		}
	}
	m.add("</div>\n")
}

// writePlot adds the plot of a classifier with its table, if it has points with a value of the metric, drawn or not.
func (r *Report) writePlot(m *markup, classifier string, of metric) {
	c, omitted, ok := r.chart(classifier, of, light)
	if !ok && omitted == 0 {
		return
	}
	m.add("<figure class=\"plot\">\n<figcaption><bdi>%s</bdi>: %s</figcaption>\n", visible(classifier), string(of))
	if ok {
		m.canvas(c, of)
	} else {
		m.add("<p class=\"note\">No point can be drawn.</p>\n")
	}
	if omitted > 0 {
		m.add("<p class=\"note\">%s without a place in the plot (no terms, or no F1 from 0 to 1): see the table.</p>\n", formatPlural(omitted, "point"))
	}
	m.tableBelow(r.plotTable(classifier, of, c.label))
	m.add("\n</figure>\n")
}

// formatPlural returns a number with a noun: "1 point", "2 points".
func formatPlural(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return Count(n) + " " + name + "s"
}

// writeOverlaps adds the overlaps, as lines or as matrices.
func (r *Report) writeOverlaps(m *markup) {
	lines, few := r.overlapChart()
	matrices := slices.DeleteFunc(slices.Clone(r.Overlaps), func(o Overlap) bool { return len(o.Methods) < 2 })
	if !few && len(matrices) == 0 {
		return
	}
	m.add("<h2>Overlap of the best terms</h2>\n<p class=\"note\">The share of the best terms that two lists have in common, and their number.</p>\n")
	if few {
		m.add(`<div class="plots"><figure class="plot">`)
		m.canvas(lines, "")
		m.tableBelow(lines.table())
		m.add("</figure></div>\n")
		return
	}
	m.add("<div class=\"heats\">\n")
	for _, o := range matrices {
		o.write(m)
	}
	m.add("</div>\n")
}

// write adds the half of the matrix that is above its diagonal: a row for each method but the last, a column for
// each but the first.
func (o Overlap) write(m *markup) {
	m.add(`<figure><figcaption>Best %[1]s</figcaption>
<div class="scroll" tabindex="0" role="region" aria-label="Overlap of the best %[1]s"><table class="heat">
<caption class="hidden">Overlap of the best %[1]s</caption>
<thead><tr><td></td>`, formatPlural(o.K, "term"))
	last := len(o.Methods) - 1
	for _, method := range o.Methods[1:] {
		m.add(`<th scope="col" title="%s"><bdi>%s</bdi></th>`, visible(method), fit(visible(method), labelWidth))
	}
	m.add("</tr></thead>\n<tbody>")
	for i, method := range o.Methods[:last] {
		m.add(`<tr><th scope="row" title="%s"><bdi>%s</bdi></th>`, visible(method), fit(visible(method), labelWidth))
		for j := 1; j <= last; j++ {
			switch share, known := o.share(i, j); {
			case j <= i:
				m.add(`<td class="blank"></td>`)
			case !known:
				m.add(`<td class="none">–<small></small></td>`)
			default: // h0 to h10, by tenths
				m.add(`<td class="h%s">%s<small>%s</small></td>`, int(share*10), formatShare(share), Count(o.Shared[i][j]))
			}
		}
		m.add("</tr>\n")
	}
	m.add("</tbody></table></div></figure>\n")
}

// className returns the name of a class as it is shown.
func className(c string) string {
	if c == "" {
		return "(all classes)"
	}
	return visible(c)
}

// writeKeyness adds the figures of keyness.
func (r *Report) writeKeyness(m *markup) {
	if len(r.Keyness) == 0 {
		return
	}
	classes := distinctNames(r.Keyness, func(k Keyness) string { return k.Class })
	var names []string
	for _, c := range classes {
		names = append(names, className(c))
	}
	measures := distinctNames(r.Keyness, func(k Keyness) string { return k.Measure })
	by := made(func(m *markup) {
		if len(measures) == 1 {
			m.add(", by <bdi>%s</bdi>", visible(measures[0]))
		}
	})
	m.add(`<h2>Keyness</h2>
<p class="note">Terms that a class uses more than the others, to the right, and less, to the left%s.</p>
<form class="filters needs-script">
<label>Class <select data-keyness><option value="">all</option>%s</select></label>
</form>
<div class="plots">
`, by, options(names))
	for _, k := range r.Keyness {
		i, measure := slices.Index(classes, k.Class), visible(k.Measure)
		m.add(`<figure data-keyness-of="%s"><figcaption><bdi>%s</bdi>`, i, names[i])
		if by == "" {
			m.add(": <bdi>%s</bdi>", measure)
		}
		m.add("</figcaption>\n")
		t := &table{Caption: fmt.Sprintf("Keyness of %s by %s", names[i], measure), Columns: newColumns(1, "term", measure)}
		var values []float64
		for _, bar := range k.Terms {
			values = append(values, bar.Value)
		}
		digits := decimals(values)
		for _, bar := range k.Terms {
			t.Rows = append(t.Rows, []cell{nameCell(bar.Term), {formatScore(bar.Value, digits), exact(bar.Value)}})
		}
		m.bars(t.Caption, values, t)
		m.add("</figure>\n")
	}
	m.add("</div>\n")
}

// writeTimes adds the steps of the run, and the times of every point.
func (r *Report) writeTimes(m *markup) {
	runs := r.runTable()
	if len(r.Timings) == 0 && runs == nil {
		return
	}
	m.add("<h2>Times</h2>\n")
	if len(r.Timings) > 0 {
		t := &table{Caption: "Steps of the run", Columns: newColumns(1, "step", "time", "nanoseconds")}
		var seconds []float64
		for _, step := range r.Timings {
			seconds = append(seconds, step.Took.Seconds())
			t.Rows = append(t.Rows, []cell{nameCell(step.Step), durationCell(step.Took), {Count(int(step.Took)), strconv.FormatInt(int64(step.Took), 10)}})
		}
		m.add("<figure><figcaption>%s</figcaption>\n", t.Caption)
		m.bars("Times of the steps", seconds, t)
		m.add("</figure>\n")
	}
	if runs != nil {
		m.add("<details><summary>Every point with its times</summary>")
		m.table(runs)
		m.add("</details>\n")
	}
}
