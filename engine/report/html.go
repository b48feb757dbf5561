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

// A page is what page.html.tmpl shows: texts and places, all escaped by html/template.
type page struct {
	Title  string
	Policy string
	Style  template.CSS
	Script template.JS
	Facts  []Fact
	Parts  []part

	Best   *table
	Legend []legendEntry
	Plots  []plot

	Terms *termTable
	Heats []heat

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

type termTable struct {
	Classes, Methods []string
	Rows             []termRow
}

type termRow struct {
	ClassNumber, MethodNumber  int
	Class, Method, Term, Score string
	Exact                      string
	Rank, DF, A, B             int
	OfClass                    bool // A and B are there
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

// WriteHTML writes the report as one page that loads nothing. Its curves can be seen
// and its tables read without scripts; the script adds values under the pointer,
// switches, sorting and search. The page's policy lets a browser run that script and
// no other.
func (r *Report) WriteHTML(w io.Writer) error {
	t, err := template.New("page").Parse(pageTemplate)
	if err == nil {
		t, err = t.Parse(chartTemplate)
	}
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	out := bufio.NewWriterSize(w, 1<<16) // templates write piece by piece
	if err := t.Execute(out, r.page()); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return out.Flush()
}

func (r *Report) page() page {
	p := page{
		Title: "Feature selection", Style: template.CSS(style), Script: template.JS(script),
		Policy: fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", digest(style), digest(script)),
	}
	if r.Title != "" {
		p.Title = visible(r.Title)
	}
	for _, f := range r.Facts {
		p.Facts = append(p.Facts, Fact{visible(f.Name), visible(f.Value)})
	}
	r.addCurves(&p)
	p.Terms = r.termTable()
	for _, o := range r.Overlaps {
		p.Heats = append(p.Heats, newHeat(o))
	}
	r.addKeyness(&p)
	p.Steps, p.Runs = r.steps(), r.runTable()
	p.addParts()
	return p
}

// digest names a style or script in the page's policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func (p *page) addParts() {
	for _, of := range []struct {
		part
		there bool
	}{
		{part{"curves", "Curves"}, p.Plots != nil},
		{part{"terms", "Top terms"}, p.Terms != nil},
		{part{"overlap", "Overlap"}, p.Heats != nil},
		{part{"keyness", "Keyness"}, p.Keyness != nil},
		{part{"timings", "Times"}, p.Steps != nil || p.Runs != nil},
	} {
		if of.there {
			p.Parts = append(p.Parts, of.part)
		}
	}
}

func (r *Report) addCurves(p *page) {
	for i, name := range r.methods() {
		l := lookOf(i)
		p.Legend = append(p.Legend, legendEntry{l, i, visible(name), l.marker(17, 7)})
	}
	p.Best = r.bestTable()
	for _, classifier := range r.Classifiers() {
		for _, m := range metrics() {
			c, ok := r.chart(classifier, m)
			one := plot{Classifier: visible(classifier), Metric: string(m), Table: r.plotTable(classifier, m, c.Label)}
			if ok {
				one.Chart = &c
			}
			if c.Omitted > 0 {
				one.Omitted = plural(c.Omitted, "point")
			}
			p.Plots = append(p.Plots, one)
		}
	}
}

func plural(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return count(n) + " " + name + "s"
}

func (r *Report) termTable() *termTable {
	classes := names(r.TopTerms, func(l TermList) string { return l.Class })
	methods := names(r.TopTerms, func(l TermList) string { return l.Method })
	t := &termTable{}
	for _, c := range classes {
		t.Classes = append(t.Classes, className(c))
	}
	for _, m := range methods {
		t.Methods = append(t.Methods, visible(m))
	}
	for _, l := range r.TopTerms {
		c, m := slices.Index(classes, l.Class), slices.Index(methods, l.Method)
		for i, term := range l.Terms {
			t.Rows = append(t.Rows, termRow{
				c, m, t.Classes[c], t.Methods[m], visible(term.Term), number(term.Score), exact(term.Score),
				i + 1, term.DF, term.A, term.B, l.Class != "",
			})
		}
	}
	if t.Rows == nil {
		return nil
	}
	return t
}

func className(c string) string {
	if c == "" {
		return "(all classes)"
	}
	return visible(c)
}

func (r *Report) addKeyness(p *page) {
	classes := names(r.Keyness, func(k Keyness) string { return k.Class })
	for _, c := range classes {
		p.KeynessClasses = append(p.KeynessClasses, className(c))
	}
	for _, k := range r.Keyness {
		i := slices.Index(classes, k.Class)
		f := keynessFigure{Number: i, Class: p.KeynessClasses[i], Measure: visible(k.Measure)}
		caption := fmt.Sprintf("Keyness of %s by %s", f.Class, f.Measure)
		f.Table = table{Caption: caption, Columns: columns(1, "term", f.Measure)}
		terms, values := make([]string, len(k.Terms)), make([]float64, len(k.Terms))
		for i, b := range k.Terms {
			terms[i], values[i] = visible(b.Term), b.Value
			f.Table.Rows = append(f.Table.Rows, []cell{word(b.Term), {number(b.Value), exact(b.Value), true}})
		}
		f.Chart = newBarChart(caption, terms, values, func(i int) string { return number(values[i]) })
		p.Keyness = append(p.Keyness, f)
	}
}

func (r *Report) steps() *stepFigure {
	if len(r.Timings) == 0 {
		return nil
	}
	f := &stepFigure{Table: table{Caption: "Steps of the run", Columns: columns(1, "step", "time", "nanoseconds")}}
	steps, seconds := make([]string, len(r.Timings)), make([]float64, len(r.Timings))
	for i, t := range r.Timings {
		steps[i], seconds[i] = visible(t.Step), t.Took.Seconds()
		f.Table.Rows = append(f.Table.Rows, []cell{word(t.Step), duration(t.Took), {strconv.FormatInt(int64(t.Took), 10), strconv.FormatInt(int64(t.Took), 10), true}})
	}
	f.Chart = newBarChart("Times of the steps", steps, seconds, func(i int) string { return took(r.Timings[i].Took) })
	return f
}
