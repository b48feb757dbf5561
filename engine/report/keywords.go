package report

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

var (
	//go:embed keywords.html.tmpl
	keywordsTemplate string
	//go:embed keywords.css
	keywordsStyle string
	//go:embed keywords.js
	keywordsScript string
)

// KeyWords compares two corpora: the terms that one has more of than the other.
type KeyWords struct {
	// Title is the heading; "" is "Key words".
	Title string
	Facts []Fact
	// Target and Reference describe the corpora.
	Target, Reference Collection
	// Measure is the name of the measure that ranks the keys, Also those of more measures.
	Measure string
	Also    []string
	// Keys are the positive keys, best first, then the negative ones, best first.
	Keys []KeyWord
	// Points are the terms of the scatter plot besides the keys.
	Points []Frequency
	// Omitted is the number of further terms, which are not in the plot.
	Omitted int
	// Evidence has the documents and lines of keys, and EvidenceNote is a paragraph before them.
	Evidence     []Evidence
	EvidenceNote string
}

// A Collection is one of two corpora.
type Collection struct {
	Name              string
	Documents, Tokens int // 0 documents are not known
	// Words are what rates per million divide by: Tokens, but for n-grams of several lengths,
	// of which they are the shortest.
	Words int
}

// A Frequency is a term with its occurrences in the target and the reference.
type Frequency struct {
	Term              string
	Target, Reference int
}

// A KeyWord is a key. A value that is NaN is shown as undefined.
type KeyWord struct {
	Frequency
	Positive bool
	// Value is that of the measure; Bar is the length of its bar, at least 0.
	Value, Bar float64
	// LL and LogRatio are shown beside the value, and Also are the values of KeyWords.Also.
	LL, LogRatio float64
	Also         []float64
	// Log10P is the logarithm of the p-value.
	Log10P float64
	// TargetRange and ReferenceRange are the numbers of documents with the term, -1 if they are not
	// known. Dispersion is that in the corpus that uses the term more.
	TargetRange, ReferenceRange int
	Dispersion                  float64
}

// A keywordsPage has what keywords.html.tmpl shows.
type keywordsPage struct {
	*KeyWords
	pageFrame
	Sizes   [2]string
	Charts  []keyChart
	Scatter *scatter
	Omitted string
	Tables  []*table
	Places  []evidencePlace
}

// A keyChart has the bars of the best keys of one sign.
type keyChart struct {
	Title string
	barChart
}

// WriteHTML writes the comparison as one page that loads nothing, like [Report.WriteHTML].
func (k *KeyWords) WriteHTML(w io.Writer) error { return execute(w, "keywords", k.page()) }

func (k *KeyWords) page() keywordsPage {
	where := k.where()
	p := keywordsPage{KeyWords: k, Charts: k.charts(where), Scatter: k.scatter(where), Tables: k.tables(where), Places: places(k.Evidence)}
	for i := range p.Places {
		p.Places[i].OnPaper = slices.ContainsFunc(p.Charts, func(c keyChart) bool {
			return slices.ContainsFunc(c.Bars, func(b bar) bool { return b.Link == "#"+p.Places[i].ID })
		})
	}
	for i, c := range []Collection{k.Target, k.Reference} {
		p.Sizes[i] = formatPlural(c.Tokens, "token")
		if c.Documents > 0 {
			p.Sizes[i] = formatPlural(c.Documents, "document") + ", " + p.Sizes[i]
		}
	}
	if k.Omitted > 0 {
		p.Omitted = formatPlural(k.Omitted, "further term")
	}
	p.pageFrame = newPageFrame(style+keywordsStyle, script+keywordsScript,
		part{"keys", "Keys", len(p.Charts) > 0},
		part{"scatter", "Scatter", p.Scatter != nil},
		part{"table", "Table", len(p.Tables) > 0},
		part{"evidence", "Context", len(k.Evidence) > 0})
	return p
}

// where returns the links to the evidence of terms.
func (k *KeyWords) where() map[string]string {
	links := map[string]string{}
	for i, e := range k.Evidence {
		links[e.Term] = "#" + evidenceID(i)
	}
	return links
}

// mostBars is the number of keys of either sign with a bar.
const mostBars = 20

// charts returns the bars of the best keys of either sign, which have one scale.
func (k *KeyWords) charts(where map[string]string) (charts []keyChart) {
	longest := 0.0
	for _, key := range k.Keys {
		if !math.IsInf(key.Bar, 0) && key.Bar > longest {
			longest = key.Bar
		}
	}
	for _, positive := range []bool{true, false} {
		var names, shown, links []string
		var lengths []float64
		for _, key := range k.Keys {
			if key.Positive == positive && len(names) < mostBars {
				names, shown, links = append(names, visible(key.Term)), append(shown, formatValue(key.Value)), append(links, where[key.Term])
				lengths = append(lengths, max(0, key.Bar))
			}
		}
		if names == nil {
			continue
		}
		title := k.title(positive)
		c := keyChart{title, newBarChart(title, names, lengths, longest, func(i int) string { return shown[i] })}
		for i := range c.Bars {
			if c.Bars[i].Link = links[i]; !positive {
				c.Bars[i].Class = "less"
			}
		}
		charts = append(charts, c)
	}
	return charts
}

// title says what keys of a sign are.
func (k *KeyWords) title(positive bool) string {
	more, less, name := visible(k.Target.Name), visible(k.Reference.Name), "Positive keys"
	if !positive {
		more, less, name = less, more, "Negative keys"
	}
	return fmt.Sprintf("%s: more frequent in %s than in %s", name, more, less)
}

// A keyColumn is a column of the tables of keys, after the terms.
type keyColumn struct {
	name string
	cell func(key *KeyWord) cell
}

// columns returns the columns of the tables, without one that the measure has already.
func (k *KeyWords) columns() []keyColumn {
	columns := []keyColumn{{visible(k.Measure), func(key *KeyWord) cell { return scoreCell(key.Value) }}}
	if k.Measure != "ll" {
		columns = append(columns, keyColumn{"ll", func(key *KeyWord) cell { return scoreCell(key.LL) }})
	}
	if k.Measure != "logratio" {
		columns = append(columns, keyColumn{"log ratio", func(key *KeyWord) cell { return scoreCell(key.LogRatio) }})
	}
	for i, name := range k.Also {
		columns = append(columns, keyColumn{visible(name), func(key *KeyWord) cell { return scoreCell(key.Also[i]) }})
	}
	return append(columns,
		keyColumn{"p", func(key *KeyWord) cell { return numberCell(formatProbability(key.Log10P), exact(key.Log10P)) }},
		keyColumn{"in A", func(key *KeyWord) cell { return countCell(key.Target) }},
		keyColumn{"in B", func(key *KeyWord) cell { return countCell(key.Reference) }},
		keyColumn{"A per million", func(key *KeyWord) cell { return rateCell(perMillion(key.Target, k.Target.Words)) }},
		keyColumn{"B per million", func(key *KeyWord) cell { return rateCell(perMillion(key.Reference, k.Reference.Words)) }},
		keyColumn{"range A", func(key *KeyWord) cell { return rangeCell(key.TargetRange) }},
		keyColumn{"range B", func(key *KeyWord) cell { return rangeCell(key.ReferenceRange) }},
		keyColumn{"DPnorm", func(key *KeyWord) cell { return scoreCell(key.Dispersion) }})
}

// tables returns the tables of the positive and the negative keys.
func (k *KeyWords) tables(where map[string]string) (tables []*table) {
	columns := k.columns()
	for _, positive := range []bool{true, false} {
		t := &table{Caption: k.title(positive), Columns: []column{{Name: "term"}}}
		for _, c := range columns {
			t.Columns = append(t.Columns, column{c.name, true})
		}
		for _, key := range k.Keys {
			if key.Positive != positive {
				continue
			}
			row := []cell{{Text: visible(key.Term), Link: where[key.Term]}}
			for _, c := range columns {
				row = append(row, c.cell(&key))
			}
			t.Rows = append(t.Rows, row)
		}
		if t.Rows != nil {
			tables = append(tables, t)
		}
	}
	return tables
}

// scoreCell returns a cell with a value that may be undefined.
func scoreCell(v float64) cell {
	if math.IsNaN(v) {
		return emptyCell()
	}
	return numberCell(formatValue(v), exact(v))
}

// rangeCell returns a cell with a number of documents that may be unknown.
func rangeCell(n int) cell {
	if n < 0 {
		return emptyCell()
	}
	return countCell(n)
}

// formatValue is formatScore with four digits, or a whole number.
func formatValue(v float64) string { return formatScore(v, decimals([]float64{v})) }

func rateCell(v float64) cell { return numberCell(formatRate(v), exact(v)) }

// formatRate formats occurrences per million.
func formatRate(v float64) string {
	if v >= 100 {
		return Count(int(math.Round(v)))
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

func perMillion(n, words int) float64 { return 1e6 * float64(n) / float64(max(1, words)) }

// formatProbability formats a probability given by its log10, which may be too small for a
// float64.
func formatProbability(log10 float64) string {
	if math.IsNaN(log10) {
		return "–"
	}
	if log10 > -300 {
		return strings.ReplaceAll(strconv.FormatFloat(math.Pow(10, log10), 'g', 2, 64), "-", "−")
	}
	return fmt.Sprintf("10^−%.0f", math.Floor(-log10))
}
