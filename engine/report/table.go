package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A table has the numbers of a figure and can be sorted by any column.
type table struct {
	Caption string
	Columns []column
	Rows    [][]cell
	Bare    bool // no heading says the caption once more
}

type column struct {
	Name   string
	Number bool // its cells end where it does
}

// A cell has a text and, for a number, the exact value to sort by.
type cell struct{ Text, Exact string }

func nameCell(name string) cell { return cell{Text: visible(name)} }
func countCell(n int) cell      { return cell{Count(n), strconv.Itoa(n)} }
func durationCell(d time.Duration) cell {
	return cell{formatDuration(d), strconv.FormatInt(int64(d), 10)}
}

// tokensCell returns a cell of a number of occurrences, which is whole unless values are
// real.
func tokensCell(n float64) cell {
	if n >= 0 && n == math.Trunc(n) && n <= math.MaxInt32 {
		return countCell(int(n))
	}
	return cell{formatScore(n, decimals([]float64{n})), exact(n)}
}

// f1Cell returns a cell of an F1, an empty one for NaN.
func f1Cell(v, spread float64) cell {
	if math.IsNaN(v) {
		return emptyCell()
	}
	return cell{withSpread(v, spread), exact(v)}
}
func emptyCell() cell { return cell{"–", "NaN"} }

// newColumns returns columns with these names; those from numberFrom on have numbers.
func newColumns(numberFrom int, names ...string) (c []column) {
	for i, n := range names {
		c = append(c, column{n, i >= numberFrom})
	}
	return c
}

// plotTable returns the table of a plot: a row for each number of terms and a column for
// each method, points that cannot be drawn included. If a method has several points with
// the same number of terms, that number has as many rows.
func (r *Report) plotTable(classifier string, m metric, caption string) *table {
	points := slices.DeleteFunc(slices.Clone(r.Points), func(p Point) bool { return p.Classifier != classifier })
	methods := slices.DeleteFunc(r.methods(), func(name string) bool {
		return !slices.ContainsFunc(points, func(p Point) bool { return p.Method == name })
	})
	t := &table{Caption: caption, Columns: []column{{"terms", true}}}
	for _, name := range methods {
		t.Columns = append(t.Columns, column{visible(name), true})
	}
	slices.SortStableFunc(points, func(a, b Point) int { return cmp.Compare(a.K, b.K) })
	for _, p := range points {
		k, at := countCell(p.K), 1+slices.Index(methods, p.Method)
		row := slices.IndexFunc(t.Rows, func(row []cell) bool { return row[0] == k && row[at] == emptyCell() })
		if row < 0 {
			row = len(t.Rows)
			t.Rows = append(t.Rows, slices.Repeat([]cell{emptyCell()}, len(methods)+1))
			t.Rows[row][0] = k
		}
		t.Rows[row][at] = f1Cell(m.valueOf(p))
	}
	return t
}

// cells returns what the tables of points begin with.
func (p Point) cells() []cell {
	return []cell{nameCell(p.Classifier), nameCell(p.Method), countCell(p.K), f1Cell(p.MicroF1, p.MicroSpread), f1Cell(p.MacroF1, p.MacroSpread)}
}

// bestTable returns the best point of each classifier by micro-F1, of equal ones that with
// the fewest terms, and all methods that are equal in that.
func (r *Report) bestTable() *table {
	t := &table{Caption: "Best micro-F1 of each classifier", Columns: newColumns(2, "classifier", "method", "terms", "micro-F1", "macro-F1")}
	for _, classifier := range r.classifiers() {
		var best Point
		var methods []string
		for _, p := range r.Points {
			if p.Classifier != classifier || !isF1(p.MicroF1) {
				continue
			}
			better := cmp.Or(cmp.Compare(p.MicroF1, best.MicroF1), cmp.Compare(best.K, p.K), cmp.Compare(p.MacroF1, best.MacroF1))
			if methods == nil || better > 0 {
				best, methods = p, nil
			}
			if methods == nil || better == 0 {
				methods = append(methods, visible(p.Method))
			}
		}
		if methods != nil {
			row := best.cells()
			row[1].Text = strings.Join(methods, ", ")
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// runTable returns all points with their times, nil if no time is known.
func (r *Report) runTable() *table {
	if !slices.ContainsFunc(r.Points, func(p Point) bool { return p.Select != 0 || p.Train != 0 || p.Predict != 0 }) {
		return nil
	}
	t := &table{
		Caption: "Times of every point",
		Columns: newColumns(2, "classifier", "method", "terms", "micro-F1", "macro-F1", "select", "train", "predict"),
	}
	for _, p := range r.Points {
		t.Rows = append(t.Rows, append(p.cells(), durationCell(p.Select), durationCell(p.Train), durationCell(p.Predict)))
	}
	return t
}

// share returns the share of the longer list of two methods that both have; ok is false
// if it is not known.
func (o Overlap) share(i, j int) (share float64, ok bool) {
	if i >= len(o.Shared) || j >= len(o.Shared[i]) {
		return 0, false
	}
	all := o.K
	if j < len(o.Shared) && i < len(o.Shared[i]) && j < len(o.Shared[j]) {
		all = max(o.Shared[i][i], o.Shared[j][j])
	}
	if all > 0 {
		share = max(0, min(1, float64(o.Shared[i][j])/float64(all)))
	}
	return share, true
}

func formatShare(share float64) string { return strconv.Itoa(int(math.Round(share*100))) + " %" }

// mostPairs is the largest number of pairs of methods whose overlap is drawn as lines.
const mostPairs = 6

// overlapChart returns the overlap of each pair of methods as a line over K; ok is false if
// a matrix for each K says it better.
func (r *Report) overlapChart() (c *chart, ok bool) {
	if len(r.Overlaps) < 2 {
		return nil, false
	}
	methods := r.Overlaps[0].Methods
	if n := len(methods); n < 2 || n*(n-1)/2 > mostPairs {
		return nil, false
	}
	var names []string
	var of [][]place
	for i := range methods {
		for j := i + 1; j < len(methods); j++ {
			var places []place
			for _, o := range r.Overlaps {
				share, known := o.share(i, j)
				if !known || o.K <= 0 || !slices.Equal(o.Methods, methods) {
					return nil, false
				}
				places = append(places, place{o.K, share, 0, formatShare(share) + ", " + formatPlural(o.Shared[i][j], "term")})
			}
			names, of = append(names, methods[i]+", "+methods[j]), append(of, places)
		}
	}
	return newChart("Share of the best terms that two lists have in common, by number of terms", light, names, of, 0, 1)
}

// table returns the numbers of curves that have the same numbers of terms.
func (c *chart) table() *table {
	t := &table{Caption: c.label, Columns: newColumns(0, append([]string{"terms"}, c.names...)...)}
	for k, first := range c.of[0] {
		row := []cell{countCell(first.k)}
		for _, places := range c.of {
			row = append(row, cell{places[k].text, exact(places[k].v)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// textTables returns the tables of the caller.
func (r *Report) textTables() (all []*table) {
	for _, given := range r.Tables {
		t := &table{Caption: visible(cmp.Or(given.Title, r.Title)), Bare: given.Title == ""}
		for i, head := range given.Head {
			t.Columns = append(t.Columns, column{visibleText(head), !slices.Contains(given.Words, i) || slices.Contains(given.Ends, i)})
		}
		for _, row := range given.Rows {
			var cells []cell
			for i, text := range row {
				c := cell{Text: visibleText(text)}
				if !slices.Contains(given.Words, i) && !slices.Contains(given.Ends, i) {
					c.Exact = exactText(text)
				}
				cells = append(cells, c)
			}
			t.Rows = append(t.Rows, cells)
		}
		all = append(all, t)
	}
	return all
}

// exactText returns the number at the beginning of a text, to sort by, or NaN.
func exactText(text string) string {
	text, _, _ = strings.Cut(strings.ReplaceAll(strings.ReplaceAll(text, ",", ""), "−", "-"), " ")
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return exact(v)
	}
	return "NaN"
}

// cardTerms is the number of terms of a class on its card.
const cardTerms = 10

// writeTerms adds the best terms: cards, and a table of all.
func (r *Report) writeTerms(m *markup) {
	rows, tokens, against := 0, false, false
	for _, l := range r.TopTerms {
		for _, term := range l.Terms {
			rows, tokens, against = rows+1, tokens || term.TFAll != 0, against || term.Against
		}
	}
	if rows == 0 {
		return
	}
	classes := distinctNames(r.TopTerms, func(l TermList) string { return l.Class })
	methods := distinctNames(r.TopTerms, func(l TermList) string { return l.Method })
	var classNames, methodNames []string
	for _, c := range classes {
		classNames = append(classNames, className(c))
	}
	for _, name := range methods {
		methodNames = append(methodNames, visible(name))
	}
	m.add("<h2>Top terms</h2>\n")
	if against {
		m.add("<p class=\"note\">− marks a term that the class has less of than all documents.</p>\n")
	}
	byMethod := len(classes) == 1 && (len(methods) > 1 || classes[0] == "") // a card for each method, of the one class
	if !byMethod {
		m.add("<form class=\"filters needs-script\"><label>Measure <select data-card-method>%s</select></label></form>\n", options(methodNames))
	}
	m.add("<div class=\"cards\">\n")
	carded := map[string]bool{}
	for _, l := range r.TopTerms {
		of := l.Class
		if byMethod {
			of = l.Method
		}
		if !carded[of] && len(l.Terms) > 0 {
			carded[of] = true
			l.writeCard(m, slices.Index(classes, l.Class), byMethod)
		}
	}
	m.add(`</div>
<details class="every"><summary>All %[1]s as a table</summary>
<form class="filters needs-script" role="search">
<label>Class <select data-filter="class"><option value="">all</option>%[2]s</select></label>
<label>Measure <select data-filter="method"><option value="">all</option>%[3]s</select></label>
<label>Term <input type="search" data-filter="text" autocomplete="off" spellcheck="false"></label>
<output data-found>%[1]s of %[1]s</output>
</form>
<div class="scroll tall" tabindex="0" role="region" aria-label="Top terms"><table class="sortable" data-terms>
<caption class="hidden">Best terms of each class by each measure</caption>
<thead><tr><th scope="col">Term</th><th scope="col">Class</th><th scope="col">Measure</th><th scope="col" class="n">Rank</th><th scope="col" class="n">Score</th><th scope="col" class="n" title="documents with the term">df</th><th scope="col" class="n" title="documents with the term in the class">in class</th><th scope="col" class="n" title="documents with the term outside the class">elsewhere</th>%[4]s</tr></thead>
<tbody>`, rows, options(classNames), options(methodNames),
		when(tokens, `<th scope="col" class="n" title="occurrences of the term in the class">tf</th><th scope="col" class="n" title="occurrences of the term in all documents">tf of all</th>`))
	for _, l := range r.TopTerms {
		l.writeRows(m, slices.Index(classes, l.Class), slices.Index(methods, l.Method), tokens)
	}
	m.add("</tbody></table></div></details>\n")
}

// writeCard adds the first terms of a list, whose class has a number, under the name of the class or of the method.
func (l *TermList) writeCard(m *markup, class int, byMethod bool) {
	title, note := className(l.Class), visible(l.Method)
	if byMethod {
		title, note = note, title
	}
	m.add("<article class=\"card\" data-card=\"%s\"><h3><bdi>%s</bdi></h3><p class=\"note\"><bdi>%s</bdi></p>\n<ol>", class, title, note)
	digits := l.decimals()
	for i := range min(len(l.Terms), cardTerms) {
		m.add("<li>%s<span>%s</span></li>", l.Terms[i].name(), formatScore(l.Terms[i].Score, digits))
	}
	m.add("</ol></article>\n")
}

// writeRows adds the rows of a list to the table of all terms, with occurrences if the table has them.
func (l *TermList) writeRows(m *markup, class, method int, tokens bool) {
	digits := l.decimals()
	for i := range l.Terms {
		t := &l.Terms[i]
		name := className(l.Class)
		if l.Class == "" && t.Class != "" {
			name += ": " + visible(t.Class)
		}
		m.add(`<tr data-class="%s" data-method="%s"><th scope="row">%s</th><td><bdi>%s</bdi></td><td><bdi>%s</bdi></td>`, class, method, t.name(), name, visible(l.Method))
		ofClass := l.Class != "" || t.Class != ""
		rank := strconv.Itoa(i + 1)
		cells := []cell{{Text: rank, Exact: rank}, {formatScore(t.Score, digits), exact(t.Score)}, countCell(t.DF), {Exact: "-1"}, {Exact: "-1"}}
		if ofClass {
			cells[3], cells[4] = countCell(t.A), countCell(t.B)
		}
		if tokens {
			tf, all := emptyCell(), emptyCell()
			if t.TFAll != 0 {
				all = tokensCell(t.TFAll)
				if ofClass {
					tf = tokensCell(t.TF)
				}
			}
			cells = append(cells, tf, all)
		}
		for _, c := range cells {
			m.add(`<td class="n" data-v="%s">%s</td>`, c.Exact, c.Text)
		}
		m.add("</tr>\n")
	}
}

// decimals returns the number of decimals with which the scores of a list are shown.
func (l *TermList) decimals() int {
	scores := make([]float64, len(l.Terms))
	for i, term := range l.Terms {
		scores[i] = term.Score
	}
	return decimals(scores)
}

// name returns the term with its sign.
func (t *Term) name() literal {
	return made(func(m *markup) {
		m.add("%s<bdi>%s</bdi>", when(t.Against, `<span title="the class has less of this term than all documents">−</span>`), visible(t.Term))
	})
}

// options returns the options of a choice, whose values are their numbers.
func options(names []string) literal {
	return made(func(m *markup) {
		for i, name := range names {
			m.add(`<option value="%s">%s</option>`, i, name)
		}
	})
}
