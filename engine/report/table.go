package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"
)

// A table stands behind a plot and can be sorted by any column.
type table struct {
	Caption string
	Columns []column
	Rows    [][]cell
}

type column struct {
	Name   string
	Number bool
}

// A cell is a text; one of a number has its value to sort by.
type cell struct {
	Text, Exact string
	Number      bool
}

func word(name string) cell           { return cell{Text: visible(name)} }
func whole(n int) cell                { return cell{count(n), strconv.Itoa(n), true} }
func duration(d time.Duration) cell   { return cell{took(d), strconv.FormatInt(int64(d), 10), true} }
func measured(v, spread float64) cell { return cell{withSpread(v, spread), exact(v), true} }
func missing() cell                   { return cell{"–", "NaN", true} }

func columns(numberFrom int, names ...string) (c []column) {
	for i, n := range names {
		c = append(c, column{n, i >= numberFrom})
	}
	return c
}

// plotTable has a row for each number of terms and a column for each method, with the
// points that have no place in the plot. Where a method has several points of the
// same number, it has as many rows.
func (r *Report) plotTable(classifier string, m Metric, caption string) table {
	methods := r.methods()
	t := table{Caption: caption, Columns: []column{{"terms", true}}}
	used := map[string]bool{}
	for _, p := range r.Points {
		used[p.Method] = used[p.Method] || p.Classifier == classifier
	}
	methods = slices.DeleteFunc(methods, func(name string) bool { return !used[name] })
	for _, name := range methods {
		t.Columns = append(t.Columns, column{visible(name), true})
	}
	type place struct{ k, repeat int }
	type place3 struct {
		k      int
		method string
	}
	rows, repeats := map[place][]cell{}, map[place3]int{}
	for _, p := range r.Points {
		if p.Classifier != classifier {
			continue
		}
		at := place{p.K, repeats[place3{p.K, p.Method}]}
		repeats[place3{p.K, p.Method}]++
		if rows[at] == nil {
			rows[at] = slices.Repeat([]cell{missing()}, len(methods)+1)
			rows[at][0] = whole(p.K)
		}
		rows[at][1+slices.Index(methods, p.Method)] = measured(m.of(p))
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

// bestTable has the best point of each classifier by micro-F1, the one with fewer
// terms among equals.
func (r *Report) bestTable() *table {
	t := &table{Caption: "Best micro-F1 of each classifier", Columns: columns(2, "classifier", "method", "terms", "micro-F1", "macro-F1")}
	for _, classifier := range r.Classifiers() {
		var best *Point
		for i := range r.Points {
			p := &r.Points[i]
			if p.Classifier != classifier || !drawable(p.MicroF1) {
				continue
			}
			if best == nil || p.MicroF1 > best.MicroF1 || p.MicroF1 == best.MicroF1 && p.K < best.K {
				best = p
			}
		}
		if best != nil {
			t.Rows = append(t.Rows, []cell{
				word(classifier), word(best.Method), whole(best.K),
				measured(best.MicroF1, best.MicroSpread), measured(best.MacroF1, best.MacroSpread),
			})
		}
	}
	if t.Rows == nil {
		return nil
	}
	return t
}

// runTable has all points with their times.
func (r *Report) runTable() *table {
	if len(r.Points) == 0 {
		return nil
	}
	t := &table{
		Caption: "Times of every point",
		Columns: columns(2, "classifier", "method", "terms", "micro-F1", "macro-F1", "select", "train", "predict"),
	}
	for _, p := range r.Points {
		t.Rows = append(t.Rows, []cell{
			word(p.Classifier), word(p.Method), whole(p.K),
			measured(p.MicroF1, p.MicroSpread), measured(p.MacroF1, p.MacroSpread),
			duration(p.Select), duration(p.Train), duration(p.Predict),
		})
	}
	return t
}

// A heat is the overlap of the best K terms as a table of coloured cells.
type heat struct {
	K    string
	Rows []heatRow // the columns have the same names
}

type heatRow struct {
	Name, Short string
	Cells       []heatCell
}

type heatCell struct {
	Class         string // h0 to h10: tenths
	Share, Shared string
}

func newHeat(o Overlap) heat {
	h := heat{K: count(o.K)}
	for i, name := range o.Methods {
		row := heatRow{Name: visible(name), Short: fit(visible(name), labelWidth)}
		for j := range o.Methods {
			row.Cells = append(row.Cells, o.cell(i, j))
		}
		h.Rows = append(h.Rows, row)
	}
	return h
}

// cell has the share of the shorter list that both lists have.
func (o Overlap) cell(i, j int) heatCell {
	if i >= len(o.Shared) || j >= len(o.Shared[i]) {
		return heatCell{"none", "–", ""}
	}
	all := o.K
	if j < len(o.Shared) && i < len(o.Shared[i]) && j < len(o.Shared[j]) {
		all = min(o.Shared[i][i], o.Shared[j][j])
	}
	share := 0.0
	if all > 0 {
		share = max(0, min(1, float64(o.Shared[i][j])/float64(all)))
	}
	return heatCell{
		"h" + strconv.Itoa(int(share*10)), strconv.Itoa(int(math.Round(share*100))) + " %", count(o.Shared[i][j]),
	}
}
