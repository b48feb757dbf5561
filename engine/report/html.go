package report

import (
	"bufio"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"

	"github.com/termsift/termsift/engine/report/display"
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
	Title  string
	Policy string
	Style  template.CSS
	Script template.JS
	Facts  []Fact
	Parts  []part

	Headline, Command string
	Findings          []string
	Tables            []textTable

	Best   *table
	Legend []legendEntry
	Plots  []plot

	Terms   *termTable
	Overlap *overlapFigure
	Heats   []heat

	Keyness        []keynessFigure
	KeynessClasses []string

	Steps *stepFigure
	Runs  *table
}

// A part is a section of the page.
type part struct {
	ID, Name string
}

type legendEntry struct {
	look
	Method       int
	Name, Marker string
}

type plot struct {
	Classifier, Metric string
	Chart              *chart
	Omitted            string
	Table              table
}

type overlapFigure struct {
	Chart chart
	Table table
}

type termTable struct {
	Classes, Methods []string
	Cards            []termCard
	Rows             []termRow
	Tokens           bool // a row has occurrences
}

// cardTerms is the number of terms of a class on its card.
const cardTerms = 10

// A termCard has the best terms of a class by the first method that has a list of it.
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
	Chart          barChart
	Table          table
}

type stepFigure struct {
	Chart barChart
	Table table
}

// WriteHTML writes the report as one page that loads nothing. Its curves and tables are
// shown without scripts; the script adds values under the pointer, switches, sorting and
// search. The page's policy lets a browser run that script and no other.
func (r *Report) WriteHTML(w io.Writer) error {
	t, err := template.New("page").Parse(pageTemplate)
	if err == nil {
		t, err = t.Parse(chartTemplate)
	}
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	out := bufio.NewWriterSize(w, 1<<16) // templates write a few bytes at a time
	if err := t.Execute(out, r.page()); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return out.Flush()
}

// page returns the page of the report.
func (r *Report) page() page {
	p := page{
		Title: "Feature selection", Style: template.CSS(style), Script: template.JS(script),
		Policy: policy(style, script),
	}
	if r.Title != "" {
		p.Title = display.Name(r.Title)
	}
	for _, f := range r.Facts {
		p.Facts = append(p.Facts, Fact{display.Name(f.Name), display.Text(f.Value)})
	}
	p.Headline, p.Command, p.Tables = display.Text(r.Headline), display.Text(r.Command), r.textTables()
	for _, f := range r.Findings {
		p.Findings = append(p.Findings, display.Text(f))
	}
	r.addCurves(&p)
	p.Terms = r.termTable()
	r.addOverlaps(&p)
	r.addKeyness(&p)
	p.Steps, p.Runs = r.stepFigure(), r.runTable()
	p.addParts()
	return p
}

// policy returns the policy of a page, which permits its one style and one script.
func policy(style, script string) string {
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", policyHash(style), policyHash(script))
}

// policyHash returns the hash by which the page's policy permits a style or script.
func policyHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// addParts sets the list of the sections that the page has.
func (p *page) addParts() {
	for _, of := range []struct {
		part
		there bool
	}{
		{part{"tables", "Tables"}, p.Tables != nil},
		{part{"curves", "Curves"}, p.Plots != nil},
		{part{"terms", "Top terms"}, p.Terms != nil},
		{part{"overlap", "Overlap"}, p.Overlap != nil || p.Heats != nil},
		{part{"keyness", "Keyness"}, p.Keyness != nil},
		{part{"timings", "Times"}, p.Steps != nil || p.Runs != nil},
	} {
		if of.there {
			p.Parts = append(p.Parts, of.part)
		}
	}
}

// addCurves sets the legend and the plots.
func (r *Report) addCurves(p *page) {
	for i, name := range r.methods() {
		l := light().lookOf(i)
		p.Legend = append(p.Legend, legendEntry{l, i, display.Name(name), l.marker(17, 7)})
	}
	p.Best = r.bestTable()
	for _, classifier := range r.Classifiers() {
		for _, m := range allMetrics() {
			c, ok := r.chart(classifier, m, light())
			one := plot{Classifier: display.Name(classifier), Metric: string(m), Table: r.plotTable(classifier, m, c.Label)}
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

// formatPlural returns a number with a noun: "1 point", "2 points".
func formatPlural(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return display.Count(n) + " " + name + "s"
}

// termTable returns the table of the top terms, nil if there are none.
func (r *Report) termTable() *termTable {
	classes := distinctNames(r.TopTerms, func(l TermList) string { return l.Class })
	methods := distinctNames(r.TopTerms, func(l TermList) string { return l.Method })
	t := &termTable{}
	for _, c := range classes {
		t.Classes = append(t.Classes, className(c))
	}
	for _, m := range methods {
		t.Methods = append(t.Methods, display.Name(m))
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
		}
		t.Rows = append(t.Rows, rows...)
		if !carded[c] && len(rows) > 0 {
			carded[c] = true
			t.Cards = append(t.Cards, termCard{c, t.Classes[c], t.Methods[m], rows[:min(len(rows), cardTerms)]})
		}
	}
	if t.Rows == nil {
		return nil
	}
	return t
}

// newTermRows returns the rows of a list, without its method. Their Class is what follows
// the name of the list's.
func newTermRows(l TermList) (rows []termRow) {
	scores := make([]float64, len(l.Terms))
	for i, term := range l.Terms {
		scores[i] = term.Score
	}
	decimals := display.Decimals(scores)
	for i, term := range l.Terms {
		row := termRow{
			Term: display.Name(term.Term), Score: display.Score(term.Score, decimals), Exact: display.Exact(term.Score),
			Rank: i + 1, DF: countCell(term.DF), A: countCell(term.A), B: countCell(term.B),
			OfClass: l.Class != "" || term.Class != "", Against: term.Against, TF: emptyCell(), TFAll: emptyCell(),
		}
		if l.Class == "" && term.Class != "" {
			row.Class = ": " + display.Name(term.Class)
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
	return display.Name(c)
}

// addKeyness sets the figures of keyness.
func (r *Report) addKeyness(p *page) {
	classes := distinctNames(r.Keyness, func(k Keyness) string { return k.Class })
	for _, c := range classes {
		p.KeynessClasses = append(p.KeynessClasses, className(c))
	}
	for _, k := range r.Keyness {
		i := slices.Index(classes, k.Class)
		f := keynessFigure{Number: i, Class: p.KeynessClasses[i], Measure: display.Name(k.Measure)}
		caption := fmt.Sprintf("Keyness of %s by %s", f.Class, f.Measure)
		f.Table = table{Caption: caption, Columns: newColumns(1, "term", f.Measure)}
		terms, values := make([]string, len(k.Terms)), make([]float64, len(k.Terms))
		for i, b := range k.Terms {
			terms[i], values[i] = display.Name(b.Term), b.Value
		}
		decimals := display.Decimals(values)
		for _, b := range k.Terms {
			f.Table.Rows = append(f.Table.Rows, []cell{nameCell(b.Term), {display.Score(b.Value, decimals), display.Exact(b.Value), true}})
		}
		f.Chart = newBarChart(caption, terms, values, func(i int) string { return display.Score(values[i], decimals) })
		p.Keyness = append(p.Keyness, f)
	}
}

// stepFigure returns the figure of the steps of the run, nil if there are none.
func (r *Report) stepFigure() *stepFigure {
	if len(r.Timings) == 0 {
		return nil
	}
	f := &stepFigure{Table: table{Caption: "Steps of the run", Columns: newColumns(1, "step", "time", "nanoseconds")}}
	steps, seconds := make([]string, len(r.Timings)), make([]float64, len(r.Timings))
	for i, t := range r.Timings {
		steps[i], seconds[i] = display.Name(t.Step), t.Took.Seconds()
		f.Table.Rows = append(f.Table.Rows, []cell{nameCell(t.Step), durationCell(t.Took), {display.Count(int(t.Took)), strconv.FormatInt(int64(t.Took), 10), true}})
	}
	f.Chart = newBarChart("Times of the steps", steps, seconds, func(i int) string { return display.Duration(r.Timings[i].Took) })
	return f
}
