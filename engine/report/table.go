package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/termsift/termsift/engine/report/display"
)

// A table has the numbers of a figure and can be sorted by any column.
type table struct {
	Caption string
	Columns []column
	Rows    [][]cell
}

type column struct {
	Name   string
	Number bool
}

// A cell has a text and, for a number, the exact value to sort by.
type cell struct {
	Text, Exact string
	Number      bool
}

func nameCell(name string) cell { return cell{Text: display.Name(name)} }
func countCell(n int) cell      { return cell{display.Count(n), strconv.Itoa(n), true} }
func durationCell(d time.Duration) cell {
	return cell{display.Duration(d), strconv.FormatInt(int64(d), 10), true}
}

// tokensCell returns a cell of a number of occurrences, which is whole unless values are
// real.
func tokensCell(n float64) cell {
	if n >= 0 && n == math.Trunc(n) && n <= math.MaxInt32 {
		return countCell(int(n))
	}
	return cell{formatValue(n), display.Exact(n), true}
}

func f1Cell(v, spread float64) cell {
	return cell{display.WithSpread(v, spread), display.Exact(v), true}
}
func emptyCell() cell { return cell{"–", "NaN", true} }

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
func (r *Report) plotTable(classifier string, m Metric, caption string) table {
	methods := r.methods()
	t := table{Caption: caption, Columns: []column{{"terms", true}}}
	used := map[string]bool{}
	for _, p := range r.Points {
		used[p.Method] = used[p.Method] || p.Classifier == classifier
	}
	methods = slices.DeleteFunc(methods, func(name string) bool { return !used[name] })
	for _, name := range methods {
		t.Columns = append(t.Columns, column{display.Name(name), true})
	}
	type place struct{ k, repeat int }
	type repeatKey struct {
		k      int
		method string
	}
	rows, repeats := map[place][]cell{}, map[repeatKey]int{}
	for _, p := range r.Points {
		if p.Classifier != classifier {
			continue
		}
		at := place{p.K, repeats[repeatKey{p.K, p.Method}]}
		repeats[repeatKey{p.K, p.Method}]++
		if rows[at] == nil {
			rows[at] = slices.Repeat([]cell{emptyCell()}, len(methods)+1)
			rows[at][0] = countCell(p.K)
		}
		rows[at][1+slices.Index(methods, p.Method)] = f1Cell(m.valueOf(p))
	}
	places := make([]place, 0, len(rows))
	for at := range rows {
		places = append(places, at)
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.k, b.k), cmp.Compare(a.repeat, b.repeat))
	})
	for _, at := range places {
		t.Rows = append(t.Rows, rows[at])
	}
	return t
}

// bestTable returns the best point of each classifier by micro-F1, of equal ones that with
// the fewest terms; nil if there is none.
func (r *Report) bestTable() *table {
	t := &table{Caption: "Best micro-F1 of each classifier", Columns: newColumns(2, "classifier", "method", "terms", "micro-F1", "macro-F1")}
	for _, classifier := range r.Classifiers() {
		var best *Point
		for i := range r.Points {
			p := &r.Points[i]
			if p.Classifier != classifier || !display.IsF1(p.MicroF1) {
				continue
			}
			if best == nil || p.MicroF1 > best.MicroF1 || p.MicroF1 == best.MicroF1 && p.K < best.K {
				best = p
			}
		}
		if best != nil {
			t.Rows = append(t.Rows, []cell{
				nameCell(classifier), nameCell(best.Method), countCell(best.K),
				f1Cell(best.MicroF1, best.MicroSpread), f1Cell(best.MacroF1, best.MacroSpread),
			})
		}
	}
	if t.Rows == nil {
		return nil
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
		t.Rows = append(t.Rows, []cell{
			nameCell(p.Classifier), nameCell(p.Method), countCell(p.K),
			f1Cell(p.MicroF1, p.MicroSpread), f1Cell(p.MacroF1, p.MacroSpread),
			durationCell(p.Select), durationCell(p.Train), durationCell(p.Predict),
		})
	}
	return t
}

// A heat is the half of the matrix of an Overlap that is above its diagonal: a row for
// each method but the last, a column for each but the first.
type heat struct {
	K       string
	Columns []heatName
	Rows    []heatRow
}

type heatName struct{ Name, Short string }

type heatRow struct {
	heatName
	Cells []heatCell // with empty ones below the diagonal
}

type heatCell struct {
	Class         string // h0 to h10, by tenths of Share; "" below the diagonal
	Share, Shared string
}

// newHeat returns the heat map of o.
func newHeat(o Overlap) heat {
	h := heat{K: formatPlural(o.K, "term")}
	for i, method := range o.Methods {
		name := heatName{display.Name(method), display.Fit(display.Name(method), labelWidth)}
		if i > 0 {
			h.Columns = append(h.Columns, name)
		}
		if i == len(o.Methods)-1 {
			break
		}
		row := heatRow{heatName: name}
		for j := 1; j < len(o.Methods); j++ {
			c := heatCell{}
			if j > i {
				c = o.cell(i, j)
			}
			row.Cells = append(row.Cells, c)
		}
		h.Rows = append(h.Rows, row)
	}
	return h
}

// cell returns the cell of methods i and j.
func (o Overlap) cell(i, j int) heatCell {
	share, ok := o.share(i, j)
	if !ok {
		return heatCell{"none", "–", ""}
	}
	return heatCell{
		"h" + strconv.Itoa(int(share*10)), formatShare(share), display.Count(o.Shared[i][j]),
	}
}

// share returns the share of the shorter list of two methods that both have; ok is false
// if it is not known.
func (o Overlap) share(i, j int) (share float64, ok bool) {
	if i >= len(o.Shared) || j >= len(o.Shared[i]) {
		return 0, false
	}
	all := o.K
	if j < len(o.Shared) && i < len(o.Shared[i]) && j < len(o.Shared[j]) {
		all = min(o.Shared[i][i], o.Shared[j][j])
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
func (r *Report) overlapChart() (c chart, ok bool) {
	if len(r.Overlaps) < 2 {
		return c, false
	}
	methods := r.Overlaps[0].Methods
	if n := len(methods); n < 2 || n*(n-1)/2 > mostPairs {
		return c, false
	}
	var names []string
	var of [][]place
	for i := range methods {
		for j := i + 1; j < len(methods); j++ {
			var places []place
			for _, o := range r.Overlaps {
				share, known := o.share(i, j)
				if !known || o.K <= 0 || !slices.Equal(o.Methods, methods) {
					return c, false
				}
				places = append(places, place{o.K, share, 0, formatShare(share) + ", " + formatPlural(o.Shared[i][j], "term")})
			}
			names, of = append(names, methods[i]+", "+methods[j]), append(of, places)
		}
	}
	c = chart{theme: light(), Label: "Share of the best terms that two measures have in common, by number of terms"}
	return c, c.draw(names, of, 0, 1)
}

// overlapTable returns the numbers of overlapChart.
func (r *Report) overlapTable(c chart) table {
	t := table{Caption: c.Label, Columns: []column{{"terms", true}}}
	for _, curve := range c.Curves {
		t.Columns = append(t.Columns, column{curve.Name, true})
	}
	for i := range c.Curves[0].Points {
		row := []cell{{c.Curves[0].Points[i].K, strings.ReplaceAll(c.Curves[0].Points[i].K, ",", ""), true}}
		for _, curve := range c.Curves {
			row = append(row, cell{curve.Points[i].Value, curve.Points[i].Exact, true})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// A textTable is a Table as it is shown.
type textTable struct {
	Title string
	Notes []string
	Table table
}

// textTables returns the tables of the caller.
func (r *Report) textTables() (all []textTable) {
	for _, given := range r.Tables {
		t := textTable{Title: display.Name(given.Title), Table: table{Caption: display.Name(given.Title)}}
		for _, note := range given.Notes {
			t.Notes = append(t.Notes, display.Text(note))
		}
		for i, head := range given.Head {
			t.Table.Columns = append(t.Table.Columns, column{display.Text(head), i >= given.Text})
		}
		for _, row := range given.Rows {
			var cells []cell
			for i, text := range row {
				c := cell{Text: display.Text(text), Number: i >= given.Text}
				if c.Number {
					c.Exact = exactText(text)
				}
				cells = append(cells, c)
			}
			t.Table.Rows = append(t.Table.Rows, cells)
		}
		all = append(all, t)
	}
	return all
}

// exactText returns the number at the beginning of a text, to sort by, or NaN.
func exactText(text string) string {
	text, _, _ = strings.Cut(strings.ReplaceAll(strings.ReplaceAll(text, ",", ""), "−", "-"), " ")
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		return display.Exact(v)
	}
	return "NaN"
}
