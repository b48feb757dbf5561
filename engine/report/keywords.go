package report

import (
	"bufio"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/termsift/termsift/engine/report/display"
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
	// Measure is the name of the measure that ranks the keys.
	Measure string
	// Keys are the positive keys, best first, then the negative ones, best first.
	Keys []KeyWord
	// Points are the terms of the scatter plot besides the keys.
	Points []Frequency
	// Omitted is the number of further terms, which are not in the plot.
	Omitted int
	// Evidence has the documents and lines of some keys.
	Evidence []Evidence
}

// A Collection is one of two corpora.
type Collection struct {
	Name              string
	Documents, Tokens int
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
	// LL and LogRatio are shown beside the value.
	LL, LogRatio float64
	// Log10P is the logarithm of the p-value.
	Log10P float64
	// TargetRange and ReferenceRange are the numbers of documents with the term, Dispersion
	// is that in the corpus that uses the term more.
	TargetRange, ReferenceRange int
	Dispersion                  float64
}

// Evidence shows where a term occurs.
type Evidence struct {
	Term string
	// Documents are those with the most occurrences.
	Documents []EvidenceDocument
	// Lines are occurrences in their context.
	Lines []ContextLine
}

// An EvidenceDocument is a document with a term. Side is the name of its corpus.
type EvidenceDocument struct {
	Side, ID, Labels string
	TF, Length       int
}

// A ContextLine is an occurrence of a term in a text.
type ContextLine struct {
	Side, ID, Left, Match, Right string
}

// A keywordsPage has what keywords.html.tmpl shows.
type keywordsPage struct {
	Title, Policy     string
	Style             template.CSS
	Script            template.JS
	Facts             []Fact
	Target, Reference Collection
	Documents         [2]string
	Tokens            [2]string
	Measure           string
	Chart             barChart
	Scatter           *scatter
	Omitted           string
	Tables            []keyTable
	Evidence          []evidenceFigure
	Parts             []part
}

// A keyTable lists the keys of one sign.
type keyTable struct {
	Name  string
	Table table
}

// An evidenceFigure is the evidence of a term as shown.
type evidenceFigure struct {
	Term      string
	Documents table
	Lines     []ContextLine
}

// WriteHTML writes the comparison as one page that loads nothing, like [Report.WriteHTML].
func (k *KeyWords) WriteHTML(w io.Writer) error {
	t, err := template.New("keywords").Parse(keywordsTemplate)
	for name, text := range map[string]string{"page": pageTemplate, "chart": chartTemplate} { // they define tables and bars
		if err == nil {
			_, err = t.New("in " + name).Parse(text)
		}
	}
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	if err := t.Execute(out, k.page()); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return out.Flush()
}

func (k *KeyWords) page() keywordsPage {
	style, script := style+keywordsStyle, script+keywordsScript
	p := keywordsPage{
		Title: "Key words", Policy: policy(style, script), Style: template.CSS(style), Script: template.JS(script),
		Target: k.Target.visible(), Reference: k.Reference.visible(), Measure: display.Name(k.Measure),
	}
	if k.Title != "" {
		p.Title = display.Name(k.Title)
	}
	for i, c := range []Collection{k.Target, k.Reference} {
		p.Documents[i], p.Tokens[i] = formatPlural(c.Documents, "document"), formatPlural(c.Tokens, "token")
	}
	for _, f := range k.Facts {
		p.Facts = append(p.Facts, Fact{display.Name(f.Name), display.Name(f.Value)})
	}
	p.Chart = k.chart()
	p.Scatter = k.scatter()
	if k.Omitted > 0 {
		p.Omitted = formatPlural(k.Omitted, "further term")
	}
	p.Tables = k.tables()
	for _, e := range k.Evidence {
		p.Evidence = append(p.Evidence, e.figure())
	}
	p.addParts()
	return p
}

// visible returns the collection with a name that can be seen.
func (c Collection) visible() Collection {
	c.Name = display.Name(c.Name)
	return c
}

func (p *keywordsPage) addParts() {
	if len(p.Chart.Bars) > 0 {
		p.Parts = append(p.Parts, part{"keys", "Keys"})
	}
	if p.Scatter != nil {
		p.Parts = append(p.Parts, part{"scatter", "Scatter"})
	}
	if len(p.Tables) > 0 {
		p.Parts = append(p.Parts, part{"table", "Table"})
	}
	if len(p.Evidence) > 0 {
		p.Parts = append(p.Parts, part{"evidence", "Evidence"})
	}
}

// mostBars is the number of keys of either sign with a bar.
const mostBars = 20

// chart returns the bars of the best keys of either sign.
func (k *KeyWords) chart() barChart {
	var names, shown []string
	var lengths []float64
	count := map[bool]int{}
	for _, key := range k.Keys {
		if count[key.Positive]++; count[key.Positive] > mostBars {
			continue
		}
		length := max(0, key.Bar)
		if !key.Positive {
			length = -length
		}
		names, shown, lengths = append(names, display.Name(key.Term)), append(shown, formatValue(key.Value)), append(lengths, length)
	}
	return newBarChart("Key words by "+display.Name(k.Measure), names, lengths, func(i int) string { return shown[i] })
}

// A keyColumn is a column of the tables of keys, after the terms.
type keyColumn struct {
	name string
	cell func(key *KeyWord) cell
}

// columns returns the columns of the tables, without one that the measure has already.
func (k *KeyWords) columns() []keyColumn {
	columns := []keyColumn{{display.Name(k.Measure), func(key *KeyWord) cell { return scoreCell(key.Value) }}}
	if k.Measure != "ll" {
		columns = append(columns, keyColumn{"ll", func(key *KeyWord) cell { return scoreCell(key.LL) }})
	}
	if k.Measure != "logratio" {
		columns = append(columns, keyColumn{"log ratio", func(key *KeyWord) cell { return scoreCell(key.LogRatio) }})
	}
	return append(columns,
		keyColumn{"p", func(key *KeyWord) cell { return cell{formatProbability(key.Log10P), display.Exact(key.Log10P), true} }},
		keyColumn{"in A", func(key *KeyWord) cell { return countCell(key.Target) }},
		keyColumn{"in B", func(key *KeyWord) cell { return countCell(key.Reference) }},
		keyColumn{"A per million", func(key *KeyWord) cell { return rateCell(perMillion(key.Target, k.Target.Words)) }},
		keyColumn{"B per million", func(key *KeyWord) cell { return rateCell(perMillion(key.Reference, k.Reference.Words)) }},
		keyColumn{"range A", func(key *KeyWord) cell { return countCell(key.TargetRange) }},
		keyColumn{"range B", func(key *KeyWord) cell { return countCell(key.ReferenceRange) }},
		keyColumn{"DPnorm", func(key *KeyWord) cell { return scoreCell(key.Dispersion) }})
}

// tables returns the tables of the positive and the negative keys.
func (k *KeyWords) tables() (tables []keyTable) {
	columns := k.columns()
	for _, positive := range []bool{true, false} {
		more, less, name := display.Name(k.Target.Name), display.Name(k.Reference.Name), "Positive keys"
		if !positive {
			more, less, name = less, more, "Negative keys"
		}
		t := table{Caption: fmt.Sprintf("%s: more frequent in %s than in %s", name, more, less), Columns: []column{{Name: "term"}}}
		for _, c := range columns {
			t.Columns = append(t.Columns, column{c.name, true})
		}
		for _, key := range k.Keys {
			if key.Positive != positive {
				continue
			}
			row := []cell{nameCell(key.Term)}
			for _, c := range columns {
				row = append(row, c.cell(&key))
			}
			t.Rows = append(t.Rows, row)
		}
		if t.Rows != nil {
			tables = append(tables, keyTable{name, t})
		}
	}
	return tables
}

// scoreCell returns a cell with a value that may be undefined.
func scoreCell(v float64) cell {
	if math.IsNaN(v) {
		return emptyCell()
	}
	return cell{formatValue(v), display.Exact(v), true}
}

// formatValue is [display.Score] with four digits, or a whole number.
func formatValue(v float64) string { return display.Score(v, display.Decimals([]float64{v})) }

func rateCell(v float64) cell { return cell{formatRate(v), display.Exact(v), true} }

// formatRate formats occurrences per million.
func formatRate(v float64) string {
	if v >= 100 {
		return display.Count(int(math.Round(v)))
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

// figure returns the evidence as shown.
func (e Evidence) figure() evidenceFigure {
	f := evidenceFigure{Term: display.Name(e.Term)}
	if len(e.Documents) > 0 {
		f.Documents = table{Caption: "Documents with " + f.Term, Columns: append(newColumns(3, "corpus", "document", "labels"), newColumns(0, "occurrences", "tokens")...)}
	}
	for _, d := range e.Documents {
		f.Documents.Rows = append(f.Documents.Rows, []cell{nameCell(d.Side), nameCell(d.ID), {Text: display.Text(d.Labels)}, countCell(d.TF), countCell(d.Length)})
	}
	for _, l := range e.Lines {
		f.Lines = append(f.Lines, ContextLine{display.Name(l.Side), display.Name(l.ID), display.Text(l.Left), display.Text(l.Match), display.Text(l.Right)})
	}
	return f
}
