package report

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"
)

var (
	//go:embed explore.html
	exploreMain string
	//go:embed explore.css
	exploreStyle string
	//go:embed explore_data.js
	exploreData string
	//go:embed explore*.js
	exploreFiles embed.FS
)

// exploreScripts are the files behind the formulas, in their order.
var exploreScripts = []string{"explore_counts.js", "explore_plot.js", "explore_text.js", "explore_values.js", "explore_find.js", "explore_list.js", "explore_term.js", "explore_cards.js", "explore_save.js", "explore.js"}

// exploreScript returns the script of the page with the formulas of the measures.
func exploreScript(formulas string) string {
	script := exploreData + formulas
	for _, name := range exploreScripts {
		text, err := exploreFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		script += string(text)
	}
	return script
}

// An Explore is a corpus to look at: its terms with their counts in every class. The page has all of
// them, packed, and draws, searches, sorts and scores them in the browser.
type Explore struct {
	// Title is the heading; "" is "Terms".
	Title string
	Facts []Fact
	// Notes are said at the head of the page: what was left out, and what to know of the values.
	Notes []string
	// Documents and Tokens are those of the corpus.
	Documents, Tokens uint64
	// Classes may be empty. With Sides they are two corpora that are held against each other.
	Classes []ExploreClass
	Sides   bool
	Terms   ExploreTerms
	// Of is the number of terms of the corpus, of which Terms are the best by Rank, a measure.
	Of   int
	Rank string
	// By is the measure of the p-values, and Test says how they were computed. Both are empty without
	// p-values.
	By, Test string
	// Formulas is the script that gives the page its measures.
	Formulas string
	// Evidence has the documents and lines of some terms. Texts says that it was looked for.
	Evidence []Evidence
	Texts    bool
	// Command is the command line that makes the page, "" if it is not known.
	Command string
	// Features is what a features file of terms of the page says of the corpus; nil if there is none.
	Features *ExploreFeatures
}

// ExploreFeatures are lines of a features file, as JSON.
type ExploreFeatures struct {
	Classes    string `json:"classes"`
	Provenance string `json:"provenance"`
}

// An ExploreClass is a class, or one of two corpora.
type ExploreClass struct {
	Name      string `json:"name"`
	Documents uint64 `json:"documents"`
	Tokens    uint64 `json:"tokens"`
}

// ExploreTerms are terms in the order of their bytes, as columns. A cell is a term in a class that has a
// document with it. Counts are below 2^53.
type ExploreTerms struct {
	Names []string
	DF    []uint64 // documents with the term
	CF    []uint64 // its occurrences
	// The cells of term i are the elements [Start[i], Start[i+1]) of the columns below, in ascending
	// order of their class.
	Start []int
	Class []uint32
	A     []uint64 // documents, at least 1
	S     []uint64 // occurrences, at least A
	Q     []uint64 // sums of the squared occurrences in a document; nil if they are not known
	// Log10P and CellLog10P are log10 of the p-values of terms and of cells; nil if there are none.
	Log10P, CellLog10P []float64
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
	Side   string `json:"side"`
	ID     string `json:"id"`
	Labels string `json:"labels"`
	TF     int    `json:"tf"`
	Length int    `json:"length"`
}

// A ContextLine is an occurrence of a term in a text. Side is the name of its corpus.
type ContextLine struct {
	Side  string `json:"side"`
	ID    string `json:"id"`
	Left  string `json:"left"`
	Match string `json:"match"`
	Right string `json:"right"`
}

// WriteHTML writes the page. It loads nothing, like that of [Report.WriteHTML], but without scripts it
// shows no more than its head.
func (e *Explore) WriteHTML(w io.Writer) error {
	title := "Terms"
	if e.Title != "" {
		title = visible(e.Title)
	}
	var m markup
	text := script + exploreScript(e.Formulas)
	m.open(title, style+exploreStyle, text, ` class="explore"`, "Skip to the terms")
	m.add(`<details class="more about" open><summary>About these data</summary>`)
	m.facts(e.Facts)
	m.add("</details>")
	for _, note := range e.Notes {
		m.add(`<p class="note">%s</p>`, visibleText(note))
	}
	m.add("\n</header>\n%s", literal(exploreMain))
	if err := e.pack(&m); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	m.close(text)
	_, err := io.WriteString(w, m.String())
	return err
}

// The data of the page of terms is packed here; explore_data.js unpacks it: both must agree.

// exploreHead is what the page is told besides columns.
type exploreHead struct {
	Title     string           `json:"title"`
	Rank      string           `json:"rank"`
	By        string           `json:"by,omitempty"`
	Test      string           `json:"test,omitempty"`
	Notes     []string         `json:"notes"`
	Documents uint64           `json:"documents"`
	Tokens    uint64           `json:"tokens"`
	Classes   []ExploreClass   `json:"classes"`
	Sides     bool             `json:"sides"`
	Terms     int              `json:"terms"`
	Cells     int              `json:"cells"`
	Of        int              `json:"of"`
	Squares   bool             `json:"squares"`
	UTF8      bool             `json:"utf8"` // of all names
	CellP     bool             `json:"cell_p"`
	Texts     bool             `json:"texts"`
	Command   string           `json:"command"`
	Features  *ExploreFeatures `json:"features"`
}

// pack adds the page's data, part by part.
func (e *Explore) pack(m *markup) error {
	if err := e.check(); err != nil {
		return err
	}
	head, err := json.Marshal(e.head())
	if err != nil {
		return err
	}
	t := &e.Terms
	m.part("head", head)
	m.part("names", t.packNames())
	shown, err := json.Marshal(t.shown())
	if err != nil {
		return err
	}
	m.part("shown", shown)
	if len(e.Evidence) > 0 {
		evidence, err := json.Marshal(e.evidence())
		if err != nil {
			return err
		}
		m.part("evidence", evidence)
	}
	m.part("counts", t.packCounts(len(e.Classes)))
	if t.Log10P != nil {
		m.part("p", t.packP())
	}
	return nil
}

// part adds data as gzip packs them, in a form of base64 without characters that HTML escapes.
func (m *markup) part(name literal, data []byte) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed) // its best level takes three times as long, and saves one byte of fifty
	_, _ = w.Write(data)         // a buffer has no errors
	_ = w.Close()
	m.add("<script type=\"application/octet-stream\" data-part=\"%s\">%s</script>\n", name, literal(base64.RawURLEncoding.EncodeToString(packed.Bytes())))
}

// mostExact is the largest number up to which a script counts exactly.
const mostExact = 1 << 53

// check returns an error for columns that do not fit together.
func (e *Explore) check() error {
	t := &e.Terms
	n := len(t.Names)
	if len(t.DF) != n || len(t.CF) != n || len(t.Start) != n+1 || t.Log10P != nil && len(t.Log10P) != n {
		return fmt.Errorf("columns of %d terms have other lengths", n)
	}
	cells := t.Start[n]
	if len(t.Class) != cells || len(t.A) != cells || len(t.S) != cells || t.Q != nil && len(t.Q) != cells || t.CellLog10P != nil && len(t.CellLog10P) != cells {
		return fmt.Errorf("columns of %d cells have other lengths", cells)
	}
	for i := range n {
		if i > 0 && t.Names[i-1] >= t.Names[i] {
			return fmt.Errorf("term %q follows %q, and terms are in the order of their bytes", t.Names[i], t.Names[i-1])
		}
		if t.DF[i] > mostExact || t.CF[i] > mostExact {
			return fmt.Errorf("the counts of term %q are beyond 2^53", t.Names[i])
		}
		for j := t.Start[i]; j < t.Start[i+1]; j++ {
			if int(t.Class[j]) >= len(e.Classes) || j > t.Start[i] && t.Class[j-1] >= t.Class[j] {
				return fmt.Errorf("the classes of term %q are not in order", t.Names[i])
			}
			if !t.isPossible(j) {
				return fmt.Errorf("the counts of term %q are those of no documents", t.Names[i])
			}
		}
	}
	return nil
}

// isPossible reports whether documents have the counts of a cell, and a script counts them exactly.
func (t *ExploreTerms) isPossible(j int) bool {
	a, s := t.A[j], t.S[j]
	switch {
	case a < 1, s < a, s > mostExact:
		return false
	case t.Q == nil:
		return true
	case float64(s)/float64(a)*float64(s) > mostExact:
		return false
	}
	q, least := t.Q[j], leastSquares(a, s)
	return q == least || q > least && q <= mostExact && (q-least)%2 == 0 && a > 1 && s > a
}

func (e *Explore) head() exploreHead {
	h := exploreHead{
		Title: e.Title, Rank: e.Rank, By: e.By, Test: e.Test, Notes: append([]string{}, e.Notes...), Documents: e.Documents, Tokens: e.Tokens,
		Classes: []ExploreClass{}, Sides: e.Sides, Terms: len(e.Terms.Names), Cells: len(e.Terms.Class), Of: e.Of, Squares: e.Terms.Q != nil, UTF8: true, Texts: e.Texts, Command: e.Command, Features: e.Features,
		CellP: e.Terms.CellLog10P != nil,
	}
	for _, c := range e.Classes {
		h.Classes = append(h.Classes, ExploreClass{visible(c.Name), c.Documents, c.Tokens})
	}
	for _, name := range e.Terms.Names {
		h.UTF8 = h.UTF8 && utf8.ValidString(name)
	}
	return h
}

// packNames packs the terms: how many bytes each shares with the one before it, how many follow, and
// behind all of these the bytes that follow.
func (t *ExploreTerms) packNames() (data []byte) {
	shared := make([]int, len(t.Names))
	for i, name := range t.Names {
		for n := &shared[i]; i > 0 && *n < min(len(name), len(t.Names[i-1])) && name[*n] == t.Names[i-1][*n]; {
			*n++
		}
		data = binary.AppendUvarint(data, uint64(shared[i]))
	}
	for i, name := range t.Names {
		data = binary.AppendUvarint(data, uint64(len(name)-shared[i]))
	}
	for i, name := range t.Names {
		data = append(data, name[shared[i]:]...)
	}
	return data
}

// A shownName is how a term is shown whose name has characters that nobody sees.
type shownName struct {
	Term int    `json:"term"`
	Name string `json:"name"`
}

func (t *ExploreTerms) shown() (names []shownName) {
	for i, name := range t.Names {
		if shown := visible(name); shown != name {
			names = append(names, shownName{i, shown})
		}
	}
	return names
}

// leastSquares returns the least sum of squares of a whole numbers whose sum is s: they differ by 1 at most.
func leastSquares(a, s uint64) uint64 {
	each, more := s/a, s%a
	return more*(each+1)*(each+1) + (a-more)*each*each
}

// packedEvidence is the evidence of a term in the page.
type packedEvidence struct {
	Term      int                `json:"term"`
	Documents []EvidenceDocument `json:"documents"`
	Lines     []ContextLine      `json:"lines"`
}

// evidence returns the evidence of the terms that the page has.
func (e *Explore) evidence() (all []packedEvidence) {
	place := map[string]int{}
	for i, name := range e.Terms.Names {
		place[name] = i
	}
	for _, of := range e.Evidence {
		i, ok := place[of.Term]
		if !ok {
			continue
		}
		p := packedEvidence{Term: i, Documents: []EvidenceDocument{}, Lines: []ContextLine{}}
		for _, d := range of.Documents {
			p.Documents = append(p.Documents, EvidenceDocument{visibleText(d.Side), visible(d.ID), visibleText(d.Labels), d.TF, d.Length})
		}
		for _, l := range of.Lines {
			p.Lines = append(p.Lines, ContextLine{visibleText(l.Side), visible(l.ID), visibleText(l.Left), visibleText(l.Match), visibleText(l.Right)})
		}
		all = append(all, p)
	}
	return all
}
