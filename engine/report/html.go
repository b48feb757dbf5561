package report

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
)

var (
	//go:embed page.html.tmpl
	pageTemplate string
	//go:embed chart.svg.tmpl
	chartTemplate string
	//go:embed style.css
	style string
	//go:embed script.js
	script string
)

// A page has what page.html.tmpl shows. html/template escapes all of it but Style and
// Script.
type page struct {
	*Report
	pageFrame
	Tables     []*table
	LastTables []*table

	Best   *table
	Legend []legendEntry
	Plots  []plot

	Terms   *termTable
	Overlap *overlapFigure
	Heats   []heat

	Keyness        []keynessFigure
	KeynessClasses []string
	KeynessMeasure string // of all figures, "" if they have several

	Steps *barFigure
	Runs  *table
}

// A pageFrame is what every page has.
type pageFrame struct {
	Policy string
	Style  template.CSS
	Script template.JS
	Parts  []part
}

// A part is a section of the page, if it is there.
type part struct {
	ID, Name string
	there    bool
}

// newPageFrame returns the frame of a page whose policy permits its one style and one script.
func newPageFrame(style, script string, parts ...part) pageFrame {
	policy := fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", policyHash(style), policyHash(script))
	return pageFrame{policy, template.CSS(style), template.JS(script), slices.DeleteFunc(parts, func(p part) bool { return !p.there })}
}

// policyHash returns the hash by which the page's policy permits a style or script.
func policyHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

type legendEntry struct {
	look
	Method       int
	Name, Marker string
}

type plot struct {
	Classifier string
	Metric     metric
	Chart      *chart
	Omitted    string
	Table      *table
}

type overlapFigure struct {
	Chart chart
	Table *table
}

// A barFigure has the same values as bars and as a table.
type barFigure struct {
	Chart barChart
	Table *table
}

type termTable struct {
	Classes, Methods []string
	Cards            []termCard
	ByMethod         bool // a card for each method, of the one class
	Rows             []termRow
	Tokens           bool // a row has occurrences
	Against          bool // a row is
}

// cardTerms is the number of terms of a class on its card.
const cardTerms = 10

// A termCard has the best terms of a class by the first method that has a list of it, or of the one
// class by a method.
type termCard struct {
	ClassNumber   int
	Class, Method string
	Terms         []termRow
}

type termRow struct {
	ClassNumber, MethodNumber  int
	Class, Method, Term, Score string
	Exact                      string
	Rank                       int
	DF, A, B                   cell
	OfClass                    bool // A and B are known
	Against                    bool // the class has less of the term than all documents
	TF, TFAll                  cell
}

type keynessFigure struct {
	Number         int
	Class, Measure string
	barFigure
}

// WriteHTML writes the report as one page that loads nothing. Its curves and tables are
// shown without scripts; the script adds values under the pointer, switches, sorting and
// search. The page's policy lets a browser run that script and no other.
func (r *Report) WriteHTML(w io.Writer) error { return execute(w, "page", r.page()) }

// execute writes what a template makes of data.
func execute(w io.Writer, name string, data any) error {
	t := template.New("").Funcs(template.FuncMap{"name": visible, "text": visibleText})
	var err error
	for _, text := range [][2]string{{"page", pageTemplate}, {"explore", exploreTemplate}, {"charts", chartTemplate}} {
		if err == nil {
			_, err = t.New(text[0]).Parse(text[1])
		}
	}
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	out := bufio.NewWriterSize(w, 1<<16) // templates write a few bytes at a time
	if err := t.ExecuteTemplate(out, name, data); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return out.Flush()
}

// page returns the page of the report.
func (r *Report) page() page {
	p := page{Report: r, Tables: r.textTables(false), LastTables: r.textTables(true), Terms: r.termTable(), Steps: r.stepFigure(), Runs: r.runTable()}
	r.addCurves(&p)
	r.addOverlaps(&p)
	r.addKeyness(&p)
	more := "Tables"
	if p.Tables != nil {
		more = "More tables"
	}
	p.pageFrame = newPageFrame(style, script,
		part{"tables", tablesName(p.Tables, "Tables"), p.Tables != nil},
		part{"curves", "Curves", p.Plots != nil},
		part{"terms", "Top terms", p.Terms != nil},
		part{"overlap", "Overlap", p.Overlap != nil || p.Heats != nil},
		part{"keyness", "Keyness", p.Keyness != nil},
		part{"last", tablesName(p.LastTables, more), p.LastTables != nil},
		part{"timings", "Times", p.Steps != nil || p.Runs != nil})
	return p
}

// tablesName returns what a link calls tables: one by its title, several by a name for them.
func tablesName(tables []*table, several string) string {
	if len(tables) == 1 {
		return tables[0].Caption
	}
	return several
}

// addCurves sets the legend and the plots.
func (r *Report) addCurves(p *page) {
	for i, name := range r.methods() {
		l := light().lookOf(i)
		p.Legend = append(p.Legend, legendEntry{l, i, visible(name), l.marker(17, 7)})
	}
	p.Best = r.bestTable()
	for _, classifier := range r.classifiers() {
		for _, m := range metrics {
			if !r.has(classifier, m) {
				continue
			}
			c, ok := r.chart(classifier, m, light())
			one := plot{Classifier: visible(classifier), Metric: m, Table: r.plotTable(classifier, m, c.Label)}
			if ok {
				one.Chart = &c
			}
			if c.Omitted > 0 {
				one.Omitted = formatPlural(c.Omitted, "point")
			}
			p.Plots = append(p.Plots, one)
		}
	}
}

// has reports whether a point of a classifier has a value of a metric, drawn or not.
func (r *Report) has(classifier string, m metric) bool {
	return slices.ContainsFunc(r.Points, func(p Point) bool {
		v, _ := m.valueOf(p)
		return p.Classifier == classifier && !math.IsNaN(v)
	})
}

// formatPlural returns a number with a noun: "1 point", "2 points".
func formatPlural(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return Count(n) + " " + name + "s"
}

// termTable returns the table of the top terms, nil if there are none.
func (r *Report) termTable() *termTable {
	classes := distinctNames(r.TopTerms, func(l TermList) string { return l.Class })
	methods := distinctNames(r.TopTerms, func(l TermList) string { return l.Method })
	t := &termTable{ByMethod: len(classes) == 1 && (len(methods) > 1 || classes[0] == "")}
	for _, c := range classes {
		t.Classes = append(t.Classes, className(c))
	}
	for _, m := range methods {
		t.Methods = append(t.Methods, visible(m))
	}
	carded := map[int]bool{}
	for _, l := range r.TopTerms {
		c, m := slices.Index(classes, l.Class), slices.Index(methods, l.Method)
		rows := newTermRows(l)
		for i := range rows {
			row := &rows[i]
			row.ClassNumber, row.MethodNumber, row.Method = c, m, t.Methods[m]
			row.Class = t.Classes[c] + row.Class
			t.Tokens = t.Tokens || l.Terms[i].TFAll != 0
			t.Against = t.Against || row.Against
		}
		t.Rows = append(t.Rows, rows...)
		card := c
		if t.ByMethod {
			card = m
		}
		if !carded[card] && len(rows) > 0 {
			carded[card] = true
			t.Cards = append(t.Cards, termCard{c, t.Classes[c], t.Methods[m], rows[:min(len(rows), cardTerms)]})
		}
	}
	if t.Rows == nil {
		return nil
	}
	return t
}

// newTermRows returns the rows of a list, without its method. Their Class is what follows the name of the list's.
func newTermRows(l TermList) (rows []termRow) {
	scores := make([]float64, len(l.Terms))
	for i, term := range l.Terms {
		scores[i] = term.Score
	}
	digits := decimals(scores)
	for i, term := range l.Terms {
		row := termRow{
			Term: visible(term.Term), Score: formatScore(term.Score, digits), Exact: exact(term.Score),
			Rank: i + 1, DF: countCell(term.DF), A: countCell(term.A), B: countCell(term.B),
			OfClass: l.Class != "" || term.Class != "", Against: term.Against, TF: emptyCell(), TFAll: emptyCell(),
		}
		if l.Class == "" && term.Class != "" {
			row.Class = ": " + visible(term.Class)
		}
		if term.TFAll != 0 {
			row.TFAll = tokensCell(term.TFAll)
			if row.OfClass {
				row.TF = tokensCell(term.TF)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// addOverlaps sets the overlaps, as lines or as matrices.
func (r *Report) addOverlaps(p *page) {
	if c, ok := r.overlapChart(); ok {
		p.Overlap = &overlapFigure{c, r.overlapTable(c)}
		return
	}
	for _, o := range r.Overlaps {
		if h := newHeat(o); len(h.Rows) > 0 {
			p.Heats = append(p.Heats, h)
		}
	}
}

// className returns the name of a class as it is shown.
func className(c string) string {
	if c == "" {
		return "(all classes)"
	}
	return visible(c)
}

// addKeyness sets the figures of keyness.
func (r *Report) addKeyness(p *page) {
	classes := distinctNames(r.Keyness, func(k Keyness) string { return k.Class })
	for _, c := range classes {
		p.KeynessClasses = append(p.KeynessClasses, className(c))
	}
	if measures := distinctNames(r.Keyness, func(k Keyness) string { return k.Measure }); len(measures) == 1 {
		p.KeynessMeasure = visible(measures[0])
	}
	for _, k := range r.Keyness {
		i := slices.Index(classes, k.Class)
		f := keynessFigure{Number: i, Class: p.KeynessClasses[i], Measure: visible(k.Measure)}
		f.barFigure = newBars(fmt.Sprintf("Keyness of %s by %s", f.Class, f.Measure), newColumns(1, "term", f.Measure), k.Terms)
		p.Keyness = append(p.Keyness, f)
	}
}

// newBars returns the figure of some bars.
func newBars(caption string, columns []column, bars []Bar) barFigure {
	values := make([]float64, len(bars))
	for i, b := range bars {
		values[i] = b.Value
	}
	digits := decimals(values)
	return newBarFigure(caption, columns, values, func(i int) []cell {
		return []cell{nameCell(bars[i].Term), numberCell(formatScore(values[i], digits), exact(values[i]))}
	})
}

// newBarFigure returns the figure of some values. row returns the cells of a value, which
// begin with its name and the value as shown.
func newBarFigure(caption string, columns []column, values []float64, row func(i int) []cell) barFigure {
	t := &table{Caption: caption, Columns: columns}
	names := make([]string, len(values))
	for i := range values {
		t.Rows = append(t.Rows, row(i))
		names[i] = t.Rows[i][0].Text
	}
	return barFigure{newBarChart(caption, names, values, func(i int) string { return t.Rows[i][1].Text }), t}
}

// stepFigure returns the figure of the steps of the run, nil if there are none.
func (r *Report) stepFigure() *barFigure {
	if len(r.Timings) == 0 {
		return nil
	}
	seconds := make([]float64, len(r.Timings))
	for i, t := range r.Timings {
		seconds[i] = t.Took.Seconds()
	}
	f := newBarFigure("Steps of the run", newColumns(1, "step", "time", "nanoseconds"), seconds, func(i int) []cell {
		took := r.Timings[i].Took
		return []cell{nameCell(r.Timings[i].Step), durationCell(took), numberCell(Count(int(took)), strconv.FormatInt(int64(took), 10))}
	})
	f.Chart.Label = "Times of the steps"
	return &f
}
