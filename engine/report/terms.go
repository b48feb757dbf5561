package report

import (
	"slices"
	"strconv"
)

// A termTable has the best terms of classes by methods.
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

// writeTerms adds the best terms: cards, and a table of all.
func (r *Report) writeTerms(m *markup) {
	t := r.termTable()
	if t == nil {
		return
	}
	m.add("<h2>Top terms</h2>\n")
	if t.Against {
		m.add("<p class=\"note\">− marks a term that the class has less of than all documents.</p>\n")
	}
	if !t.ByMethod {
		m.add("<form class=\"filters needs-script\"><label>Measure <select data-card-method>%s</select></label></form>\n", options(t.Methods))
	}
	m.add("<div class=\"cards\">\n")
	for _, c := range t.Cards {
		title, note := c.Class, c.Method
		if t.ByMethod {
			title, note = note, title
		}
		m.add("<article class=\"card\" data-card=\"%s\"><h3><bdi>%s</bdi></h3><p class=\"note\"><bdi>%s</bdi></p>\n<ol>", c.ClassNumber, title, note)
		for _, row := range c.Terms {
			m.add("<li>%s<span>%s</span></li>", row.term(), row.Score)
		}
		m.add("</ol></article>\n")
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
<tbody>`, len(t.Rows), options(t.Classes), options(t.Methods),
		when(t.Tokens, `<th scope="col" class="n" title="occurrences of the term in the class">tf</th><th scope="col" class="n" title="occurrences of the term in all documents">tf of all</th>`))
	for i := range t.Rows {
		t.Rows[i].write(m, t.Tokens)
	}
	m.add("</tbody></table></div></details>\n")
}

// options returns the options of a choice, whose values are their numbers.
func options(names []string) literal {
	return made(func(m *markup) {
		for i, name := range names {
			m.add(`<option value="%s">%s</option>`, i, name)
		}
	})
}

// term returns the term with its sign.
func (row *termRow) term() literal {
	return made(func(m *markup) {
		m.add("%s<bdi>%s</bdi>", when(row.Against, `<span title="the class has less of this term than all documents">−</span>`), row.Term)
	})
}

// write adds the row of the table of all terms.
func (row *termRow) write(m *markup, tokens bool) {
	m.add(`<tr data-class="%s" data-method="%s"><th scope="row">%s</th><td><bdi>%s</bdi></td><td><bdi>%s</bdi></td>`,
		row.ClassNumber, row.MethodNumber, row.term(), row.Class, row.Method)
	cells := []cell{{Text: strconv.Itoa(row.Rank), Exact: strconv.Itoa(row.Rank)}, {Text: row.Score, Exact: row.Exact}, row.DF, {Exact: "-1"}, {Exact: "-1"}}
	if row.OfClass {
		cells[3], cells[4] = row.A, row.B
	}
	if tokens {
		cells = append(cells, row.TF, row.TFAll)
	}
	for _, c := range cells {
		m.add(`<td class="n" data-v="%s">%s</td>`, c.Exact, c.Text)
	}
	m.add("</tr>\n")
}
